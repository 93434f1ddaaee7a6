#include "kit/describe/time.h"
#include "rigs/harness.h"

static const Clock clock_of_seven = {"seven", 7};

START_TEST(the_edge_at_or_after_a_time_is_a_multiple_of_the_period)
{
    static const struct {
        Time at, edge;
    } rows[] = {{0, 0}, {1, 7}, {6, 7}, {7, 7}, {8, 14}, {13, 14}, {14, 14}};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        ck_assert_uint_eq(clock_ceil(&clock_of_seven, rows[i].at), rows[i].edge);
}
END_TEST

START_TEST(an_edge_is_not_rounded_further)
{
    const Clock core = {"core", 724638};
    for (uint64_t n = 0; n < 1000; n++) {
        const Time edge = n * UINT64_C(1000003) * core.period;
        ck_assert_uint_eq(clock_ceil(&core, edge), edge);
        ck_assert_uint_eq(clock_ceil(&core, edge + 1), edge + core.period);
    }
}
END_TEST

/* 1e15 / 1380e6 = 724637.68, 1e15 / 877e6 = 1140250.86, 1e15 / 700e6 = 1428571.43 */
START_TEST(a_period_is_rounded_once_to_the_nearest_femtosecond)
{
    static const struct {
        uint64_t hertz;
        Time period;
    } rows[] = {{UINT64_C(1000000000), 1000000},
                {UINT64_C(1380000000), 724638},
                {UINT64_C(877000000), 1140251},
                {UINT64_C(700000000), 1428571}};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        ck_assert_uint_eq(clock_period(rows[i].hertz), rows[i].period);
}
END_TEST

START_TEST(cycles_become_time_without_drift_and_back)
{
    const Clock core = {"core", 724638};
    ck_assert_uint_eq(clock_cycles(&core, 0), 0);
    ck_assert_uint_eq(clock_cycles(&core, UINT64_C(3000000000)), UINT64_C(2173914000000000));
    ck_assert_double_eq(time_to_cycles(&core, 3 * core.period), 3);
    ck_assert_double_eq(time_to_cycles(&clock_of_seven, 14), 2);
    ck_assert_double_eq_tol(time_to_cycles(&clock_of_seven, 10), 10 / 7.0, 1e-12);
}
END_TEST

START_TEST(a_nanosecond_is_a_million_femtoseconds)
{
    ck_assert_uint_eq(TIME_NS, 1000000);
    ck_assert_double_eq(time_to_ns(2500000), 2.5);
}
END_TEST

HARNESS_MAIN("time", the_edge_at_or_after_a_time_is_a_multiple_of_the_period,
             an_edge_is_not_rounded_further, a_period_is_rounded_once_to_the_nearest_femtosecond,
             cycles_become_time_without_drift_and_back, a_nanosecond_is_a_million_femtoseconds)
