#include "scenarios/report/pages.h"
#include "scenarios/study/database.h"

Document *study_page(const char *directory, GError **error)
{
    (void)error;
    return document_new("study", directory, NULL);
}
