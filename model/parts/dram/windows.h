/* The windows of tFAW and t32AW: how many activates a channel may have in so many cycles, when they
 * are booked ahead and in any order. */
#pragma once

#include "parts/dram/state.h"

static inline void dram_windows_remember(DramState *state, uint64_t cycle)
{
    uint64_t i = state->activates++;
    for (; i && state->activated[(i - 1) % DRAM_ACTIVATES_KEPT] > cycle; i--)
        state->activated[i % DRAM_ACTIVATES_KEPT] = state->activated[(i - 1) % DRAM_ACTIVATES_KEPT];
    state->activated[i % DRAM_ACTIVATES_KEPT] = cycle;
}

/* The cycle of the activate that is the `back`-th from the latest one. */
static inline uint64_t dram_windows_before(const DramState *state, uint64_t back)
{
    return state->activated[(state->activates - back) % DRAM_ACTIVATES_KEPT];
}

/* Activates already booked after t. */
static inline uint64_t dram_windows_count_later(const DramState *state, uint64_t t)
{
    const uint64_t known = MIN(state->activates, DRAM_ACTIVATES_KEPT);
    uint64_t later = 0;
    while (later < known && dram_windows_before(state, later + 1) > t) later++;
    return later;
}

/* Would one at t leave too few cycles for the run of `count` + 1 that ends with a later one? */
static inline bool dram_windows_crowd_later(const DramState *state, uint64_t t, uint64_t later,
                                            uint64_t count, uint64_t window)
{
    const uint64_t known = MIN(state->activates, DRAM_ACTIVATES_KEPT);
    for (uint64_t last = 1; last <= later; last++) {
        const uint64_t first = last + count - 1;
        if (first < later || first > known) continue;
        const uint64_t begin = first == later ? t : dram_windows_before(state, first);
        if (dram_windows_before(state, last) < begin + window) return true;
    }
    return false;
}

/* At most `count` activates in any `window` cycles: t itself, or a later cycle to try. */
static inline uint64_t dram_windows_after(const DramState *state, uint64_t t, uint64_t count,
                                          uint64_t window)
{
    const uint64_t later = dram_windows_count_later(state, t);
    if (MIN(state->activates, DRAM_ACTIVATES_KEPT) >= later + count) {
        const uint64_t allowed = dram_windows_before(state, later + count) + window;
        if (allowed > t) return allowed;
    }
    return dram_windows_crowd_later(state, t, later, count, window)
               ? dram_windows_before(state, later)
               : t;
}
