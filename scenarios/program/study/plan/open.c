#include "scenarios/program/study/plan/open.h"

#include <string.h>

#include "scenarios/program/study/plan/build_id.h"
#include "scenarios/program/study/plan/private.h"

struct OpenPlan {
    Plan plan; /* its bases are the points */
    char *variant;
};

OpenPlan *open_plan_new(const Scenario *scenario, const char *variant)
{
    OpenPlan *open = g_new0(OpenPlan, 1);
    open->plan = plan_begin(scenario->file, NULL);
    open->plan.settings.replications = 1;
    open->variant = g_strdup(variant);
    Manifest *manifest = open->plan.manifest;
    manifest->title = g_strdup(scenario->title);
    manifest->scenario = g_strdup(scenario->file);
    manifest->program = g_strdup_printf("warpmem " WARPMEM_VERSION " %s", build_id());
    return open;
}

void open_plan_free(OpenPlan *open)
{
    if (!open) return;
    plan_finish(&open->plan);
    g_free(open->variant);
    g_free(open);
}

bool open_plan_add(OpenPlan *open, Configuration *configuration, guint *point, GError **error)
{
    char *const none[] = {NULL};
    const PlanBase *base = plan_add_base(&open->plan, configuration, none, error);
    if (!base) return false;
    g_free(base->base->variant);
    base->base->variant = g_strdup(open->variant);
    *point = open->plan.manifest->points->len;
    plan_add_points(&open->plan, base, none, "");
    return true;
}

const Manifest *open_plan_manifest(const OpenPlan *open)
{
    return open->plan.manifest;
}

static const PlanBase *find_base(const OpenPlan *open, guint point)
{
    const Point *planned = open->plan.manifest->points->pdata[point];
    return open->plan.bases->pdata[planned->base];
}

const Configuration *open_plan_configuration(const OpenPlan *open, guint point)
{
    return find_base(open, point)->base->configuration;
}

const GPtrArray *open_plan_values(const OpenPlan *open, guint point)
{
    return find_base(open, point)->values;
}

GPtrArray *open_plan_changes(const OpenPlan *open, guint from, guint to)
{
    GPtrArray *changes = g_ptr_array_new_with_free_func(g_free);
    const GPtrArray *values = open_plan_values(open, to);
    for (guint i = 0; i < values->len; i++) {
        const ResolvedValue *value = values->pdata[i];
        g_autofree char *name = plan_name(value);
        const char *before = g_hash_table_lookup(find_base(open, from)->by_name, name);
        if (before ? strcmp(before, value->value) != 0 : value->setting != NULL)
            g_ptr_array_add(changes, g_strdup_printf("%s=%s", name, value->value));
    }
    return changes;
}
