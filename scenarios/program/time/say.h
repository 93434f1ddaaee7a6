/* Where a run's time went, in a terminal. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdio.h>

/* In one line, or nothing. */
void time_spent_print_brief(JsonNode *result, FILE *out);

/* Every part with a bar, the longest first. */
void time_spent_print(JsonNode *result, FILE *out);
