#include "scenarios/program/timeline/counters.h"

#include <math.h>

#include "kit/describe/role.h"
#include "scenarios/program/cost/power.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/timeline/events.h"

typedef struct {
    gint64 start, interval, span;
} Intervals;

/* A count or bytes in an interval become a rate, a level stays what it is: the mean of one
 * instance. 10^6 x bytes / fs are GB/s; 10^6 x events / fs are events a nanosecond. */
static char *unit_of(const Stat *stat)
{
    if (stat->type == STAT_LEVEL) return g_strdup_printf("of %s", stat->track.of);
    return g_strdup(stat->type == STAT_BYTES ? "GB/s" : "per ns");
}

static void put_value(GString *out, const Stat *stat, gint64 at, double value)
{
    g_autofree char *unit = unit_of(stat);
    g_string_append_printf(
        out, "{\"ph\":\"C\",\"name\":\"%s\",\"pid\":%d,\"ts\":", stat->track.what, EVENT_MACHINE);
    event_append_time(out, at);
    g_string_append_printf(out, ",\"args\":{\"%s\":", unit);
    json_append_real(out, value);
    g_string_append(out, "}},\n");
}

/* A value holds from its event to the next; behind the last interval there is none. */
static void put_counter(GString *out, const Stat *stat, const Intervals *intervals,
                        JsonArray *values)
{
    for (guint i = 0; i < json_array_get_length(values); i++) {
        const gint64 from = intervals->interval * (gint64)i;
        const gint64 length = MIN(intervals->interval, intervals->span - from);
        if (length <= 0) break;
        const double value = json_array_get_double_element(values, i);
        put_value(out, stat, intervals->start + from,
                  stat->type == STAT_LEVEL ? value : value * 1e6 / (double)length);
    }
    put_value(out, stat, intervals->start + intervals->span, 0);
}

static gint64 whole(JsonNode *result, const char *path)
{
    JsonNode *node = result_member(result, path);
    return node && json_node_get_value_type(node) == G_TYPE_INT64 ? json_node_get_int(node) : -1;
}

static void put_statistic(JsonNode *result, GString *out, const UnitClass *unit, const Stat *stat,
                          const Intervals *intervals)
{
    g_autofree char *path =
        g_strdup_printf("profile.series.classes.%s.%s.total", unit->name, stat->name);
    JsonArray *values = result_array(result, path);
    if (values) put_counter(out, stat, intervals, values);
}

/* --- schedulers ------------------------------------------------------------------------------- */

/* What the schedulers of a class, or of one of its units, did in an interval, a part each, in
 * percent of their time. */
typedef struct {
    JsonNode *result;
    GString *out;
    const UnitClass *class;
    gint64 process;
    gint64 schedulers;
    gint unit; /* ALL: of the class */
} Schedulers;

enum { ALL = -1 };

static JsonArray *array_at(JsonNode *node)
{
    return node && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
}

/* NULL: it is not told. */
static JsonArray *values_of(const Schedulers *schedulers, const Stat *stat)
{
    const char *member = schedulers->unit == ALL ? "total" : "instances";
    g_autofree char *path = g_strdup_printf("profile.series.classes.%s.%s.%s",
                                            schedulers->class->name, stat->name, member);
    JsonArray *values = result_array(schedulers->result, path);
    if (!values || schedulers->unit == ALL) return values;
    const guint unit = (guint)schedulers->unit;
    return unit < json_array_get_length(values) ? array_at(json_array_get_element(values, unit))
                                                : NULL;
}

static double sum_of(JsonArray *values)
{
    double sum = 0;
    for (guint i = 0; i < json_array_get_length(values); i++)
        sum += json_array_get_double_element(values, i);
    return sum;
}

static void open_shares(const Schedulers *schedulers, gint64 at)
{
    g_string_append_printf(schedulers->out,
                           "{\"ph\":\"C\",\"name\":\"schedulers, %%\",\"pid\":%" G_GINT64_FORMAT
                           ",\"ts\":",
                           schedulers->process);
    event_append_time(schedulers->out, at);
    g_string_append(schedulers->out, ",\"args\":{");
}

/* `index` behind the last interval: zeros. */
static void put_shares(const Schedulers *schedulers, guint index, double whole)
{
    GString *out = schedulers->out;
    bool first = true;
    for (const Stat *stat = schedulers->class->stats; stat->name; stat++) {
        JsonArray *values = stat->slot.of ? values_of(schedulers, stat) : NULL;
        if (!values || !(sum_of(values) > 0)) continue;
        if (!first) g_string_append_c(out, ',');
        first = false;
        json_append_string(out, stat->slot.of);
        g_string_append_c(out, ':');
        json_append_real(out, index < json_array_get_length(values)
                                  ? json_array_get_double_element(values, index) / whole * 100
                                  : 0);
    }
    g_string_append(out, "}},\n");
}

static void put_schedulers(const Schedulers *schedulers, const Intervals *intervals)
{
    guint index = 0;
    for (gint64 from = 0; from < intervals->span; from += intervals->interval, index++) {
        const gint64 length = MIN(intervals->interval, intervals->span - from);
        open_shares(schedulers, intervals->start + from);
        put_shares(schedulers, index, (double)length * (double)schedulers->schedulers);
    }
    open_shares(schedulers, intervals->start + intervals->span);
    put_shares(schedulers, index, 1);
}

/* Some of its parts are told. */
static bool is_told(const Schedulers *schedulers)
{
    for (const Stat *stat = schedulers->class->stats; stat && stat->name; stat++) {
        JsonArray *values = stat->slot.of ? values_of(schedulers, stat) : NULL;
        if (values && json_array_get_length(values)) return true;
    }
    return false;
}

/* Of all units together, and of each that the result tells of. */
static void put_all_schedulers(JsonNode *result, GString *out, const UnitClass *class,
                               const Intervals *intervals)
{
    g_autofree char *path = g_strdup_printf("units.%s.count", class->name);
    const gint64 all = whole(result, "time.schedulers"), units = whole(result, path);
    Schedulers schedulers = {result, out, class, EVENT_MACHINE, all, ALL};
    if (all <= 0 || !is_told(&schedulers)) return;
    put_schedulers(&schedulers, intervals);
    for (gint i = 0; i < units; i++) {
        schedulers = (Schedulers){result, out, class, EVENT_SM + i, all / units, i};
        if (is_told(&schedulers)) put_schedulers(&schedulers, intervals);
    }
}

/* --- power ------------------------------------------------------------------------------------ */

typedef struct {
    GString *out;
    guint index; /* of the interval */
    bool end;    /* behind the last one: zeros */
} PowerAt;

static void put_watts(const char *class, JsonArray *watts, void *user)
{
    const PowerAt *at = user;
    if (!(sum_of(watts) > 0)) return;
    g_string_append_c(at->out, ',');
    json_append_string(at->out, class);
    g_string_append_c(at->out, ':');
    json_append_real(at->out, !at->end && at->index < json_array_get_length(watts)
                                  ? json_array_get_double_element(watts, at->index)
                                  : 0);
}

/* A part for each class, above idle power. */
static void put_power(JsonNode *result, GString *out, const Intervals *intervals)
{
    const double idle = result_number(result, "profile.power.idle_w");
    if (!isfinite(idle)) return;
    PowerAt at = {out, 0, false};
    for (gint64 from = 0; !at.end; from += intervals->interval, at.index++) {
        at.end = from >= intervals->span;
        g_string_append_printf(
            out, "{\"ph\":\"C\",\"name\":\"power, W\",\"pid\":%d,\"ts\":", EVENT_MACHINE);
        event_append_time(out, intervals->start + MIN(from, intervals->span));
        g_string_append(out, ",\"args\":{\"idle\":");
        json_append_real(out, at.end ? 0 : idle);
        power_visit(result, put_watts, &at);
        g_string_append(out, "}},\n");
    }
}

void timeline_trace_counters(JsonNode *result, GString *out)
{
    const Intervals intervals = {whole(result, "profile.series.start"),
                                 whole(result, "profile.series.interval"),
                                 whole(result, "profile.series.span")};
    if (intervals.start < 0 || intervals.interval <= 0 || intervals.span < 0) return;
    for (const UnitClass *const *unit = machine_unit_classes(); *unit; unit++) {
        const Stat *stat = stat_with_role((*unit)->stats, ROLE(track.what), NULL);
        for (; stat; stat = stat_with_role(stat + 1, ROLE(track.what), NULL))
            put_statistic(result, out, *unit, stat, &intervals);
        put_all_schedulers(result, out, *unit, &intervals);
    }
    put_power(result, out, &intervals);
}
