/* A network whose packets SimGrid carries: each is one SimGrid communication over the platform's
 * hosts and links, and SimGrid's solver decides how long it takes. It stands where the crossbars
 * stand, one for requests and one for replies, when `[network] timing = flow`.
 *
 *   source i ──> [in order] ══ SimGrid: links of route i -> j ══> [door of j] ──> destination j
 *
 * Links have no latency inside SimGrid; what the route's latency is, the channels into and out of
 * this unit and `wire` take. A packet occupies all links of its route at once, for its bytes over
 * the narrowest one's bandwidth when it is alone. At its end it waits at the door if the
 * destination has no room, and keeps its place in the source's input buffer until it is through.
 *
 * What a link carried is counted when a packet is through. Of links that carry one packet at a time
 * it is how long packets held them; else their bytes over its bandwidth.
 *
 * Not modelled: arbiters, virtual channels, buffers inside the network, a link that stops because a
 * destination is full; SimGrid has none of them. */
#include "kit/engine/simgrid/flow.h"
#include "kit/gpu/message_list.h"
#include "kit/gpu/network.h"
#include "kit/gpu/transaction.h"
#include "parts/sm/coalescer.h"

typedef struct {
    Unit unit;
    PortArray inputs, arrivals;
    ChannelArray outputs;
    const FlowRoutes *flows;
    const LineShape *line;

    uint64_t header_bytes, in_flight;
    bool whole_cycles;

    uint64_t packets, bytes, blocked_output;
    uint64_t busy;
    Level carried, at_door;

    LevelArray under_way;
    ServerArray source_links, links, destination_links;

    const FlowRoutes *routes;
    PacketFormat format;
    uint32_t *lane;    /* by source */
    uint64_t *let_in;  /* by source: packets that SimGrid carries, or is to carry next */
    MessageList *door; /* by destination: packets that are through, in order of arrival */
    Server **server;   /* by link */
    uint32_t waiting_doors;
} FlowNetwork;

static const Param params[] = {
    PARAM_NUMBER(FlowNetwork, header_bytes, PARAM_BYTES, "8 B", 0, 256,
                 "bytes of a packet besides its data"),
    PARAM_SWITCH(FlowNetwork, whole_cycles, "yes",
                 "a packet takes whole cycles of its route's narrowest link, as in packet timing"),
    PARAM_NUMBER(FlowNetwork, in_flight, PARAM_COUNT, "1", 0, 65536,
                 "packets of a source that SimGrid carries at once, the others follow in order; "
                 "0: all that network.input_buffer lets in",
                 .doubling = TWICE, .relieves = "network"),
    PARAM_END};

/* A byte of a packet, as far as a crossbar's go. */
static double energy_of_wires(const Unit *unit, const EnergyFigures *figures)
{
    (void)unit;
    return energy_wire(figures, 8, figures->crossbar_mm);
}

static const Stat stats[] = {
    STAT_NUMBER(FlowNetwork, packets, STAT_COUNT, "lts__t_requests.sum",
                "packets that went through"),
    STAT_NUMBER_OVER_TIME(
        FlowNetwork, bytes, STAT_BYTES, NULL, "bytes of these, headers included",
        CURVES(PART_CURVE("request", "request network"), PART_CURVE("reply", "reply network")),
        ENERGY(IN_STAGES(REQUEST_WIRE, REPLY_WIRE, energy_of_wires))),
    STAT_NUMBER(FlowNetwork, busy, STAT_TIME, NULL,
                "sum over packets of the time each takes alone on its route"),
    STAT_NUMBER(FlowNetwork, blocked_output, STAT_COUNT, NULL,
                "packets that found no room at their destination"),
    STAT_OCCUPANCY_OVER_TIME(FlowNetwork, carried, NULL,
                             "packets that SimGrid carries, or is to carry next"),
    STAT_OCCUPANCY(FlowNetwork, at_door, NULL, "packets that wait for room at their destination"),
    STAT_END};

#define NETWORK .unit = "packets", .component = "network", .refuses = "inputs"
static const ResourceRow resources[] = {
    RESOURCE_MANY_PLACES(FlowNetwork, under_way, "packets of a source that SimGrid carries",
                         RESOURCE_CAPACITY(FlowNetwork, in_flight),
                         .feeds = "source_links links destination_links outputs",
                         .bitless = "what SimGrid carries is on its links, in no buffer", NETWORK),
    RESOURCE_MANY_SERVERS(FlowNetwork, source_links, "links from sources",
                          .feeds = "links destination_links",
                          .rests_on = "network.*_source_bandwidth", .links = LINKS_INTO, NETWORK),
    RESOURCE_MANY_SERVERS(FlowNetwork, links, "links between switches", .headline = "network",
                          .feeds = "destination_links outputs",
                          .rests_on = "network.*_link_bandwidth", .links = LINKS_BETWEEN, NETWORK),
    RESOURCE_MANY_SERVERS(FlowNetwork, destination_links, "links to destinations",
                          .headline = "network", .feeds = "outputs",
                          .rests_on = "network.*_destination_bandwidth", .links = LINKS_OUT,
                          NETWORK),
    RESOURCE_END};

/* A packet may bring a line. */
static StorageSize size_packet(const Unit *unit, const StorageMachine *machine)
{
    const FlowNetwork *self = (const FlowNetwork *)unit;
    return (StorageSize){.entries = 1,
                         .bits = 8 * self->header_bytes + storage_line_bits(&machine->l1)};
}

static const StorageRow storage[] = {
    STORAGE("input_bits", size_packet, "input buffers", .input = "inputs"), STORAGE_END};

static const PortRow ports[] = {
    PORT_INPUTS(FlowNetwork, inputs, "packets from sources"),
    PORT_INPUTS(FlowNetwork, arrivals, "packets that SimGrid has carried, by source"),
    PORT_OUTPUTS(FlowNetwork, outputs, "packets to destinations"), PORT_END};

static const SharedRow shared[] = {SHARED(FlowNetwork, flows), SHARED(FlowNetwork, line),
                                   SHARED_END};

static ServerArray *links_at(FlowNetwork *self, LinkPlace place)
{
    return place == LINKS_INTO      ? &self->source_links
           : place == LINKS_BETWEEN ? &self->links
                                    : &self->destination_links;
}

static void set_up_links(FlowNetwork *self)
{
    const FlowRoutes *routes = self->routes;
    for (uint32_t k = 0; k < routes->links; k++) links_at(self, routes->link[k].place)->count++;
    for (LinkPlace place = LINKS_INTO; place <= LINKS_OUT; place++) {
        ServerArray *links = links_at(self, place);
        *links = server_array_new(links->count);
        links->names = g_new0(const char *, links->count + 1);
    }
    self->server = g_new0(Server *, routes->links);
    for (uint32_t k = 0; k < routes->links; k++) {
        ServerArray *links = links_at(self, routes->link[k].place);
        links->names[routes->link[k].index] = routes->link[k].name;
        self->server[k] = &links->at[routes->link[k].index];
    }
}

static bool setup(Unit *unit, GError **error)
{
    (void)error;
    FlowNetwork *self = (FlowNetwork *)unit;
    self->routes = &self->flows[unit->number];
    self->format = (PacketFormat){(uint32_t)self->header_bytes, self->line->sector_bytes,
                                  self->routes->flit_bytes};
    self->lane = g_new0(uint32_t, self->inputs.count);
    self->let_in = g_new0(uint64_t, self->inputs.count);
    self->under_way = level_array_new(self->inputs.count);
    self->door = g_new0(MessageList, self->outputs.count);
    set_up_links(self);
    for (uint32_t i = 0; i < self->inputs.count; i++)
        self->lane[i] = unit_add_lane(unit, &self->arrivals.at[i], self->routes->source[i],
                                      (uint32_t)self->in_flight);
    return true;
}

static void teardown(Unit *unit)
{
    FlowNetwork *self = (FlowNetwork *)unit;
    g_free(self->lane);
    g_free(self->let_in);
    g_free(self->under_way.at);
    g_free(self->door);
    g_free(self->server);
    for (LinkPlace place = LINKS_INTO; place <= LINKS_OUT; place++) {
        g_free(links_at(self, place)->at);
        g_free(links_at(self, place)->names);
    }
}

static inline bool is_request_network(const FlowNetwork *self)
{
    return self->unit.number == NETWORK_REQUEST;
}

static inline uint32_t source_of(const FlowNetwork *self, const Transaction *packet)
{
    return is_request_network(self) ? packet->source : packet->slice;
}

static inline uint32_t destination_of(const FlowNetwork *self, const Transaction *packet)
{
    return network_destination(self->unit.number, packet);
}

static const FlowRoute *route_of(const FlowNetwork *self, const Transaction *packet)
{
    return &self->routes->route[source_of(self, packet) * self->routes->destinations
                                + destination_of(self, packet)];
}

static uint32_t packet_bytes(const FlowNetwork *self, const Transaction *packet)
{
    return network_packet_bytes(self->unit.number, packet, &self->format);
}

/* What SimGrid is told to carry. */
static double carried_bytes(const FlowNetwork *self, const Transaction *packet)
{
    const uint32_t bytes = MAX(packet_bytes(self, packet), 1);
    if (!self->whole_cycles) return bytes;
    const double per_cycle =
        route_of(self, packet)->bandwidth * time_to_ns(self->unit.clock->period);
    return (double)network_link_cycles(bytes, per_cycle) * per_cycle;
}

/* How long the packet takes when nothing else is on its route. */
static Time alone(const FlowNetwork *self, const Transaction *packet)
{
    const double ns = carried_bytes(self, packet) / route_of(self, packet)->bandwidth;
    return (Time)(ns * TIME_NS + 0.5);
}

/* As many as may be under way at once are; the others wait in the lane. */
static void count_under_way(FlowNetwork *self, uint32_t i, Time now)
{
    const uint64_t most = self->in_flight ? self->in_flight : UINT64_MAX;
    level_set(&self->under_way.at[i], now, MIN(self->let_in[i], most));
}

static void let_in(FlowNetwork *self, uint32_t i, Time now)
{
    Transaction *packet;
    while ((packet = (Transaction *)port_withdraw(&self->inputs.at[i]))) {
        packet->entered = now;
        transaction_enter(packet,
                          is_request_network(self) ? STAGE_REQUEST_QUEUE : STAGE_REPLY_QUEUE, now);
        level_enter(&self->carried, now);
        self->let_in[i]++;
        unit_carry(&self->unit,
                   &(Carriage){&packet->message, self->lane[i],
                               self->routes->destination[destination_of(self, packet)],
                               carried_bytes(self, packet), route_of(self, packet)->wire});
    }
    count_under_way(self, i, now);
}

/* The last of its time was what it would have taken alone, and the wire; before that it queued. */
static void account(const FlowNetwork *self, Transaction *packet, Time now)
{
    const bool request = is_request_network(self);
    const Time here = now - route_of(self, packet)->wire;
    const Time began = here - MIN(alone(self, packet), here - packet->entered);
    transaction_enter(packet, request ? STAGE_REQUEST_TRANSFER : STAGE_REPLY_TRANSFER, began);
    transaction_enter(packet, request ? STAGE_REQUEST_WIRE : STAGE_REPLY_WIRE, here);
}

static void occupy_links(FlowNetwork *self, const Transaction *packet)
{
    const FlowRoutes *routes = self->routes;
    const FlowRoute *route = route_of(self, packet);
    const Time held = alone(self, packet);
    const double bytes = carried_bytes(self, packet) * TIME_NS;
    for (uint32_t k = route->first; k < route->end; k++) {
        const uint32_t link = routes->hop[k];
        self->server[link]->busy +=
            routes->one_packet ? held : (Time)(bytes / routes->link[link].link.bandwidth + 0.5);
    }
}

static void pass(FlowNetwork *self, uint32_t j, Transaction *packet, Time now)
{
    transaction_enter(packet, is_request_network(self) ? STAGE_REQUEST_WIRE : STAGE_REPLY_WIRE,
                      now);
    port_vacate(&self->inputs.at[source_of(self, packet)], now);
    channel_send(&self->outputs.at[j], &packet->message, now);
}

static void wait_at_door(FlowNetwork *self, MessageList *door, Transaction *packet, Time now)
{
    transaction_enter(packet, is_request_network(self) ? STAGE_REQUEST_QUEUE : STAGE_REPLY_QUEUE,
                      now);
    packet->entered = now;
    level_enter(&self->at_door, now);
    self->blocked_output++;
    self->waiting_doors += !door->first;
    message_list_append(door, &packet->message);
}

/* Where there is room nobody is at the door: doors have been opened in this step. */
static void receive(FlowNetwork *self, uint32_t i, Time now)
{
    Transaction *packet;
    while ((packet = (Transaction *)port_withdraw(&self->arrivals.at[i]))) {
        const uint32_t j = destination_of(self, packet);
        account(self, packet, now);
        level_leave(&self->carried, now, packet->entered);
        self->let_in[i]--;
        self->packets++;
        self->bytes += packet_bytes(self, packet);
        self->busy += alone(self, packet);
        occupy_links(self, packet);
        if (channel_ready(&self->outputs.at[j], now)) {
            pass(self, j, packet, now);
            continue;
        }
        if (!self->door[j].first) channel_await(&self->outputs.at[j], now);
        wait_at_door(self, &self->door[j], packet, now);
    }
    count_under_way(self, i, now);
}

static void open_door(FlowNetwork *self, uint32_t j, Time now)
{
    MessageList *door = &self->door[j];
    while (door->first && channel_ready(&self->outputs.at[j], now)) {
        Transaction *packet = (Transaction *)message_list_take(door);
        level_leave(&self->at_door, now, packet->entered);
        pass(self, j, packet, now);
    }
    if (door->first)
        channel_await(&self->outputs.at[j], now);
    else
        self->waiting_doors--;
}

/* Doors are opened whenever a credit may have come. */
static void open_doors(FlowNetwork *self, Time now)
{
    for (uint32_t j = 0; self->waiting_doors && j < self->outputs.count; j++)
        if (self->door[j].first && channel_ready(&self->outputs.at[j], now))
            open_door(self, j, now);
}

static void step(Unit *unit, Time now)
{
    FlowNetwork *self = (FlowNetwork *)unit;
    open_doors(self, now);
    for (uint32_t k = 0; k < unit->fresh_count; k++) {
        const uint32_t i = port_array_index(&self->inputs, unit->fresh[k]);
        if (i < self->inputs.count)
            let_in(self, i, now);
        else
            receive(self, port_array_index(&self->arrivals, unit->fresh[k]), now);
    }
}

static bool unfinished(Unit *unit, GString *what)
{
    FlowNetwork *self = (FlowNetwork *)unit;
    for (uint32_t j = 0; j < self->outputs.count; j++)
        if (self->door[j].first) unit_waits_for(unit, channel_receiver(&self->outputs.at[j]));
    if (self->waiting_doors)
        g_string_append_printf(what, "packets wait for room at %u destinations",
                               self->waiting_doors);
    return self->waiting_doors > 0;
}

const UnitClass flow_network_class = {
    .name = "flow_network",
    .summary = "network between SMs and L2 slices that SimGrid times, packet by packet; "
               "one each for requests and replies",
    .per = PER_FLOW,
    .clock = CLOCK_NETWORK,
    .place = PLACE_NETWORK,
    .runs = IN_WHOLE | IN_NETWORK_ALONE,
    .path = "flow_network[%s]",
    .size = sizeof(FlowNetwork),
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
