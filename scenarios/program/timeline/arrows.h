/* Arrows of a trace: from an instruction to its request to its DRAM command. */
#pragma once

#include <json-glib/json-glib.h>

/* Of each request whose DRAM command is known: slices of all three, and a flow through them.
 * Nothing where no request has one. */
void timeline_trace_arrows(JsonNode *result, JsonArray *rows, GString *out);
