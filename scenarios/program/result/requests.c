/* `requests` and `slowest` of a result's profile. */
#include "scenarios/program/result/profile.h"
#include "scenarios/program/say/json_text.h"

/* Histogram buckets that one band sums up. */
enum { BAND_BUCKETS = 8 };

void result_write_row_stages(JsonWriter *writer, const StageSums *sums)
{
    JsonWriter stages = json_open(writer, "stages", '{');
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
        if (sums->stage[stage])
            json_write_integer(&stages, stage_name((Stage)stage), (gint64)sums->stage[stage]);
    json_end(&stages, '}');
}

static void write_sums(JsonWriter *writer, const StageSums *sums)
{
    json_write_integer(writer, "count", (gint64)sums->count);
    json_write_integer(writer, "latency", (gint64)sums->latency);
    result_write_row_stages(writer, sums);
}

/* --- distributions ---------------------------------------------------------------------------- */

static Histogram *new_histogram(const RequestDistribution *distribution)
{
    Histogram *histogram = g_new0(Histogram, 1);
    histogram->minimum = distribution->minimum;
    histogram->maximum = distribution->maximum;
    for (uint32_t i = 0; i < distribution->used; i++) {
        const unsigned bucket = distribution->bucket[i];
        histogram_use(histogram, bucket, bucket + 1);
        histogram->bucket[bucket] = (uint32_t)MIN(distribution->sums[bucket].count, UINT32_MAX);
        histogram->count += distribution->sums[bucket].count;
        histogram->sum += distribution->sums[bucket].latency;
    }
    return histogram;
}

static void write_histogram(JsonWriter *parent, const RequestDistribution *distribution)
{
    static const struct {
        const char *name;
        double fraction;
    } percentiles[] = {
        {"p50_fs", 0.5}, {"p90_fs", 0.9}, {"p95_fs", 0.95}, {"p99_fs", 0.99}, {"p999_fs", 0.999}};
    g_autofree Histogram *histogram = new_histogram(distribution);
    JsonWriter writer = json_open(parent, "histogram", '{');
    json_write_integer(&writer, "count", (gint64)histogram->count);
    json_write_integer(&writer, "sum_fs", (gint64)histogram->sum);
    json_write_integer(&writer, "min_fs", (gint64)histogram->minimum);
    for (guint i = 0; i < G_N_ELEMENTS(percentiles); i++)
        json_write_integer(&writer, percentiles[i].name,
                           (gint64)histogram_percentile(histogram, percentiles[i].fraction));
    json_write_integer(&writer, "max_fs", (gint64)histogram->maximum);
    result_write_buckets(&writer, histogram);
    json_end(&writer, '}');
}

static StageSums sum_buckets(const RequestDistribution *distribution, unsigned from, unsigned to)
{
    StageSums sums = {.count = 0};
    for (unsigned i = from; i < to; i++) stage_sums_merge(&sums, &distribution->sums[i]);
    return sums;
}

static void write_bands(JsonWriter *parent, const RequestDistribution *distribution)
{
    JsonWriter bands = json_open(parent, "bands", '[');
    for (unsigned from = 0; from < HISTOGRAM_BUCKETS; from += BAND_BUCKETS) {
        const StageSums sums = sum_buckets(distribution, from, from + BAND_BUCKETS);
        if (!sums.count) continue;
        JsonWriter band = json_open(&bands, NULL, '{');
        json_write_integer(&band, "from_fs", (gint64)histogram_bucket_lowest(from));
        json_write_integer(&band, "to_fs", (gint64)histogram_bucket_lowest(from + BAND_BUCKETS));
        write_sums(&band, &sums);
        json_end(&band, '}');
    }
    json_end(&bands, ']');
}

/* The fewest buckets from the top that hold a hundredth of the requests. */
static unsigned find_slowest(const RequestDistribution *distribution, uint64_t count)
{
    unsigned bucket = HISTOGRAM_BUCKETS;
    for (uint64_t held = 0; bucket && held * 100 < count;)
        held += distribution->sums[--bucket].count;
    return bucket;
}

static void write_class(JsonWriter *requests, const char *name,
                        const RequestDistribution *distribution)
{
    const StageSums all = sum_buckets(distribution, 0, HISTOGRAM_BUCKETS);
    const unsigned slow = find_slowest(distribution, all.count);
    const StageSums slowest = sum_buckets(distribution, slow, HISTOGRAM_BUCKETS);
    JsonWriter class = json_open(requests, name, '{');
    json_write_integer(&class, "count", (gint64)all.count);
    json_write_integer(&class, "latency", (gint64)all.latency);
    write_histogram(&class, distribution);
    write_bands(&class, distribution);
    JsonWriter top = json_open(&class, "slowest", '{');
    json_write_integer(&top, "from_fs", (gint64)histogram_bucket_lowest(slow));
    write_sums(&top, &slowest);
    json_end(&top, '}');
    json_end(&class, '}');
}

void result_write_requests(JsonWriter *writer, const Profile *profile)
{
    JsonWriter requests = json_open(writer, "requests", '{');
    for (guint i = 0; i < profile->plan->classes->len; i++) {
        const char *name = stat_request_class(profile->plan->classes->pdata[i]);
        if (profile->class[i] && profile->class[i] -> used)
            write_class(&requests, name, profile->class[i]);
    }
    json_end(&requests, '}');
}

void result_write_slowest(JsonWriter *writer, const Profile *profile)
{
    g_autoptr(GPtrArray) rows = timeline_heap_rows(&profile->slowest, TIMELINE_SLOWEST);
    JsonWriter slowest = json_open(writer, "slowest", '[');
    for (guint i = 0; i < rows->len; i++) result_write_timeline_row(&slowest, rows->pdata[i], NULL);
    json_end(&slowest, ']');
}
