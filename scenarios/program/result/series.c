/* `profile.series` of result.json: marked statistics over time, straight from the tables. */
#include <math.h>

#include "scenarios/program/result/profile.h"
#include "scenarios/program/say/json_text.h"

/* Of one row: an instance's, or the sum of all. */
typedef struct {
    uint64_t value[SERIES_INTERVALS];
    bool moved;
} RowSum;

/* SMs whose schedulers' time is told of each: of all it would be most of a result. */
enum { SMS_TOLD = 8 };

typedef struct {
    JsonBuilder *json;
    Time interval, span;
    uint32_t count;
    GArray *sms; /* of guint, in order: of which the timeline has requests, SMS_TOLD at most */
} SeriesWriter;

double result_round_share(double share)
{
    return round(share * 1e4) / 1e4;
}

/* Five digits of a level are enough to draw it. The division yields the double that is nearest to
 * the decimal, which json_text therefore writes with as many digits. */
static double round_level(double value)
{
    double scale = 1;
    for (double first = 1e4; value > 0 && value < first && scale < 1e15; first /= 10) scale *= 10;
    return round(value * scale) / scale;
}

static void add_level(JsonArray *array, uint64_t integral, double length)
{
    const double level = round_level((double)integral / length);
    if (level == floor(level))
        json_array_add_int_element(array, (gint64)level);
    else
        json_array_add_double_element(array, level);
}

static Time interval_length(const SeriesWriter *writer, uint32_t index)
{
    return index + 1 < writer->count ? writer->interval : writer->span - index * writer->interval;
}

static JsonNode *as_node(JsonArray *array)
{
    JsonNode *node = json_node_new(JSON_NODE_ARRAY);
    json_node_take_array(node, array);
    return node;
}

/* `units` share a level: its mean is that of one. */
static JsonNode *make_array(const SeriesWriter *writer, const RowSum *sum, bool level, guint units)
{
    JsonArray *array = json_array_sized_new(writer->count);
    for (uint32_t i = 0; i < writer->count; i++)
        if (level)
            add_level(array, sum->value[i], (double)interval_length(writer, i) * units);
        else
            json_array_add_int_element(array, (gint64)sum->value[i]);
    return as_node(array);
}

static void add_up(RowSum *sum, const SeriesIntervals *intervals, uint32_t row)
{
    if (!series_has(intervals, row)) return;
    for (uint32_t i = 0; i < intervals->count; i++) {
        const uint64_t value = series_value(intervals, row, i);
        sum->value[i] += value;
        sum->moved |= value > 0;
    }
}

static const SeriesIntervals *kept_of(const ClassSum *sum, guint unit)
{
    return &unit_series(sum->units->pdata[unit])->kept;
}

static gint compare_numbers(gconstpointer a, gconstpointer b)
{
    const guint x = *(const guint *)a, y = *(const guint *)b;
    return x < y ? -1 : x > y;
}

static GArray *list_sms(Machine *machine)
{
    const Timeline *timeline = simulation_timeline(machine_simulation(machine));
    g_autoptr(GPtrArray) rows = timeline ? timeline_rows(timeline) : g_ptr_array_new();
    GArray *sms = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < rows->len; i++) {
        const guint sm = ((const TimelineRow *)rows->pdata[i])->sm;
        guint at = 0;
        while (at < sms->len && g_array_index(sms, guint, at) < sm) at++;
        if (at == sms->len || g_array_index(sms, guint, at) != sm) g_array_insert_val(sms, at, sm);
        if (sms->len > SMS_TOLD) g_array_set_size(sms, SMS_TOLD);
    }
    return sms;
}

static RowSum row_of_class(const ClassSum *sum, uint32_t row)
{
    RowSum all = {.moved = false};
    for (guint i = 0; i < sum->units->len; i++) add_up(&all, kept_of(sum, i), row);
    return all;
}

static bool is_told(const SeriesWriter *writer, const Stat *stat, guint unit)
{
    return !stat->slot.of || g_array_binary_search(writer->sms, &unit, compare_numbers, NULL);
}

static void put_instances(const SeriesWriter *writer, const ClassSum *sum, const Stat *stat,
                          uint32_t row)
{
    const bool level = stat->type == STAT_LEVEL;
    json_builder_set_member_name(writer->json, "instances");
    json_builder_begin_array(writer->json);
    for (guint i = 0; i < sum->units->len; i++) {
        RowSum one = {.moved = false};
        if (is_told(writer, stat, i)) add_up(&one, kept_of(sum, i), row);
        JsonNode *node = one.moved ? make_array(writer, &one, level, 1) : as_node(json_array_new());
        json_builder_add_value(writer->json, node);
    }
    json_builder_end_array(writer->json);
}

static void put_row(const SeriesWriter *writer, const ClassSum *sum, const Stat *stat, uint32_t row)
{
    const RowSum all = row_of_class(sum, row);
    json_builder_set_member_name(writer->json, stat->name);
    json_builder_begin_object(writer->json);
    json_put_node(writer->json, "total",
                  make_array(writer, &all, stat->type == STAT_LEVEL, sum->units->len));
    if (sum->units->len > 1 && (!stat->slot.of || writer->sms->len))
        put_instances(writer, sum, stat, row);
    json_builder_end_object(writer->json);
}

static bool has_moved(const ClassSum *sum)
{
    uint32_t row = 0;
    for (const Stat *stat = sum->class->stats; stat->name; stat++)
        if (stat->over_time && row_of_class(sum, row++).moved) return true;
    return false;
}

static void put_class(const SeriesWriter *writer, const ClassSum *sum)
{
    if (!unit_series(sum->units->pdata[0]) || !has_moved(sum)) return;
    uint32_t row = 0;
    json_builder_set_member_name(writer->json, sum->class->name);
    json_builder_begin_object(writer->json);
    for (const Stat *stat = sum->class->stats; stat->name; stat++)
        if (stat->over_time) put_row(writer, sum, stat, row++);
    json_builder_end_object(writer->json);
}

/* --- resources -------------------------------------------------------------------------------- */

/* How full the resource of this name is in each interval: on average over units, and of the
 * fullest. */
typedef struct {
    double mean[SERIES_INTERVALS], most[SERIES_INTERVALS]; /* fs of all of the capacity */
    guint units;
    bool moved;
} ResourceUse;

static uint64_t capacity_of(const Series *series, const SeriesRow *row)
{
    uint64_t capacity = 0;
    for (uint32_t i = 0; i < row->meters; i++) capacity += series->meters[row->place + i].capacity;
    return capacity;
}

static void add_use(ResourceUse *use, const Series *series, uint32_t row)
{
    const uint64_t capacity = capacity_of(series, &series->row[row]);
    use->units++;
    if (!capacity || !series_has(&series->kept, row)) return;
    const double scale = 1 / (double)capacity;
    for (uint32_t i = 0; i < series->kept.count; i++) {
        const uint64_t value = series_value(&series->kept, row, i);
        const double time = (double)value * scale;
        use->mean[i] += time;
        use->most[i] = MAX(use->most[i], time);
        use->moved |= value > 0;
    }
}

/* Most are 0. */
static void put_shares(const SeriesWriter *writer, const char *name, const double *time,
                       guint units)
{
    JsonArray *array = json_array_sized_new(writer->count);
    for (uint32_t i = 0; i < writer->count; i++) {
        const double share =
            result_round_share(time[i] / ((double)interval_length(writer, i) * units));
        if (share > 0)
            json_array_add_double_element(array, share);
        else
            json_array_add_int_element(array, 0);
    }
    json_put_node(writer->json, name, as_node(array));
}

static bool is_of(const Series *series, uint32_t row, const char *name)
{
    if (row >= series->kept.rows || !series->row[row].meters) return false;
    return series->meters[series->row[row].place].name == name;
}

/* Units of a class have their resources at the same place, as a rule. */
static uint32_t find_row(const Series *series, const char *name, uint32_t guess)
{
    if (is_of(series, guess, name)) return guess;
    uint32_t row = 0;
    while (row < series->kept.rows && !is_of(series, row, name)) row++;
    return row;
}

static void put_use(const SeriesWriter *writer, const GPtrArray *units, const char *name)
{
    ResourceUse use = {.units = 0};
    uint32_t row = 0;
    for (guint i = 0; i < units->len; i++) {
        const Series *series = unit_series(units->pdata[i]);
        row = find_row(series, name, row);
        if (row < series->kept.rows) add_use(&use, series, row);
    }
    if (!use.moved) return;
    json_builder_set_member_name(writer->json, name);
    json_builder_begin_object(writer->json);
    put_shares(writer, "mean", use.mean, use.units);
    put_shares(writer, "most", use.most, 1);
    json_builder_end_object(writer->json);
}

static void put_resources(const char *name, const GPtrArray *units, void *user)
{
    const SeriesWriter *writer = user;
    g_autoptr(GPtrArray) names = result_resource_names(units);
    if (!names->len) return;
    json_builder_set_member_name(writer->json, name);
    json_builder_begin_object(writer->json);
    for (guint i = 0; i < names->len; i++) put_use(writer, units, names->pdata[i]);
    json_builder_end_object(writer->json);
}

/* All have the same intervals. */
static const Series *find_series(const Aggregate *aggregate)
{
    for (guint i = 0; i < aggregate->classes->len; i++) {
        const ClassSum *sum = aggregate->classes->pdata[i];
        const Series *series = unit_series(sum->units->pdata[0]);
        if (series) return series;
    }
    return NULL;
}

void result_put_series(JsonBuilder *json, const Aggregate *aggregate)
{
    const Series *series = find_series(aggregate);
    if (!series || !series->kept.count) return;
    const SeriesIntervals *kept = &series->kept;
    g_autoptr(GArray) sms = list_sms(aggregate->machine);
    const SeriesWriter writer = {json, kept->interval, series->kept_until - kept->start,
                                 kept->count, sms};
    json_builder_set_member_name(json, "series");
    json_builder_begin_object(json);
    json_put_number(json, "start", kept->start);
    json_put_number(json, "interval", kept->interval);
    json_put_number(json, "intervals", kept->count);
    json_put_number(json, "span", writer.span);
    json_builder_set_member_name(json, "classes");
    json_builder_begin_object(json);
    for (guint i = 0; i < aggregate->classes->len; i++)
        put_class(&writer, aggregate->classes->pdata[i]);
    json_builder_end_object(json);
    json_builder_set_member_name(json, "resources");
    json_builder_begin_object(json);
    result_visit_resource_groups(aggregate, put_resources, (void *)(uintptr_t)&writer);
    json_builder_end_object(json);
    json_builder_end_object(json);
}
