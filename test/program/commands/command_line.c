/* The program as its users meet it: a process, judged by status, stdout, stderr and files. */
#include <fcntl.h>
#include <json-glib/json-glib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/harness.h"
#include "rigs/program.h"
#include "scenarios/program/result/result.h"

/* A machine of two SMs, so that a run takes a fraction of a second. */
static const char small[] =
    "[scenario]\ntitle = Small\nextends = v100\n"
    "[machine]\nsms = 2\npartitions = 2\npeak_bandwidth_gbps = 0\n"
    "[workload]\npattern = stream\noperation = triad\narray_bytes = 64 KiB\n"
    "[variant prt-8]\nl1.prt_entries = 8\n";

/* --- good runs --- */

START_TEST(a_run_prints_a_summary_and_a_comparison_and_writes_results)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    const Outcome outcome = warpmem(folder, "run small.ini -o out");
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    ck_assert_str_eq(outcome.errors, "");
    ck_assert_ptr_nonnull(strstr(outcome.out, "\nprt-8: "));
    ck_assert_ptr_nonnull(strstr(outcome.out, "bound by"));
    ck_assert_ptr_nonnull(strstr(outcome.out, "l1.prt_entries: 512 -> 8"));
    ck_assert_ptr_null(strchr(outcome.out, '\033'));
    g_autoptr(JsonNode) result = json_file(folder, "out/prt-8/result.json");
    g_autoptr(JsonNode) host = json_file(folder, "out/baseline/host.json"),
                        second = json_file(folder, "out/prt-8/host.json");
    ck_assert_double_eq(result_number(host, "place"), 0);
    ck_assert_double_eq(result_number(second, "place"), 1);
    ck_assert_double_gt(result_number(host, "wall_s"), 0);
    ck_assert_double_gt(result_number(host, "transactions_per_s"), 0);
    ck_assert_str_eq(result_text(result, "variant"), "prt-8");
    ck_assert_str_eq(result_text(result, "parameters.l1.prt_entries"), "8");
    ck_assert_ptr_null(result_text(result, "parameters.simulation.deployment"));
    ck_assert_double_eq(result_number(result, "summary.transactions"), 3 * 64 * 1024 / 128);
    ck_assert_double_eq(result_number(result, "units.sm.count"), 2);
    ck_assert_ptr_null(result_member(host, "quantum"));
    ck_assert_int_eq((int)json_node_get_value_type(result_member(result, "summary.core_cycles")),
                     (int)G_TYPE_INT64);
    temporary_remove(folder);
}
END_TEST

START_TEST(a_run_puts_nothing_into_the_folder_of_temporary_files)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    g_setenv("TMPDIR", "/nowhere", TRUE);
    const Outcome outcome = warpmem(folder, "run small.ini --variant baseline -q");
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    temporary_remove(folder);
}
END_TEST

/* Only a result that is kept or printed as JSON is made whole. */
START_TEST(a_run_prints_the_same_whether_its_result_is_kept_or_not)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    const Outcome kept = warpmem(folder, "run small.ini -o out");
    const Outcome shown = warpmem(folder, "run small.ini");
    const Outcome json = warpmem(folder, "run small.ini --json");
    g_auto(GStrv) parts = g_strsplit(kept.out, "  results: out\n\n", -1);
    g_autofree char *rest = g_strjoinv("", parts);
    ck_assert_str_eq(rest, shown.out);
    ck_assert_ptr_nonnull(strstr(json.out, "\"profile\": {"));
    temporary_remove(folder);
}
END_TEST

/* A triad has no atomics and no barriers, but loads. */
START_TEST(statistics_that_stay_at_zero_in_a_busy_unit_are_named)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    const Outcome outcome = warpmem(folder, "run small.ini --variant baseline -q -o out");
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    g_autoptr(JsonNode) result = json_file(folder, "out/baseline/result.json");
    g_autofree char *l1 = json_to_string(result_member(result, "units.l1.unmoved"), FALSE);
    g_autofree char *sm = json_to_string(result_member(result, "units.sm.unmoved"), FALSE);
    ck_assert_ptr_nonnull(strstr(l1, "\"atomics\""));
    ck_assert_ptr_nonnull(strstr(sm, "\"barriers\""));
    ck_assert_ptr_null(strstr(l1, "\"misses\""));
    temporary_remove(folder);
}
END_TEST

/* Latency is counted from the same requests that the stages are, in every class. */
START_TEST(stages_of_a_result_sum_to_its_latency)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    const Outcome outcome = warpmem(folder, "run small.ini --variant baseline -q -o out");
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
        const Outcome outcome = warpmem(folder, runs[i]);
        ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    }
    g_autofree char *a = contents(folder, "a/baseline/result.json"),
                    *b = contents(folder, "b/baseline/result.json");
    g_autofree char *c = contents(folder, "c/baseline/result.json");
    ck_assert_str_eq(a, b);
    ck_assert_str_eq(a, c);
    ck_assert_ptr_null(strstr(a, folder));
    const Outcome same = warpmem(folder, "compare a/baseline b/baseline --fail-over 0");
    ck_assert_int_eq(same.status, 0);
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
    ck_assert_int_eq(warpmem(folder, "run small.ini -q -o out").status, 0);
    for (unsigned i = 0; i < G_N_ELEMENTS(commands); i++) {
        const Outcome outcome = warpmem(folder, commands[i]);
        ck_assert_msg(outcome.status == 0, "%s: %s", commands[i], outcome.errors);
        g_autoptr(JsonNode) node = json_from_string(outcome.out, NULL);
        ck_assert_msg(node != NULL, "%s", commands[i]);
    }
    temporary_remove(folder);
}
END_TEST

/* Strided lanes ask for just the bytes that the benchmark counts; a stream counts arrays. */
START_TEST(counted_bandwidth_stands_where_it_says_more_than_requested)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    g_autofree char *other = temporary_file(
        folder, "strided.ini",
        "[scenario]\nextends = v100\n[machine]\nsms = 2\npartitions = 2\n"
        "peak_bandwidth_gbps = 0\n[workload]\npattern = strided\nctas = 2\nfootprint = 64 KiB\n");
    const Outcome stream = warpmem(folder, "run small.ini --variant baseline --json");
    const Outcome strided = warpmem(folder, "run strided.ini --json");
    ck_assert_msg(strided.status == 0, "%s", strided.errors);
    ck_assert_ptr_null(strstr(strided.out, "counted_gbps"));
    ck_assert_ptr_nonnull(strstr(stream.out, "counted_gbps"));
    temporary_remove(folder);
}
END_TEST

/* --- other commands --- */

static const struct {
    const char *arguments, *expected; /* something that stdout holds */
} answers[] = {
    {"--version", "warpmem "},
    {"--help", "Commands:"},
    {"--help", "\n  2    bad usage or bad input, or output that could not be written\n"},
    {"run --help", "--variant"},
    {"compare --help", "--fail-over"},
    {"check --help", "\n  --kernels=LIST                only these kernels, by the numbers"},
    {"show --help", "--json"},
    {"list --help", "Usage: warpmem list"},
    {"list --help", "|figures] [--json]"},
    {"explain --help", "Usage: warpmem explain"},
    {"trace --help", "trace generate"},
    {"trace generate --help", "Recipes:"},
    {"trace info --help", "PATH"},
    {"check small.ini", "small.ini: good: Small; baseline, prt-8"},
    {"show small.ini", "small.ini:5"},
    {"show v100", "platform/presets/v100.ini:"},
    {"show small.ini --variant prt-8", "small.ini:13"},
    {"show small.ini --set l1.prt_entries=9", "--set"},
    {"show small.ini --set l1.prt_entries=9 --json",
     "\"name\": \"l1.prt_entries\",\n    \"value\": \"9\",\n    \"origin\": \"set\"\n"},
    {"list presets", "v100"},
    {"list", "quickstart"},
    {"list parts", "hbm3_6400"},
    {"show small.ini --set dram.part=hbm3_6400", "platform/dram/hbm3_6400.ini:"},
    {"list workloads", "pointer_chase"},
    {"list statistics", "sm.load_latency"},
    {"list classes", "load_l2_hit"},
    {"list stages", "dram_bus"},
    {"list units", "dram_channel"}, /* a unit ... */
    {"list units", "address_map"},  /* ... and a group of parameters */
    {"list units", "one an SM"},
    {"list channels", "access_scheduler.from_l2"},
    {"list channels --json", "\"capacity\": \"channels.scheduler_input_queue\""},
    {"reference", "| `l2_slice.to_scheduler` | `access_scheduler.from_l2` | channels.l2_to_sch"},
    {"list results", "dram_gbps"},
    {"list results --json", "\"unit\": \"GB/s\""},
    {"reference", "| `l1_capacity` >= 4 MiB, where first_level.array = 0 B; twice |\n"},
    {"reference",
     "read latency: column to first data | `dram_latency` 1 cycle; `dram` 1 cycle; half |"},
    {"small.ini --variant prt-8", "Small, prt-8"},
};

START_TEST(a_command_answers)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    const Outcome outcome = warpmem(folder, answers[_i].arguments);
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
    {"run small.ini -o out --set l3.ways=6", "there is no group 'l3'; did you mean 'l1'?"},
    {"run small.ini -o out --set machine.sector_bytes=24B", "machine.sector_bytes"},
    {"run small.ini -o out --set machine.peak_bandwidth_gbps=900",
     "4 channels (machine.partitions"},
    {"run small.ini -o out --set workload.pattern=strem", "did you mean 'stream'?"},
    {"run small.ini -o out --variant prt-9", "did you mean prt-8"},
    {"run small.ini -o out --variant bas", "did you mean baseline"},
    {"run small.ini -o /dev/null/out",
     "-o /dev/null/out/baseline: results cannot be written there"},
    {"run small.ini -o small.ini", "results cannot be written there"},
    {"run small.ini -o \"\"", "-o '': an empty name"},
    {"run small.ini -o blocked", "host.json: results cannot be written there: Is a directory"},
    {"run nothing.ini -o out", "nothing.ini: cannot be read: No such file or directory"},
    {"run . -o out", "cannot be read: Is a directory"},
    {"run /dev/zero -o out", "/dev/zero: cannot be read: it does not end within 256 MiB"},
    {"run small.ini -o out --set network.platform=/dev/zero",
     "network.platform = /dev/zero: /dev/zero: no regular file"},
    {"run preset.ini -o out",
     "preset.ini:2: scenario.extends = v10: no such preset; did you mean 'v100'?"},
    {"run twice.ini -o out", "twice.ini:4: l1.sets stands twice, first in line 3"},
    {"run trace.ini -o out", "trace.ini:5: workload.file = nowhere/kernelslist.g"},
    {"run cut.ini -o out", "cut/kernel-1.traceg"},
    {"run small.ini -o out --frequency", "Unknown option --frequency"},
    {"run", "usage: warpmem run SCENARIO"},
    {"run small.ini small.ini", "one argument too many"},
    {"rum small.ini", "no such command; did you mean 'run'?"},
    {"quickstart", "no such command; to run that scenario: warpmem run quickstart"},
    {"check twice.ini", "stands twice"},
    {"show preset.ini", "no such preset"},
    {"compare small.ini small.ini", "not JSON"},
    {"compare nowhere", "cannot be read: No such file"},
    {"compare /dev/zero small.ini", "/dev/zero: cannot be read: it does not end"},
    {"explain tRCD", "did you mean 'tRCDRD'?"},
    {"explain l2", "did you mean 'l2_slice'?"},
    {"explain workload.array_bites", "did you mean 'array_bytes'?"},
    {"explain l1.prt_entires", "did you mean 'l1.prt_entries'?"},
    {"explain network.bandwidth", "did you mean 'network.request_source_bandwidth'?"},
    {"list partz", "did you mean parts"},
    {"run small.ini --set dram.part=hbm2e", "dram.part = hbm2e: no such DRAM part"},
    {"list stagse", "did you mean stages"},
    {"trace info nowhere", "nowhere: cannot be read: No such file"},
    {"trace generate strem -o out", "did you mean 'stream'?"},
    {"trace generate stream", "-o DIR says where to write it"},
};

/* A trace whose last thread block ends in the middle. */
static void write_cut_trace(const char *folder)
{
    const Outcome generated =
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
    g_autofree char *obstacle = g_build_filename(folder, "blocked", "baseline", "host.json", NULL);
    ck_assert_int_eq(g_mkdir_with_parents(obstacle, 0777), 0);
}

START_TEST(a_mistake_is_one_line_and_status_two)
{
    char *folder = temporary_folder();
    write_mistakes(folder);
    if (strstr(mistakes[_i].arguments, "cut.ini")) write_cut_trace(folder);
    const Outcome outcome = warpmem(folder, mistakes[_i].arguments);
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

static JsonNode *interrupted_result(const Started *run)
{
    interrupt_run(run);
    JsonNode *result = json_file(run->folder, "out/baseline/result.json");
    ck_assert(result_is_partial(result));
    ck_assert_double_gt(result_number(result, "summary.transactions"), 0);
    return result;
}

START_TEST(an_interrupted_run_leaves_a_partial_result)
{
    Started run = start(small, "small.ini -j 1 --set workload.array_bytes=256MiB");
    g_autoptr(JsonNode) result = interrupted_result(&run);
    ck_assert(result_is_measured(result));
    ck_assert_double_gt(result_number(result, "summary.time_ns"), 0);
    ck_assert(!exists(run.folder, "out/prt-8"));
    temporary_remove(run.folder);
}
END_TEST

START_TEST(a_run_that_is_interrupted_in_its_warm_up_measured_nothing)
{
    Started run = start(small, "small.ini -j 1 --set workload.array_bytes=256MiB"
                               " --set workload.launches=2 --set workload.warm_up_launches=1");
    g_autoptr(JsonNode) result = interrupted_result(&run);
    JsonArray *kernels = json_node_get_array(result_member(result, "summary.kernels"));
    ck_assert(!result_is_measured(result));
    ck_assert_double_eq(result_number(result, "summary.core_cycles"), 0);
    ck_assert_double_eq(result_number(result, "summary.time_ns"), 0);
    ck_assert_double_gt(result_number(result, "summary.end_ns"), 0);
    ck_assert_uint_eq(json_array_get_length(kernels), 1);
    ck_assert(
        !json_node_get_boolean(result_member(json_array_get_element(kernels, 0), "finished")));
    temporary_remove(run.folder);
}
END_TEST

/* The scenario is a pipe, so that the program is known to be reading it when the signals come. */
START_TEST(signals_during_start_up_wait_for_its_end)
{
    Started run = start(small, "pipe.ini");
    g_autofree char *path = g_build_filename(run.folder, "pipe.ini", NULL);
    char message[256] = "";
    const int pipe = open(path, O_WRONLY);
    kill(run.pid, SIGUSR1);
    kill(run.pid, SIGINT);
    ck_assert_int_eq(write(pipe, small, strlen(small)), (int)strlen(small));
    close(pipe);
    ck_assert_int_gt(read(run.errors, message, sizeof message - 1), 0);
    ck_assert_int_eq(wait_for_end(&run), 130);
    ck_assert_str_eq(message, "warpmem: interrupted before the simulation began; "
                              "nothing was written\n");
    ck_assert(!exists(run.folder, "out"));
    temporary_remove(run.folder);
}
END_TEST

/* A shell without job control starts background jobs so: an interrupt is not meant for them. */
START_TEST(an_ignored_interrupt_stays_ignored)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    g_autofree char *command = g_strdup_printf(
        "mkfifo p; trap '' INT; '%s' run p -q -o out & exec 3>p; kill -INT $!; cat small.ini >&3;"
        "exec 3>&-; wait $!",
        program());
    const Outcome outcome = run_words((char *[]){"sh", "-c", command, NULL}, folder);
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    ck_assert(exists(folder, "out/baseline/result.json"));
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("command_line"), *repeating = tcase_create("answers");
    tcase_add_test(cases, a_run_prints_the_same_whether_its_result_is_kept_or_not);
    tcase_add_test(cases, a_run_puts_nothing_into_the_folder_of_temporary_files);
    tcase_add_test(cases, a_run_prints_a_summary_and_a_comparison_and_writes_results);
    tcase_add_test(cases, statistics_that_stay_at_zero_in_a_busy_unit_are_named);
    tcase_add_test(cases, stages_of_a_result_sum_to_its_latency);
    tcase_add_test(cases, two_runs_and_another_deployment_leave_the_same_bytes);
    tcase_add_test(cases, counted_bandwidth_stands_where_it_says_more_than_requested);
    tcase_add_test(cases, json_on_stdout_is_json);
    tcase_add_loop_test(repeating, a_command_answers, 0, G_N_ELEMENTS(answers));
    tcase_add_loop_test(cases, a_mistake_is_one_line_and_status_two, 0, G_N_ELEMENTS(mistakes));
    tcase_add_test(cases, an_interrupted_run_leaves_a_partial_result);
    tcase_add_test(cases, a_run_that_is_interrupted_in_its_warm_up_measured_nothing);
    tcase_add_test(cases, signals_during_start_up_wait_for_its_end);
    tcase_add_test(cases, an_ignored_interrupt_stays_ignored);
    return harness_run_repeating("command_line", cases, repeating);
}
