/* Which clock cycles are taken: bit maps over a stretch of time that moves along, several side by
 * side.
 *
 * A ring of 64-cycle words; what lies before the present is forgotten, what lies beyond the ring is
 * free and cannot be taken yet. Finding the first free cycle and taking a range touch one or two
 * words. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "parts/sparse.h"

/* Maps that are taken together are whole blocks. */
enum { SLOT_RING_BLOCK = 4 };

typedef struct {
    uint64_t *word;  /* [words][stride] */
    uint64_t words;  /* a power of two */
    uint64_t base;   /* index of the first word that still matters */
    uint64_t stride; /* maps, rounded up to a power of two: few lines of the host's cache */
} SlotRing;

static inline uint32_t slot_ring_blocks(uint64_t maps)
{
    return (uint32_t)(maps + SLOT_RING_BLOCK - 1) & ~(SLOT_RING_BLOCK - 1u);
}

static inline void slot_ring_init(SlotRing *ring, uint64_t cycles, uint32_t maps)
{
    *ring = (SlotRing){.words = 2, .stride = 1};
    while (ring->stride < maps) ring->stride *= 2;
    while (ring->words * 64 < cycles + 64) ring->words *= 2;
    ring->word = SPARSE_ARRAY(uint64_t, ring->words * ring->stride);
}

static inline void slot_ring_finish(SlotRing *ring)
{
    g_clear_pointer(&ring->word, sparse_free);
}

static inline uint64_t *slot_ring_word(const SlotRing *ring, uint32_t map, uint64_t index)
{
    return &ring->word[(index & (ring->words - 1)) * ring->stride + map];
}

/* The first cycle that is not forgotten. */
static inline uint64_t slot_ring_begin(const SlotRing *ring)
{
    return ring->base * 64;
}

/* The first cycle that the ring does not reach. */
static inline uint64_t slot_ring_limit(const SlotRing *ring)
{
    return (ring->base + ring->words) * 64;
}

/* So many words of all maps, from one on that still matters. */
static inline void slot_ring_clear(SlotRing *ring, uint64_t words)
{
    const uint64_t begin = ring->base & (ring->words - 1);
    const uint64_t first = MIN(words, ring->words - begin),
                   line = ring->stride * sizeof *ring->word;
    memset(ring->word + begin * ring->stride, 0, first * line);
    if (first < words) memset(ring->word, 0, (words - first) * line);
}

/* Forgets what lies before `cycle`. */
static inline void slot_ring_advance(SlotRing *ring, uint64_t cycle)
{
    const uint64_t first = cycle / 64;
    if (first <= ring->base) return;
    slot_ring_clear(ring, MIN(first - ring->base, ring->words));
    ring->base = first;
}

static inline uint64_t slot_ring_first_free(const SlotRing *ring, uint32_t map, uint64_t from)
{
    const uint64_t limit = ring->base + ring->words;
    uint64_t index = from / 64;
    if (index >= limit) return from;
    const uint64_t rest = ~*slot_ring_word(ring, map, index) >> (from % 64);
    if (rest) return from + (uint64_t)__builtin_ctzll(rest);
    while (++index < limit) {
        const uint64_t open = ~*slot_ring_word(ring, map, index);
        if (open) return index * 64 + (uint64_t)__builtin_ctzll(open);
    }
    return limit * 64;
}

/* Of several maps side by side, that of each; returns the first one of all. Within the limit. */
static inline uint64_t slot_ring_first_free_of_each(const SlotRing *ring, uint32_t map,
                                                    uint32_t maps, uint64_t from, uint64_t *free)
{
    const uint64_t next = 64 * (from / 64 + 1), *word = slot_ring_word(ring, map, from / 64);
    const uint32_t passed = from % 64;
    uint64_t first = UINT64_MAX;
    for (uint32_t i = 0; i < maps; i++) {
        const uint64_t rest = ~word[i] >> passed;
        free[i] = rest ? from + (uint64_t)__builtin_ctzll(rest)
                       : slot_ring_first_free(ring, map + i, next);
        first = MIN(first, free[i]);
    }
    return first;
}

static inline bool slot_ring_is_free(const SlotRing *ring, uint32_t map, uint64_t cycle)
{
    const uint64_t index = cycle / 64;
    if (index >= ring->base + ring->words) return true;
    return !(*slot_ring_word(ring, map, index) >> (cycle % 64) & 1);
}

/* 64 cycles, from any one on, of maps from one on: bits of them are in two words of each map. */
typedef struct {
    uint64_t *first, *second; /* [maps]; the second has none where `offset` is 0 */
    uint32_t offset;
} SlotView;

/* The view, which begins in the present at the earliest; all of it is within the limit. */
static inline SlotView slot_ring_view(const SlotRing *ring, uint32_t map, uint64_t from)
{
    return (SlotView){slot_ring_word(ring, map, from / 64),
                      slot_ring_word(ring, map, from / 64 + 1), (uint32_t)(from % 64)};
}

static inline uint64_t slot_view_taken(const SlotView *view, uint32_t map)
{
    return view->first[map] >> view->offset | view->second[map] << 1 << (63 - view->offset);
}

static inline void slot_view_take(const SlotView *view, uint32_t map, uint64_t bits)
{
    view->first[map] |= bits << view->offset;
    view->second[map] |= bits >> 1 >> (63 - view->offset);
}

static inline void slot_ring_take_block(uint64_t *word, uint64_t bits)
{
    for (uint32_t i = 0; i < SLOT_RING_BLOCK; i++) word[i] |= bits;
}

/* Mostly it is one block. */
static inline void slot_ring_take_in_blocks(uint64_t *word, uint32_t maps, uint64_t bits)
{
    slot_ring_take_block(word, bits);
    for (uint32_t i = SLOT_RING_BLOCK; i < maps; i += SLOT_RING_BLOCK)
        slot_ring_take_block(word + i, bits);
}

/* Of so many maps, of which all blocks are taken that they have a part of. */
static inline void slot_view_take_all(const SlotView *view, uint32_t maps, uint64_t bits)
{
    const uint64_t second = bits >> 1 >> (63 - view->offset);
    slot_ring_take_in_blocks(view->first, maps, bits << view->offset);
    if (second) slot_ring_take_in_blocks(view->second, maps, second);
}

/* The first cycle from which so many are free. */
static inline uint64_t slot_ring_first_gap(const SlotRing *ring, uint32_t map, uint64_t from,
                                           uint64_t cycles)
{
    for (;;) {
        const uint64_t begin = slot_ring_first_free(ring, map, from);
        uint64_t end = begin + 1;
        while (end < begin + cycles && slot_ring_is_free(ring, map, end)) end++;
        if (end == begin + cycles) return begin;
        from = end;
    }
}

/* How many cycles directly before `at` are free: at most 64, and those in the past all are. */
static inline uint32_t slot_ring_free_before(const SlotRing *ring, uint32_t map, uint64_t at)
{
    const uint64_t index = at / 64, offset = at % 64;
    if (index >= ring->base + ring->words) return 64;
    uint64_t taken = *slot_ring_word(ring, map, index) << 1 << (63 - offset);
    if (!taken && index > ring->base) taken = *slot_ring_word(ring, map, index - 1) >> offset;
    return taken ? (uint32_t)__builtin_clzll(taken) : 64;
}

/* Of several maps more than 64 cycles. */
void slot_ring_take_long(SlotRing *ring, uint32_t map, uint32_t maps, uint64_t from, uint64_t to);

/* Takes the cycles from..to-1; those already in the past are left out. `to` must not be beyond the
 * limit. */
static inline void slot_ring_take(SlotRing *ring, uint32_t map, uint64_t from, uint64_t to)
{
    from = MAX(from, slot_ring_begin(ring));
    if (from >= to) return;
    if (to - from > 64) {
        slot_ring_take_long(ring, map, 1, from, to);
        return;
    }
    const SlotView view = slot_ring_view(ring, map, from);
    slot_view_take(&view, 0, UINT64_MAX >> (from - to) % 64);
}

/* Of whole blocks of maps. */
static inline void slot_ring_take_all(SlotRing *ring, uint32_t map, uint32_t maps, uint64_t from,
                                      uint64_t to)
{
    from = MAX(from, slot_ring_begin(ring));
    if (from >= to) return;
    if (to - from > 64) {
        slot_ring_take_long(ring, map, maps, from, to);
        return;
    }
    const SlotView view = slot_ring_view(ring, map, from);
    slot_view_take_all(&view, maps, UINT64_MAX >> (from - to) % 64);
}
