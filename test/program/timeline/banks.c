/* DRAM banks and arrows of a timeline: of a small run, and of results by hand. */
#include "events.h"
#include "rigs/harness.h"
#include "rigs/program.h"

#include "kit/observe/timeline.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/timeline/trace.h"

/* A random pattern: rows are hit, missed and in conflict. */
static const char small[] =
    "[scenario]\ntitle = Small\nextends = v100\n[machine]\nsms = 2\n"
    "partitions = 1\npeak_bandwidth_gbps = 0\n[access_scheduler]\npage_policy = open\n"
    "[workload]\npattern = random\nctas = 2\nthreads_per_cta = 128\niterations = 4\n";

static JsonNode *run_text(const char *folder, const char *text, const char *settings)
{
    g_autofree char *file = temporary_file(folder, "small.ini", text);
    g_autofree char *line = g_strconcat("run small.ini -q -o out ", settings, NULL);
    const Outcome outcome = warpmem(folder, line);
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    return json_file(folder, "out/baseline/result.json");
}

static JsonNode *run_small(const char *folder, const char *settings)
{
    return run_text(folder, small, settings);
}

static JsonArray *list_of(JsonNode *node, const char *path)
{
    JsonNode *list = result_member(node, path);
    ck_assert_ptr_nonnull(list);
    return json_node_get_array(list);
}

static gint64 number(JsonNode *node, const char *name)
{
    return json_node_get_int(result_member(node, name));
}

static JsonNode *find_bank(JsonNode *result, gint64 channel, gint64 bank)
{
    JsonArray *banks = list_of(result, "timeline_banks.banks");
    for (guint i = 0; i < json_array_get_length(banks); i++) {
        JsonNode *node = json_array_get_element(banks, i);
        if (number(node, "channel") == channel && number(node, "bank") == bank) return node;
    }
    return NULL;
}

static gint64 begin_of(JsonNode *row, const char *wanted)
{
    JsonArray *stages = list_of(row, "stages");
    gint64 at = number(row, "begin");
    for (guint i = 0; i < json_array_get_length(stages); i++) {
        JsonNode *stage = json_array_get_element(stages, i);
        if (!strcmp(result_text(stage, "stage"), wanted)) return at;
        at += number(stage, "fs");
    }
    return -1;
}

/* The state that the bank has at this time. States follow each other; between two there may be a
 * time without requests. */
static JsonNode *state_at(JsonNode *bank, gint64 at)
{
    JsonArray *states = list_of(bank, "states");
    gint64 before = 0;
    JsonNode *found = NULL;
    for (guint i = 0; i < json_array_get_length(states); i++) {
        JsonNode *state = json_array_get_element(states, i);
        const gint64 begin = number(state, "begin"), end = number(state, "end");
        ck_assert_int_ge(begin, before);
        ck_assert_int_gt(end, begin);
        before = end;
        if (at >= begin && at < end) found = state;
    }
    return found;
}

/* What the stages of a request say of its commands, the states of its bank say too. */
START_TEST(a_bank_is_in_the_state_that_its_requests_stages_need)
{
    static const struct {
        const char *stage, *state;
    } pairs[] = {{"dram_precharge", "precharging"},
                 {"dram_activate", "activating"},
                 {"dram_column", "open"}};
    char *folder = temporary_folder();
    g_autoptr(JsonNode) result = run_small(folder, "--set simulation.timeline=400");
    JsonArray *rows = list_of(result, "timeline");
    guint seen[G_N_ELEMENTS(pairs)] = {0};
    for (guint i = 0; i < json_array_get_length(rows); i++) {
        JsonNode *row = json_array_get_element(rows, i);
        const bool served = !strcmp(result_text(row, "served_by"), "dram");
        ck_assert_int_eq(served, result_member(row, "bank") != NULL);
        if (!served) continue;
        JsonNode *bank = find_bank(result, number(row, "channel"), number(row, "bank"));
        ck_assert_ptr_nonnull(bank);
        for (guint k = 0; k < G_N_ELEMENTS(pairs); k++) {
            const gint64 at = begin_of(row, pairs[k].stage);
            JsonNode *state = at < 0 ? NULL : state_at(bank, at);
            if (at < 0) continue;
            ck_assert_msg(state != NULL, "request %u in %s", i, pairs[k].stage);
            ck_assert_str_eq(result_text(state, "state"), pairs[k].state);
            if (k) ck_assert_int_eq(number(state, "row"), number(row, "dram_row"));
            seen[k]++;
        }
    }
    for (guint k = 0; k < G_N_ELEMENTS(pairs); k++) ck_assert_uint_gt(seen[k], 10);
    ck_assert_int_eq(number(result, "timeline_banks.left_out"), 0);
    temporary_remove(folder);
}
END_TEST

START_TEST(banks_are_the_same_in_every_deployment)
{
    static const char *const words[] = {
        "--set simulation.timeline=300 --set simulation.timeline_keep=slowest",
        "--set simulation.timeline=300 --set simulation.timeline_keep=slowest "
        "--set simulation.deployment=unit --set workload.launches=3 "
        "--set workload.warm_up_launches=2",
        "--set simulation.timeline=300 --set simulation.timeline_keep=slowest "
        "--set simulation.deployment=sm --set workload.launches=3 "
        "--set workload.warm_up_launches=2"};
    char *folder = temporary_folder();
    char *texts[G_N_ELEMENTS(words)] = {NULL};
    for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
        g_autoptr(JsonNode) result = run_small(folder, words[i]);
        texts[i] = json_to_string(result_member(result, "timeline_banks"), FALSE);
        JsonNode *first = json_array_get_element(list_of(result, "timeline_banks.banks"), 0);
        JsonNode *state = json_array_get_element(list_of(first, "states"), 0);
        ck_assert_int_gt(number(state, "end"), 0);
    }
    ck_assert_str_ne(texts[0], texts[1]); /* the third launch, later */
    ck_assert_str_eq(texts[1], texts[2]);
    for (guint i = 0; i < G_N_ELEMENTS(words); i++) g_free(texts[i]);
    temporary_remove(folder);
}
END_TEST

/* --- the trace -------------------------------------------------------------------------------- */

typedef struct {
    gint64 process, thread;
    double begin, end;
} Slice;

static GArray *slices_of(JsonArray *events)
{
    GArray *slices = g_array_new(FALSE, FALSE, sizeof(Slice));
    for (guint i = 0; i < json_array_get_length(events); i++) {
        JsonObject *event = json_array_get_object_element(events, i);
        if (strcmp(trace_phase(event), "X") != 0) continue;
        const double at = json_object_get_double_member(event, "ts");
        const Slice slice = {json_object_get_int_member(event, "pid"),
                             json_object_get_int_member(event, "tid"), at,
                             at + json_object_get_double_member(event, "dur")};
        g_array_append_val(slices, slice);
    }
    return slices;
}

static bool begins_there(const GArray *slices, JsonObject *flow)
{
    for (guint i = 0; i < slices->len; i++) {
        const Slice *slice = &g_array_index(slices, Slice, i);
        if (slice->process == json_object_get_int_member(flow, "pid")
            && slice->thread == json_object_get_int_member(flow, "tid")
            && slice->begin == json_object_get_double_member(flow, "ts"))
            return true;
    }
    return false;
}

static gint compare_slices(gconstpointer a, gconstpointer b)
{
    const Slice *x = a, *y = b;
    if (x->process != y->process) return x->process < y->process ? -1 : 1;
    if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* A flow binds to a slice of its thread, and slices of a thread must not overlap in part. */
START_TEST(each_request_to_DRAM_has_an_arrow_from_its_instruction_to_its_command)
{
    char *folder = temporary_folder();
    g_autoptr(JsonNode) result = run_small(folder, "--set simulation.timeline=200");
    g_autoptr(GString) text = g_string_new(NULL);
    JsonArray *rows = timeline_trace_rows(result, NULL);
    timeline_trace(result, rows, text);
    g_autoptr(JsonNode) trace = trace_parse(text->str);
    JsonArray *events = trace_events(trace);
    g_autoptr(GArray) slices = slices_of(events);
    guint phases[3] = {0}, served = 0;
    for (guint i = 0; i < json_array_get_length(rows); i++)
        served += json_object_has_member(json_array_get_object_element(rows, i), "bank");
    for (guint i = 0; i < json_array_get_length(events); i++) {
        JsonObject *event = json_array_get_object_element(events, i);
        const char *phase = trace_phase(event);
        if (!strchr("stf", *phase)) continue;
        phases[*phase == 's' ? 0 : *phase == 't' ? 1 : 2]++;
        ck_assert(begins_there(slices, event));
    }
    ck_assert_uint_gt(served, 50);
    for (guint k = 0; k < 3; k++) ck_assert_uint_eq(phases[k], served);
    g_array_sort(slices, compare_slices);
    for (guint i = 1; i < slices->len; i++) {
        const Slice *one = &g_array_index(slices, Slice, i - 1);
        const Slice *two = &g_array_index(slices, Slice, i);
        if (one->process == two->process && one->thread == two->thread)
            ck_assert_double_le(one->end, two->begin + 1e-9);
    }
    temporary_remove(folder);
}
END_TEST

/* --- commands --------------------------------------------------------------------------------- */

/* Reductions of one word, the later ones merged into the first one's fetch, and stores of a byte a
 * sector, whose lines are fetched. */
static const char merged[] = "[scenario]\ntitle = Merged\nextends = v100\n[machine]\nsms = 1\n"
                             "[workload]\npattern = program\ncode =\n"
                             "  global counter[1]\n  global bytes[32 KiB]\n"
                             "  for i in 0..64 unroll 8 { reduce counter[0]; wait; }\n"
                             "  store.1 bytes[lane * 64]\n";

static bool has_state_from(JsonNode *result, const char *name, gint64 at)
{
    JsonArray *banks = list_of(result, "timeline_banks.banks");
    for (guint i = 0; i < json_array_get_length(banks); i++) {
        JsonNode *bank = json_array_get_element(banks, i);
        JsonNode *state = state_at(bank, at);
        if (state && number(state, "begin") == at && !strcmp(result_text(state, "state"), name))
            return true;
    }
    return false;
}

/* Of the trace's slices of that name; each where a bank's state of the other name begins. */
static guint count_commands(const char *trace, const char *name, JsonNode *result,
                            const char *state)
{
    guint count = 0;
    g_autofree char *head = g_strdup_printf("{\"ph\":\"X\",\"name\":\"%s\"", name);
    for (const char *at = strstr(trace, head); at; at = strstr(at + 1, head), count++) {
        g_autofree char *time = trace_between(at, "\"ts\":", ",");
        if (state) ck_assert_msg(has_state_from(result, state, trace_time(time)), "%.160s", at);
    }
    return count;
}

START_TEST(a_command_is_drawn_once_where_it_was_given_and_as_what_it_was)
{
    char *folder = temporary_folder();
    g_autoptr(JsonNode) result = run_text(folder, merged, "--set simulation.timeline=200");
    g_autoptr(GString) text = g_string_new(NULL);
    JsonArray *rows = timeline_trace_rows(result, NULL);
    guint activating = 0, stores = 0;
    for (guint i = 0; i < json_array_get_length(rows); i++) {
        JsonNode *row = json_array_get_element(rows, i);
        const char *command = result_text(row, "command");
        ck_assert_int_eq(command != NULL, result_member(row, "bank") != NULL);
        if (command) ck_assert_str_eq(command, "read");
        activating += command && begin_of(row, "dram_activate") >= 0;
        stores += command && !strcmp(result_text(row, "type"), "store");
    }
    timeline_trace(result, rows, text);
    const guint activates = count_commands(text->str, "activate", result, "activating");
    ck_assert_uint_gt(activates, 0);
    ck_assert_uint_gt(activating, activates); /* some came in its middle */
    ck_assert_uint_gt(stores, 8);
    ck_assert_uint_gt(count_commands(text->str, "read", result, NULL), 8);
    ck_assert_uint_eq(count_commands(text->str, "write", result, NULL), 0);
    temporary_remove(folder);
}
END_TEST

START_TEST(a_kernel_that_ran_meanwhile_has_a_track)
{
    char *folder = temporary_folder();
    g_autoptr(JsonNode) result =
        run_small(folder, "--set simulation.timeline=20 --set workload.launches=2");
    g_autoptr(GString) text = g_string_new(NULL);
    timeline_trace(result, timeline_trace_rows(result, NULL), text);
    ck_assert_ptr_nonnull(strstr(text->str, "{\"ph\":\"b\",\"cat\":\"kernel\",\"id\":\"k0\""));
    ck_assert_ptr_nonnull(strstr(text->str, "{\"ph\":\"e\",\"cat\":\"kernel\",\"id\":\"k0\""));
    ck_assert_ptr_null(strstr(text->str, "\"id\":\"k1\"")); /* the first 20 are of the first */
    temporary_remove(folder);
}
END_TEST

/* A summary tells of the first 1,000 launches, and of the longest. */
START_TEST(a_kernel_of_a_long_list_has_a_track_however_late_it_ran)
{
    char *folder = temporary_folder();
    g_autoptr(JsonNode) result =
        run_text(folder,
                 "[scenario]\ntitle = Long\nextends = v100\n[machine]\nsms = 1\npartitions = 1\n"
                 "peak_bandwidth_gbps = 0\n[workload]\npattern = program\nlaunches = 1100\ncode =\n"
                 "  global a[32]\n  x = load a[lane]\n",
                 "--set simulation.timeline=5 --set simulation.timeline_keep=slowest"
                 " --set simulation.timeline_from=4200us");
    g_autoptr(GString) text = g_string_new(NULL);
    JsonArray *rows = timeline_trace_rows(result, NULL);
    ck_assert_uint_eq(json_array_get_length(rows), 5);
    timeline_trace(result, rows, text);
    ck_assert_ptr_nonnull(strstr(text->str, "{\"ph\":\"b\",\"cat\":\"kernel\",\"id\":\"k"));
    temporary_remove(folder);
}
END_TEST

/* --- the log ---------------------------------------------------------------------------------- */

START_TEST(a_log_begins_with_the_region_and_has_a_bound)
{
    BankLog *log = bank_log_new(NULL, 100);
    DramSteps steps = {.count = 2,
                       .step = {{.cycle = 9, .row = 1, .kind = DRAM_STEP_ACTIVATE},
                                {.cycle = 30, .row = 1, .kind = DRAM_STEP_READ, .bank = 3}}};
    bank_log_note(log, &steps, 10);
    ck_assert_uint_eq(log->commands->len, 1); /* at 90: before 100 */
    ck_assert_uint_eq(g_array_index(log->commands, BankCommand, 0).at, 300);
    ck_assert_uint_eq(g_array_index(log->commands, BankCommand, 0).bank, 3);
    for (guint i = 0; i < BANK_LOG_MAX + 5; i++) bank_log_note(log, &steps, 10);
    ck_assert_uint_eq(log->commands->len, BANK_LOG_MAX);
    ck_assert_uint_eq(log->left_out, 6);
    bank_log_restart(log, 301);
    ck_assert_uint_eq(log->commands->len, 0);
    ck_assert_uint_eq(log->left_out, 0);
    bank_log_note(log, &steps, 11);
    ck_assert_uint_eq(log->commands->len, 1);
    bank_log_free(log);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("banks of a timeline");
    tcase_add_test(cases, a_bank_is_in_the_state_that_its_requests_stages_need);
    tcase_add_test(cases, banks_are_the_same_in_every_deployment);
    tcase_add_test(cases, each_request_to_DRAM_has_an_arrow_from_its_instruction_to_its_command);
    tcase_add_test(cases, a_command_is_drawn_once_where_it_was_given_and_as_what_it_was);
    tcase_add_test(cases, a_kernel_that_ran_meanwhile_has_a_track);
    tcase_add_test(cases, a_kernel_of_a_long_list_has_a_track_however_late_it_ran);
    tcase_add_test(cases, a_log_begins_with_the_region_and_has_a_bound);
    Suite *suite = suite_create("banks of a timeline");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
