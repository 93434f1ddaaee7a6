#include "scenarios/program/study/plan/plan.h"

#include <string.h>

#include "scenarios/program/study/dimensions/design.h"
#include "scenarios/program/study/plan/build_id.h"
#include "scenarios/program/study/plan/private.h"
#include "scenarios/program/study/records/outcome.h"

void plan_report_finish(PlanReport *report)
{
    g_free(report->reason);
    g_clear_pointer(&report->axes, g_ptr_array_unref);
}

void plan_finish(Plan *plan)
{
    scenario_free(plan->scenario);
    param_clear(study_group.params, &plan->settings);
    g_ptr_array_unref(plan->dimensions);
    g_ptr_array_unref(plan->references);
    g_ptr_array_unref(plan->derived);
    where_free(plan->where);
    g_ptr_array_unref(plan->bases);
    g_hash_table_unref(plan->base_of);
    g_hash_table_unref(plan->digests);
    manifest_free(plan->manifest);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Plan, plan_finish)

Plan plan_begin(const char *path, const char *const *sets)
{
    return (Plan){
        .path = path,
        .sets = sets,
        .dimensions = g_ptr_array_new_with_free_func(plan_dimension_free),
        .references = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref),
        .derived = g_ptr_array_new_with_free_func(plan_derived_free),
        .bases = g_ptr_array_new_with_free_func(plan_base_free),
        .base_of = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        .digests = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
        .manifest = manifest_new(),
    };
}

static bool load_scenario(Plan *plan, GError **error)
{
    plan->scenario = scenario_load(plan->path, plan->sets, error);
    if (!plan->scenario) return false;
    for (guint i = 0; i < plan->scenario->variants->len; i++)
        variant_make_files_absolute(plan->scenario->variants->pdata[i]);
    if (configuration_size(plan->scenario->study)) return true;
    g_set_error(error, STUDY_ERROR, 0,
                "%s: has no [study]; it would say which parameters take which values",
                plan->scenario->file);
    return false;
}

/* --- what stands at the manifest's beginning -------------------------------------------------- */

static bool take_statistic(const Plan *plan, const char *name, GError **error)
{
    GPtrArray *statistics = plan->manifest->statistics;
    if (!outcome_check_statistic(name, NULL, error)) return false;
    if (g_ptr_array_find_with_equal_func(statistics, name, g_str_equal, NULL)) {
        g_set_error(error, STUDY_ERROR, 0, "%s: stands twice", name);
        return false;
    }
    g_ptr_array_add(statistics, g_strdup(name));
    return true;
}

static bool take_statistics(const Plan *plan, GError **error)
{
    const Setting *setting = configuration_find(plan->scenario->study, "study", "statistics");
    if (!setting || !*setting->value) return true;
    g_auto(GStrv) names = g_strsplit(setting->value, ",", -1);
    for (char **name = names; *name; name++) {
        if (take_statistic(plan, g_strstrip(*name), error)) continue;
        g_autofree char *place = setting_describe_place(setting);
        g_prefix_error(error, "%sstudy.statistics: ", place);
        return false;
    }
    return true;
}

static bool describe_study(const Plan *plan, GError **error)
{
    Manifest *manifest = plan->manifest;
    manifest->title = g_strdup(plan->scenario->title);
    manifest->scenario = g_strdup(plan->path);
    manifest->program = g_strdup("warpmem " WARPMEM_VERSION);
    manifest->build = g_strdup(build_id());
    manifest->design = g_strdup(design_names[plan->settings.design]);
    manifest->seed = plan->settings.seed;
    manifest->replications = (guint)plan->settings.replications;
    manifest->peak_power = plan->settings.peak_power;
    for (guint i = 0; i < plan->dimensions->len; i++) {
        const PlanDimension *dimension = plan->dimensions->pdata[i];
        *manifest_add_dimension(manifest) = (Dimension){
            .name = g_strdup(dimension->setting->key),
            .baseline = g_strdup(axis_baseline(dimension->axis)),
            .structural = dimension->structural,
            .file = g_strdup(dimension->setting->file),
            .line = dimension->setting->line,
        };
    }
    return take_statistics(plan, error);
}

/* --- points ----------------------------------------------------------------------------------- */

/* In a design around the baseline, what stays at its own value has that of the row's own preset,
 * variant or part. */
static void keep_own_values(const Plan *plan, const PlanBase *base, char **values)
{
    if (plan->settings.design != DESIGN_ONE_AT_A_TIME) return;
    for (guint i = 0; i < plan->dimensions->len; i++) {
        const PlanDimension *dimension = plan->dimensions->pdata[i];
        const bool varied = g_strcmp0(values[i], axis_baseline(dimension->axis)) != 0;
        if (varied || dimension->structural) continue;
        g_free(values[i]);
        values[i] = g_strdup(g_hash_table_lookup(base->by_name, dimension->setting->key));
    }
}

void plan_add_points(Plan *plan, const PlanBase *base, char *const *values, const char *role)
{
    for (guint i = 0; i < plan->settings.replications; i++) {
        Point *point = manifest_add_point(plan->manifest);
        point->base = base->index;
        point->replication = i;
        point->seed = base->seed + i;
        point->values = g_strdupv((char **)values);
        point->role = g_strdup(role);
        point_key_compute(base->key, (const char *const *)values, point->seed, point->key);
    }
}

static bool add_row(Plan *plan, const DesignRow *row, PlanReport *report, GError **error)
{
    GError *problem = NULL;
    const PlanBase *base = plan_find_base(plan, row->values, &problem);
    if (!base) {
        if (problem) g_propagate_error(error, problem);
        report->skipped += !problem;
        return !problem;
    }
    keep_own_values(plan, base, row->values);
    if (plan_meets_where(plan, base, row->values, &problem))
        plan_add_points(plan, base, row->values, row->role);
    else
        report->excluded++;
    if (problem) g_propagate_error(error, problem);
    return !problem;
}

static char *describe_design_place(const Plan *plan)
{
    const Setting *setting = configuration_find(plan->scenario->study, "study", "design");
    return setting ? setting_describe_place(setting)
                   : g_strdup_printf("%s: ", plan->scenario->file);
}

static bool reject_design(const Plan *plan, GError **error, const char *reason)
{
    g_autofree char *place = describe_design_place(plan);
    g_set_error(error, STUDY_ERROR, 0, "%sstudy.design = %s: %s", place,
                design_names[plan->settings.design], reason);
    return false;
}

static bool check_size(const Plan *plan, guint rows, GError **error)
{
    if ((guint64)rows * plan->settings.replications <= DESIGN_ROWS_MAX) return true;
    g_autofree char *reason =
        g_strdup_printf("%u points, each %" G_GUINT64_FORMAT " times; at most %d altogether", rows,
                        plan->settings.replications, DESIGN_ROWS_MAX);
    return reject_design(plan, error, reason);
}

static bool add_all_points(Plan *plan, PlanReport *report, GError **error)
{
    g_autoptr(GPtrArray) axes = g_ptr_array_new();
    for (guint i = 0; i < plan->dimensions->len; i++)
        g_ptr_array_add(axes, ((const PlanDimension *)plan->dimensions->pdata[i])->axis);
    g_autofree char *place = describe_design_place(plan);
    StudySettings settings = plan->settings;
    if (settings.design == DESIGN_PERFECT) settings.design = DESIGN_GRID; /* of plan_add_perfect */
    g_autoptr(GPtrArray) rows = design_rows(&settings, axes, place, error);
    if (!rows || !check_size(plan, rows->len, error)) return false;
    for (guint i = 0; i < rows->len; i++)
        if (!add_row(plan, rows->pdata[i], report, error)) return false;
    return plan->manifest->points->len
           || reject_design(plan, error, "no point satisfies the conditions of study.where");
}

/* --- the report ------------------------------------------------------------------------------- */

/* Of a continuous range the text; it has no values of its own. Of many values, or long ones, those
 * that a line has room for, and the last. */
static char *list_values(const PlanDimension *dimension)
{
    enum { SHOWN = 8, WIDTH = 60 };
    const guint count = axis_size(dimension->axis);
    GString *text = g_string_new(count ? NULL : dimension->setting->value);
    guint shown = 0;
    for (; shown < MIN(count, SHOWN); shown++) {
        const char *value = axis_value(dimension->axis, shown);
        if (shown && text->len + strlen(value) > WIDTH) break;
        g_string_append_printf(text, "%s%s", shown ? ", " : "", value);
    }
    if (shown < count)
        g_string_append_printf(text, " ... %s (%u values)", axis_value(dimension->axis, count - 1),
                               count);
    return g_string_free(text, FALSE);
}

static void fill_report(const Plan *plan, PlanReport *report)
{
    const Manifest *manifest = plan->manifest;
    g_autoptr(GHashTable) keys = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < manifest->points->len; i++)
        g_hash_table_add(keys, ((Point *)manifest->points->pdata[i])->key);
    report->distinct = g_hash_table_size(keys);
    report->axes = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < plan->dimensions->len; i++)
        g_ptr_array_add(report->axes, list_values(plan->dimensions->pdata[i]));
}

Manifest *plan_new(const char *path, const char *const *sets, PlanReport *report, GError **error)
{
    g_auto(PlanReport) own = {0};
    g_auto(Plan) plan = plan_begin(path, sets);
    if (!report) report = &own;
    if (!load_scenario(&plan, error) || !plan_read_dimensions(&plan, error)) return NULL;
    if (plan.names_dimensions) report->unread = NULL;
    if (!describe_study(&plan, error) || !plan_read_formulas(&plan, error)
        || !add_all_points(&plan, report, error)
        || !plan_check_points(plan.manifest, report, error))
        return NULL;
    fill_report(&plan, report);
    return g_steal_pointer(&plan.manifest);
}

char *plan_describe(const Manifest *manifest)
{
    const guint dimensions = manifest->dimensions->len, points = manifest->points->len;
    return g_strdup_printf("%s of %u dimension%s, %u point%s", manifest->design, dimensions,
                           dimensions == 1 ? "" : "s", points, points == 1 ? "" : "s");
}
