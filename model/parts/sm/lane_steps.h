/* Addresses of a warp's lanes that follow each other at equal steps. */
#pragma once

#include <stdint.h>

/* Of lane n: base + n x stride. Where there are rows, as of threads in two dimensions:
 * base + n % row_lanes x stride + n / row_lanes x row_stride. */
typedef struct {
    uint64_t base, mask; /* active ones */
    int64_t stride, row_stride;
    uint32_t row_lanes; /* a power of two; 0: no rows */
} LaneSteps;

static inline uint64_t lane_address(const LaneSteps *steps, uint32_t lane)
{
    uint32_t row = 0;
    if (steps->row_lanes) {
        row = lane >> __builtin_ctz(steps->row_lanes);
        lane &= steps->row_lanes - 1;
    }
    return steps->base + lane * (uint64_t)steps->stride + row * (uint64_t)steps->row_stride;
}

/* Lanes of a row are so many neighbours from bit 0 on. */
static inline uint64_t row_mask(const LaneSteps *steps)
{
    return UINT64_MAX >> (64 - steps->row_lanes);
}
