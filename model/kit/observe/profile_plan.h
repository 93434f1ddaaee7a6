/* What all of a run's profiles have in common: which request classes there are, and which
 * arrays. */
#pragma once

#include "kit/describe/stat.h"
#include "kit/gpu/kernel.h"

enum { PROFILE_ROWS = 4096 };

/* Where the request classes of a unit class are: of the breakdown at `offset` of the unit's struct
 * at (offset - first) / sizeof(StageSums). Breakdowns do not overlap: no two share a place. */
typedef struct {
    size_t first;
    uint16_t *number;
} RequestClasses;

/* Addresses from..to - 1, which are of one array and of none inside it. */
typedef struct {
    uint64_t from, to;
} ArrayStretch;

/* Immutable during the run. */
typedef struct {
    GPtrArray *classes;        /* of const Stat *: the breakdown of each request class, by number */
    GPtrArray *maps;           /* of RequestClasses */
    const MemoryArray **array; /* by address; of equal ones the larger first */
    /* the array that goes on behind the end of this one and began before; UINT32_MAX: none */
    uint32_t *around;
    ArrayStretch *stretch; /* where each array begins */
    uint32_t arrays;
    uint32_t rows; /* of the tables */
} ProfilePlan;

/* Where the tables count requests that are in no array, and those that are in shared memory, which
 * is none of arrays' business. */
static inline uint32_t profile_plan_no_array(const ProfilePlan *plan)
{
    return plan->arrays;
}

static inline uint32_t profile_plan_shared_memory(const ProfilePlan *plan)
{
    return plan->arrays + 1;
}

/* `launches` must outlive the plan. Its kernels are numbered: all of one name alike. NULL: none. */
ProfilePlan *profile_plan_new(const LaunchList *launches);
void profile_plan_free(ProfilePlan *plan);

/* Makes request classes of the breakdowns of this table; NULL: it has none. The plan's. */
const RequestClasses *profile_plan_add(ProfilePlan *plan, const Stat *stats);

/* The innermost array that has this virtual address, or profile_plan_no_array. */
uint32_t profile_plan_array_at(const ProfilePlan *plan, uint64_t address);

/* The class whose breakdown is at `offset` of the unit. */
static inline unsigned request_class_at(const RequestClasses *classes, size_t offset)
{
    return classes->number[(offset - classes->first) / sizeof(StageSums)];
}
