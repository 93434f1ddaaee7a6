/* `warpmem timeline` as its users meet it, and which requests of a whole run are chosen. */
#include "events.h"
#include "rigs/harness.h"
#include "rigs/program.h"
#include "scenarios/program/timeline/trace.h"

/* 3 x 64 KiB in lines of 128 B: 1536 requests, a write-through of one third. */
static const char small[] =
    "[scenario]\ntitle = Small\nextends = v100\n"
    "[machine]\nsms = 2\npartitions = 2\npeak_bandwidth_gbps = 0\n"
    "[workload]\npattern = stream\noperation = triad\narray_bytes = 64 KiB\n"
    "[variant prt-8]\nl1.prt_entries = 8\n";

enum { REQUESTS = 1536 };

static char *folder_with_small(void)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    return folder;
}

/* --- which requests --------------------------------------------------------------------------- */

/* The rows of a run with these settings, as text. */
static GPtrArray *rows_of(const char *folder, const char *settings, gint64 *qualified)
{
    g_autofree char *arguments =
        g_strdup_printf("run small.ini --variant baseline -q -o out %s", settings);
    succeed(folder, arguments);
    g_autoptr(JsonNode) result = json_file(folder, "out/baseline/result.json");
    JsonObject *members = json_node_get_object(result);
    JsonArray *list = json_object_get_array_member(members, "timeline");
    GPtrArray *rows = g_ptr_array_new_with_free_func((GDestroyNotify)json_node_unref);
    for (guint i = 0; i < json_array_get_length(list); i++)
        g_ptr_array_add(rows, json_node_ref(json_array_get_element(list, i)));
    *qualified = json_object_get_int_member(
        json_object_get_object_member(members, "timeline_selection"), "qualified");
    return rows;
}

static gint64 number_of(JsonNode *row, const char *name)
{
    return json_object_get_int_member(json_node_get_object(row), name);
}

static gint64 latency_of(JsonNode *row)
{
    return number_of(row, "end") - number_of(row, "begin");
}

static void expect_rows(const GPtrArray *rows, const GPtrArray *expected)
{
    ck_assert_uint_eq(rows->len, expected->len);
    for (guint i = 0; i < rows->len; i++)
        ck_assert_msg(json_node_equal(rows->pdata[i], expected->pdata[i]), "row %u differs", i);
}

#define EVERYTHING "--set simulation.timeline=10000 "

START_TEST(without_a_choice_every_request_is_there)
{
    char *folder = folder_with_small();
    gint64 qualified = 0;
    g_autoptr(GPtrArray) all = rows_of(folder, EVERYTHING, &qualified);
    ck_assert_uint_eq(all->len, REQUESTS);
    ck_assert_int_eq(qualified, REQUESTS);
    g_autoptr(GPtrArray) first = rows_of(folder, "--set simulation.timeline=100", &qualified);
    ck_assert_int_eq(qualified, REQUESTS);
    g_ptr_array_set_size(all, 100);
    expect_rows(first, all);
    temporary_remove(folder);
}
END_TEST

START_TEST(a_window_of_a_run_has_the_requests_that_began_in_it)
{
    char *folder = folder_with_small();
    gint64 qualified = 0;
    g_autoptr(GPtrArray) all = rows_of(folder, EVERYTHING, &qualified);
    g_autoptr(GPtrArray) expected = g_ptr_array_new();
    const gint64 from = number_of(all->pdata[400], "begin"),
                 until = number_of(all->pdata[900], "begin");
    for (guint i = 0; i < all->len; i++)
        if (number_of(all->pdata[i], "begin") >= from && number_of(all->pdata[i], "begin") < until)
            g_ptr_array_add(expected, all->pdata[i]);
    g_autofree char *settings =
        g_strdup_printf(EVERYTHING "--set 'simulation.timeline_from=%" G_GINT64_FORMAT " fs' "
                                   "--set 'simulation.timeline_until=%" G_GINT64_FORMAT " fs'",
                        from, until);
    g_autoptr(GPtrArray) rows = rows_of(folder, settings, &qualified);
    ck_assert_uint_gt(expected->len, 300);
    ck_assert_int_eq(qualified, expected->len);
    expect_rows(rows, expected);
    temporary_remove(folder);
}
END_TEST

static gint compare_latencies(gconstpointer a, gconstpointer b)
{
    const gint64 x = latency_of(*(JsonNode *const *)a), y = latency_of(*(JsonNode *const *)b);
    return (x < y) - (x > y);
}

/* All that take longer than the 50th are there; of those that take as long the first ones are. */
START_TEST(the_slowest_of_a_run_are_those_of_longest_latency)
{
    char *folder = folder_with_small();
    gint64 qualified = 0;
    g_autoptr(GPtrArray) all = rows_of(folder, EVERYTHING, &qualified);
    g_autoptr(GPtrArray) rows = rows_of(
        folder, "--set simulation.timeline=50 --set simulation.timeline_keep=slowest", &qualified);
    g_autoptr(GPtrArray) sorted = g_ptr_array_new(), expected = g_ptr_array_new();
    for (guint i = 0; i < all->len; i++) g_ptr_array_add(sorted, all->pdata[i]);
    g_ptr_array_sort(sorted, compare_latencies);
    const gint64 least = latency_of(sorted->pdata[49]);
    guint ties = 50;
    while (latency_of(sorted->pdata[ties - 1]) == least) ties--;
    ties = 50 - ties; /* wanted of those with the least latency */
    for (guint i = 0; i < all->len; i++) {
        const gint64 latency = latency_of(all->pdata[i]);
        if (latency > least || (latency == least && ties && ties--))
            g_ptr_array_add(expected, all->pdata[i]);
    }
    ck_assert_int_eq(qualified, REQUESTS);
    expect_rows(rows, expected);
    temporary_remove(folder);
}
END_TEST

/* 1536 / 8 = 192 on average, with a standard deviation of 13. */
START_TEST(one_request_in_eight_is_spread_over_a_run)
{
    char *folder = folder_with_small();
    gint64 qualified = 0;
    g_autoptr(GPtrArray) all = rows_of(folder, EVERYTHING, &qualified);
    g_autoptr(GPtrArray) rows =
        rows_of(folder, EVERYTHING "--set simulation.timeline_one_in=8", &qualified);
    ck_assert_uint_gt(rows->len, 192 - 4 * 13);
    ck_assert_uint_lt(rows->len, 192 + 4 * 13);
    ck_assert_int_eq(qualified, rows->len);
    guint found = 0, late = 0;
    for (guint i = 0; i < all->len && found < rows->len; i++) {
        if (!json_node_equal(all->pdata[i], rows->pdata[found])) continue;
        found++;
        late += i >= REQUESTS / 2;
    }
    ck_assert_uint_eq(found, rows->len); /* in the same order */
    ck_assert_uint_gt(late, rows->len / 4);
    temporary_remove(folder);
}
END_TEST

/* Two launches of the same, the first of which is not measured. */
START_TEST(requests_of_the_warm_up_are_left_out)
{
    char *folder = folder_with_small();
    gint64 qualified = 0;
    g_autoptr(GPtrArray) alone = rows_of(folder, EVERYTHING, &qualified);
    g_autoptr(GPtrArray) rows =
        rows_of(folder, EVERYTHING "--set workload.launches=2 --set workload.warm_up_launches=1",
                &qualified);
    ck_assert_int_eq(qualified, REQUESTS);
    ck_assert_uint_eq(rows->len, REQUESTS);
    ck_assert_int_gt(number_of(rows->pdata[0], "begin"),
                     number_of(alone->pdata[REQUESTS - 1], "begin"));
    temporary_remove(folder);
}
END_TEST

/* Two loads and a store, each at a PC of its own. */
START_TEST(a_request_says_which_instruction_asked)
{
    char *folder = folder_with_small();
    gint64 qualified = 0;
    g_autoptr(GPtrArray) all = rows_of(folder, EVERYTHING, &qualified);
    g_autoptr(GHashTable) instructions =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < all->len; i++) {
        JsonObject *row = json_node_get_object(all->pdata[i]);
        const char *class = json_object_get_string_member(row, "class");
        const char *type = json_object_get_string_member(row, "type");
        ck_assert(g_str_has_prefix(class, type));
        ck_assert_str_eq(json_object_get_string_member(row, "kernel"), "stream triad");
        g_hash_table_add(instructions, g_strdup_printf("%s %" G_GINT64_FORMAT, type,
                                                       json_object_get_int_member(row, "pc")));
    }
    ck_assert_uint_eq(g_hash_table_size(instructions), 3);
    temporary_remove(folder);
}
END_TEST

/* --- the trace -------------------------------------------------------------------------------- */

static const char *const selections[] = {"--limit 300", "--slowest 60", "--one-in 5",
                                         "--from 1us --until 2us"};

static void expect_served(const char *folder, const char *pattern, const char *server)
{
    g_autofree char *text = g_strdup_printf(
        "[scenario]\nextends = v100\n[machine]\nsms = 2\npartitions = 2\npeak_bandwidth_gbps = 0\n"
        "[workload]\npattern = %s\nduration = 1000 cycles\n",
        pattern);
    g_free(temporary_file(folder, "traffic.ini", text));
    succeed(folder, "run traffic.ini -q -o out --set simulation.timeline=1000");
    g_autoptr(JsonNode) result = json_file(folder, "out/baseline/result.json");
    JsonArray *rows = json_object_get_array_member(json_node_get_object(result), "timeline");
    ck_assert_uint_ge(json_array_get_length(rows), 100);
    for (guint i = 0; i < json_array_get_length(rows); i++)
        ck_assert_str_eq(
            json_object_get_string_member(json_array_get_object_element(rows, i), "served_by"),
            server);
}

START_TEST(requests_without_a_kernel_are_served_by_dram_or_by_nobody)
{
    char *folder = temporary_folder();
    expect_served(folder, "network_traffic", "-");
    expect_served(folder, "memory_traffic\nwrite_share = 0.5", "dram");
    temporary_remove(folder);
}
END_TEST

START_TEST(a_trace_is_the_same_in_every_deployment)
{
    static const char *const deployments[] = {"auto", "sm", "unit"};
    char *folder = folder_with_small();
    for (guint s = 0; s < G_N_ELEMENTS(selections); s++) {
        g_autofree char *expected = NULL;
        for (guint i = 0; i < G_N_ELEMENTS(deployments); i++) {
            g_autofree char *arguments =
                g_strdup_printf("timeline small.ini -q %s --set simulation.deployment=%s",
                                selections[s], deployments[i]);
            succeed(folder, arguments);
            g_autofree char *trace = contents(folder, "timeline.json");
            if (expected) ck_assert_str_eq(trace, expected);
            if (!expected) expected = g_steal_pointer(&trace);
        }
        g_autoptr(GPtrArray) requests = trace_requests(expected);
        ck_assert_uint_gt(requests->len, 50);
    }
    temporary_remove(folder);
}
END_TEST

/* Every begin has its end, stages lie in their request and sum to its latency; and the requests are
 * those of the result. */
START_TEST(the_events_of_a_trace_are_the_requests_of_the_result)
{
    char *folder = folder_with_small();
    gint64 qualified = 0;
    g_autoptr(GPtrArray) rows = rows_of(folder, EVERYTHING, &qualified);
    succeed(folder, "timeline out/baseline -o trace.json -q");
    g_autofree char *text = contents(folder, "trace.json");
    g_autoptr(JsonNode) trace = trace_parse(text);
    g_autoptr(GPtrArray) requests = trace_requests(text);
    ck_assert_uint_eq(requests->len, rows->len);
    for (guint i = 0; i < rows->len; i++) {
        const TraceRequest *request = requests->pdata[i];
        JsonArray *stages =
            json_object_get_array_member(json_node_get_object(rows->pdata[i]), "stages");
        ck_assert_int_eq(request->begin, number_of(rows->pdata[i], "begin"));
        ck_assert_int_eq(request->end, number_of(rows->pdata[i], "end"));
        ck_assert_uint_eq(request->stage_count, json_array_get_length(stages));
    }
    temporary_remove(folder);
}
END_TEST

START_TEST(a_result_gives_the_trace_that_its_scenario_gives)
{
    char *folder = folder_with_small();
    succeed(folder, "run small.ini -q -o out --set simulation.timeline=70");
    succeed(folder, "timeline out --variant prt-8 -o a.json -q");
    succeed(folder, "timeline small.ini --variant prt-8 --limit 70 -o b.json -q");
    const Outcome outcome = warpmem(folder, "timeline out/prt-8/result.json -o -");
    succeed(folder, "timeline out -o first.json -q");
    succeed(folder, "timeline out/baseline -o baseline.json -q");
    g_autofree char *first = contents(folder, "first.json"),
                    *baseline = contents(folder, "baseline.json");
    ck_assert_str_eq(first, baseline);
    g_autofree char *a = contents(folder, "a.json"), *b = contents(folder, "b.json");
    ck_assert_str_eq(a, b);
    ck_assert_str_eq(outcome.out, a);
    temporary_remove(folder);
}
END_TEST

START_TEST(the_command_says_what_it_wrote_and_what_opens_it)
{
    char *folder = folder_with_small();
    const Outcome outcome = warpmem(folder, "timeline small.ini --slowest 60");
    ck_assert_msg(g_str_has_prefix(outcome.out,
                                   "timeline.json: 60 requests, the slowest of 1,536 of "
                                   "baseline, "),
                  "%s", outcome.out);
    ck_assert_ptr_nonnull(strstr(outcome.out, "https://ui.perfetto.dev"));
    const Outcome none = warpmem(folder, "timeline small.ini --from 1s -o none.json");
    ck_assert_int_eq(none.status, 0);
    ck_assert_ptr_nonnull(strstr(none.out, "none.json: 0 requests of baseline"));
    ck_assert_ptr_nonnull(strstr(none.out, "the region of interest has no such request"));
    g_autoptr(JsonNode) trace = json_file(folder, "none.json");
    temporary_remove(folder);
}
END_TEST

/* 512 KiB read from each of two arrays and written to a third, in lines of 128 B. */
START_TEST(two_thousand_requests_are_kept_unless_another_number_is_given)
{
    static const struct {
        const char *bytes, *says;
    } rows[] = {{"512KiB", "timeline.json: 2,000 requests, the first of 12,288 "},
                {"8KiB --set simulation.timeline=30", "timeline.json: 30 requests, the first of "}};
    char *folder = temporary_folder();
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *line =
            g_strdup_printf("timeline quickstart --set workload.array_bytes=%s", rows[i].bytes);
        const Outcome outcome = warpmem(folder, line);
        ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
        ck_assert_msg(g_str_has_prefix(outcome.out, rows[i].says), "%s", outcome.out);
    }
    temporary_remove(folder);
}
END_TEST

/* As many requests as there may be, of a V100 under its triad. */
START_TEST(ten_thousand_requests_stay_within_the_stated_size)
{
    char *folder = temporary_folder();
    GStatBuf file;
    const Outcome outcome =
        warpmem(folder, "timeline quickstart --set workload.array_bytes=512KiB --limit 10000");
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    ck_assert_msg(g_str_has_prefix(outcome.out, "timeline.json: 10,000 requests, the first of "),
                  "%s", outcome.out);
    g_autofree char *path = g_build_filename(folder, "timeline.json", NULL);
    ck_assert_int_eq(g_stat(path, &file), 0);
    ck_assert_int_le(file.st_size,
                     TIMELINE_TRACE_BASE_BYTES + INT64_C(10000) * TIMELINE_TRACE_REQUEST_BYTES);
    temporary_remove(folder);
}
END_TEST

/* --- what is refused -------------------------------------------------------------------------- */

START_TEST(bad_choices_are_refused_with_what_is_allowed)
{
    static const struct {
        const char *arguments, *says;
    } rows[] = {
        {"timeline small.ini --from 3", "--from 3: a unit is missing"},
        {"timeline small.ini --until 3s --from 4s",
         "--until 3s: not later than --from 4 s; allowed: a later"},
        {"timeline small.ini --one-in 0", "--one-in 0: out of range; allowed: whole number from 1"},
        {"timeline small.ini --slowest 0", "--slowest 0: not so many requests; allowed: whole "
                                           "number from 1 to 10000"},
        {"timeline small.ini --limit 10001", "--limit 10001: not so many requests; allowed: whole "
                                             "number from 1 to 10000"},
        {"timeline small.ini --limit 5 --slowest 6", "--limit 5: --slowest 6 says already"},
        {"timeline small.ini --variant prt", "no variant 'prt'; did you mean prt-8"},
        {"timeline nothing.ini", "nothing.ini"},
        {"timeline nothing.json", "nothing.json: cannot be read"},
        {"timeline out --slowest 3", "--slowest: chooses while a scenario is simulated, and out"},
        {"timeline out", "has no timeline; run its scenario with --set simulation.timeline=N"},
        {"timeline small.ini -o no/where.json", "-o no/where.json: cannot be written: No such"},
        {"timeline small.ini -o out", "-o out: cannot be written: Is a directory"},
        {"timeline small.ini -o ''", "-o '': an empty name"},
        {"timeline", "usage: warpmem timeline SCENARIO|RESULT"},
        {"run small.ini --set simulation.timeline_one_in=2",
         "timeline_one_in = 2: has no effect, simulation.timeline = 0 keeps no request; allowed "
         "there: 1 to 10000"},
        {"run small.ini --set simulation.timeline_keep=slowest", "timeline_keep = slowest: has no"},
        {"run small.ini --set simulation.timeline=3 --set simulation.timeline_keep=last",
         "allowed: one of first, slowest"},
    };
    char *folder = folder_with_small();
    g_autofree char *path = g_build_filename(folder, "out", NULL);
    ck_assert_int_eq(g_mkdir(path, 0777), 0);
    g_autofree char *result =
        temporary_file(path, "result.json", "{\"schema_version\": 1, \"summary\": {}}");
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        const Outcome outcome = warpmem(folder, rows[i].arguments);
        ck_assert_msg(outcome.status == 2, "%s: %d", rows[i].arguments, outcome.status);
        ck_assert_msg(strstr(outcome.errors, rows[i].says) != NULL, "%s: %s", rows[i].arguments,
                      outcome.errors);
    }
    ck_assert(!exists(folder, "timeline.json"));
    temporary_remove(folder);
}
END_TEST

START_TEST(an_interrupted_run_leaves_the_trace_of_what_was_simulated)
{
    Started run =
        start_command(small, "timeline small.ini -q --limit 500 --set workload.array_bytes=256MiB");
    interrupt_run(&run);
    g_autofree char *text = contents(run.folder, "timeline.json");
    g_autoptr(JsonNode) trace = trace_parse(text);
    ck_assert_ptr_nonnull(strstr(text, "\"partial\":true"));
    g_autoptr(GPtrArray) requests = trace_requests(text);
    ck_assert_uint_gt(requests->len, 0);
    temporary_remove(run.folder);
}
END_TEST

/* A trace that was there stays whole until the new one is. */
START_TEST(what_fails_leaves_an_older_trace_alone)
{
    char *folder = folder_with_small();
    g_autofree char *old = temporary_file(folder, "timeline.json", "old");
    const Outcome outcome = warpmem(folder, "timeline small.ini --set l1.prt_entries=many");
    ck_assert_int_eq(outcome.status, 2);
    g_autofree char *kept = contents(folder, "timeline.json");
    ck_assert_str_eq(kept, "old");
    succeed(folder, "timeline small.ini --limit 3 -q");
    g_autoptr(JsonNode) trace = json_file(folder, "timeline.json");
    ck_assert_uint_eq(temporary_count(folder), 2); /* nothing temporary is left */
    temporary_remove(folder);
}
END_TEST

HARNESS_MAIN("timeline_command", without_a_choice_every_request_is_there,
             a_window_of_a_run_has_the_requests_that_began_in_it,
             the_slowest_of_a_run_are_those_of_longest_latency,
             one_request_in_eight_is_spread_over_a_run, requests_of_the_warm_up_are_left_out,
             a_request_says_which_instruction_asked,
             an_interrupted_run_leaves_the_trace_of_what_was_simulated,
             requests_without_a_kernel_are_served_by_dram_or_by_nobody,
             a_trace_is_the_same_in_every_deployment,
             the_events_of_a_trace_are_the_requests_of_the_result,
             a_result_gives_the_trace_that_its_scenario_gives,
             the_command_says_what_it_wrote_and_what_opens_it,
             two_thousand_requests_are_kept_unless_another_number_is_given,
             ten_thousand_requests_stay_within_the_stated_size,
             bad_choices_are_refused_with_what_is_allowed, what_fails_leaves_an_older_trace_alone)
