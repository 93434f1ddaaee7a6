/* Schedulers and page policies in a whole machine: the variants of the shipped scenario. */
#include "rigs/harness.h"
#include "rigs/shipped.h"

typedef struct {
    double cycles, hit_rate, activates, bandwidth, latency;
} Outcome;

static Outcome outcome_of(const char *folder, const char *variant)
{
    return (Outcome){summary_of(folder, variant, "core_cycles"),
                     summary_of(folder, variant, "dram.row_hit_rate"),
                     summary_of(folder, variant, "dram.activates_per_request"),
                     summary_of(folder, variant, "dram.bandwidth_gbps"),
                     summary_of(folder, variant, "load_latency_cycles.mean")};
}

/* Lines of 8 cycles, rows of 38 and more: the order decides on more than half of the bandwidth. */
START_TEST(rows_served_together_take_fewer_activates_and_less_time)
{
    char *folder = temporary_folder();
    run(folder, "dram-schedulers");
    const Outcome fifo = outcome_of(folder, "fifo"), window = outcome_of(folder, "window-8"),
                  all = outcome_of(folder, "first-ready"),
                  sorted = outcome_of(folder, "sorter-store"),
                  burst = outcome_of(folder, "row-burst-4");
    ck_assert_double_gt(sorted.bandwidth, 2.2 * fifo.bandwidth);
    ck_assert_double_gt(sorted.bandwidth, 1.05 * window.bandwidth);
    ck_assert_double_gt(all.bandwidth, 1.1 * window.bandwidth);
    ck_assert_double_lt(sorted.activates, 0.5 * window.activates);
    ck_assert_double_lt(window.activates, 0.9 * fifo.activates);
    ck_assert_double_gt(sorted.hit_rate, window.hit_rate + 0.3);
    ck_assert_double_gt(burst.activates, 1.1 * sorted.activates);
    const Outcome open = outcome_of(folder, "random-open"),
                  closed = outcome_of(folder, "random-closed"),
                  adaptive = outcome_of(folder, "random-adaptive");
    ck_assert_double_lt(closed.latency, 0.97 * open.latency);
    ck_assert_double_lt(adaptive.latency, 1.01 * closed.latency);
    ck_assert_double_lt(outcome_of(folder, "adaptive").cycles, 1.03 * all.cycles);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("dram_schedulers");
    tcase_set_timeout(cases, 120);
    tcase_add_test(cases, rows_served_together_take_fewer_activates_and_less_time);
    return harness_run_cases("dram_schedulers", cases);
}
