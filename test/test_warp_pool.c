#include "parts/warp_pool.h"

#include <check.h>

#include "harness.h"

enum { CYCLE = 10, FP = 0, SFU = 1 };

/* All warps are ready at 100 for an instruction that needs no unit. */
static WarpPool pool_of(WarpPolicy policy, uint32_t schedulers, uint32_t warps)
{
    WarpPool pool;
    warp_pool_init(&pool, policy, schedulers, CYCLE);
    pool.interval[FP] = 20;
    pool.interval[SFU] = 80;
    for (uint32_t i = 0; i < warps; i++) {
        const uint32_t w = warp_pool_start(&pool);
        warp_pool_describe_next(&pool, w, false, WARP_POOL_NO_UNIT);
        warp_pool_ready_at(&pool, w, 100);
    }
    warp_pool_ripen(&pool, 100);
    return pool;
}

/* Issues for scheduler 0 at `now` and makes the warp ready again. */
static uint32_t issue(WarpPool *pool, uint64_t now)
{
    const WarpPick pick = warp_pool_pick(pool, 0, true, now);
    ck_assert_uint_ne(pick.warp, WARP_NONE);
    warp_pool_issue(pool, pick.warp, 1, now);
    warp_pool_ready_at(pool, pick.warp, now + CYCLE);
    warp_pool_ripen(pool, now + CYCLE);
    return pick.warp;
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
    ck_assert_uint_eq(warp_pool_next(&pool, 0, 1000), WARP_POOL_NEVER);
    warp_pool_ready_at(&pool, 0, 1010);
    ck_assert(!warp_pool_waits(&pool, 0));
    ck_assert_uint_eq(warp_pool_next(&pool, 0, 1000), 1010);
}
END_TEST

START_TEST(a_scheduler_picks_among_its_own_warps)
{
    const WarpPool pool = pool_of(GREEDY_THEN_OLDEST, 2, 2);
    ck_assert_uint_eq(warp_pool_pick(&pool, 0, true, 100).warp, 0);
    ck_assert_uint_eq(warp_pool_pick(&pool, 1, true, 100).warp, 1);
    const WarpPool three = pool_of(GREEDY_THEN_OLDEST, 3, 2);
    ck_assert_uint_eq(warp_pool_pick(&three, 2, true, 100).warp, WARP_NONE);
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
    warp_pool_issue(&pool, WARP_POOL_WARPS - 1, 1, 100);
    ck_assert_uint_eq(issue(&pool, 110), 0);
}
END_TEST

START_TEST(greedy_stays_and_then_takes_the_oldest)
{
    WarpPool pool = pool_of(GREEDY_THEN_OLDEST, 1, 3);
    warp_pool_end(&pool, 0);
    ck_assert_uint_eq(warp_pool_start(&pool), 0); /* now the youngest */
    warp_pool_describe_next(&pool, 0, false, WARP_POOL_NO_UNIT);
    warp_pool_issue(&pool, 2, 1, 100);
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

START_TEST(a_warp_whose_unit_is_occupied_is_passed_over)
{
    WarpPool pool = pool_of(GREEDY_THEN_OLDEST, 1, 3);
    for (uint32_t w = 0; w < 3; w++) warp_pool_describe_next(&pool, w, false, w == 2 ? FP : SFU);
    ck_assert_uint_eq(issue(&pool, 100), 0);
    WarpPick pick = warp_pool_pick(&pool, 0, true, 110);
    ck_assert_uint_eq(pick.warp, 2);
    ck_assert_uint_eq(pick.units_busy, 2);
    pick = warp_pool_pick(&pool, 0, true, 180); /* 100 + 80 */
    ck_assert_uint_eq(pick.warp, 0);
    ck_assert_uint_eq(pick.units_busy, 0);
}
END_TEST

START_TEST(each_scheduler_has_units_of_its_own)
{
    WarpPool pool = pool_of(GREEDY_THEN_OLDEST, 2, 2);
    for (uint32_t w = 0; w < 2; w++) warp_pool_describe_next(&pool, w, false, SFU);
    warp_pool_issue(&pool, 0, 1, 100);
    ck_assert_uint_eq(warp_pool_pick(&pool, 0, true, 110).warp, WARP_NONE);
    ck_assert_uint_eq(warp_pool_pick(&pool, 1, true, 110).warp, 1);
}
END_TEST

START_TEST(a_memory_instruction_needs_the_slot)
{
    WarpPool pool = pool_of(GREEDY_THEN_OLDEST, 1, 2);
    warp_pool_describe_next(&pool, 0, true, WARP_POOL_NO_UNIT);
    WarpPick pick = warp_pool_pick(&pool, 0, true, 100);
    ck_assert(pick.warp == 0 && !pick.lost_memory_slot);
    pick = warp_pool_pick(&pool, 0, false, 100);
    ck_assert(pick.warp == 1 && pick.lost_memory_slot);
    warp_pool_wait(&pool, 1);
    pick = warp_pool_pick(&pool, 0, false, 100);
    ck_assert(pick.warp == WARP_NONE && pick.lost_memory_slot);
    warp_pool_describe_next(&pool, 0, false, WARP_POOL_NO_UNIT);
    ck_assert(!warp_pool_pick(&pool, 0, false, 100).lost_memory_slot);
}
END_TEST

START_TEST(instructions_in_a_row_occupy_scheduler_and_unit)
{
    WarpPool pool = pool_of(GREEDY_THEN_OLDEST, 1, 2);
    for (uint32_t w = 0; w < 2; w++) warp_pool_describe_next(&pool, w, false, FP);
    warp_pool_issue(&pool, 0, 5, 100);
    ck_assert_uint_eq(pool.free_at[0], 100 + 5 * CYCLE);
    ck_assert_uint_eq(warp_pool_pick(&pool, 0, true, 199).warp, WARP_NONE);
    ck_assert_uint_eq(warp_pool_pick(&pool, 0, true, 200).warp, 0); /* 100 + 5 x 20 */
    ck_assert_uint_eq(warp_pool_next(&pool, 0, 100), 200);
}
END_TEST

/* At 100: warp 0 is for memory, warp 1 for the SFU, warp 2 not ready before 135. */
START_TEST(the_next_look_is_at_the_first_chance)
{
    WarpPool pool = pool_of(GREEDY_THEN_OLDEST, 1, 3);
    warp_pool_describe_next(&pool, 0, true, WARP_POOL_NO_UNIT);
    warp_pool_describe_next(&pool, 1, false, SFU);
    warp_pool_ready_at(&pool, 2, 135);
    pool.unit_free[0][SFU] = 130;
    ck_assert_uint_eq(warp_pool_next(&pool, 90, 100), 110);
    ck_assert_uint_eq(warp_pool_next(&pool, 120, 100), 120);
    ck_assert_uint_eq(warp_pool_next(&pool, 150, 100), 130);
    ck_assert_uint_eq(warp_pool_next(&pool, WARP_POOL_NEVER, 100), 130);
    pool.unit_free[0][SFU] = 140;
    ck_assert_uint_eq(warp_pool_next(&pool, WARP_POOL_NEVER, 100), 135);
    warp_pool_hold(&pool, 2);
    pool.free_at[0] = 145;
    ck_assert_uint_eq(warp_pool_next(&pool, 110, 100), 145);
    warp_pool_hold(&pool, 1);
    ck_assert_uint_eq(warp_pool_next(&pool, WARP_POOL_NEVER, 100), WARP_POOL_NEVER);
}
END_TEST

HARNESS_MAIN("warp_pool", a_warp_starts_in_the_lowest_free_slot,
             a_warp_is_ready_when_its_time_has_come, a_warp_that_waits_or_is_held_has_no_time,
             a_scheduler_picks_among_its_own_warps, loose_round_robin_goes_on_after_the_last_warp,
             loose_round_robin_wraps_after_the_highest_slot, greedy_stays_and_then_takes_the_oldest,
             a_warp_whose_unit_is_occupied_is_passed_over, each_scheduler_has_units_of_its_own,
             a_memory_instruction_needs_the_slot, instructions_in_a_row_occupy_scheduler_and_unit,
             the_next_look_is_at_the_first_chance)
