/* A router of a ring or a mesh: input buffers, an arbiter an output. One stands at each stop of
 * the request network and one at each stop of the reply network.
 *
 *   neighbours ══> [inputs 0..3] ─┐             ┌─ link 0..3 ══> neighbours
 *                                 ├─ arbiters ──┤
 *   sources ══ up ══> [inputs 4+]─┘             └─ exits 4+ ══ down ══> destinations
 *
 * Packets are switched whole (virtual cut-through): a packet occupies a link for its bytes over
 * the link's bandwidth, and its head goes on as soon as it arrives and is chosen. A buffer holds a
 * number of packets; a place is given away before a packet leaves for it and comes back when the
 * packet leaves it. In a buffer each output has a queue of its own, so that a packet that waits
 * holds up none that go elsewhere. Where to go next stands in the stop's table, which never
 * changes: packets from one source to one destination stay in order.
 *
 * A ring cannot deadlock because a packet enters it only if a place behind the one it takes stays
 * free (bubble flow control, Carrion et al. 1997, Puente et al. 2001): then not all buffers of
 * the ring are ever full and something can move. A mesh cannot because its ways go along the row
 * first and then along the column, so that buffers wait for each other in no circle (Dally and
 * Seitz 1987).
 *
 * Not modelled: flits of several packets interleaved on a link, buffers counted in flits, adaptive
 * ways, virtual channels, deflection (a packet that finds its exit full waits and does not go
 * round again). */
#include "kit/engine/unit.h"
#include "kit/gpu/message_list.h"
#include "kit/gpu/network.h"
#include "kit/gpu/transaction.h"
#include "parts/sm/coalescer.h"

enum { INPUTS_MAX = 64, NONE = UINT32_MAX };

typedef enum { OLDEST_FIRST, ROUND_ROBIN } Arbitration;

static const char *const arbitrations[] = {"oldest_first", "round_robin", NULL};

typedef struct {
    Time free_at;
    uint64_t asking; /* inputs with a packet for it, a bit each */
    uint32_t turn;   /* the input that comes first in the next choice */
    bool blocked;    /* since its last packet the next buffer was found full */
    bool kept;       /* since its last packet one place was not enough for the oldest */
    Time kept_until;
    Server *link; /* its own, of `links` or of `exits` */
} Output;

typedef struct {
    Unit unit;
    PortArray inputs;
    ChannelArray outputs;
    const NetworkRoutes *networks;
    const LineShape *line;

    uint64_t header_bytes;
    uint32_t arbitration;

    uint64_t packets, delivered, hops, waited, blocked, bubbles_kept;
    uint64_t link_packets, link_bytes;
    uint64_t busy_east, busy_west, busy_north, busy_south, busy_exits, busy_sources;
    Level queued;

    ServerArray source_links, links, exits;

    NetworkRole role;
    PacketFormat format;
    const RouterStop *stop;
    bool ring, ideal;
    Time delay; /* from input to link */
    Time patience;
    double *per_cycle; /* bytes, of each output */
    double *up_per_cycle;
    Time *up_free;     /* the link from each source has carried what came so far */
    MessageList *lane; /* packets of one input for one output: input x outputs + output */
    Output *output;
    Time wake;
} Router;

static const Param params[] = {
    PARAM_NUMBER(Router, header_bytes, PARAM_BYTES, "8 B", 0, 256,
                 "bytes of a packet besides its data"),
    PARAM_ONE_OF(Router, arbitration, arbitrations, "oldest_first",
                 "whom an output takes: who has been in the network longest, or inputs in turn"),
    PARAM_END};

static const Stat stats[] = {
    STAT_NUMBER(Router, packets, STAT_COUNT, NULL, "packets that entered the network here"),
    STAT_NUMBER(Router, delivered, STAT_COUNT, NULL, "packets that left the network here",
                .means = MEANS_PACKETS_DELIVERED),
    STAT_NUMBER(Router, hops, STAT_COUNT, NULL, "links that the packets delivered here had taken",
                .means = MEANS_HOPS),
    STAT_NUMBER(Router, link_packets, STAT_COUNT, NULL, "packets sent to neighbours"),
    STAT_NUMBER_OVER_TIME(
        Router, link_bytes, STAT_BYTES, NULL, "bytes sent to neighbours, with headers",
        CURVES(PART_CURVE("request", "request links"), PART_CURVE("reply", "reply links"))),
    STAT_NUMBER(Router, busy_east, STAT_TIME, NULL,
                "the link to the east, on a ring the way round, was occupied"),
    STAT_NUMBER(Router, busy_west, STAT_TIME, NULL,
                "the link to the west, on a ring the way back, was occupied"),
    STAT_NUMBER(Router, busy_north, STAT_TIME, NULL, "the link to the north was occupied"),
    STAT_NUMBER(Router, busy_south, STAT_TIME, NULL, "the link to the south was occupied"),
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

/* Places of an input buffer are those of the channel into it. A neighbour that there is not has no
 * link. */
#define NETWORK .unit = "packets", .component = "network", .refuses = "inputs"
static const ResourceRow resources[] = {
    RESOURCE_MANY_SERVERS(Router, source_links, "links from sources", .feeds = "links exits",
                          .rests_on = "network.*_source_bandwidth", .work = "packets", NETWORK),
    RESOURCE_MANY_SERVERS(Router, links, "links to neighbours", .headline = "network",
                          .feeds = "outputs", .refusals = "waited",
                          .rests_on = "network.*_link_bandwidth", .work = "link_packets", NETWORK),
    RESOURCE_MANY_SERVERS(Router, exits, "links to destinations", .feeds = "outputs",
                          .rests_on = "network.*_destination_bandwidth", .work = "delivered",
                          NETWORK),
    RESOURCE_END};

static const PortRow ports[] = {PORT_INPUTS(Router, inputs, "from neighbours, then from sources"),
                                PORT_OUTPUTS(Router, outputs, "to neighbours, then destinations"),
                                PORT_END};

static const SharedRow shared[] = {SHARED(Router, networks), SHARED(Router, line), SHARED_END};

/* From a packet's departure for the next router until its place can be known to be free again. */
static Time round_trip(const Router *self)
{
    Time longest = 0;
    for (uint32_t j = 0; j < ROUTER_LINKS; j++) {
        const Channel *link = &self->outputs.at[j];
        if (!channel_connected(link)) continue;
        longest = MAX(longest, self->delay + link->delay + link->credit_delay);
    }
    return longest;
}

static void set_up_resources(Router *self)
{
    uint32_t links = 0;
    self->source_links = server_array_new(self->inputs.count - ROUTER_LINKS);
    self->links = server_array_new(ROUTER_LINKS);
    self->exits = server_array_new(self->outputs.count - ROUTER_LINKS);
    for (uint32_t j = 0; j < ROUTER_LINKS; j++)
        if (channel_connected(&self->outputs.at[j]))
            self->output[j].link = &self->links.at[links++];
    for (uint32_t j = ROUTER_LINKS; j < self->outputs.count; j++)
        self->output[j].link = &self->exits.at[j - ROUTER_LINKS];
    self->links.count = links;
}

static bool setup(Unit *unit, GError **error)
{
    (void)error;
    Router *self = (Router *)unit;
    const double ns = time_to_ns(unit->clock->period);
    self->role = (NetworkRole)(unit->number % NETWORKS);
    const NetworkRoutes *ends = &self->networks[self->role];
    const RouterNetwork *network = ends->routers;
    self->format =
        (PacketFormat){(uint32_t)self->header_bytes, self->line->sector_bytes, ends->flit_bytes};
    const uint32_t inputs = self->inputs.count, outputs = self->outputs.count;
    g_assert(inputs <= INPUTS_MAX);
    self->stop = &network->stop[unit->number / NETWORKS];
    self->ring = network->ring;
    self->ideal = ends->ideal;
    self->delay = clock_cycles(unit->clock, network->router_delay);
    self->patience = round_trip(self);
    self->per_cycle = g_new0(double, outputs);
    self->up_per_cycle = g_new0(double, inputs);
    self->up_free = g_new0(Time, inputs);
    self->lane = g_new0(MessageList, (gsize)inputs * outputs);
    self->output = g_new0(Output, outputs);
    set_up_resources(self);
    for (uint32_t j = 0; j < ROUTER_LINKS; j++)
        self->per_cycle[j] = self->stop->link[j].bandwidth * ns;
    for (uint32_t j = ROUTER_LINKS; j < outputs; j++)
        self->per_cycle[j] = ends->down[self->stop->destination[j - ROUTER_LINKS]].bandwidth * ns;
    for (uint32_t i = ROUTER_LINKS; i < inputs; i++)
        self->up_per_cycle[i] = ends->up[self->stop->source[i - ROUTER_LINKS]].bandwidth * ns;
    return true;
}

static void teardown(Unit *unit)
{
    Router *self = (Router *)unit;
    g_free(self->source_links.at);
    g_free(self->links.at);
    g_free(self->exits.at);
    g_free(self->per_cycle);
    g_free(self->up_per_cycle);
    g_free(self->up_free);
    g_free(self->lane);
    g_free(self->output);
}

/* --- packets ---------------------------------------------------------------------------------- */

static inline bool is_link(uint32_t index)
{
    return index < ROUTER_LINKS;
}

static inline uint32_t output_of(const Router *self, const Transaction *packet)
{
    return self->stop->output[network_destination(self->role, packet)];
}

static uint32_t packet_bytes(const Router *self, const Transaction *packet)
{
    return network_packet_bytes(self->role, packet, &self->format);
}

static inline Time occupancy(const Router *self, uint32_t bytes, double per_cycle)
{
    if (self->ideal) return 0;
    return clock_cycles(self->unit.clock, network_link_cycles(bytes, per_cycle));
}

/* --- arrival ---------------------------------------------------------------------------------- */

/* Packets of one source occupy its link one after the other. */
static void enter_network(Router *self, uint32_t i, Transaction *packet, Time now)
{
    const Time ready = MAX(now, self->up_free[i]);
    const Time service = occupancy(self, packet_bytes(self, packet), self->up_per_cycle[i]);
    self->up_free[i] = ready + service;
    server_book(&self->source_links.at[i - ROUTER_LINKS], ready, service);
    packet->trip = (NetworkTrip){.began = now, .ready = ready, .complete = ready + service};
    transaction_enter(packet,
                      self->role == NETWORK_REQUEST ? STAGE_REQUEST_QUEUE : STAGE_REPLY_QUEUE, now);
    self->packets++;
    self->busy_sources += service;
}

static void arrive(Router *self, uint32_t i, Transaction *packet, Time now)
{
    packet->entered = now;
    packet->trip.ready = now;
    if (!is_link(i)) enter_network(self, i, packet, now);
    const uint32_t j = output_of(self, packet);
    message_list_append(&self->lane[i * self->outputs.count + j], &packet->message);
    self->output[j].asking |= UINT64_C(1) << i;
    level_enter(&self->queued, now);
}

/* --- departure -------------------------------------------------------------------------------- */

static inline Transaction *head_of(const Router *self, uint32_t i, uint32_t j)
{
    return (Transaction *)self->lane[i * self->outputs.count + j].first;
}

/* Places that must be free for a packet of input i. */
static inline uint32_t places_wanted(const Router *self, uint32_t i, uint32_t j)
{
    return self->ring && is_link(j) && !is_link(i) ? 2 : 1;
}

static inline uint32_t next_asking(const Output *output, uint32_t from)
{
    const uint64_t behind = from < INPUTS_MAX ? output->asking & ~UINT64_C(0) << from : 0;
    return behind ? (uint32_t)__builtin_ctzll(behind) : NONE;
}

/* From the output's turn on round: the first whose head is there, or the one whose head is the
 * oldest, of those for whom `room` places are enough; NONE: nobody. */
static uint32_t choose(const Router *self, uint32_t j, uint32_t room, Time now)
{
    const Output *output = &self->output[j];
    const bool by_age = self->arbitration == OLDEST_FIRST;
    uint32_t best = NONE;
    for (int lap = 0; lap < 2; lap++) {
        uint32_t i = next_asking(output, lap ? 0 : output->turn);
        for (; i != NONE && (!lap || i < output->turn); i = next_asking(output, i + 1)) {
            const NetworkTrip *head = &head_of(self, i, j)->trip;
            if (head->ready > now || room < places_wanted(self, i, j)) continue;
            if (!by_age) return i;
            if (best == NONE || head->began < head_of(self, best, j)->trip.began) best = i;
        }
    }
    return best;
}

/* The oldest could enter the ring if one more place were free: for a while nobody younger takes the
 * one there is, or those on the ring would never leave it two. Only for a while, because routers
 * that wait like this all around a ring that is nearly full would wait for each other. Not with
 * inputs in turn, where an entry's turn comes so often that the ring would be empty. */
static bool is_kept_for_entry(Router *self, uint32_t j, uint32_t room, Time now)
{
    Output *output = &self->output[j];
    if (room != 1 || !self->ring || self->arbitration != OLDEST_FIRST) return false;
    if (choose(self, j, 2, now) == choose(self, j, 1, now)) return false;
    if (!output->kept) output->kept_until = now + self->patience;
    output->kept = true;
    return now < output->kept_until;
}

static Transaction *take(Router *self, uint32_t i, uint32_t j, Time now)
{
    MessageList *lane = &self->lane[i * self->outputs.count + j];
    Transaction *packet = (Transaction *)message_list_take(lane);
    if (!lane->first) self->output[j].asking &= ~(UINT64_C(1) << i);
    port_vacate(&self->inputs.at[i], now);
    level_leave(&self->queued, now, packet->entered);
    if (now > packet->entered) self->waited++;
    packet->trip.queued += now - packet->entered;
    return packet;
}

static void send_on(Router *self, uint32_t j, Transaction *packet, Time held, Time now)
{
    uint64_t *const busy[ROUTER_LINKS] = {&self->busy_east, &self->busy_west, &self->busy_north,
                                          &self->busy_south};
    Channel *link = &self->outputs.at[j];
    *busy[j] += held;
    self->link_packets++;
    self->link_bytes += packet_bytes(self, packet);
    packet->trip.hops++;
    packet->trip.complete = now + self->delay + link->delay + held;
    channel_send(link, &packet->message, now + self->delay);
}

/* The stages of all hops are stamped here, once: first what was waited, then the way. */
static void deliver(Router *self, uint32_t j, Transaction *packet, Time held, Time now)
{
    const bool request = self->role == NETWORK_REQUEST;
    const Stage wire = request ? STAGE_REQUEST_WIRE : STAGE_REPLY_WIRE;
    self->busy_exits += held;
    self->delivered++;
    self->hops += packet->trip.hops;
    transaction_enter(packet, wire, packet->trip.began + packet->trip.queued);
    transaction_enter(packet, request ? STAGE_REQUEST_TRANSFER : STAGE_REPLY_TRANSFER, now);
    transaction_enter(packet, wire, now + held);
    channel_send(&self->outputs.at[j], &packet->message, now + held);
}

/* A link is held until the packet's last byte has come and gone. */
static void move(Router *self, uint32_t i, uint32_t j, Time now)
{
    Output *output = &self->output[j];
    Transaction *packet = take(self, i, j, now);
    const Time service = occupancy(self, packet_bytes(self, packet), self->per_cycle[j]);
    const Time held = MAX(now + service, packet->trip.complete) - now;
    output->free_at = now + held;
    server_book(output->link, now, held);
    output->turn = i + 1 < self->inputs.count ? i + 1 : 0;
    output->blocked = output->kept = false;
    if (is_link(j))
        send_on(self, j, packet, held, now);
    else
        deliver(self, j, packet, held, now);
}

/* Nobody may leave although the output is free: when, or on whose account, can that change? */
static void await(Router *self, uint32_t j, uint32_t room, Time now)
{
    Output *output = &self->output[j];
    Time ready = TIME_NEVER;
    for (uint32_t i = next_asking(output, 0); i != NONE; i = next_asking(output, i + 1))
        ready = MIN(ready, head_of(self, i, j)->trip.ready);
    if (ready > now) {
        self->wake = MIN(self->wake, ready);
        return;
    }
    if (output->kept && now < output->kept_until) self->wake = MIN(self->wake, output->kept_until);
    if (!output->blocked && room) self->bubbles_kept++;
    if (!output->blocked && !room) self->blocked++;
    output->blocked = true;
    channel_await(&self->outputs.at[j], now);
}

static void serve(Router *self, uint32_t j, Time now)
{
    Output *output = &self->output[j];
    while (output->asking && output->free_at <= now) { /* an ideal output is free at once */
        const uint32_t room = channel_room(&self->outputs.at[j], now);
        const uint32_t i =
            is_kept_for_entry(self, j, room, now) ? NONE : choose(self, j, room, now);
        if (i == NONE) {
            await(self, j, room, now);
            return;
        }
        move(self, i, j, now);
    }
    if (output->asking) self->wake = MIN(self->wake, output->free_at);
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
    for (uint32_t j = 0; j < self->outputs.count; j++)
        if (self->output[j].asking) serve(self, j, now);
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
                                .summary = "router of a ring or a mesh between SMs and L2 slices",
                                .per = PER_STOP,
                                .clock = CLOCK_NETWORK,
                                .place = PLACE_NETWORK,
                                .path = "router[%s][%u]",
                                .size = sizeof(Router),
                                .params = params,
                                .stats = stats,
                                .resources = resources,
                                .ports = ports,
                                .shared = shared,
                                .setup = setup,
                                .step = step,
                                .teardown = teardown,
                                .unfinished = unfinished};
