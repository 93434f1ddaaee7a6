/* A crossbar: input queues, one output port a destination, one packet at a time through each.
 * Two stand in a machine: the request network (SMs to L2 slices) and the reply network (back).
 *
 *   source i ══ link up[i] ══> [input queue i] ─┐
 *                                               ├─ output j ══ link down[j] ══> destination j
 *   source k ══ link up[k] ══> [input queue k] ─┘
 *
 * Links are SimGrid's: their bandwidths say how long a packet occupies them, their latencies are
 * the channels' delays. A packet is served link by link when its head arrives (cut-through);
 * nothing is reserved at injection. Only the head of an input queue asks for its output, so a
 * blocked head blocks what is behind it. Outputs choose among asking inputs in turn (round
 * robin).
 *
 * Not modelled: virtual output queues, flits of several packets interleaved on one link, other
 * arbitration orders. Sources: packet = 8 B header + data, links of 40 B a cycle (GPGPU-Sim's
 * QV100 configuration: flits of 40 B). */
#include "kit/network.h"
#include "kit/unit.h"
#include "parts/coalescer.h"

enum { WORD = 64 };

typedef enum { EVENT_HEAD, EVENT_OUTPUT } EventKind;

typedef struct {
    Time at;
    uint32_t index;
    EventKind kind;
} Event;

typedef struct {
    Time up_free;  /* the link from the source has carried what came so far */
    Time head_at;  /* the head may ask from then on */
    bool asking;   /* the head's bit is set at its output */
    bool timed;    /* an event for the head is pending */
    uint32_t seen; /* packets in the queue whose arrival has been noted */
} Input;

typedef struct {
    Time free_at;
    uint64_t *asking;  /* inputs, a bit each */
    uint32_t turn;     /* the input that comes first in the next choice */
    bool timed, waits; /* for its own event; for the destination's room */
} Output;

typedef struct {
    Unit unit;
    PortArray inputs;
    ChannelArray outputs;
    const NetworkRoutes *networks;
    const LineShape *line;

    uint64_t header_bytes;

    uint64_t packets, bytes, blocked_head, blocked_output;
    uint64_t busy;
    Level queued;

    const NetworkRoutes *routes;
    Input *input;
    Output *output;
    double *up_per_cycle, *down_per_cycle; /* bytes */
    uint32_t words;
    Event *event; /* heap */
    uint32_t events, event_room;
    uint64_t *changed; /* outputs to look at in this step, a bit each */
    uint32_t changed_words, blocked_outputs;
} Crossbar;

static const Param params[] = {PARAM_NUMBER(Crossbar, header_bytes, PARAM_BYTES, "8 B", 0, 256,
                                            "bytes of a packet besides its data"),
                               PARAM_END};

static const Stat stats[] = {
    STAT_NUMBER(Crossbar, packets, STAT_COUNT, "lts__t_requests.sum", "packets that went through"),
    STAT_NUMBER(Crossbar, bytes, STAT_BYTES, NULL, "bytes on the output links, headers included"),
    STAT_NUMBER(Crossbar, busy, STAT_TIME, NULL, "sum over outputs of the time they were occupied"),
    STAT_NUMBER(Crossbar, blocked_head, STAT_COUNT, NULL,
                "heads that found their output occupied or asked for"),
    STAT_NUMBER(Crossbar, blocked_output, STAT_COUNT, NULL, "times a destination had no room"),
    STAT_OCCUPANCY(Crossbar, queued, NULL, "packets in all input queues"),
    STAT_END};

static const PortRow ports[] = {PORT_INPUTS(Crossbar, inputs, "packets from sources"),
                                PORT_OUTPUTS(Crossbar, outputs, "packets to destinations"),
                                PORT_END};

static const SharedRow shared[] = {SHARED(Crossbar, networks), SHARED(Crossbar, line), SHARED_END};

static bool setup(Unit *unit, GError **error)
{
    (void)error;
    Crossbar *self = (Crossbar *)unit;
    self->routes = &self->networks[unit->number];
    self->words = (self->inputs.count + WORD - 1) / WORD;
    self->changed_words = (self->outputs.count + WORD - 1) / WORD;
    self->changed = g_new0(uint64_t, self->changed_words);
    self->input = g_new0(Input, self->inputs.count);
    self->output = g_new0(Output, self->outputs.count);
    self->up_per_cycle = g_new0(double, self->inputs.count);
    self->down_per_cycle = g_new0(double, self->outputs.count);
    const double ns = time_to_ns(unit->clock->period);
    for (uint32_t i = 0; i < self->inputs.count; i++)
        self->up_per_cycle[i] = self->routes->up[i].bandwidth * ns;
    for (uint32_t j = 0; j < self->outputs.count; j++) {
        self->output[j].asking = g_new0(uint64_t, self->words);
        self->down_per_cycle[j] = self->routes->down[j].bandwidth * ns;
    }
    return true;
}

static void teardown(Unit *unit)
{
    Crossbar *self = (Crossbar *)unit;
    for (uint32_t j = 0; self->output && j < self->outputs.count; j++)
        g_free(self->output[j].asking);
    g_free(self->input);
    g_free(self->output);
    g_free(self->up_per_cycle);
    g_free(self->down_per_cycle);
    g_free(self->event);
    g_free(self->changed);
}

/* --- the unit's own events: when a head may ask, when an output is free ----------------------- */

static inline bool before(const Event *a, const Event *b)
{
    return a->at < b->at;
}

static void event_push(Crossbar *self, Event event)
{
    if (self->events == self->event_room) {
        self->event_room = self->event_room ? 2 * self->event_room : 64;
        self->event = g_renew(Event, self->event, self->event_room);
    }
    uint32_t i = self->events++;
    for (; i && before(&event, &self->event[(i - 1) / 2]); i = (i - 1) / 2)
        self->event[i] = self->event[(i - 1) / 2];
    self->event[i] = event;
}

static Event event_pop(Crossbar *self)
{
    const Event top = self->event[0], last = self->event[--self->events];
    uint32_t i = 0;
    for (uint32_t child; (child = 2 * i + 1) < self->events; i = child) {
        if (child + 1 < self->events && before(&self->event[child + 1], &self->event[child]))
            child++;
        if (!before(&self->event[child], &last)) break;
        self->event[i] = self->event[child];
    }
    self->event[i] = last;
    return top;
}

/* --- packets ---------------------------------------------------------------------------------- */

static inline bool is_request_network(const Crossbar *self)
{
    return self->unit.number == NETWORK_REQUEST;
}

static inline uint32_t destination_of(const Crossbar *self, const Transaction *packet)
{
    return is_request_network(self) ? packet->slice : packet->source;
}

static uint32_t packet_bytes(const Crossbar *self, const Transaction *packet)
{
    const bool data = is_request_network(self) ? packet->type != TRANSACTION_READ
                                               : packet->type != TRANSACTION_WRITE;
    const uint32_t sectors = data ? (uint32_t)__builtin_popcount(packet->sectors) : 0;
    return (uint32_t)self->header_bytes + sectors * self->line->sector_bytes;
}

static inline Time occupancy(const Crossbar *self, uint32_t bytes, double per_cycle)
{
    const uint64_t cycles = (uint64_t)((double)bytes / per_cycle + 0.999999);
    return clock_cycles(self->unit.clock, MAX(cycles, 1));
}

static bool anyone_asks(const Crossbar *self, const Output *output)
{
    for (uint32_t w = 0; w < self->words; w++)
        if (output->asking[w]) return true;
    return false;
}

/* The head of input i asks for its output, now or when the last byte before it has left the link.
 */
static void ask(Crossbar *self, uint32_t i, Time now)
{
    Input *input = &self->input[i];
    const Transaction *head = (Transaction *)port_peek(&self->inputs.at[i]);
    if (!head || input->asking) return;
    if (input->head_at > now) {
        if (!input->timed) event_push(self, (Event){input->head_at, i, EVENT_HEAD});
        input->timed = true;
        return;
    }
    const uint32_t j = destination_of(self, head);
    Output *output = &self->output[j];
    if (output->free_at > now || anyone_asks(self, output)) self->blocked_head++;
    output->asking[i / WORD] |= UINT64_C(1) << (i % WORD);
    self->changed[j / WORD] |= UINT64_C(1) << (j % WORD);
    input->asking = true;
}

/* Packets of one source occupy its link one after the other; a head can ask when its first byte
 * is there. */
static void become_head(Crossbar *self, uint32_t i, Time not_before, Time now)
{
    Input *input = &self->input[i];
    const Transaction *head = (Transaction *)port_peek(&self->inputs.at[i]);
    if (!head) return;
    const Time here = MAX(head->entered, input->up_free);
    input->up_free = here + occupancy(self, packet_bytes(self, head), self->up_per_cycle[i]);
    input->head_at = MAX(here, not_before);
    ask(self, i, now);
}

static void see_arrivals(Crossbar *self, uint32_t i, Time now)
{
    Port *port = &self->inputs.at[i];
    Input *input = &self->input[i];
    const bool was_empty = input->seen == 0;
    for (uint32_t k = input->seen; k < port->count; k++) {
        Transaction *packet = (Transaction *)port_peek_at(port, k);
        packet->entered = now;
        transaction_enter(packet,
                          is_request_network(self) ? STAGE_REQUEST_QUEUE : STAGE_REPLY_QUEUE, now);
        level_enter(&self->queued, now);
    }
    input->seen = port->count;
    if (was_empty) become_head(self, i, input->head_at, now);
}

/* The first asking input at or after the output's turn; UINT32_MAX: none. */
static uint32_t choose(const Crossbar *self, const Output *output)
{
    const uint32_t first = output->turn / WORD;
    uint64_t word = output->asking[first] & (~UINT64_C(0) << (output->turn % WORD));
    for (uint32_t k = 0; k <= self->words; k++) {
        const uint32_t w = (first + k) % self->words;
        if (k) word = output->asking[w];
        if (word) return w * WORD + (uint32_t)__builtin_ctzll(word);
    }
    return UINT32_MAX;
}

static void move(Crossbar *self, uint32_t i, uint32_t j, Time now)
{
    Input *input = &self->input[i];
    Output *output = &self->output[j];
    Transaction *packet = (Transaction *)port_take(&self->inputs.at[i], now);
    const uint32_t bytes = packet_bytes(self, packet);
    const Time service = occupancy(self, bytes, self->down_per_cycle[j]);
    level_leave(&self->queued, now, packet->entered);
    self->packets++;
    self->bytes += bytes;
    self->busy += service;
    const bool request = is_request_network(self);
    transaction_enter(packet, request ? STAGE_REQUEST_TRANSFER : STAGE_REPLY_TRANSFER, now);
    transaction_enter(packet, request ? STAGE_REQUEST_WIRE : STAGE_REPLY_WIRE, now + service);
    channel_send(&self->outputs.at[j], &packet->message, now + service);
    output->asking[i / WORD] &= ~(UINT64_C(1) << (i % WORD));
    output->turn = i + 1 < self->inputs.count ? i + 1 : 0;
    output->free_at = now + service;
    input->asking = false;
    input->seen--;
    input->head_at = now + service;
    become_head(self, i, now + service, now);
}

static void serve(Crossbar *self, uint32_t j, Time now)
{
    Output *output = &self->output[j];
    if (output->free_at <= now) {
        const uint32_t i = choose(self, output);
        if (i == UINT32_MAX) return;
        if (!channel_ready(&self->outputs.at[j], now)) {
            self->blocked_output++;
            self->blocked_outputs += !output->waits;
            output->waits = true;
            channel_await(&self->outputs.at[j], now);
            return;
        }
        move(self, i, j, now);
    }
    if (output->timed || !anyone_asks(self, output)) return;
    event_push(self, (Event){output->free_at, j, EVENT_OUTPUT});
    output->timed = true;
}

static void handle_due(Crossbar *self, Time now)
{
    while (self->events && self->event[0].at <= now) {
        const Event event = event_pop(self);
        if (event.kind == EVENT_HEAD) {
            self->input[event.index].timed = false;
            ask(self, event.index, now);
        } else {
            self->output[event.index].timed = false;
            self->changed[event.index / WORD] |= UINT64_C(1) << (event.index % WORD);
        }
    }
}

/* Outputs that found their destination full are looked at whenever a credit may have come. */
static void look_again_at_blocked(Crossbar *self, Time now)
{
    for (uint32_t j = 0; self->blocked_outputs && j < self->outputs.count; j++)
        if (self->output[j].waits && channel_ready(&self->outputs.at[j], now)) {
            self->output[j].waits = false;
            self->blocked_outputs--;
            self->changed[j / WORD] |= UINT64_C(1) << (j % WORD);
        }
}

static void step(Unit *unit, Time now)
{
    Crossbar *self = (Crossbar *)unit;
    for (uint32_t k = 0; k < unit->fresh_count; k++) see_arrivals(self, unit->fresh[k], now);
    handle_due(self, now);
    look_again_at_blocked(self, now);
    for (uint32_t w = 0; w < self->changed_words; w++) {
        while (self->changed[w]) {
            const uint32_t j = w * WORD + (uint32_t)__builtin_ctzll(self->changed[w]);
            self->changed[w] &= self->changed[w] - 1;
            serve(self, j, now);
        }
    }
    if (self->events) unit_wake_at(unit, self->event[0].at);
}

const UnitClass crossbar_class = {
    .name = "crossbar",
    .summary = "crossbar network between SMs and L2 slices, one each for requests and replies",
    .size = sizeof(Crossbar),
    .params = params,
    .stats = stats,
    .ports = ports,
    .shared = shared,
    .setup = setup,
    .step = step,
    .teardown = teardown};
