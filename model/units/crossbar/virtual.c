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

void crossbar_make_room_to_wait(Crossbar *self)
{
    const uint32_t before = MAX(self->waiting_room, 1), room = 2 * before;
    self->waiting = g_renew(Waiting, self->waiting, room);
    for (uint32_t place = before; place < room; place++) self->waiting[place].next = place + 1;
    self->waiting[room - 1].next = 0;
    self->free_waiting = before;
    self->waiting_room = room;
}

static inline Time first_entered(const Crossbar *self, uint32_t i, uint32_t j)
{
    return queue_first(self, queue_of(self, i, j))->packet->entered;
}

static void expect_idle(Crossbar *self, uint32_t i)
{
    Input *input = &self->input[i];
    if (!input->timed) crossbar_expect(self, EVENT_INPUT, i, input->free_at);
    input->timed = true;
}

static void join_queue(Crossbar *self, uint32_t i, Transaction *packet, Time now)
{
    Input *input = &self->input[i];
    const uint32_t j = destination_of(self, packet);
    VirtualQueue *queue = queue_of(self, i, j);
    const bool was_empty = !queue->first;
    queue_append(self, queue, packet);
    if (was_empty) {
        queue_first(self, queue)->first_at = MAX(now, input->free_at);
        set_insert(input->wanted, j);
        set_insert(self->output[j].asking, i);
        self->output[j].asked++;
    }
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
    const Time first_at = queue_first(self, queue)->first_at;
    Transaction *packet = queue_take(self, queue);
    self->head_wait += now - first_at;
    self->blocked_head += now > first_at;
    input->held--;
    input->passed++;
    port_vacate(&self->inputs.at[i], now);
    crossbar_pass(self, i, j, now, crossbar_transfer(self, packet, j, now));
    if (queue->first) {
        queue_first(self, queue)->first_at = input->free_at;
    } else {
        set_remove(output->asking, i);
        set_remove(input->wanted, j);
        output->asked--;
    }
    set_remove(self->idle, i);
    if (input->held) expect_idle(self, i);
    if (output->asked) crossbar_expect_free(self, j);
}

/* --- matching --------------------------------------------------------------------------------- */

/* It is idle, has room, and is asked by an idle input. One that is known to wait for its
 * destination is looked at when that has room. */
static bool takes_part(Crossbar *self, uint32_t j, Time now)
{
    const Output *output = &self->output[j];
    if (!output->asked) return false;
    if (output->free_at > now) {
        crossbar_expect_free(self, j);
        return false;
    }
    return sets_meet(output->asking, self->idle, self->words)
           && !(self->speedup == 1 && set_has(self->blocked, j))
           && crossbar_output_ready(self, j, now);
}

/* Of the outputs that have changed; those that are looked at when they are free are busy. False:
 * there are none. */
static bool find_outputs(Crossbar *self, Time now)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < self->output_words; w++) {
        uint64_t word = self->changed[w] & ~self->timed[w], matching = 0;
        self->changed[w] = 0;
        for (; word; word &= word - 1)
            if (takes_part(self, set_first(word, w), now)) matching |= word & -word;
        self->matching[w] = matching;
        any |= matching;
    }
    return any;
}

static inline void match_each(Crossbar *self, uint32_t w, uint64_t word, Time now)
{
    for (; word; word &= word - 1) {
        const uint32_t j = set_first(word, w);
        Output *output = &self->output[j];
        const uint32_t i = sets_next(output->asking, self->idle, self->words, output->turn);
        if (i == NONE) continue;
        output->turn = i + 1 < self->inputs.count ? i + 1 : 0;
        move(self, i, j, now);
    }
}

/* From the first on and round, once each, whether it finds an input or not. */
static void match_in_turn(Crossbar *self, Time now)
{
    const uint32_t first = self->first_output / WORD;
    const uint64_t behind = ~UINT64_C(0) << (self->first_output % WORD);
    uint64_t part = behind;
    for (uint32_t k = 0, w = first; k <= self->output_words; k++) {
        match_each(self, w, self->matching[w] & part, now);
        w = w + 1 < self->output_words ? w + 1 : 0;
        part = w == first ? ~behind : ~UINT64_C(0);
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
            set_remove(self->matching, j);
            move(self, i, j, now);
            any = true;
        }
    return any;
}

/* What the rounds of a matching have not reached tries again in the next. */
static void try_again(Crossbar *self, Time now)
{
    for (uint32_t w = 0; w < self->output_words; w++)
        for (uint64_t word = self->matching[w]; word; word &= word - 1) {
            const uint32_t j = set_first(word, w);
            if (sets_meet(self->output[j].asking, self->idle, self->words))
                crossbar_expect(self, EVENT_OUTPUT, j, after_slots(self, now, 1));
        }
}

static void match_by_offers(Crossbar *self, Time now)
{
    const uint64_t rounds =
        self->arbitration == ARBITRATION_ISLIP ? self->islip_iterations : self->outputs.count;
    for (uint64_t round = 0; round < rounds; round++) {
        grant_all(self);
        if (!accept_all(self, round == 0, now)) break;
    }
    try_again(self, now);
}

void crossbar_virtual_match(Crossbar *self, Time now)
{
    if (!find_outputs(self, now)) return;
    if (self->arbitration == ARBITRATION_ROUND_ROBIN)
        match_in_turn(self, now);
    else
        match_by_offers(self, now);
}
