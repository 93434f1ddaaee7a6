#include "parts/warp_pool.h"

static inline uint64_t bit(uint32_t index)
{
    return UINT64_C(1) << index;
}

void warp_pool_init(WarpPool *pool, WarpPolicy policy, uint32_t schedulers, uint64_t cycle)
{
    *pool = (WarpPool){.policy = policy, .schedulers = schedulers, .cycle = cycle};
    for (uint32_t w = 0; w < WARP_POOL_WARPS; w++) pool->mine[w % schedulers] |= bit(w);
}

uint32_t warp_pool_start(WarpPool *pool)
{
    const uint32_t w = (uint32_t)__builtin_ctzll(~pool->used);
    pool->used |= bit(w);
    pool->age[w] = pool->started++;
    return w;
}

void warp_pool_end(WarpPool *pool, uint32_t w)
{
    warp_pool_hold(pool, w);
    pool->used &= ~bit(w);
}

void warp_pool_describe_next(WarpPool *pool, uint32_t w, bool memory, uint32_t unit)
{
    pool->memory_next = memory ? pool->memory_next | bit(w) : pool->memory_next & ~bit(w);
    pool->unit[w] = (uint8_t)unit;
}

void warp_pool_hold(WarpPool *pool, uint32_t w)
{
    pool->ready &= ~bit(w);
    pool->timed &= ~bit(w);
    pool->waiting &= ~bit(w);
}

void warp_pool_wait(WarpPool *pool, uint32_t w)
{
    warp_pool_hold(pool, w);
    pool->waiting |= bit(w);
}

void warp_pool_ready_at(WarpPool *pool, uint32_t w, uint64_t at)
{
    warp_pool_hold(pool, w);
    pool->timed |= bit(w);
    pool->ready_at[w] = at;
}

void warp_pool_ripen(WarpPool *pool, uint64_t now)
{
    for (uint64_t rest = pool->timed; rest; rest &= rest - 1) {
        const uint32_t w = (uint32_t)__builtin_ctzll(rest);
        if (pool->ready_at[w] > now) continue;
        pool->timed &= ~bit(w);
        pool->ready |= bit(w);
    }
}

static uint32_t choose_round_robin(const WarpPool *pool, uint32_t s, uint64_t candidates)
{
    const uint32_t after = pool->last[s] + 1;
    const uint64_t later = after < WARP_POOL_WARPS ? candidates & (~UINT64_C(0) << after) : 0;
    return (uint32_t)__builtin_ctzll(later ? later : candidates);
}

static uint32_t choose_oldest(const WarpPool *pool, uint32_t s, uint64_t candidates)
{
    if (candidates >> pool->last[s] & 1) return pool->last[s];
    uint32_t oldest = (uint32_t)__builtin_ctzll(candidates);
    for (uint64_t rest = candidates & (candidates - 1); rest; rest &= rest - 1) {
        const uint32_t w = (uint32_t)__builtin_ctzll(rest);
        if (pool->age[w] < pool->age[oldest]) oldest = w;
    }
    return oldest;
}

static uint32_t choose(const WarpPool *pool, uint32_t s, uint64_t candidates)
{
    switch (pool->policy) {
    case LOOSE_ROUND_ROBIN: return choose_round_robin(pool, s, candidates);
    case GREEDY_THEN_OLDEST: return choose_oldest(pool, s, candidates);
    }
    g_assert_not_reached();
}

WarpPick warp_pool_pick(const WarpPool *pool, uint32_t s, bool memory_slot, uint64_t now)
{
    WarpPick pick = {.warp = WARP_NONE};
    uint64_t candidates = pool->ready & pool->mine[s];
    if (!memory_slot && candidates & pool->memory_next) {
        pick.lost_memory_slot = true;
        candidates &= ~pool->memory_next;
    }
    while (candidates) {
        const uint32_t w = choose(pool, s, candidates);
        if (pool->unit_free[s][pool->unit[w]] <= now) {
            pick.warp = w;
            break;
        }
        pick.units_busy++;
        candidates &= ~bit(w);
    }
    return pick;
}

void warp_pool_issue(WarpPool *pool, uint32_t w, uint32_t repeat, uint64_t now)
{
    const uint32_t s = w % pool->schedulers, unit = pool->unit[w];
    pool->last[s] = w;
    pool->free_at[s] = now + repeat * pool->cycle;
    pool->unit_free[s][unit] = now + repeat * pool->interval[unit];
}

static uint64_t next_issue_of(const WarpPool *pool, uint32_t s, uint64_t memory_at)
{
    const uint64_t ready = pool->ready & pool->mine[s];
    uint64_t at = ready & pool->memory_next ? memory_at : WARP_POOL_NEVER;
    for (uint64_t rest = ready & ~pool->memory_next; rest; rest &= rest - 1)
        at = MIN(at, pool->unit_free[s][pool->unit[__builtin_ctzll(rest)]]);
    return MAX(at, pool->free_at[s]);
}

uint64_t warp_pool_next(const WarpPool *pool, uint64_t memory_at, uint64_t now)
{
    uint64_t at = WARP_POOL_NEVER;
    for (uint32_t s = 0; s < pool->schedulers; s++)
        if (pool->ready & pool->mine[s]) at = MIN(at, next_issue_of(pool, s, memory_at));
    at = MAX(at, now + pool->cycle);
    for (uint64_t rest = pool->timed; rest; rest &= rest - 1)
        at = MIN(at, pool->ready_at[__builtin_ctzll(rest)]);
    return at;
}
