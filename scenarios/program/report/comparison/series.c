/* DRAM's bandwidth over time, a curve for each result. Their intervals differ, so that every
 * curve has a value wherever one of them changes. */
#include <math.h>

#include "scenarios/program/report/comparison/comparison.h"
#include "scenarios/program/report/run/data.h"
#include "scenarios/program/report/run/series.h"
#include "scenarios/program/result/result.h"

typedef struct {
    ProfileSeries of;
    guint count;               /* of intervals; 0: nothing is known */
    JsonArray *read, *written; /* NULL: nothing moved */
} Bandwidth;

static Bandwidth bandwidth_of(JsonNode *result)
{
    Bandwidth bandwidth = {.count = 0};
    if (!series_read(result, &bandwidth.of)) return bandwidth;
    bandwidth.read = series_meaning(&bandwidth.of, MEANS_BYTES_FROM_DRAM);
    bandwidth.written = series_meaning(&bandwidth.of, MEANS_BYTES_TO_DRAM);
    if (bandwidth.read || bandwidth.written) bandwidth.count = bandwidth.of.intervals;
    return bandwidth;
}

static double bytes_in(JsonArray *array, guint interval)
{
    return array ? json_array_get_double_element(array, interval) : 0;
}

/* In GB/s; NaN behind the end. */
static double bandwidth_at(const Bandwidth *bandwidth, double time)
{
    if (!bandwidth->count || !(time < bandwidth->of.span)) return NAN;
    const guint interval = MIN((guint)(time / bandwidth->of.interval), bandwidth->count - 1);
    return (bytes_in(bandwidth->read, interval) + bytes_in(bandwidth->written, interval))
           / series_length(&bandwidth->of, interval) * 1e6;
}

static gint compare_times(gconstpointer a, gconstpointer b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of double: where any of them changes, and where it ends. */
static GArray *times_of(const Bandwidth *curves, guint count)
{
    GArray *times = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < count; i++) {
        for (guint k = 0; k < curves[i].count; k++) {
            const double time = (double)k * curves[i].of.interval;
            g_array_append_val(times, time);
        }
        if (curves[i].count) g_array_append_val(times, curves[i].of.span);
    }
    g_array_sort(times, compare_times);
    return times;
}

Figure *comparison_bandwidth(const Comparison *comparison)
{
    Figure *figure = figure_new("comparison_bandwidth", NULL);
    const guint count = comparison_drawn(comparison);
    Bandwidth curves[COMPARISON_DRAWN];
    figure_column(figure, "time", "us");
    for (guint i = 0; i < count; i++) {
        figure_column(figure, compare_label(comparison, i), "GB/s");
        curves[i] = bandwidth_of(comparison->results[i]);
    }
    g_autoptr(GArray) times = times_of(curves, count);
    for (guint t = 0; t < times->len; t++) {
        const double time = g_array_index(times, double, t);
        if (t && time == g_array_index(times, double, t - 1)) continue;
        figure_row(figure);
        figure_number(figure, time * US_OF_FS);
        for (guint i = 0; i < count; i++) figure_number(figure, bandwidth_at(&curves[i], time));
    }
    figure_axis(figure, FIGURE_X, "time since the measurement began", "us", FALSE);
    figure_axis(figure, FIGURE_Y, "read and written", "GB/s", FALSE);
    figure_mark(figure, FIGURE_Y, result_dram_peak(comparison->results[0]), "peak of the first");
    comparison_note_left_out(figure, comparison);
    return figure;
}
