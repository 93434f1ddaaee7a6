#include "parts/sm/warp_pool.h"

static inline uint64_t bit(uint32_t index)
{
    return UINT64_C(1) << index;
}

static inline uint32_t lowest(uint64_t warps)
{
    return (uint32_t)__builtin_ctzll(warps);
}

void warp_pool_init(WarpPool *pool, const IssueWidth *width)
{
    *pool = (WarpPool){.width = *width, .soonest = WARP_POOL_NEVER};
    for (uint32_t w = 0; w < WARP_POOL_WARPS; w++) {
        const uint32_t s = w % width->schedulers;
        pool->scheduler[w] = (uint8_t)s;
        pool->mine[s] |= bit(w);
    }
}

uint32_t warp_pool_start(WarpPool *pool)
{
    const uint32_t w = lowest(~pool->used);
    pool->used |= bit(w);
    pool->age[w] = pool->started++ * WARP_POOL_WARPS + w;
    return w;
}

void warp_pool_end(WarpPool *pool, uint32_t w)
{
    warp_pool_hold(pool, w);
    pool->used &= ~bit(w);
}

static void find_soonest(WarpPool *pool)
{
    pool->soonest = WARP_POOL_NEVER;
    pool->gone = 0;
    for (uint64_t rest = pool->timed; rest; rest &= rest - 1)
        pool->soonest = MIN(pool->soonest, pool->ready_at[lowest(rest)]);
}

void warp_pool_ripen(WarpPool *pool, uint64_t now)
{
    if (pool->soonest > now) return;
    uint64_t soonest = WARP_POOL_NEVER, ripe = 0;
    for (uint64_t rest = pool->timed; rest; rest &= rest - 1) {
        const uint64_t at = pool->ready_at[lowest(rest)];
        ripe |= at <= now ? rest & -rest : 0;
        soonest = at > now ? MIN(soonest, at) : soonest;
    }
    pool->ready |= ripe;
    pool->timed &= ~ripe;
    pool->soonest = soonest;
    pool->gone = 0;
}

/* --- choosing --------------------------------------------------------------------------------- */

static inline uint32_t choose_round_robin(const WarpPool *pool, uint32_t s, uint64_t candidates)
{
    const uint32_t after = pool->last[s] + 1;
    const uint64_t later = after < WARP_POOL_WARPS ? candidates & (~UINT64_C(0) << after) : 0;
    return lowest(later ? later : candidates);
}

static inline uint32_t choose_oldest(const WarpPool *pool, uint32_t s, uint64_t candidates)
{
    if (candidates >> pool->last[s] & 1) return pool->last[s];
    uint64_t oldest = UINT64_MAX;
    for (uint64_t rest = candidates; rest; rest &= rest - 1)
        oldest = MIN(oldest, pool->age[lowest(rest)]);
    return oldest % WARP_POOL_WARPS;
}

static inline uint32_t choose(const WarpPool *pool, uint32_t s, uint64_t candidates)
{
    return pool->width.policy == LOOSE_ROUND_ROBIN ? choose_round_robin(pool, s, candidates)
                                                   : choose_oldest(pool, s, candidates);
}

/* --- a scheduler's cycle ---------------------------------------------------------------------- */

static uint32_t take(WarpPool *pool, IssueRound *round, uint32_t w)
{
    pool->last[round->scheduler] = w;
    round->slots--;
    round->of_warp++;
    return w;
}

static void lose_slot(const WarpPool *pool, IssueRound *round, uint32_t w)
{
    const uint32_t p = pool->pool[w];
    if (!(round->losing >> p & 1)) round->lost[p] = 0;
    round->losing |= 1u << p;
    round->lost[p]++;
    round->slots--;
}

/* The instruction that follows the one just issued, if it does not wait for anything. */
static bool follows_at_once(WarpPool *pool, const ExecutionUnits *units, IssueRound *round,
                            uint64_t now)
{
    const uint32_t w = round->warp;
    if (w == WARP_NONE || round->of_warp == pool->width.dispatches_per_warp) return false;
    if (!(pool->timed & bit(w)) || pool->ready_at[w] > now) return false;
    if (execution_units_accept(units, pool->pool[w], round->scheduler, now)) return true;
    lose_slot(pool, round, w);
    round->warp = WARP_NONE;
    return false;
}

/* None of those who are left can issue: they lose the slots that nobody takes. */
static void lose_slots(const WarpPool *pool, IssueRound *round)
{
    uint64_t refused = round->candidates;
    uint32_t warps = round->warps;
    for (; refused && warps && round->slots; refused &= refused - 1, warps--)
        lose_slot(pool, round, lowest(refused));
}

static uint32_t begin_warp(WarpPool *pool, IssueRound *round, uint32_t w)
{
    round->candidates &= ~bit(w);
    round->warps--;
    round->warp = w;
    round->of_warp = 0;
    return take(pool, round, w);
}

/* The unit of w is full. Returns who may come next: those who want another unit, or whoever is
 * left. */
static uint64_t pass_over(const WarpPool *pool, IssueRound *round, uint32_t w, uint64_t open)
{
    if (pool->width.unit_full == TAKE_OTHER_WARP) return open & ~pool->wants[pool->pool[w]];
    round->candidates &= ~bit(w);
    round->warps--;
    lose_slot(pool, round, w);
    return round->candidates;
}

uint32_t warp_pool_pick(WarpPool *pool, const ExecutionUnits *units, IssueRound *round,
                        uint64_t now)
{
    if (!round->slots) return WARP_NONE;
    if (follows_at_once(pool, units, round, now)) return take(pool, round, round->warp);
    uint64_t open = round->candidates;
    while (open && round->slots && round->warps) {
        const uint32_t w = choose(pool, round->scheduler, open);
        const ExecutionPool p = pool->pool[w];
        if (execution_units_accept(units, p, round->scheduler, now))
            return begin_warp(pool, round, w);
        open = pass_over(pool, round, w, open);
    }
    lose_slots(pool, round);
    round->slots = 0;
    return WARP_NONE;
}

/* Of the scheduler's ready warps, whose unit accepts one. Many of them want the same. */
static inline uint64_t accepted_of(const WarpPool *pool, const ExecutionUnits *units, uint32_t s,
                                   uint64_t ready, uint64_t now)
{
    uint64_t accepted = 0;
    for (uint64_t rest = ready; rest;) {
        const ExecutionPool p = pool->pool[lowest(rest)];
        const uint64_t alike = rest & pool->wants[p];
        if (execution_units_free_at(units, p, s) <= now) accepted |= alike;
        rest ^= alike;
    }
    for (uint32_t blocked = units->blocked; blocked; blocked &= blocked - 1)
        accepted &= ~pool->wants[lowest(blocked)];
    return accepted;
}

uint32_t warp_pool_pick_only(WarpPool *pool, const ExecutionUnits *units, uint32_t s, uint64_t now)
{
    uint64_t ready = pool->ready & pool->mine[s];
    if (pool->width.unit_full == WITHHOLD) ready = bit(choose(pool, s, ready));
    const uint64_t accepted = accepted_of(pool, units, s, ready, now);
    if (!accepted) return WARP_REFUSED | lowest(ready);
    return pool->last[s] = choose(pool, s, accepted);
}

void warp_pool_count_lost(const WarpPool *pool, uint32_t lost[EXECUTION_POOLS])
{
    for (uint32_t p = 0; p < EXECUTION_POOLS; p++) lost[p] = 0;
    for (uint32_t s = 0; s < pool->width.schedulers; s++) {
        uint64_t refused = pool->ready & pool->mine[s];
        uint32_t slots = MIN(pool->width.dispatches, pool->width.warps);
        for (; refused && slots; refused &= refused - 1, slots--)
            lost[pool->pool[lowest(refused)]]++;
    }
}

/* --- looking ahead ---------------------------------------------------------------------------- */

static inline uint32_t count(uint64_t warps)
{
    return (uint32_t)__builtin_popcountll(warps);
}

/* When the first of the ready warps finds its unit free, and how many have to wait for theirs. Those
 * of a scheduler that want the same are looked at once. */
static inline uint64_t look_at_ready(const WarpPool *pool, const ExecutionUnits *units,
                                     uint64_t now, WarpCensus *census)
{
    uint64_t next = WARP_POOL_NEVER;
    for (uint64_t rest = pool->ready; rest;) {
        const uint32_t w = lowest(rest), s = pool->scheduler[w];
        const ExecutionPool p = pool->pool[w];
        const uint64_t alike = rest & pool->wants[p] & pool->mine[s];
        const bool blocked = units->blocked >> p & 1;
        const uint64_t at = blocked ? WARP_POOL_NEVER : execution_units_free_at(units, p, s);
        census->unit += at > now ? count(alike) : 0;
        next = MIN(next, at);
        rest &= ~alike;
    }
    return next;
}

uint64_t warp_pool_look(WarpPool *pool, const ExecutionUnits *units, uint64_t now,
                        WarpCensus *census)
{
    census->unit = 0;
    const uint64_t at = look_at_ready(pool, units, now, census);
    if (pool->gone) find_soonest(pool);
    census->slot = count(pool->ready) - census->unit;
    census->results = count(pool->timed);
    census->other = count(pool->used & ~(pool->ready | pool->timed | pool->waiting));
    return MAX(MIN(at, pool->soonest), now + pool->width.cycle);
}
