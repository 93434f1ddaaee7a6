/* The timeline of a result in a terminal: a line a request, with a bar of letters. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdio.h>

/* Nothing where the result has none. */
void timeline_print(JsonNode *result, FILE *out);
