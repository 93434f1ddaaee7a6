/* The timeline of a result in the Trace Event Format, which ui.perfetto.dev and chrome://tracing
 * open: requests as asynchronous events with their stages in them, a process an SM; statistics over
 * time as counters of one process more. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdbool.h>

#define TIMELINE_TRACE_ERROR (g_quark_from_static_string("warpmem-timeline-trace"))

enum {
    /* What the events of a request take at most: 40 stages of 271 bytes in an event that begins
     * and one that ends, 900 bytes of its own, 2,600 of slices, commands and arrows, and 16 states
     * of banks of 200 bytes, rounded up. */
    TIMELINE_TRACE_REQUEST_BYTES = 18432,
    /* Of everything else: names of processes, counters of 128 intervals, 1,000 kernels. */
    TIMELINE_TRACE_BASE_BYTES = 1048576
};

/* The result's requests; NULL with error when it has none, or not as this program writes them. */
JsonArray *timeline_trace_rows(JsonNode *result, GError **error);

/* Adds the whole trace to `out`; `rows` are the result's. */
void timeline_trace(JsonNode *result, JsonArray *rows, GString *out);
