/* Where the bursts of an access lie behind its first one. */
#include "parts/dram/timing.h"

/* Behind the bursts before it as closely as the gaps allow. */
static uint64_t follow(const DramTiming *timing, uint32_t banks, uint32_t burst,
                       const uint64_t *offset)
{
    if (burst < banks) return offset[burst - 1] + timing->column_gap[0];
    const uint64_t same = offset[burst - banks] + timing->column_gap[1];
    return banks == 1 ? same : MAX(offset[burst - 1] + timing->column_gap[0], same);
}

/* Cycles from..to-1, at most 64. */
static uint64_t stretch(uint64_t from, uint64_t to)
{
    return (to < 64 ? (UINT64_C(1) << to) - 1 : UINT64_MAX) & ~((UINT64_C(1) << from) - 1);
}

/* Nothing starts less than a gap ahead of a burst or behind it. Of a group of theirs that is one
 * stretch as well: the gaps of neighbours meet. */
static void keep_free(const DramTiming *timing, uint32_t banks, uint64_t last, DramPattern *pattern)
{
    const uint64_t other = timing->column_gap[0], own = timing->column_gap[1], ahead = own - 1;
    pattern->ahead = (uint32_t)ahead;
    pattern->fits = pattern->fits && ahead + last + own <= 64;
    if (!pattern->fits) return;
    pattern->kept_of_others = stretch(ahead + 1 - other, ahead + last + other);
    for (uint32_t i = 0; i < banks; i++) {
        const uint64_t before = MAX(other, own - MIN(own, pattern->offset[i]));
        const uint64_t after = MAX(last + other, pattern->last[i] + own);
        pattern->kept[i] = stretch(ahead + 1 - before, ahead + after);
    }
}

static DramPattern make(const DramTiming *timing, uint32_t banks, uint32_t bursts)
{
    DramPattern pattern = {.fits = true};
    uint64_t offset[DRAM_BURSTS_MAX] = {0};
    for (uint32_t i = 0; i < bursts; i++) {
        if (i) offset[i] = follow(timing, banks, i, offset);
        if (i && offset[i] >= offset[i - 1] + 2 * timing->column_gap[0]) pattern.fits = false;
        pattern.fits = pattern.fits && offset[i] < 64;
        if (pattern.fits) pattern.columns[i % banks] |= UINT64_C(1) << offset[i];
        pattern.offset[i] = pattern.last[i % banks] = (uint32_t)offset[i];
    }
    keep_free(timing, banks, offset[bursts - 1], &pattern);
    return pattern;
}

void dram_patterns_setup(DramTiming *timing)
{
    for (uint32_t banks = 1; banks <= DRAM_SPAN_MAX; banks++)
        for (uint32_t bursts = banks; bursts <= DRAM_BURSTS_MAX; bursts++)
            timing->pattern[banks - 1][bursts - 1] = make(timing, banks, bursts);
}
