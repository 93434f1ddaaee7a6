/* How latencies are distributed: histogram, cumulative share, and what requests of each latency
 * spend their time in. */
#include "scenarios/program/report/run/page.h"

#include "scenarios/program/report/document/latency_bins.h"
#include "scenarios/program/report/document/numbers.h"
#include "scenarios/program/report/run/data.h"
#include "scenarios/program/result/result.h"

static JsonNode *class_of(JsonNode *result, const char *name)
{
    return data_child(result, "profile.requests", name);
}

static void mark_percentile(Figure *figure, JsonNode *class, const char *name, const char *member)
{
    g_autofree char *path = g_strdup_printf("histogram.%s", member);
    figure_mark(figure, FIGURE_X, result_number(class, path) * NS_OF_FS, name);
}

static void note_percentiles(Figure *figure, JsonNode *result, JsonNode *class)
{
    static const char *const members[] = {"histogram.p50_fs", "histogram.p99_fs",
                                          "histogram.max_fs"};
    char *ns[G_N_ELEMENTS(members)], *cycles[G_N_ELEMENTS(members)];
    for (guint i = 0; i < G_N_ELEMENTS(members); i++) {
        const double latency = result_number(class, members[i]) * NS_OF_FS;
        ns[i] = number_words(latency);
        cycles[i] = number_words(data_core_cycles(result, latency));
    }
    figure_note(figure,
                "Half of the requests took no longer than %s ns (%s core cycles), 99 %% no "
                "longer than %s ns (%s), the slowest %s ns (%s).",
                ns[0], cycles[0], ns[1], cycles[1], ns[2], cycles[2]);
    for (guint i = 0; i < G_N_ELEMENTS(members); i++) {
        g_free(ns[i]);
        g_free(cycles[i]);
    }
}

/* Requests that all took equally long have no shape; the table of classes has that latency. */
static gboolean all_equal(JsonNode *class)
{
    return result_length(result_array(class, "histogram.buckets")) <= 2;
}

static Figure *latency_histogram(JsonNode *result, const char *name)
{
    JsonNode *class = class_of(result, name);
    Figure *figure = figure_new("latency_histogram", name);
    figure_column(figure, "latency", "ns");
    figure_column(figure, "requests", NULL);
    if (all_equal(class)) return figure;
    gboolean logarithmic;
    g_autoptr(GArray) bins =
        latency_bins_new(result_array(class, "histogram.buckets"), &logarithmic);
    figure_axis(figure, FIGURE_X, "latency, from", "ns", logarithmic);
    figure_axis(figure, FIGURE_Y, "in a step", "requests", FALSE);
    for (guint i = 0; i < bins->len; i++) {
        const LatencyBin *bin = &g_array_index(bins, LatencyBin, i);
        figure_row(figure);
        figure_number(figure, (double)bin->from * NS_OF_FS);
        figure_integer(figure, bin->count);
    }
    if (!bins->len) return figure;
    mark_percentile(figure, class, "p50", "p50_fs");
    mark_percentile(figure, class, "p95", "p95_fs");
    mark_percentile(figure, class, "p99", "p99_fs");
    note_percentiles(figure, result, class);
    if (logarithmic)
        figure_note(figure, "The axis is logarithmic: each step is about 9 %% longer.");
    return figure;
}

/* --- cumulative ------------------------------------------------------------------------------- */

static Figure *latency_cdf(JsonNode *result, const GList *names)
{
    Figure *figure = figure_new("latency_cdf", NULL);
    g_autoptr(GPtrArray) buckets = g_ptr_array_new();
    figure_column(figure, "latency", "ns");
    for (const GList *name = names; name; name = name->next) {
        JsonArray *pairs = result_array(class_of(result, name->data), "histogram.buckets");
        if (!result_length(pairs)) continue;
        figure_column(figure, name->data, "%");
        g_ptr_array_add(buckets, pairs);
    }
    g_autoptr(GArray) edges = latency_edges_new((JsonArray *const *)buckets->pdata, buckets->len);
    if (edges->len <= 2) return figure; /* all in one bucket: no shape */
    figure_axis(figure, FIGURE_X, "latency, at most", "ns", latency_edges_are_wide(edges));
    figure_axis(figure, FIGURE_Y, "share of the requests", "%", FALSE);
    for (guint i = 0; i < edges->len; i++) {
        const guint64 edge = g_array_index(edges, guint64, i);
        figure_row(figure);
        figure_number(figure, (double)edge * NS_OF_FS);
        for (guint k = 0; k < buckets->len; k++)
            figure_number(figure, latency_share_below(buckets->pdata[k], edge));
    }
    return figure;
}

/* --- bands ------------------------------------------------------------------------------------ */

static void add_band(Figure *figure, const StageColumns *stages, JsonNode *band)
{
    const double latency = result_number(band, "latency");
    figure_row(figure);
    figure_number(figure, latency / result_number(band, "count") * NS_OF_FS);
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
        if (stages->any[stage])
            figure_number(figure, data_percent(stage_of(stages, band, stage), latency));
}

static double mean_of(JsonNode *band)
{
    return result_number(band, "latency") / result_number(band, "count");
}

/* One band alone has no shape. */
static Figure *latency_stages(JsonNode *result, const char *name)
{
    Figure *figure = figure_new("latency_stages", name);
    JsonArray *bands = result_array(class_of(result, name), "bands");
    const guint count = result_length(bands);
    if (count < 2) return figure;
    StageColumns stages = {.member = "stages"};
    for (guint i = 0; i < count; i++) stage_columns_count(&stages, data_element(bands, i));
    figure_column(figure, "latency", "ns");
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
        if (stages.any[stage]) figure_column(figure, stage_name(stage), "%");
    const double spread = mean_of(data_element(bands, count - 1)) / mean_of(data_element(bands, 0));
    figure_axis(figure, FIGURE_X, "latency", "ns", spread > LATENCY_WIDE);
    figure_axis(figure, FIGURE_Y, "share of the latency", "%", FALSE);
    for (guint i = 0; i < count; i++) add_band(figure, &stages, data_element(bands, i));
    mark_percentile(figure, class_of(result, name), "p50", "p50_fs");
    mark_percentile(figure, class_of(result, name), "p99", "p99_fs");
    return figure;
}

void run_distribution(Document *document, JsonNode *result)
{
    g_autoptr(GList) names = data_names(result, "profile.requests");
    document_section(document, "distribution", "Latency: how it is distributed", NULL);
    document_add(document, latency_cdf(result, names));
    for (const GList *name = names; name; name = name->next)
        document_add(document, latency_histogram(result, name->data));
    for (const GList *name = names; name; name = name->next)
        document_add(document, latency_stages(result, name->data));
}
