/* The ROP in whole machines: values decide how long warps wait, so that a run which ends has seen
 * the right ones; and the shipped scenarios. */
#include <math.h>

#include "rigs/harness.h"
#include "rigs/shipped.h"
#include "rigs/small_machine.h"

#define MACHINE "sm.poll_limit = 300;"

/* The code's statements on lines of their own, because settings are separated by semicolons. */
static Machine *machine_of(const char *settings, const char *grid, const char *code)
{
    g_autofree char *all = g_strconcat(MACHINE, settings, NULL);
    g_autofree char *workload =
        g_strconcat("workload.pattern = program; ", grid, "; workload.code = ", code, NULL);
    return small_machine_new(all, workload);
}

/* NULL: the run ended well. */
static char *error_of(const char *settings, const char *grid, const char *code)
{
    g_autoptr(GError) error = NULL;
    RunReport report;
    Machine *machine = machine_of(settings, grid, code);
    machine_run(machine, &report, &error);
    machine_free(machine);
    return error ? g_strdup(error->message) : NULL;
}

static void expect_end(const char *settings, const char *grid, const char *code)
{
    g_autofree char *error = error_of(settings, grid, code);
    ck_assert_msg(!error, "%s", error);
}

static const char *const caches[] = {"", "rop.cache_entries = 0;",
                                     "rop.cache_entries = 2; rop.ways = 1;"};

/* 12 CTAs of 96 threads, 5 rounds, 3 counters, with and without results. */
START_TEST(increments_add_up_in_any_order)
{
    expect_end(
        caches[_i], "workload.ctas = 12; workload.threads_per_cta = 96",
        "global c[32]\nfor i in 0..5 {\nreduce c[(lane + i) % 3]\nx = atomic c[lane % 3] by 2\n}\n"
        "global all[1]\nreduce all[0]\nif thread < 3 {\n"
        "wait all[0] == 1152\nwait c[lane] >= 1\n}\n");
}
END_TEST

START_TEST(a_sum_is_exact)
{
    static const char grid[] = "workload.ctas = 12; workload.threads_per_cta = 96";
    expect_end(
        caches[_i], grid,
        "global c[1]\nfor i in 0..5 {\nreduce c[0] by lane\n}\nwait c[0] == 12 * 3 * 5 * 496\n");
}
END_TEST

START_TEST(a_wrong_sum_is_noticed)
{
    g_autofree char *error =
        error_of(caches[_i], "workload.ctas = 12; workload.threads_per_cta = 96",
                 "global c[1]\nfor i in 0..5 {\nreduce c[0] by lane\n}\n"
                 "wait c[0] == 12 * 3 * 5 * 496 + 1\n");
    ck_assert_msg(error && strstr(error, "and found 89280 300 times in a row"), "%s", error);
}
END_TEST

/* Of 18 CTAs, each of which finds 0 and makes 1 of it, one does; the others find 1 in vain. */
START_TEST(one_of_many_wins_a_compare_and_swap)
{
    expect_end(
        caches[_i], "workload.ctas = 18; workload.threads_per_cta = 32",
        "global lock[1]\nglobal tries[1]\nif lane == 0 {\nx = atomic.cas lock[0] from 0 to 7\n"
        "y = atomic.cas lock[0] from 7 to 8, x\nreduce tries[0], y\nwait tries[0] == ctas\n"
        "wait lock[0] == 8\n}\n");
}
END_TEST

/* The later a CTA comes, the longer has it computed. Before it comes, nobody may have passed; when
 * all have passed, each knows. */
#define BARRIER(arrivals)                                                                          \
    "global arrived[1]\nglobal passed[32]\nif thread == 0 {\ny = fp32\nfor j in 0..cta {\n"        \
    "y = fp32 y times 600\n}\nwait passed[0] == 0\nreduce arrived[0], y\n"                         \
    "wait arrived[0] >= " arrivals "\nreduce passed[0]\nwait passed[0] == ctas\n}\nbarrier\n"

START_TEST(nobody_passes_a_grid_barrier_before_all_have_come)
{
    expect_end(caches[_i], "workload.ctas = 24; workload.threads_per_cta = 64", BARRIER("ctas"));
}
END_TEST

START_TEST(who_passes_too_early_is_seen)
{
    g_autofree char *error = error_of(
        caches[_i], "workload.ctas = 24; workload.threads_per_cta = 64", BARRIER("ctas - 1"));
    ck_assert_msg(error && strstr(error, "waits for the word at 0x10000100 to be =="), "%s", error);
}
END_TEST

START_TEST(ctas_that_do_not_fit_are_waited_for_in_vain)
{
    g_autofree char *error = error_of(
        "sm.max_ctas = 2;", "workload.ctas = 7; workload.threads_per_cta = 64", BARRIER("ctas"));
    ck_assert_msg(error
                      && strstr(error,
                                "found 6 300 times in a row (sm.poll_limit). Do the CTAs that "
                                "have to change it fit on the machine? This SM holds 2 of 7 "
                                "CTAs"),
                  "%s", error);
}
END_TEST

/* Launches begin with zeros: otherwise the second would pass at once and its CTAs meet `passed`. */
START_TEST(every_launch_begins_with_zeros)
{
    expect_end(caches[_i],
               "workload.ctas = 6; workload.threads_per_cta = 32; workload.launches = 3",
               BARRIER("ctas"));
}
END_TEST

/* --- shipped scenarios ------------------------------------------------------------------------ */

static double gigabytes(const char *folder, const char *variant)
{
    return summary_of(folder, variant, "requested_gbps");
}

/* Jia et al. 2018, figure 4.1 (read off, 10 %): 10.5 GB/s on one address, more than 200 on one a
 * block. */
START_TEST(atomics_on_one_address_do_not_depend_on_the_number_of_blocks)
{
    char *folder = temporary_folder();
    run(folder, "atomic-throughput");
    const double all = gigabytes(folder, "one-address"),
                 few = gigabytes(folder, "one-address-200-blocks");
    ck_assert_msg(fabs(few / all - 1) < 0.05, "%g and %g GB/s", few, all);
    ck_assert_msg(fabs(all / 10.5 - 1) < 0.1, "%g GB/s", all);
    ck_assert_double_gt(gigabytes(folder, "one-line-a-block"), 200);
    ck_assert_double_lt(gigabytes(folder, "one-address-no-cache"), all / 5);
    temporary_remove(folder);
}
END_TEST

/* accel-sim's tuner on a TITAN V: 243.6 cycles of an atomic with result, each waiting for the one
 * before. The counter's slice is 10 cycles from the first SM, each way; the mean one is 6.5. */
START_TEST(a_dependent_atomic_takes_as_long_as_measured)
{
    double cycles[2];
    for (int i = 0; i < 2; i++) {
        char *folder = temporary_folder();
        g_autofree char *line =
            g_strdup_printf("atomics --variant global-result-1 --set workload.count=%d", 64 << i);
        run(folder, line);
        cycles[i] = summary_of(folder, "global-result-1", "core_cycles");
        temporary_remove(folder);
    }
    ck_assert_msg(fabs((cycles[1] - cycles[0]) / 64 / (243.6 + 7) - 1) < 0.01, "%g cycles",
                  (cycles[1] - cycles[0]) / 64);
}
END_TEST

START_TEST(grid_barriers_take_longer_with_more_ctas_and_without_the_ROP_cache)
{
    static const char *const order[] = {
        "1-cta",           "10-ctas", "80-ctas", "160-ctas", "80-ctas-no-cache-two-levels",
        "80-ctas-no-cache"};
    char *folder = temporary_folder();
    run(folder, "cta-sync");
    for (guint i = 0; i + 1 < G_N_ELEMENTS(order); i++)
        ck_assert_msg(summary_of(folder, order[i], "core_cycles")
                          < summary_of(folder, order[i + 1], "core_cycles"),
                      "%s takes as long as %s", order[i], order[i + 1]);
    ck_assert_double_gt(summary_of(folder, "80-ctas-no-cache", "core_cycles"),
                        5 * summary_of(folder, "80-ctas", "core_cycles"));
    temporary_remove(folder);
}
END_TEST

static double dram_bytes(const char *folder, const char *variant)
{
    return result_number(folder, variant, "units.dram_channel.total.bytes_read")
           + result_number(folder, variant, "units.dram_channel.total.bytes_written");
}

static double of_rop(const char *folder, const char *variant, const char *name)
{
    g_autofree char *path = g_strdup_printf("units.rop.total.%s", name);
    return result_number(folder, variant, path);
}

START_TEST(compression_saves_bytes_where_the_metadata_cache_is_large_enough)
{
    static const char *const small = "scattered-compressed-4-metadata-entries";
    char *folder = temporary_folder();
    run(folder, "blending");
    ck_assert_double_lt(dram_bytes(folder, "compressed"), 0.65 * dram_bytes(folder, "plain"));
    ck_assert_double_lt(dram_bytes(folder, "scattered-compressed"),
                        0.65 * dram_bytes(folder, "scattered-plain"));
    ck_assert_double_eq(of_rop(folder, "plain", "metadata_misses"), 0);
    ck_assert_double_gt(of_rop(folder, small, "metadata_misses"),
                        5 * of_rop(folder, "scattered-compressed", "metadata_misses"));
    /* 20 % of the tiles need nothing, 30 % a quarter, 20 % half: 0.2 + 0.225 + 0.1 is saved */
    const double saved = of_rop(folder, "compressed", "bytes_saved_fetches"),
                 left = of_rop(folder, "compressed", "bytes_fetched");
    ck_assert_msg(fabs(saved / (saved + left) - 0.525) < 0.03, "%g", saved / (saved + left));
    /* layers that find their pixels in the ROP cache fetch them once; without it, all the time */
    ck_assert_double_eq(of_rop(folder, "overdraw-in-cache", "fetches"), 16384 / 32);
    ck_assert_double_eq(of_rop(folder, "no-ROP-cache", "fetches"), 96 * 16384 / 32);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("rop_machine");
    tcase_add_loop_test(cases, increments_add_up_in_any_order, 0, G_N_ELEMENTS(caches));
    tcase_add_loop_test(cases, a_sum_is_exact, 0, G_N_ELEMENTS(caches));
    tcase_add_loop_test(cases, a_wrong_sum_is_noticed, 0, G_N_ELEMENTS(caches));
    tcase_add_loop_test(cases, one_of_many_wins_a_compare_and_swap, 0, G_N_ELEMENTS(caches));
    tcase_add_loop_test(cases, nobody_passes_a_grid_barrier_before_all_have_come, 0,
                        G_N_ELEMENTS(caches));
    tcase_add_loop_test(cases, who_passes_too_early_is_seen, 0, G_N_ELEMENTS(caches));
    tcase_add_test(cases, ctas_that_do_not_fit_are_waited_for_in_vain);
    tcase_add_loop_test(cases, every_launch_begins_with_zeros, 0, G_N_ELEMENTS(caches));
    tcase_add_test(cases, atomics_on_one_address_do_not_depend_on_the_number_of_blocks);
    tcase_add_test(cases, a_dependent_atomic_takes_as_long_as_measured);
    tcase_add_test(cases, grid_barriers_take_longer_with_more_ctas_and_without_the_ROP_cache);
    tcase_add_test(cases, compression_saves_bytes_where_the_metadata_cache_is_large_enough);
    Suite *suite = suite_create("rop_machine");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
