/* `units` and `stages` of result.json: every statistic of every unit, straight from the tables. */

#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"

void result_write_buckets(JsonWriter *writer, const Histogram *histogram)
{
    JsonWriter row = json_open_row(writer, "buckets");
    for (unsigned i = histogram_first(histogram); i < histogram_end(histogram); i++) {
        if (!histogram->bucket[i]) continue;
        json_write_integer(&row, NULL, i);
        json_write_integer(&row, NULL, (gint64)histogram->bucket[i]);
    }
    json_end(&row, ']');
}

static void put_stage_sums(JsonBuilder *json, const StageSums *sums)
{
    json_put_number(json, "count", sums->count);
    json_put_number(json, "latency", sums->latency);
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
        if (sums->stage[stage] || !stage_if_any((Stage)stage))
            json_put_number(json, stage_name(stage), sums->stage[stage]);
}

/* An address is text, for people to search for. */
void result_write_address(JsonWriter *writer, uint64_t address)
{
    static const char digits[] = "0123456789abcdef";
    char text[sizeof "0x0123456789abcdef"], *first = &text[sizeof text - 1];
    *first = '\0';
    do *--first = digits[address % 16];
    while (address /= 16);
    *--first = 'x';
    *--first = '0';
    json_write_text(writer, "address", first);
}

/* An array of {address, count}. */
static void write_ranking(JsonWriter *list, const Ranking *ranking)
{
    for (uint64_t i = 0; i < ranking->rows; i++) {
        JsonWriter row = json_open(list, NULL, '{');
        result_write_address(&row, ranking->row[i].address);
        json_write_integer(&row, "count", (gint64)ranking->row[i].count);
        json_end(&row, '}');
    }
}

/* An array of {address, count, error}, sorted here for one unit, before for a class. */
static void write_hottest(JsonWriter *list, const HeavyHitters *hitters)
{
    HeavyHitters sorted;
    heavy_hitters_unite(&sorted, &hitters, 1);
    for (uint64_t i = 0; i < sorted.rows; i++) {
        JsonWriter row = json_open(list, NULL, '{');
        result_write_address(&row, sorted.row[i].address);
        json_write_integer(&row, "count", (gint64)sorted.row[i].count);
        json_write_integer(&row, "error", (gint64)sorted.row[i].error);
        json_end(&row, '}');
    }
}

static void write_banks(JsonWriter *list, const BankCounts *counts)
{
    for (uint64_t i = 0; i < counts->banks; i++)
        json_write_integer(list, NULL, (gint64)counts->bank[i]);
}

/* Where a unit's statistics are from. */
typedef struct {
    const Aggregate *aggregate;
    const ClassSum *sum; /* of a class; NULL: of an instance */
    bool buckets;        /* too long to repeat for each instance */
    bool values;         /* only what a study's columns can be made of */
} Source;

/* Units of a class share the level; their mean is that of one. */
static void write_level(JsonWriter *writer, const Source *source, const Stat *stat,
                        const Level *level)
{
    const guint units = source->sum ? source->sum->units->len : 1;
    const LevelTime integral =
        source->sum ? aggregate_integral(source->aggregate, source->sum, stat) : level->integral;
    json_write_real(writer, "mean",
                    aggregate_ratio((double)integral, (double)source->aggregate->span * units));
    json_write_integer(writer, "max", (gint64)level->maximum);
    json_write_integer(writer, "arrivals", (gint64)level->arrivals);
    json_write_integer(writer, "stay_fs", (gint64)level->stay);
}

static void write_histogram(JsonWriter *writer, const Source *source, const Histogram *histogram)
{
    json_write_integer(writer, "count", (gint64)histogram->count);
    json_write_integer(writer, "sum_fs", (gint64)histogram->sum);
    json_write_integer(writer, "min_fs", (gint64)histogram->minimum);
    json_write_integer(writer, "p50_fs", (gint64)histogram_percentile(histogram, 0.50));
    json_write_integer(writer, "p95_fs", (gint64)histogram_percentile(histogram, 0.95));
    json_write_integer(writer, "p99_fs", (gint64)histogram_percentile(histogram, 0.99));
    json_write_integer(writer, "max_fs", (gint64)histogram->maximum);
    if (source->buckets) result_write_buckets(writer, histogram);
}

static void write_totals(JsonWriter *writer, const StageSums *sums)
{
    json_write_integer(writer, "count", (gint64)sums->count);
    json_write_integer(writer, "latency", (gint64)sums->latency);
}

static bool is_object(const Stat *stat)
{
    return stat->type == STAT_LEVEL || stat->type == STAT_HISTOGRAM || stat->type == STAT_STAGES;
}

static void write_object(JsonWriter *parent, const Source *source, const Stat *stat,
                         const void *field)
{
    JsonWriter writer = json_open(parent, stat->name, '{');
    if (stat->type == STAT_LEVEL) write_level(&writer, source, stat, field);
    if (stat->type == STAT_HISTOGRAM) write_histogram(&writer, source, field);
    if (stat->type == STAT_STAGES) write_totals(&writer, field);
    json_end(&writer, '}');
}

/* What few units have. */
static void write_list(JsonWriter *writer, const Stat *stat, const void *field)
{
    JsonWriter list = stat->type == STAT_BANKS ? json_open_row(writer, stat->name)
                                               : json_open(writer, stat->name, '[');
    if (stat->type == STAT_RANKING) write_ranking(&list, field);
    if (stat->type == STAT_HEAVY) write_hottest(&list, field);
    if (stat->type == STAT_BANKS) write_banks(&list, field);
    json_end(&list, ']');
}

static void write_stat(JsonWriter *writer, const Source *source, const Stat *stat,
                       const void *object)
{
    const void *field = (const char *)object + stat->offset;
    if (stat->type <= STAT_TIME)
        json_write_integer(writer, stat->name, (gint64) * (const uint64_t *)field);
    else if (is_object(stat))
        write_object(writer, source, stat, field);
    else
        write_list(writer, stat, field);
}

/* What a study's columns can be made of. */
static bool is_value(const Stat *stat)
{
    return stat->type <= STAT_TIME || stat->type == STAT_LEVEL || stat->type == STAT_HISTOGRAM;
}

static void write_stats(JsonWriter *writer, const Source *source, const Stat *stats,
                        const void *object)
{
    for (const Stat *stat = stats; stat && stat->name; stat++)
        if (!source->values || is_value(stat)) write_stat(writer, source, stat, object);
}

static bool any_bank(const BankCounts *counts)
{
    for (uint64_t i = 0; i < counts->banks; i++)
        if (counts->bank[i]) return true;
    return false;
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
static void write_unmoved(JsonWriter *writer, const ClassSum *sum)
{
    JsonWriter row = json_open_row(writer, "unmoved");
    const bool busy = any_busy(sum->units);
    for (const Stat *stat = sum->class->stats; busy && stat && stat->name; stat++)
        if (!has_moved(stat, sum->sum)) json_write_text(&row, NULL, stat->name);
    json_end(&row, ']');
}

static void write_total(JsonWriter *parent, const Aggregate *aggregate, const ClassSum *sum,
                        ResultExtent extent)
{
    const Source source = {.aggregate = aggregate,
                           .sum = sum,
                           .buckets = extent == RESULT_WHOLE,
                           .values = extent == RESULT_COLUMNS};
    JsonWriter writer = json_open(parent, "total", '{');
    write_stats(&writer, &source, sum->class->stats, sum->sum);
    json_end(&writer, '}');
}

static void write_instances(JsonWriter *parent, const Aggregate *aggregate, const ClassSum *sum,
                            ResultExtent extent)
{
    JsonWriter list = json_open(parent, "instances", '[');
    const Source source = {.aggregate = aggregate, .values = extent == RESULT_COLUMNS};
    for (guint i = 0; i < sum->units->len; i++) {
        const Unit *unit = sum->units->pdata[i];
        JsonWriter writer = json_open(&list, NULL, '{');
        json_write_text(&writer, "path", unit->path);
        write_stats(&writer, &source, sum->class->stats, unit_measured(unit));
        json_end(&writer, '}');
    }
    json_end(&list, ']');
}

static bool is_network(const UnitClass *unit_class)
{
    return unit_class->place == PLACE_NETWORK;
}

/* A phase has none. */
static bool has_instances(const Aggregate *aggregate, const ClassSum *sum, ResultExtent extent)
{
    return aggregate_is_whole(aggregate) && (extent == RESULT_WHOLE || is_network(sum->class));
}

static void write_class(JsonWriter *parent, const Aggregate *aggregate, const ClassSum *sum,
                        ResultExtent extent)
{
    JsonWriter writer = json_open(parent, sum->class->name, '{');
    json_write_integer(&writer, "count", sum->units->len);
    write_total(&writer, aggregate, sum, extent);
    if (extent == RESULT_WHOLE) write_unmoved(&writer, sum);
    if (has_instances(aggregate, sum, extent)) write_instances(&writer, aggregate, sum, extent);
    json_end(&writer, '}');
}

static void write_classes(JsonWriter *writer, const Aggregate *aggregate, ResultExtent extent)
{
    for (guint i = 0; i < aggregate->classes->len; i++)
        write_class(writer, aggregate, aggregate->classes->pdata[i], extent);
    json_end(writer, '}');
}

void result_write_units(JsonWriter *parent, const Aggregate *aggregate, ResultExtent extent)
{
    if (extent == RESULT_FIXED_COLUMNS) {
        g_autoptr(JsonNode) slots = result_units_for_verdicts(aggregate);
        json_write_node(parent, "units", slots);
        return;
    }
    JsonWriter writer = json_open(parent, "units", '{');
    write_classes(&writer, aggregate, extent);
}

/* How deep `units` of a kernel lies in a result. */
enum { UNITS_DEPTH = 3 };

JsonNode *result_written_units(const Aggregate *aggregate)
{
    GString *text = g_string_new(NULL);
    JsonWriter writer = json_begin(text, '{', UNITS_DEPTH);
    write_classes(&writer, aggregate, RESULT_BRIEF);
    return json_written_new(text);
}

/* The time of schedulers and their warps, what came to caches again, and what these wrote back. */
static bool is_for_verdicts(const Stat *stat)
{
    switch (stat->means) {
    case MEANS_WARPS_AT_RESULTS:
    case MEANS_WARPS_AT_BARRIERS:
    case MEANS_L1_LINES_BROUGHT:
    case MEANS_L1_LINES_BROUGHT_BACK:
    case MEANS_TEXTURE_LINES_BROUGHT:
    case MEANS_TEXTURE_LINES_BROUGHT_BACK:
    case MEANS_ROP_LINES_BROUGHT:
    case MEANS_ROP_LINES_BROUGHT_BACK:
    case MEANS_SHARED_L1_LINES_BROUGHT:
    case MEANS_SHARED_L1_LINES_BROUGHT_BACK:
    case MEANS_L2_LINES_BROUGHT:
    case MEANS_L2_LINES_BROUGHT_BACK:
    case MEANS_MEMORY_CACHE_LINES_BROUGHT:
    case MEANS_MEMORY_CACHE_LINES_BROUGHT_BACK:
    case MEANS_BYTES_FROM_DRAM:
    case MEANS_BYTES_TO_DRAM:
    case MEANS_BYTES_DIRTIED:
    case MEANS_ROP_BYTES_WRITTEN_BACK: return true;
    default: return stat->slots != SLOTS_NONE;
    }
}

static bool has_any_for_verdicts(const Stat *stat)
{
    while (stat && stat->name && !is_for_verdicts(stat)) stat++;
    return stat && stat->name;
}

static void put_for_verdicts(JsonBuilder *json, const ClassSum *sum)
{
    json_builder_set_member_name(json, sum->class->name);
    json_builder_begin_object(json);
    json_put_number(json, "count", sum->units->len);
    json_builder_set_member_name(json, "total");
    json_builder_begin_object(json);
    for (const Stat *stat = sum->class->stats; stat && stat->name; stat++)
        if (is_for_verdicts(stat)) json_put_number(json, stat->name, stat_number(stat, sum->sum));
    json_builder_end_object(json);
    json_builder_end_object(json);
}

JsonNode *result_units_for_verdicts(const Aggregate *aggregate)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    for (guint i = 0; i < aggregate->classes->len; i++) {
        const ClassSum *sum = aggregate->classes->pdata[i];
        if (has_any_for_verdicts(sum->class->stats)) put_for_verdicts(json, sum);
    }
    json_builder_end_object(json);
    return json_builder_get_root(json);
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
            if ((stat->if_any || extent >= RESULT_COLUMNS) && !stage_sums(sum, stat)->count)
                continue;
            json_builder_set_member_name(json, stat_request_class(stat));
            json_builder_begin_object(json);
            put_stage_sums(json, stage_sums(sum, stat));
            json_builder_end_object(json);
        }
    }
    json_builder_end_object(json);
    return json_builder_get_root(json);
}
