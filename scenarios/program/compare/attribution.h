/* Where the change of latency between two results went: per request class and stage, in integer
 * femtoseconds, so that the parts sum to the whole exactly. */
#pragma once

#include <json-glib/json-glib.h>

typedef struct {
    const char *request_class; /* the results' strings */
    const char *stage;
    gint64 before, after; /* fs, summed over all requests of the class */
} StageChange;

/* Of StageChange: every class and stage that either result has, in the results' order. */
GArray *attribution_new(JsonNode *before, JsonNode *after);

/* Sums of all latencies, fs. */
gint64 attribution_total(JsonNode *result);
/* Requests that the sums are over. */
gint64 attribution_requests(JsonNode *result);
