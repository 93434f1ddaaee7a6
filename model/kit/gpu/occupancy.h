/* Occupancy: how many CTAs of a kernel an SM can hold at once, alone or beside others. */
#pragma once

#include "kit/gpu/kernel.h"

typedef struct {
    uint64_t ctas, threads, warps;
    uint64_t registers;
    uint64_t register_granularity; /* a warp's registers are rounded up to whole multiples */
    uint64_t registers_per_warp;   /* not 0: every warp slot has so many, whatever it needs */
    uint64_t shared_bytes;
} OccupancyLimits;

/* The resources that admit no further CTA. */
typedef struct {
    bool ctas, warps, registers, shared; /* warps: or threads */
} OccupancyBound;

/* CTAs of this kernel alone: at least one; 0 with error: a single CTA does not fit. Sets *bound
 * unless NULL. */
uint64_t occupancy_ctas(const OccupancyLimits *limits, const Kernel *kernel, OccupancyBound *bound,
                        GError **error);

/* What resident CTAs take. */
typedef struct {
    uint64_t ctas, threads, warps, registers, shared_bytes;
} OccupancyUse;

bool occupancy_fits(const OccupancyLimits *limits, const OccupancyUse *use, const Kernel *kernel);
void occupancy_add(const OccupancyLimits *limits, OccupancyUse *use, const Kernel *kernel);
void occupancy_remove(const OccupancyLimits *limits, OccupancyUse *use, const Kernel *kernel);
