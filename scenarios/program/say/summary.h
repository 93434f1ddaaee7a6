/* The summary of a run in a terminal. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdio.h>

void summary_print(JsonNode *result, FILE *out);

/* One line for a run whose details are not wanted. */
void summary_print_brief(JsonNode *result, FILE *out);
