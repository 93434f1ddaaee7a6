/* Where a tag array's sets and lines lie, for its own files; nobody else includes this. */
#pragma once

#include "parts/cache/tag_array.h"

/* A word has the hashes of so many lines, or a bit of so many sets. */
enum { WORD_WAYS = 8, WORD_SETS = 64 };

static inline uint64_t *state_of(const TagArray *tags, uint64_t set)
{
    return tags->state + set * tags->state_words;
}

static inline uint64_t *ways_filled(const TagArray *tags, uint64_t set)
{
    return state_of(tags, set);
}

static inline uint64_t *hashes_of(const TagArray *tags, uint64_t set)
{
    return state_of(tags, set) + 1;
}

static inline uint64_t set_of(const TagArray *tags, uint64_t line)
{
    return set_choice_of(&tags->choice, line);
}

static inline bool is_filled(const TagArray *tags, uint64_t set)
{
    return tags->filled[set / WORD_SETS] >> set % WORD_SETS & 1;
}

/* --- a hash of each line ---------------------------------------------------------------------- */

/* 0 is a way without a line, and no other byte is nearly the same. A product alone would be much
 * the same for lines at some equal steps, as a stream's are. */
static inline uint8_t hash_of(uint64_t line)
{
    return (uint8_t)((line * GOLDEN_STEP >> 32) * MIX_SECOND >> 57 | 0x80);
}

static inline void set_hash(TagArray *tags, uint64_t set, uint32_t way, uint8_t hash)
{
    set_byte(&hashes_of(tags, set)[way / WORD_WAYS], way % WORD_WAYS, hash);
}

/* --- buckets ---------------------------------------------------------------------------------- */

/* A link is a place + 1; 0: nowhere. */
#define GOES_ON (UINT32_C(1) << 31)

static inline uint32_t *bucket_of(const TagArray *tags, uint64_t line)
{
    return &tags->bucket[hash_near(line, 0, tags->bucket_shift)];
}

static inline uint32_t place_of(uint32_t link)
{
    return (link & ~GOES_ON) - 1;
}

static inline uint32_t link_after(const TagArray *tags, uint32_t link)
{
    return link & GOES_ON ? tags->chain[place_of(link)] : 0;
}
