/* `requests` and `slowest` of a result's profile. */
#include "scenarios/program/result/profile.h"
#include "scenarios/program/say/json_text.h"

/* Histogram buckets that one band sums up. */
enum { BAND_BUCKETS = 8 };

void result_put_row_stages(JsonBuilder *json, const StageSums *sums)
{
    json_builder_set_member_name(json, "stages");
    json_builder_begin_object(json);
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
        if (sums->stage[stage]) json_put_number(json, stage_name((Stage)stage), sums->stage[stage]);
    json_builder_end_object(json);
}

static void put_sums(JsonBuilder *json, const StageSums *sums)
{
    json_put_number(json, "count", sums->count);
    json_put_number(json, "latency", sums->latency);
    result_put_row_stages(json, sums);
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

static void put_histogram(JsonBuilder *json, const RequestDistribution *distribution)
{
    static const struct {
        const char *name;
        double fraction;
    } percentiles[] = {
        {"p50_fs", 0.5}, {"p90_fs", 0.9}, {"p95_fs", 0.95}, {"p99_fs", 0.99}, {"p999_fs", 0.999}};
    g_autofree Histogram *histogram = new_histogram(distribution);
    json_builder_set_member_name(json, "histogram");
    json_builder_begin_object(json);
    json_put_number(json, "count", histogram->count);
    json_put_number(json, "sum_fs", histogram->sum);
    json_put_number(json, "min_fs", histogram->minimum);
    for (guint i = 0; i < G_N_ELEMENTS(percentiles); i++)
        json_put_number(json, percentiles[i].name,
                        histogram_percentile(histogram, percentiles[i].fraction));
    json_put_number(json, "max_fs", histogram->maximum);
    result_put_buckets(json, histogram);
    json_builder_end_object(json);
}

static StageSums sum_buckets(const RequestDistribution *distribution, unsigned from, unsigned to)
{
    StageSums sums = {.count = 0};
    for (unsigned i = from; i < to; i++) stage_sums_merge(&sums, &distribution->sums[i]);
    return sums;
}

static void put_bands(JsonBuilder *json, const RequestDistribution *distribution)
{
    json_builder_set_member_name(json, "bands");
    json_builder_begin_array(json);
    for (unsigned from = 0; from < HISTOGRAM_BUCKETS; from += BAND_BUCKETS) {
        const StageSums sums = sum_buckets(distribution, from, from + BAND_BUCKETS);
        if (!sums.count) continue;
        json_builder_begin_object(json);
        json_put_number(json, "from_fs", histogram_bucket_lowest(from));
        json_put_number(json, "to_fs", histogram_bucket_lowest(from + BAND_BUCKETS));
        put_sums(json, &sums);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

/* The fewest buckets from the top that hold a hundredth of the requests. */
static unsigned find_slowest(const RequestDistribution *distribution, uint64_t count)
{
    unsigned bucket = HISTOGRAM_BUCKETS;
    for (uint64_t held = 0; bucket && held * 100 < count;)
        held += distribution->sums[--bucket].count;
    return bucket;
}

static void put_class(JsonBuilder *json, const char *name, const RequestDistribution *distribution)
{
    const StageSums all = sum_buckets(distribution, 0, HISTOGRAM_BUCKETS);
    const unsigned slow = find_slowest(distribution, all.count);
    const StageSums slowest = sum_buckets(distribution, slow, HISTOGRAM_BUCKETS);
    json_builder_set_member_name(json, name);
    json_builder_begin_object(json);
    json_put_number(json, "count", all.count);
    json_put_number(json, "latency", all.latency);
    put_histogram(json, distribution);
    put_bands(json, distribution);
    json_builder_set_member_name(json, "slowest");
    json_builder_begin_object(json);
    json_put_number(json, "from_fs", histogram_bucket_lowest(slow));
    put_sums(json, &slowest);
    json_builder_end_object(json);
    json_builder_end_object(json);
}

void result_put_requests(JsonBuilder *json, const Profile *profile)
{
    json_builder_set_member_name(json, "requests");
    json_builder_begin_object(json);
    for (guint i = 0; i < profile->plan->classes->len; i++) {
        const char *name = result_request_class(profile->plan->classes->pdata[i]);
        if (profile->class[i] && profile->class[i] -> used)
            put_class(json, name, profile->class[i]);
    }
    json_builder_end_object(json);
}

void result_put_slowest(JsonBuilder *json, const Profile *profile)
{
    g_autoptr(GPtrArray) rows = timeline_heap_rows(&profile->slowest, TIMELINE_SLOWEST);
    json_builder_set_member_name(json, "slowest");
    json_builder_begin_array(json);
    for (guint i = 0; i < rows->len; i++) result_put_timeline_row(json, rows->pdata[i], NULL);
    json_builder_end_array(json);
}
