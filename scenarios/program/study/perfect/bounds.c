#include "scenarios/program/study/perfect/bounds.h"

#include <math.h>
#include <string.h>

#include "scenarios/program/study/table/database.h"

const char *const bound_results[BOUND_RESULTS] = {"time_ns", "load_latency_mean", "requested_gbps"};

static const double NEGLIGIBLE = 0.001;

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

/* A row for each component of each combination of the other dimensions' values, both in the order
 * of their first points: means over the runs that are done, and the first of what is not. */
static Query *prepare(sqlite3 *database, const ResultColumn *on, GError **error)
{
    g_autofree char *text = g_strdup_printf(
        "WITH combinations AS (SELECT point, group_concat(value, char(10)) AS others FROM"
        " (SELECT * FROM parameters WHERE name <> '%s' ORDER BY point, name) GROUP BY point)"
        " SELECT min(p.point), c.value, avg(r.\"%s\"), avg(r.\"%s\"), avg(r.\"%s\"),"
        " avg(r.\"%s\"), substr(min(CASE WHEN status <> 'done' THEN printf('%%09d', p.point) ||"
        " status || coalesce(': ' || nullif(message, ''), '') END), 10),"
        " min(min(p.point)) OVER (PARTITION BY others) AS first"
        " FROM points p JOIN parameters c ON c.point = p.point AND c.name = '%s'"
        " LEFT JOIN combinations o ON o.point = p.point LEFT JOIN results r ON r.point = p.point"
        " GROUP BY others, c.value ORDER BY first, min(p.point)",
        PERFECT_DIMENSION, bound_results[BOUND_TIME], bound_results[BOUND_LATENCY],
        bound_results[BOUND_BANDWIDTH], on->name, PERFECT_DIMENSION);
    return database_query(database, text, error);
}

static Bound read_bound(Query *row)
{
    Bound bound = {
        .component = g_strdup((const char *)sqlite3_column_text(row, 1)),
        .value = query_number(row, 2 + BOUND_RESULTS),
        .speedup = NAN,
        .share = NAN,
        .problem = g_strdup((const char *)sqlite3_column_text(row, 3 + BOUND_RESULTS)),
    };
    for (int i = 0; i < BOUND_RESULTS; i++) bound.others[i] = query_number(row, 2 + i);
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

static BoundGroup *new_group(char **values)
{
    BoundGroup *group = g_new0(BoundGroup, 1);
    group->values = values;
    group->baseline = (Bound){.value = NAN, .others = {NAN, NAN, NAN}};
    group->bounds = g_ptr_array_new_with_free_func(bound_free);
    group->skipped = g_ptr_array_new_with_free_func(g_free);
    group->reasons = g_ptr_array_new_with_free_func(g_free);
    return group;
}

static bool has_runs(const BoundGroup *group, const char *component)
{
    for (guint i = 0; i < group->bounds->len; i++)
        if (!strcmp(((const Bound *)group->bounds->pdata[i])->component, component)) return true;
    return false;
}

/* Components that the machine has no use for, in the order of the table. */
static void list_skipped(const Configuration *configuration, BoundGroup *group)
{
    for (const PerfectComponent *c = perfect_components(); c->name; c++) {
        if (has_runs(group, c->name)) continue;
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

/* Of the group, whose rows are complete. */
static void finish_group(BoundGroup *group, const ResultColumn *on, const Base *base)
{
    if (!group->baseline.component) group->baseline.component = g_strdup(PERFECT_BASELINE);
    for (guint i = 0; i < group->bounds->len; i++)
        rate(group->bounds->pdata[i], &group->baseline, on);
    rate(&group->baseline, &group->baseline, on);
    g_ptr_array_sort(group->bounds, by_effect);
    list_skipped(base->configuration, group);
}

typedef struct {
    const Manifest *manifest;
    const ResultColumn *on;
    GPtrArray *groups;
    gint64 first; /* point of the last of them */
    guint base;   /* of its baseline */
} Reader;

static void end_group(const Reader *reader)
{
    const GPtrArray *groups = reader->groups;
    if (groups->len)
        finish_group(groups->pdata[groups->len - 1], reader->on,
                     reader->manifest->bases->pdata[reader->base]);
}

static void begin_group(Reader *reader, const Point *point, gint64 first)
{
    const int perfect = manifest_find_dimension(reader->manifest, PERFECT_DIMENSION);
    end_group(reader);
    g_ptr_array_add(reader->groups, new_group(other_values(point, reader->manifest->dimensions->len,
                                                           (guint)perfect)));
    reader->first = first;
    reader->base = 0;
}

static void take_row(Reader *reader, Query *row)
{
    const guint number = (guint)sqlite3_column_int64(row, 0);
    const gint64 first = sqlite3_column_int64(row, 4 + BOUND_RESULTS);
    if (number >= reader->manifest->points->len) return;
    const Point *point = reader->manifest->points->pdata[number];
    if (first != reader->first) begin_group(reader, point, first);
    BoundGroup *group = reader->groups->pdata[reader->groups->len - 1];
    const Bound bound = read_bound(row);
    if (strcmp(bound.component, PERFECT_BASELINE) != 0) {
        g_ptr_array_add(group->bounds, g_memdup2(&bound, sizeof bound));
        return;
    }
    group->baseline = bound;
    reader->base = point->base;
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
    g_autoptr(Query) row = prepare(database, on, error);
    if (!row) return NULL;
    Reader reader = {manifest, on, g_ptr_array_new_with_free_func(group_free), -1, 0};
    while (sqlite3_step(row) == SQLITE_ROW) take_row(&reader, row);
    end_group(&reader);
    return reader.groups;
}

bool bound_is_negligible(const Bound *bound)
{
    return fabs(bound->share) < NEGLIGIBLE;
}

bool bound_is_shown(const Bound *bound)
{
    return !isnan(bound->speedup) && !bound_is_negligible(bound);
}
