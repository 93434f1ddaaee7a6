#include "scenarios/program/report/document/latency_bins.h"

#include <math.h>

#include "kit/describe/stat.h"

/* The least value of a bucket; of the one behind the last as well. */
static guint64 lowest(guint bucket)
{
    if (bucket < HISTOGRAM_SUB) return bucket;
    return (guint64)(HISTOGRAM_SUB + bucket % HISTOGRAM_SUB) << (bucket / HISTOGRAM_SUB - 1);
}

const LatencyPercentile *latency_percentiles(void)
{
    static const LatencyPercentile percentiles[] = {
        {"p50", "p50_fs"},    {"p90", "p90_fs"}, {"p95", "p95_fs"}, {"p99", "p99_fs"},
        {"p99.9", "p999_fs"}, {"max", "max_fs"}, {NULL, NULL},
    };
    return percentiles;
}

/* Equally long ones, at most. */
enum { LINEAR_BINS = 64 };

static guint pairs_of(JsonArray *buckets)
{
    return buckets ? json_array_get_length(buckets) / 2 : 0;
}

static guint bucket_at(JsonArray *buckets, guint pair)
{
    return (guint)json_array_get_int_element(buckets, 2 * pair);
}

static gint64 count_at(JsonArray *buckets, guint pair)
{
    return json_array_get_int_element(buckets, 2 * pair + 1);
}

/* --- bins ------------------------------------------------------------------------------------- */

/* The first bucket of the eighth of an octave that `bucket` is in, or of the one behind it. The
 * eighths are nearly of one ratio: 2^(1/8). */
static guint eighth_of(guint bucket, gboolean behind)
{
    static const guint begins[] = {0, 6, 12, 19, 26, 35, 44, 53, HISTOGRAM_SUB};
    const guint octave = bucket / HISTOGRAM_SUB * HISTOGRAM_SUB, within = bucket - octave;
    guint eighth = 0;
    while (begins[eighth + 1] <= within) eighth++;
    return octave + begins[eighth + (behind ? 1 : 0)];
}

/* At least as long as the longest of the buckets, so that each of them lies in one bin. */
static guint64 linear_width(JsonArray *buckets)
{
    const guint last = bucket_at(buckets, pairs_of(buckets) - 1);
    const guint64 range = lowest(last + 1) - lowest(bucket_at(buckets, 0));
    guint64 width = lowest(last + 1) - lowest(last);
    while (range / width > LINEAR_BINS) width *= 2;
    return width;
}

static guint64 bin_of(guint bucket, guint64 width)
{
    return width ? lowest(bucket) / width * width : lowest(eighth_of(bucket, FALSE));
}

static guint64 bin_behind(guint64 from, guint64 width)
{
    return width ? from + width : lowest(eighth_of(histogram_bucket_of(from), TRUE));
}

static void append_empty(GArray *bins, guint64 from)
{
    const LatencyBin bin = {from, 0};
    g_array_append_val(bins, bin);
}

GArray *latency_bins_new(JsonArray *buckets, gboolean *logarithmic)
{
    GArray *bins = g_array_new(FALSE, FALSE, sizeof(LatencyBin));
    const guint pairs = pairs_of(buckets);
    *logarithmic = FALSE;
    if (!pairs) return bins;
    const guint64 first = lowest(bucket_at(buckets, 0));
    const guint64 end = lowest(bucket_at(buckets, pairs - 1) + 1);
    *logarithmic = first >= HISTOGRAM_SUB && end / first >= LATENCY_WIDE;
    const guint64 width = *logarithmic ? 0 : linear_width(buckets);
    guint64 next = bin_of(bucket_at(buckets, 0), width);
    for (guint i = 0; i < pairs; i++) {
        const guint64 from = bin_of(bucket_at(buckets, i), width);
        for (; next <= from; next = bin_behind(next, width)) append_empty(bins, next);
        g_array_index(bins, LatencyBin, bins->len - 1).count += count_at(buckets, i);
    }
    append_empty(bins, next);
    return bins;
}

/* --- cumulative ------------------------------------------------------------------------------- */

enum { EDGE_BUCKETS = 2 };

GArray *latency_edges_new(JsonArray *const *buckets, guint count)
{
    GArray *edges = g_array_new(FALSE, FALSE, sizeof(guint64));
    guint from = G_MAXUINT, to = 0;
    for (guint i = 0; i < count; i++) {
        from = MIN(from, bucket_at(buckets[i], 0) / EDGE_BUCKETS);
        to = MAX(to, bucket_at(buckets[i], pairs_of(buckets[i]) - 1) / EDGE_BUCKETS + 1);
    }
    for (guint i = from; count && i <= to; i++) {
        const guint64 edge = lowest(i * EDGE_BUCKETS);
        g_array_append_val(edges, edge);
    }
    return edges;
}

gboolean latency_edges_are_wide(const GArray *edges)
{
    const guint64 first = g_array_index(edges, guint64, 0);
    return first > 0 && g_array_index(edges, guint64, edges->len - 1) / first >= LATENCY_WIDE;
}

double latency_share_below(JsonArray *buckets, guint64 edge)
{
    gint64 below = 0, all = 0;
    for (guint i = 0; i < pairs_of(buckets); i++) {
        all += count_at(buckets, i);
        if (lowest(bucket_at(buckets, i)) < edge) below += count_at(buckets, i);
    }
    return all ? 100.0 * (double)below / (double)all : NAN;
}
