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
    JsonWriter *into; /* what resources of a class are written into */
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

static void write_level(JsonWriter *row, uint64_t integral, double length)
{
    const double level = round_level((double)integral / length);
    if (level == floor(level))
        json_write_integer(row, NULL, (gint64)level);
    else
        json_write_real(row, NULL, level);
}

static Time interval_length(const SeriesWriter *writer, uint32_t index)
{
    return index + 1 < writer->count ? writer->interval : writer->span - index * writer->interval;
}

/* `units` share a level: its mean is that of one; of what is none, 0. */
static void write_values(JsonWriter *row, const SeriesWriter *writer, const RowSum *sum,
                         guint units)
{
    for (uint32_t i = 0; i < writer->count; i++)
        if (units)
            write_level(row, sum->value[i], (double)interval_length(writer, i) * units);
        else
            json_write_integer(row, NULL, (gint64)sum->value[i]);
}

/* Of the units of a class a statistic, by the number of its row. */
typedef struct {
    const ClassSum *sum;
    const Stat *stat;
    uint32_t row;
} Source;

static bool is_level(const Source *source)
{
    return source->stat->type == STAT_LEVEL;
}

static void add_up(RowSum *sum, const SeriesKept *intervals, uint32_t row)
{
    if (!series_has(intervals, row)) return;
    for (uint32_t i = 0; i < intervals->count; i++) {
        const uint64_t value = series_value(intervals, row, i);
        sum->value[i] += value;
        sum->moved |= value > 0;
    }
}

static const SeriesKept *kept_of(const ClassSum *sum, guint unit)
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

/* Nothing of what has not moved. */
static void write_instance(JsonWriter *list, const SeriesWriter *writer, const Source *source,
                           guint unit)
{
    JsonWriter row = json_open_row(list, NULL);
    const SeriesKept *kept = kept_of(source->sum, unit);
    if (is_told(writer, source->stat, unit) && series_has(kept, source->row)) {
        RowSum one = {.moved = false};
        add_up(&one, kept, source->row);
        if (one.moved) write_values(&row, writer, &one, is_level(source));
    }
    json_end(&row, ']');
}

static void write_instances(JsonWriter *parent, const SeriesWriter *writer, const Source *source)
{
    JsonWriter list = json_open(parent, "instances", '[');
    for (guint i = 0; i < source->sum->units->len; i++) write_instance(&list, writer, source, i);
    json_end(&list, ']');
}

static void write_row(JsonWriter *parent, const SeriesWriter *writer, const Source *source)
{
    const guint units = source->sum->units->len;
    const RowSum all = row_of_class(source->sum, source->row);
    JsonWriter row = json_open(parent, source->stat->name, '{');
    JsonWriter total = json_open_row(&row, "total");
    write_values(&total, writer, &all, is_level(source) ? units : 0);
    json_end(&total, ']');
    if (units > 1 && (!source->stat->slot.of || writer->sms->len))
        write_instances(&row, writer, source);
    json_end(&row, '}');
}

static bool has_moved(const ClassSum *sum)
{
    uint32_t row = 0;
    for (const Stat *stat = sum->class->stats; stat->name; stat++)
        if (stat->over_time && row_of_class(sum, row++).moved) return true;
    return false;
}

static void write_class(JsonWriter *parent, const SeriesWriter *writer, const ClassSum *sum)
{
    if (!unit_series(sum->units->pdata[0]) || !has_moved(sum)) return;
    Source source = {.sum = sum};
    JsonWriter rows = json_open(parent, sum->class->name, '{');
    for (source.stat = sum->class->stats; source.stat->name; source.stat++) {
        if (!source.stat->over_time) continue;
        write_row(&rows, writer, &source);
        source.row++;
    }
    json_end(&rows, '}');
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
static void write_shares(JsonWriter *row, const SeriesWriter *writer, const double *time,
                         guint units)
{
    for (uint32_t i = 0; i < writer->count; i++) {
        const double share =
            result_round_share(time[i] / ((double)interval_length(writer, i) * units));
        if (share > 0)
            json_write_real(row, NULL, share);
        else
            json_write_integer(row, NULL, 0);
    }
    json_end(row, ']');
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

static void write_use(JsonWriter *parent, const SeriesWriter *writer, const GPtrArray *units,
                      const char *name)
{
    ResourceUse use = {.units = 0};
    uint32_t row = 0;
    for (guint i = 0; i < units->len; i++) {
        const Series *series = unit_series(units->pdata[i]);
        if (!series) continue; /* all that it has is arrays too long to be kept */
        row = find_row(series, name, row);
        if (row < series->kept.rows) add_use(&use, series, row);
    }
    if (!use.moved) return;
    JsonWriter shares = json_open(parent, name, '{');
    JsonWriter mean = json_open_row(&shares, "mean");
    write_shares(&mean, writer, use.mean, use.units);
    JsonWriter most = json_open_row(&shares, "most");
    write_shares(&most, writer, use.most, 1);
    json_end(&shares, '}');
}

static void write_resources(const char *name, const GPtrArray *units, void *user)
{
    const SeriesWriter *writer = user;
    g_autoptr(GPtrArray) names = result_resource_names(units);
    if (!names->len) return;
    JsonWriter uses = json_open(writer->into, name, '{');
    for (guint i = 0; i < names->len; i++) write_use(&uses, writer, units, names->pdata[i]);
    json_end(&uses, '}');
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

static void write_classes(JsonWriter *series, const SeriesWriter *writer,
                          const Aggregate *aggregate)
{
    JsonWriter classes = json_open(series, "classes", '{');
    for (guint i = 0; i < aggregate->classes->len; i++)
        write_class(&classes, writer, aggregate->classes->pdata[i]);
    json_end(&classes, '}');
}

void result_write_series(JsonWriter *profile, const Aggregate *aggregate)
{
    const Series *series = find_series(aggregate);
    if (!series || !series->kept.count) return;
    const SeriesKept *kept = &series->kept;
    g_autoptr(GArray) sms = list_sms(aggregate->machine);
    JsonWriter json = json_open(profile, "series", '{'), resources;
    SeriesWriter writer = {&resources, kept->interval, series->kept_until - kept->start,
                           kept->count, sms};
    json_write_integer(&json, "start", (gint64)kept->start);
    json_write_integer(&json, "interval", (gint64)kept->interval);
    json_write_integer(&json, "intervals", kept->count);
    json_write_integer(&json, "span", (gint64)writer.span);
    write_classes(&json, &writer, aggregate);
    resources = json_open(&json, "resources", '{');
    result_visit_resource_groups(aggregate, write_resources, &writer);
    json_end(&resources, '}');
    json_end(&json, '}');
}
