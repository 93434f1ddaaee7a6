/* The latencies of requests in all results: curves and percentiles. */
#include <math.h>
#include <string.h>

#include "kit/stat.h"
#include "scenarios/report/comparison.h"
#include "scenarios/result.h"

/* Points of a curve at most. */
enum { POINTS = 240 };

/* The histogram of a class; of runs that keep none, that of warps' loads for the class of that
 * name. */
static const char WARP_LOADS[] = "warp loads";

static JsonNode *histogram_of(JsonNode *result, const char *request_class)
{
    g_autofree char *path = strcmp(request_class, WARP_LOADS) != 0
                                ? g_strdup_printf("profile.requests.%s.histogram", request_class)
                                : g_strdup("units.sm.total.load_latency");
    JsonNode *histogram = result_member(result, path);
    return histogram && result_number(histogram, "count") > 0 ? histogram : NULL;
}

static JsonArray *buckets_of(JsonNode *histogram)
{
    JsonNode *node = histogram ? result_member(histogram, "buckets") : NULL;
    return node && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
}

/* The highest value of a bucket, fs. */
static double bucket_end(guint64 bucket)
{
    if (bucket < HISTOGRAM_SUB) return (double)bucket;
    const int shift = (int)(bucket / HISTOGRAM_SUB) - 1;
    return ldexp((double)(HISTOGRAM_SUB + bucket % HISTOGRAM_SUB + 1), shift) - 1;
}

/* How many are in each bucket. */
static void add_buckets(JsonNode *histogram, guint64 *counts)
{
    JsonArray *buckets = buckets_of(histogram);
    for (guint i = 0; buckets && i + 1 < json_array_get_length(buckets); i += 2) {
        const gint64 bucket = json_array_get_int_element(buckets, i);
        if (bucket >= 0 && bucket < HISTOGRAM_BUCKETS)
            counts[bucket] += (guint64)json_array_get_int_element(buckets, i + 1);
    }
}

typedef struct {
    guint curves;
    guint64 *counts; /* curves x HISTOGRAM_BUCKETS */
    guint64 *totals;
} Curves;

static gboolean is_used(const Curves *curves, guint bucket)
{
    for (guint i = 0; i < curves->curves; i++)
        if (curves->counts[i * HISTOGRAM_BUCKETS + bucket]) return TRUE;
    return FALSE;
}

static void add_point(Figure *figure, const Curves *curves, guint bucket, const guint64 *below)
{
    figure_row(figure);
    figure_number(figure, bucket_end(bucket) * 1e-6);
    for (guint i = 0; i < curves->curves; i++)
        figure_number(figure,
                      curves->totals[i] ? (double)below[i] / (double)curves->totals[i] * 100 : NAN);
}

static void add_points(Figure *figure, const Curves *curves)
{
    g_autofree guint64 *below = g_new0(guint64, curves->curves);
    guint used = 0, seen = 0;
    for (guint bucket = 0; bucket < HISTOGRAM_BUCKETS; bucket++) used += is_used(curves, bucket);
    const guint every = used / POINTS + 1;
    for (guint bucket = 0; bucket < HISTOGRAM_BUCKETS; bucket++) {
        if (!is_used(curves, bucket)) continue;
        for (guint i = 0; i < curves->curves; i++)
            below[i] += curves->counts[i * HISTOGRAM_BUCKETS + bucket];
        seen++;
        if (seen % every == 0 || seen == used) add_point(figure, curves, bucket, below);
    }
}

static Figure *curves_of(const Comparison *comparison, const char *request_class)
{
    Figure *figure = figure_new("comparison_latency", request_class);
    const guint count = comparison_drawn(comparison);
    g_autofree guint64 *counts = g_new0(guint64, count * HISTOGRAM_BUCKETS);
    g_autofree guint64 *totals = g_new0(guint64, count);
    const Curves curves = {count, counts, totals};
    figure_column(figure, "latency", "ns");
    for (guint i = 0; i < count; i++) {
        guint64 *own = counts + i * HISTOGRAM_BUCKETS;
        figure_column(figure, compare_label(comparison, i), "%");
        add_buckets(histogram_of(comparison->results[i], request_class), own);
        for (guint bucket = 0; bucket < HISTOGRAM_BUCKETS; bucket++) totals[i] += own[bucket];
    }
    figure_axis(figure, FIGURE_X, "latency", "ns", TRUE);
    figure_axis(figure, FIGURE_Y, "requests that took no longer", "%", FALSE);
    figure_mark(figure, FIGURE_Y, 50, "p50");
    figure_mark(figure, FIGURE_Y, 99, "p99");
    add_points(figure, &curves);
    comparison_note_left_out(figure, comparison);
    return figure;
}

/* --- percentiles ------------------------------------------------------------------------------ */

static const struct {
    const char *name, *member;
} percentiles[] = {
    {"p50", "p50_fs"}, {"p90", "p90_fs"},    {"p95", "p95_fs"},
    {"p99", "p99_fs"}, {"p99.9", "p999_fs"}, {"max", "max_fs"},
};

static Figure *percentiles_of(const Comparison *comparison, const char *request_class)
{
    Figure *figure = figure_new("comparison_percentiles", request_class);
    const guint count = comparison_drawn(comparison);
    figure_column(figure, "percentile", NULL);
    for (guint i = 0; i < count; i++) figure_column(figure, compare_label(comparison, i), "ns");
    for (guint p = 0; p < G_N_ELEMENTS(percentiles); p++) {
        double values[COMPARISON_DRAWN];
        gboolean known = FALSE;
        for (guint i = 0; i < count; i++) {
            JsonNode *histogram = histogram_of(comparison->results[i], request_class);
            values[i] = histogram ? result_number(histogram, percentiles[p].member) * 1e-6 : NAN;
            known = known || isfinite(values[i]);
        }
        if (!known) continue;
        figure_row(figure);
        figure_text(figure, percentiles[p].name);
        for (guint i = 0; i < count; i++) figure_number(figure, values[i]);
    }
    comparison_note_left_out(figure, comparison);
    return figure;
}

/* Of char *: classes that a result has a histogram of, and at last the loads of warps. */
static GPtrArray *classes_of(const Comparison *comparison)
{
    GPtrArray *classes = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < comparison_drawn(comparison); i++) {
        JsonNode *requests = result_member(comparison->results[i], "profile.requests");
        if (!requests || !JSON_NODE_HOLDS_OBJECT(requests)) continue;
        g_autoptr(GList) names = json_object_get_members(json_node_get_object(requests));
        for (const GList *name = names; name; name = name->next)
            if (histogram_of(comparison->results[i], name->data)
                && !g_ptr_array_find_with_equal_func(classes, name->data, g_str_equal, NULL))
                g_ptr_array_add(classes, g_strdup(name->data));
    }
    g_ptr_array_add(classes, g_strdup(WARP_LOADS));
    return classes;
}

void comparison_add_latencies(Document *document, const Comparison *comparison)
{
    g_autoptr(GPtrArray) classes = classes_of(comparison);
    for (guint i = 0; i < classes->len; i++) {
        document_add(document, curves_of(comparison, classes->pdata[i]));
        document_add(document, percentiles_of(comparison, classes->pdata[i]));
    }
}
