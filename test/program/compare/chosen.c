/* Kernels of a list beside those of a run that had only some of it, and what is shown of those that
 * are chosen. */
#include <string.h>

#include "rigs/harness.h"
#include "rigs/program.h"

#define KERNEL(name, more)                                                                         \
    "[kernel " name "]\npattern = program\nctas = 1\nthreads_per_cta = 32\n" more                  \
    "code =\n  global " name "s[1024]\n  x = load " name "s[thread]\n"

static const char list[] =
    "[scenario]\ntitle = List\nextends = v100\n[machine]\nsms = 1\npartitions = 1\n"
    "peak_bandwidth_gbps = 0\n[workload]\nsequence = a, b, c, a\n" KERNEL("a", "") KERNEL("b", "")
        KERNEL("c", "concurrent = yes\n");

#define TIME " +[0-9.]+ [nu]s"

static const struct {
    const char *arguments, *out;
} asked[] = {
    /* what a run of one kernel has is the kernel's; what ran together is one */
    {"compare all one", "^      a +1" TIME TIME " +[+-][0-9.]+ %"},
    {"compare one all", "^      a +1" TIME TIME " +[+-][0-9.]+ %"},
    {"compare all two", "^      b \\+ c +2" TIME TIME " +[+-][0-9.]+ %"},
    {"compare all one --kernels 1", "A:baseline/a +B:baseline/a"},
    {"compare all one --kernel a", "^      a +1" TIME TIME},
    {"compare all one --kernel a", "^      a +4" TIME " +- "},
    {"compare all two --kernels 3", "A:baseline/b \\+ c +B:baseline/b \\+ c"},
    {"compare all all --kernel 'b + c'", "A:baseline/b \\+ c +B:baseline/b \\+ c"},
    /* all launches of a name, and each */
    {"compare all all --kernel a",
     "A:baseline/a +B:baseline/a(.*\n)+      a +1 (.*\n)*      a +4 "},
    /* of several only the table */
    {"compare all all --kernels 1,2", "^  --kernels 1,2: these are compared kernel by kernel"},
    /* with what the page of one asks again */
    {"report all --kernel a --json", "warpmem why list.ini --kernel a\""},
    {"report all --kernels 4 --json", "warpmem why list.ini --kernels 4\""},
    {"report all --kernels 3 --json", "warpmem why list.ini --kernels 2-3\""},
    {"compare all all --kernel '*'", "^\\s+A:baseline +B:baseline"},
};

static void run_list(const char *folder, const char *arguments)
{
    g_autofree char *line = g_strconcat("run list.ini -q ", arguments, NULL);
    const Outcome outcome = warpmem(folder, line);
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
}

START_TEST(kernels_are_found_in_a_run_of_some_of_them)
{
    char *folder = temporary_folder();
    g_free(temporary_file(folder, "list.ini", list));
    run_list(folder, "-o all");
    run_list(folder, "--kernels 1 -o one");
    run_list(folder, "--kernels 2-3 -o two");
    for (guint i = 0; i < G_N_ELEMENTS(asked); i++) {
        const Outcome outcome = warpmem(folder, asked[i].arguments);
        ck_assert_msg(outcome.status == 0, "%s: %s", asked[i].arguments, outcome.errors);
        ck_assert_msg(g_regex_match_simple(asked[i].out, outcome.out, G_REGEX_MULTILINE, 0),
                      "%s: no '%s' in\n%s", asked[i].arguments, asked[i].out, outcome.out);
    }
    const Outcome every = warpmem(folder, "compare all all --kernel '*'");
    ck_assert_ptr_null(strstr(every.out, "these are compared"));
    ck_assert_int_eq(warpmem(folder, "compare all all --kernel a --fail-over 0%").status, 0);
    ck_assert_int_eq(warpmem(folder, "compare all one --kernel a --fail-over 0%").status, 1);
    g_free(temporary_file(folder, "none.json",
                          "{\"schema_version\": 1, \"variant\": \"none\", \"summary\": {}}"));
    ck_assert_str_eq(warpmem(folder, "compare all none.json --kernels 1").errors,
                     "warpmem: --kernels 1: the result of none has no such kernel\n");
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("chosen");
    tcase_add_test(cases, kernels_are_found_in_a_run_of_some_of_them);
    return harness_run_cases("chosen", cases);
}
