/* The policy oldest_cta: whose turn it is, by when its CTA came and not by its slot. */
#include "parts/sm/warp_pool.h"

#include <check.h>

#include "rigs/harness.h"

static void start_cta(WarpPool *pool, uint32_t warps)
{
    warp_pool_begin_cta(pool);
    for (uint32_t i = 0; i < warps; i++) warp_pool_start(pool);
}

static void end_warps(WarpPool *pool, uint64_t warps)
{
    for (; warps; warps &= warps - 1) warp_pool_end(pool, warp_lowest(warps));
}

/* Of two CTAs with two warps each the older has slots 2 and 3. */
static WarpPool two_ctas(void)
{
    WarpPool pool;
    const IssueWidth width = {OLDEST_CTA, TAKE_OTHER_WARP, 1, 1, 1, 1, 10};
    warp_pool_init(&pool, &width);
    start_cta(&pool, 2);
    start_cta(&pool, 2);
    end_warps(&pool, 0x3);
    start_cta(&pool, 2);
    return pool;
}

static void check_next(WarpPool *pool, uint64_t candidates, uint32_t warp)
{
    const uint32_t chosen = warp_pool_choose(pool, 0, candidates);
    ck_assert_uint_eq(chosen, warp);
    pool->last[0] = chosen;
}

START_TEST(warps_of_the_older_cta_take_turns)
{
    WarpPool pool = two_ctas();
    const uint32_t turns[] = {2, 3, 2, 3};
    for (unsigned i = 0; i < G_N_ELEMENTS(turns); i++) check_next(&pool, 0xf, turns[i]);
}
END_TEST

START_TEST(the_younger_cta_goes_when_the_older_cannot)
{
    WarpPool pool = two_ctas();
    check_next(&pool, 0xb, 3);
    check_next(&pool, 0x3, 0);
    check_next(&pool, 0x3, 1);
    check_next(&pool, 0x7, 2);
    check_next(&pool, 0x3, 0);
}
END_TEST

/* It takes slot 3, while a warp of the older one still has slot 2. */
START_TEST(a_cta_is_the_youngest_whichever_slots_it_takes)
{
    WarpPool pool = two_ctas();
    end_warps(&pool, 0x8);
    start_cta(&pool, 1);
    check_next(&pool, 0xf, 2);
    check_next(&pool, 0xb, 0);
    check_next(&pool, 0xa, 1);
    check_next(&pool, 0x8, 3);
}
END_TEST

START_TEST(a_cta_that_ended_is_forgotten)
{
    WarpPool pool = two_ctas();
    end_warps(&pool, 0xc);
    ck_assert_uint_eq(pool.generations, 1);
    start_cta(&pool, 2);
    check_next(&pool, 0xf, 1);
    check_next(&pool, 0xd, 0);
    check_next(&pool, 0xc, 2);
}
END_TEST

HARNESS_MAIN("oldest_cta", warps_of_the_older_cta_take_turns,
             the_younger_cta_goes_when_the_older_cannot,
             a_cta_is_the_youngest_whichever_slots_it_takes, a_cta_that_ended_is_forgotten)
