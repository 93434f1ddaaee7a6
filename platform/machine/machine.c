#include "platform/machine/machine.h"

#include "kit/gpu/transaction.h"
#include "platform/machine/deployment.h"
#include "platform/machine/first_level.h"
#include "platform/machine/private.h"
#include "platform/machine/shared_groups.h"

/* --- parameters ------------------------------------------------------------------------------- */

/* What the division of the array decides cannot be set as well. */
static bool check_division(const Machine *machine, const Configuration *configuration,
                           GError **error)
{
    const UnitClass *const *classes = machine_unit_classes();
    while (*classes && !(*classes)->divided) classes++;
    const Setting *setting = *classes ? configuration_find(configuration, (*classes)->name,
                                                           (*classes)->divided->capacity)
                                      : NULL;
    return !machine->first_level.array || !setting
           || setting_reject(setting, error,
                             "has no effect, L1 is what shared memory leaves of "
                             "first_level.array; set that, or first_level.array = 0 B");
}

static bool check_warp_lanes(uint64_t lanes, const Configuration *configuration, GError **error)
{
    return lanes == 32 || lanes == 64
           || setting_reject(configuration_find(configuration, "machine", "warp_lanes"), error,
                             "a warp has 32 or 64 lanes");
}

bool machine_outline(const Configuration *configuration, MachineOutline *outline, GError **error)
{
    MachineParams params = {0};
    DramTiming dram = {0};
    const bool good = configuration_apply(configuration, &machine_group, &params, error)
                      && check_warp_lanes(params.warp_lanes, configuration, error)
                      && configuration_apply(configuration, &dram_group, &dram, error);
    *outline = (MachineOutline){.warp_lanes = (uint32_t)params.warp_lanes,
                                .sms = params.sms,
                                .slices = params.partitions * params.slices_per_partition,
                                .line_bytes = lines_of_l2(&params).line_bytes,
                                .sector_bytes = lines_of_l2(&params).sector_bytes,
                                .core_clock = params.core_clock,
                                .dram_clock = params.dram_clock,
                                .dram_bandwidth = (uint64_t)machine_bandwidth_of(&params, &dram)};
    param_clear(machine_group.params, &params);
    param_clear(dram_group.params, &dram);
    return good;
}

static bool check_threads(const SimulationParams *run, const Configuration *configuration,
                          GError **error)
{
    if (run->threads == 1 || run->deployment == DEPLOY_AUTO) return true;
    return setting_reject(
        configuration_find(configuration, "simulation", "threads"), error,
        "threads divide the one tile of simulation.deployment = auto; leave it 1");
}

static bool read_parameters(Machine *machine, const Configuration *configuration, GError **error)
{
    if (!configuration_apply(configuration, &machine_group, &machine->params, error)
        || !configuration_apply(configuration, &simulation_group, &machine->run, error)
        || !machine_check_timeline(&machine->run, configuration, error)
        || !check_threads(&machine->run, configuration, error)
        || !configuration_apply(configuration, &network_group, &machine->network, error)
        || !configuration_apply(configuration, &channels_group, &machine->channels, error)
        || !configuration_apply(configuration, &address_map_group, &machine->address_map, error)
        || !configuration_apply(configuration, &pages_group, &machine->pages, error)
        || !configuration_apply(configuration, &paging_group, &machine->paging, error)
        || !configuration_apply(configuration, &dram_group, &machine->dram, error)
        || !configuration_apply(configuration, &first_level_group, &machine->first_level, error)
        || !configuration_apply(configuration, &host_link_group, &machine->host_link, error)
        || !configuration_apply(configuration, &energy_group, &machine->energy, error)
        || !configuration_apply(configuration, &area_group, &machine->area, error)
        || !first_level_setup(&machine->first_level, error)
        || !check_division(machine, configuration, error)
        || !check_warp_lanes(machine->params.warp_lanes, configuration, error)
        || !flow_check_settings(&machine->network, configuration, error)
        || !machine_settle_delays(machine, error)
        || !shared_groups_settle(&machine->dram, machine->params.dram_clock, error))
        return false;
    const uint64_t slices = machine->params.partitions * machine->params.slices_per_partition;
    machine->address_map.slices_here = machine->params.slices_per_partition;
    machine->address_map.channels_here = machine_channels_of_partition(&machine->params);
    if (!shared_groups_setup(&machine->address_map, &machine->dram, slices, error)) return false;
    const uint64_t dram_bytes =
        machine_channels(&machine->params) * dram_timing_capacity(&machine->dram);
    if (!frames_setup(&machine->pages, dram_bytes, machine->run.seed, error)
        || !paging_setup(&machine->paging, dram_bytes, error))
        return false;
    machine->address_map.halves = machine->params.l2_halves;
    machine->address_map.requesters = machine->params.sms;
    machine->params.request_coalescers =
        MIN(machine->params.request_coalescers, machine->params.sms);
    return lines_setup(machine, error) && machine_check_plausible(machine, error);
}

/* --- units ------------------------------------------------------------------------------------ */

static uint32_t count_of(const Machine *machine, const UnitClass *unit_class)
{
    switch (unit_class->per) {
    case PER_MACHINE: return 1;
    case PER_SM: return (uint32_t)machine->params.sms;
    case PER_COALESCER: return (uint32_t)machine->params.request_coalescers;
    case PER_SLICE:
        return (uint32_t)(machine->params.partitions * machine->params.slices_per_partition);
    case PER_SWITCH:
        return address_map_channels_apart(&machine->address_map)
                   ? (uint32_t)machine->params.partitions
                   : 0;
    case PER_CHANNEL: return (uint32_t)machine_channels(&machine->params);
    case PER_MEMORY_CACHE:
        return machine->params.memory_caches ? (uint32_t)machine_channels(&machine->params) : 0;
    case PER_CROSSBAR:
        return machine_has_routers(machine) || machine_has_flow(machine) ? 0 : NETWORKS;
    case PER_FLOW: return machine_has_flow(machine) ? NETWORKS : 0;
    case PER_STOP: return machine_has_routers(machine) ? network_graph_numbers(machine->graph) : 0;
    case PER_HALVES_LINK:
        return (uint32_t)(NETWORKS * machine->params.l2_halves * (machine->params.l2_halves - 1));
    }
    g_assert_not_reached();
}

/* Of a slice's own channel "partition[0].slice[1].dram", else "partition[0].channel[1].dram". */
static char *path_in_channel(const Machine *machine, const UnitClass *unit_class, uint32_t number,
                             uint32_t channels)
{
    g_autofree char *path = g_strdup_printf(unit_class->path, number / channels, number % channels);
    if (!address_map_channels_apart(&machine->address_map)) return g_steal_pointer(&path);
    g_auto(GStrv) parts = g_strsplit(path, ".slice[", 2);
    return g_strjoinv(".channel[", parts);
}

/* Newly allocated. */
static char *path_of(const Machine *machine, const UnitClass *unit_class, uint32_t number)
{
    static const char *const networks[NETWORKS] = {"request", "reply"};
    const uint32_t slices = (uint32_t)machine->params.slices_per_partition,
                   channels = (uint32_t)machine_channels_of_partition(&machine->params);
    switch (unit_class->per) {
    case PER_MACHINE: return g_strdup(unit_class->path);
    case PER_SM:
    case PER_COALESCER:
    case PER_SWITCH: return g_strdup_printf(unit_class->path, number);
    case PER_SLICE: return g_strdup_printf(unit_class->path, number / slices, number % slices);
    case PER_CHANNEL:
    case PER_MEMORY_CACHE: return path_in_channel(machine, unit_class, number, channels);
    case PER_CROSSBAR:
    case PER_FLOW:
    case PER_STOP:
    case PER_HALVES_LINK: break;
    }
    const bool shared = unit_class->per == PER_STOP && machine->graph && machine->graph->shared;
    return g_strdup_printf(unit_class->path, shared ? "shared" : networks[number % NETWORKS],
                           number / NETWORKS);
}

/* Parameters are read once for each class. */
static bool add_unit(Machine *machine, const Configuration *configuration, guint class_number,
                     uint32_t number, GError **error)
{
    const UnitClass *unit_class = machine_unit_classes()[class_number];
    g_autofree char *path = path_of(machine, unit_class, number);
    GPtrArray *alike = machine->instances->pdata[class_number];
    if (alike->len) {
        g_ptr_array_add(alike,
                        simulation_add_alike(machine->simulation, alike->pdata[0], path, number));
        return true;
    }
    Unit *unit = simulation_add_unit(machine->simulation, unit_class, path, number,
                                     machine->clock[unit_class->clock]);
    const ParamGroup group = {
        .name = unit_class->name, .summary = unit_class->summary, .params = unit_class->params};
    g_ptr_array_add(alike, unit);
    return configuration_apply(configuration, &group, unit, error)
           && first_level_size(&machine->first_level, unit, machine->l1_line.line_bytes, error);
}

static bool stand_together(const Machine *machine, const UnitClass *one, const UnitClass *other)
{
    return one->per == other->per
           || (one->per == PER_SLICE
               && (other->per == PER_CHANNEL || other->per == PER_MEMORY_CACHE)
               && !address_map_channels_apart(&machine->address_map));
}

/* Neighbours in the list that are equally many stand together: an SM's units, then the next SM's.
 * A unit's number in this order is part of hashes. */
static bool add_units(Machine *machine, const Configuration *configuration, GError **error)
{
    const UnitClass *const *classes = machine_unit_classes();
    for (guint i = 0; classes[i]; i++)
        if (unit_class_lacks(classes[i]))
            g_error("%s does not say %s", classes[i]->name, unit_class_lacks(classes[i]));
    for (guint first = 0, end; classes[first]; first = end) {
        for (end = first + 1; classes[end] && stand_together(machine, classes[first], classes[end]);
             end++)
            continue;
        for (uint32_t i = 0; i < count_of(machine, classes[first]); i++)
            for (guint k = first; k < end; k++)
                if (i < count_of(machine, classes[k]) && machine_has_unit(machine, classes[k], i)
                    && !add_unit(machine, configuration, k, i, error))
                    return false;
    }
    return true;
}

const GPtrArray *machine_instances(const Machine *machine, const char *unit_class)
{
    const UnitClass *const *classes = machine_unit_classes();
    for (guint i = 0; classes[i]; i++)
        if (g_str_equal(classes[i]->name, unit_class)) return machine->instances->pdata[i];
    g_error("there is no unit '%s'", unit_class);
}

OccupancyLimits machine_limits(const Machine *machine)
{
    for (guint i = 0; i < simulation_unit_count(machine->simulation); i++) {
        const Unit *unit = simulation_unit(machine->simulation, i);
        if (unit->class->limits) return unit->class->limits(unit);
    }
    g_error("no unit holds CTAs");
}

static void share_facts(Machine *machine)
{
    simulation_share(machine->simulation, "l1_line", &machine->l1_line);
    simulation_share(machine->simulation, "line", &machine->line);
    simulation_share(machine->simulation, "fit", &machine->fit);
    simulation_share(machine->simulation, "warp_lanes", &machine->params.warp_lanes);
    simulation_share(machine->simulation, "address_map", &machine->address_map);
    simulation_share(machine->simulation, "pages", &machine->pages);
    simulation_share(machine->simulation, "paging", &machine->paging);
    simulation_share(machine->simulation, "host_link_gbps", &machine->host_link.gbps);
    simulation_share(machine->simulation, "dram", &machine->dram);
    simulation_share(machine->simulation, "networks", machine->routes);
    simulation_share(machine->simulation, "flows", machine->flow.routes);
    simulation_share(machine->simulation, "halves", &machine->halves);
    simulation_share(machine->simulation, "launches", machine->launches);
    simulation_share(machine->simulation, "record", machine->record);
}

/* --- life ------------------------------------------------------------------------------------- */

static void add_clocks(Machine *machine)
{
    static const char *const names[CLOCKS] = {[CLOCK_CORE] = "core",
                                              [CLOCK_NETWORK] = "network",
                                              [CLOCK_L2] = "l2",
                                              [CLOCK_DRAM] = "dram"};
    machine->simulation = simulation_new(machine->run.seed);
    for (UnitClock i = CLOCK_CORE; i < CLOCKS; i++)
        machine->clock[i] = simulation_add_clock(machine->simulation, names[i],
                                                 machine_stated_clock(machine, i).hertz);
}

Machine *machine_new(const Configuration *configuration, LaunchList *launches, GError **error)
{
    g_autoptr(Machine) machine = g_new0(Machine, 1);
    machine->instances = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    for (const UnitClass *const *class = machine_unit_classes(); *class; class ++)
        g_ptr_array_add(machine->instances, g_ptr_array_new());
    machine->kernel_times = g_array_new(FALSE, TRUE, sizeof(KernelTime));
    machine->launches = launches ? launches : launch_list_new();
    machine->record = g_new0(LaunchRecord, machine->launches->launches->len + 1);
    if (!read_parameters(machine, configuration, error)
        || !machine_check_footprints(machine, error))
        return NULL;
    add_clocks(machine);
    const TimelineSelection selection = machine_timeline_selection(machine);
    simulation_set_timeline(machine->simulation, &selection);
    simulation_set_profile(machine->simulation, machine->run.profile);
    network_routes_init(
        machine->routes, (uint32_t)machine->params.sms,
        (uint32_t)(machine->params.partitions * machine->params.slices_per_partition));
    if (!machine_read_platform(machine, configuration, error)
        || !add_units(machine, configuration, error) || !machine_check_needs(machine, error))
        return NULL;
    machine_join_halves(machine);
    if (machine_is_whole(machine))
        first_level_divide(&machine->first_level, machine_limits(machine), machine->launches);
    share_facts(machine);
    return g_steal_pointer(&machine);
}

void machine_free(Machine *machine)
{
    if (!machine) return;
    g_clear_pointer(&machine->simulation, simulation_free);
    g_clear_pointer(&machine->launches, launch_list_free);
    g_ptr_array_unref(machine->instances);
    g_array_unref(machine->kernel_times);
    network_routes_finish(machine->routes);
    halves_finish(&machine->halves);
    flow_platform_finish(&machine->flow);
    link_changes_finish(&machine->links);
    param_clear(network_group.params, &machine->network);
    network_graph_free(machine->graph);
    param_clear(machine_group.params, &machine->params);
    param_clear(first_level_group.params, &machine->first_level);
    param_clear(dram_group.params, &machine->dram);
    g_free(machine->record);
    g_free(machine);
}

/* Where each unit runs, to be freed, and how many tiles there are. */
static Seat *lay_out(const Machine *machine, uint32_t *tiles)
{
    *tiles = 1;
    if (machine_has_flow(machine)) return g_new0(Seat, simulation_unit_count(machine->simulation));
    return deployment_lay_out(machine->simulation, (Deployment)machine->run.deployment,
                              machine->params.slices_per_partition, tiles);
}

bool machine_try(Machine *machine, GError **error)
{
    machine_wire(machine);
    uint32_t tiles;
    g_autofree Seat *seat = lay_out(machine, &tiles);
    const RunPlan plan = {.seat = seat, .tiles = tiles, .quantum = machine->run.quantum};
    return simulation_try_setup(machine->simulation, error)
           && simulation_check_plan(machine->simulation, &plan, error);
}

bool machine_check(const Configuration *configuration, GError **error)
{
    g_autoptr(Machine) machine = machine_new(configuration, NULL, error);
    return (machine && machine_try(machine, error))
           || configuration_locate_error(configuration, error);
}

Simulation *machine_simulation(Machine *machine)
{
    return machine->simulation;
}

const MachineParams *machine_params(const Machine *machine)
{
    return &machine->params;
}

const Clock *machine_clock(const Machine *machine, const char *name)
{
    for (UnitClock i = CLOCK_CORE; i < CLOCKS; i++)
        if (g_str_equal(machine->clock[i]->name, name)) return machine->clock[i];
    g_error("there is no clock '%s'", name);
}

static void note_kernel_times(Machine *machine)
{
    const GArray *launches = machine->launches->launches;
    for (guint i = 0; i < launches->len; i++) {
        const LaunchRecord *record = &machine->record[i];
        if (!record->end) break;
        const KernelTime time = {&g_array_index(launches, Launch, i), record->start, record->issued,
                                 record->end, record->spread};
        g_array_append_val(machine->kernel_times, time);
    }
}

bool machine_run(Machine *machine, RunReport *report, GError **error)
{
    uint32_t tiles;
    g_autofree Seat *seat = lay_out(machine, &tiles);
    const RunPlan plan = {.seat = seat,
                          .tiles = tiles,
                          .quantum = machine->run.quantum,
                          .threads = machine->run.timeline ? 1 : (uint32_t)machine->run.threads};
    if (!machine_start_engine(machine, tiles, error)) return false;
    machine_wire(machine);
    if (!simulation_setup(machine->simulation, error)) return false;
    const bool finished = simulation_run(machine->simulation, &plan, report, error);
    note_kernel_times(machine);
    return finished;
}

const GArray *machine_kernel_times(const Machine *machine)
{
    return machine->kernel_times;
}

Time machine_copy_time(const Machine *machine, uint64_t bytes)
{
    return host_link_copy_time(&machine->host_link, bytes);
}

Time machine_measured_span(const Machine *machine, const bool *launches)
{
    Time span = 0, covered = 0, began = 0; /* concurrent launches overlap */
    for (guint i = 0; i < machine->kernel_times->len; i++) {
        const KernelTime *time = &g_array_index(machine->kernel_times, KernelTime, i);
        began = time->launch->concurrent && i ? MIN(began, time->start) : time->start;
        if (!time->launch->measured || time->end <= covered || (launches && !launches[i])) continue;
        span += time->end - MAX(began, covered);
        covered = time->end;
    }
    return span;
}
