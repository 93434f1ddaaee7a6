#include "scenarios/program/study/perfect/bounds.h"

#include <math.h>
#include <string.h>

const char *const bound_results[BOUND_RESULTS] = {"time_ns", "load_latency_mean", "requested_gbps"};

enum { COLUMNS = BOUND_RESULTS + 1 }; /* the result in question is the last */

static const double NEGLIGIBLE = 0.001;

/* The runs of a component, while they are added up. */
typedef struct {
    double sum[COLUMNS];
    guint count[COLUMNS];
    char *problem;
} Runs;

static void runs_free(gpointer data)
{
    Runs *runs = data;
    g_free(runs->problem);
    g_free(runs);
}

static void bound_clear(Bound *bound)
{
    g_free(bound->component);
    g_free(bound->problem);
}

static void bound_free(gpointer data)
{
    bound_clear(data);
    g_free(data);
}

static void group_free(gpointer data)
{
    BoundGroup *group = data;
    g_strfreev(group->values);
    bound_clear(&group->baseline);
    g_ptr_array_unref(group->bounds);
    g_ptr_array_unref(group->skipped);
    g_ptr_array_unref(group->reasons);
    g_free(group);
}

/* --- reading ---------------------------------------------------------------------------------- */

static sqlite3_stmt *prepare(sqlite3 *database, const ResultColumn *on, GError **error)
{
    g_autofree char *text = g_strdup_printf(
        "SELECT p.point, p.status, p.message, r.\"%s\", r.\"%s\", r.\"%s\", r.\"%s\" "
        "FROM points p LEFT JOIN results r ON r.point = p.point ORDER BY p.point",
        bound_results[BOUND_TIME], bound_results[BOUND_LATENCY], bound_results[BOUND_BANDWIDTH],
        on->name);
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(database, text, -1, &statement, NULL) == SQLITE_OK) return statement;
    g_set_error(error, STUDY_ERROR, 0, "the study's database: %s", sqlite3_errmsg(database));
    return NULL;
}

static void add_run(sqlite3_stmt *row, Runs *runs)
{
    const char *status = (const char *)sqlite3_column_text(row, 1);
    const char *message = (const char *)sqlite3_column_text(row, 2);
    if (strcmp(status, "done") != 0) {
        if (!runs->problem)
            runs->problem =
                message && *message ? g_strdup_printf("%s: %s", status, message) : g_strdup(status);
        return;
    }
    for (int i = 0; i < COLUMNS; i++) {
        if (sqlite3_column_type(row, 3 + i) == SQLITE_NULL) continue;
        runs->sum[i] += sqlite3_column_double(row, 3 + i);
        runs->count[i]++;
    }
}

static Bound mean_of(const char *component, const Runs *runs)
{
    Bound bound = {.component = g_strdup(component), .speedup = NAN, .share = NAN};
    double mean[COLUMNS];
    for (int i = 0; i < COLUMNS; i++)
        mean[i] = runs->count[i] ? runs->sum[i] / runs->count[i] : NAN;
    memcpy(bound.others, mean, sizeof bound.others);
    bound.value = mean[BOUND_RESULTS];
    bound.problem = g_strdup(runs->problem);
    return bound;
}

/* --- groups ----------------------------------------------------------------------------------- */

static char **other_values(const Point *point, guint dimensions, guint perfect)
{
    GPtrArray *values = g_ptr_array_new();
    for (guint i = 0; i < dimensions; i++)
        if (i != perfect) g_ptr_array_add(values, g_strdup(point->values[i]));
    g_ptr_array_add(values, NULL);
    return (char **)g_ptr_array_free(values, FALSE);
}

/* Components that the machine has no use for, in the order of the table. */
static void list_skipped(const Configuration *configuration, GHashTable *runs, BoundGroup *group)
{
    for (const PerfectComponent *c = perfect_components(); c->name; c++) {
        if (g_hash_table_contains(runs, c->name)) continue;
        char *why = NULL;
        g_autoptr(Configuration) perfect = perfect_apply(c, configuration, &why, NULL);
        if (!why) continue;
        g_ptr_array_add(group->skipped, g_strdup(c->name));
        g_ptr_array_add(group->reasons, why);
    }
}

static void rate(Bound *bound, const Bound *baseline, const ResultColumn *on)
{
    if (isnan(bound->value) || isnan(baseline->value) || baseline->value == 0) return;
    const double part = bound->value / baseline->value;
    bound->speedup = on->better == BETTER_LOWER ? 1 / part : part;
    bound->share = on->better == BETTER_LOWER ? 1 - part : part - 1;
}

/* The greatest speed-up first, those without last; otherwise as in the table of components. */
static int by_effect(gconstpointer a, gconstpointer b)
{
    const Bound *x = *(Bound *const *)a, *y = *(Bound *const *)b;
    const bool unknown = isnan(x->speedup), other = isnan(y->speedup);
    if (unknown != other) return unknown - other;
    if (!unknown && x->speedup != y->speedup) return x->speedup > y->speedup ? -1 : 1;
    const PerfectComponent *p = perfect_find(x->component), *q = perfect_find(y->component);
    return p && q ? (p > q) - (p < q) : strcmp(x->component, y->component);
}

static BoundGroup *make_group(GHashTable *runs, const ResultColumn *on)
{
    BoundGroup *group = g_new0(BoundGroup, 1);
    group->bounds = g_ptr_array_new_with_free_func(bound_free);
    group->skipped = g_ptr_array_new_with_free_func(g_free);
    group->reasons = g_ptr_array_new_with_free_func(g_free);
    const Runs *own = g_hash_table_lookup(runs, PERFECT_BASELINE);
    group->baseline = mean_of(PERFECT_BASELINE, own ? own : &(const Runs){.count = {0}});
    rate(&group->baseline, &group->baseline, on);
    GHashTableIter iter;
    gpointer component, its;
    g_hash_table_iter_init(&iter, runs);
    while (g_hash_table_iter_next(&iter, &component, &its)) {
        if (!strcmp(component, PERFECT_BASELINE)) continue;
        Bound *bound = g_new(Bound, 1);
        *bound = mean_of(component, its);
        rate(bound, &group->baseline, on);
        g_ptr_array_add(group->bounds, bound);
    }
    g_ptr_array_sort(group->bounds, by_effect);
    return group;
}

/* What is known of one combination of the other dimensions. */
typedef struct {
    char **values;
    guint base; /* of its baseline */
    GHashTable *runs;
} Combination;

static void combination_free(gpointer data)
{
    Combination *combination = data;
    g_strfreev(combination->values);
    g_hash_table_unref(combination->runs);
    g_free(combination);
}

static Combination *find_combination(GPtrArray *all, char **values)
{
    for (guint i = 0; i < all->len; i++) {
        Combination *combination = all->pdata[i];
        if (!g_strv_equal((const char *const *)combination->values, (const char *const *)values))
            continue;
        g_strfreev(values);
        return combination;
    }
    Combination *combination = g_new0(Combination, 1);
    combination->values = values;
    combination->runs = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, runs_free);
    g_ptr_array_add(all, combination);
    return combination;
}

static void add_point(const Manifest *manifest, guint perfect, sqlite3_stmt *row, GPtrArray *all)
{
    const guint number = (guint)sqlite3_column_int64(row, 0);
    if (number >= manifest->points->len) return;
    const Point *point = manifest->points->pdata[number];
    Combination *combination =
        find_combination(all, other_values(point, manifest->dimensions->len, perfect));
    char *component = point->values[perfect];
    if (!strcmp(component, PERFECT_BASELINE)) combination->base = point->base;
    Runs *runs = g_hash_table_lookup(combination->runs, component);
    if (!runs) {
        runs = g_new0(Runs, 1);
        g_hash_table_insert(combination->runs, component, runs);
    }
    add_run(row, runs);
}

static GPtrArray *read_combinations(const Manifest *manifest, guint perfect,
                                    sqlite3_stmt *statement)
{
    GPtrArray *all = g_ptr_array_new_with_free_func(combination_free);
    while (sqlite3_step(statement) == SQLITE_ROW) add_point(manifest, perfect, statement, all);
    return all;
}

static bool check(const Manifest *manifest, const ResultColumn *on, GError **error)
{
    if (manifest_find_dimension(manifest, PERFECT_DIMENSION) < 0) {
        g_set_error(error, STUDY_ERROR, 0,
                    "the study's design is %s: only design = perfect makes components perfect; "
                    "'warpmem study plan SCENARIO --design perfect -o DIR' plans one",
                    manifest->design);
        return false;
    }
    if (on->better != BETTER_NEITHER) return true;
    g_set_error(error, STUDY_ERROR, 0,
                "%s: more of it is neither better nor worse, so there is no bound on it", on->name);
    return false;
}

GPtrArray *perfect_bounds(const Manifest *manifest, sqlite3 *database, const ResultColumn *on,
                          GError **error)
{
    if (!check(manifest, on, error)) return NULL;
    const guint perfect = (guint)manifest_find_dimension(manifest, PERFECT_DIMENSION);
    sqlite3_stmt *statement = prepare(database, on, error);
    if (!statement) return NULL;
    g_autoptr(GPtrArray) all = read_combinations(manifest, perfect, statement);
    sqlite3_finalize(statement);
    GPtrArray *groups = g_ptr_array_new_with_free_func(group_free);
    for (guint i = 0; i < all->len; i++) {
        Combination *combination = all->pdata[i];
        BoundGroup *group = make_group(combination->runs, on);
        const Base *base = manifest->bases->pdata[combination->base];
        list_skipped(base->configuration, combination->runs, group);
        group->values = g_steal_pointer(&combination->values);
        g_ptr_array_add(groups, group);
    }
    return groups;
}

bool bound_is_negligible(const Bound *bound)
{
    return fabs(bound->share) < NEGLIGIBLE;
}
