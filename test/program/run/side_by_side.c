/* Variants that run at the same time leave what they leave one after the other. */
#include <string.h>

#include "rigs/harness.h"
#include "rigs/program.h"

#define MACHINE                                                                                    \
    "[scenario]\ntitle = Several\nextends = v100\n"                                                \
    "[machine]\nsms = 2\npartitions = 2\npeak_bandwidth_gbps = 0\n"

/* The first takes longest, so that the others end before it. */
static const char several[] =
    MACHINE "[workload]\npattern = stream\noperation = triad\narray_bytes = 1 MiB\n"
            "[variant b]\nworkload.array_bytes = 32 KiB\n"
            "[variant c]\nworkload.array_bytes = 64 KiB\n"
            "[variant d]\nworkload.array_bytes = 16 KiB\n";

static const char *const folders[] = {"one", "several"};

/* What it prints, without the names of folders. */
static char *run(const char *folder, const char *jobs, const char *output, int status)
{
    g_autofree char *line = g_strdup_printf("run several.ini -o %s %s", output, jobs);
    const Outcome outcome = warpmem(folder, line);
    ck_assert_msg(outcome.status == status, "%d: %s", outcome.status, outcome.errors);
    g_auto(GStrv) parts = g_strsplit(outcome.out, output, -1);
    g_autofree char *out = g_strjoinv("OUT", parts);
    return g_strconcat(out, outcome.errors, NULL);
}

static void expect_same_file(const char *folder, const char *variant)
{
    g_autofree char *one = g_strdup_printf("one/%s/result.json", variant),
                    *other = g_strdup_printf("several/%s/result.json", variant);
    g_autofree char *before = contents(folder, one), *after = contents(folder, other);
    ck_assert_str_eq(before, after);
}

START_TEST(any_number_at_a_time_leaves_the_same_bytes_in_the_same_order)
{
    static const char *const variants[] = {"baseline", "b", "c", "d"};
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "several.ini", several);
    g_autofree char *one = run(folder, "-j 1", folders[0], 0),
                    *other = run(folder, "-j 3", folders[1], 0);
    ck_assert_str_eq(one, other);
    ck_assert_ptr_nonnull(strstr(one, "\nd: "));
    for (guint i = 0; i < G_N_ELEMENTS(variants); i++) expect_same_file(folder, variants[i]);
    temporary_remove(folder);
}
END_TEST

/* The second waits for CTAs that have no room; what runs behind it is dropped. */
static const char failing[] =
    MACHINE "[workload]\npattern = program\nctas = 2\nthreads_per_cta = 1024\ncode =\n"
            "  global a[64]\n  if thread == 0 { reduce a[0]; wait a[0] >= ctas }\n  barrier\n"
            "[variant stuck]\nworkload.ctas = 200\n"
            "[variant behind]\nworkload.ctas = 1\n";

START_TEST(behind_one_that_fails_nothing_is_left)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "several.ini", failing);
    g_autofree char *one = run(folder, "-j 1", folders[0], 1),
                    *other = run(folder, "-j 3", folders[1], 1);
    ck_assert_str_eq(one, other);
    expect_same_file(folder, "baseline");
    for (guint i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *behind = g_strconcat(folders[i], "/behind", NULL),
                        *stuck = g_strconcat(folders[i], "/stuck", NULL);
        ck_assert(!exists(folder, behind) && !exists(folder, stuck));
    }
    temporary_remove(folder);
}
END_TEST

static const char endless[] =
    MACHINE "[workload]\npattern = stream\noperation = triad\narray_bytes = 64 MiB\n"
            "[variant b]\nl1.prt_entries = 8\n[variant c]\nl1.prt_entries = 16\n";

static void read_line(int file, GString *line)
{
    char c = 0;
    g_string_truncate(line, 0);
    while (read(file, &c, 1) == 1 && c != '\n') g_string_append_c(line, c);
}

/* Each that runs answers; one that is still being built is asked again. */
static void wait_until_it_simulates(const Started *run, const char *name)
{
    g_autoptr(GString) line = g_string_new(NULL);
    wait_until_it_listens(run->pid);
    while (!strstr(line->str, name)) {
        kill(run->pid, SIGUSR1);
        read_line(run->errors, line);
    }
}

START_TEST(an_interrupt_leaves_what_each_of_them_has_so_far)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    const Started started = start(endless, "small.ini -j 2");
    wait_until_it_simulates(&started, "baseline (1 of 3)");
    wait_until_it_simulates(&started, "b (2 of 3)");
    kill(started.pid, ends[_i]);
    g_autoptr(GString) said = g_string_new(NULL);
    read_line(started.errors, said);
    while (!strstr(said->str, "interrupted")) read_line(started.errors, said);
    ck_assert_str_eq(said->str, "warpmem: interrupted; not run: c");
    ck_assert_int_eq(wait_for_end(&started), 130);
    static const char *const variants[] = {"baseline", "b"};
    for (guint i = 0; i < G_N_ELEMENTS(variants); i++) {
        g_autofree char *name = g_strdup_printf("out/%s/result.json", variants[i]);
        g_autoptr(JsonNode) result = json_file(started.folder, name);
        ck_assert(json_object_get_boolean_member(json_node_get_object(result), "partial"));
    }
    ck_assert(!exists(started.folder, "out/c"));
    temporary_remove(started.folder);
}
END_TEST

START_TEST(a_number_of_jobs_that_makes_no_sense_is_refused)
{
    static const char *const jobs[] = {"-j 0", "-j -1", "-j 257"};
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "several.ini", several);
    for (guint i = 0; i < G_N_ELEMENTS(jobs); i++) {
        g_autofree char *said = run(folder, jobs[i], "none", 2);
        ck_assert_msg(strstr(said, "allowed: whole number from 1 to 256") != NULL, "%s", said);
    }
    ck_assert(!exists(folder, "none"));
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {any_number_at_a_time_leaves_the_same_bytes_in_the_same_order,
                                  behind_one_that_fails_nothing_is_left,
                                  a_number_of_jobs_that_makes_no_sense_is_refused};
    TCase *cases = tcase_create("side_by_side");
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++) tcase_add_test(cases, tests[i]);
    tcase_add_loop_test(cases, an_interrupt_leaves_what_each_of_them_has_so_far, 0, 3);
    return harness_run_cases("side_by_side", cases);
}
