/* What went on over time: bandwidths, utilisation, hit rates, queues, and what warps did. */
#include "scenarios/program/report/run/page.h"

#include <math.h>
#include <string.h>

#include "scenarios/program/report/document/numbers.h"
#include "scenarios/program/report/run/data.h"
#include "scenarios/program/report/run/series.h"
#include "scenarios/program/result/result.h"

typedef enum {
    RATE_BYTES, /* GB/s */
    RATE_BUSY,  /* % of the time of all units of its class */
    RATE_SHARE, /* % of the statistic `over` */
    RATE_ISSUE, /* % of what schedulers can dispatch */
    RATE_LEVEL, /* as it is, or of several units: that of the one with `part` in its path,
                   divided among the units of class `over` */
} Rate;

typedef struct {
    const char *name, *statistic;
    Rate rate;
    const char *part, *over;
} Curve;

static const Curve bandwidths[] = {
    {"DRAM read", "dram_channel.bytes_read", RATE_BYTES, NULL, NULL},
    {"DRAM write", "dram_channel.bytes_written", RATE_BYTES, NULL, NULL},
    {"request network", "crossbar.bytes", RATE_BYTES, "request", NULL},
    {"reply network", "crossbar.bytes", RATE_BYTES, "reply", NULL},
    {"request network", "flow_network.bytes", RATE_BYTES, "request", NULL},
    {"reply network", "flow_network.bytes", RATE_BYTES, "reply", NULL},
    {"request links", "router.link_bytes", RATE_BYTES, "request", NULL},
    {"reply links", "router.link_bytes", RATE_BYTES, "reply", NULL},
    {NULL},
};
static const Curve utilisations[] = {
    {"SM issue", "sm.warp_instructions", RATE_ISSUE, NULL, NULL},
    {"DRAM bus", "dram_channel.bus_busy", RATE_BUSY, NULL, NULL},
    {NULL},
};
static const Curve hit_rates[] = {
    {"L1 loads", "l1.hits", RATE_SHARE, NULL, "l1.accesses"},
    {"L2 requests", "l2_slice.hits", RATE_SHARE, NULL, "l2_slice.accesses"},
    {NULL},
};
static const Curve queues[] = {
    {"L1: outstanding misses", "l1.prt", RATE_LEVEL, NULL, NULL},
    {"request network: packets an SM", "crossbar.queued", RATE_LEVEL, "request", "sm"},
    {"L2 slice: outstanding fetches", "l2_slice.pending", RATE_LEVEL, NULL, NULL},
    {"scheduler: reads", "access_scheduler.reads_waiting", RATE_LEVEL, NULL, NULL},
    {"scheduler: writes", "access_scheduler.writes_waiting", RATE_LEVEL, NULL, NULL},
    {"reply network: packets a slice", "crossbar.queued", RATE_LEVEL, "reply", "l2_slice"},
    {"router: packets", "router.queued", RATE_LEVEL, NULL, NULL},
    {"MMU: page walks", "mmu.walkers_busy", RATE_LEVEL, NULL, NULL},
    {NULL},
};

static gboolean is_part(const ProfileSeries *series, const Curve *curve, guint index)
{
    g_autofree char *class = g_strndup(curve->statistic, strcspn(curve->statistic, "."));
    g_autofree char *path = data_unit_path(series->result, class, index);
    return strstr(path, curve->part) != NULL;
}

/* Of the units that the curve is about, newly allocated; NULL: not collected. */
static double *read_values(const ProfileSeries *series, const Curve *curve)
{
    JsonArray *total = series_total(series, curve->statistic);
    if (!total) return NULL;
    double *values = g_new0(double, series->intervals);
    for (guint i = 0; !curve->part && i < series->intervals; i++)
        values[i] = json_array_get_double_element(total, i);
    if (!curve->part) return values;
    for (guint unit = 0; unit < series_units(series, curve->statistic); unit++) {
        JsonArray *own = series_unit(series, curve->statistic, unit);
        if (!own || !is_part(series, curve, unit)) continue;
        for (guint i = 0; i < series->intervals; i++)
            values[i] += json_array_get_double_element(own, i);
    }
    return values;
}

/* Dispatches that all SMs could make in the time. */
static double dispatches(JsonNode *result, double fs)
{
    return data_core_cycles(result, fs * NS_OF_FS) * number_units(result, "sm")
           * number_parameter(result, "sm.schedulers") * number_parameter(result, "sm.dispatches");
}

static double share_of(const ProfileSeries *series, const char *statistic, guint interval,
                       double value)
{
    JsonArray *whole = series_total(series, statistic);
    return whole ? 100 * value / json_array_get_double_element(whole, interval) : NAN;
}

static double convert(const ProfileSeries *series, const Curve *curve, guint interval, double value)
{
    const double length = series_length(series, interval);
    g_autofree char *class = g_strndup(curve->statistic, strcspn(curve->statistic, "."));
    switch (curve->rate) {
    case RATE_BYTES: return value / (length * NS_OF_FS);
    case RATE_BUSY: return 100 * value / (length * number_units(series->result, class));
    case RATE_SHARE: return share_of(series, curve->over, interval, value);
    case RATE_ISSUE: return 100 * value / dispatches(series->result, length);
    case RATE_LEVEL: return curve->over ? value / number_units(series->result, curve->over) : value;
    }
    g_assert_not_reached();
}

static gboolean any_positive(const double *values, guint count)
{
    for (guint i = 0; i < count; i++)
        if (values[i] > 0) return TRUE;
    return FALSE;
}

typedef struct {
    const Curve *curve;
    double *values;
} Drawn;

static void clear_drawn(gpointer data)
{
    g_free(((Drawn *)data)->values);
}

/* The curves that are not zero throughout. */
static GArray *select_curves(const ProfileSeries *series, const Curve *curves)
{
    GArray *drawn = g_array_new(FALSE, FALSE, sizeof(Drawn));
    g_array_set_clear_func(drawn, clear_drawn);
    for (const Curve *curve = curves; curve->name; curve++) {
        const Drawn candidate = {curve, read_values(series, curve)};
        if (candidate.values && any_positive(candidate.values, series->intervals))
            g_array_append_val(drawn, candidate);
        else
            g_free(candidate.values);
    }
    return drawn;
}

/* `axis`: what the vertical one is called. */
static Figure *draw(const ProfileSeries *series, const char *topic, const char *axis,
                    const Curve *curves)
{
    Figure *figure = figure_new(topic, NULL);
    const char *unit = figure_topic(topic)->unit;
    g_autoptr(GArray) drawn = select_curves(series, curves);
    figure_column(figure, "time", "us");
    for (guint k = 0; k < drawn->len; k++)
        figure_column(figure, g_array_index(drawn, Drawn, k).curve->name, unit);
    figure_axis(figure, FIGURE_Y, axis, unit, FALSE);
    for (guint i = 0; drawn->len && i < series->intervals; i++) {
        figure_row(figure);
        figure_number(figure, series_middle(series, i) * US_OF_FS);
        for (guint k = 0; k < drawn->len; k++) {
            const Drawn *one = &g_array_index(drawn, Drawn, k);
            figure_number(figure, convert(series, one->curve, i, one->values[i]));
        }
    }
    series_mark_kernels(series, figure);
    return figure;
}

/* --- warps ------------------------------------------------------------------------------------ */

/* What a resident warp does at a time; what is left is ready, or waits for something else. */
static const struct {
    const char *name, *statistic;
    gboolean is_time;
} states[] = {
    {"waiting for loads", "sm.waiting_for_loads", FALSE},
    {"waiting for results", "sm.stalled_results", TRUE},
};

/* Warps of an SM, on average. */
static double warps_in(const ProfileSeries *series, guint state, guint interval)
{
    JsonArray *values = series_total(series, states[state].statistic);
    const double value = values ? json_array_get_double_element(values, interval) : 0;
    if (!states[state].is_time) return value;
    return value / (series_length(series, interval) * number_units(series->result, "sm"));
}

static Figure *warps_over_time(const ProfileSeries *series)
{
    Figure *figure = figure_new("warps_over_time", NULL);
    JsonArray *resident = series_total(series, "sm.resident_warps");
    if (!series_moved(resident)) return figure;
    figure_column(figure, "time", "us");
    for (guint k = 0; k < G_N_ELEMENTS(states); k++) figure_column(figure, states[k].name, "warps");
    figure_column(figure, "ready, or other", "warps");
    figure_axis(figure, FIGURE_Y, "an SM has", "warps", FALSE);
    for (guint i = 0; i < series->intervals; i++) {
        double rest = json_array_get_double_element(resident, i);
        figure_row(figure);
        figure_number(figure, series_middle(series, i) * US_OF_FS);
        for (guint k = 0; k < G_N_ELEMENTS(states); k++) {
            const double warps = warps_in(series, k, i);
            rest -= warps;
            figure_number(figure, warps);
        }
        figure_number(figure, fmax(rest, 0)); /* levels are rounded to five digits */
    }
    figure_mark(figure, FIGURE_Y, number_parameter(series->result, "sm.max_warps"),
                "room for warps");
    series_mark_kernels(series, figure);
    return figure;
}

static Figure *bandwidth_over_time(const ProfileSeries *series)
{
    Figure *figure = draw(series, "bandwidth_over_time", "bandwidth", bandwidths);
    if (!g_strcmp0(result_text(series->result, "parameters.dram.ideal"), "bandwidth"))
        return figure;
    figure_mark(figure, FIGURE_Y, result_number(series->result, "summary.dram.peak_gbps"),
                "DRAM peak");
    return figure;
}

void run_time(Document *document, JsonNode *result)
{
    ProfileSeries series;
    if (!series_read(result, &series)) return;
    g_autofree char *text = g_strdup_printf(
        "From the start of the first measured kernel on, in %u intervals of %.4g us.",
        series.intervals, series.interval * US_OF_FS);
    document_section(document, "time", "Over time", text);
    document_add(document, bandwidth_over_time(&series));
    document_add(document, draw(&series, "utilisation_over_time", "utilisation", utilisations));
    document_add(document, warps_over_time(&series));
    document_add(document, draw(&series, "queues_over_time", "mean of a place", queues));
    document_add(document, draw(&series, "hit_rates_over_time", "hit rate", hit_rates));
}
