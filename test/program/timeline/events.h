/* Reads a trace back and looks whether its events are as the Trace Event Format wants them. */
#pragma once

#include <check.h>
#include <json-glib/json-glib.h>
#include <stdbool.h>
#include <string.h>

#include "kit/describe/stage.h"

enum { FS_PER_US = 1000000000 };

static inline JsonNode *trace_parse(const char *text)
{
    g_autoptr(GError) error = NULL;
    JsonNode *node = json_from_string(text, &error);
    ck_assert_msg(node != NULL, "not JSON: %s", error ? error->message : "");
    return node;
}

static inline JsonArray *trace_events(JsonNode *trace)
{
    return json_object_get_array_member(json_node_get_object(trace), "traceEvents");
}

static inline const char *trace_phase(JsonObject *event)
{
    return json_object_get_string_member(event, "ph");
}

/* "12.000000003" is 12 x 10^9 + 3 fs; a double has not that many digits. */
static inline gint64 trace_time(const char *digits)
{
    char *end = NULL;
    const gint64 whole = g_ascii_strtoll(digits, &end, 10);
    ck_assert_int_eq(*end, '.');
    const char *fraction = end + 1;
    const gint64 rest = g_ascii_strtoll(fraction, &end, 10);
    ck_assert_int_eq(end - fraction, 9);
    return whole * FS_PER_US + rest;
}

/* An event of a request, from its line. */
typedef struct {
    char phase;
    char *name, *key; /* category, id and process: what its track is */
    gint64 at;
} AsyncEvent;

static inline char *trace_between(const char *line, const char *before, const char *after)
{
    const char *from = strstr(line, before);
    ck_assert_msg(from != NULL, "no %s in %s", before, line);
    from += strlen(before);
    const char *to = strpbrk(from, after);
    ck_assert_ptr_nonnull(to);
    return g_strndup(from, (gsize)(to - from));
}

static inline AsyncEvent trace_event(const char *line)
{
    g_autofree char *category = trace_between(line, "\"cat\":\"", "\"");
    g_autofree char *id = trace_between(line, "\"id\":\"", "\"");
    g_autofree char *process = trace_between(line, "\"pid\":", ",");
    g_autofree char *at = trace_between(line, "\"ts\":", ",}");
    return (AsyncEvent){line[strlen("{\"ph\":\"")], trace_between(line, "\"name\":\"", "\""),
                        g_strdup_printf("%s %s %s", category, id, process), trace_time(at)};
}

static inline void trace_event_finish(AsyncEvent *event)
{
    g_free(event->name);
    g_free(event->key);
}

static inline bool trace_is_async(const char *line)
{
    const bool kernel = strstr(line, "\"cat\":\"kernel\"") != NULL;
    return !kernel
           && (g_str_has_prefix(line, "{\"ph\":\"b\"") || g_str_has_prefix(line, "{\"ph\":\"e\""));
}

/* A request of the trace as its events have it. */
typedef struct {
    char *name, *key;
    gint64 begin, end, stages; /* stages: their lengths, summed */
    guint stage_count;
} TraceRequest;

static inline void trace_request_free(gpointer request)
{
    g_free(((TraceRequest *)request)->name);
    g_free(((TraceRequest *)request)->key);
    g_free(request);
}

/* Line `*i` begins a request: its stages follow each other without a gap, each begins and ends on
 * the request's track, and the request ends with the last one. */
static inline TraceRequest *trace_read_request(char **lines, guint *i)
{
    AsyncEvent event = trace_event(lines[(*i)++]);
    TraceRequest *request = g_new0(TraceRequest, 1);
    *request = (TraceRequest){event.name, event.key, event.at, 0, 0, 0};
    ck_assert_int_eq(event.phase, 'b');
    for (gint64 at = request->begin;;) {
        AsyncEvent next = trace_event(lines[(*i)++]);
        ck_assert_str_eq(next.key, request->key);
        ck_assert_int_eq(next.at, at);
        if (next.phase == 'e') { /* of the request itself */
            ck_assert_str_eq(next.name, request->name);
            request->end = at;
            trace_event_finish(&next);
            return request;
        }
        AsyncEvent end = trace_event(lines[(*i)++]);
        ck_assert_int_eq(end.phase, 'e');
        ck_assert_str_eq(end.key, request->key);
        ck_assert_str_eq(end.name, next.name);
        ck_assert_int_gt(end.at, next.at);
        request->stages += end.at - next.at;
        request->stage_count++;
        at = end.at;
        trace_event_finish(&next);
        trace_event_finish(&end);
    }
}

/* All requests of a trace, in its order; of TraceRequest. No two have a track in common. */
static inline GPtrArray *trace_requests(const char *text)
{
    GPtrArray *requests = g_ptr_array_new_with_free_func(trace_request_free);
    g_autoptr(GHashTable) tracks = g_hash_table_new(g_str_hash, g_str_equal);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i];) {
        if (!trace_is_async(lines[i])) {
            i++;
            continue;
        }
        TraceRequest *request = trace_read_request(lines, &i);
        ck_assert_msg(g_hash_table_add(tracks, request->key), "%s: twice", request->key);
        ck_assert_int_eq(request->stages, request->end - request->begin);
        g_ptr_array_add(requests, request);
    }
    return requests;
}
