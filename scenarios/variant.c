/* What a variant means to the machine and to the workloads. */
#include <string.h>

#include "platform/machine.h"
#include "scenarios/scenario.h"
#include "workloads/workload.h"

static bool is_workload_group(const char *group)
{
    return !strcmp(group, "workload") || g_str_has_prefix(group, "kernel ");
}

Configuration *variant_machine_configuration(const Variant *variant)
{
    Configuration *machine = configuration_new();
    for (guint i = 0; i < configuration_size(variant->configuration); i++) {
        const Setting *s = configuration_at(variant->configuration, i);
        if (!is_workload_group(s->group))
            configuration_set(machine, s->group, s->key, s->value, s->file, s->line);
    }
    return machine;
}

/* The machine's tables and the workload's, so that a mistyped [workload] is recognised. */
static GPtrArray *list_groups(void)
{
    GPtrArray *groups = g_ptr_array_new();
    for (const ParamGroup *const *group = machine_groups(); *group; group++)
        g_ptr_array_add(groups, (gpointer)*group);
    g_ptr_array_add(groups, (gpointer)&workload_group);
    g_ptr_array_add(groups, NULL);
    return groups;
}

bool variant_check(const Variant *variant, GError **error)
{
    g_autoptr(Configuration) machine = variant_machine_configuration(variant);
    g_autoptr(GPtrArray) groups = list_groups();
    return configuration_check(machine, (const ParamGroup *const *)groups->pdata, error)
           && machine_check(machine, error) && workload_check(variant->configuration, error);
}

/* Files are written as seen from the place where the setting stands. */
static char *rebase_file(const Setting *setting)
{
    if (!setting->file || g_path_is_absolute(setting->value) || !*setting->value)
        return g_strdup(setting->value);
    g_autofree char *directory = g_path_get_dirname(setting->file);
    return strcmp(directory, ".") ? g_build_filename(directory, setting->value, NULL)
                                  : g_strdup(setting->value);
}

LaunchList *variant_build_launches(const Variant *variant, GError **error)
{
    g_autoptr(Configuration) rebased = configuration_copy(variant->configuration);
    for (guint i = 0; i < configuration_size(rebased); i++) {
        const Setting *s = configuration_at(rebased, i);
        if (!is_workload_group(s->group) || strcmp(s->key, "file")) continue;
        g_autofree char *file = rebase_file(s);
        configuration_set(rebased, s->group, s->key, file, s->file, s->line);
    }
    return workload_build(rebased, ".", variant_seed(variant), error);
}

uint64_t variant_seed(const Variant *variant)
{
    SimulationParams params = {0};
    if (!configuration_apply(variant->configuration, &simulation_group, &params, NULL)) return 0;
    const uint64_t seed = params.seed;
    param_clear(simulation_group.params, &params);
    return seed;
}
