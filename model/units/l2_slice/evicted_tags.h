/* Which lines a cache evicted, of one line in EVICTED_SAMPLE: whether a line that comes had been
 * there, and would still be in a cache of up to EVICTED_REACH times the size. No hardware: it only
 * counts. A shadow of tags, of a sample, is how utility monitors count the hits of a larger cache
 * (Qureshi, Patt: Utility-Based Cache Partitioning, MICRO 2006). */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "parts/bits.h"

enum { EVICTED_SAMPLE = 16, EVICTED_REACH = 16 };

typedef struct {
    uint32_t *marks; /* of lines, each at the place of its hash; 0: none */
    uint32_t bits;   /* there are 2^bits */
    uint64_t age;    /* of what has been evicted since all was forgotten */
} EvictedTags;

/* Of a cache of so many lines. */
void evicted_tags_init(EvictedTags *evicted, uint64_t lines);
void evicted_tags_finish(EvictedTags *evicted);

static inline bool evicted_tags_samples(uint64_t line)
{
    return !(line * GOLDEN_STEP >> 60);
}
G_STATIC_ASSERT(EVICTED_SAMPLE == 1 << (64 - 60));

/* Of the lines of the sample; of others nothing is known. */
void evicted_tags_add(EvictedTags *evicted, uint64_t line);
bool evicted_tags_has(const EvictedTags *evicted, uint64_t line);

/* The cache forgets all its lines, as one of any size would. */
static inline void evicted_tags_forget(EvictedTags *evicted)
{
    evicted->age++;
}
