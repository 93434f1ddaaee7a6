/* What a machine is, derived: for who checks it and who compares it with another. */
#include <string.h>

#include "rigs/harness.h"
#include "rigs/program.h"
#include "scenarios/program/say/facts.h"

static const struct {
    double value;
    const char *unit, *text;
} values[] = {
    {80, "", "80"},
    {1380, "MHz", "1380 MHz"},
    {128 * 1024, "B", "128 KiB"},
    {6 << 20, "B", "6 MiB"},
    {1.5 * 1048576, "B", "1.5 MiB"},
    {0, "B", "0 B"},
    {14.13, "TFLOP/s", "14.1 TFLOP/s"},
    {898.05, "GB/s", "898 GB/s"},
};

START_TEST(a_fact_is_written_in_a_unit_that_suits_it)
{
    g_autofree char *text = facts_value(values[_i].value, values[_i].unit);
    ck_assert_str_eq(text, values[_i].text);
}
END_TEST

/* 80 x 64 lanes x 2 x 1.38 GHz; 64 slices of 96 KiB; 256 entries of 32 MiB; 4096 bits x 2 x 877
 * MHz. A variant that is the same in all of that is not described. */
static const char presets[] = "[scenario]\ntitle = Presets\nextends = v100\n"
                              "[workload]\npattern = stream\narray_bytes = 64 KiB\n"
                              "[variant a100]\nextends = a100\n"
                              "[variant slow]\nl1.hit_latency = 40 cycles\n"
                              "[variant half]\nmachine.sms = 40\n";

START_TEST(check_says_what_each_machine_is)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "presets.ini", presets);
    const Outcome outcome = warpmem(folder, "check presets.ini");
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    ck_assert_msg(
        g_regex_match_simple("^baseline: SMs 80, core clock 1380 MHz, FP32 14\\.1 TFLOP/s, "
                             "L1 of an SM \\d+ KiB, L2 6 MiB, L2 TLB covers 8 GiB, "
                             "DRAM channels 64, DRAM peak 898 GB/s\n(?:.*\n)*?a100: SMs 108, ",
                             outcome.out, 0, 0),
        "%s", outcome.out);
    ck_assert_ptr_null(strstr(outcome.out, "slow: "));
    ck_assert_ptr_nonnull(strstr(outcome.out, "\nhalf: SMs 40, core clock 1380 MHz, FP32 7.1 "));
    temporary_remove(folder);
}
END_TEST

START_TEST(a_comparison_of_presets_begins_with_what_they_are)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "presets.ini", presets);
    const Outcome run = warpmem(folder, "run presets.ini -v baseline -v a100 -q -o out"),
                  all = warpmem(folder, "compare out"),
                  details = warpmem(folder, "compare out --details");
    ck_assert_msg(run.status == 0, "%s", run.errors);
    ck_assert_msg(g_regex_match_simple("^ +baseline +a100\n  SMs +80 +108\n  core clock +1380 MHz",
                                       all.out, 0, 0),
                  "%s", all.out);
    ck_assert_msg(g_regex_match_simple("\n  a100: \\d\\d parameters differ\n", all.out, 0, 0), "%s",
                  all.out);
    ck_assert_ptr_null(strstr(all.out, "dram.tRC"));
    ck_assert_ptr_nonnull(strstr(details.out, "\n    dram.tRC: "));
    temporary_remove(folder);
}
END_TEST

START_TEST(results_of_one_machine_begin_with_what_differs)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "presets.ini", presets);
    const Outcome run = warpmem(folder, "run presets.ini -v baseline -v half -q -o out"),
                  all = warpmem(folder, "compare out");
    ck_assert_msg(run.status == 0, "%s", run.errors);
    ck_assert(g_str_has_prefix(all.out, "  half: machine.sms: 80 -> 40\n"));
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("facts");
    tcase_add_loop_test(cases, a_fact_is_written_in_a_unit_that_suits_it, 0, G_N_ELEMENTS(values));
    tcase_add_test(cases, check_says_what_each_machine_is);
    tcase_add_test(cases, a_comparison_of_presets_begins_with_what_they_are);
    tcase_add_test(cases, results_of_one_machine_begin_with_what_differs);
    return harness_run_cases("facts", cases);
}
