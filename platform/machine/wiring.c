/* The channels between a machine's units. */
#include "platform/machine/private.h"

/* An announcement of the CTA dispatcher reaches every unit this many core cycles later at the
 * earliest; it bounds the lookahead, so it is about as long as the network links. */
enum { BOUNDARY_CYCLES = 64 };

static Time core_cycles(const Machine *machine, uint64_t cycles)
{
    return clock_cycles(machine->core, cycles);
}

static void wire_core(Machine *machine, uint32_t i)
{
    const ChannelParams *channels = &machine->channels;
    Unit *sm = machine->sm->pdata[i], *load_store = machine->load_store->pdata[i],
         *l1 = machine->l1->pdata[i], *texture = machine->texture->pdata[i];
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
        {l1, "to_sm_shared", 0, sm, "from_shared", 0, 0,
         core_cycles(machine, channels->shared_to_registers), 0},
        {l1, "to_sm_notices", 0, sm, "from_stores", 0, 0,
         core_cycles(machine, channels->l1_to_registers), 0},
        {l1, "to_sm", 0, sm, "from_l1", 0, 0, core_cycles(machine, channels->l1_to_registers), 0},
        {sm, "to_texture", 0, texture, "from_sm", 0, (uint32_t)channels->texture_issue_queue,
         core_cycles(machine, channels->texture_issue), cycle},
        {load_store, "to_texture", 0, texture, "from_load_store", 0,
         (uint32_t)channels->texture_input_queue, core_cycles(machine, channels->texture_input),
         cycle},
        {texture, "to_sm", 0, sm, "from_texture", 0, 0,
         core_cycles(machine, channels->texture_to_registers), 0},
        {texture, "to_sm_stores", 0, sm, "from_texture_stores", 0, 0,
         core_cycles(machine, channels->texture_to_registers), 0},
        {texture, "to_l1", 0, l1, "from_texture", 0, (uint32_t)channels->texture_to_l1_queue,
         core_cycles(machine, channels->texture_to_l1), cycle},
        {texture, "to_l1_misses", 0, l1, "from_texture_misses", 0,
         (uint32_t)channels->texture_to_l1_queue, core_cycles(machine, channels->texture_to_l1),
         cycle},
        {l1, "to_texture", 0, texture, "from_l1", 0, 0,
         core_cycles(machine, channels->l1_to_texture), 0},
        {l1, "to_texture_fills", 0, texture, "from_l1_fills", 0, 0,
         core_cycles(machine, channels->l1_to_texture), 0},
    };
    for (guint k = 0; k < G_N_ELEMENTS(wires); k++) wire_connect(&wires[k]);
}

static void wire_slice(Machine *machine, uint32_t i)
{
    const ChannelParams *channels = &machine->channels;
    Unit *slice = machine->slice->pdata[i], *scheduler = machine->scheduler->pdata[i],
         *dram = machine->channel->pdata[i], *rop = machine->rop->pdata[i];
    const Time to_rop = clock_cycles(machine->l2, channels->l2_to_rop),
               from_rop = clock_cycles(machine->l2, channels->rop_to_l2);
    const Wire wires[] = {
        {slice, "to_scheduler", 0, scheduler, "from_l2", 0,
         (uint32_t)channels->scheduler_input_queue,
         clock_cycles(machine->l2, channels->l2_to_scheduler),
         clock_cycles(machine->dram_clock, channels->scheduler_credit)},
        {scheduler, "to_dram", 0, dram, "from_scheduler", 0, 0,
         clock_cycles(machine->dram_clock, channels->scheduler_to_dram), 0},
        {dram, "to_l2", 0, slice, "from_dram", 0, 0,
         clock_cycles(machine->dram_clock, channels->dram_to_l2), 0},
        {slice, "to_rop", 0, rop, "from_l2", 0, (uint32_t)channels->rop_input_queue, to_rop,
         from_rop},
        {slice, "to_rop_data", 0, rop, "data_from_l2", 0, 0, to_rop, 0},
        {rop, "to_l2", 0, slice, "from_rop", 0, (uint32_t)channels->rop_output_queue, from_rop,
         to_rop},
    };
    for (guint k = 0; k < G_N_ELEMENTS(wires); k++) wire_connect(&wires[k]);
}

/* To the slice at the same place of the other half. A slice has reserved room for what comes back
 * and for what makes it drop copies. */
static void wire_halves(Machine *machine)
{
    const Time delay = clock_cycles(machine->l2, machine->channels.l2_cross);
    if (machine->params.l2_halves < 2) return;
    for (uint32_t i = 0; i < machine->slice->len; i++) {
        Unit *slice = machine->slice->pdata[i],
             *twin = machine->slice->pdata[address_map_twin(&machine->address_map, i)];
        wire_connect(&(Wire){slice, "to_far_requests", 0, twin, "from_far_requests", 0,
                             (uint32_t)machine->channels.l2_cross_queue, delay, delay});
        wire_connect(&(Wire){slice, "to_far_replies", 0, twin, "from_far_replies", 0, 0, delay, 0});
    }
}

/* An input or output of the network: the crossbar's own, or one of the router at its stop. */
typedef struct {
    Unit *unit;
    uint32_t index;
} NetworkEnd;

static NetworkEnd find_end(const Machine *machine, NetworkRole role, bool source, uint32_t number)
{
    if (machine->topology.kind == TOPOLOGY_CROSSBAR)
        return (NetworkEnd){machine->crossbar[role], number};
    const uint32_t s = topology_stop_of(&machine->topology, role, source, number);
    const RouterStop *stop = &machine->topology.network[role].stop[s];
    const uint32_t *ends = source ? stop->source : stop->destination;
    const uint32_t count = source ? stop->sources : stop->destinations;
    uint32_t k = 0;
    while (k < count && ends[k] != number) k++;
    g_assert(k < count);
    return (NetworkEnd){machine->router[role]->pdata[s], ROUTER_LINKS + k};
}

/* Into a network through a source's link, out of it through a destination's. A credit takes as
 * long as a packet. Replies need no bound at their end: an SM has reserved room for each. */
static void wire_network(Machine *machine, NetworkRole role, const GPtrArray *sources,
                         const GPtrArray *destinations)
{
    const bool request = role == NETWORK_REQUEST;
    for (uint32_t i = 0; i < sources->len; i++) {
        const Time delay = topology_latency(&machine->routes[role].up[i], machine->network_clock);
        const NetworkEnd end = find_end(machine, role, true, i);
        wire_connect(&(Wire){sources->pdata[i], request ? "to_request_network" : "to_reply_network",
                             0, end.unit, "inputs", end.index,
                             (uint32_t)machine->network.input_buffer, delay, delay});
    }
    for (uint32_t j = 0; j < destinations->len; j++) {
        const Time delay = topology_latency(&machine->routes[role].down[j], machine->network_clock);
        const NetworkEnd end = find_end(machine, role, false, j);
        wire_connect(&(Wire){end.unit, "outputs", end.index, destinations->pdata[j],
                             request ? "from_network" : "from_reply_network", 0,
                             request ? (uint32_t)machine->network.l2_input_buffer : 0, delay,
                             delay});
    }
}

static bool is_enabled(const Unit *unit)
{
    return *(const bool *)unit_parameter(unit, "enabled", PARAM_BOOL);
}

/* Without it no translation is ever asked for. */
static void wire_mmu(Machine *machine)
{
    const ChannelParams *channels = &machine->channels;
    if (!is_enabled(machine->mmu)) return;
    unit_size_ports(machine->mmu, "from_l1", machine->l1->len);
    unit_size_ports(machine->mmu, "to_l1", machine->l1->len);
    for (uint32_t i = 0; i < machine->l1->len; i++) {
        Unit *l1 = machine->l1->pdata[i];
        wire_connect(&(Wire){
            l1, "to_mmu", 0, machine->mmu, "from_l1", i, (uint32_t)channels->mmu_input_queue,
            core_cycles(machine, channels->l1_to_mmu), core_cycles(machine, channels->l1_to_mmu)});
        wire_connect(&(Wire){machine->mmu, "to_l1", i, l1, "from_mmu", 0, 0,
                             core_cycles(machine, channels->mmu_to_l1), 0});
    }
}

/* All paths to it are equally long. */
static void wire_monitor(Machine *machine)
{
    const Time delay = core_cycles(machine, machine->channels.reports);
    if (!is_enabled(machine->monitor)) return;
    unit_size_ports(machine->monitor, "from_l2", machine->slice->len);
    unit_size_ports(machine->monitor, "from_l1", machine->l1->len);
    for (uint32_t j = 0; j < machine->slice->len; j++)
        wire_connect(&(Wire){machine->slice->pdata[j], "to_monitor", 0, machine->monitor, "from_l2",
                             j, 0, delay, 0});
    for (uint32_t i = 0; i < machine->l1->len; i++)
        wire_connect(&(Wire){machine->l1->pdata[i], "to_monitor", 0, machine->monitor, "from_l1", i,
                             0, delay, 0});
}

static void size_networks(Machine *machine)
{
    for (uint32_t n = 0; n < NETWORKS; n++) {
        if (machine->topology.kind == TOPOLOGY_CROSSBAR) {
            unit_size_ports(machine->crossbar[n], "inputs", machine->routes[n].sources);
            unit_size_ports(machine->crossbar[n], "outputs", machine->routes[n].destinations);
            if (machine_has_flow(machine))
                unit_size_ports(machine->crossbar[n], "arrivals", machine->routes[n].sources);
        } else {
            topology_connect(&machine->topology.network[n], machine->router[n],
                             (uint32_t)machine->network.link_buffer);
        }
    }
}

void machine_wire(Machine *machine)
{
    unit_size_ports(machine->dispatcher, "to_sm", machine->sm->len);
    unit_size_ports(machine->dispatcher, "from_sm", machine->sm->len);
    size_networks(machine);
    for (uint32_t i = 0; i < machine->sm->len; i++) wire_core(machine, i);
    for (uint32_t i = 0; i < machine->slice->len; i++) wire_slice(machine, i);
    wire_halves(machine);
    wire_network(machine, NETWORK_REQUEST, machine->l1, machine->slice);
    wire_network(machine, NETWORK_REPLY, machine->slice, machine->l1);
    wire_mmu(machine);
    wire_monitor(machine);
    simulation_set_boundary_delay(machine->simulation, core_cycles(machine, BOUNDARY_CYCLES));
}
