/* `units` and `stages` of result.json: every statistic of every unit, straight from the tables. */
#include <string.h>

#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"

static double divide(double a, double b)
{
    return b > 0 ? a / b : 0;
}

/* `units` units share the level; their mean is that of one. */
static void put_level(JsonBuilder *json, const Level *level, LevelTime integral, Time span,
                      guint units)
{
    json_put_real(json, "mean", divide((double)integral, (double)span * units));
    json_put_number(json, "max", level->maximum);
    json_put_number(json, "arrivals", level->arrivals);
    json_put_number(json, "stay_fs", level->stay);
}

void result_put_buckets(JsonBuilder *json, const Histogram *histogram)
{
    json_builder_set_member_name(json, "buckets");
    json_builder_begin_array(json);
    for (unsigned i = histogram_first(histogram); i < histogram_end(histogram); i++) {
        if (!histogram->bucket[i]) continue;
        json_builder_add_int_value(json, i);
        json_builder_add_int_value(json, (gint64)histogram->bucket[i]);
    }
    json_builder_end_array(json);
}

static void put_histogram(JsonBuilder *json, const Histogram *histogram, bool buckets)
{
    json_put_number(json, "count", histogram->count);
    json_put_number(json, "sum_fs", histogram->sum);
    json_put_number(json, "min_fs", histogram->minimum);
    json_put_number(json, "p50_fs", histogram_percentile(histogram, 0.50));
    json_put_number(json, "p95_fs", histogram_percentile(histogram, 0.95));
    json_put_number(json, "p99_fs", histogram_percentile(histogram, 0.99));
    json_put_number(json, "max_fs", histogram->maximum);
    if (buckets) result_put_buckets(json, histogram);
}

static void put_stage_sums(JsonBuilder *json, const StageSums *sums)
{
    json_put_number(json, "count", sums->count);
    json_put_number(json, "latency", sums->latency);
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
        json_put_number(json, stage_name(stage), sums->stage[stage]);
}

/* An address is text, for people to search for. */
void result_put_address(JsonBuilder *json, uint64_t address)
{
    g_autofree char *text = g_strdup_printf("0x%" G_GINT64_MODIFIER "x", (guint64)address);
    json_put_text(json, "address", text);
}

/* An array of {address, count}. */
static void put_ranking(JsonBuilder *json, const Ranking *ranking)
{
    json_builder_begin_array(json);
    for (uint64_t i = 0; i < ranking->rows; i++) {
        json_builder_begin_object(json);
        result_put_address(json, ranking->row[i].address);
        json_put_number(json, "count", ranking->row[i].count);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

/* An array of {address, count, error}, sorted here for one unit, before for a class. */
static void put_hottest(JsonBuilder *json, const HeavyHitters *hitters)
{
    HeavyHitters sorted;
    heavy_hitters_unite(&sorted, &hitters, 1);
    json_builder_begin_array(json);
    for (uint64_t i = 0; i < sorted.rows; i++) {
        json_builder_begin_object(json);
        result_put_address(json, sorted.row[i].address);
        json_put_number(json, "count", sorted.row[i].count);
        json_put_number(json, "error", sorted.row[i].error);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static void put_banks(JsonBuilder *json, const BankCounts *counts)
{
    json_builder_begin_array(json);
    for (uint64_t i = 0; i < counts->banks; i++)
        json_builder_add_int_value(json, (gint64)counts->bank[i]);
    json_builder_end_array(json);
}

typedef struct {
    JsonBuilder *json;
    Time span;
    guint units;         /* 1: one instance; more: their sum */
    const ClassSum *sum; /* NULL: an instance */
    const Aggregate *aggregate;
    bool whole;  /* of a class: with what is too long to repeat for each instance */
    bool values; /* only what a study's columns can be made of */
} Writer;

static void put_totals(JsonBuilder *json, const StageSums *sums)
{
    json_put_number(json, "count", sums->count);
    json_put_number(json, "latency", sums->latency);
}

static bool is_object(const Stat *stat)
{
    return stat->type == STAT_LEVEL || stat->type == STAT_HISTOGRAM || stat->type == STAT_STAGES;
}

static LevelTime integral_of(const Writer *writer, const Stat *stat, const Level *field)
{
    return writer->sum ? aggregate_integral(writer->aggregate, writer->sum, stat) : field->integral;
}

static void put_stat(const Writer *writer, const Stat *stat, const void *object)
{
    JsonBuilder *json = writer->json;
    const void *field = (const char *)object + stat->offset;
    json_builder_set_member_name(json, stat->name);
    if (is_object(stat)) json_builder_begin_object(json);
    switch (stat->type) {
    case STAT_COUNT:
    case STAT_BYTES:
    case STAT_TIME: json_builder_add_int_value(json, (gint64) * (const uint64_t *)field); break;
    case STAT_LEVEL:
        put_level(json, field, integral_of(writer, stat, field), writer->span, writer->units);
        break;
    case STAT_HISTOGRAM: put_histogram(json, field, writer->whole); break;
    case STAT_STAGES: put_totals(json, field); break;
    case STAT_RANKING: put_ranking(json, field); break;
    case STAT_HEAVY: put_hottest(json, field); break;
    case STAT_BANKS: put_banks(json, field); break;
    }
    if (is_object(stat)) json_builder_end_object(json);
}

/* What a study's columns can be made of. */
static bool is_value(const Stat *stat)
{
    return stat->type <= STAT_TIME || stat->type == STAT_LEVEL || stat->type == STAT_HISTOGRAM;
}

static bool any_bank(const BankCounts *counts)
{
    for (uint64_t i = 0; i < counts->banks; i++)
        if (counts->bank[i]) return true;
    return false;
}

static void put_stats(const Writer *writer, const Stat *stats, const void *object)
{
    for (const Stat *stat = stats; stat && stat->name; stat++)
        if (!writer->values || is_value(stat)) put_stat(writer, stat, object);
}

static bool has_moved(const Stat *stat, const void *object)
{
    const void *field = (const char *)object + stat->offset;
    switch (stat->type) {
    case STAT_COUNT:
    case STAT_BYTES:
    case STAT_TIME: return *(const uint64_t *)field > 0;
    case STAT_LEVEL: return ((const Level *)field)->maximum > 0;
    case STAT_HISTOGRAM: return ((const Histogram *)field)->count > 0;
    case STAT_STAGES: return ((const StageSums *)field)->count > 0;
    case STAT_RANKING: return ((const Ranking *)field)->rows > 0;
    case STAT_HEAVY: return ((const HeavyHitters *)field)->rows > 0;
    case STAT_BANKS: return any_bank(field);
    }
    g_assert_not_reached();
}

static bool any_busy(const GPtrArray *units)
{
    for (guint i = 0; i < units->len; i++)
        if (((const Unit *)units->pdata[i])->events) return true;
    return false;
}

/* Statistics that stayed at zero although units of the class were busy: what this run says nothing
 * about. */
static void put_unmoved(JsonBuilder *json, const ClassSum *sum)
{
    json_builder_set_member_name(json, "unmoved");
    json_builder_begin_array(json);
    const bool busy = any_busy(sum->units);
    for (const Stat *stat = sum->class->stats; busy && stat && stat->name; stat++)
        if (!has_moved(stat, sum->sum)) json_builder_add_string_value(json, stat->name);
    json_builder_end_array(json);
}

static void put_total(JsonBuilder *json, const Aggregate *aggregate, const ClassSum *sum,
                      ResultExtent extent)
{
    const Writer writer = {.json = json,
                           .span = aggregate->span,
                           .units = sum->units->len,
                           .sum = sum,
                           .aggregate = aggregate,
                           .whole = extent == RESULT_WHOLE,
                           .values = extent == RESULT_COLUMNS};
    json_builder_set_member_name(json, "total");
    json_builder_begin_object(json);
    put_stats(&writer, sum->class->stats, sum->sum);
    json_builder_end_object(json);
}

static void put_instances(JsonBuilder *json, const Aggregate *aggregate, const ClassSum *sum,
                          ResultExtent extent)
{
    const Writer writer = {.json = json,
                           .span = aggregate->span,
                           .aggregate = aggregate,
                           .units = 1,
                           .values = extent == RESULT_COLUMNS};
    json_builder_set_member_name(json, "instances");
    json_builder_begin_array(json);
    for (guint i = 0; i < sum->units->len; i++) {
        const Unit *unit = sum->units->pdata[i];
        json_builder_begin_object(json);
        json_builder_set_member_name(json, "path");
        json_builder_add_string_value(json, unit->path);
        put_stats(&writer, sum->class->stats, machine_measured(aggregate->machine, unit));
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

/* --- instances as text ------------------------------------------------------------------------ */

/* How deep `instances` lies in a result, in `units` and a class. */
enum { INSTANCES_DEPTH = 3 };

static void write_level(JsonWriter *parent, const Level *level, Time span)
{
    JsonWriter writer = json_begin(parent->text, '{', parent->depth);
    json_write_real(&writer, "mean", divide((double)level->integral, (double)span));
    json_write_integer(&writer, "max", (gint64)level->maximum);
    json_write_integer(&writer, "arrivals", (gint64)level->arrivals);
    json_write_integer(&writer, "stay_fs", (gint64)level->stay);
    json_end(&writer, '}');
}

static void write_histogram(JsonWriter *parent, const Histogram *histogram)
{
    JsonWriter writer = json_begin(parent->text, '{', parent->depth);
    json_write_integer(&writer, "count", (gint64)histogram->count);
    json_write_integer(&writer, "sum_fs", (gint64)histogram->sum);
    json_write_integer(&writer, "min_fs", (gint64)histogram->minimum);
    json_write_integer(&writer, "p50_fs", (gint64)histogram_percentile(histogram, 0.50));
    json_write_integer(&writer, "p95_fs", (gint64)histogram_percentile(histogram, 0.95));
    json_write_integer(&writer, "p99_fs", (gint64)histogram_percentile(histogram, 0.99));
    json_write_integer(&writer, "max_fs", (gint64)histogram->maximum);
    json_end(&writer, '}');
}

static void write_totals(JsonWriter *parent, const StageSums *sums)
{
    JsonWriter writer = json_begin(parent->text, '{', parent->depth);
    json_write_integer(&writer, "count", (gint64)sums->count);
    json_write_integer(&writer, "latency", (gint64)sums->latency);
    json_end(&writer, '}');
}

/* What few units have: as it is of a class. */
static void write_list(JsonWriter *parent, const Stat *stat, const void *field)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    if (stat->type == STAT_RANKING) put_ranking(json, field);
    if (stat->type == STAT_HEAVY) put_hottest(json, field);
    if (stat->type == STAT_BANKS) put_banks(json, field);
    g_autoptr(JsonNode) list = json_builder_get_root(json);
    json_write_node(parent, stat->name, list);
}

static void write_stat(JsonWriter *writer, const Stat *stat, const void *object, Time span)
{
    const void *field = (const char *)object + stat->offset;
    if (is_object(stat)) json_next(writer, stat->name);
    switch (stat->type) {
    case STAT_COUNT:
    case STAT_BYTES:
    case STAT_TIME:
        json_write_integer(writer, stat->name, (gint64) * (const uint64_t *)field);
        break;
    case STAT_LEVEL: write_level(writer, field, span); break;
    case STAT_HISTOGRAM: write_histogram(writer, field); break;
    case STAT_STAGES: write_totals(writer, field); break;
    case STAT_RANKING:
    case STAT_HEAVY:
    case STAT_BANKS: write_list(writer, stat, field); break;
    }
}

static void write_instance(JsonWriter *list, const Aggregate *aggregate, const Unit *unit)
{
    const void *measured = machine_measured(aggregate->machine, unit);
    json_next(list, NULL);
    JsonWriter writer = json_begin(list->text, '{', list->depth);
    json_next(&writer, "path");
    json_append_string(writer.text, unit->path);
    for (const Stat *stat = unit->class->stats; stat && stat->name; stat++)
        write_stat(&writer, stat, measured, aggregate->span);
    json_end(&writer, '}');
}

/* Of eighty SMs these are some ten thousand values, more than all others together. */
static void put_written_instances(JsonBuilder *json, const Aggregate *aggregate,
                                  const ClassSum *sum)
{
    GString *text = g_string_new(NULL);
    JsonWriter list = json_begin(text, '[', INSTANCES_DEPTH);
    for (guint i = 0; i < sum->units->len; i++)
        write_instance(&list, aggregate, sum->units->pdata[i]);
    json_end(&list, ']');
    json_put_written(json, "instances", text);
}

static bool is_network(const UnitClass *unit_class)
{
    return unit_class->place == PLACE_NETWORK;
}

static void put_class(JsonBuilder *json, const Aggregate *aggregate, const ClassSum *sum,
                      ResultExtent extent)
{
    json_builder_set_member_name(json, sum->class->name);
    json_builder_begin_object(json);
    json_put_number(json, "count", sum->units->len);
    put_total(json, aggregate, sum, extent);
    if (extent == RESULT_WHOLE) put_unmoved(json, sum);
    if (!aggregate->phase && is_network(sum->class))
        put_instances(json, aggregate, sum, extent);
    else if (!aggregate->phase && extent == RESULT_WHOLE)
        put_written_instances(json, aggregate, sum);
    json_builder_end_object(json);
}

JsonNode *result_units(const Aggregate *aggregate, ResultExtent extent)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    for (guint i = 0; i < aggregate->classes->len; i++)
        put_class(json, aggregate, aggregate->classes->pdata[i], extent);
    json_builder_end_object(json);
    return json_builder_get_root(json);
}

const char *result_request_class(const Stat *stat)
{
    return g_str_has_prefix(stat->name, "stages_") ? stat->name + strlen("stages_") : stat->name;
}

static const StageSums *stage_sums(const ClassSum *sum, const Stat *stat)
{
    return (const StageSums *)(const void *)((const char *)sum->sum + stat->offset);
}

JsonNode *result_stages(const Aggregate *aggregate, ResultExtent extent)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    for (guint i = 0; i < aggregate->classes->len; i++) {
        const ClassSum *sum = aggregate->classes->pdata[i];
        for (const Stat *stat = sum->class->stats; stat && stat->name; stat++) {
            if (stat->type != STAT_STAGES) continue;
            if (extent == RESULT_COLUMNS && !stage_sums(sum, stat)->count) continue;
            json_builder_set_member_name(json, result_request_class(stat));
            json_builder_begin_object(json);
            put_stage_sums(json, stage_sums(sum, stat));
            json_builder_end_object(json);
        }
    }
    json_builder_end_object(json);
    return json_builder_get_root(json);
}
