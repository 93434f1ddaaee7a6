/* Which lines a cache evicted, of one line in EVICTED_SAMPLE: whether a line that comes had been
 * there, and would still be in a cache of up to EVICTED_REACH times the size. No hardware: it only
 * counts. A shadow of tags, of a sample, is how utility monitors count the hits of a larger cache
 * (Qureshi, Patt: Utility-Based Cache Partitioning, MICRO 2006). */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "parts/bits.h"
#include "parts/sparse.h"

enum { EVICTED_SAMPLE = 16, EVICTED_REACH = 16 };

typedef struct {
    uint32_t *marks; /* of lines, each at the place of its hash; 0: none */
    uint32_t bits;   /* there are 2^bits */
    uint64_t age;    /* of what has been evicted since all was forgotten */
} EvictedTags;

/* Of a cache of so many lines. */
static inline void evicted_tags_init(EvictedTags *evicted, uint64_t lines)
{
    const uint32_t bits = bits_for(MAX(lines * EVICTED_REACH / EVICTED_SAMPLE, 2));
    *evicted = (EvictedTags){.marks = SPARSE_ARRAY(uint32_t, UINT64_C(1) << bits), .bits = bits};
}

static inline void evicted_tags_finish(EvictedTags *evicted)
{
    sparse_free(evicted->marks);
}

static inline bool evicted_tags_samples(uint64_t line)
{
    return !(line * GOLDEN_STEP >> 60);
}
G_STATIC_ASSERT(EVICTED_SAMPLE == 1 << (64 - 60));

static inline uint64_t evicted_tags_hash(const EvictedTags *evicted, uint64_t line)
{
    return mix64(mix64(line) + evicted->age);
}

static inline uint32_t *evicted_tags_place(const EvictedTags *evicted, uint64_t hash)
{
    return &evicted->marks[hash >> (64 - evicted->bits)];
}

/* Of the lines of the sample; of others nothing is known. */
static inline void evicted_tags_add(EvictedTags *evicted, uint64_t line)
{
    const uint64_t hash = evicted_tags_hash(evicted, line);
    *evicted_tags_place(evicted, hash) = (uint32_t)hash | 1;
}

static inline bool evicted_tags_has(const EvictedTags *evicted, uint64_t line)
{
    const uint64_t hash = evicted_tags_hash(evicted, line);
    return *evicted_tags_place(evicted, hash) == ((uint32_t)hash | 1);
}

/* The line takes the place of another one, if that is `used`. Returns for how many lines that come
 * it stands if it had been there. */
static inline uint64_t evicted_tags_replace(EvictedTags *evicted, uint64_t line, bool used,
                                            uint64_t other)
{
    const bool back = evicted_tags_samples(line) && evicted_tags_has(evicted, line);
    if (used && evicted_tags_samples(other)) evicted_tags_add(evicted, other);
    return back ? EVICTED_SAMPLE : 0;
}

/* Rows of a cache that counts them: `brought`, and `brought_back` in which what is returned is
 * summed. `cache`: whose meanings they have. */
#define EVICTED_TAGS_STATS(Type, cache)                                                            \
    STAT_NUMBER(Type, brought, STAT_COUNT, NULL, "lines that were given a place",                  \
                .means = MEANS_##cache##_LINES_BROUGHT),                                           \
        STAT_NUMBER(Type, brought_back, STAT_COUNT, NULL,                                          \
                    "of these, lines that had been evicted, and that up to 16 times the capacity " \
                    "would have kept: from a sample of one line in 16",                            \
                    .means = MEANS_##cache##_LINES_BROUGHT_BACK)

/* The cache forgets all its lines, as one of any size would. */
static inline void evicted_tags_forget(EvictedTags *evicted)
{
    evicted->age++;
}
