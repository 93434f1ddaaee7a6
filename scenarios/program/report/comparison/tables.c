/* Results, numbers and parameters side by side. */
#include <math.h>
#include <string.h>

#include "scenarios/program/compare/parameter_changes.h"
#include "scenarios/program/report/comparison/comparison.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/facts.h"
#include "scenarios/program/verdict/headlines.h"
#include "scenarios/program/verdict/verdict.h"

static double percent(double before, double after)
{
    return before > 0 ? (after / before - 1) * 100 : NAN;
}

/* NaN: the result does not say, or nothing was measured. */
static double number_at(const Comparison *comparison, guint index, const char *path)
{
    JsonNode *result = comparison->results[index];
    return result_is_measured(result) ? result_number(result, path) : NAN;
}

static void count_parameter(void *user, const char *name, const char *before, const char *after)
{
    (void)name, (void)before, (void)after;
    (*(guint *)user)++;
}

static const char *scenario_of(const Comparison *comparison, guint index)
{
    return result_text(comparison->results[index], "scenario");
}

static gboolean scenarios_differ(const Comparison *comparison)
{
    for (guint i = 1; i < comparison->count; i++)
        if (g_strcmp0(scenario_of(comparison, 0), scenario_of(comparison, i)) != 0) return TRUE;
    return FALSE;
}

static const char *describe_state(JsonNode *result)
{
    if (!result_is_partial(result)) return NULL;
    return result_is_measured(result) ? "interrupted" : "interrupted before it was measured";
}

static void add_result(Figure *figure, const Comparison *comparison, guint index)
{
    JsonNode *result = comparison->results[index];
    const gboolean measured = result_is_measured(result);
    const double first = number_at(comparison, 0, "summary.time_ns");
    const double time = number_at(comparison, index, "summary.time_ns");
    g_autoptr(Verdict) verdict = verdict_new(result);
    guint differences = 0;
    parameter_changes_visit(comparison->results[0], result, count_parameter, &differences);
    figure_row(figure);
    figure_text(figure, compare_label(comparison, index));
    if (scenarios_differ(comparison)) figure_text(figure, scenario_of(comparison, index));
    figure_number(figure, time * 1e-3);
    figure_number(figure, percent(first, time));
    figure_text(figure, measured ? verdict->bound : NULL);
    figure_text(figure, measured ? verdict->sentence : NULL);
    figure_integer(figure, differences);
    if (comparison_any_partial(comparison)) figure_text(figure, describe_state(result));
}

Figure *comparison_results(const Comparison *comparison)
{
    Figure *figure = figure_new("comparison_results", NULL);
    figure_column(figure, "result", NULL);
    if (scenarios_differ(comparison)) figure_column(figure, "scenario", NULL);
    figure_column(figure, "time", "us");
    figure_column(figure, "change", "%");
    figure_column(figure, "bound by", NULL);
    figure_column(figure, "in words", NULL);
    figure_column(figure, "parameters that differ", NULL);
    if (comparison_any_partial(comparison)) figure_column(figure, "state", NULL);
    for (guint i = 0; i < comparison->count; i++) add_result(figure, comparison, i);
    return figure;
}

/* --- numbers ---------------------------------------------------------------------------------- */

static gboolean any_has(const Comparison *comparison, const char *path)
{
    for (guint i = 0; i < comparison_drawn(comparison); i++)
        if (isfinite(number_at(comparison, i, path))) return TRUE;
    return FALSE;
}

/* In the terminal's table percentiles are indented below their heading. */
static char *full_name(const CompareRow *row, bool in_ns)
{
    g_autofree char *name = g_strstrip(compare_row_name(row, in_ns));
    return row->of ? g_strconcat(row->of, " latency ", name, NULL) : g_steal_pointer(&name);
}

/* Of a share in percentage points, as the terminal's table has it. */
static double change_of(const CompareRow *row, double first, double value)
{
    return row->relative ? percent(first, value) : value - first;
}

static double number_of(JsonNode *result, const CompareRow *row, bool in_ns)
{
    return result_is_measured(result) ? compare_number(result, row, in_ns) : NAN;
}

static void add_number(Figure *figure, const Comparison *comparison, const CompareRow *row)
{
    if (!any_has(comparison, row->path)) return;
    const bool in_ns = compare_is_in_ns(comparison, row);
    const double first = number_of(comparison->results[0], row, in_ns);
    g_autofree char *name = full_name(row, in_ns);
    figure_row(figure);
    figure_text(figure, name);
    for (guint i = 0; i < comparison_drawn(comparison); i++) {
        const double value = number_of(comparison->results[i], row, in_ns);
        figure_number(figure, value);
        if (i) figure_number(figure, change_of(row, first, value));
    }
}

Figure *comparison_summary(const Comparison *comparison)
{
    Figure *figure = figure_new("comparison_summary", NULL);
    figure_column(figure, "number", NULL);
    for (guint i = 0; i < comparison_drawn(comparison); i++) {
        const char *label = compare_label(comparison, i);
        g_autofree char *change = g_strdup_printf("%s: change", label);
        figure_column(figure, label, NULL);
        if (i) figure_column(figure, change, "%");
    }
    for (const CompareRow *row = compare_rows(); row->name; row++)
        add_number(figure, comparison, row);
    comparison_note_left_out(figure, comparison);
    return figure;
}

/* --- machines --------------------------------------------------------------------------------- */

Figure *comparison_machines(const Comparison *comparison)
{
    Figure *figure = figure_new("comparison_machines", NULL);
    g_auto(GStrv) names = facts_names(comparison->results[0]);
    figure_column(figure, "fact", NULL);
    for (guint i = 0; i < comparison->count; i++)
        figure_column(figure, compare_label(comparison, i), NULL);
    for (char **name = names; *name; name++) {
        figure_row(figure);
        figure_text(figure, *name);
        for (guint i = 0; i < comparison->count; i++) {
            g_autofree char *value = facts_find(comparison->results[i], *name);
            figure_text(figure, value);
        }
    }
    return figure;
}

/* --- parameters ------------------------------------------------------------------------------- */

static void collect(void *user, const char *name, const char *before, const char *after)
{
    (void)before, (void)after;
    GPtrArray *names = user;
    if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
        g_ptr_array_add(names, g_strdup(name));
}

static const char *value_of(JsonNode *result, const char *name)
{
    const char *point = strrchr(name, '.');
    g_autofree char *group = g_strndup(name, (gsize)(point - name));
    JsonNode *node = result_member(result, "parameters");
    JsonObject *groups = node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
    node = groups ? json_object_get_member(groups, group) : NULL;
    return node && JSON_NODE_HOLDS_OBJECT(node) ? json_object_get_string_member_with_default(
               json_node_get_object(node), point + 1, NULL)
                                                : NULL;
}

Figure *comparison_parameters(const Comparison *comparison)
{
    Figure *figure = figure_new("comparison_parameters", NULL);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 1; i < comparison->count; i++)
        parameter_changes_visit(comparison->results[0], comparison->results[i], collect, names);
    figure_column(figure, "parameter", NULL);
    for (guint i = 0; i < comparison->count; i++)
        figure_column(figure, compare_label(comparison, i), NULL);
    for (guint n = 0; n < names->len; n++) {
        figure_row(figure);
        figure_text(figure, names->pdata[n]);
        for (guint i = 0; i < comparison->count; i++)
            figure_text(figure, value_of(comparison->results[i], names->pdata[n]));
    }
    return figure;
}

/* --- pressure --------------------------------------------------------------------------------- */

static const Headline *find_resource(const GArray *resources, const char *name)
{
    for (guint i = 0; i < resources->len; i++) {
        const Headline *resource = &g_array_index(resources, Headline, i);
        if (!strcmp(resource->name, name)) return resource;
    }
    return NULL;
}

static void add_pressure(Figure *figure, const GPtrArray *all, const char *name)
{
    figure_row(figure);
    figure_text(figure, name);
    for (guint i = 0; i < all->len; i++) {
        const Headline *resource = find_resource(all->pdata[i], name);
        figure_number(figure, resource ? resource->utilisation * 100 : NAN);
    }
}

/* One machine may have what another has not. */
static void add_pressures(Figure *figure, const GPtrArray *all)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < all->len; i++) {
        const GArray *resources = all->pdata[i];
        for (guint k = 0; k < resources->len; k++) {
            const Headline *resource = &g_array_index(resources, Headline, k);
            if (resource->utilisation > 0 && g_hash_table_add(seen, resource->name))
                add_pressure(figure, all, resource->name);
        }
    }
}

/* What bounds any of them. */
static GStrv list_bounds(const Comparison *comparison, guint count)
{
    g_autoptr(GStrvBuilder) bounds = g_strv_builder_new();
    for (guint i = 0; i < count; i++) {
        g_autoptr(Verdict) verdict = verdict_new(comparison->results[i]);
        g_strv_builder_addv(bounds, (const char **)verdict->ends);
    }
    return g_strv_builder_end(bounds);
}

Figure *comparison_pressure(const Comparison *comparison)
{
    Figure *figure = figure_new("comparison_pressure", NULL);
    const guint count = comparison_drawn(comparison);
    g_auto(GStrv) bounds = list_bounds(comparison, count);
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    figure_column(figure, "resource", NULL);
    for (guint i = 0; i < count; i++) {
        figure_column(figure, compare_label(comparison, i), "%");
        g_ptr_array_add(all, headlines_with(comparison->results[i], (const char *const *)bounds));
    }
    add_pressures(figure, all);
    figure_mark(figure, FIGURE_X, 100, "all of it");
    comparison_note_left_out(figure, comparison);
    return figure;
}
