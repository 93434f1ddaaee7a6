/* The coalescer: which lines, and which sectors of each, a warp instruction touches. */
#pragma once

#include "parts/sm/lane_steps.h"

#include <glib.h>
#include <stdbool.h>

enum { COALESCER_LINES = 256, COALESCER_LANES = 64, COALESCER_MASK_WORDS = 8 };

typedef struct {
    uint64_t line;    /* byte address of the line */
    uint32_t bytes;   /* asked for by lanes, each lane counted */
    uint32_t covered; /* different bytes of these */
    uint16_t sectors; /* touched */
    uint16_t partial; /* of these, not covered whole */
} CoalescedLine;

typedef struct {
    /* powers of two; a line has at most 16 sectors and 512 bytes */
    uint32_t line_bytes, sector_bytes;
} LineShape;

/* Lanes at equal steps, `width` bytes each. Returns the number of lines, in order of the first lane
 * that touches each. */
uint32_t coalesce_steps(const LineShape *shape, const LaneSteps *steps, uint32_t width,
                        CoalescedLine lines[COALESCER_LINES]);

/* `count` lanes at the given addresses. */
uint32_t coalesce_addresses(const LineShape *shape, const uint64_t *address, uint32_t count,
                            uint32_t width, CoalescedLine lines[COALESCER_LINES]);
