#include "parts/sm/warp_pool.h"

void warp_pool_init(WarpPool *pool, const IssueWidth *width)
{
    *pool = (WarpPool){.width = *width, .soonest = WARP_POOL_NEVER};
    for (uint32_t w = 0; w < WARP_POOL_WARPS; w++) {
        const uint32_t s = w % width->schedulers;
        pool->scheduler[w] = (uint8_t)s;
        pool->mine[s] |= warp_bit(w);
    }
}

/* Its CTA's, or the newest one, if its warps are all in lower slots. */
static void join_generation(WarpPool *pool, uint64_t bit)
{
    const uint64_t newest = pool->generations ? pool->generation[pool->generations - 1] : 0;
    const bool joins = pool->width.policy == OLDEST_CTA ? !pool->cta_begins : newest < bit;
    if (!newest || !joins) pool->generation[pool->generations++] = 0;
    pool->generation[pool->generations - 1] |= bit;
    pool->cta_begins = false;
}

uint32_t warp_pool_start(WarpPool *pool)
{
    const uint32_t w = warp_lowest(~pool->used);
    pool->used |= warp_bit(w);
    pool->age[w] = pool->started++;
    join_generation(pool, warp_bit(w));
    return w;
}

static void leave_generation(WarpPool *pool, uint64_t bit)
{
    uint32_t g = 0;
    while (!(pool->generation[g] & bit)) g++;
    pool->generation[g] &= ~bit;
    if (pool->generation[g]) return;
    for (pool->generations--; g < pool->generations; g++)
        pool->generation[g] = pool->generation[g + 1];
}

void warp_pool_end(WarpPool *pool, uint32_t w)
{
    warp_pool_hold(pool, w);
    pool->used &= ~warp_bit(w);
    leave_generation(pool, warp_bit(w));
}

uint32_t warp_choose_in_turn(const WarpPool *pool, uint32_t s, uint64_t candidates)
{
    if (pool->width.policy == OLDEST_CTA) candidates = warp_oldest_generation(pool, candidates);
    const uint32_t after = pool->last[s] + 1;
    const uint64_t later = after < WARP_POOL_WARPS ? candidates & (~UINT64_C(0) << after) : 0;
    return warp_lowest(later ? later : candidates);
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
    if (!(pool->timed & warp_bit(w)) || pool->ready_at[w] > now) return false;
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
        lose_slot(pool, round, warp_lowest(refused));
}

static uint32_t begin_warp(WarpPool *pool, IssueRound *round, uint32_t w)
{
    round->candidates &= ~warp_bit(w);
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
    round->candidates &= ~warp_bit(w);
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
        const uint32_t w = warp_pool_choose(pool, round->scheduler, open);
        const ExecutionPool p = pool->pool[w];
        if (execution_units_accept(units, p, round->scheduler, now))
            return begin_warp(pool, round, w);
        open = pass_over(pool, round, w, open);
    }
    lose_slots(pool, round);
    round->slots = 0;
    return WARP_NONE;
}

void warp_pool_count_lost(const WarpPool *pool, uint32_t lost[EXECUTION_POOLS])
{
    for (uint32_t p = 0; p < EXECUTION_POOLS; p++) lost[p] = 0;
    for (uint32_t s = 0; s < pool->width.schedulers; s++) {
        uint64_t refused = pool->ready & pool->mine[s];
        uint32_t slots = MIN(pool->width.dispatches, pool->width.warps);
        for (; refused && slots; refused &= refused - 1, slots--)
            lost[pool->pool[warp_lowest(refused)]]++;
    }
}
