/* DRAM's bandwidth over time, a curve for each result. Their intervals differ, so that every
 * curve has a value wherever one of them changes. */
#include <math.h>

#include "scenarios/report/comparison.h"
#include "scenarios/result.h"

typedef struct {
    double interval, span; /* fs */
    guint count;
    JsonArray *read, *written; /* NULL: nothing is known */
} ProfileSeries;

static JsonArray *array_of(JsonNode *result, const char *path)
{
    JsonNode *node = result_member(result, path);
    return node && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
}

static ProfileSeries series_of(JsonNode *result)
{
    ProfileSeries series = {
        .interval = result_number(result, "profile.series.interval"),
        .span = result_number(result, "profile.series.span"),
        .read = array_of(result, "profile.series.classes.dram_channel.bytes_read.total"),
        .written = array_of(result, "profile.series.classes.dram_channel.bytes_written.total"),
    };
    if (series.interval > 0 && (series.read || series.written))
        series.count = json_array_get_length(series.read ? series.read : series.written);
    return series;
}

static double bytes_in(JsonArray *array, guint interval)
{
    return array && interval < json_array_get_length(array)
               ? json_array_get_double_element(array, interval)
               : 0;
}

/* In GB/s; the last interval may be shorter. NaN behind the end. */
static double bandwidth_at(const ProfileSeries *series, double time)
{
    if (!series->count || !(time < series->span)) return NAN;
    const guint interval = MIN((guint)(time / series->interval), series->count - 1);
    const double length =
        fmin(series->interval, series->span - (double)interval * series->interval);
    return (bytes_in(series->read, interval) + bytes_in(series->written, interval)) / length * 1e6;
}

static gint compare_times(gconstpointer a, gconstpointer b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of double: where any of them changes, and where it ends. */
static GArray *times_of(const ProfileSeries *series, guint count)
{
    GArray *times = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < count; i++) {
        for (guint k = 0; k < series[i].count; k++) {
            const double time = (double)k * series[i].interval;
            g_array_append_val(times, time);
        }
        if (series[i].count) g_array_append_val(times, series[i].span);
    }
    g_array_sort(times, compare_times);
    return times;
}

Figure *comparison_bandwidth(const Comparison *comparison)
{
    Figure *figure = figure_new("comparison_bandwidth", NULL);
    const guint count = comparison_drawn(comparison);
    ProfileSeries series[COMPARISON_DRAWN];
    figure_column(figure, "time", "ns");
    for (guint i = 0; i < count; i++) {
        figure_column(figure, compare_label(comparison, i), "GB/s");
        series[i] = series_of(comparison->results[i]);
    }
    g_autoptr(GArray) times = times_of(series, count);
    for (guint t = 0; t < times->len; t++) {
        const double time = g_array_index(times, double, t);
        if (t && time == g_array_index(times, double, t - 1)) continue;
        figure_row(figure);
        figure_number(figure, time * 1e-6);
        for (guint i = 0; i < count; i++) figure_number(figure, bandwidth_at(&series[i], time));
    }
    figure_axis(figure, FIGURE_X, "time since the measurement began", "ns", FALSE);
    figure_axis(figure, FIGURE_Y, "read and written", "GB/s", FALSE);
    figure_mark(figure, FIGURE_Y, result_number(comparison->results[0], "summary.dram.peak_gbps"),
                "peak of the first");
    comparison_note_left_out(figure, comparison);
    return figure;
}
