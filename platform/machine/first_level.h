/* `[first_level]`: how an SM's one memory array is divided into shared memory and L1. */
#pragma once

#include "kit/describe/param.h"
#include "kit/engine/unit.h"
#include "kit/gpu/kernel.h"
#include "kit/gpu/occupancy.h"

enum { CARVE_OUTS_MAX = 32 };

typedef struct {
    uint64_t array;    /* bytes; 0: L1 and shared memory have arrays of their own */
    uint64_t reserved; /* of the array: neither of the two has it */
    char *carve_outs;  /* sizes that shared memory can have */
    char *carve_out;   /* one of them, or automatic */

    uint64_t size[CARVE_OUTS_MAX]; /* ascending */
    uint32_t sizes;
    uint64_t fixed; /* UINT64_MAX: automatic */
} FirstLevel;

extern const ParamGroup first_level_group;

/* Reads the lists. The error names the value and what it may be. */
bool first_level_setup(FirstLevel *first_level, GError **error);

/* Gives a unit whose class is divided, L1, the largest part that the array can leave to it, in
 * whole sets; each launch will change that. False: some division leaves less than a line a set. */
bool first_level_size(const FirstLevel *first_level, Unit *l1, uint64_t line_bytes, GError **error);

/* Divides the array for each launch: fixed, or with the smallest shared memory that does not limit
 * how many CTAs an SM holds, as the CUDA driver does by default. `sm` has the other limits. */
void first_level_divide(const FirstLevel *first_level, OccupancyLimits sm, LaunchList *launches);
