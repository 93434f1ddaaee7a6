/* Design `one_at_a_time` of a study that names no parameter: each part of the machine that a
 * what-if can double, as it is and doubled. */
#include "scenarios/program/study/plan/private.h"

/* Behind the design's line, whose place a message would name. */
static void name_dimension(const Plan *plan, const ResolvedValue *value, const char *other)
{
    Configuration *study = plan->scenario->study;
    const Setting *design = configuration_find(study, "study", "design");
    g_autofree char *name = plan_name(value);
    g_autofree char *values = g_strdup_printf("%s, %s", value->value, other);
    configuration_set(study, "study", name, values, design->file, design->line);
}

void plan_name_doublings(const Plan *plan)
{
    const GPtrArray *values = plan->references->pdata[0];
    for (guint i = 0; i < values->len; i++) {
        const ResolvedValue *value = values->pdata[i];
        g_autofree char *other = value->param ? param_double(value->param, value->value) : NULL;
        g_autofree char *name = plan_name(value);
        if (other && perfect_has_use(name, values)) name_dimension(plan, value, other);
    }
}
