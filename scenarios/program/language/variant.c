/* What a variant means to the machine and to the workloads. */
#include <string.h>

#include "platform/machine/residency.h"
#include "scenarios/program/language/scenario.h"
#include "workloads/array_groups.h"
#include "workloads/workload.h"

static bool is_workload_group(const char *group)
{
    return !strcmp(group, "workload") || g_str_has_prefix(group, "kernel ")
           || g_str_has_prefix(group, ARRAY_PREFIX);
}

bool variant_is_machine_group(const char *group)
{
    return !is_workload_group(group);
}

bool variant_is_machine(const Variant *variant)
{
    for (guint i = 0; i < configuration_size(variant->configuration); i++)
        if (is_workload_group(configuration_at(variant->configuration, i)->group)) return false;
    return true;
}

Configuration *variant_machine_configuration(const Variant *variant)
{
    return configuration_copy_groups(variant->configuration, variant_is_machine_group);
}

/* The machine's tables, and the names of what else a scenario has. */
static GPtrArray *list_groups(void)
{
    static const ParamGroup others[] = {{.name = "scenario"},
                                        {.name = "workload"},
                                        {.name = "kernel", .named = true},
                                        {.name = "array", .named = true},
                                        {.name = "variant", .named = true},
                                        {.name = "study"}};
    GPtrArray *groups = g_ptr_array_new();
    for (const ParamGroup *const *group = machine_groups(); *group; group++)
        g_ptr_array_add(groups, (gpointer)*group);
    for (guint i = 0; i < G_N_ELEMENTS(others); i++) g_ptr_array_add(groups, (gpointer)&others[i]);
    g_ptr_array_add(groups, NULL);
    return groups;
}

static bool check_names(const Variant *variant, GError **error)
{
    g_autoptr(GPtrArray) groups = list_groups();
    return configuration_check(variant->configuration, variant_is_machine_group,
                               (const ParamGroup *const *)groups->pdata, error);
}

bool scenario_check_group(const char *name, GError **error)
{
    g_autoptr(GPtrArray) groups = list_groups();
    return configuration_check_group(name, (const ParamGroup *const *)groups->pdata, error);
}

bool variant_locate_error(const Variant *variant, GError **error)
{
    workload_locate_error(variant->configuration, error);
    return configuration_locate_error(variant->configuration, error);
}

bool variant_check_names(const Variant *variant, GError **error)
{
    const bool good = check_names(variant, error) && workload_check(variant->configuration, error);
    return good || variant_locate_error(variant, error);
}

bool variant_check_machine(const Variant *variant, GError **error)
{
    g_autoptr(Configuration) machine = variant_machine_configuration(variant);
    const bool good = check_names(variant, error) && machine_check(machine, error);
    return good || variant_locate_error(variant, error);
}

bool variant_check(const Variant *variant, GError **error)
{
    return variant_check_machine(variant, error)
           && (workload_check(variant->configuration, error)
               || variant_locate_error(variant, error));
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

void variant_make_files_absolute(Variant *variant)
{
    Configuration *configuration = variant->configuration;
    for (guint i = 0; i < configuration_size(configuration); i++) {
        const Setting *s = configuration_at(configuration, i);
        if (!variant_reads_file(s->group, s->key) || !*s->value) continue;
        g_autofree char *rebased = rebase_file(s);
        g_autofree char *file = g_canonicalize_filename(rebased, NULL);
        configuration_set(configuration, s->group, s->key, file, s->file, s->line);
    }
}

bool variant_reads_file(const char *group, const char *key)
{
    if (is_workload_group(group)) return !strcmp(key, "file");
    return !strcmp(group, "network") && !strcmp(key, "platform");
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
    MachineOutline machine;
    if (!machine_outline(rebased, &machine, error)) return NULL;
    const WorkloadContext context = {.directory = ".",
                                     .seed = variant_seed(variant),
                                     .warp_lanes = machine.warp_lanes,
                                     .sms = machine.sms,
                                     .slices = machine.slices,
                                     .line_bytes = machine.line_bytes,
                                     .sector_bytes = machine.sector_bytes,
                                     .core_clock = machine.core_clock,
                                     .dram_clock = machine.dram_clock,
                                     .dram_bandwidth = machine.dram_bandwidth};
    LaunchList *launches = workload_build(rebased, &context, error);
    if (!launches) variant_locate_error(variant, error);
    return launches;
}

/* A part of a machine says nothing of the others. */
static bool try_machine(const Variant *variant, Machine *machine, GError **error)
{
    return machine_check_residency(machine, error) && machine_try(machine, error)
           && (machine_is_whole(machine) || variant_check_machine(variant, error));
}

Machine *variant_try(const Variant *variant, LaunchList *launches, GError **error)
{
    g_autoptr(Machine) machine = machine_new(variant->configuration, launches, error);
    if (machine && try_machine(variant, machine, error)) return g_steal_pointer(&machine);
    variant_locate_error(variant, error);
    return NULL;
}

Machine *variant_try_launches(const Variant *variant, GError **error)
{
    LaunchList *launches =
        variant_check_names(variant, error) ? variant_build_launches(variant, error) : NULL;
    return launches ? variant_try(variant, launches, error) : NULL;
}

uint64_t variant_seed(const Variant *variant)
{
    SimulationParams params = {0};
    if (!configuration_apply(variant->configuration, &simulation_group, &params, NULL)) return 0;
    const uint64_t seed = params.seed;
    param_clear(simulation_group.params, &params);
    return seed;
}
