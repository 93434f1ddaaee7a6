/* The ROP: when operations take place, and what they do. */
#include <string.h>

#include "units/rop/private.h"

enum { WORDS_MAX = 128 };

/* --- values ----------------------------------------------------------------------------------- */

static uint32_t apply(AtomicOperation operation, uint32_t old, uint32_t operand, uint32_t compare)
{
    switch (operation) {
    case ATOMIC_ADD: return old + operand;
    case ATOMIC_INC: return old >= operand ? 0 : old + 1;
    case ATOMIC_MIN: return MIN(old, operand);
    case ATOMIC_MAX: return MAX(old, operand);
    case ATOMIC_EXCHANGE: return operand;
    case ATOMIC_CAS: return old == compare ? operand : old;
    case ATOMIC_AND: return old & operand;
    case ATOMIC_OR: return old | operand;
    case ATOMIC_XOR: return old ^ operand;
    case ATOMIC_READ:
    case ATOMIC_BLEND: return old;
    }
    g_assert_not_reached();
}

static uint64_t word_of(const Rop *self, const Transaction *transaction, uint32_t lane)
{
    return rop_line_number(self, transaction) * (self->line->line_bytes / WORD_BYTES)
           + transaction->operands->offset[lane] / WORD_BYTES;
}

/* Lane by lane, lowest first. */
static void exchange_values(Rop *self, const Transaction *transaction)
{
    AtomicOperands *operands = transaction->operands;
    if (operands->operation == ATOMIC_BLEND) return;
    for (uint64_t rest = operands->lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        const uint64_t word = word_of(self, transaction, lane);
        const uint32_t old = word_table_read(&self->values, word);
        const uint32_t operand = operands->operand + lane * (uint32_t)operands->operand_stride;
        const uint32_t new =
            apply((AtomicOperation)operands->operation, old, operand, operands->compare);
        operands->value[lane] = old;
        if (new != old) word_table_write(&self->values, word, new);
    }
}

/* --- time ------------------------------------------------------------------------------------- */

/* How many lanes want each word of the line. */
static void count_lanes_at(const Rop *self, const Transaction *transaction, uint8_t *lanes_at)
{
    const AtomicOperands *operands = transaction->operands;
    memset(lanes_at, 0, self->line->line_bytes / WORD_BYTES);
    for (uint64_t rest = operands->lanes; rest; rest &= rest - 1)
        lanes_at[operands->offset[__builtin_ctzll(rest)] / WORD_BYTES]++;
}

void rop_book_words(Rop *self, Time start, Time end)
{
    const Time from = MAX(start, self->word_turns.until);
    if (end > from) server_book(&self->word_turns, from, end - from);
}

/* Operations that the pipeline takes together from `start` on: words of lanes, and exchanges of
 * words, each for lanes that are done as one; turns of the word that most of them want; when the
 * last of them begins and ends. */
typedef struct {
    Time start;
    uint64_t words, exchanges;
    Time turns, last, end;
} Taken;

static inline uint64_t turns_of(const Rop *self, uint8_t lanes)
{
    return (lanes + self->combine - 1) / self->combine;
}

/* Turns that leave no word of the sector as it is, of lanes of so many words each. */
static uint64_t whole_turns(const Rop *self, const uint8_t *lanes_at, uint64_t words_a_lane)
{
    uint64_t whole = UINT64_MAX;
    for (uint32_t w = 0; w < self->line->sector_bytes / WORD_BYTES; w += words_a_lane)
        whole = MIN(whole, turns_of(self, lanes_at[w]));
    return whole;
}

/* The operations of one sector. */
static void place_sector(const Rop *self, const uint8_t *lanes_at, uint64_t words_a_lane,
                         Time *free_at, Taken *taken)
{
    const Time interval = clock_cycles(self->unit.clock, self->interval);
    const uint32_t words = self->line->sector_bytes / WORD_BYTES;
    const uint64_t whole =
        self->partial_turn == interval ? UINT64_MAX : whole_turns(self, lanes_at, words_a_lane);
    for (uint32_t w = 0; w < words; w++) {
        if (!lanes_at[w]) continue;
        const uint64_t turns = turns_of(self, lanes_at[w]), alike = MIN(turns, whole);
        const Time time = alike * interval + (turns - alike) * self->partial_turn;
        const Time from = free_at ? MAX(taken->start, free_at[w]) : taken->start, to = from + time;
        if (free_at) free_at[w] = to;
        taken->end = MAX(taken->end, to);
        taken->last = MAX(taken->last, to - (turns > alike ? self->partial_turn : interval));
        taken->words += lanes_at[w];
        taken->exchanges += turns;
        taken->turns = MAX(taken->turns, time);
    }
}

/* To count each word of a request that wants many would take longer than all else here. */
static void count_hottest(Rop *self, const Transaction *transaction, const uint8_t *lanes_at)
{
    const AtomicOperands *operands = transaction->operands;
    if (operands->operation == ATOMIC_BLEND) return;
    const uint32_t first = (uint32_t)__builtin_ctzll(operands->lanes);
    const bool alone = !(operands->lanes & (operands->lanes - 1));
    uint32_t hottest = alone ? operands->offset[first] / WORD_BYTES : 0;
    for (uint32_t w = 1; !alone && w < self->line->line_bytes / WORD_BYTES; w++)
        if (lanes_at[w] > lanes_at[hottest]) hottest = w;
    const uint64_t line = transaction->virtual_line & ~(uint64_t)(self->line->line_bytes - 1);
    heavy_hitters_add(&self->hottest, line + hottest * WORD_BYTES, lanes_at[hottest]);
}

/* Returns until when the pipeline takes no others. Turns that begin when it has taken the words are
 * waited for; others are over with it. */
static Time pass(Rop *self, const Taken *taken, uint64_t words_a_lane, bool cached)
{
    const uint64_t cycles = (taken->words * words_a_lane + self->lanes - 1) / self->lanes;
    const Time through = taken->start + clock_cycles(self->unit.clock, cycles);
    if (cached && taken->last > through) rop_book_words(self, taken->start, taken->end);
    return self->turns == ROP_TURNS_PIPELINE ? MAX(through, taken->start + taken->turns) : through;
}

/* A pipeline is taken from `start` to `end`. */
static void take_pipeline(Rop *self, Time start, Time end)
{
    self->busy += end - start;
    server_book_share(&self->pipe, start, end - start, self->pipelines);
    self->free_at = MAX(self->free_at, start) + time_share(end - start, self->pipelines);
}

/* Sector after sector, or as many together as have `lanes` words. Returns when the last operation
 * begins. */
static Time schedule(Rop *self, const Transaction *transaction, uint32_t place, Time start)
{
    const uint32_t sectors = self->line->line_bytes / self->line->sector_bytes,
                   words = self->line->sector_bytes / WORD_BYTES,
                   together = MAX((uint32_t)self->lanes / words, 1);
    const uint64_t words_a_lane = MAX(transaction->operands->width / WORD_BYTES, 1);
    Time *free_at =
        place == TAG_NONE ? NULL : &self->word_free_at[(uint64_t)place * sectors * words];
    uint8_t lanes_at[WORDS_MAX];
    Time last = start, at = start;
    count_lanes_at(self, transaction, lanes_at);
    count_hottest(self, transaction, lanes_at);
    for (uint32_t s = 0; s < sectors;) {
        Taken taken = {.start = at};
        for (const uint32_t end = MIN(s + together, sectors); s < end; s++)
            place_sector(self, lanes_at + s * words, words_a_lane,
                         free_at ? free_at + s * words : NULL, &taken);
        last = MAX(last, taken.last);
        self->exchanges += taken.exchanges * words_a_lane;
        at = pass(self, &taken, words_a_lane, free_at != NULL);
    }
    take_pipeline(self, start, at);
    return last;
}

static void note_run(Rop *self, const Transaction *transaction)
{
    const uint64_t lanes = transaction->operands->lanes;
    const uint64_t word = word_of(self, transaction, (uint32_t)__builtin_ctzll(lanes)) + 1;
    const bool same = word == self->last_word;
    self->same_address += same;
    self->same_address_runs += same && !self->in_run;
    self->in_run = same;
    self->last_word = word;
}

void rop_operate(Rop *self, Transaction *transaction, uint32_t place, uint32_t entry, Time now)
{
    const AtomicOperands *operands = transaction->operands;
    const Time start = MAX(now, rop_next_at(self));
    Time done =
        schedule(self, transaction, place, start) + clock_cycles(self->unit.clock, self->latency);
    if (self->pipeline_count) {
        const uint32_t last =
            (self->pipeline_first + self->pipeline_count - 1) % (uint32_t)self->pipeline_entries;
        done = MAX(done, self->pipeline[last].done);
    }
    note_run(self, transaction);
    exchange_values(self, transaction);
    self->operations += count_lanes(operands->lanes);
    self->blends += operands->operation == ATOMIC_BLEND;
    if (place != TAG_NONE) {
        rop_hold(self, place, now); /* until the result has left */
        if (operands->operation != ATOMIC_READ)
            self->tags.lines[place].dirty |= transaction->sectors;
    }
    const uint32_t at =
        (self->pipeline_first + self->pipeline_count++) % (uint32_t)self->pipeline_entries;
    self->pipeline[at] = (Operating){transaction, now, done, place, entry};
    level_enter(&self->operating, now);
}
