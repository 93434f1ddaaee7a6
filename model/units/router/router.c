/* A router: input buffers, and an arbiter for each link that leads on. One stands at each place
 * where links of a SimGrid platform meet.
 *
 *   links from routers ══> [buffers] ─┐             ┌─ links ══> buffers of other routers
 *                                     ├─ arbiters ──┤
 *   sources ══ up ═══════> [buffers] ─┘             └─ exits ══ down ══> destinations
 *
 * Packets are switched whole (virtual cut-through): a packet occupies a link for its bytes over
 * the link's bandwidth, and its head goes on as soon as it arrives and is chosen. A buffer holds a
 * number of packets; a place is given away before a packet leaves for it and comes back when the
 * packet leaves it. In a buffer each output has a queue of its own, so that a packet that waits
 * holds up none that go elsewhere. Where to go next stands in the packet's route, which never
 * changes: packets from one source to one destination stay in order.
 *
 * A link may lead into several buffers, virtual channels, each an output of its own; they share the
 * link's bandwidth. The network's description says which of them a route takes, so that buffers
 * wait for each other in no circle (Dally and Seitz 1987); and requests and replies that share a
 * link never share a buffer.
 *
 * A ring has one buffer a link: a packet enters it only if a place behind the one it takes stays
 * free (bubble flow control, Carrion et al. 1997, Puente et al. 2001). Then not all buffers of the
 * ring are ever full and something can move.
 *
 * Not modelled: flits of several packets interleaved on a link, buffers counted in flits, adaptive
 * ways, deflection (a packet that finds its exit full waits and does not go round again). */
#include "units/router/private.h"

static const char *const arbitrations[] = {"oldest_first", "round_robin", NULL};

static const Param params[] = {
    PARAM_NUMBER(Router, header_bytes, PARAM_BYTES, "8 B", 0, 256,
                 "bytes of a packet besides its data"),
    PARAM_ONE_OF(Router, arbitration, arbitrations, "oldest_first",
                 "whom an output takes: who has been in the network longest, or inputs in turn",
                 .relieves = "request_network reply_network network"),
    PARAM_END};

/* A packet may bring a line. */
static StorageSize size_packet(const Unit *unit, const StorageMachine *machine)
{
    const Router *self = (const Router *)unit;
    return (StorageSize){.entries = 1,
                         .bits = 8 * self->header_bytes + storage_line_bits(&machine->l1)};
}

/* A byte of a packet: through a buffer at each router. */
static double energy_of_buffer(const Unit *unit, const EnergyFigures *figures)
{
    StorageSize size = size_packet(unit, &figures->machine);
    size.entries = figures->buffer;
    return 2 * energy_array(figures, &size, 8);
}

/* ... and over the wires. */
static double energy_of_wires(const Unit *unit, const EnergyFigures *figures)
{
    (void)unit;
    return energy_wire(figures, 8, figures->hop_mm);
}

static const Stat stats[] = {
    STAT_NUMBER(Router, packets, STAT_COUNT, NULL, "packets that entered the network here"),
    STAT_NUMBER(Router, delivered, STAT_COUNT, NULL, "packets that left the network here",
                .means = MEANS_PACKETS_DELIVERED),
    STAT_NUMBER(Router, hops, STAT_COUNT, NULL, "links that the packets delivered here had taken",
                .means = MEANS_HOPS),
    STAT_NUMBER(Router, link_packets, STAT_COUNT, NULL, "packets sent to neighbours"),
    STAT_NUMBER_OVER_TIME(
        Router, link_bytes, STAT_BYTES, NULL, "bytes sent to neighbours, with headers",
        CURVES(PART_CURVE("request", "request links"), PART_CURVE("reply", "reply links")),
        ENERGY(IN_STAGES(REQUEST_QUEUE, REPLY_QUEUE, energy_of_buffer),
               IN_STAGES(REQUEST_WIRE, REPLY_WIRE, energy_of_wires))),
    STAT_NUMBER(Router, busy_links, STAT_TIME, NULL,
                "sum over the links to neighbours of the time they were occupied"),
    STAT_NUMBER(Router, busy_exits, STAT_TIME, NULL,
                "sum over the destinations here of the time their links were occupied"),
    STAT_NUMBER(Router, busy_sources, STAT_TIME, NULL,
                "sum over the sources here of the time their links were occupied"),
    STAT_NUMBER(Router, waited, STAT_COUNT, NULL, "packets that waited for an output"),
    STAT_NUMBER(Router, blocked, STAT_COUNT, NULL,
                "times an output stood still because the next buffer was full"),
    STAT_NUMBER(Router, bubbles_kept, STAT_COUNT, NULL,
                "... because only the place was free that a ring keeps free"),
    STAT_OCCUPANCY_OVER_TIME(Router, queued, NULL, "packets in all input buffers",
                             CURVES(CURVE("router: packets"))),
    STAT_END};

/* Places of an input buffer are those of the channel into it. What nobody occupies is no server. */
#define NETWORK .unit = "packets", .component = "network", .refuses = "inputs"
static const ResourceRow resources[] = {
    RESOURCE_MANY_SERVERS(Router, source_links, "links from sources", .feeds = "links exits",
                          .rests_on = "network.*_source_bandwidth", .links = LINKS_INTO,
                          .work = "packets", NETWORK),
    RESOURCE_MANY_SERVERS(Router, links, "links to neighbours", .headline = "network",
                          .feeds = "outputs", .refusals = "waited",
                          .rests_on = "network.*_link_bandwidth", .links = LINKS_BETWEEN,
                          .work = "link_packets", NETWORK),
    /* held until the last byte has come over the link in front */
    RESOURCE_MANY_SERVERS(Router, exits, "links to destinations", .feeds = "outputs",
                          .rests_on = "network.*_destination_bandwidth network.*_link_bandwidth",
                          .links = LINKS_OUT, .work = "delivered", NETWORK),
    RESOURCE_END};

static const StorageRow storage[] = {
    STORAGE("input_bits", size_packet, "input buffers", .input = "inputs"), STORAGE_END};

static const PortRow ports[] = {PORT_INPUTS(Router, inputs, "from neighbours, then from sources"),
                                PORT_OUTPUTS(Router, outputs, "to neighbours, then destinations"),
                                PORT_END};

static const SharedRow shared[] = {SHARED(Router, networks), SHARED(Router, line), SHARED_END};

/* From a packet's departure for the next router until its place can be known to be free again. */
static Time round_trip(const Router *self)
{
    Time longest = 0;
    for (uint32_t j = 0; j < self->stop->link_outputs; j++) {
        const Channel *link = &self->outputs.at[j];
        longest = MAX(longest, self->delay + link->delay + link->credit_delay);
    }
    return longest;
}

static double bytes_a_cycle(const Router *self, const NetworkLink *link)
{
    return link->bandwidth * time_to_ns(self->unit.clock->period);
}

/* At most so many, none yet; one more name, of a link that is no server. */
static ServerArray named_servers(uint32_t count)
{
    ServerArray servers = server_array_new(count);
    servers.names = g_new0(const char *, count + 1);
    servers.count = 0;
    return servers;
}

static Server *next_server(ServerArray *servers, const NetworkLink *link)
{
    return link->wide ? NULL : &servers->at[servers->count++];
}

static void set_up_links(Router *self)
{
    self->links = named_servers(self->stop->outs);
    for (uint32_t k = 0; k < self->stop->outs; k++) {
        const RouterLink *link = &self->network->link[self->stop->out[k]];
        self->links.names[self->links.count] = link->name;
        const uint32_t first = link->output, replies = first + link->channels[NETWORK_REQUEST],
                       end = replies + link->channels[NETWORK_REPLY];
        self->way[k] = (Line){.first = first,
                              .end = end,
                              .turn = first,
                              .per_cycle = bytes_a_cycle(self, &link->link),
                              .ahead = clock_cycles(self->unit.clock, link->ahead),
                              .server = next_server(&self->links, &link->link)};
        for (uint32_t j = first; j < end; j++)
            self->output[j].role = j < replies ? NETWORK_REQUEST : NETWORK_REPLY;
    }
}

static void set_up_exits(Router *self)
{
    self->exits = named_servers(self->stop->destinations);
    for (uint32_t k = 0; k < self->stop->destinations; k++) {
        const RouterEnd *end = &self->stop->destination[k];
        const uint32_t j = self->stop->link_outputs + k;
        self->exits.names[self->exits.count] = end->name;
        self->way[self->stop->outs + k] =
            (Line){.first = j,
                   .end = j + 1,
                   .turn = j,
                   .per_cycle = end->has_link ? bytes_a_cycle(self, &end->link) : 0,
                   .server = next_server(&self->exits, &end->link)};
        self->output[j].role = (uint8_t)end->role;
    }
}

static void set_up_entries(Router *self)
{
    self->source_links = named_servers(self->stop->sources);
    for (uint32_t k = 0; k < self->stop->sources; k++) {
        const RouterEnd *end = &self->stop->source[k];
        self->source_links.names[self->source_links.count] = end->name;
        self->entry[k] = (Entry){.per_cycle = end->has_link ? bytes_a_cycle(self, &end->link) : 0,
                                 .server = next_server(&self->source_links, &end->link)};
    }
}

static void set_up_sets(Router *self)
{
    const uint32_t inputs = self->inputs.count, outputs = self->outputs.count;
    self->words = (inputs + WORD - 1) / WORD;
    self->lane = g_new0(MessageList, (gsize)inputs * outputs);
    self->output = g_new0(Output, outputs);
    for (uint32_t j = 0; j < outputs; j++) self->output[j].asking = g_new0(uint64_t, self->words);
}

static bool setup(Unit *unit, GError **error)
{
    (void)error;
    Router *self = (Router *)unit;
    const NetworkRoutes *ends = &self->networks[unit->number % NETWORKS];
    self->format =
        (PacketFormat){(uint32_t)self->header_bytes, self->line->sector_bytes, ends->flit_bytes};
    self->network = ends->routers;
    self->stop = &self->network->stop[unit->number / NETWORKS];
    for (uint32_t n = 0; n < NETWORKS; n++) self->ideal[n] = self->networks[n].ideal;
    self->delay = clock_cycles(unit->clock, self->network->router_delay);
    self->patience = round_trip(self);
    self->entry = g_new0(Entry, self->stop->sources);
    self->ways = self->stop->outs + self->stop->destinations;
    self->way = g_new0(Line, self->ways);
    set_up_sets(self);
    set_up_entries(self);
    set_up_links(self);
    set_up_exits(self);
    return true;
}

static void teardown(Unit *unit)
{
    Router *self = (Router *)unit;
    g_free(self->source_links.at);
    g_free(self->source_links.names);
    g_free(self->exits.names);
    g_free(self->links.at);
    g_free(self->links.names);
    g_free(self->exits.at);
    g_free(self->entry);
    g_free(self->lane);
    for (uint32_t j = 0; self->output && j < self->outputs.count; j++)
        g_free(self->output[j].asking);
    g_free(self->output);
    g_free(self->way);
}

/* --- arrival ---------------------------------------------------------------------------------- */

static void find_route(const Router *self, const RouterEnd *end, Transaction *packet)
{
    const uint32_t to = network_destination(end->role, packet);
    const RouterRoute *route =
        &self->network->route[end->role][end->number * self->networks[end->role].destinations + to];
    packet->trip.next = route->first;
    packet->trip.ahead = route->ahead;
}

/* Packets of one source occupy its link one after the other. */
static void enter_network(Router *self, uint32_t source, Transaction *packet, Time now)
{
    const RouterEnd *end = &self->stop->source[source];
    Entry *entry = &self->entry[source];
    const Time ready = MAX(now, entry->free_at);
    const Time service = router_occupancy(self, (uint8_t)end->role, packet, entry->per_cycle);
    packet->trip = (NetworkTrip){.began = now, .ready = ready, .complete = ready + service};
    find_route(self, end, packet);
    transaction_enter(packet,
                      end->role == NETWORK_REQUEST ? STAGE_REQUEST_QUEUE : STAGE_REPLY_QUEUE, now);
    self->packets++;
    if (!entry->server) return;
    entry->free_at = ready + service;
    server_book(entry->server, ready, service);
    self->busy_sources += service;
}

static inline uint32_t line_of(const Router *self, uint32_t j)
{
    if (!router_is_link(self, j)) return self->stop->outs + j - self->stop->link_outputs;
    uint32_t k = MIN(j, self->stop->outs - 1); /* most have one output */
    while (self->way[k].first > j) k--;
    return k;
}

static inline void add_asking(Router *self, uint32_t i, uint32_t j)
{
    Output *output = &self->output[j];
    uint64_t *word = &output->asking[i / WORD];
    const uint64_t bit = UINT64_C(1) << i % WORD;
    if (*word & bit) return;
    *word |= bit;
    output->waiting++;
    self->way[line_of(self, j)].waiting++;
}

static void arrive(Router *self, uint32_t i, Transaction *packet, Time now)
{
    packet->entered = now;
    packet->trip.ready = now;
    if (i >= self->stop->link_inputs) enter_network(self, i - self->stop->link_inputs, packet, now);
    const uint32_t j = self->network->output[packet->trip.next++];
    message_list_append(&self->lane[i * self->outputs.count + j], &packet->message);
    add_asking(self, i, j);
    level_enter(&self->queued, now);
}

static void step(Unit *unit, Time now)
{
    Router *self = (Router *)unit;
    for (uint32_t k = 0; k < unit->fresh_count; k++) {
        const uint32_t i = port_array_index(&self->inputs, unit->fresh[k]);
        Message *message;
        while ((message = port_withdraw(&self->inputs.at[i])))
            arrive(self, i, (Transaction *)message, now);
    }
    self->wake = TIME_NEVER;
    for (uint32_t k = 0; k < self->ways; k++)
        if (self->way[k].waiting) router_serve(self, &self->way[k], now);
    if (self->wake != TIME_NEVER) unit_wake_at(unit, self->wake);
}

static bool unfinished(Unit *unit, GString *what)
{
    const Router *self = (const Router *)unit;
    if (!self->queued.now) return false;
    g_string_append_printf(what, "%" G_GUINT64_FORMAT " packets in its buffers", self->queued.now);
    return true;
}

const UnitClass router_class = {.name = "router",
                                .summary = "router between SMs and L2 slices, where links meet",
                                .per = PER_STOP,
                                .clock = CLOCK_NETWORK,
                                .place = PLACE_NETWORK,
                                .runs = IN_WHOLE | IN_NETWORK_ALONE,
                                .path = "router[%s][%u]",
                                .size = sizeof(Router),
                                .params = params,
                                .stats = stats,
                                .resources = resources,
                                .storage = storage,
                                .ports = ports,
                                .shared = shared,
                                .setup = setup,
                                .step = step,
                                .teardown = teardown,
                                .unfinished = unfinished};
