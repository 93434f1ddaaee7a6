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

/* Nothing starts less than a gap ahead of a burst or behind it. */
static void keep_free(const DramTiming *timing, uint32_t banks, uint32_t burst,
                      DramPattern *pattern)
{
    const uint64_t at = pattern->ahead + pattern->offset[burst];
    const uint64_t other = timing->column_gap[0], own = timing->column_gap[1];
    pattern->kept_of_others |= stretch(at + 1 - other, at + other);
    for (uint32_t i = 0; i < banks; i++) {
        const uint64_t gap = i == burst % banks ? own : other;
        pattern->kept[i] |= stretch(at + 1 - gap, at + gap);
    }
}

static DramPattern make(const DramTiming *timing, uint32_t banks, uint32_t bursts)
{
    const uint64_t other = timing->column_gap[0], own = timing->column_gap[1];
    DramPattern pattern = {.ahead = (uint32_t)own - 1,
                           .run_ends = 1u << (bursts - 1),
                           .banks = (uint8_t)banks,
                           .bursts = (uint8_t)bursts,
                           .without_gap = true};
    uint64_t offset[DRAM_BURSTS_MAX] = {0};
    for (uint32_t i = 0; i < bursts; i++) {
        if (i) offset[i] = follow(timing, banks, i, offset);
        if (i && offset[i] >= offset[i - 1] + 2 * other) pattern.run_ends |= 1u << (i - 1);
        if (offset[i] != i * timing->burst_cycles) pattern.without_gap = false;
        pattern.offset[i] = pattern.last[i % banks] = (uint32_t)offset[i];
        pattern.bursts_of[i % banks]++;
    }
    pattern.end = (uint32_t)offset[bursts - 1];
    pattern.latest = (uint8_t)((bursts - 1) % banks);
    pattern.fits = timing->ideal != DRAM_IDEAL_BANDWIDTH && other <= own
                   && pattern.ahead + offset[bursts - 1] + own <= 64;
    for (uint32_t i = 0; pattern.fits && i < bursts; i++) {
        pattern.columns[i % banks] |= UINT64_C(1) << (pattern.ahead + offset[i]);
        keep_free(timing, banks, i, &pattern);
    }
    return pattern;
}

/* No gap is longer between groups than within one, or shorter than the command. */
static DramActivatePattern make_activate(const DramTiming *timing)
{
    const uint64_t other = timing->activate_gap[0], own = timing->activate_gap[1];
    const uint64_t precharge = timing->precharge_slots, at = MAX(own, precharge) - 1;
    DramActivatePattern pattern = {.ahead = (uint32_t)at, .fits = other <= own && at + own <= 64};
    if (!pattern.fits) return pattern;
    pattern.kept_of_others = stretch(at + 1 - other, at + other);
    pattern.kept = stretch(at + 1 - own, at + own);
    pattern.kept_of_precharges = stretch(at + 1 - precharge, at + timing->activate_slots);
    return pattern;
}

void dram_patterns_setup(DramTiming *timing)
{
    timing->activate_pattern = make_activate(timing);
    for (uint32_t banks = 1; banks <= DRAM_SPAN_MAX; banks++)
        for (uint32_t bursts = banks; bursts <= DRAM_BURSTS_MAX; bursts++)
            timing->pattern[banks - 1][bursts - 1] = make(timing, banks, bursts);
}
