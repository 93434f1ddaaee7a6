/* The execution units of an SM, in pools: which of them a warp scheduler reaches, and from when on
 * one of those accepts a further warp.
 *
 * A unit has `lanes` and takes a warp in warp_lanes / lanes passes; after that it accepts the
 * next one, whatever the latency. So 2 units of 16 lanes accept as many instructions as 4 of 8
 * lanes, but the latter finish a warp of 32 lanes two passes later. Times are plain integers of the
 * caller's unit. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum {
    POOL_CORE,
    POOL_INT,
    POOL_FP64,
    POOL_SFU,
    POOL_LOAD_STORE,
    POOL_TEXTURE,
    POOL_OTHER,
    POOL_NONE /* the instruction needs no unit */
} ExecutionPool;

enum { EXECUTION_POOLS = POOL_NONE, POOL_UNITS = 64, POOL_SCHEDULERS = 8, UNIT_LANES = 64 };

/* Which schedulers have the same units. A half is a pair of neighbouring schedulers. */
typedef enum { UNITS_PRIVATE, UNITS_OF_HALF, UNITS_OF_SM } UnitSharing;

typedef struct {
    uint64_t units, lanes; /* in the SM; of each unit, 1..64 */
    UnitSharing sharing;
    uint64_t warp_lanes;
} PoolShape;

typedef struct {
    uint64_t occupancy;             /* how long a warp occupies its unit */
    uint32_t units;                 /* of a group */
    uint8_t group[POOL_SCHEDULERS]; /* of schedulers with the same units, by scheduler */
} UnitPool;

/* The units of a group take turns: all are occupied equally long, so the next in turn is free
 * first. */
typedef struct {
    uint8_t next[POOL_SCHEDULERS]; /* by group */
    uint64_t free_at[POOL_UNITS];  /* a group's together */
} UnitTurns;

/* Every issue asks when units are free: what a scheduler asks lies together. */
typedef struct {
    /* by scheduler: of units that it reaches, the one that is free first; POOL_NONE always is */
    uint64_t free_at[POOL_SCHEDULERS][EXECUTION_POOLS + 1];
    uint32_t blocked; /* a bit a pool: it accepts nothing at present */
    uint32_t alone;   /* ... each scheduler has one unit of it, to itself */
    uint32_t schedulers;
    UnitPool pool[EXECUTION_POOLS + 1];
    UnitTurns turns[EXECUTION_POOLS]; /* where a group has more than one */
} ExecutionUnits;

void execution_units_init(ExecutionUnits *units);

/* The pool as `schedulers` share it, or reach it where the wiring reaches farther; a pass takes a
 * `cycle`. False: the units cannot be divided equally. */
bool execution_units_set(ExecutionUnits *units, ExecutionPool pool, const PoolShape *shape,
                         UnitSharing wiring, uint32_t schedulers, uint64_t cycle);

/* Groups of schedulers that have units of their own. */
uint32_t execution_units_groups(UnitSharing sharing, uint32_t schedulers);

/* A unit of the group takes a warp until then, and the next one has its turn. */
void execution_units_turn(ExecutionUnits *units, ExecutionPool pool, uint32_t group,
                          uint64_t until);

/* When the unit that is free first, of those that scheduler s reaches, accepts a warp. */
static inline uint64_t execution_units_free_at(const ExecutionUnits *units, ExecutionPool pool,
                                               uint32_t s)
{
    return units->free_at[s][pool];
}

static inline bool execution_units_accept(const ExecutionUnits *units, ExecutionPool pool,
                                          uint32_t s, uint64_t now)
{
    return execution_units_free_at(units, pool, s) <= now && !(units->blocked >> pool & 1);
}

/* A warp of scheduler s enters the pool, which stays occupied `extra` longer than usual. */
static inline void execution_units_enter(ExecutionUnits *units, ExecutionPool pool, uint32_t s,
                                         uint64_t extra, uint64_t now)
{
    const UnitPool *of = &units->pool[pool];
    const uint64_t until = now + of->occupancy + extra;
    if (units->alone >> pool & 1)
        units->free_at[s][pool] = until;
    else
        execution_units_turn(units, pool, of->group[s], until);
}
