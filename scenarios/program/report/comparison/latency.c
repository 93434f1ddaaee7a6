/* The latencies of requests in all results: curves and percentiles. */
#include <math.h>
#include <string.h>

#include "kit/describe/role.h"
#include "scenarios/program/report/comparison/comparison.h"
#include "scenarios/program/report/document/latency_bins.h"
#include "scenarios/program/report/run/data.h"
#include "scenarios/program/result/result.h"

/* The histogram of a class; of runs that keep none, that of warps' loads for the class of that
 * name. */
static const char WARP_LOADS[] = "warp loads";

static JsonNode *histogram_of(JsonNode *result, const char *request_class)
{
    const UnitClass *cores = data_class(MEANS_LOAD_LATENCY);
    g_autofree char *path =
        strcmp(request_class, WARP_LOADS) != 0
            ? g_strdup_printf("profile.requests.%s.histogram", request_class)
            : g_strdup_printf("units.%s.total.%s", cores->name,
                              stat_that_means(cores->stats, MEANS_LOAD_LATENCY)->name);
    JsonNode *histogram = result_member(result, path);
    return histogram && result_number(histogram, "count") > 0 ? histogram : NULL;
}

/* NULL: there is none, or it is empty. */
static JsonArray *buckets_of(JsonNode *histogram)
{
    JsonArray *buckets = histogram ? result_array(histogram, "buckets") : NULL;
    return result_length(buckets) ? buckets : NULL;
}

static Figure *curves_of(const Comparison *comparison, const char *request_class)
{
    Figure *figure = figure_new("comparison_latency", request_class);
    const guint count = comparison_drawn(comparison);
    JsonArray *buckets[COMPARISON_DRAWN], *known[COMPARISON_DRAWN];
    guint length = 0;
    figure_column(figure, "latency", "ns");
    for (guint i = 0; i < count; i++) {
        buckets[i] = buckets_of(histogram_of(comparison->results[i], request_class));
        if (buckets[i]) known[length++] = buckets[i];
        figure_column(figure, compare_label(comparison, i), "%");
    }
    g_autoptr(GArray) edges = latency_edges_new(known, length);
    if (!edges->len) return figure;
    figure_axis(figure, FIGURE_X, "latency, at most", "ns", latency_edges_are_wide(edges));
    figure_axis(figure, FIGURE_Y, "share of the requests", "%", FALSE);
    figure_mark(figure, FIGURE_Y, 50, "p50");
    figure_mark(figure, FIGURE_Y, 99, "p99");
    for (guint e = 0; e < edges->len; e++) {
        const guint64 edge = g_array_index(edges, guint64, e);
        figure_row(figure);
        figure_number(figure, (double)edge * NS_OF_FS);
        for (guint i = 0; i < count; i++)
            figure_number(figure, latency_share_below(buckets[i], edge));
    }
    comparison_note_left_out(figure, comparison);
    return figure;
}

/* --- percentiles ------------------------------------------------------------------------------ */

/* Nothing where no result has it: histograms of warps keep fewer of them. */
static void add_percentile(Figure *figure, const Comparison *comparison, const char *request_class,
                           const LatencyPercentile *percentile)
{
    double values[COMPARISON_DRAWN];
    const guint count = comparison_drawn(comparison);
    gboolean known = FALSE;
    for (guint i = 0; i < count; i++) {
        JsonNode *histogram = histogram_of(comparison->results[i], request_class);
        values[i] = histogram ? result_number(histogram, percentile->member) * NS_OF_FS : NAN;
        known = known || isfinite(values[i]);
    }
    if (!known) return;
    figure_row(figure);
    figure_text(figure, percentile->name);
    for (guint i = 0; i < count; i++) figure_number(figure, values[i]);
}

static Figure *percentiles_of(const Comparison *comparison, const char *request_class)
{
    Figure *figure = figure_new("comparison_percentiles", request_class);
    figure_column(figure, "percentile", NULL);
    for (guint i = 0; i < comparison_drawn(comparison); i++)
        figure_column(figure, compare_label(comparison, i), "ns");
    for (const LatencyPercentile *each = latency_percentiles(); each->name; each++)
        add_percentile(figure, comparison, request_class, each);
    comparison_note_left_out(figure, comparison);
    return figure;
}

/* Of char *: classes that a result has a histogram of, and at last the loads of warps. */
static GPtrArray *classes_of(const Comparison *comparison)
{
    GPtrArray *classes = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < comparison_drawn(comparison); i++) {
        g_autoptr(GList) names = data_names(comparison->results[i], "profile.requests");
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
