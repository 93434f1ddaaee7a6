/* Options that are none, or too many, are refused by the name that was typed. */

#include "rigs/harness.h"
#include "rigs/program.h"

static const char small[] = "[scenario]\nextends = v100\n"
                            "[machine]\nsms = 2\npartitions = 2\npeak_bandwidth_gbps = 0\n"
                            "[workload]\npattern = stream\narray_bytes = 64 KiB\n";

static const struct {
    const char *arguments, *message;
} mistakes[] = {
    {"run small.ini -j x", "--jobs x: allowed: whole number from 1 to 256\n"},
    {"run small.ini -dj 0", "--jobs 0: allowed: whole number from 1 to 256\n"},
    {"why small.ini --runs 1.5", "--runs 1.5: allowed: whole number from 1 to 100000\n"},
    {"run small.ini --kernels ''", "--kernels '': an empty word; usage: warpmem run "},
    {"compare small.ini --kernel=", "--kernel '': an empty word; usage: warpmem compare "},
    {"run small.ini --kernels 1 --kernels=2", "--kernels 2: stands twice; usage: warpmem run "},
    {"why small.ini -v a -v b", "--variant b: stands twice; usage: warpmem why "},
    {"run small.ini -o a --output b", "--output b: stands twice; usage: warpmem run "},
    {"run small.ini --kernels 9", "--kernels 9: '9' is none of the kernels 1 to 1; "},
    {"why small.ini --kernels 9", "--kernels 9: '9' is none of the kernels 1 to 1; "},
    {"check small.ini --kernel foo", "--kernel foo: no kernel that is chosen has this name; "},
    {"timeline small.ini --kernels 9 -o t", "--kernels 9: '9' is none of the kernels 1 to 1; "},
    {"run small.ini --set workload.kernels=9", "--set: workload.kernels = 9: '9' is none of "},
    {"timeline small.ini --from 5us --until 1us -o t", "--until 1us: not later than --from 5 us; "},
    {"timeline small.ini --set simulation.timeline_from=5us --until 1us -o t",
     "--until 1us: not later than simulation.timeline_from = 5 us; "},
    {"trace generate stream -o t --set foo=1",
     "'foo' is no key of the trace 'stream'; there are operation, array_bytes, "},
    {"trace generate stream -o t --set array_bytes=1", "array_bytes = 1: a unit is missing"},
    {"trace generate stream -o t --set compression=bz", "compression = bz: not known"},
    {"help rum", "rum: no such command; did you mean 'run'?\n"},
    {"--version x", "x: one argument too many; usage: warpmem --version\n"},
};

START_TEST(a_mistake_is_said_of_what_was_typed)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small),
                    *message = g_strconcat("warpmem: ", mistakes[_i].message, NULL);
    const Outcome outcome = warpmem(folder, mistakes[_i].arguments);
    ck_assert_int_eq(outcome.status, 2);
    ck_assert_str_eq(outcome.out, "");
    ck_assert_msg(g_str_has_prefix(outcome.errors, message), "%s", outcome.errors);
    temporary_remove(folder);
}
END_TEST

START_TEST(some_options_may_be_repeated)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    const Outcome outcome = warpmem(
        folder, "run small.ini -q -v baseline -v baseline --set sm.max_ctas=2 -s l1.ways=2");
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    temporary_remove(folder);
}
END_TEST

START_TEST(help_of_a_command_is_its_own)
{
    const Outcome asked = warpmem(NULL, "help run"), own = warpmem(NULL, "run --help");
    ck_assert_int_eq(asked.status, 0);
    ck_assert_str_eq(asked.out, own.out);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("options");
    tcase_add_loop_test(cases, a_mistake_is_said_of_what_was_typed, 0, G_N_ELEMENTS(mistakes));
    tcase_add_test(cases, some_options_may_be_repeated);
    tcase_add_test(cases, help_of_a_command_is_its_own);
    return harness_run_cases("options", cases);
}
