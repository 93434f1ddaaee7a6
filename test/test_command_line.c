/* The program as its users meet it: a process, judged by status, stdout, stderr and files. */
#include <fcntl.h>
#include <json-glib/json-glib.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "scenarios/result.h"
#include "temporary.h"

/* A machine of two SMs, so that a run takes a fraction of a second. */
static const char small[] =
    "[scenario]\ntitle = Small\nextends = v100\n"
    "[machine]\nsms = 2\npartitions = 2\npeak_bandwidth_gbps = 0\n"
    "[workload]\npattern = stream\noperation = triad\narray_bytes = 64 KiB\n"
    "[variant prt-8]\nl1.prt_entries = 8\n";

typedef struct {
    int status;
    char *out, *errors;
} Outcome;

static void outcome_finish(Outcome *outcome)
{
    g_free(outcome->out);
    g_free(outcome->errors);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Outcome, outcome_finish)

static const char *program(void)
{
    const char *path = g_getenv("WARPMEM_PROGRAM");
    ck_assert_msg(path != NULL, "WARPMEM_PROGRAM says where the program is");
    return path;
}

/* Runs "warpmem ARGUMENTS" in `folder`; arguments are divided as a shell would. */
static Outcome warpmem(const char *folder, const char *arguments)
{
    Outcome outcome = {0};
    g_autofree char *line = g_strdup_printf("%s %s", program(), arguments);
    g_auto(GStrv) words = NULL;
    g_autoptr(GError) error = NULL;
    ck_assert(g_shell_parse_argv(line, NULL, &words, NULL));
    int status = 0;
    ck_assert_msg(g_spawn_sync(folder, words, NULL, 0, NULL, NULL, &outcome.out, &outcome.errors,
                               &status, &error),
                  "%s", error ? error->message : "");
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return outcome;
}

static char *contents(const char *folder, const char *name)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    char *text = NULL;
    ck_assert_msg(g_file_get_contents(path, &text, NULL, NULL), "no %s", path);
    return text;
}

static bool exists(const char *folder, const char *name)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    return g_file_test(path, G_FILE_TEST_EXISTS);
}

static JsonNode *json_file(const char *folder, const char *name)
{
    g_autofree char *text = contents(folder, name);
    JsonNode *node = json_from_string(text, NULL);
    ck_assert_msg(node != NULL, "%s is not JSON", name);
    return node;
}

/* --- good runs --- */

START_TEST(a_run_prints_a_summary_and_a_comparison_and_writes_results)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    g_auto(Outcome) outcome = warpmem(folder, "run small.ini -o out");
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    ck_assert_str_eq(outcome.errors, "");
    ck_assert_ptr_nonnull(strstr(outcome.out, "Small, baseline"));
    ck_assert_ptr_nonnull(strstr(outcome.out, "bound by"));
    ck_assert_ptr_nonnull(strstr(outcome.out, "l1.prt_entries: 512 -> 8"));
    ck_assert_ptr_null(strchr(outcome.out, '\033'));
    g_autoptr(JsonNode) result = json_file(folder, "out/prt-8/result.json");
    g_autoptr(JsonNode) host = json_file(folder, "out/baseline/host.json");
    ck_assert_double_gt(result_number(host, "wall_s"), 0);
    ck_assert_double_gt(result_number(host, "transactions_per_s"), 0);
    ck_assert_str_eq(result_text(result, "variant"), "prt-8");
    ck_assert_str_eq(result_text(result, "parameters.l1.prt_entries"), "8");
    ck_assert_ptr_null(result_text(result, "parameters.simulation.deployment"));
    ck_assert_double_eq(result_number(result, "summary.transactions"), 3 * 64 * 1024 / 128);
    ck_assert_double_eq(result_number(result, "units.sm.count"), 2);
    temporary_remove(folder);
}
END_TEST

/* Latency is counted from the same requests that the stages are, in every class. */
START_TEST(stages_of_a_result_sum_to_its_latency)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    g_auto(Outcome) outcome = warpmem(folder, "run small.ini --variant baseline -q -o out");
    ck_assert_str_eq(outcome.out, "");
    g_autoptr(JsonNode) result = json_file(folder, "out/baseline/result.json");
    JsonObject *stages = json_node_get_object(result_member(result, "stages"));
    g_autoptr(GList) classes = json_object_get_members(stages);
    for (const GList *name = classes; name; name = name->next) {
        JsonObject *sums = json_object_get_object_member(stages, name->data);
        g_autoptr(GList) members = json_object_get_members(sums);
        gint64 sum = 0;
        for (const GList *member = members; member; member = member->next)
            if (strcmp(member->data, "count") && strcmp(member->data, "latency"))
                sum += json_object_get_int_member(sums, member->data);
        ck_assert_int_eq(sum, json_object_get_int_member(sums, "latency"));
    }
    temporary_remove(folder);
}
END_TEST

START_TEST(two_runs_and_another_deployment_leave_the_same_bytes)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    static const char *const runs[] = {"run small.ini -q -o a", "run small.ini -q -o b",
                                       "run ./small.ini -q -o c --set simulation.deployment=sm"};
    for (unsigned i = 0; i < G_N_ELEMENTS(runs); i++) {
        g_auto(Outcome) outcome = warpmem(folder, runs[i]);
        ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    }
    g_autofree char *a = contents(folder, "a/baseline/result.json"),
                    *b = contents(folder, "b/baseline/result.json");
    g_autofree char *c = contents(folder, "c/baseline/result.json");
    ck_assert_str_eq(a, b);
    ck_assert_str_eq(a, c);
    ck_assert_ptr_null(strstr(a, folder));
    g_auto(Outcome) same = warpmem(folder, "compare a/baseline b/baseline --bound 0");
    ck_assert_int_eq(same.status, 0);
    g_auto(Outcome) different = warpmem(folder, "compare a --bound 0.001");
    ck_assert_int_eq(different.status, 1);
    temporary_remove(folder);
}
END_TEST

START_TEST(json_on_stdout_is_json)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    static const char *const commands[] = {"run small.ini --json", "show small.ini --json",
                                           "list units --json", "list parameters --json",
                                           "compare out --json"};
    g_auto(Outcome) first = warpmem(folder, "run small.ini -q -o out");
    for (unsigned i = 0; i < G_N_ELEMENTS(commands); i++) {
        g_auto(Outcome) outcome = warpmem(folder, commands[i]);
        ck_assert_msg(outcome.status == 0, "%s: %s", commands[i], outcome.errors);
        g_autoptr(JsonNode) node = json_from_string(outcome.out, NULL);
        ck_assert_msg(node != NULL, "%s", commands[i]);
    }
    temporary_remove(folder);
}
END_TEST

/* --- other commands --- */

static const struct {
    const char *arguments, *expected; /* something that stdout holds */
} answers[] = {
    {"--version", "warpmem "},
    {"--help", "Commands:"},
    {"run --help", "--variant"},
    {"compare --help", "--bound"},
    {"check --help", "Usage: warpmem check"},
    {"show --help", "--json"},
    {"list --help", "Usage: warpmem list"},
    {"explain --help", "Usage: warpmem explain"},
    {"trace --help", "trace generate"},
    {"trace generate --help", "Recipes:"},
    {"trace info --help", "PATH"},
    {"check small.ini", "small.ini: good: Small; baseline, prt-8"},
    {"show small.ini", "small.ini:5"},
    {"show small.ini", "platform/v100.ini:"},
    {"show small.ini --variant prt-8", "small.ini:13"},
    {"show small.ini --set l1.prt_entries=9", "--set"},
    {"list presets", "v100"},
    {"list", "quickstart"},
    {"list workloads", "pointer_chase"},
    {"list statistics", "sm.load_latency"},
    {"list stages", "dram_bus"},
    {"explain l1", "parameters"},
    {"explain l1.prt_entries", "allowed: whole number"},
    {"explain prt_entries", "l1.prt_entries (parameter)"},
    {"explain sm.load_latency", "distribution of durations"},
    {"explain dram_bus", "stage of a request's latency"},
    {"explain stream", "array_bytes"},
    {"small.ini --variant prt-8", "Small, prt-8"},
};

START_TEST(a_command_answers)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    g_auto(Outcome) outcome = warpmem(folder, answers[_i].arguments);
    ck_assert_msg(outcome.status == 0, "%s: %s", answers[_i].arguments, outcome.errors);
    ck_assert_msg(strstr(outcome.out, answers[_i].expected) != NULL, "%s", outcome.out);
    temporary_remove(folder);
}
END_TEST

/* --- bad input --- */

/* Each leaves one line with this in it on stderr, nothing on stdout, no out/, and status 2. */
static const struct {
    const char *arguments, *message;
} mistakes[] = {
    {"run small.ini -o out --set l2_slice.capcity=1MiB", "did you mean 'capacity'?"},
    {"run small.ini -o out --set l2_slice.capacity=6",
     "a unit is missing; bytes are written as 6 B, 6 KiB"},
    {"run small.ini -o out --set l2_slice.capacity=6TiB",
     "out of range; allowed: bytes from 1 KiB to"},
    {"run small.ini -o out --set l3.ways=6", "the machine has no group 'l3'; did you mean 'l1'?"},
    {"run small.ini -o out --set machine.sector_bytes=24B", "machine.sector_bytes"},
    {"run small.ini -o out --set machine.peak_bandwidth_gbps=900", "channels x"},
    {"run small.ini -o out --set workload.pattern=strem", "did you mean 'stream'?"},
    {"run small.ini -o out --variant prt-9", "did you mean prt-8"},
    {"run small.ini -o /dev/null/out",
     "-o /dev/null/out/baseline: results cannot be written there"},
    {"run small.ini -o small.ini", "results cannot be written there"},
    {"run nothing.ini -o out", "nothing.ini: cannot be read: No such file or directory"},
    {"run . -o out", "cannot be read"},
    {"run preset.ini -o out",
     "preset.ini:2: scenario.extends = v10: no such preset; did you mean 'v100'?"},
    {"run twice.ini -o out", "twice.ini:4: l1.sets stands twice, first in line 3"},
    {"run trace.ini -o out", "trace.ini:5: workload.file = nowhere/kernelslist.g"},
    {"run cut.ini -o out", "cut/kernel-1.traceg"},
    {"run small.ini -o out --frequency", "Unknown option --frequency"},
    {"run", "usage: warpmem run SCENARIO"},
    {"run small.ini small.ini", "one argument too many"},
    {"rum small.ini", "no such command; did you mean 'run'?"},
    {"check twice.ini", "stands twice"},
    {"show preset.ini", "no such preset"},
    {"compare small.ini small.ini", "not JSON"},
    {"compare nowhere", "cannot be read"},
    {"explain l1.prt_entires", "did you mean 'l1.prt_entries'?"},
    {"list stagse", "did you mean stages"},
    {"trace info nowhere", "nowhere"},
    {"trace generate strem -o out", "did you mean 'stream'?"},
    {"trace generate stream", "-o DIR says where to write it"},
};

/* A trace whose last thread block ends in the middle. */
static void write_cut_trace(const char *folder)
{
    g_auto(Outcome) generated =
        warpmem(folder, "trace generate stream -o cut --set array_bytes=64KiB");
    ck_assert_msg(generated.status == 0, "%s", generated.errors);
    g_autofree char *text = contents(folder, "cut/kernel-1.traceg");
    text[strlen(text) * 3 / 4] = '\0';
    g_autofree char *cut = g_build_filename(folder, "cut", NULL);
    g_autofree char *file = temporary_file(cut, "kernel-1.traceg", text);
}

static void write_mistakes(const char *folder)
{
    static const char *const files[][2] = {
        {"small.ini", small},
        {"preset.ini", "[scenario]\nextends = v10\n"},
        {"twice.ini", "[scenario]\n[l1]\nsets = 4\nsets = 8\n"},
        {"trace.ini",
         "[scenario]\nextends = v100\n[workload]\npattern = trace\nfile = nowhere/kernelslist.g\n"},
        {"cut.ini",
         "[scenario]\nextends = v100\n[workload]\npattern = trace\nfile = cut/kernelslist.g\n"},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *file = temporary_file(folder, files[i][0], files[i][1]);
    }
}

START_TEST(a_mistake_is_one_line_and_status_two)
{
    char *folder = temporary_folder();
    write_mistakes(folder);
    if (strstr(mistakes[_i].arguments, "cut.ini")) write_cut_trace(folder);
    g_auto(Outcome) outcome = warpmem(folder, mistakes[_i].arguments);
    ck_assert_msg(outcome.status == 2, "%s: status %d: %s", mistakes[_i].arguments, outcome.status,
                  outcome.errors);
    ck_assert_str_eq(outcome.out, "");
    ck_assert_msg(g_str_has_prefix(outcome.errors, "warpmem: "), "%s", outcome.errors);
    ck_assert_msg(strstr(outcome.errors, mistakes[_i].message) != NULL, "%s", outcome.errors);
    ck_assert_msg(strchr(outcome.errors, '\n') == outcome.errors + strlen(outcome.errors) - 1, "%s",
                  outcome.errors);
    ck_assert(!exists(folder, "out"));
    temporary_remove(folder);
}
END_TEST

/* --- signals --- */

/* Reads stderr until it has a whole line. */
static void wait_for_line(int file)
{
    char c = 0;
    while (c != '\n' && read(file, &c, 1) == 1) continue;
    ck_assert_int_eq(c, '\n');
}

START_TEST(an_interrupted_run_leaves_a_partial_result)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    char *words[] = {(char *)program(),
                     "run",
                     "small.ini",
                     "--set",
                     "workload.array_bytes=1GiB",
                     "-q",
                     "-o",
                     "out",
                     NULL};
    GPid pid = 0;
    int errors = -1, state = 0;
    ck_assert(g_spawn_async_with_pipes(folder, words, NULL,
                                       G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL, NULL,
                                       NULL, &pid, NULL, NULL, &errors, NULL));
    g_usleep(300000); /* before its handlers stand, SIGUSR1 would end it */
    kill(pid, SIGUSR1);
    wait_for_line(errors); /* it simulates, and SIGUSR1 is answered */
    kill(pid, SIGINT);
    ck_assert_int_eq(waitpid(pid, &state, 0), pid);
    ck_assert(WIFEXITED(state));
    ck_assert_int_eq(WEXITSTATUS(state), 130);
    g_autoptr(JsonNode) result = json_file(folder, "out/baseline/result.json");
    ck_assert(json_node_get_boolean(result_member(result, "partial")));
    ck_assert_double_gt(result_number(result, "summary.transactions"), 0);
    ck_assert_double_gt(result_number(result, "summary.time_ns"), 0);
    ck_assert(!exists(folder, "out/prt-8"));
    close(errors);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("command_line");
    tcase_add_test(cases, a_run_prints_a_summary_and_a_comparison_and_writes_results);
    tcase_add_test(cases, stages_of_a_result_sum_to_its_latency);
    tcase_add_test(cases, two_runs_and_another_deployment_leave_the_same_bytes);
    tcase_add_test(cases, json_on_stdout_is_json);
    tcase_add_loop_test(cases, a_command_answers, 0, G_N_ELEMENTS(answers));
    tcase_add_loop_test(cases, a_mistake_is_one_line_and_status_two, 0, G_N_ELEMENTS(mistakes));
    tcase_add_test(cases, an_interrupted_run_leaves_a_partial_result);
    Suite *suite = suite_create("command_line");
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
