#include "scenarios/program/timeline/counters.h"

#include <string.h>

#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/timeline/events.h"

/* A count or bytes in an interval become a rate, a level stays what it is: the mean of one
 * instance. 10^6 x bytes / fs are GB/s; 10^6 x events / fs are events a nanosecond. */
typedef enum { COUNTER_RATE, COUNTER_LEVEL } CounterKind;

typedef struct {
    const char *name, *unit, *class, *statistic;
    CounterKind kind;
} Counter;

static const Counter counters[] = {
    {"DRAM read", "GB/s", "dram_channel", "bytes_read", COUNTER_RATE},
    {"DRAM write", "GB/s", "dram_channel", "bytes_written", COUNTER_RATE},
    {"L2 requests", "per ns", "l2_slice", "accesses", COUNTER_RATE},
    {"resident warps", "of an SM", "sm", "resident_warps", COUNTER_LEVEL},
    {"warps waiting for loads", "of an SM", "sm", "waiting_for_loads", COUNTER_LEVEL},
    {"outstanding misses", "of an L1", "l1", "prt", COUNTER_LEVEL},
    {"packets waiting", "of a crossbar", "crossbar", "queued", COUNTER_LEVEL},
    {"outstanding fetches", "of an L2 slice", "l2_slice", "pending", COUNTER_LEVEL},
    {"reads waiting", "of a scheduler", "access_scheduler", "reads_waiting", COUNTER_LEVEL},
    {"writes waiting", "of a scheduler", "access_scheduler", "writes_waiting", COUNTER_LEVEL},
};

typedef struct {
    gint64 start, interval, span;
} Intervals;

static void put_value(GString *out, const Counter *counter, gint64 at, double value)
{
    g_string_append_printf(out, "{\"ph\":\"C\",\"name\":\"%s\",\"pid\":%d,\"ts\":", counter->name,
                           EVENT_MACHINE);
    event_append_time(out, at);
    g_string_append_printf(out, ",\"args\":{\"%s\":", counter->unit);
    json_append_real(out, value);
    g_string_append(out, "}},\n");
}

/* A value holds from its event to the next; behind the last interval there is none. */
static void put_counter(GString *out, const Counter *counter, const Intervals *intervals,
                        JsonArray *values)
{
    for (guint i = 0; i < json_array_get_length(values); i++) {
        const gint64 from = intervals->interval * (gint64)i;
        const gint64 length = MIN(intervals->interval, intervals->span - from);
        if (length <= 0) break;
        const double value = json_array_get_double_element(values, i);
        put_value(out, counter, intervals->start + from,
                  counter->kind == COUNTER_RATE ? value * 1e6 / (double)length : value);
    }
    put_value(out, counter, intervals->start + intervals->span, 0);
}

static gint64 whole(JsonNode *result, const char *path)
{
    JsonNode *node = result_member(result, path);
    return node && json_node_get_value_type(node) == G_TYPE_INT64 ? json_node_get_int(node) : -1;
}

void timeline_trace_counters(JsonNode *result, GString *out)
{
    const Intervals intervals = {whole(result, "profile.series.start"),
                                 whole(result, "profile.series.interval"),
                                 whole(result, "profile.series.span")};
    if (intervals.start < 0 || intervals.interval <= 0 || intervals.span < 0) return;
    for (guint i = 0; i < G_N_ELEMENTS(counters); i++) {
        g_autofree char *path = g_strdup_printf("profile.series.classes.%s.%s.total",
                                                counters[i].class, counters[i].statistic);
        JsonNode *values = result_member(result, path);
        if (values && JSON_NODE_HOLDS_ARRAY(values))
            put_counter(out, &counters[i], &intervals, json_node_get_array(values));
    }
}
