/* Statistics over time as counters of a trace. */
#pragma once

#include <json-glib/json-glib.h>

/* One event for each counter and interval of `profile.series`; nothing where the result has none.
 */
void timeline_trace_counters(JsonNode *result, GString *out);
