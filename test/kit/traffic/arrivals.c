/* Geometric distances: mean 1 / p, variance (1 - p) / p^2, and a packet in each cycle with the same
 * probability, whatever was before. */
#include "kit/traffic/arrivals.h"

#include <math.h>

#include "rigs/harness.h"

enum { DRAWS = 200000 };
#define ANY UINT64_C(1000000000)

static const double rates[] = {0.9, 0.6, 0.25, 0.01, 0.002};

START_TEST(distances_are_geometric)
{
    const double p = rates[_i];
    Arrivals arrivals;
    arrivals_init(&arrivals, p);
    uint64_t random = 1, at_once = 0;
    double sum = 0, squares = 0;
    for (int k = 0; k < DRAWS; k++) {
        const double gap = (double)arrivals_gap(&arrivals, ANY, &random);
        sum += gap;
        squares += gap * gap;
        at_once += gap < 2;
    }
    const double mean = sum / DRAWS, variance = squares / DRAWS - mean * mean;
    ck_assert_double_eq_tol(mean * p, 1, 0.01);
    ck_assert_double_eq_tol(variance * p * p / (1 - p), 1, 0.03);
    ck_assert_double_eq_tol((double)at_once / DRAWS, p, 0.005);
}
END_TEST

/* The steps of the table leave no seam: what comes in the cycles around its end. */
START_TEST(beyond_the_table_it_begins_anew)
{
    const double p = 0.02;
    Arrivals arrivals;
    arrivals_init(&arrivals, p);
    uint64_t random = 2, last = 0, next = 0;
    for (int k = 0; k < 10 * DRAWS; k++) {
        const uint64_t gap = arrivals_gap(&arrivals, ANY, &random);
        last += gap == ARRIVAL_STEPS;
        next += gap == ARRIVAL_STEPS + 1;
    }
    const double expected = 10.0 * DRAWS * p * pow(1 - p, ARRIVAL_STEPS - 1);
    ck_assert_double_eq_tol((double)last / expected, 1, 0.05);
    ck_assert_double_eq_tol((double)next / expected / (1 - p), 1, 0.05);
}
END_TEST

START_TEST(all_and_nothing_are_exact)
{
    Arrivals all, none;
    arrivals_init(&all, 1);
    arrivals_init(&none, 0);
    uint64_t random = 3;
    for (int k = 0; k < 1000; k++) {
        ck_assert_uint_eq(arrivals_gap(&all, ANY, &random), 1);
        ck_assert_uint_eq(arrivals_gap(&none, 5000, &random), 5000);
    }
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("arrivals");
    tcase_add_loop_test(cases, distances_are_geometric, 0, (int)G_N_ELEMENTS(rates));
    tcase_add_test(cases, beyond_the_table_it_begins_anew);
    tcase_add_test(cases, all_and_nothing_are_exact);
    return harness_run_cases("arrivals", cases);
}
