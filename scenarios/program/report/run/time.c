/* What went on over time: bandwidths, utilisation, hit rates, queues, and what warps did. */
#include "scenarios/program/report/run/page.h"

#include <math.h>
#include <string.h>

#include "kit/describe/role.h"
#include "platform/machine/machine.h"
#include "scenarios/program/cost/power.h"
#include "scenarios/program/report/document/numbers.h"
#include "scenarios/program/report/run/data.h"
#include "scenarios/program/report/run/series.h"
#include "scenarios/program/result/result.h"

/* A curve, the statistic that says so, and its class. */
typedef struct {
    const UnitClass *unit_class;
    const Stat *stat;
    const StatCurve *curve;
} Curve;

/* The figures that curves go to; what a curve is decides. */
typedef enum { DRAWN_BANDWIDTH, DRAWN_UTILISATION, DRAWN_HIT_RATE, DRAWN_QUEUE } DrawnIn;

static DrawnIn drawn_in(const Stat *stat)
{
    if (stat->type == STAT_BYTES) return DRAWN_BANDWIDTH;
    if (stat->type == STAT_LEVEL) return DRAWN_QUEUE;
    return stat->hits_of ? DRAWN_HIT_RATE : DRAWN_UTILISATION;
}

static char *name_of(const Curve *curve, const Stat *stat)
{
    return g_strdup_printf("%s.%s", curve->unit_class->name, stat->name);
}

static gboolean is_part(const ProfileSeries *series, const Curve *curve, guint index)
{
    g_autofree char *path = data_unit_path(series->result, curve->unit_class->name, index);
    return strstr(path, curve->curve->part) != NULL;
}

/* Of the units that the curve is about, newly allocated; NULL: not collected. */
static double *read_values(const ProfileSeries *series, const Curve *curve)
{
    g_autofree char *name = name_of(curve, curve->stat);
    JsonArray *total = series_total(series, name);
    if (!total) return NULL;
    double *values = g_new0(double, series->intervals);
    for (guint i = 0; !curve->curve->part && i < series->intervals; i++)
        values[i] = json_array_get_double_element(total, i);
    if (!curve->curve->part) return values;
    for (guint unit = 0; unit < series_units(series, name); unit++) {
        JsonArray *own = series_unit(series, name, unit);
        if (!own || !is_part(series, curve, unit)) continue;
        for (guint i = 0; i < series->intervals; i++)
            values[i] += json_array_get_double_element(own, i);
    }
    return values;
}

static double units_of(const ProfileSeries *series, const UnitClass *unit_class)
{
    return number_units(series->result, unit_class->name);
}

/* In an interval of this length; the most is of one unit and a core cycle. */
static double share_of_most(const ProfileSeries *series, const Curve *curve, double length,
                            double value)
{
    return 100 * value
           / (data_core_cycles(series->result, length * NS_OF_FS)
              * units_of(series, curve->unit_class)
              * number_most(series->result, curve->unit_class, curve->stat));
}

static double share_of_lookups(const ProfileSeries *series, const Curve *curve, guint interval,
                               double value)
{
    const Stat *all =
        stat_with_role(curve->unit_class->stats, ROLE(accesses_of), curve->stat->hits_of);
    g_autofree char *name = all ? name_of(curve, all) : NULL;
    JsonArray *whole = name ? series_total(series, name) : NULL;
    return whole ? 100 * value / json_array_get_double_element(whole, interval) : NAN;
}

/* Of units that have the meaning that a level is divided among; 1: of none. */
static double count_sharers(const ProfileSeries *series, StatMeaning meaning)
{
    return meaning ? units_of(series, data_class(meaning)) : 1;
}

static double convert(const ProfileSeries *series, const Curve *curve, guint interval, double value)
{
    const double length = series_length(series, interval);
    switch (drawn_in(curve->stat)) {
    case DRAWN_BANDWIDTH: return value / (length * NS_OF_FS);
    case DRAWN_QUEUE: return value / count_sharers(series, curve->curve->among);
    case DRAWN_HIT_RATE: return share_of_lookups(series, curve, interval, value);
    case DRAWN_UTILISATION:
        if (curve->stat->type == STAT_COUNT) return share_of_most(series, curve, length, value);
        return 100 * value / (length * units_of(series, curve->unit_class));
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
    Curve curve;
    double *values;
} Drawn;

static void clear_drawn(gpointer data)
{
    g_free(((Drawn *)data)->values);
}

static void add_drawn(GArray *drawn, const ProfileSeries *series, Curve curve)
{
    const Drawn candidate = {curve, read_values(series, &curve)};
    if (candidate.values && any_positive(candidate.values, series->intervals))
        g_array_append_val(drawn, candidate);
    else
        g_free(candidate.values);
}

static void add_curves(GArray *drawn, const ProfileSeries *series, const UnitClass *unit,
                       DrawnIn figure)
{
    for (const Stat *stat = unit->stats; stat && stat->name; stat++)
        for (const StatCurve *curve = stat->curves; curve && curve->words; curve++)
            if (drawn_in(stat) == figure) add_drawn(drawn, series, (Curve){unit, stat, curve});
}

/* The curves of a figure that are not zero throughout, in the order of units; bandwidths from
 * DRAM on, which bounds most runs. */
static GArray *select_curves(const ProfileSeries *series, const UnitClass *const *classes,
                             DrawnIn figure)
{
    guint count = 0;
    while (classes[count]) count++;
    GArray *drawn = g_array_new(FALSE, FALSE, sizeof(Drawn));
    g_array_set_clear_func(drawn, clear_drawn);
    for (guint i = 0; i < count; i++)
        add_curves(drawn, series, classes[figure == DRAWN_BANDWIDTH ? count - 1 - i : i], figure);
    return drawn;
}

typedef struct {
    const char *topic, *axis; /* what the vertical one is called */
    DrawnIn kind;
} TimeFigure;

static const TimeFigure bandwidth = {"bandwidth_over_time", "bandwidth", DRAWN_BANDWIDTH},
                        utilisation = {"utilisation_over_time", "utilisation", DRAWN_UTILISATION},
                        queues = {"queues_over_time", "mean of a place", DRAWN_QUEUE},
                        hit_rates = {"hit_rates_over_time", "hit rate", DRAWN_HIT_RATE};

static Figure *draw(const ProfileSeries *series, const UnitClass *const *classes,
                    const TimeFigure *what)
{
    Figure *figure = figure_new(what->topic, NULL);
    const char *unit = figure_topic(what->topic)->unit;
    g_autoptr(GArray) drawn = select_curves(series, classes, what->kind);
    figure_column(figure, "time", "us");
    for (guint k = 0; k < drawn->len; k++)
        figure_column(figure, g_array_index(drawn, Drawn, k).curve.curve->words, unit);
    figure_axis(figure, FIGURE_Y, what->axis, unit, FALSE);
    for (guint i = 0; drawn->len && i < series->intervals; i++) {
        figure_row(figure);
        figure_number(figure, series_middle(series, i) * US_OF_FS);
        for (guint k = 0; k < drawn->len; k++) {
            const Drawn *one = &g_array_index(drawn, Drawn, k);
            figure_number(figure, convert(series, &one->curve, i, one->values[i]));
        }
    }
    series_mark_kernels(series, figure);
    return figure;
}

/* --- warps ------------------------------------------------------------------------------------ */

/* The states of warps that are collected over time, of Stat *, borrowed: levels before times. */
static GPtrArray *list_states(const UnitClass *cores)
{
    GPtrArray *states = g_ptr_array_new();
    for (guint times = 0; times < 2; times++)
        for (const Stat *stat = cores->stats; stat->name; stat++)
            if (stat->state.of && stat->over_time && (stat->type == STAT_TIME) == times)
                g_ptr_array_add(states, (Stat *)stat);
    return states;
}

/* Warps of an SM, on average. */
static double warps_in(const ProfileSeries *series, const UnitClass *cores, const Stat *state,
                       guint interval)
{
    g_autofree char *name = g_strdup_printf("%s.%s", cores->name, state->name);
    JsonArray *values = series_total(series, name);
    const double value = values ? json_array_get_double_element(values, interval) : 0;
    if (state->type == STAT_LEVEL) return value;
    return value / (series_length(series, interval) * units_of(series, cores));
}

static void add_warps(Figure *figure, const ProfileSeries *series, const UnitClass *cores,
                      const GPtrArray *states, JsonArray *resident)
{
    for (guint i = 0; i < series->intervals; i++) {
        double rest = json_array_get_double_element(resident, i);
        figure_row(figure);
        figure_number(figure, series_middle(series, i) * US_OF_FS);
        for (guint k = 0; k < states->len; k++) {
            const double warps = warps_in(series, cores, states->pdata[k], i);
            rest -= warps;
            figure_number(figure, warps);
        }
        figure_number(figure, fmax(rest, 0)); /* levels are rounded to five digits */
    }
}

static Figure *warps_over_time(const ProfileSeries *series)
{
    Figure *figure = figure_new("warps_over_time", NULL);
    const UnitClass *cores = data_class(MEANS_RESIDENT_WARPS);
    const Stat *warps = stat_that_means(cores->stats, MEANS_RESIDENT_WARPS);
    g_autofree char *name = g_strdup_printf("%s.%s", cores->name, warps->name);
    g_autoptr(GPtrArray) states = list_states(cores);
    JsonArray *resident = series_total(series, name);
    if (!series_moved(resident)) return figure;
    figure_column(figure, "time", "us");
    for (guint k = 0; k < states->len; k++)
        figure_column(figure, ((const Stat *)states->pdata[k])->state.of, "warps");
    figure_column(figure, "ready, or other", "warps");
    figure_axis(figure, FIGURE_Y, "an SM has", "warps", FALSE);
    add_warps(figure, series, cores, states, resident);
    figure_mark(figure, FIGURE_Y, number_most(series->result, cores, warps), "room for warps");
    series_mark_kernels(series, figure);
    return figure;
}

static Figure *bandwidth_over_time(const ProfileSeries *series, const UnitClass *const *classes)
{
    Figure *figure = draw(series, classes, &bandwidth);
    figure_mark(figure, FIGURE_Y, result_dram_peak(series->result), "DRAM peak");
    return figure;
}

/* --- power ------------------------------------------------------------------------------------ */

typedef struct {
    JsonArray *watts;
    const char *name;
} PowerCurve;

static void add_power(const char *class, JsonArray *watts, void *user)
{
    const PowerCurve curve = {watts, class};
    if (series_moved(watts)) g_array_append_val((GArray *)user, curve);
}

static Figure *power_over_time(const ProfileSeries *series)
{
    Figure *figure = figure_new("power_over_time", NULL);
    const double idle = result_number(series->result, "profile.power.idle_w");
    g_autoptr(GArray) curves = g_array_new(FALSE, FALSE, sizeof(PowerCurve));
    power_visit(series->result, add_power, curves);
    if (!curves->len || !isfinite(idle)) return figure;
    figure_column(figure, "time", "us");
    figure_column(figure, "idle", "W");
    for (guint k = 0; k < curves->len; k++)
        figure_column(figure, g_array_index(curves, PowerCurve, k).name, "W");
    figure_axis(figure, FIGURE_Y, "power", "W", FALSE);
    for (guint i = 0; i < series->intervals; i++) {
        figure_row(figure);
        figure_number(figure, series_middle(series, i) * US_OF_FS);
        figure_number(figure, idle);
        for (guint k = 0; k < curves->len; k++) {
            JsonArray *watts = g_array_index(curves, PowerCurve, k).watts;
            figure_number(figure, i < json_array_get_length(watts)
                                      ? json_array_get_double_element(watts, i)
                                      : 0);
        }
    }
    figure_note(figure, "On average %.1f W, at most %.1f W in an interval.",
                result_number(series->result, "consumption.power_w"),
                result_number(series->result, "profile.power.peak_w"));
    series_mark_kernels(series, figure);
    return figure;
}

void run_time(Document *document, JsonNode *result, const UnitClass *const *classes)
{
    ProfileSeries series;
    if (!series_read(result, &series)) return;
    g_autofree char *text = g_strdup_printf(
        "From the start of the first measured kernel on, in %u intervals of %.4g us.",
        series.intervals, series.interval * US_OF_FS);
    document_section(document, "time", "Over time", text);
    document_add(document, bandwidth_over_time(&series, classes));
    document_add(document, draw(&series, classes, &utilisation));
    document_add(document, warps_over_time(&series));
    document_add(document, draw(&series, classes, &queues));
    document_add(document, draw(&series, classes, &hit_rates));
    document_add(document, power_over_time(&series));
}
