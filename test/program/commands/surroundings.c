/* What the program is started with: standard files that are closed, files that may not grow, ends
 * of children that are ignored. */
#include <errno.h>

#include "rigs/harness.h"
#include "rigs/program.h"

#define SMALL                                                                                      \
    "[scenario]\ntitle = Small\nextends = v100\n"                                                  \
    "[machine]\nsms = 2\npartitions = 2\npeak_bandwidth_gbps = 0\n"                                \
    "[workload]\npattern = stream\noperation = read\narray_bytes = 4 KiB\nthreads_per_cta = 64\n"

static const char study[] =
    SMALL "[study]\nl1.prt_entries = 1, 2, 4, 8\nl1.replacement = lru, fifo, random\n";
static const char variants[] = SMALL "[variant other]\nl1.prt_entries = 1\n";

/* `line` goes to a shell, behind the program's name. */
static Outcome shell(const char *folder, const char *before, const char *line)
{
    g_autofree char *command = g_strdup_printf("%s '%s' %s", before, program(), line);
    char *words[] = {"sh", "-c", command, NULL};
    return run_words(words, folder);
}

static const char *const closed[] = {">&-", "<&- 2>&-", "<&- >&- 2>&-"};

/* What a point prints is read from a file of its own, which is not to be number 1. */
START_TEST(of_closed_standard_files_a_study_loses_no_point)
{
    char *folder = temporary_folder();
    g_free(temporary_file(folder, "study.ini", study));
    g_autofree char *line = g_strconcat("study run study.ini -o out -q ", closed[_i], NULL);
    ck_assert_int_eq(shell(folder, "", line).status, 0);
    const Outcome status = warpmem(folder, "study status out --json");
    ck_assert_msg(strstr(status.out, "\"done\": 12") != NULL, "%s", status.out);
    temporary_remove(folder);
}
END_TEST

static const struct {
    const char *line, *errors;
} lost[] = {
    {"list units >&-", "warpmem: standard output cannot be written: Bad file descriptor\n"},
    {"list > /dev/full", "warpmem: standard output cannot be written: No space left on device\n"},
    {"show v100 --picture -o - > /dev/full",
     "warpmem: -o -: cannot be written: No space left on device\n"},
};

START_TEST(output_that_is_lost_is_one_error)
{
    char *folder = temporary_folder();
    const Outcome outcome = shell(folder, "", lost[_i].line);
    ck_assert_int_eq(outcome.status, 2);
    ck_assert_str_eq(outcome.errors, lost[_i].errors);
    temporary_remove(folder);
}
END_TEST

static const struct {
    int blocks; /* of 512 B */
    const char *line, *message;
    int status;
} large[] = {
    {40, "trace generate stream --set array_bytes=1MiB -o out",
     "kernel-1.traceg: cannot be written: File too large", 2},
    {40, "run study.ini -q -o out", "there is no room for its result among temporary files", 1},
    {40, "report one -o out/page.html", "-o out/page.html: cannot be written: File too large", 2},
    {1, "run study.ini -q -o out", "no room for the SimGrid platform: File too large", 1},
    {1, "run study.ini -q -o out --set network.topology=mesh",
     "cannot ask SimGrid for routes: File too large", 2},
};

START_TEST(a_file_that_may_not_be_so_large_is_an_error_and_leaves_nothing)
{
    char *folder = temporary_folder();
    g_free(temporary_file(folder, "study.ini", study));
    ck_assert_int_eq(warpmem(folder, "run study.ini -q -o one").status, 0);
    g_autofree char *before = g_strdup_printf("mkdir out; ulimit -f %d;", large[_i].blocks);
    const Outcome outcome = shell(folder, before, large[_i].line);
    ck_assert_int_eq(outcome.status, large[_i].status);
    ck_assert_msg(strstr(outcome.errors, large[_i].message) != NULL, "%s", outcome.errors);
    g_autofree char *out = g_build_filename(folder, "out", NULL);
    ck_assert_msg(g_rmdir(out) == 0 || errno == ENOENT, "something is left in out/");
    temporary_remove(folder);
}
END_TEST

/* That would wait for ever is ended. */
START_TEST(how_processes_end_is_seen_also_where_the_parent_ignores_it)
{
    char *folder = temporary_folder();
    g_free(temporary_file(folder, "study.ini", study));
    g_free(temporary_file(folder, "two.ini", variants));
    const char *const before = "ulimit -t 20; exec env --ignore-signal=CHLD";
    ck_assert_int_eq(shell(folder, before, "run two.ini -q -o out").status, 0);
    g_autofree char *without_room = g_strconcat("ulimit -f 1; ", before, NULL);
    const Outcome plan = shell(folder, without_room, "study plan study.ini --dry-run");
    ck_assert_msg(strstr(plan.out, "of those that were tried 12 failed") != NULL, "%s", plan.out);
    temporary_remove(folder);
}
END_TEST

static guint count_files(const char *path)
{
    guint count = 0;
    g_autoptr(GDir) files = g_dir_open(path, 0, NULL);
    while (files && g_dir_read_name(files)) count++;
    return count;
}

START_TEST(what_a_signal_ends_leaves_no_half_a_file)
{
    static const int ends[] = {SIGINT, SIGTERM};
    int state = 0;
    Started run = start_command(study, "trace generate stream --set array_bytes=64GiB -o out");
    g_autofree char *out = g_build_filename(run.folder, "out", NULL);
    while (!count_files(out)) g_usleep(1000);
    kill(run.pid, ends[_i]);
    ck_assert_int_eq(waitpid(run.pid, &state, 0), run.pid);
    ck_assert(WIFSIGNALED(state) && WTERMSIG(state) == ends[_i]);
    ck_assert_uint_eq(count_files(out), 0);
    close(run.errors);
    temporary_remove(run.folder);
}
END_TEST

START_TEST(a_page_names_the_scenario_as_the_present_folder_does)
{
    char *folder = temporary_folder();
    g_autofree char *own = g_build_filename(folder, "own", NULL);
    ck_assert_int_eq(g_mkdir(own, 0777), 0);
    g_autofree char *file = temporary_file(own, "study.ini", study);
    ck_assert_int_eq(warpmem(folder, "run own/study.ini -q -o one").status, 0);
    const Outcome here = warpmem(folder, "report one --json"),
                  beside = warpmem(own, "report ../one --json");
    ck_assert_ptr_nonnull(strstr(here.out, "\"warpmem why own/study.ini\""));
    ck_assert_ptr_nonnull(strstr(beside.out, "\"warpmem why study.ini\""));
    g_autofree char *line = g_strdup_printf("report '%s/one' --json", folder),
                    *whole = g_strdup_printf("\"warpmem why %s\"", file);
    ck_assert_ptr_nonnull(strstr(warpmem("/", line).out, whole));
    ck_assert_int_eq(g_unlink(file), 0);
    const Outcome gone = warpmem(folder, "report one --json");
    ck_assert_ptr_nonnull(strstr(gone.out, "\"warpmem why study.ini\""));
    temporary_remove(folder);
}
END_TEST

/* A copy of the program, newly allocated: "folder/bin/warpmem". */
static char *copy_program(const char *folder)
{
    gsize size;
    g_autofree char *bytes = NULL, *bin = g_build_filename(folder, "bin", NULL);
    char *copy = g_build_filename(bin, "warpmem", NULL);
    ck_assert(!g_mkdir(bin, 0777) && g_file_get_contents(program(), &bytes, &size, NULL));
    ck_assert(
        g_file_set_contents_full(copy, bytes, (gssize)size, G_FILE_SET_CONTENTS_NONE, 0755, NULL));
    return copy;
}

/* Where it was built nothing is looked for. */
START_TEST(an_installed_program_has_the_files_beside_it)
{
    char *folder = temporary_folder();
    g_autofree char *copy = copy_program(folder),
                    *presets =
                        g_build_filename(folder, "share", "warpmem", "platform", "presets", NULL);
    ck_assert_int_eq(g_mkdir_with_parents(presets, 0777), 0);
    g_free(temporary_file(presets, "mine.ini", "[scenario]\ntitle = Mine\n"));
    char *own[] = {copy, "list", "presets", NULL}, *none[] = {copy, "list", "parts", NULL};
    ck_assert_str_eq(run_words(own, folder).out, "  mine  Mine\n");
    if (!g_file_test("/usr/local/share/warpmem", G_FILE_TEST_EXISTS))
        ck_assert_str_eq(run_words(none, folder).out, "");
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("surroundings");
    tcase_add_test(cases, an_installed_program_has_the_files_beside_it);
    tcase_add_loop_test(cases, of_closed_standard_files_a_study_loses_no_point, 0,
                        G_N_ELEMENTS(closed));
    tcase_add_loop_test(cases, output_that_is_lost_is_one_error, 0, G_N_ELEMENTS(lost));
    tcase_add_loop_test(cases, a_file_that_may_not_be_so_large_is_an_error_and_leaves_nothing, 0,
                        G_N_ELEMENTS(large));
    tcase_add_test(cases, how_processes_end_is_seen_also_where_the_parent_ignores_it);
    tcase_add_loop_test(cases, what_a_signal_ends_leaves_no_half_a_file, 0, 2);
    tcase_add_test(cases, a_page_names_the_scenario_as_the_present_folder_does);
    Suite *suite = suite_create("surroundings");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
