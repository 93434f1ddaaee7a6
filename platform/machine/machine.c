#include "platform/machine/machine.h"

#include "kit/describe/quantity.h"
#include "kit/gpu/transaction.h"
#include "parts/bits.h"

#include "platform/machine/deployment.h"
#include "platform/machine/first_level.h"
#include "platform/machine/private.h"
#include "platform/machine/shared_groups.h"

#include <glib/gstdio.h>
#include <string.h>

extern const UnitClass cta_dispatcher_class, sm_class, load_store_class, l1_class, texture_class,
    crossbar_class, router_class, flow_network_class, l2_slice_class, rop_class,
    access_scheduler_class, dram_channel_class, mmu_class, coherence_monitor_class;

static bool fail(GError **error, const char *key, const char *format, ...) G_GNUC_PRINTF(3, 4);

static bool fail(GError **error, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, PARAM_ERROR, 0, "%s: %s", key, text);
    return false;
}

/* --- parameters ------------------------------------------------------------------------------- */

static double peak_dram_bandwidth(const MachineParams *params, const DramTiming *dram)
{
    const double channels = (double)(params->partitions * params->slices_per_partition);
    return channels * (double)dram->channel_width * (double)dram->data_rate
           * (double)params->dram_clock;
}

double machine_peak_dram_bandwidth(const Machine *machine)
{
    return peak_dram_bandwidth(&machine->params, &machine->dram);
}

static bool check_plausible(const Machine *machine, GError **error)
{
    const MachineParams *params = &machine->params;
    if (!is_power_of_two(params->line_bytes) || !is_power_of_two(params->sector_bytes))
        return fail(error, "machine.line_bytes, machine.sector_bytes", "must be powers of two");
    if (params->line_bytes % params->sector_bytes
        || params->line_bytes / params->sector_bytes > SECTORS_MAX)
        return fail(error, "machine.sector_bytes",
                    "%" G_GUINT64_FORMAT " B does not divide a line of %" G_GUINT64_FORMAT
                    " B into at most %d sectors",
                    params->sector_bytes, params->line_bytes, SECTORS_MAX);
    if (machine->address_map.granularity < params->line_bytes)
        return fail(error, "address_map.granularity",
                    "%" G_GUINT64_FORMAT " B is smaller than a line of %" G_GUINT64_FORMAT " B",
                    machine->address_map.granularity, params->line_bytes);
    if (params->partitions % params->l2_halves)
        return fail(error, "machine.partitions",
                    "%" G_GUINT64_FORMAT " partitions cannot be divided into machine.l2_halves = "
                    "%" G_GUINT64_FORMAT " equal halves",
                    params->partitions, params->l2_halves);
    const double stated = (double)params->peak_bandwidth_gbps,
                 built = machine_peak_dram_bandwidth(machine) / 1e9;
    if (params->peak_bandwidth_gbps && (built > 1.02 * stated || built < 0.98 * stated))
        return fail(error, "machine.peak_bandwidth_gbps",
                    "%" G_GUINT64_FORMAT " GB/s is stated, but %" G_GUINT64_FORMAT
                    " channels x %" G_GUINT64_FORMAT " B x %" G_GUINT64_FORMAT
                    " x %.1f MHz are %.1f GB/s",
                    params->peak_bandwidth_gbps, params->partitions * params->slices_per_partition,
                    machine->dram.channel_width, machine->dram.data_rate,
                    (double)params->dram_clock / 1e6, built);
    return true;
}

/* What the division of the array decides cannot be set as well. */
static bool check_division(const Machine *machine, const Configuration *configuration,
                           GError **error)
{
    const Setting *setting = configuration_find(configuration, "l1", "capacity");
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
                                .core_clock = params.core_clock,
                                .dram_bandwidth = (uint64_t)peak_dram_bandwidth(&params, &dram)};
    param_clear(machine_group.params, &params);
    param_clear(dram_group.params, &dram);
    return good;
}

static bool read_parameters(Machine *machine, const Configuration *configuration, GError **error)
{
    if (!configuration_apply(configuration, &machine_group, &machine->params, error)
        || !configuration_apply(configuration, &simulation_group, &machine->run, error)
        || !machine_check_timeline(&machine->run, configuration, error)
        || !configuration_apply(configuration, &network_group, &machine->network, error)
        || !configuration_apply(configuration, &channels_group, &machine->channels, error)
        || !configuration_apply(configuration, &address_map_group, &machine->address_map, error)
        || !configuration_apply(configuration, &pages_group, &machine->pages, error)
        || !configuration_apply(configuration, &dram_group, &machine->dram, error)
        || !configuration_apply(configuration, &first_level_group, &machine->first_level, error)
        || !first_level_setup(&machine->first_level, error)
        || !check_division(machine, configuration, error)
        || !check_warp_lanes(machine->params.warp_lanes, configuration, error)
        || !flow_check_settings(&machine->network, configuration, error))
        return false;
    const uint64_t slices = machine->params.partitions * machine->params.slices_per_partition;
    if (!shared_groups_setup(&machine->address_map, &machine->dram, slices, error)
        || !frames_setup(&machine->pages, slices * dram_timing_capacity(&machine->dram),
                         machine->run.seed, error))
        return false;
    machine->address_map.halves = machine->params.l2_halves;
    machine->address_map.requesters = machine->params.sms;
    machine->line =
        (LineShape){(uint32_t)machine->params.line_bytes, (uint32_t)machine->params.sector_bytes};
    return check_plausible(machine, error);
}

/* --- units ------------------------------------------------------------------------------------ */

static Unit *add_unit(Machine *machine, const Configuration *configuration,
                      const UnitClass *unit_class, uint32_t number, const Clock *clock,
                      GPtrArray *list, GError **error, const char *format, ...) G_GNUC_PRINTF(8, 9);

static Unit *add_unit(Machine *machine, const Configuration *configuration,
                      const UnitClass *unit_class, uint32_t number, const Clock *clock,
                      GPtrArray *list, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *path = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    Unit *unit = simulation_add_unit(machine->simulation, unit_class, path, number, clock);
    const ParamGroup group = {unit_class->name, unit_class->summary, unit_class->params};
    if (list) g_ptr_array_add(list, unit);
    return configuration_apply(configuration, &group, unit, error) ? unit : NULL;
}

static bool add_core(Machine *machine, const Configuration *configuration, uint32_t i,
                     GError **error)
{
    return add_unit(machine, configuration, &sm_class, i, machine->core, machine->sm, error,
                    "sm[%u]", i)
           && add_unit(machine, configuration, &load_store_class, i, machine->core,
                       machine->load_store, error, "sm[%u].load_store", i)
           && add_unit(machine, configuration, &l1_class, i, machine->core, machine->l1, error,
                       "sm[%u].l1", i)
           && first_level_size_l1(&machine->first_level, machine->l1->pdata[i],
                                  machine->line.line_bytes, error)
           && add_unit(machine, configuration, &texture_class, i, machine->core, machine->texture,
                       error, "sm[%u].texture", i);
}

static bool add_slice(Machine *machine, const Configuration *configuration, uint32_t i,
                      GError **error)
{
    const uint32_t partition = i / (uint32_t)machine->params.slices_per_partition;
    const uint32_t slice = i % (uint32_t)machine->params.slices_per_partition;
    return add_unit(machine, configuration, &l2_slice_class, i, machine->l2, machine->slice, error,
                    "partition[%u].slice[%u]", partition, slice)
           && add_unit(machine, configuration, &rop_class, i, machine->l2, machine->rop, error,
                       "partition[%u].slice[%u].rop", partition, slice)
           && add_unit(machine, configuration, &access_scheduler_class, i, machine->dram_clock,
                       machine->scheduler, error, "partition[%u].slice[%u].scheduler", partition,
                       slice)
           && add_unit(machine, configuration, &dram_channel_class, i, machine->dram_clock,
                       machine->channel, error, "partition[%u].slice[%u].dram", partition, slice);
}

static const char *const network_names[NETWORKS] = {"request", "reply"};

static bool add_crossbars(Machine *machine, const Configuration *configuration, GError **error)
{
    const UnitClass *network = machine_has_flow(machine) ? &flow_network_class : &crossbar_class;
    for (uint32_t n = 0; n < NETWORKS; n++) {
        machine->crossbar[n] = add_unit(machine, configuration, network, n, machine->network_clock,
                                        NULL, error, "%s[%s]", network->name, network_names[n]);
        if (!machine->crossbar[n]) return false;
    }
    return true;
}

static bool add_routers(Machine *machine, const Configuration *configuration, GError **error)
{
    for (uint32_t s = 0; s < machine->topology.stops; s++)
        for (uint32_t n = 0; n < NETWORKS; n++)
            if (!add_unit(machine, configuration, &router_class, s * NETWORKS + n,
                          machine->network_clock, machine->router[n], error, "router[%s][%u]",
                          network_names[n], s))
                return false;
    return true;
}

static bool add_networks(Machine *machine, const Configuration *configuration, GError **error)
{
    return machine->topology.kind == TOPOLOGY_CROSSBAR
               ? add_crossbars(machine, configuration, error)
               : add_routers(machine, configuration, error);
}

static bool add_units(Machine *machine, const Configuration *configuration, GError **error)
{
    const uint64_t slices = machine->params.partitions * machine->params.slices_per_partition;
    machine->dispatcher = add_unit(machine, configuration, &cta_dispatcher_class, 0, machine->core,
                                   NULL, error, "cta_dispatcher");
    if (!machine->dispatcher) return false;
    for (uint32_t i = 0; i < machine->params.sms; i++)
        if (!add_core(machine, configuration, i, error)) return false;
    if (!add_networks(machine, configuration, error)) return false;
    for (uint32_t i = 0; i < slices; i++)
        if (!add_slice(machine, configuration, i, error)) return false;
    machine->mmu =
        add_unit(machine, configuration, &mmu_class, 0, machine->core, NULL, error, "mmu");
    if (!machine->mmu) return false;
    machine->monitor = add_unit(machine, configuration, &coherence_monitor_class, 0, machine->core,
                                NULL, error, "coherence_monitor");
    return machine->monitor != NULL;
}

static void share_facts(Machine *machine)
{
    simulation_share(machine->simulation, "line", &machine->line);
    simulation_share(machine->simulation, "warp_lanes", &machine->params.warp_lanes);
    simulation_share(machine->simulation, "address_map", &machine->address_map);
    simulation_share(machine->simulation, "pages", &machine->pages);
    simulation_share(machine->simulation, "dram", &machine->dram);
    simulation_share(machine->simulation, "networks", machine->routes);
    simulation_share(machine->simulation, "flows", machine->flow.routes);
    simulation_share(machine->simulation, "launches", machine->launches);
    simulation_share(machine->simulation, "record", machine->record);
}

/* --- life ------------------------------------------------------------------------------------- */

static void add_clocks(Machine *machine)
{
    machine->simulation = simulation_new(machine->run.seed);
    machine->core = simulation_add_clock(machine->simulation, "core", machine->params.core_clock);
    machine->network_clock =
        simulation_add_clock(machine->simulation, "network", machine->params.network_clock);
    machine->l2 = simulation_add_clock(machine->simulation, "l2", machine->params.l2_clock);
    machine->dram_clock =
        simulation_add_clock(machine->simulation, "dram", machine->params.dram_clock);
}

Machine *machine_new(const Configuration *configuration, LaunchList *launches, GError **error)
{
    g_autoptr(Machine) machine = g_new0(Machine, 1);
    GPtrArray **lists[] = {&machine->sm,        &machine->load_store, &machine->l1,
                           &machine->texture,   &machine->slice,      &machine->rop,
                           &machine->scheduler, &machine->channel,    &machine->router[0],
                           &machine->router[1]};
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++) *lists[i] = g_ptr_array_new();
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
    network_routes_predict(machine->routes, &machine->network, machine->network_clock);
    if (machine_has_flow(machine))
        flow_platform_init(&machine->flow, machine->simulation, &machine->network, machine->routes,
                           configuration);
    if (!topology_init(&machine->topology, &machine->network, machine->routes,
                       machine->network_clock, error)
        || !add_units(machine, configuration, error)
        || !machine_check_texture(machine, configuration, error))
        return NULL;
    first_level_divide(&machine->first_level, machine->sm->pdata[0], machine->launches);
    share_facts(machine);
    return g_steal_pointer(&machine);
}

void machine_free(Machine *machine)
{
    if (!machine) return;
    g_clear_pointer(&machine->simulation, simulation_free);
    g_clear_pointer(&machine->launches, launch_list_free);
    GPtrArray *lists[] = {machine->sm,        machine->load_store, machine->l1,
                          machine->texture,   machine->slice,      machine->rop,
                          machine->scheduler, machine->channel,    machine->router[0],
                          machine->router[1]};
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++) g_ptr_array_unref(lists[i]);
    g_array_unref(machine->kernel_times);
    network_routes_finish(machine->routes);
    flow_platform_finish(&machine->flow);
    param_clear(network_group.params, &machine->network);
    topology_finish(&machine->topology);
    param_clear(machine_group.params, &machine->params);
    param_clear(first_level_group.params, &machine->first_level);
    param_clear(dram_group.params, &machine->dram);
    g_free(machine->record);
    g_free(machine);
}

/* The tile of each unit, to be freed, and how many tiles there are. */
static uint32_t *lay_out(const Machine *machine, uint32_t *tiles)
{
    *tiles = 1;
    if (machine_has_flow(machine))
        return g_new0(uint32_t, simulation_unit_count(machine->simulation));
    return deployment_lay_out(machine->simulation, (Deployment)machine->run.deployment,
                              machine->params.slices_per_partition, tiles);
}

static bool check_machine(const Configuration *configuration, GError **error)
{
    g_autoptr(Machine) machine = machine_new(configuration, NULL, error);
    if (!machine) return false;
    machine_wire(machine);
    uint32_t tiles;
    g_autofree uint32_t *tile_of = lay_out(machine, &tiles);
    const RunPlan plan = {.tile_of = tile_of, .tiles = tiles, .quantum = machine->run.quantum};
    if (!flow_platform_check(&machine->flow, machine->simulation, error)) return false;
    return simulation_setup(machine->simulation, error)
           && simulation_check_plan(machine->simulation, &plan, error);
}

bool machine_check(const Configuration *configuration, GError **error)
{
    return check_machine(configuration, error) || configuration_locate_error(configuration, error);
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
    const Clock *const clocks[] = {machine->core, machine->network_clock, machine->l2,
                                   machine->dram_clock};
    for (guint i = 0; i < G_N_ELEMENTS(clocks); i++)
        if (g_str_equal(clocks[i]->name, name)) return clocks[i];
    g_error("there is no clock '%s'", name);
}

static void note_kernel_times(Machine *machine)
{
    const GArray *launches = machine->launches->launches;
    for (guint i = 0; i < launches->len; i++) {
        if (!machine->record[i].end) break;
        const KernelTime time = {&g_array_index(launches, Launch, i), machine->record[i].start,
                                 machine->record[i].end};
        g_array_append_val(machine->kernel_times, time);
    }
}

static bool start_engine(Machine *machine, uint32_t tiles, GError **error)
{
    if (machine->flow.file)
        return flow_platform_check(&machine->flow, machine->simulation, error)
               && simulation_start_engine(machine->simulation, machine->flow.file, error)
               && flow_platform_read(&machine->flow, machine->routes, machine->network_clock,
                                     error);
    g_autofree char *file = network_platform_write(machine->routes, tiles, error);
    if (!file) return false;
    const bool started = simulation_start_engine(machine->simulation, file, error);
    g_unlink(file);
    if (!started || !network_routes_read_back(machine->routes, error)) return false;
    return !machine_has_flow(machine)
           || flow_platform_read(&machine->flow, machine->routes, machine->network_clock, error);
}

bool machine_run(Machine *machine, RunReport *report, GError **error)
{
    uint32_t tiles;
    g_autofree uint32_t *tile_of = lay_out(machine, &tiles);
    const RunPlan plan = {.tile_of = tile_of, .tiles = tiles, .quantum = machine->run.quantum};
    if (!start_engine(machine, tiles, error)) return false;
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

const void *machine_measured(G_GNUC_UNUSED const Machine *machine, const Unit *unit)
{
    return unit_measured(unit);
}

Time machine_measured_span(const Machine *machine)
{
    Time span = 0, covered = 0; /* concurrent launches overlap */
    for (guint i = 0; i < machine->kernel_times->len; i++) {
        const KernelTime *time = &g_array_index(machine->kernel_times, KernelTime, i);
        if (!time->launch->measured || time->end <= covered) continue;
        span += time->end - MAX(time->start, covered);
        covered = time->end;
    }
    return span;
}
