/* A machine small enough to run many times: three SMs and three partitions of a V100, with little
 * caches, all as far from each other. One machine_run a process. */
#pragma once

#include <check.h>
#include <string.h>

#include "platform/machine/machine.h"
#include "workloads/workload.h"

static inline void small_machine_read(Configuration *configuration, const char *file)
{
    const char *root = g_getenv("WARPMEM_ROOT");
    g_autofree char *path = g_build_filename(root ? root : ".", file, NULL);
    g_autoptr(GKeyFile) keys = g_key_file_new();
    ck_assert_msg(g_key_file_load_from_file(keys, path, G_KEY_FILE_NONE, NULL), "no %s", path);
    g_auto(GStrv) groups = g_key_file_get_groups(keys, NULL);
    for (char **group = groups; *group; group++) {
        if (!strcmp(*group, "scenario")) continue;
        g_auto(GStrv) names = g_key_file_get_keys(keys, *group, NULL, NULL);
        for (char **name = names; *name; name++) {
            g_autofree char *value = g_key_file_get_value(keys, *group, *name, NULL);
            configuration_set(configuration, *group, *name, value, NULL, 0);
        }
    }
}

/* `settings` is "group.key = value; group.key = value", or NULL. */
static inline void small_machine_set(Configuration *configuration, const char *settings)
{
    g_auto(GStrv) list = g_strsplit(settings ? settings : "", ";", -1);
    for (char **setting = list; *setting; setting++) {
        if (!*g_strstrip(*setting)) continue;
        g_auto(GStrv) pair = g_strsplit(*setting, "=", 2);
        g_auto(GStrv) name = g_strsplit(g_strstrip(pair[0]), ".", 2);
        ck_assert_msg(pair[1] && name[1], "'%s' is no setting", *setting);
        configuration_set(configuration, name[0], name[1], g_strstrip(pair[1]), NULL, 0);
    }
}

static inline Configuration *small_machine_configuration(const char *settings)
{
    Configuration *configuration = configuration_new();
    small_machine_read(configuration, "platform/presets/v100.ini");
    small_machine_set(
        configuration,
        "machine.sms = 3; machine.partitions = 3; machine.slices_per_partition = 1;"
        "machine.peak_bandwidth_gbps = 0; first_level.array = 0 B; l1.capacity = 8 KiB;"
        "mmu.enabled = no; network.sm_places = ; network.slice_places = ;"
        "l2_slice.capacity = 16 KiB; dram_channel.verify = yes");
    small_machine_set(configuration, settings);
    return configuration;
}

static inline LaunchList *small_machine_launches(const Configuration *configuration)
{
    g_autoptr(GError) error = NULL;
    MachineOutline outline;
    ck_assert_msg(machine_outline(configuration, &outline, &error), "%s", error->message);
    const WorkloadContext context = {.directory = ".",
                                     .seed = 1,
                                     .warp_lanes = outline.warp_lanes,
                                     .sms = outline.sms,
                                     .slices = outline.slices,
                                     .line_bytes = outline.line_bytes,
                                     .sector_bytes = outline.sector_bytes,
                                     .core_clock = outline.core_clock,
                                     .dram_clock = outline.dram_clock,
                                     .dram_bandwidth = outline.dram_bandwidth};
    LaunchList *launches = workload_build(configuration, &context, &error);
    ck_assert_msg(launches, "%s", error ? error->message : "");
    return launches;
}

/* The settings are the machine's and the workload's. */
static inline Machine *small_machine_new(const char *settings, const char *workload)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = small_machine_configuration(settings);
    small_machine_set(configuration, workload);
    Machine *machine = machine_new(configuration, small_machine_launches(configuration), &error);
    ck_assert_msg(machine, "%s", error ? error->message : "");
    return machine;
}

/* A statistic by name; `object` is the unit, or what unit_measured says. */
static inline const void *small_machine_stat(const UnitClass *unit_class, const void *object,
                                             const char *name)
{
    for (const Stat *stat = unit_class->stats; stat->name; stat++)
        if (!strcmp(stat->name, name)) return (const char *)object + stat->offset;
    ck_abort_msg("%s has no statistic '%s'", unit_class->name, name);
}

/* The sum of a plain statistic over all units of a class, or over the one at `path`. */
static inline uint64_t small_machine_sum(Machine *machine, const char *unit_class, const char *name)
{
    uint64_t sum = 0;
    const Simulation *simulation = machine_simulation(machine);
    for (guint i = 0; i < simulation_unit_count(simulation); i++) {
        const Unit *unit = simulation_unit(simulation, i);
        if (strcmp(unit->class->name, unit_class) != 0 && strcmp(unit->path, unit_class) != 0)
            continue;
        sum += *(const uint64_t *)small_machine_stat(unit->class, unit, name);
    }
    return sum;
}

/* A kernel's time goes to the end of its memory operations, and the next one starts behind it,
 * unless they are concurrent. */
static inline void assert_kernel_ends(const Machine *machine)
{
    const GArray *times = machine_kernel_times(machine);
    Time last = 0;
    for (guint i = 0; i < times->len; i++) {
        const KernelTime *time = &g_array_index(times, KernelTime, i);
        ck_assert_uint_le(time->start, time->issued);
        ck_assert_uint_le(time->issued, time->end);
        if (!time->launch->concurrent) ck_assert_uint_ge(time->start, last);
        last = MAX(last, time->end);
    }
    const Timeline *timeline = simulation_timeline(machine_simulation((Machine *)machine));
    g_autoptr(GPtrArray) rows = timeline ? timeline_rows(timeline) : g_ptr_array_new();
    for (guint i = 0; i < rows->len; i++)
        ck_assert_uint_le(((const TimelineRow *)rows->pdata[i])->end, last);
}

/* In the region of interest. */
static inline void assert_bus_carries_what_it_can(Machine *machine)
{
    const GPtrArray *channels = machine_instances(machine, "dram_channel");
    double bytes = 0, seconds = 0;
    for (guint i = 0; i < channels->len; i++) {
        const Unit *channel = channels->pdata[i];
        const void *measured = unit_measured(channel);
        seconds = (double)unit_meters(channel)->length * 1e-15;
        bytes +=
            (double)*(const uint64_t *)small_machine_stat(channel->class, measured, "bytes_read")
            + (double)*(const uint64_t *)small_machine_stat(channel->class, measured,
                                                            "bytes_written");
    }
    ck_assert_double_le(bytes, machine_peak_dram_bandwidth(machine) * seconds);
}

static inline RunReport small_machine_run(Machine *machine)
{
    RunReport report;
    g_autoptr(GError) error = NULL;
    ck_assert_msg(machine_run(machine, &report, &error), "%s", error ? error->message : "");
    if (report.outcome == RUN_FINISHED) {
        assert_kernel_ends(machine);
        assert_bus_carries_what_it_can(machine);
    }
    return report;
}
