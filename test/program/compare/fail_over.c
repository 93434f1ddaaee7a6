/* `compare --fail-over`: which changes end a comparison with status 1. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "rigs/harness.h"
#include "rigs/program.h"

static void write_result(const char *folder, const char *name, const char *summary)
{
    g_autofree char *text = g_strdup_printf(
        "{\"schema_version\":1,\"variant\":\"%s\",\"summary\":{%s}}", name, summary);
    g_autofree char *file = g_strconcat(name, ".json", NULL);
    g_free(temporary_file(folder, file, text));
}

static const struct {
    const char *arguments;
    int status;
    const char *line; /* that stderr holds; NULL: nothing is on stderr */
} limits[] = {
    {"old.json old.json --fail-over 0%", 0, NULL},
    {"old.json new.json", 0, NULL},
    {"old.json new.json --fail-over 3%", 0, NULL},
    {"old.json new.json --fail-over 2.9%", 1,
     "warpmem: new against old: time_ns: 1000 ns -> 1030 ns (+3 %, worse); more than the 2.9 % of "
     "--fail-over\n"},
    {"old.json new.json --fail-over 2.9", 1, "time_ns"},
    {"new.json old.json --fail-over \"2 %\"", 1, "1030 ns -> 1000 ns (-2.913 %, better)"},
    {"old.json new.json --fail-over dram_gbps=10%", 0, NULL},
    {"old.json new.json --fail-over dram_gbps=9%", 1,
     "dram_gbps: 100 GB/s -> 90 GB/s (-10 %, worse)"},
    {"new.json old.json --fail-over dram_gbps=9%", 1, "(+11.11 %, better)"},
    {"old.json new.json --fail-over time_ns=5% --fail-over dram_gbps=9%", 1, "dram_gbps"},
    {"old.json new.json --fail-over dram_gbps=90% --fail-over 1%", 1, "time_ns"},
    {"old.json old.json new.json --fail-over 1%", 1, "new against A:old: time_ns"},
    {"old.json new.json --fail-over dram_peak_gbps=1%", 1, "(+50 %); more"},
    {"old.json new.json --fail-over transactions=50%", 1, "transactions: 0 -> 7; more"},
    {"old.json old.json --fail-over transactions=0%", 0, NULL},
    {"old.json new.json --fail-over end_ns=50%", 1, "end_ns: none -> 5 ns; more"},
    {"old.json new.json --fail-over mean_hops=5%", 2,
     "--fail-over mean_hops=5%: none of the results has it"},
    {"old.json new.json --fail-over bound=5%", 2, "no number of a result called 'bound'"},
    {"old.json new.json --fail-over dram_gbsp=5%", 2, "did you mean 'dram_gbps'?"},
    {"old.json new.json --fail-over -1", 2, "--fail-over -1: allowed: a number of percent"},
    {"old.json new.json --fail-over nan", 2, "--fail-over nan: allowed"},
    {"old.json new.json --fail-over inf", 2, "--fail-over inf: allowed"},
    {"old.json new.json --fail-over 1e999", 2, "--fail-over 1e999: allowed"},
    {"old.json new.json --fail-over %", 2, "--fail-over %: allowed"},
    {"old.json new.json --fail-over 2%%", 2, "--fail-over 2%%: allowed"},
    {"old.json new.json --fail-over time_ns=", 2, "--fail-over time_ns=: allowed"},
    {"old.json new.json --fail-over time_ns=2percent", 2, "time_ns=2percent: allowed"},
};

START_TEST(a_comparison_fails_over_what_moved_further_than_it_may)
{
    char *folder = temporary_folder();
    write_result(folder, "old",
                 "\"time_ns\":1000,\"transactions\":0,"
                 "\"dram\":{\"bandwidth_gbps\":100,\"peak_gbps\":200}");
    write_result(folder, "new",
                 "\"time_ns\":1030,\"end_ns\":5,\"transactions\":7,"
                 "\"dram\":{\"bandwidth_gbps\":90,\"peak_gbps\":300}");
    g_autofree char *line = g_strconcat("compare ", limits[_i].arguments, NULL);
    const Outcome outcome = warpmem(folder, line);
    ck_assert_msg(outcome.status == limits[_i].status, "%s: %d, %s", line, outcome.status,
                  outcome.errors);
    if (limits[_i].line)
        ck_assert_msg(strstr(outcome.errors, limits[_i].line), "%s: %s", line, outcome.errors);
    else
        ck_assert_str_eq(outcome.errors, "");
    temporary_remove(folder);
}
END_TEST

START_TEST(what_cannot_be_judged_is_said_before_anything_is_printed)
{
    char *folder = temporary_folder();
    write_result(folder, "old", "\"time_ns\":1000");
    const Outcome outcome = warpmem(folder, "compare old.json old.json --fail-over mean_hops=1%");
    ck_assert_int_eq(outcome.status, 2);
    ck_assert_str_eq(outcome.out, "");
    temporary_remove(folder);
}
END_TEST

/* ROOT/FOLDER/VARIANT/result.json */
static void write_variant(const char *root, const char *folder, const char *variant, int time_ns,
                          const char *partial)
{
    g_autofree char *directory = g_build_filename(root, folder, variant, NULL);
    g_autofree char *text = g_strdup_printf(
        "{\"schema_version\":1,\"variant\":\"%s\",\"partial\":%s,\"summary\":{\"time_ns\":%d}}",
        variant, partial, time_ns);
    ck_assert_int_eq(g_mkdir_with_parents(directory, 0777), 0);
    g_free(temporary_file(directory, "result.json", text));
}

static const struct {
    const char *arguments;
    int status;
    const char *errors; /* all of stderr */
} folders[] = {
    {"r1 r2 --fail-over 10%", 0, ""},
    {"r1 r2 --fail-over 5%", 1,
     "warpmem: B:slow against A:slow: time_ns: 9000 ns -> 9900 ns (+10 %, worse); more than the 5 "
     "% of --fail-over\n"},
    {"r1 r2/baseline --fail-over 5%", 0, ""},
    {"r2/slow r1/slow r2/slow --fail-over 5%", 1,
     "warpmem: B:slow against A:slow: time_ns: 9900 ns -> 9000 ns (-9.091 %, better); more than "
     "the 5 % of --fail-over\n"},
    {"r1 --fail-over 5%", 1,
     "warpmem: slow against baseline: time_ns: 1000 ns -> 9000 ns (+800 %, worse); more than the 5 "
     "% of --fail-over\n"},
    {"r1 more --fail-over 5%", 1,
     "warpmem: more: has no variant 'slow', which r1 has\n"
     "warpmem: r1: has no variant 'new', which more has\n"},
    {"r1 part --fail-over 5%", 1,
     "warpmem: B:baseline: its run was interrupted, so that --fail-over cannot judge it\n"},
    {"part r1 --fail-over 5%", 1,
     "warpmem: A:baseline: its run was interrupted, so that --fail-over cannot judge it\n"},
    {"r1 part", 0, "warpmem: warning: B:baseline is partial: its run was interrupted\n"},
};

START_TEST(variants_of_folders_are_held_against_those_of_their_names)
{
    char *root = temporary_folder();
    write_variant(root, "r1", "baseline", 1000, "false");
    write_variant(root, "r1", "slow", 9000, "false");
    write_variant(root, "r2", "baseline", 1000, "false");
    write_variant(root, "r2", "slow", 9900, "false");
    write_variant(root, "more", "baseline", 1000, "false");
    write_variant(root, "more", "new", 1000, "false");
    write_variant(root, "part", "baseline", 500, "true");
    write_variant(root, "part", "slow", 9000, "false");
    g_autofree char *line = g_strconcat("compare ", folders[_i].arguments, NULL);
    const Outcome outcome = warpmem(root, line);
    ck_assert_msg(outcome.status == folders[_i].status, "%s: %d, %s", line, outcome.status,
                  outcome.errors);
    ck_assert_str_eq(outcome.errors, folders[_i].errors);
    temporary_remove(root);
}
END_TEST

START_TEST(letters_of_results_are_explained)
{
    char *root = temporary_folder();
    write_variant(root, "r1", "baseline", 1000, "false");
    write_variant(root, "r1", "slow", 9000, "false");
    write_variant(root, "r2", "baseline", 1000, "false");
    const Outcome text = warpmem(root, "compare r1 r2");
    ck_assert(g_str_has_prefix(text.out, "  A: r1\n  B: r2\n\n"));
    ck_assert_ptr_nonnull(strstr(text.out, "A:baseline "));
    ck_assert_ptr_nonnull(strstr(text.out, " slow "));
    ck_assert_ptr_nonnull(strstr(text.out, "B:baseline "));
    const Outcome json = warpmem(root, "compare r1 r2 --json");
    ck_assert_ptr_nonnull(strstr(json.out, "\"path\": \"r2/baseline\""));
    const Outcome one = warpmem(root, "compare r1");
    ck_assert_ptr_null(strstr(one.out, "A: r1"));
    g_autofree char *own = g_build_filename(root, "r2", "baseline", NULL),
                    *copy_of_it = g_build_filename(root, "r1", "copy", NULL);
    ck_assert_int_eq(rename(own, copy_of_it), 0);
    const Outcome copy = warpmem(root, "compare r1");
    ck_assert_ptr_nonnull(strstr(copy.out, "A:copy "));
    temporary_remove(root);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("fail_over");
    tcase_add_loop_test(cases, a_comparison_fails_over_what_moved_further_than_it_may, 0,
                        G_N_ELEMENTS(limits));
    tcase_add_test(cases, what_cannot_be_judged_is_said_before_anything_is_printed);
    tcase_add_loop_test(cases, variants_of_folders_are_held_against_those_of_their_names, 0,
                        G_N_ELEMENTS(folders));
    tcase_add_test(cases, letters_of_results_are_explained);
    Suite *suite = suite_create("fail_over");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
