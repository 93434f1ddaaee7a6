/* The kernels of a run side by side, in tables. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdio.h>

/* What each launch took; of many the first few, and how many more there were. */
void summary_print_launches(JsonNode *result, FILE *out);

/* Nothing where one kernel is all that was measured. Of more launches than a few each name. */
void summary_print_kernels(JsonNode *result, FILE *out);
