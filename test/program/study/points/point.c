/* One point of a study, against `run` of the same configuration. A child process each: SimGrid's
 * engine starts once a process. */
#include <math.h>

#include "program/study/point_rig.h"
#include "rigs/apart.h"
#include "rigs/harness.h"
#include "rigs/program.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/study/records/outcome.h"

enum { PAYLOAD = 4000 }; /* at most a pipe's 4 KiB with the status */

typedef struct {
    Status status;
    char payload[PAYLOAD];
} Told;

static void tell(const void *input, void *result)
{
    PointAnswer answer;
    Told *told = result;
    told->status = point_simulate(input, &answer);
    ck_assert(!answer.result && !answer.host);
    ck_assert_uint_lt(g_strlcpy(told->payload, answer.payload, PAYLOAD), PAYLOAD);
}

static Told simulate(const Manifest *manifest, guint point)
{
    const PointRequest request = {manifest, manifest->points->pdata[point], false};
    Told told = {STATUS_DONE, ""};
    run_apart(tell, &request, &told, sizeof told);
    return told;
}

static Manifest *plan_small(const char *folder, const char *more)
{
    g_autofree char *text = g_strconcat(small_study, more, NULL);
    g_autofree char *file = temporary_file(folder, "small.ini", text);
    return study_plan(file, "l1.prt_entries", (const char *const[]){"8", NULL});
}

static const OutcomeValue *value_of(const ParsedOutcome *outcome, const char *column)
{
    const int position = result_column_find(column);
    ck_assert_msg(position >= 0, "no column '%s'", column);
    return &g_array_index(outcome->values, OutcomeValue, (guint)position);
}

static void assert_member(const ParsedOutcome *outcome, const ResultColumn *column,
                          JsonNode *result)
{
    const OutcomeValue *value = value_of(outcome, column->name);
    const double expected = result_number(result, column->path);
    ck_assert_msg((value->kind == OUTCOME_NUMBER) == isfinite(expected), "%s", column->name);
    if (isfinite(expected))
        ck_assert_msg(value->number == expected, "%s: %s, not %.17g", column->name, value->text,
                      expected);
}

static void assert_stages(const OutcomeStages *stages, JsonNode *result)
{
    g_autofree char *path = g_strdup_printf("stages.%s", stages->request_class);
    JsonNode *sums = result_member(result, path);
    guint64 latency = 0;
    ck_assert_msg(sums != NULL, "%s", path);
    ck_assert_uint_eq(stages->count, (guint64)result_number(sums, "count"));
    for (guint i = 0; i < STAGE_COUNT; i++) {
        const double sum = result_number(sums, stage_name((Stage)i));
        ck_assert_uint_eq(stages->sums[i], isnan(sum) ? 0 : (guint64)sum);
        latency += stages->sums[i];
    }
    ck_assert_uint_eq(latency, (guint64)result_number(sums, "latency"));
}

static void add_statistics(Manifest *manifest)
{
    static const char *const names[] = {
        "l1.refused_prt",         "l1.prt",     "l1.prt.max", "sm.load_latency",
        "sm.load_latency.p99_fs", "router.hops"};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        g_ptr_array_add(manifest->statistics, g_strdup(names[i]));
}

static void assert_statistics(const ParsedOutcome *outcome, JsonNode *result)
{
    const OutcomeValue *values =
        &g_array_index(outcome->values, OutcomeValue, result_column_count());
    JsonNode *l1 = result_member(result, "units.l1.total");
    JsonNode *latency = result_member(result, "units.sm.total.load_latency");
    ck_assert_double_gt(values[0].number, 0);
    ck_assert_double_eq(values[0].number, result_number(l1, "refused_prt"));
    ck_assert_double_eq(values[1].number, result_number(l1, "prt.mean"));
    ck_assert_double_eq(values[2].number, result_number(l1, "prt.max"));
    ck_assert_double_eq(values[3].number,
                        result_number(latency, "sum_fs") / result_number(latency, "count"));
    ck_assert_double_eq(values[4].number, result_number(latency, "p99_fs"));
    ck_assert_int_eq(values[5].kind, OUTCOME_ABSENT); /* a machine with crossbars */
}

START_TEST(a_points_outcome_is_what_run_says_of_its_configuration)
{
    char *folder = temporary_folder();
    g_autoptr(GError) error = NULL;
    g_autoptr(Manifest) manifest = plan_small(folder, "");
    add_statistics(manifest);
    manifest->peak_power = true;
    const Told told = simulate(manifest, 0);
    ck_assert_msg(told.status == STATUS_DONE, "%s", told.payload);
    ck_assert_int_eq(warpmem(folder, "run small.ini --set l1.prt_entries=8 -q -o out").status, 0);
    g_autoptr(JsonNode) result = json_file(folder, "out/baseline/result.json");
    g_auto(ParsedOutcome) outcome = {NULL, NULL, NULL, 0};
    const guint values = result_column_count() + manifest->statistics->len;
    ck_assert_msg(outcome_parse(told.payload, values, &outcome, &error), "%s",
                  error ? error->message : "");
    for (const ResultColumn *column = result_columns(); column->name; column++)
        if (column->path) assert_member(&outcome, column, result);
    ck_assert_str_eq(value_of(&outcome, "bound")->text, "outstanding misses");
    ck_assert_double_eq(value_of(&outcome, "busy_dram_bus")->number,
                        result_number(result, "resources.dram_channel.data_bus.use"));
    ck_assert_double_gt(value_of(&outcome, "busy_reply_network")->number, 0);
    assert_statistics(&outcome, result);
    ck_assert_uint_eq(outcome.stages->len, 2); /* loads from DRAM, and stores */
    for (guint i = 0; i < outcome.stages->len; i++)
        assert_stages(&g_array_index(outcome.stages, OutcomeStages, i), result);
    temporary_remove(folder);
}
END_TEST

START_TEST(points_differ_by_their_values_and_not_by_the_deployment)
{
    static const char *const deployments[] = {"auto", "sm", "unit"};
    char *folder = temporary_folder();
    g_autofree char *first = NULL;
    for (guint i = 0; i < G_N_ELEMENTS(deployments); i++) {
        g_autofree char *more = g_strdup_printf("[simulation]\ndeployment = %s\n", deployments[i]);
        g_autoptr(Manifest) manifest = plan_small(folder, more);
        study_add_point(manifest, "64");
        const Told one = simulate(manifest, 0), other = simulate(manifest, 1);
        ck_assert_msg(one.status == STATUS_DONE, "%s", one.payload);
        ck_assert_str_ne(one.payload, other.payload);
        if (first) ck_assert_str_eq(one.payload, first);
        if (!first) first = g_strdup(one.payload);
    }
    temporary_remove(folder);
}
END_TEST

/* --- points that follow each other --- */

/* What each point of the manifest says when it is alone, in order; newly allocated. */
static char **each_alone(const Manifest *manifest)
{
    char **payloads = g_new0(char *, manifest->points->len + 1);
    for (guint i = 0; i < manifest->points->len; i++) {
        const Told told = simulate(manifest, i);
        ck_assert_msg(told.status == STATUS_DONE, "%s", told.payload);
        payloads[i] = g_strdup(told.payload);
    }
    return payloads;
}

static void assert_followers(const char *more, const char *dimension, const char *const *values)
{
    char *folder = temporary_folder();
    PointAnswer answer;
    g_autofree char *text = g_strconcat(small_study, more, NULL);
    g_autofree char *file = temporary_file(folder, "small.ini", text);
    g_autoptr(Manifest) manifest = study_plan(file, dimension, values);
    g_auto(GStrv) alone = each_alone(manifest);
    for (guint i = 0; i < manifest->points->len; i++) {
        const PointRequest request = {manifest, manifest->points->pdata[i], false};
        ck_assert_int_eq(point_simulate(&request, &answer), STATUS_DONE);
        ck_assert(answer.goes_on);
        ck_assert_str_eq(answer.payload, alone[i]);
        point_answer_clear(&answer);
    }
    temporary_remove(folder);
}

/* The first value comes again: what was between leaves no trace. */
static const struct {
    const char *more, *dimension, *values[5];
} followers[] = {
    {"", "l1.prt_entries", {"8", "64", "8"}},
    {"", "workload.array_bytes", {"16 KiB", "128 KiB", "4 KiB", "16 KiB"}},
    {"", "dram.ideal", {"no", "bandwidth", "no"}},
    {"", "mmu.enabled", {"yes", "no", "yes"}},
    {"", "access_scheduler.policy", {"fr_fcfs", "in_order", "fr_fcfs"}},
    {"[network]\ntopology = mesh\n", "l1.prt_entries", {"8", "64", "8"}},
    {"[simulation]\nthreads = 2\n", "l1.prt_entries", {"8", "64", "8"}},
};

START_TEST(points_that_follow_others_in_a_process_say_what_they_say_alone)
{
    assert_followers(followers[_i].more, followers[_i].dimension, followers[_i].values);
}
END_TEST

/* Of the second point, which needs something else of SimGrid. */
static const struct {
    const char *more, *dimension, *values[3];
    bool goes_on;
} others[] = {
    {"", "network.reply_source_bandwidth", {"64 B/cycle", "32 B/cycle"}, true},
    {"", "network.topology", {"crossbar", "mesh"}, true},
    {"", "network.timing", {"packet", "flow"}, true},
    {"", "network.timing", {"flow", "flow"}, false},
    {"", "simulation.deployment", {"sm", "sm"}, false},
    {"[link request-source-link-0]\nadded_latency = 1 ns\n", "l1.prt_entries", {"8", "64"}, false},
};

/* Whether another point could follow the first one, and whether the second one then refuses. */
typedef struct {
    bool goes_on, refused;
} Pair;

static void tell_pair(const void *input, void *result)
{
    const Manifest *manifest = input;
    const PointRequest first = {manifest, manifest->points->pdata[0], false},
                       second = {manifest, manifest->points->pdata[1], false};
    Pair *pair = result;
    PointAnswer answer;
    ck_assert_int_eq(point_simulate(&first, &answer), STATUS_DONE);
    pair->goes_on = answer.goes_on;
    if (!pair->goes_on) return;
    ck_assert_int_ne(point_simulate(&second, &answer), STATUS_DONE);
    pair->refused = answer.refused && !answer.goes_on;
}

START_TEST(a_point_that_needs_another_platform_says_so_and_one_that_uses_it_up_as_well)
{
    char *folder = temporary_folder();
    Pair pair = {false, false};
    g_autofree char *text = g_strconcat(small_study, others[_i].more, NULL);
    g_autofree char *file = temporary_file(folder, "small.ini", text);
    g_autoptr(Manifest) manifest = study_plan(file, others[_i].dimension, others[_i].values);
    run_apart(tell_pair, manifest, &pair, sizeof pair);
    ck_assert_int_eq(pair.goes_on, others[_i].goes_on);
    ck_assert_int_eq(pair.refused, others[_i].goes_on);
    temporary_remove(folder);
}
END_TEST

/* --- kept results --- */

static void tell_size(const void *input, void *result)
{
    const PointRequest *request = input;
    PointAnswer answer;
    ck_assert_int_eq(point_simulate(request, &answer), STATUS_DONE);
    ck_assert(g_file_set_contents("kept.json", answer.result, -1, NULL));
    g_autoptr(JsonNode) host = json_from_string(answer.host, NULL);
    ck_assert_double_gt(result_number(host, "wall_s"), 0);
    ck_assert_uint_lt(g_strlcpy(result, answer.payload, PAYLOAD), PAYLOAD);
}

START_TEST(a_result_that_is_kept_is_the_same_bytes_as_of_run)
{
    char *folder = temporary_folder(), payload[PAYLOAD] = "";
    g_autoptr(Manifest) manifest = plan_small(folder, "");
    manifest->peak_power = true;
    const PointRequest request = {manifest, manifest->points->pdata[0], true};
    const Told brief = simulate(manifest, 0);
    ck_assert_int_eq(chdir(folder), 0);
    run_apart(tell_size, &request, payload, sizeof payload);
    ck_assert_int_eq(warpmem(folder, "run small.ini --set l1.prt_entries=8 -q -o out").status, 0);
    g_autofree char *kept = contents(folder, "kept.json"),
                    *expected = contents(folder, "out/baseline/result.json");
    ck_assert_str_eq(kept, expected);
    ck_assert_str_eq(payload, brief.payload);
    ck_assert_int_eq(chdir("/"), 0);
    temporary_remove(folder);
}
END_TEST

/* Without a kept result no more of it is made than the columns need. */
static void assert_same_outcome(const char *folder, const char *text, const char *column)
{
    char payload[PAYLOAD] = "";
    g_auto(ParsedOutcome) outcome = {NULL, NULL, NULL, 0};
    g_autofree char *file = temporary_file(folder, "kept.ini", text);
    g_autoptr(Manifest) manifest =
        study_plan(file, "l1.prt_entries", (const char *const[]){"8", NULL});
    const PointRequest request = {manifest, manifest->points->pdata[0], true};
    const Told brief = simulate(manifest, 0);
    run_apart(tell_size, &request, payload, sizeof payload);
    ck_assert_str_eq(payload, brief.payload);
    ck_assert(outcome_parse(payload, result_column_count(), &outcome, NULL));
    const bool texels = !strcmp(column, "busy_texture_filter");
    ck_assert_int_eq(value_of(&outcome, column)->kind, texels ? OUTCOME_NUMBER : OUTCOME_ABSENT);
    ck_assert_int_eq(value_of(&outcome, "peak_power_w")->kind, OUTCOME_ABSENT);
}

START_TEST(an_outcome_is_the_same_whether_the_result_is_kept)
{
    static const char machine[] = "[scenario]\ntitle = Small\nextends = v100\n"
                                  "[machine]\nsms = 1\npartitions = 1\npeak_bandwidth_gbps = 0\n";
    static const char texels[] =
        "[workload]\npattern = program\nctas = 1\nthreads_per_cta = 32\ncode =\n"
        "  texture table[256, 1] of rgba32f layout linear\n"
        "  for i in 0..4 { t = texel table[i * 32 + lane, 0] }\n";
    static const char ideal[] =
        "[dram]\nideal = bandwidth\n"
        "[workload]\npattern = stream\noperation = read\narray_bytes = 16 KiB\n";
    char *folder = temporary_folder();
    g_autofree char *sampling = g_strconcat(machine, texels, NULL),
                    *unbound = g_strconcat(machine, ideal, NULL);
    ck_assert_int_eq(chdir(folder), 0);
    assert_same_outcome(folder, sampling, "busy_texture_filter");
    assert_same_outcome(folder, unbound, "busy_dram_bus");
    ck_assert_int_eq(chdir("/"), 0);
    temporary_remove(folder);
}
END_TEST

static const char *profile_of(const Manifest *manifest, bool keep_result)
{
    const PointRequest request = {manifest, manifest->points->pdata[0], keep_result};
    g_autoptr(Configuration) configuration = point_configuration(&request);
    const Setting *setting = configuration_find(configuration, "simulation", "profile");
    return setting ? g_intern_string(setting->value) : "as it is by default";
}

START_TEST(only_a_point_whose_result_is_kept_collects_what_reports_draw)
{
    char *folder = temporary_folder();
    g_autoptr(Manifest) manifest = plan_small(folder, "");
    ck_assert_str_eq(profile_of(manifest, false), "no");
    ck_assert_str_eq(profile_of(manifest, true), "as it is by default");
    g_autoptr(Manifest) set = plan_small(folder, "[simulation]\nprofile = no\n");
    ck_assert_str_eq(profile_of(set, true), "no");
    set->peak_power = true;
    ck_assert_str_eq(profile_of(set, true), "power");
    ck_assert_str_eq(profile_of(set, false), "power");
    manifest->peak_power = true;
    ck_assert_str_eq(profile_of(manifest, false), "power");
    ck_assert_str_eq(profile_of(manifest, true), "as it is by default");
    temporary_remove(folder);
}
END_TEST

/* --- points that fail --- */

/* CTAs that wait for others which cannot start before they end. */
static const char waiting[] =
    "[scenario]\ntitle = Waiting\nextends = v100\n"
    "[machine]\nsms = 2\npartitions = 2\npeak_bandwidth_gbps = 0\n"
    "[workload]\npattern = program\nctas = 4\nthreads_per_cta = 32\n"
    "code =\n  global arrived[1]\n  reduce arrived[0]\n  wait arrived[0] >= 32 * ctas\n";

/* What is wrong, and a part of the message. */
static const struct {
    const char *scenario, *dimension, *value;
    Status status;
    const char *message;
} failures[] = {
    {waiting, "sm.max_ctas", "1", STATUS_FAILED, "This SM holds 1 of 4 CTAs"},
    {small_study, "l1.prt_entries", "0", STATUS_BAD_INPUT,
     "study.ini:7: l1.prt_entries = 0: out of range; allowed: whole number from 1 to"},
    {small_study, "l1.prt_entrys", "8", STATUS_BAD_INPUT,
     "study.ini:7: l1.prt_entrys = 8: 'l1' has no parameter 'prt_entrys'; did you mean "
     "'prt_entries'?"},
    {small_study, "workload.arry_bytes", "4 KiB", STATUS_BAD_INPUT, "did you mean 'array_bytes'?"},
    {small_study, "machine.sector_bytes", "24 B", STATUS_BAD_INPUT,
     "study.ini:7: machine.sector_bytes: 24 B is not a power of two"},
    {small_study, "access_scheduler.drain_low", "64", STATUS_BAD_INPUT,
     "study.ini:7: access_scheduler.drain_low = 64, with "},
    {small_study, "simulation.quantum", "1 us", STATUS_BAD_INPUT,
     "study.ini:7: simulation.quantum = 1000.000 ns: longer than the lookahead"},
    {small_study, "network.platform", "/nowhere.xml", STATUS_BAD_INPUT, "network.platform"},
};

static Told simulate_deployed(const char *scenario, guint failure, const char *deployment)
{
    char *folder = temporary_folder();
    g_autofree char *text =
        g_strdup_printf("%s[simulation]\ndeployment = %s\n", scenario, deployment);
    g_autofree char *file = temporary_file(folder, "small.ini", text);
    const char *const values[] = {failures[failure].value, NULL};
    g_autoptr(Manifest) manifest = study_plan(file, failures[failure].dimension, values);
    const Told told = simulate(manifest, 0);
    temporary_remove(folder);
    return told;
}

/* In each deployment, unless it is the deployment that is wrong: one tile has no lookahead. */
START_TEST(a_point_that_fails_says_why_and_always_the_same)
{
    const bool of_tiles = !strcmp(failures[_i].dimension, "simulation.quantum");
    const Told told = simulate_deployed(failures[_i].scenario, (guint)_i, of_tiles ? "sm" : "auto"),
               again = simulate_deployed(failures[_i].scenario, (guint)_i, "unit");
    ck_assert_msg(told.status == failures[_i].status, "%d: %s", told.status, told.payload);
    ck_assert_msg(strstr(told.payload, failures[_i].message) != NULL, "%s", told.payload);
    if (of_tiles) return;
    ck_assert_str_eq(told.payload, again.payload);
}
END_TEST

/* --- files --- */

START_TEST(files_that_changed_since_the_plan_are_refused)
{
    char *folder = temporary_folder();
    g_autoptr(GError) error = NULL;
    g_autofree char *path = temporary_file(folder, "trace.g", "abc");
    Manifest *manifest = manifest_new();
    Base *base = manifest_add_base(manifest);
    ck_assert(base_check_files(base, &error));
    BaseFile *file = g_new0(BaseFile, 1);
    *file = (BaseFile){g_strdup(path), base_hash_file(path, &error)};
    ck_assert_str_eq(file->sha256,
                     "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    g_ptr_array_add(base->files, file);
    ck_assert_msg(base_check_files(base, &error), "%s", error ? error->message : "");
    g_autofree char *changed = temporary_file(folder, "trace.g", "abd");
    ck_assert(!base_check_files(base, &error));
    ck_assert_ptr_nonnull(strstr(error->message, "trace.g: is not the file that was planned with"));
    g_clear_error(&error);
    ck_assert_int_eq(g_unlink(path), 0);
    ck_assert(!base_check_files(base, &error));
    ck_assert_ptr_nonnull(strstr(error->message, "trace.g: cannot be read: No such file"));
    manifest_free(manifest);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_points_outcome_is_what_run_says_of_its_configuration,
                                  points_differ_by_their_values_and_not_by_the_deployment,
                                  a_result_that_is_kept_is_the_same_bytes_as_of_run,
                                  an_outcome_is_the_same_whether_the_result_is_kept,
                                  only_a_point_whose_result_is_kept_collects_what_reports_draw,
                                  files_that_changed_since_the_plan_are_refused};
    TCase *cases = tcase_create("point"), *repeating = tcase_create("other failures");
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++) tcase_add_test(cases, tests[i]);
    tcase_add_loop_test(cases, a_point_that_fails_says_why_and_always_the_same, 0, 2);
    tcase_add_loop_test(cases, points_that_follow_others_in_a_process_say_what_they_say_alone, 0,
                        G_N_ELEMENTS(followers));
    tcase_add_loop_test(cases,
                        a_point_that_needs_another_platform_says_so_and_one_that_uses_it_up_as_well,
                        0, G_N_ELEMENTS(others));
    tcase_add_loop_test(repeating, a_point_that_fails_says_why_and_always_the_same, 2,
                        G_N_ELEMENTS(failures));
    return harness_run_repeating("point", cases, repeating);
}
