/* Traffic into the networks alone: stands at all their ends, where L1s and L2 slices stand, and is
 * there in place of everything else of the machine.
 *
 *   SM i:    source ──to_request_network[i]──> request network ──from_request_network[j]──> slice j
 *   SM i: <──from_reply_network[i]────────────── reply network <──to_reply_network[j]── source or
 *                                                                                       answer
 *
 * Packets are requests, replies, or requests that their slices answer at once (a round trip). Who
 * takes packets always has room; a slice whose answer finds no room in the reply network leaves
 * the requests behind it where they are, and the request network waits for the reply network.
 *
 * Not modelled: what SMs and slices do. */
#include "kit/gpu/network.h"
#include "kit/traffic/injector.h"
#include "parts/sm/coalescer.h"

typedef struct {
    Injector injector;
    ChannelArray to_request_network, to_reply_network;
    PortArray from_request_network, from_reply_network;
    const LineShape *line;

    uint64_t blocked_answers;

    uint64_t answer_places;
    LevelArray answers; /* of each slice */

    Destinations destinations;
    uint32_t *seen; /* of each slice: requests at the port that wait for the reply network */
} NetworkTraffic;

static const Param params[] = {PARAM_END};

static const Stat stats[] = {
    INJECTOR_STATS("packets"),
    STAT_NUMBER(NetworkTraffic, blocked_answers, STAT_COUNT, NULL,
                "times an answer of a slice found no room in the reply network"),
    STAT_END};

static const ResourceRow resources[] = {
    RESOURCE_MANY_PLACES(NetworkTraffic, answers,
                         "requests at a slice: their answers wait for room in the reply network",
                         RESOURCE_CAPACITY(NetworkTraffic, answer_places), .unit = "requests",
                         .feeds = "to_reply_network", .refuses = "from_request_network",
                         .refusals = "blocked_answers", .component = "reply_network",
                         .rests_on = "network.l2_input_buffer",
                         .bitless = "they wait in front of the slices, which is counted there"),
    RESOURCE_END};

static const PortRow ports[] = {
    PORT_INPUTS(NetworkTraffic, from_request_network, "requests, by slice"),
    PORT_INPUTS(NetworkTraffic, from_reply_network, "replies, by SM"),
    PORT_OUTPUTS(NetworkTraffic, to_request_network, "requests, by SM"),
    PORT_OUTPUTS(NetworkTraffic, to_reply_network, "replies, by slice"), PORT_END};

static const SharedRow shared[] = {INJECTOR_SHARED(NetworkTraffic), SHARED(NetworkTraffic, line),
                                   SHARED_END};

static const Traffic *traffic_of(const NetworkTraffic *self)
{
    return injector_traffic(&self->injector);
}

static bool from_slices(const NetworkTraffic *self)
{
    return traffic_of(self)->way == WAY_REPLIES;
}

/* What stands for an L2 slice's buffer of requests. */
static StorageSize size_packet(const Unit *unit, const StorageMachine *machine)
{
    (void)unit;
    return (StorageSize){.entries = 1, .bits = STORAGE_PHYSICAL + storage_line_bits(&machine->l2)};
}

static const StorageRow storage[] = {STORAGE("input_bits", size_packet,
                                             "requests in front of the slices",
                                             .input = "from_request_network"),
                                     STORAGE_END};

static void fill(Injector *injector, uint32_t source, Transaction *packet)
{
    NetworkTraffic *self = (NetworkTraffic *)injector;
    const uint32_t to =
        destination_of(&self->destinations, source, &injector->source[source].random);
    const bool reply = from_slices(self);
    packet->source = (uint16_t)(reply ? to : source);
    packet->slice = packet->home = (uint16_t)(reply ? source : to);
    packet->virtual_line = 0;
    packet->served_by = SERVED_L1; /* by nobody */
}

static void set_up_destinations(NetworkTraffic *self)
{
    const Traffic *traffic = traffic_of(self);
    const uint32_t sms = self->to_request_network.count, slices = self->to_reply_network.count;
    const bool reply = from_slices(self);
    const uint32_t destinations = reply ? sms : slices;
    self->destinations = (Destinations){.rule = traffic->rule,
                                        .sources = reply ? slices : sms,
                                        .destinations = destinations,
                                        .side = destinations_side(destinations),
                                        .hotspot = traffic->hotspot,
                                        .hot = share_of_64_bits(traffic->hotspot_share)};
    if (traffic->matrix) destinations_set_matrix(&self->destinations, traffic->matrix);
}

/* Packets a cycle, newly allocated: of each source, or one of all. */
static double *list_rates(const NetworkTraffic *self)
{
    const Traffic *traffic = traffic_of(self);
    const Destinations *to = &self->destinations;
    double *rates = g_new0(double, to->sources);
    rates[0] = traffic->load;
    for (size_t i = 0; traffic->matrix && i < to->sources; i++) {
        rates[i] = 0;
        for (size_t j = 0; j < to->destinations; j++)
            rates[i] += traffic->load * traffic->matrix[i * to->destinations + j];
    }
    return rates;
}

static bool setup(Unit *unit, GError **error)
{
    (void)error;
    NetworkTraffic *self = (NetworkTraffic *)unit;
    Injector *injector = &self->injector;
    const Traffic *traffic = traffic_of(self);
    const bool reply = from_slices(self);
    const uint32_t sectors = (uint32_t)traffic->bytes / self->line->sector_bytes;
    set_up_destinations(self);
    injector->sources = self->destinations.sources;
    injector->outputs = reply ? &self->to_reply_network : &self->to_request_network;
    injector->waits = reply ? STAGE_REPLY_QUEUE : STAGE_REQUEST_QUEUE;
    injector->leaves = reply ? STAGE_REPLY_WIRE : STAGE_REQUEST_WIRE;
    injector->sectors = (uint16_t)((2u << (sectors - 1)) - 1);
    injector->fill = fill;
    self->seen = g_new0(uint32_t, self->to_reply_network.count);
    self->answer_places = self->from_request_network.at[0].channel->capacity;
    self->answers = level_array_new(self->to_reply_network.count);
    g_autofree double *rates = list_rates(self);
    injector_setup(injector, rates, traffic->matrix != NULL);
    return true;
}

static void teardown(Unit *unit)
{
    NetworkTraffic *self = (NetworkTraffic *)unit;
    injector_teardown(&self->injector);
    destinations_finish(&self->destinations);
    g_free(self->seen);
    g_free(self->answers.at);
}

/* --- what arrives ----------------------------------------------------------------------------- */

static void complete_all(NetworkTraffic *self, Port *port, Time now)
{
    Message *message;
    while ((message = port_take(port, now)))
        injector_complete(&self->injector, (Transaction *)message, now);
}

/* The first of a slice leaves. */
static void send_answer(NetworkTraffic *self, uint32_t slice, Time now)
{
    Transaction *packet = (Transaction *)port_take(&self->from_request_network.at[slice], now);
    if (self->seen[slice]) {
        self->seen[slice]--;
        level_leave(&self->answers.at[slice], now, packet->entered);
    }
    transaction_enter(packet, STAGE_REPLY_WIRE, now);
    channel_send(&self->to_reply_network.at[slice], &packet->message, now);
}

static void let_wait(NetworkTraffic *self, uint32_t slice, Time now)
{
    Port *port = &self->from_request_network.at[slice];
    for (; self->seen[slice] < port->count; self->seen[slice]++) {
        Transaction *packet = (Transaction *)port_peek_at(port, self->seen[slice]);
        packet->entered = now;
        transaction_enter(packet, STAGE_REPLY_QUEUE, now);
        level_enter(&self->answers.at[slice], now);
    }
    self->blocked_answers++;
    channel_await(&self->to_reply_network.at[slice], now);
}

static void answer(NetworkTraffic *self, uint32_t slice, Time now)
{
    const Port *port = &self->from_request_network.at[slice];
    Channel *output = &self->to_reply_network.at[slice];
    while (port->count && channel_ready(output, now)) send_answer(self, slice, now);
    if (port->count) let_wait(self, slice, now);
}

/* Those that have waited are asked about again: nobody says which credit has come. */
static void answer_all(NetworkTraffic *self, Time now)
{
    for (uint32_t j = 0; j < self->from_request_network.count; j++)
        if (self->from_request_network.at[j].count) answer(self, j, now);
}

static void take_packets(NetworkTraffic *self, Time now)
{
    Unit *unit = &self->injector.unit;
    const bool answers = traffic_of(self)->way == WAY_ROUND_TRIP;
    for (uint32_t k = 0; k < unit->fresh_count; k++) {
        const uint32_t i = port_array_index(&self->from_request_network, unit->fresh[k]);
        const bool is_request = i < self->from_request_network.count;
        if (!answers || !is_request) complete_all(self, unit->ports[unit->fresh[k]], now);
    }
    if (answers) answer_all(self, now);
}

static void step(Unit *unit, Time now)
{
    NetworkTraffic *self = (NetworkTraffic *)unit;
    take_packets(self, now);
    injector_work(&self->injector, now);
}

static bool unfinished(Unit *unit, GString *what)
{
    NetworkTraffic *self = (NetworkTraffic *)unit;
    if (!injector_unfinished(&self->injector, what)) return false;
    for (uint32_t i = 0; i < self->injector.sources; i++)
        unit_waits_for(unit, channel_receiver(&self->injector.outputs->at[i]));
    return true;
}

const UnitClass network_traffic_class = {
    .name = "network_traffic",
    .summary = "traffic into the networks alone: packets from SMs to L2 slices, back, or both",
    .per = PER_MACHINE,
    .runs = IN_NETWORK_ALONE,
    .clock = CLOCK_NETWORK,
    .place = PLACE_DISPATCHER,
    .path = "network_traffic",
    .size = sizeof(NetworkTraffic),
    .params = params,
    .stats = stats,
    .resources = resources,
    .ports = ports,
    .storage = storage,
    .shared = shared,
    .setup = setup,
    .step = step,
    .teardown = teardown,
    .unfinished = unfinished};
