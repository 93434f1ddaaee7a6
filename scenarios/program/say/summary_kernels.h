/* The kernels of a run side by side, in a table. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdio.h>

/* Nothing where one kernel is all that was measured. Of more launches than a few each name. */
void summary_print_kernels(JsonNode *result, FILE *out);
