#include "scenarios/program/study/answers/curve.h"

#include <math.h>
#include <string.h>

#include "kit/describe/nearest.h"
#include "scenarios/program/study/table/database.h"

static const char HOW_TO[] =
    "a study with a curve has a workload with pattern = offered_load, and in [study] the load as a "
    "dimension: workload.load = 0 %, 20 %, 40 %, 60 %, 80 %, 90 %, 100 %";

/* --- memory ----------------------------------------------------------------------------------- */

static void point_clear(gpointer data)
{
    g_free(((CurvePoint *)data)->load);
}

static void curve_free(gpointer data)
{
    Curve *curve = data;
    g_strfreev(curve->values);
    g_array_unref(curve->points);
    g_free(curve);
}

void curve_set_free(CurveSet *set)
{
    if (!set) return;
    g_free(set->title);
    g_free(set->load);
    g_ptr_array_unref(set->by);
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

/* The dimensions that have more than one value. */
static bool read_dimensions(sqlite3 *database, const char *by, CurveSet *set, GError **error)
{
    g_autoptr(GPtrArray) others = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(Query) query = database_query(
        database,
        "SELECT d.name, COUNT(DISTINCT p.value) FROM dimensions d"
        " JOIN parameters p ON p.name = d.name GROUP BY d.position ORDER BY d.position",
        error);
    if (!query) return false;
    while (sqlite3_step(query) == SQLITE_ROW) {
        const char *name = query_text(query, 0);
        if (!set->load && is_load(name))
            set->load = g_strdup(name);
        else if (sqlite3_column_int64(query, 1) > 1)
            g_ptr_array_add(others, g_strdup(name));
    }
    if (!set->load) return no_load(error);
    for (guint i = 0; i < others->len; i++)
        if (!by || !strcmp(by, others->pdata[i]))
            g_ptr_array_add(set->by, g_strdup(others->pdata[i]));
    return !by || set->by->len || no_such_dimension(by, others, error);
}

/* --- points ----------------------------------------------------------------------------------- */

static char *value_of(Query *parameter, gint64 point, const char *name)
{
    sqlite3_reset(parameter);
    sqlite3_bind_int64(parameter, 1, point);
    sqlite3_bind_text(parameter, 2, name, -1, SQLITE_TRANSIENT);
    return g_strdup(sqlite3_step(parameter) == SQLITE_ROW ? query_text(parameter, 0) : "");
}

/* Takes over `values`. */
static Curve *find_curve(CurveSet *set, char **values)
{
    for (guint i = 0; i < set->curves->len; i++) {
        Curve *curve = set->curves->pdata[i];
        if (!g_strv_equal((const char *const *)curve->values, (const char *const *)values))
            continue;
        g_strfreev(values);
        return curve;
    }
    Curve *curve = g_new0(Curve, 1);
    curve->values = values;
    curve->points = g_array_new(FALSE, TRUE, sizeof(CurvePoint));
    g_array_set_clear_func(curve->points, point_clear);
    g_ptr_array_add(set->curves, curve);
    return curve;
}

/* Takes over `load`. */
static CurvePoint *find_point(Curve *curve, char *load)
{
    for (guint i = 0; i < curve->points->len; i++) {
        CurvePoint *point = &g_array_index(curve->points, CurvePoint, i);
        if (strcmp(point->load, load) != 0) continue;
        g_free(load);
        return point;
    }
    const CurvePoint point = {.load = load};
    g_array_append_val(curve->points, point);
    return &g_array_index(curve->points, CurvePoint, curve->points->len - 1);
}

/* In the order of the columns of read_points. */
static void list_numbers(CurvePoint *point, double *numbers[7])
{
    double *const list[] = {&point->offered_gbps, &point->achieved_gbps, &point->peak_gbps,
                            &point->mean,         &point->p95,           &point->p99,
                            &point->mean_ns};
    memcpy(numbers, list, sizeof list);
}

static void add_point(CurveSet *set, Query *results, Query *parameter)
{
    const gint64 number = sqlite3_column_int64(results, 0);
    if (!isfinite(query_number(results, 1)) || !isfinite(query_number(results, 4))) {
        set->unpaced++;
        return;
    }
    g_autoptr(GStrvBuilder) values = g_strv_builder_new();
    for (guint i = 0; i < set->by->len; i++) {
        g_autofree char *value = value_of(parameter, number, set->by->pdata[i]);
        g_strv_builder_add(values, value);
    }
    Curve *curve = find_curve(set, g_strv_builder_end(values));
    CurvePoint *point = find_point(curve, value_of(parameter, number, set->load));
    double *sums[7];
    list_numbers(point, sums);
    for (int i = 0; i < 7; i++) *sums[i] += query_number(results, 1 + i);
    point->points++;
}

static bool read_points(sqlite3 *database, CurveSet *set, GError **error)
{
    g_autoptr(Query) results =
        database_query(database,
                       "SELECT p.point, r.offered_gbps, r.dram_gbps, r.dram_peak_gbps,"
                       " r.probe_latency_mean, r.probe_latency_p95, r.probe_latency_p99,"
                       " r.probe_latency_mean_ns, p.status FROM points p"
                       " LEFT JOIN results r ON r.point = p.point ORDER BY p.point",
                       error);
    if (!results) return false;
    g_autoptr(Query) parameter = database_query(
        database, "SELECT value FROM parameters WHERE point = ? AND name = ?", error);
    if (!parameter) return false;
    while (sqlite3_step(results) == SQLITE_ROW) {
        set->points++;
        if (strcmp(query_text(results, 8), "done") != 0)
            set->missing++;
        else
            add_point(set, results, parameter);
    }
    if (set->curves->len) return true;
    if (set->missing == set->points)
        g_set_error(error, STUDY_ERROR, 0, "no point of the study is done; 'study run' goes on");
    else
        g_set_error(error, STUDY_ERROR, 0, "no point of the study has traffic at a set rate; %s",
                    HOW_TO);
    return false;
}

/* --- what they say ---------------------------------------------------------------------------- */

static int compare_loads(gconstpointer a, gconstpointer b)
{
    const double x = ((const CurvePoint *)a)->offered_gbps;
    const double y = ((const CurvePoint *)b)->offered_gbps;
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
        return below->offered_gbps
               + (above->offered_gbps - below->offered_gbps) * (twice - below->mean)
                     / (above->mean - below->mean);
    }
    return NAN;
}

static void finish_curve(Curve *curve)
{
    CurvePoint *points = (CurvePoint *)(void *)curve->points->data;
    for (guint i = 0; i < curve->points->len; i++) {
        double *sums[7];
        list_numbers(&points[i], sums);
        for (int k = 0; k < 7; k++) *sums[k] /= points[i].points;
    }
    g_array_sort(curve->points, compare_loads);
    for (guint i = 0; i < curve->points->len; i++) {
        curve->saturation = MAX(curve->saturation, points[i].achieved_gbps);
        curve->peak = MAX(curve->peak, points[i].peak_gbps);
    }
    curve->unloaded = points[0].mean;
    curve->idle = points[0].offered_gbps == 0;
    curve->doubled = find_double(curve);
}

static char *read_title(sqlite3 *database)
{
    g_autoptr(Query) query =
        database_query(database, "SELECT value FROM study WHERE name = 'title'", NULL);
    const bool found = query && sqlite3_step(query) == SQLITE_ROW;
    return g_strdup(found ? query_text(query, 0) : "");
}

CurveSet *curve_set_new(sqlite3 *database, const char *by, GError **error)
{
    g_autoptr(CurveSet) set = g_new0(CurveSet, 1);
    set->by = g_ptr_array_new_with_free_func(g_free);
    set->curves = g_ptr_array_new_with_free_func(curve_free);
    set->title = read_title(database);
    if (!read_dimensions(database, by, set, error) || !read_points(database, set, error))
        return NULL;
    for (guint i = 0; i < set->curves->len; i++) finish_curve(set->curves->pdata[i]);
    return g_steal_pointer(&set);
}

char *curve_label(const CurveSet *set, const Curve *curve)
{
    GString *label = g_string_new(NULL);
    for (guint i = 0; i < set->by->len; i++) {
        const char *name = set->by->pdata[i];
        if (g_str_has_prefix(name, "workload.")) name += strlen("workload.");
        g_string_append_printf(label, "%s%s %s", i ? ", " : "", name, curve->values[i]);
    }
    return g_string_free(label, FALSE);
}
