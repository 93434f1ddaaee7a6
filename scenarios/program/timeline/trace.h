/* The timeline of a result in the Trace Event Format, which ui.perfetto.dev and chrome://tracing
 * open: requests as asynchronous events with their stages in them, a process an SM; statistics over
 * time as counters of one process more. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdbool.h>

#define TIMELINE_TRACE_ERROR (g_quark_from_static_string("warpmem-timeline-trace"))

enum {
    TIMELINE_TRACE_MACHINE = 1, /* process of the counters */
    TIMELINE_TRACE_SM = 2,      /* process of SM 0; the others follow */
    /* What the events of a request take at most: 40 stages of 271 bytes in an event that begins
     * and one that ends, and 900 bytes of its own, rounded up. */
    TIMELINE_TRACE_REQUEST_BYTES = 12288,
    /* Of everything else: names of processes, counters of 128 intervals. */
    TIMELINE_TRACE_BASE_BYTES = 1048576
};

/* The result's requests; NULL with error when it has none, or not as this program writes them. */
JsonArray *timeline_trace_rows(JsonNode *result, GError **error);

/* Adds the whole trace to `out`; `rows` are the result's. */
void timeline_trace(JsonNode *result, JsonArray *rows, GString *out);

/* Time in fs as the format has it, microseconds: all digits, no double. */
void timeline_trace_append_time(GString *out, gint64 fs);

/* A metadata event that names a process, or one that says where it stands. */
void timeline_trace_name_process(GString *out, gint64 process, const char *name, gint64 place);

/* One event for each counter and interval of `profile.series`; nothing where the result has none.
 */
void timeline_trace_counters(JsonNode *result, GString *out);
