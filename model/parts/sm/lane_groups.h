/* Address generation of a texture unit that takes vector memory instructions, as in GCN: which
 * lanes go together in a cycle, and which lines these touch.
 *
 * Lanes are taken in blocks. A block of `coalesced` lanes goes at once when its active lanes want
 * neighbouring values of at most 4 bytes, as an array's elements are, or all the same one;
 * otherwise `scattered` lanes go in a cycle, however close their addresses are. Sources:
 * gpuopen.com, "Understanding memory coalescing on GCN": a wave of 64 takes 4 cycles or 16;
 * sebbbi/perftest, GCN2 to GCN5: typed buffers' values at one address take as long as neighbours,
 * those of 8 and 16 bytes four times as long. */
#pragma once

#include "parts/sm/coalescer.h"

typedef struct {
    uint32_t coalesced, scattered; /* lanes a cycle, 1 to 64 */
} LaneRates;

/* The lanes that go together with `first`, which is active; `address` by lane. Lanes before `first`
 * have gone. */
uint64_t lane_group(const LaneRates *rates, const uint64_t *address, uint64_t mask, uint32_t width,
                    uint32_t first);

/* Their lines, in order of the first lane that touches each: line, bytes and sectors. */
uint32_t lane_group_lines(const LineShape *shape, const uint64_t *address, uint64_t lanes,
                          uint32_t width, CoalescedLine lines[COALESCER_LINES]);
