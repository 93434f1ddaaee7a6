/* Virtual output queues: of every input one queue an output, in the same places. A packet stays
 * in the port while the link carries those before it, then joins its queue. An input may then ask
 * several outputs but pass on one packet at a time, so inputs and outputs have to be matched.
 *
 *     round robin   each output takes the next asking input that is still idle; which output
 *                   chooses first goes round
 *     oldest first  the oldest packet of all goes, then the oldest that it leaves possible ...
 *     islip         outputs grant, inputs accept, again with those left over; an output's and an
 *                   input's turn only move on when a grant of the first round is accepted
 *                   (McKeown, "The iSLIP Scheduling Algorithm for Input-Queued Switches", 1999) */
#include "units/crossbar/private.h"

static inline VirtualQueue *queue_of(const Crossbar *self, uint32_t i, uint32_t j)
{
    return &self->virtual[(size_t)i * self->outputs.count + j];
}

static inline Time first_entered(const Crossbar *self, uint32_t i, uint32_t j)
{
    return ((const Transaction *)queue_of(self, i, j)->packets.first)->entered;
}

static void expect_idle(Crossbar *self, uint32_t i)
{
    Input *input = &self->input[i];
    if (!input->timed) crossbar_expect(self, EVENT_INPUT, i, input->free_at);
    input->timed = true;
}

static void expect_output(Crossbar *self, uint32_t j, Time at)
{
    if (!self->output[j].timed) crossbar_expect(self, EVENT_OUTPUT, j, at);
    self->output[j].timed = true;
}

static void join_queue(Crossbar *self, uint32_t i, Transaction *packet, Time now)
{
    Input *input = &self->input[i];
    const uint32_t j = destination_of(self, packet);
    VirtualQueue *queue = queue_of(self, i, j);
    if (!queue->packets.first) queue->first_at = MAX(now, input->free_at);
    message_list_append(&queue->packets, &packet->message);
    set_insert(input->wanted, j);
    set_insert(self->output[j].asking, i);
    input->held++;
    input->seen--;
    if (input->free_at > now) {
        expect_idle(self, i);
        return;
    }
    set_insert(self->idle, i);
    set_insert(self->changed, j);
}

/* The packets whose first byte has come out of the link. */
void crossbar_virtual_admit(Crossbar *self, uint32_t i, Time now)
{
    Input *input = &self->input[i];
    Port *port = &self->inputs.at[i];
    for (const Transaction *next; (next = (Transaction *)port_peek(port));) {
        const Time here = MAX(next->entered, input->up_free);
        if (here > now) {
            if (!input->link_timed) crossbar_expect(self, EVENT_LINK_IN, i, here);
            input->link_timed = true;
            return;
        }
        crossbar_bring(self, i, next, here);
        join_queue(self, i, (Transaction *)port_withdraw(port), now);
    }
}

void crossbar_virtual_idle(Crossbar *self, uint32_t i)
{
    set_insert(self->idle, i);
    for (uint32_t w = 0; w < self->output_words; w++) self->changed[w] |= self->input[i].wanted[w];
}

static void move(Crossbar *self, uint32_t i, uint32_t j, Time now)
{
    Input *input = &self->input[i];
    Output *output = &self->output[j];
    VirtualQueue *queue = queue_of(self, i, j);
    Transaction *packet = (Transaction *)message_list_take(&queue->packets);
    if (!queue->packets.first) {
        set_remove(output->asking, i);
        set_remove(input->wanted, j);
    }
    self->head_wait += now - queue->first_at;
    self->blocked_head += now > queue->first_at;
    input->held--;
    input->passed++;
    port_vacate(&self->inputs.at[i], now);
    crossbar_pass(self, i, j, now, crossbar_transfer(self, packet, j, now));
    queue->first_at = input->free_at;
    set_remove(self->idle, i);
    set_remove(self->matching, j);
    if (!set_empty(input->wanted, self->output_words)) expect_idle(self, i);
    if (!set_empty(output->asking, self->words)) expect_output(self, j, output->free_at);
}

/* --- matching --------------------------------------------------------------------------------- */

/* Outputs that are idle, have room, and are asked by an idle input. One that is known to wait for
 * its destination is looked at when that has room. */
static void find_outputs(Crossbar *self, Time now)
{
    for (uint32_t w = 0; w < self->output_words; w++)
        for (; self->changed[w]; self->changed[w] &= self->changed[w] - 1) {
            const uint32_t j = w * WORD + (uint32_t)__builtin_ctzll(self->changed[w]);
            const Output *output = &self->output[j];
            if (output->free_at > now && !set_empty(output->asking, self->words))
                expect_output(self, j, output->free_at);
            else if (sets_meet(output->asking, self->idle, self->words)
                     && !(output->waits && self->speedup == 1)
                     && crossbar_output_ready(self, j, now))
                set_insert(self->matching, j);
        }
}

/* From the first on and round; each is taken out of the set, whether it finds an input or not. */
static void match_in_turn(Crossbar *self, Time now)
{
    uint32_t j = self->first_output;
    while ((j = sets_next(self->matching, self->matching, self->output_words, j)) != NONE) {
        Output *output = &self->output[j];
        const uint32_t i = sets_next(output->asking, self->idle, self->words, output->turn);
        set_remove(self->matching, j);
        if (i == NONE) continue;
        output->turn = i + 1 < self->inputs.count ? i + 1 : 0;
        move(self, i, j, now);
    }
    self->first_output = self->first_output + 1 < self->outputs.count ? self->first_output + 1 : 0;
}

static uint32_t find_oldest(const Crossbar *self, uint32_t j)
{
    uint32_t oldest = NONE;
    Time since = TIME_NEVER;
    for (uint32_t w = 0; w < self->words; w++)
        for (uint64_t word = self->output[j].asking[w] & self->idle[w]; word; word &= word - 1) {
            const uint32_t i = w * WORD + (uint32_t)__builtin_ctzll(word);
            if (first_entered(self, i, j) >= since) continue;
            since = first_entered(self, i, j);
            oldest = i;
        }
    return oldest;
}

static uint32_t grant(const Crossbar *self, uint32_t j)
{
    if (self->arbitration == ARBITRATION_OLDEST_FIRST) return find_oldest(self, j);
    const Output *output = &self->output[j];
    return sets_next(output->asking, self->idle, self->words, output->turn);
}

/* Would input i rather accept output j than the one it has? Outputs come in ascending order. */
static bool prefers(const Crossbar *self, uint32_t i, uint32_t j)
{
    const Input *input = &self->input[i];
    if (input->offer == NONE) return true;
    if (self->arbitration == ARBITRATION_OLDEST_FIRST)
        return first_entered(self, i, j) < first_entered(self, i, input->offer);
    return input->offer < input->turn && j >= input->turn;
}

static void grant_all(Crossbar *self)
{
    for (uint32_t w = 0; w < self->output_words; w++)
        for (uint64_t word = self->matching[w]; word; word &= word - 1) {
            const uint32_t j = w * WORD + (uint32_t)__builtin_ctzll(word);
            const uint32_t i = grant(self, j);
            if (i == NONE) {
                set_remove(self->matching, j);
                continue;
            }
            if (prefers(self, i, j)) self->input[i].offer = j;
            set_insert(self->offered, i);
        }
}

static bool accept_all(Crossbar *self, bool first, Time now)
{
    bool any = false;
    for (uint32_t w = 0; w < self->words; w++)
        for (; self->offered[w]; self->offered[w] &= self->offered[w] - 1) {
            const uint32_t i = w * WORD + (uint32_t)__builtin_ctzll(self->offered[w]);
            Input *input = &self->input[i];
            const uint32_t j = input->offer;
            input->offer = NONE;
            if (first) {
                self->output[j].turn = i + 1 < self->inputs.count ? i + 1 : 0;
                input->turn = j + 1 < self->outputs.count ? j + 1 : 0;
            }
            move(self, i, j, now);
            any = true;
        }
    return any;
}

static void match_by_offers(Crossbar *self, Time now)
{
    const uint64_t rounds =
        self->arbitration == ARBITRATION_ISLIP ? self->islip_iterations : self->outputs.count;
    for (uint64_t round = 0; round < rounds; round++) {
        grant_all(self);
        if (!accept_all(self, round == 0, now)) return;
    }
}

/* What the rounds of a matching have not reached tries again in the next. */
static void try_again(Crossbar *self, Time now)
{
    for (uint32_t w = 0; w < self->output_words; w++)
        for (; self->matching[w]; self->matching[w] &= self->matching[w] - 1) {
            const uint32_t j = w * WORD + (uint32_t)__builtin_ctzll(self->matching[w]);
            if (sets_meet(self->output[j].asking, self->idle, self->words))
                expect_output(self, j, after_slots(self, now, 1));
        }
}

void crossbar_virtual_match(Crossbar *self, Time now)
{
    find_outputs(self, now);
    if (set_empty(self->matching, self->output_words)) return;
    if (self->arbitration == ARBITRATION_ROUND_ROBIN)
        match_in_turn(self, now);
    else
        match_by_offers(self, now);
    try_again(self, now);
}
