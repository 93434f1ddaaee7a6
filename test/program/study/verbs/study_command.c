/* `warpmem study run` and `status` as a user types them. */
#include "program/study/process.h"
#include "rigs/harness.h"
#include "scenarios/program/study/plan/manifest.h"

static const char TEN[] = "workload.loads = 10 .. 19 step 1\n";
/* Of three points one is over any short limit, and one is rejected. */
static const char BAD[] = "workload.loads = 10, 5000000\nl2_slice.ways = 16, 5\n"
                          "where = workload.loads < 100 or l2_slice.ways = 16\n";

static double number(JsonNode *root, const char *name)
{
    JsonObject *object = json_node_get_object(root);
    ck_assert_msg(json_object_has_member(object, name), "no %s", name);
    return json_node_get_double(json_object_get_member(object, name));
}

/* --- running ---------------------------------------------------------------------------------- */

START_TEST(a_study_is_planned_and_run_in_one_go_and_says_what_comes_next)
{
    char *folder = temporary_folder();
    g_autofree char *text = g_strconcat(study_process_scenario, TEN, NULL);
    g_free(temporary_file(folder, "small.ini", text));
    const Outcome run = warpmem(folder, "study run small.ini -oout -j2");
    ck_assert_msg(run.status == 0, "%s", run.errors);
    ck_assert(strstr(run.out, "Small chases\n  points   10\n  done     10\n  failed   0\n")
              != NULL);
    ck_assert(strstr(run.out, "next     warpmem report out\n") != NULL);
    ck_assert_str_eq(run.errors, "");
    const Outcome again = warpmem(folder, "study run small.ini -o out");
    ck_assert_int_eq(again.status, 0);
    ck_assert(strstr(again.out, "nothing was left to simulate") != NULL);
    const Outcome other = warpmem(folder, "study run small.ini -o out --set workload.base=4KiB");
    ck_assert_int_eq(other.status, 2);
    ck_assert(strstr(other.errors, "there is another plan already") != NULL);
    temporary_remove(folder);
}
END_TEST

START_TEST(failed_points_are_named_with_their_values_and_make_the_status_1)
{
    char *folder = temporary_folder();
    study_process_plan(folder, BAD);
    const Outcome run = warpmem(folder, "study run study --time-limit 300ms -j 1 --keep-results");
    ck_assert_int_eq(run.status, 1);
    ck_assert_msg(strstr(run.out, "  points   3\n  done     1\n  failed   2\n"), "%s", run.out);
    ck_assert(strstr(run.out, "timeout: over the time limit of 300 ms\n    point 2 "
                              "(workload.loads = 5000000, l2_slice.ways = 16)\n")
              != NULL);
    ck_assert(strstr(run.out, "rejected: ") != NULL);
    ck_assert(strstr(run.out, "next     warpmem study run study --retry-failed --keep-results\n")
              != NULL);
    const Outcome status = warpmem(folder, "study status study");
    ck_assert_ptr_nonnull(strstr(status.out, "study --retry-failed --keep-results\n"));
    const Outcome quiet = warpmem(folder, "study run study -q");
    ck_assert_str_eq(quiet.out, "");
    ck_assert(g_str_has_prefix(quiet.errors, "warpmem: study: 2 of 3 points failed\n"));
    ck_assert_ptr_nonnull(strstr(quiet.errors, "\n  rejected: "));
    temporary_remove(folder);
}
END_TEST

START_TEST(a_shard_runs_its_part_and_JSON_says_so)
{
    char *folder = temporary_folder();
    study_process_plan(folder, TEN);
    const Outcome run = warpmem(folder, "study run study --shard 2/3 --json");
    ck_assert_int_eq(run.status, 0);
    g_autoptr(JsonNode) root = json_from_string(run.out, NULL);
    ck_assert_ptr_nonnull(root);
    ck_assert_double_eq(number(root, "points"), 3);
    ck_assert_double_eq(number(root, "done"), 3);
    ck_assert_double_eq(number(root, "simulated"), 3);
    const Outcome status = warpmem(folder, "study status study --shards 3");
    ck_assert_msg(strstr(status.out, "  2/3         3     3       0        0\n"), "%s", status.out);
    ck_assert(strstr(status.out, "  1/3         3     0       0        3\n") != NULL);
    ck_assert(strstr(status.out, "  next: warpmem study run study\n") != NULL);
    temporary_remove(folder);
}
END_TEST

START_TEST(results_that_are_kept_can_be_compared)
{
    char *folder = temporary_folder();
    study_process_plan(folder, "workload.loads = 10, 12\n");
    const Outcome run = warpmem(folder, "study run study -q --keep-results");
    ck_assert_int_eq(run.status, 0);
    ck_assert_str_eq(run.out, "");
    const Outcome compare = run_words(
        (char *[]){(char *)"sh", (char *)"-c",
                   (char *)"exec \"$WARPMEM_PROGRAM\" compare study/results/*/result.json", NULL},
        folder);
    ck_assert_msg(compare.status == 0, "%s", compare.errors);
    temporary_remove(folder);
}
END_TEST

/* --- signals ---------------------------------------------------------------------------------- */

typedef struct {
    pid_t pid;
    int errors;
} Running;

/* A study of points that take minutes. */
static Running start_long(const char *folder)
{
    Running running;
    study_process_plan(folder, "workload.loads = 10, 500000000\n");
    const char *words[] = {program(), "study", "run", "study", "-j", "2", NULL};
    signal(SIGINT, SIG_DFL);
    ck_assert(g_spawn_async_with_pipes(folder, (char **)words, NULL,
                                       G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL, NULL,
                                       NULL, &running.pid, NULL, NULL, &running.errors, NULL));
    g_autofree char *segments = g_build_filename(folder, "study", "segments", NULL);
    for (bool recorded = false; !recorded; g_usleep(10000)) {
        g_autoptr(GDir) names = g_dir_open(segments, 0, NULL);
        const char *name = NULL;
        while (names && !recorded && (name = g_dir_read_name(names)))
            recorded = g_str_has_suffix(name, ".segment");
    }
    return running;
}

static char *read_errors(const Running *running)
{
    char text[1000] = "";
    const ssize_t length = read(running->errors, text, sizeof text - 1);
    ck_assert_int_gt(length, 0);
    return g_strdup(text);
}

static const int ends[] = {SIGINT, SIGTERM};

START_TEST(a_signal_ends_a_run_and_what_was_done_stays)
{
    char *folder = temporary_folder();
    const Running running = start_long(folder);
    int state = 0;
    kill(running.pid, ends[_i]);
    ck_assert_int_eq(waitpid(running.pid, &state, 0), running.pid);
    ck_assert(WIFEXITED(state));
    ck_assert_int_eq(WEXITSTATUS(state), 130);
    g_autofree char *errors = read_errors(&running);
    ck_assert_str_eq(errors, "warpmem: interrupted: 1 of 2 points are recorded; to go on: warpmem "
                             "study run study\n");
    const Outcome status = warpmem(folder, "study status study --json");
    g_autoptr(JsonNode) root = json_from_string(status.out, NULL);
    ck_assert_double_eq(number(root, "done"), 1);
    ck_assert_double_eq(number(root, "missing"), 1);
    temporary_remove(folder);
}
END_TEST

START_TEST(SIGUSR1_asks_how_far_it_is)
{
    char *folder = temporary_folder();
    const Running running = start_long(folder);
    kill(running.pid, SIGUSR1);
    g_autofree char *line = read_errors(&running);
    ck_assert_msg(g_str_has_prefix(line, "1 of 2 points, "), "%s", line);
    ck_assert(g_str_has_suffix(line, " left\n"));
    ck_assert(study_process_kill(running.pid));
    temporary_remove(folder);
}
END_TEST

/* --- mistakes --------------------------------------------------------------------------------- */

static const struct {
    const char *arguments, *message;
} mistakes[] = {
    {"run nowhere", "nowhere: no study: it has no manifest.jsonl"},
    {"run study -j 0", "--jobs 0: allowed: whole number from 1 to 4096"},
    {"run study -j0", "--jobs 0: allowed: whole number from 1 to 4096"},
    {"run study --retries 101", "--retries 101: allowed: whole number from 0 to 100"},
    {"run study --shard 3/3", "--shard 3/3: there is no such shard; the shards are 0/3 to 2/3"},
    {"run study --time-limit 60", "--time-limit 60: not a time from 1 ms to 1000 h with its unit"},
    {"run study --memory-limit 1", "--memory-limit 1: not an amount of memory"},
    {"run study --set l1.ways=4", "--set l1.ways=4: a plan is not changed"},
    {"run study -o ''", "-o '': an empty name"},
    {"run study study", "study: one argument too many"},
    {"status nowhere", "nowhere: no study"},
    {"status study --shards -1", "--shards -1: allowed: whole number from 1 to 100000"},
    {"status study --shards 0", "--shards 0: allowed: whole number from 1 to 100000"},
    {"status study --shrads 2", "Unknown option --shrads; did you mean --shards? usage: warpmem "},
    {"status study --frequency", "Unknown option --frequency; usage: warpmem study status"},
    {"run 'no where'", "to write one: warpmem study plan SCENARIO -o 'no where'\n"},
    {"run small.ini", "small.ini: a file, and a study is a folder; of a scenario, 'study run "},
    {"perfect study", "'warpmem study plan SCENARIO --design perfect -o DIR' plans one"},
};

START_TEST(a_mistake_is_one_line_and_nothing_is_run)
{
    char *folder = temporary_folder();
    study_process_plan(folder, TEN);
    g_autofree char *line = g_strdup_printf("study %s", mistakes[_i].arguments);
    const Outcome run = warpmem(folder, line);
    ck_assert_int_eq(run.status, 2);
    ck_assert_msg(strstr(run.errors, mistakes[_i].message), "%s", run.errors);
    ck_assert_ptr_eq(strchr(run.errors, '\n'), run.errors + strlen(run.errors) - 1);
    ck_assert(!exists(folder, "study/segments"));
    temporary_remove(folder);
}
END_TEST

START_TEST(a_study_that_another_build_planned_is_refused)
{
    char *folder = temporary_folder();
    study_process_plan(folder, TEN);
    g_autofree char *mine = g_build_filename(folder, "study", NULL);
    g_autofree char *other = g_build_filename(folder, "other", NULL);
    g_autoptr(Manifest) manifest = manifest_read(mine, NULL);
    g_autofree char *build = g_steal_pointer(&manifest->build);
    manifest->build = g_strdup("0123456789");
    ck_assert(manifest_write(manifest, other, NULL));
    const Outcome run = warpmem(folder, "study run other");
    ck_assert_int_eq(run.status, 2);
    ck_assert_msg(strstr(run.errors, "was planned by build 0123456789"), "%s", run.errors);
    ck_assert_msg(strstr(run.errors, build), "%s", run.errors); /* and that of the program */
    temporary_remove(folder);
}
END_TEST

/* --- status ----------------------------------------------------------------------------------- */

START_TEST(status_tells_a_study_that_has_not_begun)
{
    char *folder = temporary_folder();
    study_process_plan(folder, TEN);
    const Outcome status = warpmem(folder, "study status study");
    ck_assert_int_eq(status.status, 0);
    ck_assert_str_eq(status.out, "Small chases\n  points   10\n  done      0\n  failed    0\n"
                                 "  missing  10\n  nothing is recorded yet\n"
                                 "  next: warpmem study run study\n");
    temporary_remove(folder);
}
END_TEST

START_TEST(a_folder_may_have_any_name)
{
    char *folder = temporary_folder();
    study_process_plan(folder, TEN);
    g_autofree char *study = g_build_filename(folder, "study", NULL);
    g_autofree char *other = g_build_filename(folder, "a\n b\xff", NULL);
    ck_assert_int_eq(g_rename(study, other), 0);
    const Outcome run = warpmem(folder, "study run 'a\n b\xff' -q");
    ck_assert_msg(run.status == 0, "%s", run.errors);
    const Outcome status = warpmem(folder, "study status 'a\n b\xff' --json");
    ck_assert_msg(g_utf8_validate(status.out, -1, NULL), "%s", status.out);
    g_autoptr(JsonNode) root = json_from_string(status.out, NULL);
    ck_assert_ptr_nonnull(root);
    ck_assert_double_eq(number(root, "done"), 10);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("study_command");
    tcase_add_test(cases, a_study_is_planned_and_run_in_one_go_and_says_what_comes_next);
    tcase_add_test(cases, failed_points_are_named_with_their_values_and_make_the_status_1);
    tcase_add_test(cases, a_shard_runs_its_part_and_JSON_says_so);
    tcase_add_test(cases, results_that_are_kept_can_be_compared);
    tcase_add_loop_test(cases, a_signal_ends_a_run_and_what_was_done_stays, 0, G_N_ELEMENTS(ends));
    tcase_add_test(cases, SIGUSR1_asks_how_far_it_is);
    tcase_add_loop_test(cases, a_mistake_is_one_line_and_nothing_is_run, 0, G_N_ELEMENTS(mistakes));
    tcase_add_test(cases, a_study_that_another_build_planned_is_refused);
    tcase_add_test(cases, a_folder_may_have_any_name);
    tcase_add_test(cases, status_tells_a_study_that_has_not_begun);
    return harness_run_cases("study_command", cases);
}
