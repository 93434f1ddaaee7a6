/* `compare --fail-over`: which changes end a comparison with status 1. */
#include <check.h>
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

int main(void)
{
    TCase *cases = tcase_create("fail_over");
    tcase_add_loop_test(cases, a_comparison_fails_over_what_moved_further_than_it_may, 0,
                        G_N_ELEMENTS(limits));
    tcase_add_test(cases, what_cannot_be_judged_is_said_before_anything_is_printed);
    Suite *suite = suite_create("fail_over");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
