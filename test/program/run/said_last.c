/* What `run` prints: short, and last what it comes to. */
#include <string.h>

#include "rigs/harness.h"
#include "rigs/program.h"

static guint count_lines(const char *text)
{
    guint count = 0;
    for (; *text; text++) count += *text == '\n';
    return count;
}

/* The last lines, from the one that begins so. */
static const char *find_end(const char *text, const char *start)
{
    const char *found = NULL;
    for (const char *at = strstr(text, start); at; at = strstr(at + 1, start)) found = at;
    ck_assert_msg(found != NULL, "no '%s' in\n%s", start, text);
    return found;
}

/* Fewer bytes, so that it takes a second; the lines are the same. */
START_TEST(the_quickstart_takes_less_than_50_lines_and_ends_with_its_conclusion)
{
    char *folder = temporary_folder();
    const Outcome run =
        warpmem(folder, "run quickstart --set \"workload.array_bytes=1 MiB\" -o out");
    ck_assert_msg(run.status == 0, "%s", run.errors);
    ck_assert_uint_lt(count_lines(run.out), 50);
    const char *end = find_end(run.out, "\n  baseline ");
    ck_assert_msg(strstr(end, ", bound by ") != NULL, "%s", end);
    ck_assert_uint_le(count_lines(end + 1), 5);
    ck_assert_ptr_nonnull(strstr(run.out, "  results: out\n"));
    ck_assert_ptr_null(strstr(end, "results: out"));
    const Outcome compared = warpmem(folder, "compare out");
    ck_assert_msg(g_str_has_suffix(compared.out, end), "%s", compared.out);
    temporary_remove(folder);
}
END_TEST

static const char small[] =
    "[scenario]\ntitle = Small\nextends = v100\n"
    "[machine]\nsms = 2\npartitions = 2\npeak_bandwidth_gbps = 0\n"
    "[workload]\npattern = stream\noperation = triad\narray_bytes = 64 KiB\n"
    "[variant prt-8]\nl1.prt_entries = 8\n"
    "[study]\nl1.prt_entries = 8, 16\n";

START_TEST(one_run_ends_with_what_bound_it)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    const Outcome run = warpmem(folder, "run small.ini --variant baseline -o out");
    ck_assert_msg(run.status == 0, "%s", run.errors);
    const char *end = find_end(run.out, "\n  baseline takes ");
    ck_assert_ptr_nonnull(strstr(end, "\n  bound by "));
    ck_assert_uint_le(count_lines(end + 1), 5);
    ck_assert_ptr_null(strstr(end, "[study]"));
    ck_assert_ptr_nonnull(strstr(run.out, "its [study] was not run"));
    temporary_remove(folder);
}
END_TEST

START_TEST(details_are_where_they_are_asked_for)
{
    static const char *const details[] = {"where requests spent their time, cycles a request",
                                          "cycles a request  us, summed"};
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    const Outcome brief = warpmem(folder, "run small.ini -o out"),
                  whole = warpmem(folder, "run small.ini --details");
    ck_assert_msg(whole.status == 0, "%s", whole.errors);
    for (guint i = 0; i < G_N_ELEMENTS(details); i++) {
        ck_assert_ptr_null(strstr(brief.out, details[i]));
        ck_assert_msg(strstr(whole.out, details[i]) != NULL, "%s", whole.out);
    }
    const char *end = find_end(brief.out, "\n  baseline ");
    ck_assert(g_str_has_suffix(whole.out, end));
    const Outcome compared = warpmem(folder, "compare out -d");
    ck_assert_msg(strstr(compared.out, details[1]) != NULL, "%s", compared.out);
    ck_assert(g_str_has_suffix(compared.out, end));
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("said_last");
    tcase_add_test(cases, the_quickstart_takes_less_than_50_lines_and_ends_with_its_conclusion);
    tcase_add_test(cases, one_run_ends_with_what_bound_it);
    tcase_add_test(cases, details_are_where_they_are_asked_for);
    return harness_run_cases("said_last", cases);
}
