/* Where the latency of what warps wait for goes, if nothing on its way is full. */
#pragma once

#include <json-glib/json-glib.h>

/* The perfect component that shortens most of it; NULL: nothing was waited for. `share` (0..1) of
 * the latency, `words` the longest stage of it. */
typedef struct {
    const char *component;
    double share;
    const char *words;
} LatencyPart;

LatencyPart latency_part(JsonNode *result);
