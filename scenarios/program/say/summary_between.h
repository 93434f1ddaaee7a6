/* What happened between kernels, and what stood in their files that the model leaves out, in the
 * summary of a run. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdio.h>

/* Nothing where one kernel was all, and where all was understood. */
void summary_print_between(JsonNode *result, FILE *out);
