/* A list of more launches and names than are told one by one: what is left out is said, and found
 * where there is a line of it. */
#include <string.h>

#include "rigs/harness.h"
#include "rigs/program.h"

/* Names k0, k1 ... of so many launches each; the last ones have fewest threads. */
enum { NAMES = 43, TOLD_NAMES = 40, LAUNCHES_OF_A_NAME = 25, SHOWN = 12 };
enum { LAUNCHES = NAMES * LAUNCHES_OF_A_NAME, OTHERS = NAMES - TOLD_NAMES };

static void write_scenario(const char *folder)
{
    GString *text = g_string_new("[scenario]\ntitle = Long\nextends = v100\n[machine]\nsms = 1\n"
                                 "partitions = 1\npeak_bandwidth_gbps = 0\n[workload]\n"
                                 "sequence = k0");
    for (guint i = 1; i < NAMES; i++) g_string_append_printf(text, ", k%u", i);
    for (guint i = 0; i < NAMES; i++)
        g_string_append_printf(text,
                               "\n[kernel k%u]\npattern = program\nctas = 1\nlaunches = %d\n"
                               "threads_per_cta = %d\ncode =\n  global a[1024]\n"
                               "  x = load a[thread]\n",
                               i, LAUNCHES_OF_A_NAME, i < TOLD_NAMES ? 64 : 32);
    g_autofree char *whole = g_string_free(text, FALSE);
    g_free(temporary_file(folder, "long.ini", whole));
}

static void expect(const char *text, const char *pattern)
{
    ck_assert_msg(g_regex_match_simple(pattern, text, G_REGEX_MULTILINE, 0), "no '%s' in\n%s",
                  pattern, text);
}

static const struct {
    const char *arguments;
    int status;
    const char *out, *errors;
} asked[] = {
    {"compare out out --kernel k0", 0, "A:baseline/k0 ", "^$"},
    {"compare out out --kernels 1", 0, "A:baseline/k0 ", "^$"},
    {"compare out out --kernels 1,1060", 0, "^      k42 +1060 .*\n", "^$"},
    {"compare out out --kernels 1,1060 --fail-over 1%", 0, "^      k42 +1060 .*\n", "^$"},
    {"compare out out --json", 0, "all other names", "^$"},
    {"compare out out --kernel '*' --fail-over 1%", 0, "time, us", "^$"},
    {"report out --kernels 1,1060 --json", 0, "1060", "^$"},
    {"compare out out --kernel k42", 2, "^$",
     "--kernel k42: the result of baseline tells of them in a line each and no more; 'run "
     "--kernel' runs them alone"},
    {"compare out out --kernels 1060", 2, "^$",
     "--kernels 1060: the result of baseline tells of them in a line each and no more; 'run "
     "--kernels' runs them alone"},
    {"compare out out --kernel j42", 2, "^$", "has no such kernel, did you mean 'k42'"},
};

/* "  time, us   1.23" */
static double time_of(const char *comparison)
{
    const char *line = strstr(comparison, "  time, us");
    ck_assert_ptr_nonnull(line);
    return g_ascii_strtod(line + strlen("  time, us"), NULL);
}

START_TEST(what_a_long_list_leaves_out_is_said)
{
    char *folder = temporary_folder();
    write_scenario(folder);
    Outcome outcome = warpmem(folder, "run long.ini -o out");
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    g_autofree char *more = g_strdup_printf("  and %d more$", LAUNCHES - SHOWN),
                    *others =
                        g_strdup_printf("^    all other names +%d ", OTHERS * LAUNCHES_OF_A_NAME);
    expect(outcome.out, more);
    expect(outcome.out, others);
    expect(outcome.out, "^    k39 +25 ");
    for (guint i = 0; i < G_N_ELEMENTS(asked); i++) {
        outcome = warpmem(folder, asked[i].arguments);
        ck_assert_msg(outcome.status == asked[i].status, "%s: %s", asked[i].arguments,
                      outcome.errors);
        expect(outcome.out, asked[i].out);
        expect(outcome.errors, asked[i].errors);
    }
    const double name = time_of(warpmem(folder, asked[0].arguments).out),
                 launch = time_of(warpmem(folder, asked[1].arguments).out);
    ck_assert_double_gt(name, launch * LAUNCHES_OF_A_NAME / 4); /* caches were cold at the first */
    ck_assert_int_eq(warpmem(folder, "report out -o page.html").status, 0);
    g_autofree char *page = contents(folder, "page.html"),
                    *shown = g_strdup_printf("Of %d launches 1[0-9]{3} are shown", LAUNCHES);
    expect(page, "all other names");
    expect(page, shown);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("long_list");
    tcase_set_timeout(cases, 60);
    tcase_add_test(cases, what_a_long_list_leaves_out_is_said);
    return harness_run_cases("long_list", cases);
}
