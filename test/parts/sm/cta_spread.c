#include "parts/sm/cta_spread.h"

#include <check.h>

#include "rigs/harness.h"

/* Of three SMs one has two CTAs side by side and a later one, one has one, one has none. */
START_TEST(what_an_sm_had_of_a_launch_adds_up)
{
    CtaShare share[3] = {{.ctas = 0}};
    cta_share_add(&share[0], 12, 40);
    cta_share_add(&share[0], 10, 45);
    cta_share_add(&share[0], 70, 90);
    cta_share_add(&share[2], 20, 60);
    const CtaSpread spread = cta_spread_sum(share, 3, 5, 100);
    ck_assert_uint_eq(spread.sms, 2);
    ck_assert_uint_eq(spread.most, 3);
    ck_assert_uint_eq(spread.least, 0);
    ck_assert_uint_eq(spread.before, 5 + 15);
    ck_assert_uint_eq(spread.after, 10 + 95 + 40);
    ck_assert_uint_eq(spread.longest, 80);
    ck_assert_uint_eq(spread.stayed, 28 + 35 + 20 + 40);
    ck_assert_uint_eq(spread.before + spread.after + 80 + 40, 3 * (100 - 5));
}
END_TEST

START_TEST(of_a_launch_without_ctas_all_is_after)
{
    const CtaShare share[2] = {{.ctas = 0}};
    const CtaSpread spread = cta_spread_sum(share, 2, 7, 9);
    ck_assert_uint_eq(spread.sms + spread.most + spread.least + spread.before + spread.stayed, 0);
    ck_assert_uint_eq(spread.after, 2 * 2);
}
END_TEST

HARNESS_MAIN("cta_spread", what_an_sm_had_of_a_launch_adds_up,
             of_a_launch_without_ctas_all_is_after)
