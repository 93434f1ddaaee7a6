#include "scenarios/program/study/answers/curve.h"

#include <math.h>
#include <string.h>

#include "kit/describe/nearest.h"

static const char HOW_TO[] =
    "a study with a curve has a workload with pattern = offered_load, memory_traffic or "
    "network_traffic, and in [study] the load as a dimension: workload.load = 0 %, 20 %, 40 %, 60 %, 80 %, 90 %, 100 %";

/* --- memory ----------------------------------------------------------------------------------- */

static void curve_free(gpointer data)
{
    g_array_unref(((Curve *)data)->points);
    g_free(data);
}

void curve_set_free(CurveSet *set)
{
    if (!set) return;
    g_array_unref(set->by);
    g_ptr_array_unref(set->curves);
    g_free(set);
}

/* --- dimensions ------------------------------------------------------------------------------- */

static bool is_load(const char *dimension)
{
    const char *point = strrchr(dimension, '.');
    return (g_str_has_prefix(dimension, "workload.") || g_str_has_prefix(dimension, "kernel "))
           && point && !strcmp(point, ".load");
}

static bool no_load(GError **error)
{
    g_set_error(error, STUDY_ERROR, 0, "no dimension of the study is a load; %s", HOW_TO);
    return false;
}

static bool no_such_dimension(const char *by, GPtrArray *names, GError **error)
{
    g_ptr_array_add(names, NULL);
    const char *const *all = (const char *const *)names->pdata;
    const char *near = nearest_word(by, all);
    g_autofree char *list = g_strjoinv(", ", (char **)names->pdata);
    if (!*list)
        g_set_error(error, STUDY_ERROR, 0, "--by %s: only the load varies in this study", by);
    else if (near)
        g_set_error(error, STUDY_ERROR, 0,
                    "--by %s: no such dimension beside the load; did you mean '%s'?", by, near);
    else
        g_set_error(error, STUDY_ERROR, 0,
                    "--by %s: no such dimension beside the load; there are %s", by, list);
    return false;
}

/* The dimensions that have more than one value; curves are made of those of `by`. */
static bool choose_dimensions(CurveSet *set, const char *by, GError **error)
{
    g_autoptr(GPtrArray) others = g_ptr_array_new();
    for (guint i = 0; i < set->data->factors->len; i++) {
        const Factor *factor = study_factor(set->data, i);
        if (set->load < 0 && is_load(factor->name)) {
            set->load = (int)i;
        } else if (factor->levels->len > 1) {
            g_ptr_array_add(others, factor->name);
            if (!by || !strcmp(by, factor->name)) g_array_append_val(set->by, i);
        }
    }
    if (set->load < 0) return no_load(error);
    return !by || set->by->len || no_such_dimension(by, others, error);
}
/* --- points ----------------------------------------------------------------------------------- */

static const char *level_text(const CurveSet *set, const guint *levels, guint factor)
{
    return factor_level(study_factor(set->data, factor), levels[factor])->text;
}

static bool is_of_curve(const CurveSet *set, const Curve *curve, const Run *run)
{
    for (guint i = 0; i < set->by->len; i++) {
        const guint factor = g_array_index(set->by, guint, i);
        if (curve->levels[factor] != run->levels[factor]) return false;
    }
    return true;
}

static Curve *find_curve(CurveSet *set, const Run *run)
{
    for (guint i = 0; i < set->curves->len; i++)
        if (is_of_curve(set, set->curves->pdata[i], run)) return set->curves->pdata[i];
    Curve *curve = g_new0(Curve, 1);
    curve->levels = run->levels;
    curve->points = g_array_new(FALSE, TRUE, sizeof(CurvePoint));
    g_ptr_array_add(set->curves, curve);
    return curve;
}

static CurvePoint *find_point(Curve *curve, const char *load)
{
    for (guint i = 0; i < curve->points->len; i++) {
        CurvePoint *point = &g_array_index(curve->points, CurvePoint, i);
        if (!strcmp(point->load, load)) return point;
    }
    const CurvePoint point = {.load = load};
    g_array_append_val(curve->points, point);
    return &g_array_index(curve->points, CurvePoint, curve->points->len - 1);
}

static const CurveUnit units[] = {
    {"GB/s", "gbps", 1, "offered_gbps", "dram_gbps", "dram_peak_gbps"},
    {"packets a cycle", "rate", 3, "offered_rate", "accepted_rate", NULL}};

enum { OFFERED, ACHIEVED, PEAK, MEAN, P95, P99, MEAN_NS, BIT, DRAM_BIT, NUMBERS };

static void list_numbers(CurvePoint *point, double *numbers[NUMBERS])
{
    double *const list[NUMBERS] = {&point->offered, &point->achieved, &point->peak,
                                   &point->mean,    &point->p95,      &point->p99,
                                   &point->mean_ns, &point->pj_a_bit, &point->dram_pj_a_bit};
    memcpy(numbers, list, sizeof list);
}

static double value_of(const CurveSet *set, const Run *run, const char *name)
{
    const int measure = study_find_measure(set->data, name);
    return measure < 0 ? NAN : run->values[measure];
}

/* Of the probe, where there is one, else of traffic. */
static double latency_of(const CurveSet *set, const Run *run, const char *part)
{
    g_autofree char *probe = g_strconcat("probe_latency_", part, NULL);
    g_autofree char *traffic = g_strconcat("traffic_latency_", part, NULL);
    const double value = value_of(set, run, probe);
    return isfinite(value) ? value : value_of(set, run, traffic);
}

/* As a share of what DRAM's buses could carry, also where they have no limit. */
static double load_of(const CurveSet *set, const Run *run)
{
    const Factor *factor = study_factor(set->data, (guint)set->load);
    return factor_level(factor, run->levels[set->load])->number;
}

static void read_numbers(const CurveSet *set, const Run *run, double numbers[NUMBERS])
{
    const CurveUnit *unit = set->unit;
    numbers[OFFERED] = value_of(set, run, unit->offered);
    numbers[ACHIEVED] = value_of(set, run, unit->achieved);
    numbers[PEAK] = unit->peak ? value_of(set, run, unit->peak) : 1;
    if (isnan(numbers[PEAK])) numbers[PEAK] = numbers[OFFERED] / load_of(set, run);
    numbers[MEAN] = latency_of(set, run, "mean");
    numbers[P95] = latency_of(set, run, "p95");
    numbers[P99] = latency_of(set, run, "p99");
    numbers[MEAN_NS] = latency_of(set, run, "mean_ns");
    numbers[BIT] = value_of(set, run, "energy_pj_a_byte") / 8;
    numbers[DRAM_BIT] = value_of(set, run, "dram_pj_a_bit");
}

static void choose_unit(CurveSet *set, const Run *run)
{
    for (guint i = 0; i < G_N_ELEMENTS(units) && !set->unit; i++)
        if (isfinite(value_of(set, run, units[i].offered))) set->unit = &units[i];
}

static void add_run(CurveSet *set, const Run *run)
{
    double numbers[NUMBERS] = {NAN};
    if (!set->unit) choose_unit(set, run);
    if (set->unit) read_numbers(set, run, numbers);
    if (!isfinite(numbers[OFFERED]) || !isfinite(numbers[MEAN])) {
        set->unpaced++;
        return;
    }
    CurvePoint *point =
        find_point(find_curve(set, run), level_text(set, run->levels, (guint)set->load));
    double *sums[NUMBERS];
    list_numbers(point, sums);
    for (guint i = 0; i < NUMBERS; i++) *sums[i] += numbers[i];
    point->points++;
}

static bool add_runs(CurveSet *set, GError **error)
{
    const StudyData *data = set->data;
    for (guint i = 0; i < data->runs->len; i++) add_run(set, data->runs->pdata[i]);
    if (set->curves->len) return true;
    if (!data->done)
        g_set_error(error, STUDY_ERROR, 0, "no point of the study is done; 'study run' goes on");
    else
        g_set_error(error, STUDY_ERROR, 0, "no point of the study has traffic at a set rate; %s",
                    HOW_TO);
    return false;
}

/* --- what they say ---------------------------------------------------------------------------- */

static int compare_loads(gconstpointer a, gconstpointer b)
{
    const double x = ((const CurvePoint *)a)->offered;
    const double y = ((const CurvePoint *)b)->offered;
    return (x > y) - (x < y);
}

/* Where the line between neighbouring points crosses twice the unloaded latency. */
static double find_double(const Curve *curve)
{
    const CurvePoint *points = (const CurvePoint *)(const void *)curve->points->data;
    const double twice = 2 * curve->unloaded;
    for (guint i = 1; i < curve->points->len; i++) {
        const CurvePoint *below = &points[i - 1], *above = &points[i];
        if (above->mean < twice) continue;
        return below->offered
               + (above->offered - below->offered) * (twice - below->mean)
                     / (above->mean - below->mean);
    }
    return NAN;
}

/* Chosen: what less of the offer than that is achieved of is more than there is room for, and not
 * what chance and the last requests of a run make of it. */
static const double KEPT_UP = 0.95;

static double find_saturation(const Curve *curve)
{
    double most = 0;
    bool reached = false;
    for (guint i = 0; i < curve->points->len; i++) {
        const CurvePoint *point = &g_array_index(curve->points, CurvePoint, i);
        most = fmax(most, point->achieved);
        reached |= point->achieved < KEPT_UP * point->offered;
    }
    return reached ? most : NAN;
}

static void finish_curve(Curve *curve)
{
    CurvePoint *points = (CurvePoint *)(void *)curve->points->data;
    for (guint i = 0; i < curve->points->len; i++) {
        double *sums[NUMBERS];
        list_numbers(&points[i], sums);
        for (guint k = 0; k < NUMBERS; k++) *sums[k] /= points[i].points;
    }
    g_array_sort(curve->points, compare_loads);
    for (guint i = 0; i < curve->points->len; i++) curve->peak = MAX(curve->peak, points[i].peak);
    curve->saturation = find_saturation(curve);
    curve->unloaded = points[0].mean;
    curve->idle = points[0].offered == 0;
    curve->doubled = find_double(curve);
}

CurveSet *curve_set_new(const StudyData *data, const char *by, GError **error)
{
    g_autoptr(CurveSet) set = g_new0(CurveSet, 1);
    *set = (CurveSet){.data = data,
                      .load = -1,
                      .by = g_array_new(FALSE, FALSE, sizeof(guint)),
                      .curves = g_ptr_array_new_with_free_func(curve_free)};
    if (!choose_dimensions(set, by, error) || !add_runs(set, error)) return NULL;
    for (guint i = 0; i < set->curves->len; i++) finish_curve(set->curves->pdata[i]);
    return g_steal_pointer(&set);
}

char *curve_column(const CurveSet *set, const char *what)
{
    return g_strconcat(what, "_", set->unit->suffix, NULL);
}

const char *curve_set_load(const CurveSet *set)
{
    return study_factor(set->data, (guint)set->load)->name;
}

const char *curve_set_by(const CurveSet *set, guint index)
{
    return study_factor(set->data, g_array_index(set->by, guint, index))->name;
}

const char *curve_value(const CurveSet *set, const Curve *curve, guint index)
{
    return level_text(set, curve->levels, g_array_index(set->by, guint, index));
}

char *curve_label(const CurveSet *set, const Curve *curve)
{
    GString *label = g_string_new(NULL);
    for (guint i = 0; i < set->by->len; i++) {
        const char *name = curve_set_by(set, i);
        if (g_str_has_prefix(name, "workload.")) name += strlen("workload.");
        g_string_append_printf(label, "%s%s %s", i ? ", " : "", name, curve_value(set, curve, i));
    }
    return g_string_free(label, FALSE);
}
