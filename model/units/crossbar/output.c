/* The crossbar's outputs and the links behind them.
 *
 * Without speed-up an output passes a packet straight on to its link. With it the output takes
 * packets faster than the link carries them, and a queue stands between:
 *
 *     inputs ──> output j, `speedup` flits a cycle ──> [queue, output_buffer] ══ link down[j]
 *
 * A packet goes on as its first flit comes, so an empty queue costs no time. */
#include "units/crossbar/private.h"

static inline bool passes_straight_on(const Crossbar *self)
{
    return self->speedup == 1 || is_ideal(self);
}

/* When a packet has come over the wire from its source's place to its destination's, which it
 * enters at `at`; none passes another. */
static inline Time take_wire(Crossbar *self, const Transaction *packet, uint32_t j, Time at)
{
    if (!self->wire) return at;
    const uint32_t source = network_source(self->unit.number, packet);
    const Time there = at + self->wire[network_wire(&self->routes->wires, source, j)];
    self->last[j] = MAX(self->last[j], there);
    self->wire_time += self->last[j] - at;
    return self->last[j];
}

/* A link is held until the packet's last byte has come and gone. */
static inline Time put_on_link(Crossbar *self, Transaction *packet, uint32_t j, Time now)
{
    const uint32_t sectors = sectors_of(self, packet);
    const uint64_t cycles = self->down_cycles[j][sectors];
    const Time end =
        MAX(now + clock_cycles(self->unit.clock, cycles), crossbar_complete(self, packet));
    self->packets++;
    self->output[j].passed++;
    self->bytes += self->packet_bytes[sectors];
    self->busy += end - now;
    server_book(&self->destination_links.at[j], now, end - now);
    transaction_enter(packet, self->stages.transfer, now);
    transaction_enter(packet, self->stages.wire, end);
    channel_send(&self->outputs.at[j], &packet->message, take_wire(self, packet, j, end));
    return end;
}

/* When the crossbar has moved the packet's last flit, if it moves the first one now. */
static Time transfer_end(const Crossbar *self, const Transaction *packet, uint32_t j, Time now)
{
    return after_slots(self, now, self->down_cycles[j][sectors_of(self, packet)]);
}

static bool destination_ready(Crossbar *self, uint32_t j, Time now)
{
    Channel *channel = &self->outputs.at[j];
    if (channel_ready(channel, now)) return true;
    self->blocked_output++;
    self->blocked_outputs += !set_has(self->blocked, j);
    set_insert(self->blocked, j);
    channel_await(channel, now);
    self->room_at[j] = channel->awaited > now ? channel->awaited : 0;
    return false;
}

bool crossbar_output_ready(Crossbar *self, uint32_t j, Time now)
{
    if (passes_straight_on(self)) return destination_ready(self, j, now);
    if (self->output[j].held < self->output_buffer) return true;
    self->full_output++;
    return false;
}

Time crossbar_transfer(Crossbar *self, Transaction *packet, uint32_t j, Time now)
{
    level_leave(&self->queued, now, packet->entered);
    if (passes_straight_on(self)) return put_on_link(self, packet, j, now);
    const Time end = transfer_end(self, packet, j, now);
    server_book(&self->taking.at[j], now, end - now);
    transaction_enter(packet, self->stages.transfer, now);
    packet->entered = now;
    level_enter(&self->output_queued, now);
    level_enter(&self->output_queues.at[j], now);
    message_list_append(&self->output[j].queue, &packet->message);
    self->output[j].held++;
    crossbar_drive_link(self, j, now);
    return end;
}

static void expect_link(Crossbar *self, uint32_t j, Time at)
{
    crossbar_expect(self, EVENT_LINK_OUT, j, at);
    self->output[j].link_timed = true;
}

void crossbar_drive_link(Crossbar *self, uint32_t j, Time now)
{
    Output *output = &self->output[j];
    if (!output->queue.first || output->link_timed || set_has(self->blocked, j)) return;
    const Time at = MAX(clock_ceil(self->unit.clock, now), output->link_free);
    if (at > now) {
        expect_link(self, j, at);
        return;
    }
    if (!destination_ready(self, j, now)) return;
    Transaction *packet = (Transaction *)message_list_take(&output->queue);
    output->held--;
    set_insert(self->changed, j); /* a place is free */
    level_leave(&self->output_queued, now, packet->entered);
    level_leave(&self->output_queues.at[j], now, packet->entered);
    const Time end = transfer_end(self, packet, j, packet->entered);
    if (end < now) transaction_enter(packet, self->stages.queue, end);
    output->link_free = put_on_link(self, packet, j, now);
    if (output->queue.first) expect_link(self, j, output->link_free);
}

static void look_at_blocked(Crossbar *self, uint32_t j, Time now)
{
    if (self->room_at[j] > now || !channel_ready(&self->outputs.at[j], now)) return;
    set_remove(self->blocked, j);
    self->blocked_outputs--;
    if (passes_straight_on(self))
        set_insert(self->changed, j);
    else
        crossbar_drive_link(self, j, now);
}

/* Outputs that found their destination full are looked at whenever a credit may have come. */
void crossbar_look_at_blocked(Crossbar *self, Time now)
{
    for (uint32_t w = 0; self->blocked_outputs && w < self->output_words; w++)
        for (uint64_t word = self->blocked[w]; word; word &= word - 1)
            look_at_blocked(self, set_first(word, w), now);
}
