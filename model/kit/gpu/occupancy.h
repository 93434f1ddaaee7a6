/* Occupancy: how many CTAs of a kernel an SM can hold at once, alone or beside others. */
#pragma once

#include "kit/gpu/kernel.h"

typedef struct {
    uint64_t ctas, threads, warps;
    uint64_t registers;
    uint64_t register_granularity; /* a warp's registers are rounded up to whole multiples */
    uint64_t register_partitions;  /* equal parts, in one of which a warp's registers lie; 0: 1 */
    uint64_t registers_per_warp;   /* not 0: every warp slot has so many, whatever it needs */
    uint64_t shared_bytes;
    uint64_t shared_granularity; /* a CTA's bytes are rounded up to whole multiples; 0: of 1 */
    uint64_t shared_reserved;    /* bytes that each CTA takes beside what it asks for */
} OccupancyLimits;

#define OCCUPANCY_ANY UINT64_MAX

/* CTAs of a kernel that each of the limits alone lets in; OCCUPANCY_ANY: it does not limit them. */
typedef struct {
    uint64_t ctas, warps, registers, shared; /* warps: or threads */
} OccupancyCounts;

OccupancyCounts occupancy_counts(const OccupancyLimits *limits, const Kernel *kernel);
/* What all of them together let in; 0: not one. */
uint64_t occupancy_least(const OccupancyCounts *counts);

/* The resources that admit no further CTA. */
typedef struct {
    bool ctas, warps, registers, shared; /* warps: or threads */
} OccupancyBound;

/* CTAs of this kernel alone: at least one; 0 with error: a single CTA does not fit. Sets *bound
 * unless NULL. */
uint64_t occupancy_ctas(const OccupancyLimits *limits, const Kernel *kernel, OccupancyBound *bound,
                        GError **error);

/* Shared memory that a CTA takes: rounded up, with what is reserved. */
uint64_t occupancy_shared_bytes(const OccupancyLimits *limits, const Kernel *kernel);

/* What resident CTAs take. */
typedef struct {
    uint64_t ctas, threads, warps, registers, shared_bytes;
} OccupancyUse;

bool occupancy_fits(const OccupancyLimits *limits, const OccupancyUse *use, const Kernel *kernel);
void occupancy_add(const OccupancyLimits *limits, OccupancyUse *use, const Kernel *kernel);
void occupancy_remove(const OccupancyLimits *limits, OccupancyUse *use, const Kernel *kernel);
