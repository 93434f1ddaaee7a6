/* How a run ends, and what it then says of its kernels. */
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "rigs/harness.h"
#include "rigs/program.h"

/* 65,536 bytes, as many as its lanes ask for: what a program says it counts is reported whatever it
 * is equal to. */
START_TEST(what_a_program_counts_is_reported_whatever_it_is)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(
        folder, "counts.ini",
        "[scenario]\nextends = v100\n[machine]\nsms = 2\npartitions = 2\n"
        "peak_bandwidth_gbps = 0\n[workload]\npattern = program\nctas = 2\n"
        "threads_per_cta = 1024\ncounted_bytes = 65536\ncode =\n  global a[65536]\n"
        "  x = load.16 a[cta * 4096 + thread * 4]\n  y = load.16 a[cta * 4096 + thread * 4]\n");
    const Outcome counts = warpmem(folder, "run counts.ini --json");
    ck_assert_msg(counts.status == 0, "%s", counts.errors);
    ck_assert_ptr_nonnull(strstr(counts.out, "\"requested_bytes\": 65536"));
    ck_assert_ptr_nonnull(strstr(counts.out, "counted_gbps"));
    temporary_remove(folder);
}
END_TEST

/* At 1 MHz a gap between kernels is 10 s, so the eleventh kernel lies behind 100 s; SMs never have
 * room for the CTAs that the first ones wait for. Neither is a mistake in the file. */
START_TEST(what_cannot_end_has_failed_and_says_why)
{
    static const char machine[] = "[scenario]\nextends = v100\n[machine]\nsms = 2\n"
                                  "partitions = 1\nslices_per_partition = 2\n"
                                  "peak_bandwidth_gbps = 0\n";
    static const struct {
        const char *rest, *message;
    } runs[] = {
        {"core_clock = 1 MHz\n[cta_dispatcher]\nkernel_gap = 10000000 cycles\n[dram]\n"
         "refresh = off\n[workload]\npattern = strided\nctas = 1\nthreads_per_cta = 32\n"
         "iterations = 1\nlaunches = 12\n",
         "simulated time has come to 1"},
        {"[workload]\npattern = program\nctas = 200\nthreads_per_cta = 1024\ncode =\n"
         "  global a[64]\n  if thread == 0 { reduce a[0]; wait a[0] >= ctas }\n  barrier\n",
         "Do the CTAs that have to change it fit"},
    };
    char *folder = temporary_folder();
    g_autofree char *text = g_strconcat(machine, runs[_i].rest, NULL);
    g_autofree char *file = temporary_file(folder, "endless.ini", text);
    const Outcome outcome = warpmem(folder, "run endless.ini -q -o out");
    ck_assert_int_eq(outcome.status, 1);
    ck_assert_msg(strstr(outcome.errors, runs[_i].message) != NULL, "%s", outcome.errors);
    g_autofree char *result = g_build_filename(folder, "out", NULL);
    ck_assert(!g_file_test(result, G_FILE_TEST_EXISTS));
    temporary_remove(folder);
}
END_TEST

/* As on a disk that is full, of which a process without the signal hears when it writes. */
START_TEST(a_result_that_is_cut_off_is_none)
{
    char *folder = temporary_folder();
    g_autofree char *file =
        temporary_file(folder, "long.ini",
                       "[scenario]\nextends = v100\n[machine]\nsms = 2\npartitions = 2\n"
                       "peak_bandwidth_gbps = 0\n[workload]\npattern = strided\nctas = 1\n"
                       "threads_per_cta = 32\niterations = 1\n");
    const struct rlimit limit = {16384, 16384};
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    const Outcome outcome = warpmem(folder, "run long.ini -q -o out");
    ck_assert_int_eq(outcome.status, 1);
    ck_assert_msg(strstr(outcome.errors, "no room for its result") != NULL, "%s", outcome.errors);
    g_autofree char *result = g_build_filename(folder, "out", NULL);
    ck_assert(!g_file_test(result, G_FILE_TEST_EXISTS));
    temporary_remove(folder);
}
END_TEST

/* And no row hits of a DRAM that had nothing to do. */
START_TEST(there_is_no_hit_rate_of_no_accesses)
{
    char *folder = temporary_folder();
    g_free(temporary_file(folder, "none.ini",
                          "[scenario]\nextends = v100\n[machine]\nsms = 1\npartitions = 1\n"
                          "peak_bandwidth_gbps = 0\n[workload]\npattern = program\nctas = 1\n"
                          "threads_per_cta = 32\ncode =\n  x = int\n"));
    const Outcome outcome = warpmem(folder, "run none.ini");
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    ck_assert(g_regex_match_simple("L1, loads +0 +0 +0 +0 +-\n", outcome.out, 0, 0));
    ck_assert(g_regex_match_simple("L2, loads +0 +0 +- +- +-\n", outcome.out, 0, 0));
    ck_assert_ptr_null(strstr(outcome.out, "row hits"));
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("ends");
    tcase_add_test(cases, what_a_program_counts_is_reported_whatever_it_is);
    tcase_add_test(cases, there_is_no_hit_rate_of_no_accesses);
    tcase_add_loop_test(cases, what_cannot_end_has_failed_and_says_why, 0, 2);
    tcase_add_test(cases, a_result_that_is_cut_off_is_none);
    return harness_run_cases("ends", cases);
}
