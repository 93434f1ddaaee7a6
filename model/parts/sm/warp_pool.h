/* The resident warps of an SM as its warp schedulers see them: whose next instruction may issue,
 * from when on, to which pool of execution units; and which of them a scheduler takes.
 *
 * Sets of warps are a bit a warp; slot w belongs to scheduler w modulo schedulers. Times are plain
 * integers of the caller's unit. What every step of an SM asks is here and becomes part of it. */
#pragma once

#include "parts/sm/execution_units.h"

enum { WARP_POOL_WARPS = 64, WARP_POOL_SCHEDULERS = POOL_SCHEDULERS };
enum { WARP_NONE = UINT32_MAX, WARP_REFUSED = 1u << 31 };

#define WARP_POOL_NEVER UINT64_MAX

typedef enum { LOOSE_ROUND_ROBIN, GREEDY_THEN_OLDEST, OLDEST_CTA } WarpPolicy;

/* When the unit that the chosen warp wants is full, its scheduler takes another one that can issue,
 * or leaves the slot empty. */
typedef enum { TAKE_OTHER_WARP, WITHHOLD } UnitFull;

/* What a scheduler does in a cycle. */
typedef struct {
    WarpPolicy policy;
    UnitFull unit_full;
    uint32_t schedulers;
    uint32_t dispatches;          /* instructions */
    uint32_t warps;               /* that they come from */
    uint32_t dispatches_per_warp; /* of one warp: neighbours that do not depend on each other */
    uint64_t cycle;
} IssueWidth;

typedef struct {
    IssueWidth width;
    uint64_t used;                       /* resident */
    uint64_t waiting;                    /* for a load, without a time */
    uint64_t timed;                      /* may issue from ready_at on */
    uint64_t soonest;                    /* ... of these: of those that are timed, ... */
    uint64_t gone;                       /* ... and of these, which are no more */
    uint64_t ready;                      /* may issue */
    uint64_t wants[EXECUTION_POOLS + 1]; /* the next instruction is for this pool */
    uint64_t mine[WARP_POOL_SCHEDULERS]; /* slots of each scheduler */
    uint32_t last[WARP_POOL_SCHEDULERS]; /* the warp that issued last */
    uint64_t ready_at[WARP_POOL_WARPS];
    uint64_t age[WARP_POOL_WARPS]; /* lower: started earlier */
    uint8_t pool[WARP_POOL_WARPS]; /* of the next instruction */
    uint8_t scheduler[WARP_POOL_WARPS];
    uint64_t started;
    /* those that are resident, the oldest first: CTAs, or warps of which the lower slot is older */
    uint64_t generation[WARP_POOL_WARPS];
    uint32_t generations;
    bool cta_begins;
} WarpPool;

static inline uint64_t warp_bit(uint32_t w)
{
    return UINT64_C(1) << w;
}

static inline uint32_t warp_lowest(uint64_t warps)
{
    return (uint32_t)__builtin_ctzll(warps);
}

static inline uint32_t warp_count(uint64_t warps)
{
    return (uint32_t)__builtin_popcountll(warps);
}

void warp_pool_init(WarpPool *pool, const IssueWidth *width);

/* The warps that start next, until this is called again, are those of one CTA. */
static inline void warp_pool_begin_cta(WarpPool *pool)
{
    pool->cta_begins = true;
}

/* The lowest free slot, now resident and youngest; the caller knows that there is one. */
uint32_t warp_pool_start(WarpPool *pool);
void warp_pool_end(WarpPool *pool, uint32_t w);

/* Which units the next instruction of w needs. */
static inline void warp_pool_describe_next(WarpPool *pool, uint32_t w, ExecutionPool units)
{
    pool->wants[pool->pool[w]] &= ~warp_bit(w);
    pool->wants[units] |= warp_bit(w);
    pool->pool[w] = (uint8_t)units;
}

/* It waits for something that is neither time nor a load. */
static inline void warp_pool_hold(WarpPool *pool, uint32_t w)
{
    const uint64_t others = ~warp_bit(w);
    pool->gone |= pool->timed & ~others;
    pool->ready &= others;
    pool->timed &= others;
    pool->waiting &= others;
}

/* It waits for a load. */
static inline void warp_pool_wait(WarpPool *pool, uint32_t w)
{
    warp_pool_hold(pool, w);
    pool->waiting |= warp_bit(w);
}

/* It may issue from `at` on. */
static inline void warp_pool_ready_at(WarpPool *pool, uint32_t w, uint64_t at)
{
    warp_pool_hold(pool, w);
    pool->timed |= warp_bit(w);
    pool->ready_at[w] = at;
    if (at < pool->soonest) pool->soonest = at;
}

static inline bool warp_pool_waits(const WarpPool *pool, uint32_t w)
{
    return pool->waiting >> w & 1;
}

/* Those whose time has come are ready. */
static inline void warp_pool_ripen(WarpPool *pool, uint64_t now)
{
    if (pool->soonest > now) return;
    uint64_t soonest = WARP_POOL_NEVER, ripe = 0;
    for (uint64_t rest = pool->timed; rest; rest &= rest - 1) {
        const uint64_t at = pool->ready_at[warp_lowest(rest)];
        ripe |= at <= now ? rest & -rest : 0;
        soonest = at > now ? MIN(soonest, at) : soonest;
    }
    pool->ready |= ripe;
    pool->timed &= ~ripe;
    pool->soonest = soonest;
    pool->gone = 0;
}

/* Of all, or of the oldest CTA's, the one behind the last. */
uint32_t warp_choose_in_turn(const WarpPool *pool, uint32_t s, uint64_t candidates);

static inline uint64_t warp_oldest_generation(const WarpPool *pool, uint64_t candidates)
{
    const uint64_t *generation = pool->generation;
    while (!(*generation & candidates)) generation++;
    return *generation & candidates;
}

static inline uint32_t warp_choose_oldest(const WarpPool *pool, uint32_t s, uint64_t candidates)
{
    if (candidates >> pool->last[s] & 1) return pool->last[s];
    return warp_lowest(warp_oldest_generation(pool, candidates));
}

static inline uint32_t warp_pool_choose(const WarpPool *pool, uint32_t s, uint64_t candidates)
{
    return pool->width.policy == GREEDY_THEN_OLDEST ? warp_choose_oldest(pool, s, candidates)
                                                    : warp_choose_in_turn(pool, s, candidates);
}

/* One cycle of a scheduler. */
typedef struct {
    uint32_t scheduler, slots, warps; /* left */
    uint32_t warp, of_warp;           /* picked last; instructions of it */
    uint64_t candidates;              /* ready and not yet picked */
    uint32_t losing;                  /* a bit a pool that has ... */
    uint32_t lost[EXECUTION_POOLS];   /* ... slots left empty because its units are full */
} IssueRound;

static inline void warp_pool_begin_round(const WarpPool *pool, uint32_t s, IssueRound *round)
{
    round->scheduler = s;
    round->slots = pool->width.dispatches;
    round->warps = pool->width.warps;
    round->warp = WARP_NONE;
    round->candidates = pool->ready & pool->mine[s];
    round->losing = 0;
}

/* The next warp to issue in the round, WARP_NONE at its end. The caller lets it issue: the
 * instruction enters its unit, and the warp is ready from a time on, waits or is held. */
uint32_t warp_pool_pick(WarpPool *pool, const ExecutionUnits *units, IssueRound *round,
                        uint64_t now);

/* Those of `warps` that want a unit whose way is full. */
static inline uint64_t warp_pool_blocked(const WarpPool *pool, const ExecutionUnits *units,
                                         uint64_t warps)
{
    uint64_t all = 0;
    for (uint32_t blocked = units->blocked; blocked; blocked &= blocked - 1)
        all |= pool->wants[warp_lowest(blocked)];
    return warps & all;
}

/* Of the scheduler's ready warps whose way is not full, whose unit accepts one. Many of them want
 * the same. */
static inline uint64_t warp_pool_accepted(const WarpPool *pool, const ExecutionUnits *units,
                                          uint32_t s, uint64_t open, uint64_t now)
{
    uint64_t accepted = 0;
    for (uint64_t rest = open; rest;) {
        const ExecutionPool p = pool->pool[warp_lowest(rest)];
        const uint64_t alike = rest & pool->wants[p];
        if (execution_units_free_at(units, p, s) <= now) accepted |= alike;
        rest ^= alike;
    }
    return accepted;
}

/* The same of a scheduler with one slot, of which some warp is ready: such a round is no more than
 * that. The ways of `blocked` warps are full. With WARP_REFUSED, the slot is lost because the unit
 * is full that this warp wants. */
static inline uint32_t warp_pool_pick_only(WarpPool *pool, const ExecutionUnits *units, uint32_t s,
                                           uint64_t blocked, uint64_t now)
{
    uint64_t ready = pool->ready & pool->mine[s];
    if (pool->width.unit_full == WITHHOLD) ready = warp_bit(warp_pool_choose(pool, s, ready));
    const uint64_t accepted = warp_pool_accepted(pool, units, s, ready & ~blocked, now);
    if (!accepted) return WARP_REFUSED | warp_lowest(ready);
    return pool->last[s] = warp_pool_choose(pool, s, accepted);
}

/* Slots that the schedulers lose in a cycle in which nobody can issue. */
void warp_pool_count_lost(const WarpPool *pool, uint32_t lost[EXECUTION_POOLS]);

/* What the resident warps wait for: results, or their next cycle; a unit; a dispatch slot; neither
 * any of these nor loads. */
typedef struct {
    uint32_t results, unit, slot, other;
} WarpCensus;

static inline void warp_pool_find_soonest(WarpPool *pool)
{
    pool->soonest = WARP_POOL_NEVER;
    pool->gone = 0;
    for (uint64_t rest = pool->timed; rest; rest &= rest - 1)
        pool->soonest = MIN(pool->soonest, pool->ready_at[warp_lowest(rest)]);
}

/* When the first of the ready warps finds its unit free, and how many have to wait for theirs.
 * Those of a scheduler that want the same are looked at once. */
static inline uint64_t warp_pool_look_at_ready(const WarpPool *pool, const ExecutionUnits *units,
                                               uint64_t now, WarpCensus *census)
{
    uint64_t next = WARP_POOL_NEVER;
    const uint64_t blocked = warp_pool_blocked(pool, units, pool->ready);
    census->unit = warp_count(blocked);
    for (uint64_t rest = pool->ready & ~blocked; rest;) {
        const uint32_t w = warp_lowest(rest), s = pool->scheduler[w];
        const ExecutionPool p = pool->pool[w];
        const uint64_t alike = rest & pool->wants[p] & pool->mine[s];
        const uint64_t at = execution_units_free_at(units, p, s);
        census->unit += at > now ? warp_count(alike) : 0;
        next = MIN(next, at);
        rest &= ~alike;
    }
    return next;
}

/* When the pool should be looked at again: a warp's time comes, or a ready one may find its unit
 * free, at the soonest in the next cycle. WARP_POOL_NEVER: nothing is to be expected. */
static inline uint64_t warp_pool_look(WarpPool *pool, const ExecutionUnits *units, uint64_t now,
                                      WarpCensus *census)
{
    const uint64_t at = warp_pool_look_at_ready(pool, units, now, census);
    if (pool->gone) warp_pool_find_soonest(pool);
    census->slot = warp_count(pool->ready) - census->unit;
    census->results = warp_count(pool->timed);
    census->other = warp_count(pool->used & ~(pool->ready | pool->timed | pool->waiting));
    return MAX(MIN(at, pool->soonest), now + pool->width.cycle);
}
