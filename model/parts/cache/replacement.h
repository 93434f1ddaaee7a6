/* Which line of a full set goes next, by policy. Lines are known by their place in the set.
 *
 *   lru          the least recently used one
 *   fifo         the one that was put in first
 *   random       any, each with the same chance
 *   nru          any of those that were not used since all others were (one bit a line)
 *   plru         tree of bits, each pointing away from the half that was used last; where the ways
 *                are no power of two the tree's last leaves are missing
 *   sampled_lru  the least recently used one of a few drawn at random
 *   hit_age      the one since whose use there were most hits in its set; one that was put in
 *                counts as used two hits before, and of equally old ones the first goes
 *
 * Choosing takes constant time, but ways / 64 steps with nru, log2(ways) with plru and ways with
 * hit_age, plus a step for each line that is skipped. What is drawn depends only on the seed and on
 * how many lines were replaced before, so asking twice gives the same answer. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum {
    REPLACEMENT_LRU,
    REPLACEMENT_FIFO,
    REPLACEMENT_RANDOM,
    REPLACEMENT_NRU,
    REPLACEMENT_PLRU,
    REPLACEMENT_SAMPLED_LRU,
    REPLACEMENT_HIT_AGE,
} ReplacementPolicy;

/* By policy, as scenarios write them; NULL at the end. */
extern const char *const replacement_names[];

/* Neighbours in a set's list by age, which is a ring: the place after the last way stands between
 * the newest and the oldest. */
typedef struct {
    uint32_t newer, older;
} AgeLinks;

typedef enum { AGES_NONE, AGES_IN_A_WORD, AGES_IN_LINKS } AgeList;

/* What it knows of a set is a few words in its owner's memory, zero at first:
 *
 *   lru, fifo     of at most 16 ways a word, four bits a way, the oldest the lowest, as they differ
 *                 from the order of ways; of more an AgeLinks a way, and one for the ring's ends
 *   sampled_lru   a word a way: when it was used
 *   hit_age       the same, and behind them the set's hits
 *   nru, plru     was used, a bit a line; the right half is next, a bit a node */
typedef struct {
    ReplacementPolicy policy;
    AgeList ages;
    uint64_t ways;
    uint64_t *words, stride; /* those of the first set; from a set to the next one */
    uint64_t replaced, uses;
    uint64_t candidates, seed; /* of sampled_lru; of those that draw */
} Replacement;

/* Words of a set. */
uint64_t replacement_words(ReplacementPolicy policy, uint64_t ways);

/* Bits that a set of so many ways keeps: ages as ranks, or, to compare a few, a stamp a line. */
uint64_t replacement_set_bits(ReplacementPolicy policy, uint64_t ways);

/* So many sets, which nobody has used, of what says all else already. `candidates` is used by
 * sampled_lru only: 1 to 64. */
void replacement_init(Replacement *self, uint64_t sets);

/* Forgets all uses of a set of which only the first `used` ways were used since it was last
 * forgotten; the random sequence goes on. */
void replacement_forget(Replacement *self, uint64_t set, uint64_t used);

/* A hit on a line, and a new line in its place. */
void replacement_use(Replacement *self, uint64_t set, uint32_t way);
void replacement_fill(Replacement *self, uint64_t set, uint32_t way);

/* What has a list by age begins with this way; UINT32_MAX: the policy has none. */
static inline uint32_t replacement_oldest(const Replacement *self, uint64_t set)
{
    const uint64_t *words = self->words + set * self->stride;
    if (self->ages == AGES_IN_A_WORD) return *words & 15;
    const AgeLinks *links = (const AgeLinks *)(const void *)words;
    return self->ages == AGES_IN_LINKS ? links[self->ways].newer : UINT32_MAX;
}

/* True: the line must stay. */
typedef bool (*ReplacementKeeps)(const void *user, uint64_t set, uint32_t way);

/* The way that goes next; UINT32_MAX: every line must stay. */
uint32_t replacement_victim(const Replacement *self, uint64_t set, ReplacementKeeps keeps,
                            const void *user);
