/* Results against each dimension of a study: curves over numbers, bars for names. */
#include <math.h>
#include <string.h>

#include "scenarios/program/report/study/page.h"
#include "scenarios/program/study/answers/factor_curve.h"
#include "scenarios/program/study/answers/front.h"

enum { MOST_FACTORS = 6, MOST_CURVES = 8, MOST_VALUES = 512, MOST_STATISTICS = 4 };

static const double ENOUGH = 0.95;

/* Results that share a figure. */
typedef struct {
    const char *topic, *axis;
    const char *measures[10];
} Group;

static const Group groups[] = {
    {"study_sweep_time", "simulated time", {"time_ns"}},
    {"study_sweep_bandwidth", "bandwidth", {"requested_gbps", "counted_gbps", "dram_gbps"}},
    {"study_sweep_latency",
     "latency",
     {"load_latency_mean", "load_latency_p95", "load_latency_p99", "probe_latency_mean",
      "probe_latency_p95", "traffic_latency_mean", "traffic_latency_p95", "cycles_per_load",
      "texture_latency_mean"}},
    {"study_sweep_hits",
     "share of accesses",
     {"l1_hit_rate", "l2_hit_rate", "memory_cache_hit_rate", "texture_hit_rate", "row_hit_rate"}},
    {"study_sweep_energy", "energy", {"energy_uj", "events_uj"}},
    {"study_sweep_area", "area", {"area_mm2"}},
};

/* A curve of a figure: means of a result at each level. */
typedef struct {
    char *name;
    const char *measure;
    ShownUnit unit;
    GArray *means; /* of double */
} Series;

static void series_free(gpointer data)
{
    Series *series = data;
    g_free(series->name);
    g_array_unref(series->means);
    g_free(series);
}

static void add_series(GPtrArray *all, const StudySlice *slice, guint factor, guint measure,
                       char *name)
{
    Series *series = g_new(Series, 1);
    *series = (Series){name, study_measure(slice->data, measure)->name,
                       measure_shown_unit(study_measure(slice->data, measure)),
                       slice_levels(slice, factor, measure)};
    g_ptr_array_add(all, series);
}

static bool changes(const Series *series)
{
    double least = INFINITY, most = -INFINITY;
    for (guint i = 0; i < series->means->len; i++) {
        const double mean = g_array_index(series->means, double, i);
        if (!isfinite(mean)) continue;
        least = fmin(least, mean);
        most = fmax(most, mean);
    }
    return most > least;
}

static bool any_changes(const GPtrArray *all)
{
    for (guint i = 0; i < all->len; i++)
        if (changes(all->pdata[i])) return true;
    return false;
}

/* The strongest other factor of a grid, whose levels have a curve each; -1: none. */
static int second_factor(const StudyView *view, guint factor)
{
    if (view->data->design != DESIGN_GRID) return -1;
    for (guint i = 0; i < view->ranking->len; i++) {
        const guint index = g_array_index(view->ranking, guint, i);
        if (index != factor && view_factor_varies(view, index)) return (int)index;
    }
    return -1;
}

/* The level of row or curve `i` of so many, where all levels are more: both ends among them. */
static guint spread_level(guint i, guint shown, guint levels)
{
    return shown > 1 ? i * (levels - 1) / (shown - 1) : 0;
}

static void add_levels(const StudyView *view, guint factor, guint measure, GPtrArray *all)
{
    const int second = second_factor(view, factor);
    if (second < 0) return;
    const guint levels = view_factor(view, (guint)second)->levels->len;
    const guint curves = MIN(levels, MOST_CURVES);
    for (guint i = 0; i < curves; i++) {
        const guint level = spread_level(i, curves, levels);
        g_auto(StudySlice) slice = study_slice(view->data, second, level);
        add_series(all, &slice, factor, measure,
                   g_strdup_printf("%s = %s", view_factor(view, (guint)second)->name,
                                   factor_level(view_factor(view, (guint)second), level)->text));
    }
}

static GPtrArray *series_of(const StudyView *view, guint factor, const GArray *measures,
                            bool levels)
{
    GPtrArray *all = g_ptr_array_new_with_free_func(series_free);
    for (guint i = 0; i < measures->len; i++) {
        const guint measure = g_array_index(measures, guint, i);
        const char *name = study_measure(view->data, measure)->name;
        add_series(all, &view->all, factor, measure,
                   measures->len > 1 ? g_strdup(name) : g_strdup_printf("%s, mean", name));
    }
    if (levels) add_levels(view, factor, g_array_index(measures, guint, 0), all);
    return all;
}

/* --- figures ---------------------------------------------------------------------------------- */

static void add_rows(const StudyView *view, guint factor, const GPtrArray *all, Figure *figure)
{
    const Factor *of = view_factor(view, factor);
    const guint levels = of->levels->len, shown = MIN(levels, MOST_VALUES);
    for (guint i = 0; i < shown; i++) {
        const guint level = spread_level(i, shown, levels);
        figure_row(figure);
        if (of->numeric)
            figure_value(figure, view_level_number(view, factor, level));
        else
            figure_text(figure, factor_level(of, level)->text);
        for (guint k = 0; k < all->len; k++) {
            const Series *series = all->pdata[k];
            figure_number(figure, g_array_index(series->means, double, level) * series->unit.scale);
        }
    }
    if (shown < levels)
        figure_note(figure, "%u of %u values are shown; 'study export' has all.", shown, levels);
}

/* Of one value a mark, with all that there is to say of it. */
typedef struct {
    double at[3];
    GString *labels[3];
    guint count;
} Marks;

static void add_mark(Marks *marks, double at, const char *label)
{
    guint i = 0;
    while (i < marks->count && marks->at[i] != at) i++;
    if (i == marks->count) {
        marks->at[marks->count] = at;
        marks->labels[marks->count++] = g_string_new(label);
    } else {
        g_string_append_printf(marks->labels[i], ", %s", label);
    }
}

static void put_marks(Marks *marks, Figure *figure)
{
    for (guint i = 0; i < marks->count; i++) {
        figure_mark(figure, FIGURE_X, marks->at[i], marks->labels[i]->str);
        g_string_free(marks->labels[i], TRUE);
    }
}

static void mark_knee(const StudyView *view, guint factor, guint measure, Marks *marks)
{
    g_auto(FactorCurve) curve = factor_curve(&view->all, factor, measure, ENOUGH);
    const double *x = (const double *)curve.x->data, scale = view->factors[factor].scale;
    if (curve.knee.shape == SHAPE_KNEE) add_mark(marks, x[curve.knee.knee] * scale, "knee");
    if (knee_has_gain(&curve.knee))
        add_mark(marks, x[curve.knee.enough] * scale, "95 % of the gain");
}

static void mark_own_value(const StudyView *view, guint factor, Marks *marks)
{
    const Factor *of = view_factor(view, factor);
    for (guint i = 0; i < of->levels->len; i++)
        if (!strcmp(factor_level(of, i)->text, of->baseline))
            add_mark(marks, view_level_number(view, factor, i), "own value");
}

static void note_means(const StudyView *view, Figure *figure)
{
    figure_note(figure, effects_method(view->data) == METHOD_ONE_AT_A_TIME
                            ? "The other dimensions are as in the baseline run."
                            : "Means over the values of the other dimensions.");
    view_note_holes(view, figure);
    view_note_state(view, figure);
}

static Figure *new_figure(const StudyView *view, guint factor, const char *topic,
                          const GPtrArray *all)
{
    const Factor *of = view_factor(view, factor);
    const bool own = !strcmp(topic, "study_sweep_statistic");
    g_autofree char *both =
        own ? g_strdup_printf("%s, %s", of->name, ((const Series *)all->pdata[0])->measure) : NULL;
    Figure *figure = figure_new(topic, both ? both : of->name);
    figure_column(figure, of->name, of->numeric ? view->factors[factor].unit : "");
    for (guint i = 0; i < all->len; i++) {
        const Series *series = all->pdata[i];
        figure_column(figure, series->name, series->unit.unit);
    }
    if (of->numeric)
        figure_axis(figure, FIGURE_X, of->name, view->factors[factor].unit,
                    factor_is_logarithmic(of));
    return figure;
}

static void add_curves(Document *document, const StudyView *view, guint factor, const Group *group)
{
    g_autoptr(GArray) measures = view_measures(view, group->measures);
    if (!measures->len) return;
    /* nothing is gained by area, so there is no knee, and other dimensions only add to it */
    const bool alone = measures->len == 1 && strcmp(group->topic, "study_sweep_area") != 0;
    g_autoptr(GPtrArray) all = series_of(view, factor, measures, alone);
    if (!any_changes(all)) return;
    Figure *figure = new_figure(view, factor, group->topic, all);
    const guint first = g_array_index(measures, guint, 0);
    figure_axis(figure, FIGURE_Y, group->axis, ((const Series *)all->pdata[0])->unit.unit, FALSE);
    add_rows(view, factor, all, figure);
    Marks marks = {.count = 0};
    if (alone) mark_knee(view, factor, first, &marks);
    mark_own_value(view, factor, &marks);
    put_marks(&marks, figure);
    note_means(view, figure);
    document_add(document, figure);
}

static void add_statistics(Document *document, const StudyView *view, guint factor)
{
    g_autoptr(GPtrArray) names = view_own_results(view);
    for (guint i = 0; i < MIN(names->len, MOST_STATISTICS); i++) {
        const Group group = {"study_sweep_statistic", names->pdata[i], {names->pdata[i]}};
        add_curves(document, view, factor, &group);
    }
}

static void add_numbers(Document *document, const StudyView *view, guint factor)
{
    /* the time of traffic at a set rate is set, too */
    for (guint i = view->loads ? 1 : 0; i < G_N_ELEMENTS(groups); i++)
        add_curves(document, view, factor, &groups[i]);
    add_statistics(document, view, factor);
}

static void add_names(Document *document, const StudyView *view, guint factor)
{
    g_autoptr(GArray) measures = g_array_new(FALSE, FALSE, sizeof(guint));
    g_array_append_val(measures, view->measure);
    g_autoptr(GPtrArray) all = series_of(view, factor, measures, true);
    if (!any_changes(all)) return;
    Figure *figure = new_figure(view, factor, "study_names", all);
    add_rows(view, factor, all, figure);
    note_means(view, figure);
    document_add(document, figure);
}

/* One at a time, the tornado says all of a dimension that only goes up and down. */
static bool is_worth_a_curve(const StudyView *view, guint factor)
{
    const guint least = effects_method(view->data) == METHOD_ONE_AT_A_TIME ? 4 : 2;
    return view_factor(view, factor)->levels->len >= least && view_factor_varies(view, factor);
}

void study_show_sweeps(Document *document, const StudyView *view)
{
    document_section(document, "sweeps", "Results against each dimension",
                     "The strongest dimensions first, at most six. A result that a dimension does "
                     "not change has no figure.");
    if (!view_has_curves(view)) return;
    for (guint i = 0, shown = 0; i < view->ranking->len && shown < MOST_FACTORS; i++) {
        const guint factor = g_array_index(view->ranking, guint, i);
        if (!is_worth_a_curve(view, factor)) continue;
        shown++;
        if (view_factor(view, factor)->numeric)
            add_numbers(document, view, factor);
        else
            add_names(document, view, factor);
    }
}
