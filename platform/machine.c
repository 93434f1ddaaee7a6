#include "platform/machine.h"

#include "kit/network.h"
#include "parts/coalescer.h"
#include "platform/channels.h"
#include "platform/deployment.h"
#include "platform/network_platform.h"
#include "platform/shared_groups.h"

#include <glib/gstdio.h>
#include <string.h>

extern const UnitClass cta_dispatcher_class, sm_class, load_store_class, l1_class, crossbar_class,
    l2_slice_class, access_scheduler_class, dram_channel_class;

/* An announcement of the CTA dispatcher reaches every unit this many core cycles later at the
 * earliest; it bounds the lookahead, so it is about as long as the network links. */
enum { BOUNDARY_CYCLES = 64, UNITS_MAX = 64 };

struct Machine {
    MachineParams params;
    SimulationParams run;
    NetworkParams network;
    ChannelParams channels;
    AddressMap address_map;
    DramTiming dram;
    LineShape line;
    NetworkRoutes routes[NETWORKS];
    LaunchList *launches;
    LaunchRecord *record;
    GArray *kernel_times;
    Simulation *simulation;
    const Clock *core, *network_clock, *l2, *dram_clock;
    Unit *dispatcher, *crossbar[NETWORKS];
    GPtrArray *sm, *load_store, *l1, *slice, *scheduler, *channel;
};

static const char *const deployments[] = {"auto", "sm", "unit", NULL};

static const Param simulation_params[] = {
    PARAM_ONE_OF(
        SimulationParams, deployment, deployments, "auto",
        "which units share a SimGrid actor: two tiles, one an SM and a partition, one a unit"),
    PARAM_NUMBER(SimulationParams, quantum, PARAM_TIME, "0 ns", 0, 1e12,
                 "window of a tile; 0: as long as the lookahead allows"),
    PARAM_NUMBER(SimulationParams, seed, PARAM_COUNT, "1", 0, 9e15, "seed of every random choice"),
    PARAM_END};

const ParamGroup simulation_group = {"simulation", "how to run; only the seed changes results",
                                     simulation_params};

static const Param machine_rows[] = {
    PARAM_STRING(MachineParams, name, "", "what the machine is called in reports"),
    PARAM_NUMBER(MachineParams, sms, PARAM_COUNT, "1", 1, 1024, "streaming multiprocessors"),
    PARAM_NUMBER(MachineParams, partitions, PARAM_COUNT, "1", 1, 1024,
                 "memory partitions; any number"),
    PARAM_NUMBER(MachineParams, slices_per_partition, PARAM_COUNT, "2", 1, 16,
                 "L2 slices of a partition, each with a scheduler and a DRAM channel"),
    PARAM_NUMBER(MachineParams, core_clock, PARAM_FREQUENCY, "1380 MHz", 1e6, 1e10,
                 "clock of SMs and L1"),
    PARAM_NUMBER(MachineParams, network_clock, PARAM_FREQUENCY, "1380 MHz", 1e6, 1e10,
                 "clock of the networks"),
    PARAM_NUMBER(MachineParams, l2_clock, PARAM_FREQUENCY, "1380 MHz", 1e6, 1e10,
                 "clock of the L2 slices"),
    PARAM_NUMBER(MachineParams, dram_clock, PARAM_FREQUENCY, "877 MHz", 1e6, 1e10,
                 "DRAM command clock"),
    PARAM_NUMBER(MachineParams, line_bytes, PARAM_BYTES, "128 B", 32, 512,
                 "cache line of L1 and L2"),
    PARAM_NUMBER(MachineParams, sector_bytes, PARAM_BYTES, "32 B", 16, 512,
                 "sector of a line: what is fetched and kept valid"),
    PARAM_NUMBER(
        MachineParams, peak_bandwidth_gbps, PARAM_COUNT, "0", 0, 100000,
        "DRAM bandwidth of the data sheet in GB/s, checked against width x clock within 2 %; 0: not stated"),
    PARAM_END};

const ParamGroup machine_group = {"machine", "how many of what, and the clocks", machine_rows};

/* --- tables ----------------------------------------------------------------------------------- */

const ParamGroup *const *machine_groups(void)
{
    static ParamGroup unit_groups[UNITS_MAX];
    static const ParamGroup *groups[UNITS_MAX + 8];
    if (groups[0]) return groups;
    const ParamGroup *const own[] = {&machine_group, &address_map_group, &network_group,
                                     &channels_group, &dram_group};
    guint count = 0;
    for (guint i = 0; i < G_N_ELEMENTS(own); i++) groups[count++] = own[i];
    const UnitClass *const *classes = machine_unit_classes();
    for (guint i = 0; classes[i]; i++) {
        unit_groups[i] = (ParamGroup){classes[i]->name, classes[i]->summary, classes[i]->params};
        groups[count++] = &unit_groups[i];
    }
    groups[count++] = &simulation_group;
    groups[count] = NULL;
    return groups;
}

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

static bool is_power_of_two(uint64_t value)
{
    return value && !(value & (value - 1));
}

double machine_peak_dram_bandwidth(const Machine *machine)
{
    const double channels =
        (double)(machine->params.partitions * machine->params.slices_per_partition);
    return channels * (double)machine->dram.channel_width * (double)machine->dram.data_rate
           * (double)machine->params.dram_clock;
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

static bool read_parameters(Machine *machine, const Configuration *configuration, GError **error)
{
    if (!configuration_apply(configuration, &machine_group, &machine->params, error)
        || !configuration_apply(configuration, &simulation_group, &machine->run, error)
        || !configuration_apply(configuration, &network_group, &machine->network, error)
        || !configuration_apply(configuration, &channels_group, &machine->channels, error)
        || !configuration_apply(configuration, &address_map_group, &machine->address_map, error)
        || !configuration_apply(configuration, &dram_group, &machine->dram, error))
        return false;
    const uint64_t slices = machine->params.partitions * machine->params.slices_per_partition;
    if (!address_map_setup(&machine->address_map, slices, error)
        || !dram_timing_setup(&machine->dram, error))
        return false;
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
                       "sm[%u].l1", i);
}

static bool add_slice(Machine *machine, const Configuration *configuration, uint32_t i,
                      GError **error)
{
    const uint32_t partition = i / (uint32_t)machine->params.slices_per_partition;
    const uint32_t slice = i % (uint32_t)machine->params.slices_per_partition;
    return add_unit(machine, configuration, &l2_slice_class, i, machine->l2, machine->slice, error,
                    "partition[%u].slice[%u]", partition, slice)
           && add_unit(machine, configuration, &access_scheduler_class, i, machine->dram_clock,
                       machine->scheduler, error, "partition[%u].slice[%u].scheduler", partition,
                       slice)
           && add_unit(machine, configuration, &dram_channel_class, i, machine->dram_clock,
                       machine->channel, error, "partition[%u].slice[%u].dram", partition, slice);
}

static bool add_units(Machine *machine, const Configuration *configuration, GError **error)
{
    static const char *const network_names[NETWORKS] = {"request", "reply"};
    const uint64_t slices = machine->params.partitions * machine->params.slices_per_partition;
    machine->dispatcher = add_unit(machine, configuration, &cta_dispatcher_class, 0, machine->core,
                                   NULL, error, "cta_dispatcher");
    if (!machine->dispatcher) return false;
    for (uint32_t i = 0; i < machine->params.sms; i++)
        if (!add_core(machine, configuration, i, error)) return false;
    for (uint32_t n = 0; n < NETWORKS; n++) {
        machine->crossbar[n] =
            add_unit(machine, configuration, &crossbar_class, n, machine->network_clock, NULL,
                     error, "crossbar[%s]", network_names[n]);
        if (!machine->crossbar[n]) return false;
    }
    for (uint32_t i = 0; i < slices; i++)
        if (!add_slice(machine, configuration, i, error)) return false;
    return true;
}

static void share_facts(Machine *machine)
{
    simulation_share(machine->simulation, "line", &machine->line);
    simulation_share(machine->simulation, "address_map", &machine->address_map);
    simulation_share(machine->simulation, "dram", &machine->dram);
    simulation_share(machine->simulation, "networks", machine->routes);
    simulation_share(machine->simulation, "launches", machine->launches);
    simulation_share(machine->simulation, "record", machine->record);
}

/* --- wires ------------------------------------------------------------------------------------ */

static Time core_cycles(const Machine *machine, uint64_t cycles)
{
    return clock_cycles(machine->core, cycles);
}

static void wire_core(Machine *machine, uint32_t i)
{
    const ChannelParams *channels = &machine->channels;
    Unit *sm = machine->sm->pdata[i], *load_store = machine->load_store->pdata[i],
         *l1 = machine->l1->pdata[i];
    const Time launch = core_cycles(machine, channels->cta_launch),
               drain = core_cycles(machine, channels->cta_drain);
    const Time cycle = machine->core->period;
    const Wire wires[] = {
        {machine->dispatcher, "to_sm", i, sm, "from_dispatcher", 0, 0, launch, 0},
        {sm, "to_dispatcher", 0, machine->dispatcher, "from_sm", i, 0, drain, 0},
        {sm, "to_load_store", 0, load_store, "from_sm", 0, (uint32_t)channels->issue_queue,
         core_cycles(machine, channels->issue), cycle},
        {load_store, "to_l1", 0, l1, "from_load_store", 0, (uint32_t)channels->l1_input_queue,
         core_cycles(machine, channels->l1_input), cycle},
        {load_store, "to_sm", 0, sm, "from_load_store", 0, 0,
         core_cycles(machine, channels->shared_to_registers), 0},
        {l1, "to_sm", 0, sm, "from_l1", 0, 0, core_cycles(machine, channels->l1_to_registers), 0},
    };
    for (guint k = 0; k < G_N_ELEMENTS(wires); k++)
        simulation_connect(machine->simulation, &wires[k]);
}

static void wire_slice(Machine *machine, uint32_t i)
{
    const ChannelParams *channels = &machine->channels;
    Unit *slice = machine->slice->pdata[i], *scheduler = machine->scheduler->pdata[i],
         *dram = machine->channel->pdata[i];
    const Wire wires[] = {
        {slice, "to_scheduler", 0, scheduler, "from_l2", 0,
         (uint32_t)channels->scheduler_input_queue,
         clock_cycles(machine->l2, channels->l2_to_scheduler),
         clock_cycles(machine->dram_clock, channels->scheduler_credit)},
        {scheduler, "to_dram", 0, dram, "from_scheduler", 0, 0,
         clock_cycles(machine->dram_clock, channels->scheduler_to_dram), 0},
        {dram, "to_l2", 0, slice, "from_dram", 0, 0,
         clock_cycles(machine->dram_clock, channels->dram_to_l2), 0},
    };
    for (guint k = 0; k < G_N_ELEMENTS(wires); k++)
        simulation_connect(machine->simulation, &wires[k]);
}

/* A link's latency in whole cycles of the network clock. */
static Time latency_of(const Machine *machine, const NetworkLink *link)
{
    const double cycles = link->latency / time_to_ns(machine->network_clock->period);
    return clock_cycles(machine->network_clock, (uint64_t)(cycles + 0.5));
}

/* Into a network through a source's link, out of it through a destination's. A credit takes as
 * long as a packet. Replies need no bound at their end: an SM has reserved room for each. */
static void wire_network(Machine *machine, NetworkRole role, const GPtrArray *sources,
                         const GPtrArray *destinations)
{
    const bool request = role == NETWORK_REQUEST;
    Unit *crossbar = machine->crossbar[role];
    for (uint32_t i = 0; i < sources->len; i++) {
        const Time delay = latency_of(machine, &machine->routes[role].up[i]);
        simulation_connect(
            machine->simulation,
            &(Wire){sources->pdata[i], request ? "to_request_network" : "to_reply_network", 0,
                    crossbar, "inputs", i, (uint32_t)machine->network.input_buffer, delay, delay});
    }
    for (uint32_t j = 0; j < destinations->len; j++) {
        const Time delay = latency_of(machine, &machine->routes[role].down[j]);
        simulation_connect(machine->simulation,
                           &(Wire){crossbar, "outputs", j, destinations->pdata[j],
                                   request ? "from_network" : "from_reply_network", 0,
                                   request ? (uint32_t)machine->network.l2_input_buffer : 0, delay,
                                   delay});
    }
}

static void wire_all(Machine *machine)
{
    unit_size_ports(machine->dispatcher, "to_sm", machine->sm->len);
    unit_size_ports(machine->dispatcher, "from_sm", machine->sm->len);
    unit_size_ports(machine->crossbar[NETWORK_REQUEST], "inputs", machine->sm->len);
    unit_size_ports(machine->crossbar[NETWORK_REQUEST], "outputs", machine->slice->len);
    unit_size_ports(machine->crossbar[NETWORK_REPLY], "inputs", machine->slice->len);
    unit_size_ports(machine->crossbar[NETWORK_REPLY], "outputs", machine->sm->len);
    for (uint32_t i = 0; i < machine->sm->len; i++) wire_core(machine, i);
    for (uint32_t i = 0; i < machine->slice->len; i++) wire_slice(machine, i);
    wire_network(machine, NETWORK_REQUEST, machine->l1, machine->slice);
    wire_network(machine, NETWORK_REPLY, machine->slice, machine->l1);
    simulation_set_boundary_delay(machine->simulation, core_cycles(machine, BOUNDARY_CYCLES));
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
    GPtrArray **lists[] = {&machine->sm,    &machine->load_store, &machine->l1,
                           &machine->slice, &machine->scheduler,  &machine->channel};
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++) *lists[i] = g_ptr_array_new();
    machine->kernel_times = g_array_new(FALSE, TRUE, sizeof(KernelTime));
    machine->launches = launches ? launches : launch_list_new();
    machine->record = g_new0(LaunchRecord, machine->launches->launches->len + 1);
    if (!read_parameters(machine, configuration, error)) return NULL;
    add_clocks(machine);
    network_routes_init(
        machine->routes, (uint32_t)machine->params.sms,
        (uint32_t)(machine->params.partitions * machine->params.slices_per_partition));
    network_routes_predict(machine->routes, &machine->network, machine->network_clock);
    if (!add_units(machine, configuration, error)) return NULL;
    share_facts(machine);
    return g_steal_pointer(&machine);
}

void machine_free(Machine *machine)
{
    if (!machine) return;
    g_clear_pointer(&machine->simulation, simulation_free);
    g_clear_pointer(&machine->launches, launch_list_free);
    GPtrArray *lists[] = {machine->sm,    machine->load_store, machine->l1,
                          machine->slice, machine->scheduler,  machine->channel};
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++) g_ptr_array_unref(lists[i]);
    g_array_unref(machine->kernel_times);
    network_routes_finish(machine->routes);
    param_clear(machine_group.params, &machine->params);
    g_free(machine->record);
    g_free(machine);
}

bool machine_check(const Configuration *configuration, GError **error)
{
    g_autoptr(Machine) machine = machine_new(configuration, NULL, error);
    if (!machine) return false;
    wire_all(machine);
    return simulation_setup(machine->simulation, error);
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
    g_autofree char *file = network_platform_write(machine->routes, tiles, error);
    if (!file) return false;
    const bool started = simulation_start_engine(machine->simulation, file, error);
    g_unlink(file);
    return started && network_routes_read_back(machine->routes, error);
}

bool machine_run(Machine *machine, RunReport *report, GError **error)
{
    RunPlan plan = {.quantum = machine->run.quantum};
    g_autofree uint32_t *tile_of =
        deployment_lay_out(machine->simulation, (Deployment)machine->run.deployment,
                           machine->params.slices_per_partition, &plan.tiles);
    plan.tile_of = tile_of;
    if (!start_engine(machine, plan.tiles, error)) return false;
    wire_all(machine);
    if (!simulation_setup(machine->simulation, error)) return false;
    const bool finished = simulation_run(machine->simulation, &plan, report, error);
    note_kernel_times(machine);
    return finished;
}

const GArray *machine_kernel_times(const Machine *machine)
{
    return machine->kernel_times;
}

const void *machine_measured(const Machine *machine, const Unit *unit)
{
    (void)machine;
    return unit->measured ? unit->measured : unit;
}

Time machine_measured_span(const Machine *machine)
{
    Time span = 0;
    for (guint i = 0; i < machine->kernel_times->len; i++) {
        const KernelTime *time = &g_array_index(machine->kernel_times, KernelTime, i);
        if (time->launch->measured) span += time->end - time->start;
    }
    return span;
}

/* --- warnings --------------------------------------------------------------------------------- */

static void warn_if_short(GPtrArray *warnings, const char *queue, uint64_t room,
                          uint64_t round_trip, double rate)
{
    if ((double)room >= rate * (double)round_trip) return;
    g_ptr_array_add(
        warnings,
        g_strdup_printf(
            "%s = %" G_GUINT64_FORMAT
            ": too small to keep its path busy; %.2f a cycle over a round trip of %" G_GUINT64_FORMAT
            " cycles need %.0f",
            queue, room, rate, round_trip, rate * (double)round_trip));
}

GPtrArray *machine_warnings(const Machine *machine)
{
    GPtrArray *warnings = g_ptr_array_new_with_free_func(g_free);
    const NetworkParams *network = &machine->network;
    const ChannelParams *channels = &machine->channels;
    warn_if_short(warnings, "network.input_buffer", network->input_buffer,
                  2 * network->request_source_latency, 1);
    warn_if_short(warnings, "network.l2_input_buffer", network->l2_input_buffer,
                  2 * network->request_destination_latency, 1);
    warn_if_short(warnings, "channels.issue_queue", channels->issue_queue, channels->issue + 1, 1);
    warn_if_short(warnings, "channels.l1_input_queue", channels->l1_input_queue,
                  channels->l1_input + 1, 1);
    return warnings;
}
