#include "scenarios/report/pages.h"
#include "scenarios/result.h"

Document *comparison_page(JsonNode *const *results, const char *const *labels, guint count)
{
    g_autofree char *subtitle = g_strdup_printf("%u results against %s", count - 1, labels[0]);
    return document_new("comparison", result_text(results[0], "scenario"), subtitle);
}
