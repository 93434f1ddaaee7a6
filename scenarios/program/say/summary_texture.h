/* What the texture units did, in the summary of a run. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdio.h>

/* Nothing for a run that sampled nothing. */
void summary_print_texture(JsonNode *result, FILE *out);
