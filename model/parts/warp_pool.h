/* The resident warps of an SM as its warp schedulers see them: whose next instruction may issue,
 * from when on, on which execution unit; and which of them a scheduler takes.
 *
 * Sets of warps are a bit a warp; slot w belongs to scheduler w modulo schedulers. Each scheduler
 * has execution units of its own; the memory slot is the SM's, so the owner says when it is free.
 * Times are plain integers of the caller's unit. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Execution unit WARP_POOL_NO_UNIT: the instruction needs none. */
enum { WARP_POOL_WARPS = 64, WARP_POOL_SCHEDULERS = 8, WARP_POOL_NO_UNIT = 7, WARP_POOL_UNITS };
enum { WARP_NONE = UINT32_MAX };

#define WARP_POOL_NEVER UINT64_MAX

typedef enum { LOOSE_ROUND_ROBIN, GREEDY_THEN_OLDEST } WarpPolicy;

typedef struct {
    WarpPolicy policy;
    uint32_t schedulers;
    uint64_t cycle;                         /* of a scheduler */
    uint64_t interval[WARP_POOL_UNITS];     /* how long an instruction occupies its unit */
    uint64_t used;                          /* resident */
    uint64_t waiting;                       /* for a load, without a time */
    uint64_t timed;                         /* may issue from ready_at on */
    uint64_t ready;                         /* may issue */
    uint64_t memory_next;                   /* the next instruction needs the memory slot */
    uint64_t mine[WARP_POOL_SCHEDULERS];    /* slots of each scheduler */
    uint32_t last[WARP_POOL_SCHEDULERS];    /* the warp that issued last */
    uint64_t free_at[WARP_POOL_SCHEDULERS]; /* when each may issue again */
    uint64_t unit_free[WARP_POOL_SCHEDULERS][WARP_POOL_UNITS];
    uint64_t ready_at[WARP_POOL_WARPS];
    uint64_t age[WARP_POOL_WARPS]; /* lower: started earlier */
    uint8_t unit[WARP_POOL_WARPS]; /* of the next instruction */
    uint64_t started;
} WarpPool;

/* The intervals are 0; the owner sets those of the units it has. */
void warp_pool_init(WarpPool *pool, WarpPolicy policy, uint32_t schedulers, uint64_t cycle);

/* The lowest free slot, now resident and youngest; the caller knows that there is one. */
uint32_t warp_pool_start(WarpPool *pool);
void warp_pool_end(WarpPool *pool, uint32_t w);

/* What the next instruction of w needs: the memory slot or an execution unit, or neither. */
void warp_pool_describe_next(WarpPool *pool, uint32_t w, bool memory, uint32_t unit);

/* It may issue from `at` on. / It waits for a load. / It waits for something else. */
void warp_pool_ready_at(WarpPool *pool, uint32_t w, uint64_t at);
void warp_pool_wait(WarpPool *pool, uint32_t w);
void warp_pool_hold(WarpPool *pool, uint32_t w);

static inline bool warp_pool_waits(const WarpPool *pool, uint32_t w)
{
    return pool->waiting >> w & 1;
}

/* Those whose time has come are ready. */
void warp_pool_ripen(WarpPool *pool, uint64_t now);

typedef struct {
    uint32_t warp;         /* WARP_NONE: none can issue */
    uint32_t units_busy;   /* ready warps passed over because their execution unit is occupied */
    bool lost_memory_slot; /* a memory instruction was ready, but the slot is not free */
} WarpPick;

/* The ready warp that scheduler s issues from. */
WarpPick warp_pool_pick(const WarpPool *pool, uint32_t s, bool memory_slot, uint64_t now);

/* The next instruction of w issues, as `repeat` in a row: it occupies the warp's scheduler and the
 * execution unit. */
void warp_pool_issue(WarpPool *pool, uint32_t w, uint32_t repeat, uint64_t now);

/* When the pool should be looked at again: a warp's time comes, or a ready one may find scheduler
 * and unit free, at the soonest in the next cycle. The memory slot is free from `memory_at` on,
 * which may be WARP_POOL_NEVER. WARP_POOL_NEVER: nothing is to be expected. */
uint64_t warp_pool_next(const WarpPool *pool, uint64_t memory_at, uint64_t now);
