/* The three kinds of report. */
#pragma once

#include "scenarios/program/report/document/document.h"

Document *run_page(JsonNode *result);

/* `labels`: what each of the results is called; the first is what the others are compared with. */
Document *comparison_page(JsonNode *const *results, const char *const *labels, guint count);

/* Of the study in a folder. NULL with an error that is the user's. */
Document *study_page(const char *directory, GError **error);
