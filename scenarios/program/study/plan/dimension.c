/* What a study's keys mean: its own ones, and its dimensions. */
#include <string.h>

#include "kit/describe/nearest.h"
#include "platform/machine/machine.h"
#include "scenarios/program/language/catalogue.h"
#include "scenarios/program/language/dram_part.h"
#include "scenarios/program/language/find.h"
#include "scenarios/program/language/sets.h"
#include "scenarios/program/study/plan/private.h"
#include "workloads/workload.h"

void plan_dimension_free(gpointer data)
{
    PlanDimension *dimension = data;
    g_free(dimension->group);
    g_free(dimension->key);
    axis_free(dimension->axis);
    g_free(dimension);
}

/* --- what the scenario knows ------------------------------------------------------------------ */

const ResolvedValue *plan_find_value(const Plan *plan, const char *group, const char *key)
{
    for (guint i = 0; i < plan->references->len; i++) {
        const GPtrArray *values = plan->references->pdata[i];
        for (guint j = 0; j < values->len; j++) {
            const ResolvedValue *value = values->pdata[j];
            if (!strcmp(value->group, group) && !strcmp(value->key, key)) return value;
        }
    }
    return NULL;
}

/* The row of a key of a named group, which need not stand in the scenario; NULL: it is none. */
static const Param *find_named(const char *group, const char *key)
{
    for (const ParamGroup *const *g = machine_groups(); group && *g; g++)
        for (const Param *param = (*g)->params;
             (*g)->named && param_group_holds(*g, group) && param->name; param++)
            if (!strcmp(param->name, key)) return param;
    return NULL;
}

static bool varies(const Plan *plan, const char *name)
{
    for (guint i = 0; i < plan->dimensions->len; i++)
        if (!strcmp(((const PlanDimension *)plan->dimensions->pdata[i])->setting->key, name))
            return true;
    return false;
}

GPtrArray *plan_list_names(const Plan *plan, bool own)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    for (const Param *param = own ? study_group.params : NULL; param && param->name; param++)
        g_ptr_array_add(names, g_strdup(param->name));
    g_ptr_array_add(names, g_strdup("variant"));
    if (own || varies(plan, "scenario.extends"))
        g_ptr_array_add(names, g_strdup("scenario.extends"));
    for (guint i = 0; i < plan->references->len; i++) {
        const GPtrArray *values = plan->references->pdata[i];
        for (guint j = 0; j < values->len; j++) g_ptr_array_add(names, plan_name(values->pdata[j]));
    }
    for (guint i = 0; i < plan->dimensions->len; i++) {
        const PlanDimension *dimension = plan->dimensions->pdata[i];
        if (find_named(dimension->group, dimension->key))
            g_ptr_array_add(names, g_strdup(dimension->setting->key));
    }
    g_ptr_array_add(names, NULL);
    return names;
}

static bool reject_unknown(const Plan *plan, const Setting *setting, GError **error)
{
    g_autoptr(GPtrArray) names = plan_list_names(plan, true);
    const char *near = nearest_word(setting->key, (const char *const *)names->pdata);
    g_autofree char *reason =
        near ? g_strdup_printf("neither a key of [study] nor a parameter of the scenario; did you "
                               "mean '%s'?",
                               near)
             : g_strdup("neither a key of [study] ('warpmem explain study' lists them) nor a "
                        "parameter of the scenario ('warpmem show' lists them)");
    return setting_reject(setting, error, "%s", reason);
}

static bool add_reference(Plan *plan, const Variant *variant, GError **error)
{
    GPtrArray *values =
        variant_check_names(variant, error) ? resolve_values(variant->configuration, error) : NULL;
    if (values) g_ptr_array_add(plan->references, values);
    return values != NULL;
}

/* The variants that the study runs, the baseline first where it is run. */
static bool read_references(Plan *plan, const PlanDimension *variants, GError **error)
{
    const Scenario *scenario = plan->scenario;
    if (!scenario->template_only && !add_reference(plan, scenario->variants->pdata[0], error))
        return false;
    for (guint i = 0; variants && i < axis_size(variants->axis); i++) {
        const Variant *variant =
            scenario_find_variant(scenario, axis_value(variants->axis, i), error);
        if (!variant || !add_reference(plan, variant, error)) return false;
    }
    return true;
}

/* --- dimensions ------------------------------------------------------------------------------- */

static bool is_workload_group(const char *group)
{
    return !strcmp(group, "workload") || g_str_has_prefix(group, "kernel ");
}

/* Whether other keys depend on it, files, or that there is such a group. */
static bool is_structural(const char *group, const char *key)
{
    if (!group || !strcmp(group, "scenario") || dram_part_is_key(group, key)
        || variant_reads_file(group, key) || find_named(group, key))
        return true;
    return is_workload_group(group) && (!strcmp(key, "pattern") || !strcmp(key, "sequence"));
}

/* What cannot be a dimension although it is a key of scenarios. */
static bool check_kind(const PlanDimension *dimension, GError **error)
{
    const Setting *setting = dimension->setting;
    if (!dimension->group) return true;
    if (!strcmp(dimension->group, "simulation"))
        return setting_reject(setting, error,
                              !strcmp(dimension->key, "seed")
                                  ? "seeds vary with study.replications, from simulation.seed on"
                                  : "[simulation] does not change what is simulated");
    if (!strcmp(dimension->group, "scenario") && strcmp(dimension->key, "extends") != 0)
        return setting_reject(setting, error, "of [scenario] only extends can vary");
    if (is_workload_group(dimension->group) && !strcmp(dimension->key, "code"))
        return setting_reject(
            setting, error,
            "programs cannot stand in a list; write a variant for each, and vary the "
            "variant");
    return true;
}

static PlanDimension *add_dimension(Plan *plan, const Setting *setting)
{
    PlanDimension *dimension = g_new0(PlanDimension, 1);
    dimension->setting = setting;
    if (strcmp(setting->key, "variant") != 0)
        setting_name_split(setting->key, &dimension->group, &dimension->key);
    dimension->structural = is_structural(dimension->group, dimension->key);
    g_ptr_array_add(plan->dimensions, dimension);
    return dimension;
}

/* A key without a value takes back what a scenario that is extended says. */
static bool collect_dimensions(Plan *plan, GError **error)
{
    const Configuration *study = plan->scenario->study;
    for (guint i = 0; i < configuration_size(study); i++) {
        const Setting *setting = configuration_at(study, i);
        const bool is_name = strchr(setting->key, '.') || !strcmp(setting->key, "variant");
        if (resolve_is_study_key(setting->key) || plan_is_derived(setting->key)) continue;
        if (!is_name) return reject_unknown(plan, setting, error);
        if (*setting->value && !check_kind(add_dimension(plan, setting), error)) return false;
    }
    return true;
}

static PlanDimension *find_variants(const Plan *plan)
{
    for (guint i = 0; i < plan->dimensions->len; i++) {
        PlanDimension *dimension = plan->dimensions->pdata[i];
        if (!dimension->group) return dimension;
    }
    return NULL;
}

/* --- axes ------------------------------------------------------------------------------------- */

/* The variants that can be run. */
static GPtrArray *list_variants(const Scenario *scenario)
{
    GPtrArray *names = g_ptr_array_new();
    for (guint i = scenario->template_only ? 1 : 0; i < scenario->variants->len; i++)
        g_ptr_array_add(names, ((const Variant *)scenario->variants->pdata[i])->name);
    g_ptr_array_add(names, NULL);
    return names;
}

/* Of a scenario whose baseline is not run, the first variant that is named. */
static bool make_variant_axis(const Plan *plan, PlanDimension *dimension, GError **error)
{
    g_autoptr(GPtrArray) names = list_variants(plan->scenario);
    g_autofree char *first =
        g_strndup(dimension->setting->value, strcspn(dimension->setting->value, ","));
    const AxisSource source = {
        .setting = dimension->setting,
        .baseline = plan->scenario->template_only ? g_strstrip(first) : "baseline",
        .names = (const char *const *)names->pdata,
    };
    dimension->axis = axis_new(&source, error);
    return dimension->axis != NULL;
}

/* Adds the file that a study's setting names; `*present`, what the scenario starts from, is called
 * as the study calls it. */
static bool add_file(GPtrArray *names, const Setting *setting, const char *item,
                     const char **present, GError **error)
{
    g_autofree char *file = find_machine_name(setting->file, item, error);
    if (!file) return setting_prefix_error(setting, error);
    g_ptr_array_add(names, g_strdup(item));
    if (!g_strcmp0(file, *present)) *present = names->pdata[names->len - 1];
    return true;
}

/* Presets, and the files that the setting names. */
static GPtrArray *list_machines(const Setting *setting, const char **present, GError **error)
{
    g_autofree char *directory = catalogue_preset_directory();
    g_auto(GStrv) presets = catalogue_list(directory), items = g_strsplit(setting->value, ",", -1);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (char **preset = presets; *preset; preset++) g_ptr_array_add(names, g_strdup(*preset));
    for (char **item = items; *item; item++)
        if (find_is_path(g_strstrip(*item)) && !add_file(names, setting, *item, present, error))
            return NULL;
    g_ptr_array_add(names, NULL);
    return g_steal_pointer(&names);
}

static bool make_machine_axis(const Plan *plan, PlanDimension *dimension, GError **error)
{
    const char *present = plan->scenario->machine;
    g_autoptr(GPtrArray) names = list_machines(dimension->setting, &present, error);
    const AxisSource source = {
        .setting = dimension->setting,
        .baseline = present,
        .names = names ? (const char *const *)names->pdata : NULL,
    };
    dimension->axis = names ? axis_new(&source, error) : NULL;
    return dimension->axis != NULL;
}

static bool make_axis(const Plan *plan, PlanDimension *dimension, GError **error)
{
    if (!dimension->group) return true; /* was made first */
    if (!strcmp(dimension->group, "scenario")) return make_machine_axis(plan, dimension, error);
    const ResolvedValue *value = plan_find_value(plan, dimension->group, dimension->key);
    const Param *param = value ? value->param : find_named(dimension->group, dimension->key);
    g_autofree char *name = g_strdup_printf("%s.%s", dimension->group, dimension->key);
    if ((!value && !param) || strcmp(name, dimension->setting->key) != 0)
        return reject_unknown(plan, dimension->setting, error);
    const AxisSource source = {
        .setting = dimension->setting,
        .param = param,
        .baseline = value ? value->value : param->default_text,
    };
    dimension->axis = axis_new(&source, error);
    return dimension->axis != NULL;
}

/* --- all -------------------------------------------------------------------------------------- */

static bool reject_template(const Plan *plan, GError **error)
{
    g_autoptr(GPtrArray) names = list_variants(plan->scenario);
    g_autofree char *all = g_strjoinv(", ", (char **)names->pdata);
    g_set_error(error, STUDY_ERROR, 0,
                "%s: its baseline is not run (baseline = no), so [study] has to say which of its "
                "variants are: variant = %s",
                plan->scenario->file, all);
    return false;
}

bool plan_read_dimensions(Plan *plan, GError **error)
{
    if (!configuration_apply(plan->scenario->study, &study_group, &plan->settings, error)
        || !collect_dimensions(plan, error))
        return false;
    PlanDimension *variants = find_variants(plan);
    if (variants && !make_variant_axis(plan, variants, error)) return false;
    if (!variants && plan->scenario->template_only) return reject_template(plan, error);
    if (!read_references(plan, variants, error)) return false;
    if (plan->settings.design == DESIGN_ONE_AT_A_TIME && !plan->dimensions->len) {
        plan_name_doublings(plan);
        plan->names_dimensions = true;
        if (!collect_dimensions(plan, error)) return false;
    }
    for (guint i = 0; i < plan->dimensions->len; i++)
        if (!make_axis(plan, plan->dimensions->pdata[i], error)) return false;
    return plan->settings.design != DESIGN_PERFECT || plan_add_perfect(plan, error);
}
