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

typedef struct {
    ReplacementPolicy policy;
    uint64_t *order;   /* lru, fifo of at most 16 ways: four bits a way, the oldest the lowest */
    AgeLinks *links;   /* ... of more */
    uint64_t *used_at; /* sampled_lru; hit_age: behind a set's ways its hits */
    uint64_t ways, stride; /* places of a set in these arrays */
    uint64_t replaced, uses;
    uint64_t *bits; /* nru: was used, a bit a line; plru: the right half is next, a bit a node */
    uint64_t candidates, seed; /* of sampled_lru; of those that draw */
} Replacement;

/* Bits that a set of so many ways keeps: ages as ranks, or, to compare a few, a stamp a line. */
uint64_t replacement_set_bits(ReplacementPolicy policy, uint64_t ways);

/* `candidates` is used by sampled_lru only: 1 to 64. */
void replacement_init(Replacement *self, ReplacementPolicy policy, uint64_t sets, uint64_t ways,
                      uint64_t candidates, uint64_t seed);
void replacement_finish(Replacement *self);

/* Forgets all uses of a set of which only the first `used` ways were used since it was last
 * forgotten; the random sequence goes on. */
void replacement_forget(Replacement *self, uint64_t set, uint64_t used);

/* A hit on a line, and a new line in its place. */
void replacement_use(Replacement *self, uint64_t set, uint32_t way);
void replacement_fill(Replacement *self, uint64_t set, uint32_t way);

/* What has a list by age begins with this way; UINT32_MAX: the policy has none. */
static inline uint32_t replacement_oldest(const Replacement *self, uint64_t set)
{
    if (self->order) return self->order[set] & 15;
    return self->links ? self->links[set * self->stride + self->ways].newer : UINT32_MAX;
}

/* True: the line must stay. */
typedef bool (*ReplacementKeeps)(const void *user, uint64_t set, uint32_t way);

/* The way that goes next; UINT32_MAX: every line must stay. */
uint32_t replacement_victim(const Replacement *self, uint64_t set, ReplacementKeeps keeps,
                            const void *user);
