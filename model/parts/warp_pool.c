#include "parts/warp_pool.h"

static inline uint64_t bit(uint32_t index)
{
    return UINT64_C(1) << index;
}

void warp_pool_init(WarpPool *pool, const IssueWidth *width)
{
    *pool = (WarpPool){.width = *width};
    for (uint32_t w = 0; w < WARP_POOL_WARPS; w++) pool->mine[w % width->schedulers] |= bit(w);
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

void warp_pool_describe_next(WarpPool *pool, uint32_t w, ExecutionPool units)
{
    pool->wants[pool->pool[w]] &= ~bit(w);
    pool->wants[units] |= bit(w);
    pool->pool[w] = (uint8_t)units;
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

/* --- choosing --------------------------------------------------------------------------------- */

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
    switch (pool->width.policy) {
    case LOOSE_ROUND_ROBIN: return choose_round_robin(pool, s, candidates);
    case GREEDY_THEN_OLDEST: return choose_oldest(pool, s, candidates);
    }
    g_assert_not_reached();
}

/* --- a scheduler's cycle ---------------------------------------------------------------------- */

IssueRound warp_pool_begin_round(const WarpPool *pool, uint32_t s)
{
    return (IssueRound){.scheduler = s,
                        .slots = pool->width.dispatches,
                        .warps = pool->width.warps,
                        .warp = WARP_NONE,
                        .candidates = pool->ready & pool->mine[s]};
}

static uint32_t take(WarpPool *pool, IssueRound *round, uint32_t w)
{
    pool->last[round->scheduler] = w;
    round->slots--;
    round->of_warp++;
    return w;
}

static void lose_slot(const WarpPool *pool, IssueRound *round, uint32_t w)
{
    round->lost[pool->pool[w]]++;
    round->any_lost = true;
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

/* The candidates whose unit is full; those who cannot issue lose the slots that nobody takes. */
static uint64_t find_refused(const WarpPool *pool, const ExecutionUnits *units,
                             const IssueRound *round, uint64_t now)
{
    uint64_t refused = 0;
    for (uint32_t p = 0; p < EXECUTION_POOLS; p++) {
        const uint64_t wanting = round->candidates & pool->wants[p];
        if (wanting && !execution_units_accept(units, p, round->scheduler, now)) refused |= wanting;
    }
    return refused;
}

static void lose(const WarpPool *pool, uint64_t refused, uint32_t slots,
                 uint32_t lost[EXECUTION_POOLS])
{
    for (; refused && slots; refused &= refused - 1, slots--)
        lost[pool->pool[__builtin_ctzll(refused)]]++;
}

uint32_t warp_pool_pick(WarpPool *pool, const ExecutionUnits *units, IssueRound *round,
                        uint64_t now)
{
    if (!round->slots) return WARP_NONE;
    if (follows_at_once(pool, units, round, now)) return take(pool, round, round->warp);
    while (round->slots && round->warps && round->candidates) {
        const uint64_t refused = find_refused(pool, units, round, now);
        const bool passes_over = pool->width.unit_full == TAKE_OTHER_WARP;
        const uint64_t eligible = passes_over ? round->candidates & ~refused : round->candidates;
        if (!eligible) {
            lose(pool, refused, MIN(round->slots, round->warps), round->lost);
            round->any_lost = true;
            break;
        }
        const uint32_t w = choose(pool, round->scheduler, eligible);
        round->candidates &= ~bit(w);
        round->warps--;
        if (!(refused & bit(w))) {
            round->warp = w;
            round->of_warp = 0;
            return take(pool, round, w);
        }
        lose_slot(pool, round, w);
    }
    round->slots = 0;
    return WARP_NONE;
}

void warp_pool_count_lost(const WarpPool *pool, uint32_t lost[EXECUTION_POOLS])
{
    for (uint32_t p = 0; p < EXECUTION_POOLS; p++) lost[p] = 0;
    for (uint32_t s = 0; s < pool->width.schedulers; s++)
        lose(pool, pool->ready & pool->mine[s], MIN(pool->width.dispatches, pool->width.warps),
             lost);
}

/* --- looking ahead ---------------------------------------------------------------------------- */

static inline uint32_t count(uint64_t warps)
{
    return (uint32_t)__builtin_popcountll(warps);
}

WarpCensus warp_pool_census(const WarpPool *pool, const ExecutionUnits *units, uint64_t now)
{
    WarpCensus census = {.loads = count(pool->waiting), .results = count(pool->timed)};
    const uint32_t ready = count(pool->ready);
    for (uint32_t s = 0; ready && s < pool->width.schedulers; s++) {
        const IssueRound round = {.scheduler = s, .candidates = pool->ready & pool->mine[s]};
        if (round.candidates) census.unit += count(find_refused(pool, units, &round, now));
    }
    census.slot = ready - census.unit;
    census.other = count(pool->used) - ready - census.loads - census.results;
    return census;
}

static uint64_t next_issue_of(const WarpPool *pool, const ExecutionUnits *units, uint32_t s)
{
    uint64_t at = WARP_POOL_NEVER;
    const uint64_t ready = pool->ready & pool->mine[s];
    for (uint32_t p = 0; ready && p <= POOL_NONE; p++)
        if (ready & pool->wants[p] && !(units->blocked >> p & 1))
            at = MIN(at, execution_units_free_at(units, p, s));
    return at;
}

uint64_t warp_pool_next(const WarpPool *pool, const ExecutionUnits *units, uint64_t now)
{
    uint64_t at = WARP_POOL_NEVER;
    for (uint32_t s = 0; pool->ready && s < pool->width.schedulers; s++)
        at = MIN(at, next_issue_of(pool, units, s));
    for (uint64_t rest = pool->timed; rest; rest &= rest - 1)
        at = MIN(at, pool->ready_at[__builtin_ctzll(rest)]);
    return MAX(at, now + pool->width.cycle);
}
