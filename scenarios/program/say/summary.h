/* The summary of a run in a terminal. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdbool.h>
#include <stdio.h>

/* With details: where requests of each class spent their time. */
void summary_print(JsonNode *result, bool details, FILE *out);

/* What bound the run, and what that rests on: a few lines, the last that are said of it. Nothing
 * for a run that measured nothing. */
void summary_conclude(JsonNode *result, FILE *out);

/* One line for a run whose details are not wanted. */
void summary_print_brief(JsonNode *result, FILE *out);
