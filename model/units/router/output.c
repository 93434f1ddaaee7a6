/* Who leaves by a link: arbitration, and what becomes of the packet. */
#include "units/router/private.h"

static inline Transaction *head_of(const Router *self, uint32_t i, uint32_t j)
{
    return (Transaction *)self->lane[i * self->outputs.count + j].first;
}

/* Places that must be free for a packet of input i. */
static inline uint32_t places_wanted(const Router *self, uint32_t i, uint32_t j)
{
    return self->network->ring && router_is_link(self, j) && i >= self->stop->link_inputs ? 2 : 1;
}

/* The first at `from` or behind it. */
static inline uint32_t next_asking(const Router *self, const Output *output, uint32_t from)
{
    uint32_t w = from / WORD;
    if (w >= self->words) return NONE;
    uint64_t word = output->asking[w] & ~UINT64_C(0) << from % WORD;
    while (!word && ++w < self->words) word = output->asking[w];
    return word ? w * WORD + (uint32_t)__builtin_ctzll(word) : NONE;
}

/* From the output's turn on round: the first whose head is there, or the one whose head is the
 * oldest, of those for whom `room` places are enough; NONE: nobody. */
static uint32_t choose(const Router *self, uint32_t j, uint32_t room, Time now)
{
    const Output *output = &self->output[j];
    const bool by_age = self->arbitration == OLDEST_FIRST;
    uint32_t best = NONE;
    for (int lap = 0; lap < 2; lap++) {
        uint32_t i = next_asking(self, output, lap ? 0 : output->turn);
        for (; i != NONE && (!lap || i < output->turn); i = next_asking(self, output, i + 1)) {
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
    if (room != 1 || !self->network->ring || self->arbitration != OLDEST_FIRST) return false;
    if (choose(self, j, 2, now) == choose(self, j, 1, now)) return false;
    if (!output->kept) output->kept_until = now + self->patience;
    output->kept = true;
    return now < output->kept_until;
}

static Transaction *take(Router *self, uint32_t i, uint32_t j, Line *line, Time now)
{
    MessageList *lane = &self->lane[i * self->outputs.count + j];
    Transaction *packet = (Transaction *)message_list_take(lane);
    if (!lane->first) {
        self->output[j].asking[i / WORD] &= ~(UINT64_C(1) << i % WORD);
        self->output[j].waiting--;
        line->waiting--;
    }
    port_vacate(&self->inputs.at[i], now);
    level_leave(&self->queued, now, packet->entered);
    if (now > packet->entered) self->waited++;
    packet->trip.queued += now - packet->entered;
    return packet;
}

/* What the ends take where SimGrid's route has no link of theirs, the first link gives back. */
static void send_on(Router *self, uint32_t j, const Line *line, Transaction *packet, Time held,
                    Time now)
{
    Channel *link = &self->outputs.at[j];
    Time when = now + self->delay + line->ahead;
    if (packet->trip.ahead) when -= clock_cycles(self->unit.clock, packet->trip.ahead);
    if (line->server) self->busy_links += held;
    self->link_packets++;
    self->link_bytes += router_packet_bytes(self, self->output[j].role, packet);
    packet->trip.ahead = 0;
    packet->trip.hops++;
    packet->trip.complete = when + link->delay + held;
    channel_send(link, &packet->message, when);
}

/* The stages of all hops are stamped here, once: first what was waited, then the way. */
static void deliver(Router *self, uint32_t j, const Line *line, Transaction *packet, Time held,
                    Time now)
{
    const bool request = self->output[j].role == NETWORK_REQUEST;
    const Stage wire = request ? STAGE_REQUEST_WIRE : STAGE_REPLY_WIRE;
    if (line->server) self->busy_exits += held;
    self->delivered++;
    self->hops += packet->trip.hops;
    transaction_enter(packet, wire, packet->trip.began + packet->trip.queued);
    transaction_enter(packet, request ? STAGE_REQUEST_TRANSFER : STAGE_REPLY_TRANSFER, now);
    transaction_enter(packet, wire, now + held);
    channel_send(&self->outputs.at[j], &packet->message, now + held);
}

/* A link is held until the packet's last byte has come and gone. */
static void move(Router *self, uint32_t i, uint32_t j, Line *line, Time now)
{
    Output *output = &self->output[j];
    Transaction *packet = take(self, i, j, line, now);
    const Time service = router_occupancy(self, output->role, packet, line->per_cycle);
    const Time held = MAX(now + service, packet->trip.complete) - now;
    if (line->server) {
        line->free_at = now + held;
        server_book(line->server, now, held);
    }
    line->turn = j + 1 < line->end ? j + 1 : line->first;
    output->turn = i + 1 < self->inputs.count ? i + 1 : 0;
    output->blocked = output->kept = false;
    if (router_is_link(self, j))
        send_on(self, j, line, packet, held, now);
    else
        deliver(self, j, line, packet, held, now);
}

/* Nobody may leave although the link is free: when, or on whose account, can that change? */
static void await_output(Router *self, uint32_t j, Time now)
{
    Output *output = &self->output[j];
    const uint32_t room = channel_room(&self->outputs.at[j], now);
    Time ready = TIME_NEVER;
    for (uint32_t i = next_asking(self, output, 0); i != NONE; i = next_asking(self, output, i + 1))
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

static uint32_t candidate(Router *self, uint32_t j, Time now)
{
    const uint32_t room = channel_room(&self->outputs.at[j], now);
    return is_kept_for_entry(self, j, room, now) ? NONE : choose(self, j, room, now);
}

/* Of the outputs that share a link, as of the inputs of one: from its turn on, or the oldest. The
 * output, and its input; NONE: nobody may leave. */
static uint32_t choose_output(Router *self, const Line *line, uint32_t *input, Time now)
{
    const bool by_age = self->arbitration == OLDEST_FIRST;
    uint32_t best = NONE;
    for (uint32_t k = line->first, j = line->turn; k < line->end; k++) {
        const uint32_t i = self->output[j].waiting ? candidate(self, j, now) : NONE;
        if (i != NONE
            && (best == NONE
                || head_of(self, i, j)->trip.began < head_of(self, *input, best)->trip.began)) {
            best = j;
            *input = i;
            if (!by_age) break;
        }
        j = j + 1 < line->end ? j + 1 : line->first;
    }
    return best;
}

void router_serve(Router *self, Line *line, Time now)
{
    while (line->waiting && line->free_at <= now) { /* an ideal link is free at once */
        uint32_t i = 0;
        const uint32_t best = choose_output(self, line, &i, now);
        if (best == NONE) {
            for (uint32_t j = line->first; j < line->end; j++)
                if (self->output[j].waiting) await_output(self, j, now);
            return;
        }
        move(self, i, best, line, now);
    }
    if (line->waiting) self->wake = MIN(self->wake, line->free_at);
}
