/* Design `perfect`: the machine as it is, and with each of its components perfect in turn. */
#include <string.h>

#include "scenarios/program/study/plan/private.h"

/* A perfect component is settings in a base; a dimension's value would go over them. */
static bool check_dimensions(const Plan *plan, GError **error)
{
    for (guint i = 0; i < plan->dimensions->len; i++) {
        const PlanDimension *dimension = plan->dimensions->pdata[i];
        if (dimension->structural) continue;
        return setting_reject(dimension->setting, error,
                              "beside design = perfect only variants, presets and DRAM parts can "
                              "vary; make variants that differ in it");
    }
    return true;
}

/* "baseline" and the components; NULL-terminated. */
static GPtrArray *list_names(void)
{
    GPtrArray *names = g_ptr_array_new();
    g_ptr_array_add(names, (gpointer)PERFECT_BASELINE);
    for (const PerfectComponent *c = perfect_components(); c->name; c++)
        g_ptr_array_add(names, (gpointer)c->name);
    g_ptr_array_add(names, NULL);
    return names;
}

bool plan_add_perfect(Plan *plan, GError **error)
{
    if (!check_dimensions(plan, error)) return false;
    Configuration *study = plan->scenario->study;
    const Setting *design = configuration_find(study, "study", "design");
    g_autoptr(GPtrArray) names = list_names();
    g_autofree char *text = g_strjoinv(", ", (char **)names->pdata);
    configuration_set(study, "study", PERFECT_DIMENSION, text, design->file, design->line);
    PlanDimension *dimension = g_new0(PlanDimension, 1);
    dimension->setting = configuration_find(study, "study", PERFECT_DIMENSION);
    dimension->structural = true;
    g_ptr_array_add(plan->dimensions, dimension);
    const AxisSource source = {
        .setting = dimension->setting,
        .baseline = PERFECT_BASELINE,
        .names = (const char *const *)names->pdata,
    };
    dimension->axis = axis_new(&source, error);
    return dimension->axis != NULL;
}

Configuration *plan_make_perfect(Configuration *configuration, const char *component,
                                 GError **error)
{
    g_autoptr(Configuration) own = configuration;
    if (!strcmp(component, PERFECT_BASELINE)) return g_steal_pointer(&own);
    g_autofree char *why = NULL;
    return perfect_apply(perfect_find(component), own, &why, error);
}
