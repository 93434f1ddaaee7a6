#include "parts/sm/warp_pool.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/harness.h"

enum { CYCLE = 10 };

/* FP32: a warp in two cycles; SFU: in eight; the rest of the units accepts nothing. Own units. */
static ExecutionUnits units_of(uint32_t schedulers)
{
    ExecutionUnits units;
    execution_units_init(&units);
    const PoolShape cores = {schedulers, 16, UNITS_PRIVATE, 32},
                    sfus = {schedulers, 4, UNITS_PRIVATE, 32};
    ck_assert(execution_units_set(&units, POOL_CORE, &cores, UNITS_PRIVATE, schedulers, CYCLE));
    ck_assert(execution_units_set(&units, POOL_SFU, &sfus, UNITS_PRIVATE, schedulers, CYCLE));
    return units;
}

/* All warps are ready at 100 for an instruction that needs no unit. */
static WarpPool pool_with(const IssueWidth *width, uint32_t warps)
{
    WarpPool pool;
    warp_pool_init(&pool, width);
    for (uint32_t i = 0; i < warps; i++) {
        const uint32_t w = warp_pool_start(&pool);
        warp_pool_describe_next(&pool, w, POOL_NONE);
        warp_pool_ready_at(&pool, w, 100);
    }
    warp_pool_ripen(&pool, 100);
    return pool;
}

static IssueWidth width_of(WarpPolicy policy, uint32_t schedulers)
{
    return (IssueWidth){policy, TAKE_OTHER_WARP, schedulers, 1, 1, 1, CYCLE};
}

static WarpPool pool_of(WarpPolicy policy, uint32_t schedulers, uint32_t warps)
{
    const IssueWidth width = width_of(policy, schedulers);
    return pool_with(&width, warps);
}

/* What scheduler s does at `now`: picks, which enter their units, as "2 0 ", and lost slots as
 * "-3 ", 3 being the pool. Picked warps wait for a load. */
static char *round_of(WarpPool *pool, ExecutionUnits *units, uint32_t s, uint64_t now)
{
    GString *text = g_string_new(NULL);
    IssueRound round;
    warp_pool_begin_round(pool, s, &round);
    for (uint32_t w; (w = warp_pool_pick(pool, units, &round, now)) != WARP_NONE;) {
        g_string_append_printf(text, "%u ", w);
        if (pool->pool[w] != POOL_NONE) execution_units_enter(units, pool->pool[w], s, 0, now);
        warp_pool_wait(pool, w);
    }
    for (uint32_t p = 0; p < EXECUTION_POOLS; p++)
        for (uint32_t n = 0; round.losing >> p & 1 && n < round.lost[p]; n++)
            g_string_append_printf(text, "-%u ", p);
    ck_assert(!round.losing == !strchr(text->str, '-'));
    return g_string_free(text, FALSE);
}

static void assert_round(WarpPool *pool, ExecutionUnits *units, uint32_t s, uint64_t now,
                         const char *expected)
{
    g_autofree char *got = round_of(pool, units, s, now);
    ck_assert_str_eq(got, expected);
}

static uint64_t next_look(WarpPool *pool, const ExecutionUnits *units, uint64_t now)
{
    WarpCensus census;
    return warp_pool_look(pool, units, now, &census);
}

/* Issues for scheduler 0 at `now` and makes the warp ready again. */
static uint32_t issue(WarpPool *pool, uint64_t now)
{
    ExecutionUnits units = units_of(pool->width.schedulers);
    g_autofree char *text = round_of(pool, &units, 0, now);
    const uint32_t w = (uint32_t)strtoul(text, NULL, 10);
    warp_pool_ready_at(pool, w, now + CYCLE);
    warp_pool_ripen(pool, now + CYCLE);
    return w;
}

START_TEST(a_warp_starts_in_the_lowest_free_slot)
{
    WarpPool pool = pool_of(GREEDY_THEN_OLDEST, 4, 3);
    ck_assert_uint_eq(pool.used, 7);
    warp_pool_end(&pool, 1);
    ck_assert_uint_eq(pool.used, 5);
    ck_assert_uint_eq(pool.ready, 5);
    ck_assert_uint_eq(warp_pool_start(&pool), 1);
    ck_assert_uint_gt(pool.age[1], pool.age[2]);
    ck_assert_uint_eq(warp_pool_start(&pool), 3);
}
END_TEST

START_TEST(a_warp_is_ready_when_its_time_has_come)
{
    WarpPool pool = pool_of(GREEDY_THEN_OLDEST, 4, 2);
    warp_pool_ready_at(&pool, 0, 150);
    warp_pool_ready_at(&pool, 1, 160);
    ck_assert_uint_eq(pool.ready, 0);
    warp_pool_ripen(&pool, 149);
    ck_assert_uint_eq(pool.ready, 0);
    warp_pool_ripen(&pool, 150);
    ck_assert_uint_eq(pool.ready, 1);
    warp_pool_ripen(&pool, 170);
    ck_assert_uint_eq(pool.ready, 3);
}
END_TEST

START_TEST(a_warp_that_waits_or_is_held_has_no_time)
{
    WarpPool pool = pool_of(GREEDY_THEN_OLDEST, 4, 2);
    warp_pool_wait(&pool, 0);
    warp_pool_hold(&pool, 1);
    ck_assert(warp_pool_waits(&pool, 0) && !warp_pool_waits(&pool, 1));
    warp_pool_ripen(&pool, 1000);
    ck_assert_uint_eq(pool.ready, 0);
    const ExecutionUnits units = units_of(4);
    ck_assert_uint_eq(next_look(&pool, &units, 1000), WARP_POOL_NEVER);
    warp_pool_ready_at(&pool, 0, 1015);
    ck_assert(!warp_pool_waits(&pool, 0));
    ck_assert_uint_eq(next_look(&pool, &units, 1000), 1015);
}
END_TEST

START_TEST(a_scheduler_picks_among_its_own_warps)
{
    ExecutionUnits units = units_of(2), more = units_of(3);
    WarpPool pool = pool_of(GREEDY_THEN_OLDEST, 2, 2);
    assert_round(&pool, &units, 0, 100, "0 ");
    assert_round(&pool, &units, 1, 100, "1 ");
    WarpPool three = pool_of(GREEDY_THEN_OLDEST, 3, 2);
    assert_round(&three, &more, 2, 100, "");
}
END_TEST

START_TEST(loose_round_robin_goes_on_after_the_last_warp)
{
    WarpPool pool = pool_of(LOOSE_ROUND_ROBIN, 1, 3);
    static const uint32_t order[] = {1, 2, 0, 1};
    for (unsigned i = 0; i < G_N_ELEMENTS(order); i++)
        ck_assert_uint_eq(issue(&pool, 100 + i * CYCLE), order[i]);
}
END_TEST

START_TEST(loose_round_robin_wraps_after_the_highest_slot)
{
    WarpPool pool = pool_of(LOOSE_ROUND_ROBIN, 1, WARP_POOL_WARPS);
    pool.last[0] = WARP_POOL_WARPS - 1;
    ck_assert_uint_eq(issue(&pool, 110), 0);
}
END_TEST

START_TEST(greedy_stays_and_then_takes_the_oldest)
{
    WarpPool pool = pool_of(GREEDY_THEN_OLDEST, 1, 3);
    warp_pool_end(&pool, 0);
    ck_assert_uint_eq(warp_pool_start(&pool), 0); /* now the youngest */
    warp_pool_describe_next(&pool, 0, POOL_NONE);
    pool.last[0] = 2;
    warp_pool_ready_at(&pool, 0, 100);
    warp_pool_ripen(&pool, 100);
    ck_assert_uint_eq(issue(&pool, 110), 2);
    ck_assert_uint_eq(issue(&pool, 120), 2);
    warp_pool_wait(&pool, 2);
    ck_assert_uint_eq(issue(&pool, 130), 1);
    warp_pool_wait(&pool, 1);
    ck_assert_uint_eq(issue(&pool, 140), 0);
}
END_TEST

START_TEST(a_warp_whose_unit_is_full_is_passed_over)
{
    ExecutionUnits units = units_of(1);
    WarpPool pool = pool_of(GREEDY_THEN_OLDEST, 1, 4);
    for (uint32_t w = 0; w < 4; w++)
        warp_pool_describe_next(&pool, w, w == 2 ? POOL_CORE : POOL_SFU);
    assert_round(&pool, &units, 0, 100, "0 ");
    assert_round(&pool, &units, 0, 110, "2 ");
    assert_round(&pool, &units, 0, 120, "-3 ");
    assert_round(&pool, &units, 0, 180, "1 "); /* 100 + 8 cycles */
}
END_TEST

START_TEST(a_scheduler_may_withhold_the_slot_instead)
{
    ExecutionUnits units = units_of(1);
    IssueWidth width = width_of(GREEDY_THEN_OLDEST, 1);
    width.unit_full = WITHHOLD;
    WarpPool pool = pool_with(&width, 3);
    for (uint32_t w = 0; w < 3; w++)
        warp_pool_describe_next(&pool, w, w == 2 ? POOL_CORE : POOL_SFU);
    assert_round(&pool, &units, 0, 100, "0 ");
    assert_round(&pool, &units, 0, 110, "-3 ");
    assert_round(&pool, &units, 0, 180, "1 ");
    assert_round(&pool, &units, 0, 190, "2 ");
}
END_TEST

START_TEST(a_pool_that_is_blocked_accepts_nothing)
{
    ExecutionUnits units = units_of(1);
    WarpPool pool = pool_of(GREEDY_THEN_OLDEST, 1, 2);
    warp_pool_describe_next(&pool, 0, POOL_CORE);
    units.blocked = 1u << POOL_CORE;
    assert_round(&pool, &units, 0, 100, "1 ");
    assert_round(&pool, &units, 0, 110, "-0 ");
    ck_assert_uint_eq(next_look(&pool, &units, 110), WARP_POOL_NEVER);
    units.blocked = 0;
    ck_assert_uint_eq(next_look(&pool, &units, 110), 120);
    assert_round(&pool, &units, 0, 120, "0 ");
}
END_TEST

/* Five warps want the one core, one the SFU. Of three slots two are taken, the third is lost. */
START_TEST(a_scheduler_dispatches_as_many_as_its_width)
{
    ExecutionUnits units = units_of(1);
    IssueWidth width = width_of(GREEDY_THEN_OLDEST, 1);
    width.dispatches = 3;
    width.warps = 4;
    WarpPool pool = pool_with(&width, 6);
    for (uint32_t w = 0; w < 6; w++)
        warp_pool_describe_next(&pool, w, w == 5 ? POOL_SFU : POOL_CORE);
    assert_round(&pool, &units, 0, 100, "0 5 -0 ");
    warp_pool_describe_next(&pool, 4, POOL_NONE);
    assert_round(&pool, &units, 0, 110, "4 -0 -0 ");
    width.dispatches = 2;
    WarpPool narrow = pool_with(&width, 3);
    assert_round(&narrow, &units, 0, 100, "0 1 ");
    width.warps = 1;
    WarpPool one = pool_with(&width, 3);
    assert_round(&one, &units, 0, 100, "0 ");
}
END_TEST

/* Warp 0 has three instructions that wait for nothing, the third for the full core. */
START_TEST(neighbours_of_one_warp_go_together)
{
    static const ExecutionPool code[] = {POOL_NONE, POOL_CORE, POOL_CORE};
    ExecutionUnits units = units_of(1);
    IssueWidth width = width_of(GREEDY_THEN_OLDEST, 1);
    width.dispatches = 4;
    width.dispatches_per_warp = 3;
    WarpPool pool = pool_with(&width, 2);
    IssueRound round;
    warp_pool_begin_round(&pool, 0, &round);
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert_uint_eq(warp_pool_pick(&pool, &units, &round, 100), 0);
        if (code[i] == POOL_CORE) execution_units_enter(&units, POOL_CORE, 0, 0, 100);
        warp_pool_describe_next(&pool, 0, code[i + 1]);
        warp_pool_ready_at(&pool, 0, 100);
    }
    ck_assert_uint_eq(warp_pool_pick(&pool, &units, &round, 100), WARP_NONE);
    ck_assert_uint_eq(round.lost[POOL_CORE], 1);
    ck_assert_uint_eq(next_look(&pool, &units, 100), 110);
}
END_TEST

START_TEST(no_more_neighbours_go_than_allowed)
{
    ExecutionUnits units = units_of(1);
    IssueWidth width = width_of(GREEDY_THEN_OLDEST, 1);
    width.dispatches = 4;
    width.dispatches_per_warp = 2;
    WarpPool pool = pool_with(&width, 1);
    IssueRound round;
    warp_pool_begin_round(&pool, 0, &round);
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert_uint_eq(warp_pool_pick(&pool, &units, &round, 100), 0);
        warp_pool_ready_at(&pool, 0, 100);
    }
    ck_assert_uint_eq(warp_pool_pick(&pool, &units, &round, 100), WARP_NONE);
}
END_TEST

START_TEST(a_dependent_neighbour_waits)
{
    ExecutionUnits units = units_of(1);
    IssueWidth width = width_of(GREEDY_THEN_OLDEST, 1);
    width.dispatches = width.dispatches_per_warp = 2;
    WarpPool pool = pool_with(&width, 1);
    IssueRound round;
    warp_pool_begin_round(&pool, 0, &round);
    ck_assert_uint_eq(warp_pool_pick(&pool, &units, &round, 100), 0);
    warp_pool_ready_at(&pool, 0, 140);
    ck_assert_uint_eq(warp_pool_pick(&pool, &units, &round, 100), WARP_NONE);
    ck_assert(!round.losing);
}
END_TEST

/* Scheduler 0 has warps 0 and 2, scheduler 1 warps 1 and 3; a slot each. */
START_TEST(slots_are_lost_in_cycles_without_any_issue)
{
    WarpPool pool = pool_of(GREEDY_THEN_OLDEST, 2, 4);
    for (uint32_t w = 0; w < 4; w++)
        warp_pool_describe_next(&pool, w, w == 1 ? POOL_CORE : POOL_SFU);
    uint32_t lost[EXECUTION_POOLS];
    warp_pool_count_lost(&pool, lost);
    ck_assert_uint_eq(lost[POOL_SFU], 1);
    ck_assert_uint_eq(lost[POOL_CORE], 1);
    for (uint32_t w = 0; w < 4; w++) warp_pool_wait(&pool, w);
    warp_pool_count_lost(&pool, lost);
    ck_assert_uint_eq(lost[POOL_SFU] + lost[POOL_CORE], 0);
}
END_TEST

START_TEST(the_census_says_what_warps_wait_for)
{
    ExecutionUnits units = units_of(1);
    WarpPool pool = pool_of(GREEDY_THEN_OLDEST, 1, 8);
    execution_units_enter(&units, POOL_SFU, 0, 0, 100);
    warp_pool_wait(&pool, 0);
    for (uint32_t w = 1; w < 3; w++) warp_pool_ready_at(&pool, w, 200);
    for (uint32_t w = 3; w < 6; w++) warp_pool_describe_next(&pool, w, POOL_SFU);
    warp_pool_hold(&pool, 7);
    WarpCensus census;
    warp_pool_look(&pool, &units, 100, &census);
    ck_assert_uint_eq(census.results, 2);
    ck_assert_uint_eq(census.unit, 3);
    ck_assert_uint_eq(census.slot, 1);
    ck_assert_uint_eq(census.other, 1);
}
END_TEST

/* At 100: warp 0 is for the SFU, which is free at 180, warp 1 not ready before 135. */
START_TEST(the_next_look_is_at_the_first_chance)
{
    ExecutionUnits units = units_of(1);
    WarpPool pool = pool_of(GREEDY_THEN_OLDEST, 1, 3);
    execution_units_enter(&units, POOL_SFU, 0, 0, 100);
    warp_pool_describe_next(&pool, 0, POOL_SFU);
    warp_pool_ready_at(&pool, 1, 135);
    warp_pool_wait(&pool, 2);
    ck_assert_uint_eq(next_look(&pool, &units, 100), 135);
    warp_pool_ready_at(&pool, 1, 195);
    ck_assert_uint_eq(next_look(&pool, &units, 100), 180);
    warp_pool_ready_at(&pool, 2, 101);
    ck_assert_uint_eq(next_look(&pool, &units, 100), 110);
}
END_TEST

/* Warps of two schedulers, which are ready or not, want cores, SFUs or no unit; of these units some
 * are taken. */
static WarpPool draw_pool(GRand *random, const IssueWidth *width, ExecutionUnits *units)
{
    static const ExecutionPool wanted[] = {POOL_CORE, POOL_SFU, POOL_NONE};
    WarpPool pool = pool_with(width, WARP_POOL_WARPS);
    for (uint32_t w = 0; w < WARP_POOL_WARPS; w += (uint32_t)g_rand_int_range(random, 1, 5)) {
        warp_pool_end(&pool, w);
        ck_assert_uint_eq(warp_pool_start(&pool), w);
    }
    for (uint32_t w = 0; w < WARP_POOL_WARPS; w++) {
        warp_pool_describe_next(&pool, w, wanted[g_rand_int_range(random, 0, 3)]);
        warp_pool_ready_at(&pool, w, g_rand_int_range(random, 0, 8) ? 200 : 100);
    }
    warp_pool_ripen(&pool, 100);
    *units = units_of(2);
    for (uint32_t i = 0; i < 4; i++)
        if (g_rand_boolean(random))
            execution_units_enter(units, i / 2 ? POOL_CORE : POOL_SFU, i % 2, 0, 95);
    return pool;
}

START_TEST(a_scheduler_with_one_slot_picks_as_in_a_round)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(3);
    for (uint32_t round = 0; round < 4000; round++) {
        const IssueWidth width = {.policy = round % 2 ? LOOSE_ROUND_ROBIN : GREEDY_THEN_OLDEST,
                                  .unit_full = round / 2 % 2 ? WITHHOLD : TAKE_OTHER_WARP,
                                  .schedulers = 2,
                                  .dispatches = 1,
                                  .warps = 1,
                                  .dispatches_per_warp = 1,
                                  .cycle = CYCLE};
        ExecutionUnits units;
        WarpPool pool = draw_pool(random, &width, &units);
        pool.last[0] = 2 * (uint32_t)g_rand_int_range(random, 0, WARP_POOL_WARPS / 2);
        if (!(pool.ready & pool.mine[0])) continue;
        WarpPool only = pool;
        const uint64_t blocked = warp_pool_blocked(&only, &units, only.ready);
        const uint32_t w = warp_pool_pick_only(&only, &units, 0, blocked, 100);
        g_autofree char *text = w & WARP_REFUSED
                                    ? g_strdup_printf("-%u ", only.pool[w & ~WARP_REFUSED])
                                    : g_strdup_printf("%u ", w);
        assert_round(&pool, &units, 0, 100, text);
        ck_assert_uint_eq(only.last[0], pool.last[0]);
    }
}
END_TEST

START_TEST(the_oldest_is_who_started_first_whatever_the_slots)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(5);
    WarpPool pool = pool_of(GREEDY_THEN_OLDEST, 1, 0);
    for (uint32_t round = 0; round < 4000; round++) {
        const uint32_t w = (uint32_t)g_rand_int_range(random, 0, WARP_POOL_WARPS);
        if (pool.used >> w & 1)
            warp_pool_end(&pool, w);
        else
            warp_pool_start(&pool);
        const uint64_t some = (uint64_t)g_rand_int(random) << 32 | g_rand_int(random);
        const uint64_t candidates = pool.used & some & ~warp_bit(pool.last[0]);
        if (!candidates) continue;
        uint32_t oldest = warp_lowest(candidates);
        for (uint64_t rest = candidates; rest; rest &= rest - 1)
            if (pool.age[warp_lowest(rest)] < pool.age[oldest]) oldest = warp_lowest(rest);
        ck_assert_uint_eq(warp_pool_choose(&pool, 0, candidates), oldest);
    }
}
END_TEST

HARNESS_MAIN("warp_pool", a_warp_starts_in_the_lowest_free_slot,
             a_warp_is_ready_when_its_time_has_come, a_warp_that_waits_or_is_held_has_no_time,
             a_scheduler_picks_among_its_own_warps, loose_round_robin_goes_on_after_the_last_warp,
             loose_round_robin_wraps_after_the_highest_slot, greedy_stays_and_then_takes_the_oldest,
             a_warp_whose_unit_is_full_is_passed_over, a_scheduler_may_withhold_the_slot_instead,
             a_pool_that_is_blocked_accepts_nothing, a_scheduler_dispatches_as_many_as_its_width,
             neighbours_of_one_warp_go_together, no_more_neighbours_go_than_allowed,
             a_dependent_neighbour_waits, slots_are_lost_in_cycles_without_any_issue,
             the_census_says_what_warps_wait_for, the_next_look_is_at_the_first_chance,
             a_scheduler_with_one_slot_picks_as_in_a_round,
             the_oldest_is_who_started_first_whatever_the_slots)
