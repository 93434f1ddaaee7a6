/* Tracks of a trace: kernels, and states of DRAM banks. */
#pragma once

#include <json-glib/json-glib.h>

/* A track a name: each launch that ran while a kept request was under way, at most the first 1,000.
 */
void timeline_trace_kernels(JsonNode *result, JsonArray *rows, GString *out);

/* A process a channel, a thread a bank. */
void timeline_trace_banks(JsonNode *result, GString *out);
