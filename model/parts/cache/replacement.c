#include "parts/cache/replacement.h"

#include "parts/bits.h"

#include <string.h>

enum { NONE = UINT32_MAX, ORDERED_WAYS = 16, FILLED_HITS_AGO = 2 };

/* Way 0 is the oldest. */
#define IN_ORDER UINT64_C(0xfedcba9876543210)

const char *const replacement_names[] = {"lru",  "fifo",        "random",  "nru",
                                         "plru", "sampled_lru", "hit_age", NULL};

static uint64_t power_of_two_from(uint64_t count)
{
    uint64_t power = 1;
    while (power < count) power *= 2;
    return power;
}

static uint64_t words_of_bits(uint64_t bits)
{
    return (bits + 63) / 64;
}

uint64_t replacement_set_bits(ReplacementPolicy policy, uint64_t ways)
{
    enum { STAMP_BITS = 8 }; /* assumed */
    switch (policy) {
    case REPLACEMENT_LRU: return ways * bits_for(ways);
    case REPLACEMENT_FIFO: return bits_for(ways);
    case REPLACEMENT_RANDOM: return 0;
    case REPLACEMENT_NRU: return ways;
    case REPLACEMENT_PLRU: return ways - 1;
    case REPLACEMENT_SAMPLED_LRU:
    case REPLACEMENT_HIT_AGE: return ways * STAMP_BITS;
    }
    g_assert_not_reached();
}

uint64_t replacement_words(ReplacementPolicy policy, uint64_t ways)
{
    switch (policy) {
    case REPLACEMENT_LRU:
    case REPLACEMENT_FIFO: return ways > ORDERED_WAYS ? ways + 1 : 1;
    case REPLACEMENT_RANDOM: return 0;
    case REPLACEMENT_NRU:
    case REPLACEMENT_PLRU: return words_of_bits(power_of_two_from(ways));
    case REPLACEMENT_SAMPLED_LRU: return ways;
    case REPLACEMENT_HIT_AGE: return ways + 1;
    }
    g_assert_not_reached();
}

static uint64_t *words_of(const Replacement *self, uint64_t set)
{
    return self->words + set * self->stride;
}

static AgeLinks *links_of(const Replacement *self, uint64_t set)
{
    G_STATIC_ASSERT(sizeof(AgeLinks) == sizeof(uint64_t));
    return (AgeLinks *)(void *)words_of(self, set);
}

static AgeList ages_of(ReplacementPolicy policy, uint64_t ways)
{
    if (policy != REPLACEMENT_LRU && policy != REPLACEMENT_FIFO) return AGES_NONE;
    return ways > ORDERED_WAYS ? AGES_IN_LINKS : AGES_IN_A_WORD;
}

void replacement_init(Replacement *self, uint64_t sets)
{
    self->ages = ages_of(self->policy, self->ways);
    for (uint64_t set = 0; self->ages == AGES_IN_LINKS && set < sets; set++)
        replacement_forget(self, set, self->ways);
}

static void put_in_order(AgeLinks *links, uint64_t ways, uint64_t used)
{
    links[ways] = (AgeLinks){.newer = 0, .older = (uint32_t)ways - 1};
    links[ways - 1].newer = (uint32_t)ways;
    for (uint32_t way = 0; way < used; way++) links[way].newer = way + 1;
    for (uint32_t way = 0; way <= used && way < ways; way++)
        links[way].older = way == 0 ? (uint32_t)ways : way - 1;
}

/* With a list by age, those that were not used are still in order: they only have to find their
 * neighbours again. */
void replacement_forget(Replacement *self, uint64_t set, uint64_t used)
{
    uint64_t *words = words_of(self, set);
    switch (self->policy) {
    case REPLACEMENT_LRU:
    case REPLACEMENT_FIFO:
        if (self->ages == AGES_IN_LINKS)
            put_in_order(links_of(self, set), self->ways, used);
        else
            words[0] = 0;
        break;
    case REPLACEMENT_RANDOM: break;
    case REPLACEMENT_NRU:
    case REPLACEMENT_PLRU:
        memset(words, 0, replacement_words(self->policy, self->ways) * sizeof *words);
        break;
    case REPLACEMENT_SAMPLED_LRU:
    case REPLACEMENT_HIT_AGE:
        memset(words, 0, used * sizeof *words);
        if (self->policy == REPLACEMENT_HIT_AGE) words[self->ways] = 0;
        break;
    }
}

/* --- lru, fifo -------------------------------------------------------------------------------- */

/* Where in the order the way is, in bits: its four are the lowest that are zero, when each has been
 * compared. */
static uint32_t shift_of(uint64_t order, uint32_t way)
{
    const uint64_t ones = UINT64_C(0x1111111111111111), differs = order ^ way * ones;
    return (uint32_t)__builtin_ctzll((differs - ones) & ~differs & ones << 3) - 3;
}

static uint64_t order_of(const Replacement *self, uint64_t set)
{
    return *words_of(self, set) ^ IN_ORDER;
}

/* Those that are newer move down by one. As a rule it is the oldest, whose place was given away. */
static void put_last(Replacement *self, uint64_t set, uint32_t way)
{
    const uint64_t order = order_of(self, set);
    const uint32_t last = 4 * ((uint32_t)self->ways - 1);
    const uint32_t shift = (order & 15) == way ? 0 : shift_of(order, way);
    const uint64_t older = (UINT64_C(1) << shift) - 1, newer = ((UINT64_C(1) << last) - 1) & ~older;
    const uint64_t behind = ~(older | newer | UINT64_C(15) << last);
    const uint64_t after = (order & (older | behind)) | (order >> 4 & newer);
    *words_of(self, set) = (after | (uint64_t)way << last) ^ IN_ORDER;
}

static void make_newest(Replacement *self, uint64_t set, uint32_t way)
{
    if (self->ages == AGES_IN_A_WORD) {
        put_last(self, set, way);
        return;
    }
    AgeLinks *links = links_of(self, set), *ends = links + self->ways;
    if (ends->older == way) return;
    links[links[way].newer].older = links[way].older;
    links[links[way].older].newer = links[way].newer;
    links[way] = (AgeLinks){.newer = (uint32_t)self->ways, .older = ends->older};
    links[ends->older].newer = way;
    ends->older = way;
}

static uint32_t oldest_in_order(const Replacement *self, uint64_t set, ReplacementKeeps keeps,
                                const void *user)
{
    uint64_t order = order_of(self, set);
    for (uint64_t i = 0; i < self->ways; i++, order >>= 4)
        if (!keeps(user, set, order & 15)) return order & 15;
    return NONE;
}

static uint32_t oldest(const Replacement *self, uint64_t set, ReplacementKeeps keeps,
                       const void *user)
{
    if (self->ages == AGES_IN_A_WORD) return oldest_in_order(self, set, keeps, user);
    const AgeLinks *links = links_of(self, set);
    uint32_t way = links[self->ways].newer;
    while (way < self->ways && keeps(user, set, way)) way = links[way].newer;
    return way < self->ways ? way : NONE;
}

/* --- random, sampled_lru ---------------------------------------------------------------------- */

/* From `way` on, the first that may go. */
static uint32_t next_free(const Replacement *self, uint64_t set, uint32_t way,
                          ReplacementKeeps keeps, const void *user)
{
    for (uint64_t i = 0; i < self->ways; i++) {
        const uint32_t other = (uint32_t)((way + i) % self->ways);
        if (!keeps(user, set, other)) return other;
    }
    return NONE;
}

/* Where the draws since the last replacement begin. */
static uint64_t draws_of(const Replacement *self)
{
    return self->seed + self->replaced * self->candidates;
}

/* 0 .. bound-1, the number-th of these draws: splitmix64, its output scaled. */
static inline uint32_t draw(uint64_t draws, uint64_t number, uint64_t bound)
{
    const uint64_t z = mix_bits((draws + number + 1) * GOLDEN_STEP);
    return (uint32_t)((z >> 32) * bound >> 32);
}

/* The number of the draw that drew the oldest way, without those of `passed`, a bit each. */
static uint64_t oldest_draw(const Replacement *self, const uint64_t *used_at, uint64_t passed)
{
    const uint64_t draws = draws_of(self);
    uint64_t oldest_use = UINT64_MAX, best = 0;
    for (uint64_t i = 0; i < self->candidates; i++) {
        const uint64_t use = used_at[draw(draws, i, self->ways)];
        if (use >= oldest_use || passed >> i & 1) continue;
        best = i;
        oldest_use = use;
    }
    return best;
}

/* What must stay was used not long ago, as a rule: only of the oldest is it asked. */
static uint32_t oldest_drawn(const Replacement *self, uint64_t set, ReplacementKeeps keeps,
                             const void *user)
{
    const uint64_t *used_at = words_of(self, set);
    uint64_t passed = 0;
    for (uint64_t round = 0; round < self->candidates; round++) {
        const uint64_t number = oldest_draw(self, used_at, passed);
        const uint32_t way = draw(draws_of(self), number, self->ways);
        if (!keeps(user, set, way)) return way;
        passed |= UINT64_C(1) << number;
    }
    const uint32_t last = draw(draws_of(self), self->candidates - 1, self->ways);
    return next_free(self, set, last, keeps, user);
}

/* --- hit_age ---------------------------------------------------------------------------------- */

/* A line counts as used when its set had had so many hits, and before all that came in later. */
static uint64_t age_stamp(Replacement *self, uint64_t hits)
{
    return hits << 32 | (uint32_t)++self->uses;
}

static void note_hit(Replacement *self, uint64_t set, uint32_t way)
{
    uint64_t *used_at = words_of(self, set);
    used_at[way] = age_stamp(self, FILLED_HITS_AGO + ++used_at[self->ways]);
}

static void note_fill(Replacement *self, uint64_t set, uint32_t way)
{
    uint64_t *used_at = words_of(self, set);
    used_at[way] = age_stamp(self, used_at[self->ways]);
}

static uint32_t longest_without_hit(const Replacement *self, uint64_t set, ReplacementKeeps keeps,
                                    const void *user)
{
    const uint64_t *used_at = words_of(self, set);
    uint64_t earliest = UINT64_MAX;
    uint32_t victim = NONE;
    for (uint32_t way = 0; way < self->ways; way++) {
        if (used_at[way] >= earliest || keeps(user, set, way)) continue;
        earliest = used_at[way];
        victim = way;
    }
    return victim;
}

/* --- nru -------------------------------------------------------------------------------------- */

static uint64_t ways_of_word(const Replacement *self, uint64_t word)
{
    const uint64_t left = self->ways - MIN(self->ways, 64 * word);
    return left >= 64 ? UINT64_MAX : (UINT64_C(1) << left) - 1;
}

static void mark_used(Replacement *self, uint64_t set, uint32_t way)
{
    uint64_t *bits = words_of(self, set);
    bits[way / 64] |= UINT64_C(1) << way % 64;
    for (uint64_t word = 0; word < words_of_bits(self->ways); word++)
        if (bits[word] != ways_of_word(self, word)) return;
    memset(bits, 0, words_of_bits(self->ways) * sizeof *bits);
    bits[way / 64] = UINT64_C(1) << way % 64;
}

/* The rank-th bit of the word. */
static uint32_t select_bit(uint64_t word, uint32_t rank)
{
    for (; rank; rank--) word &= word - 1;
    return (uint32_t)__builtin_ctzll(word);
}

/* The number-th way that was not used; NONE: there are fewer. */
static uint32_t select_unused(const Replacement *self, uint64_t set, uint32_t number)
{
    const uint64_t *bits = words_of(self, set);
    for (uint64_t word = 0; word < words_of_bits(self->ways); word++) {
        const uint64_t unused = ways_of_word(self, word) & ~bits[word];
        const uint32_t count = (uint32_t)__builtin_popcountll(unused);
        if (number < count) return (uint32_t)(64 * word) + select_bit(unused, number);
        number -= count;
    }
    return NONE;
}

static uint32_t count_unused(const Replacement *self, uint64_t set)
{
    const uint64_t *bits = words_of(self, set);
    uint32_t used = 0;
    for (uint64_t word = 0; word < words_of_bits(self->ways); word++)
        used += (uint32_t)__builtin_popcountll(bits[word]);
    return (uint32_t)self->ways - used;
}

static uint32_t unused_drawn(const Replacement *self, uint64_t set, ReplacementKeeps keeps,
                             const void *user)
{
    const uint32_t unused = count_unused(self, set);
    const uint32_t first = draw(draws_of(self), 0, unused);
    for (uint32_t i = 0; i < unused; i++) {
        const uint32_t way = select_unused(self, set, (first + i) % unused);
        if (!keeps(user, set, way)) return way;
    }
    return next_free(self, set, 0, keeps, user);
}

/* --- plru ------------------------------------------------------------------------------------- */

/* Nodes are numbered as in a heap, the root is 1. */
static void point_away(Replacement *self, uint64_t set, uint32_t way)
{
    uint64_t *bits = words_of(self, set);
    uint64_t node = 1;
    for (uint64_t half = power_of_two_from(self->ways) / 2; half; half /= 2) {
        const bool right = way & half;
        if (right)
            bits[node / 64] &= ~(UINT64_C(1) << node % 64);
        else
            bits[node / 64] |= UINT64_C(1) << node % 64;
        node = 2 * node + right;
    }
}

static uint32_t follow_bits(const Replacement *self, uint64_t set)
{
    const uint64_t *bits = words_of(self, set);
    uint64_t node = 1, way = 0;
    for (uint64_t half = power_of_two_from(self->ways) / 2; half; half /= 2) {
        const bool right = (bits[node / 64] >> node % 64 & 1) && way + half < self->ways;
        way += right ? half : 0;
        node = 2 * node + right;
    }
    return (uint32_t)way;
}

/* --- all -------------------------------------------------------------------------------------- */

void replacement_use(Replacement *self, uint64_t set, uint32_t way)
{
    switch (self->policy) {
    case REPLACEMENT_LRU: make_newest(self, set, way); break;
    case REPLACEMENT_NRU: mark_used(self, set, way); break;
    case REPLACEMENT_PLRU: point_away(self, set, way); break;
    case REPLACEMENT_SAMPLED_LRU: words_of(self, set)[way] = ++self->uses; break;
    case REPLACEMENT_HIT_AGE: note_hit(self, set, way); break;
    case REPLACEMENT_FIFO:
    case REPLACEMENT_RANDOM: break;
    }
}

void replacement_fill(Replacement *self, uint64_t set, uint32_t way)
{
    self->replaced++;
    if (self->policy == REPLACEMENT_FIFO)
        make_newest(self, set, way);
    else if (self->policy == REPLACEMENT_HIT_AGE)
        note_fill(self, set, way);
    else
        replacement_use(self, set, way);
}

uint32_t replacement_victim(const Replacement *self, uint64_t set, ReplacementKeeps keeps,
                            const void *user)
{
    switch (self->policy) {
    case REPLACEMENT_LRU:
    case REPLACEMENT_FIFO: return oldest(self, set, keeps, user);
    case REPLACEMENT_RANDOM:
        return next_free(self, set, draw(draws_of(self), 0, self->ways), keeps, user);
    case REPLACEMENT_NRU: return unused_drawn(self, set, keeps, user);
    case REPLACEMENT_PLRU: return next_free(self, set, follow_bits(self, set), keeps, user);
    case REPLACEMENT_SAMPLED_LRU: return oldest_drawn(self, set, keeps, user);
    case REPLACEMENT_HIT_AGE: return longest_without_hit(self, set, keeps, user);
    }
    g_assert_not_reached();
}
