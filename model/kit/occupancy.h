/* Occupancy: how many CTAs of a kernel an SM can hold at once. */
#pragma once

#include "kit/kernel.h"

typedef struct {
    uint64_t ctas, threads, warps;
    uint64_t registers;
    uint64_t register_granularity; /* a warp's registers are rounded up to whole multiples */
    uint64_t shared_bytes;
} OccupancyLimits;

/* At least one; 0 with error: a single CTA does not fit. */
uint64_t occupancy_ctas(const OccupancyLimits *limits, const Kernel *kernel, GError **error);
