/* A crossbar between sources and destinations, of packets. Two stand in a machine: the request
 * network (SMs to L2 slices) and the reply network (back).
 *
 *   source i ══ link up[i] ══> [queues of input i] ─┐
 *                                                   ├─ output j [queue] ══ link down[j] ══> dest. j
 *   source k ══ link up[k] ══> [queues of input k] ─┘
 *
 * Links are SimGrid's: their bandwidths say how long a packet occupies them, their latencies are
 * the channels' delays. A packet is served link by link when its head arrives (cut-through);
 * nothing is reserved at injection. Where SMs and slices have places (network.sm_places) a packet
 * takes the wire from the one to the other behind its output, and none passes another there.
 * crossbar/fifo.c: only the head of an input's one queue asks
 * for its output, so a blocked head blocks what is behind it. crossbar/virtual.c: one queue an
 * output. crossbar/output.c: with speed-up, the queues in front of the outgoing links.
 *
 * Not modelled: virtual channels, flits of several packets interleaved on one link. Sources:
 * packet = 8 B header + data, links of 40 B a cycle (GPGPU-Sim's QV100 configuration: flits of
 * 40 B). */
#include "units/crossbar/private.h"

static const char *const queueing_names[] = {"fifo", "virtual_output", NULL};
static const char *const arbitration_names[] = {"round_robin", "oldest_first", "islip", NULL};

#define NETWORKS .relieves = "request_network reply_network network"

static const Param params[] = {
    PARAM_NUMBER(Crossbar, header_bytes, PARAM_BYTES, "8 B", 0, 256,
                 "bytes of a packet besides its data"),
    PARAM_ONE_OF(Crossbar, queueing, queueing_names, "fifo",
                 "an input's packets stand in one queue, or in one for each output", NETWORKS),
    PARAM_ONE_OF(Crossbar, arbitration, arbitration_names, "round_robin",
                 "which input an output takes: the next in turn, that of the packet which came "
                 "first, or as iSLIP matches them",
                 NETWORKS),
    PARAM_NUMBER(Crossbar, islip_iterations, PARAM_COUNT, "4", 1, 64,
                 "rounds of grants and acceptances in a matching", .doubling = TWICE, NETWORKS,
                 .only_if = "arbitration = islip"),
    PARAM_NUMBER(Crossbar, speedup, PARAM_COUNT, "1", 1, 64,
                 "flits the crossbar moves from an input and to an output in the time a link "
                 "carries one; from 2 on there are queues at the outputs",
                 .doubling = TWICE, NETWORKS),
    PARAM_NUMBER(Crossbar, output_buffer, PARAM_COUNT, "16", 1, 65536, "packets such a queue holds",
                 .doubling = TWICE, NETWORKS, .only_if = "speedup != 1"),
    PARAM_END};

/* A byte of a packet: into a buffer at its input and out of it. */
static double energy_of_buffer(const Unit *unit, const EnergyFigures *figures)
{
    StorageSize size = crossbar_packet_size(unit, &figures->machine);
    size.entries = figures->buffer;
    return 2 * energy_array(figures, &size, 8);
}

/* ... and over the wires. */
static double energy_of_wires(const Unit *unit, const EnergyFigures *figures)
{
    (void)unit;
    return energy_wire(figures, 8, figures->crossbar_mm);
}

static const Stat stats[] = {
    STAT_NUMBER(Crossbar, packets, STAT_COUNT, "lts__t_requests.sum", "packets that went through",
                RULES(PART_TAKES("request", "requests pass the crossbar"),
                      PART_TAKES("reply", "replies pass the crossbar"))),
    STAT_NUMBER_OVER_TIME(
        Crossbar, bytes, STAT_BYTES, NULL, "bytes on the output links, headers included",
        CURVES(PART_CURVE("request", "request network"), PART_CURVE("reply", "reply network")),
        ENERGY(IN_STAGES(REQUEST_QUEUE, REPLY_QUEUE, energy_of_buffer),
               IN_STAGES(REQUEST_WIRE, REPLY_WIRE, energy_of_wires))),
    STAT_NUMBER(Crossbar, busy, STAT_TIME, NULL, "sum over outputs of the time they were occupied"),
    STAT_NUMBER(Crossbar, busy_sources, STAT_TIME, NULL,
                "sum over inputs of the time the links from their sources were occupied"),
    STAT_NUMBER(Crossbar, wire_time, STAT_TIME, NULL,
                "sum over packets of the time on the wire from their source's place to their "
                "destination's, or there behind one from farther"),
    STAT_NUMBER(Crossbar, blocked_head, STAT_COUNT, NULL,
                "heads that found their output occupied or asked for"),
    STAT_NUMBER(Crossbar, head_wait, STAT_TIME, NULL,
                "sum of the times that heads of queues waited for their output; what stands behind "
                "them in the queue waits as well"),
    STAT_NUMBER(Crossbar, blocked_output, STAT_COUNT, NULL, "times a destination had no room"),
    STAT_NUMBER(Crossbar, full_input, STAT_COUNT, NULL,
                "packets that took the last place of an input"),
    STAT_NUMBER(Crossbar, full_output, STAT_COUNT, NULL, "times an output's queue had no room"),
    STAT_NUMBER(Crossbar, least_from_input, STAT_COUNT, NULL,
                "packets of the input that sent fewest, up to the last measured kernel's end"),
    STAT_NUMBER(Crossbar, most_from_input, STAT_COUNT, NULL, "... of the one that sent most"),
    STAT_NUMBER(Crossbar, least_to_output, STAT_COUNT, NULL,
                "packets to the output that got fewest"),
    STAT_NUMBER(Crossbar, most_to_output, STAT_COUNT, NULL, "... to the one that got most"),
    STAT_OCCUPANCY_OVER_TIME(
        Crossbar, queued, NULL, "packets in all input queues",
        CURVES(PART_CURVE("request", "request network: packets an SM",
                          .among = MEANS_WARP_INSTRUCTIONS),
               PART_CURVE("reply", "reply network: packets a slice", .among = MEANS_L2_LOOKUPS)),
        .track = {"a crossbar", "packets waiting"}),
    STAT_OCCUPANCY(Crossbar, output_queued, NULL, "packets in all output queues"),
    STAT_END};

/* What an input has not passed on holds its places, which are those of the channel from its source.
 * Without speed-up an output takes a packet as long as its link does. */
static const ResourceRow resources[] = {
    RESOURCE_MANY_SERVERS(Crossbar, source_links, "links from sources", .unit = "packets",
                          .component = "network", .feeds = "passing", .refuses = "inputs",
                          .rests_on = "network.*_source_bandwidth", .links = LINKS_INTO,
                          .work = "packets"),
    RESOURCE_MANY_SERVERS(Crossbar, passing, "inputs: each passes on one packet at a time",
                          .unit = "packets", .component = "network", .feeds = "taking",
                          .refuses = "inputs"),
    RESOURCE_MANY_SERVERS(Crossbar, taking, "outputs: each takes one packet at a time",
                          .unit = "packets", .component = "network",
                          .feeds = "output_queues destination_links", .refuses = "inputs",
                          .refusals = "blocked_head"),
    RESOURCE_MANY_PLACES(Crossbar, output_queues, "queues at the outputs, with speed-up",
                         RESOURCE_CAPACITY(Crossbar, output_buffer), .unit = "packets",
                         .component = "network", .feeds = "destination_links", .refuses = "inputs",
                         .refusals = "full_output"),
    RESOURCE_MANY_SERVERS(Crossbar, destination_links, "links to destinations", .unit = "packets",
                          .component = "network", .headline = "network", .feeds = "outputs",
                          .refuses = "inputs output_queues",
                          .rests_on = "network.*_destination_bandwidth", .links = LINKS_OUT,
                          .work = "packets"),
    RESOURCE_END};

static const PortRow ports[] = {PORT_INPUTS(Crossbar, inputs, "packets from sources"),
                                PORT_OUTPUTS(Crossbar, outputs, "packets to destinations"),
                                PORT_END};

static const SharedRow shared[] = {SHARED(Crossbar, networks), SHARED(Crossbar, line), SHARED_END};

/* All sets lie one after the other. */
static void make_sets(Crossbar *self)
{
    const uint32_t inputs = self->inputs.count, outputs = self->outputs.count;
    self->words = (inputs + WORD - 1) / WORD;
    self->output_words = (outputs + WORD - 1) / WORD;
    uint64_t *next = self->sets = g_new0(uint64_t, (size_t)(outputs + 2) * self->words
                                                       + (size_t)(inputs + 4) * self->output_words);
    for (uint32_t j = 0; j < outputs; j++, next += self->words) self->output[j].asking = next;
    for (uint32_t i = 0; i < inputs; i++, next += self->output_words) self->input[i].wanted = next;
    self->idle = next;
    self->offered = self->idle + self->words;
    self->changed = self->offered + self->words;
    self->matching = self->changed + self->output_words;
    self->timed = self->matching + self->output_words;
    self->blocked = self->timed + self->output_words;
    for (uint32_t i = 0; i < inputs; i++) set_insert(self->idle, i);
}

static void make_resources(Crossbar *self)
{
    self->source_links = server_array_new(self->inputs.count);
    self->passing = server_array_new(self->inputs.count);
    self->destination_links = server_array_new(self->outputs.count);
    /* without speed-up an output takes what its link carries, for as long */
    const bool one = self->speedup == 1 && !is_ideal(self);
    self->taking = one ? self->destination_links : server_array_new(self->outputs.count);
    self->output_queues = level_array_new(self->outputs.count);
    self->source_links.names = self->routes->up_name;
    self->destination_links.names = self->routes->down_name;
}

static void make_wires(Crossbar *self)
{
    const NetworkWires *wires = &self->routes->wires;
    const uint32_t count = wires->source_places * wires->destination_places;
    const Clock *clock = self->unit.clock;
    if (!count) return;
    self->wire = g_new(Time, count);
    self->last = g_new0(Time, self->outputs.count);
    for (uint32_t k = 0; k < count; k++)
        self->wire[k] = clock_cycles(
            clock, (uint64_t)(wires->wire[k].latency / time_to_ns(clock->period) + 0.5));
}

static void fill_cycles(const Crossbar *self, const NetworkLink *link, uint64_t *cycles)
{
    const double per_cycle = link->bandwidth * time_to_ns(self->unit.clock->period);
    if (is_ideal(self)) return;
    for (uint32_t s = 0; s < PACKET_SIZES; s++)
        cycles[s] = network_link_cycles(self->packet_bytes[s], per_cycle);
}

/* Links side by side that are alike share theirs, which lie behind the pointers to them. */
static const uint64_t **new_cycles(const Crossbar *self, const NetworkLink *links, uint32_t count)
{
    const uint64_t **of = g_malloc0_n(count, sizeof *of + PACKET_SIZES * sizeof **of);
    uint64_t *next = (uint64_t *)(void *)(of + count);
    for (uint32_t i = 0; i < count; i++) {
        const bool as_before = i && links[i].bandwidth == links[i - 1].bandwidth;
        of[i] = as_before ? of[i - 1] : next;
        if (as_before) continue;
        fill_cycles(self, &links[i], next);
        next += PACKET_SIZES;
    }
    return of;
}

static void make_links(Crossbar *self)
{
    const NetworkRoutes *routes = self->routes;
    const PacketFormat format = {(uint32_t)self->header_bytes, self->line->sector_bytes,
                                 routes->flit_bytes};
    for (uint32_t s = 0; s < PACKET_SIZES; s++)
        self->packet_bytes[s] = network_format_bytes(&format, s);
    self->up_cycles = new_cycles(self, routes->up, self->inputs.count);
    self->down_cycles = new_cycles(self, routes->down, self->outputs.count);
}

static const CrossbarStages stages_of[] = {
    [NETWORK_REQUEST] = {STAGE_REQUEST_QUEUE, STAGE_REQUEST_TRANSFER, STAGE_REQUEST_WIRE},
    [NETWORK_REPLY] = {STAGE_REPLY_QUEUE, STAGE_REPLY_TRANSFER, STAGE_REPLY_WIRE}};

static bool setup(Unit *unit, GError **error)
{
    (void)error;
    Crossbar *self = (Crossbar *)unit;
    self->routes = &self->networks[unit->number];
    self->stages = stages_of[unit->number];
    self->input = g_aligned_alloc0(self->inputs.count, sizeof(Input), HOST_LINE);
    self->output = g_aligned_alloc0(self->outputs.count, sizeof(Output), HOST_LINE);
    self->room_at = g_new0(Time, self->outputs.count);
    make_sets(self);
    make_resources(self);
    make_wires(self);
    if (self->queueing == QUEUEING_VIRTUAL_OUTPUT || is_ideal(self))
        self->virtual = g_new0(VirtualQueue, (size_t)self->inputs.count * self->outputs.count);
    make_links(self);
    for (uint32_t i = 0; i < self->inputs.count; i++) self->input[i].offer = NONE;
    return true;
}

static void teardown(Unit *unit)
{
    Crossbar *self = (Crossbar *)unit;
    g_free(self->source_links.at);
    g_free(self->passing.at);
    if (self->taking.at != self->destination_links.at) g_free(self->taking.at);
    g_free(self->destination_links.at);
    g_free(self->output_queues.at);
    g_aligned_free(self->input);
    g_aligned_free(self->output);
    g_free(self->sets);
    g_free(self->room_at);
    g_free(self->waiting);
    g_free(self->virtual);
    g_free(self->wire);
    g_free(self->last);
    g_free(self->up_cycles);
    g_free(self->down_cycles);
    crossbar_forget_events(self);
}

/* --- the step --------------------------------------------------------------------------------- */

static void see_arrivals(Crossbar *self, uint32_t i, Time now)
{
    Port *port = &self->inputs.at[i];
    Input *input = &self->input[i];
    const bool was_empty = input->seen == 0;
    for (uint32_t k = input->seen; k < port->count; k++) {
        Transaction *packet = (Transaction *)port_peek_at(port, k);
        packet->entered = now;
        transaction_enter(packet, self->stages.queue, now);
        level_enter(&self->queued, now);
    }
    self->full_input += port->channel->capacity == port->count + input->held;
    input->seen = port->count;
    if (is_ideal(self))
        crossbar_ideal_admit(self, i);
    else if (self->queueing == QUEUEING_FIFO)
        crossbar_fifo_arrive(self, i, was_empty, now);
    else
        crossbar_virtual_admit(self, i, now);
}

static void step(Unit *unit, Time now)
{
    Crossbar *self = (Crossbar *)unit;
    for (uint32_t k = 0; k < unit->fresh_count; k++)
        see_arrivals(self, port_array_index(&self->inputs, unit->fresh[k]), now);
    crossbar_handle_events(self, now);
    crossbar_look_at_blocked(self, now);
    if (is_ideal(self))
        crossbar_ideal_serve(self, now);
    else if (self->queueing == QUEUEING_FIFO)
        crossbar_fifo_serve(self, now);
    else
        crossbar_virtual_match(self, now);
    if (self->moments) unit_wake_at(unit, self->moment[0]->at);
}

static void begin_measuring(Crossbar *self)
{
    self->measuring = true;
    for (uint32_t i = 0; i < self->inputs.count; i++) self->input[i].passed = 0;
    for (uint32_t j = 0; j < self->outputs.count; j++) self->output[j].passed = 0;
}

static void compare_ports(Crossbar *self)
{
    self->least_from_input = self->least_to_output = UINT64_MAX;
    self->most_from_input = self->most_to_output = 0;
    for (uint32_t i = 0; i < self->inputs.count; i++) {
        self->least_from_input = MIN(self->least_from_input, self->input[i].passed);
        self->most_from_input = MAX(self->most_from_input, self->input[i].passed);
    }
    for (uint32_t j = 0; j < self->outputs.count; j++) {
        self->least_to_output = MIN(self->least_to_output, self->output[j].passed);
        self->most_to_output = MAX(self->most_to_output, self->output[j].passed);
    }
}

static Counted boundary(Unit *unit, const Boundary *boundary)
{
    Crossbar *self = (Crossbar *)unit;
    if (!boundary->launch->measured) return COUNTED_NOTHING;
    if (boundary->kind == BOUNDARY_KERNEL_END)
        compare_ports(self);
    else if (!self->measuring)
        begin_measuring(self);
    return COUNTED_ANYTHING;
}

/* What is in the ports the kit sees. */
static bool unfinished(Unit *unit, GString *what)
{
    const Crossbar *self = (const Crossbar *)unit;
    const bool in_ports = self->queueing == QUEUEING_FIFO && !is_ideal(self);
    if (!self->output_queued.now && (in_ports || !self->queued.now)) return false;
    g_string_append_printf(what, "%" G_GUINT64_FORMAT " packets in its queues",
                           self->queued.now + self->output_queued.now);
    return true;
}

const UnitClass crossbar_class = {
    .name = "crossbar",
    .summary = "crossbar network between SMs and L2 slices, one each for requests and replies",
    .per = PER_CROSSBAR,
    .clock = CLOCK_NETWORK,
    .place = PLACE_NETWORK,
    .runs = IN_WHOLE | IN_NETWORK_ALONE,
    .path = "crossbar[%s]",
    .size = sizeof(Crossbar),
    .params = params,
    .stats = stats,
    .resources = resources,
    .storage = crossbar_storage,
    .ports = ports,
    .shared = shared,
    .setup = setup,
    .step = step,
    .foresee_own = crossbar_foresee,
    .teardown = teardown,
    .boundary = boundary,
    .unfinished = unfinished};
