/* Traces made of hand-written results. */
#include "scenarios/program/timeline/trace.h"
#include "events.h"
#include "rigs/harness.h"
#include "scenarios/program/timeline/timeline.h"

static JsonNode *result_of(const char *members)
{
    g_autofree char *text = g_strdup_printf("{\"schema_version\": 1, \"variant\": \"baseline\", "
                                            "\"summary\": {}, %s}",
                                            members);
    JsonNode *node = json_from_string(text, NULL);
    ck_assert_msg(node != NULL, "%s", text);
    return node;
}

static GString *trace_of(JsonNode *result)
{
    g_autoptr(GError) error = NULL;
    JsonArray *rows = timeline_trace_rows(result, &error);
    ck_assert_msg(rows != NULL, "%s", error ? error->message : "");
    GString *text = g_string_new(NULL);
    timeline_trace(result, rows, text);
    return text;
}

/* Two requests of an SM that overlap; more than 2^53 fs, which a double would round. */
static const char two_requests[] =
    "\"timeline\": ["
    "{\"sm\": 3, \"warp\": 7, \"class\": \"load_dram\", \"kernel\": \"copy\", \"pc\": 32,"
    " \"address\": 4096, \"served_by\": \"dram\", \"begin\": 9007199254740993,"
    " \"end\": 9007199257740996, \"stages\": [{\"stage\": \"issue\", \"fs\": 1000001},"
    " {\"stage\": \"dram_bus\", \"fs\": 2000002}]},"
    "{\"sm\": 3, \"warp\": 8, \"class\": \"store\", \"kernel\": \"copy\", \"pc\": 48,"
    " \"address\": 8192, \"served_by\": \"l2\", \"begin\": 9007199255000000,"
    " \"end\": 9007199255000007, \"stages\": [{\"stage\": \"issue\", \"fs\": 7}]}]";

START_TEST(a_request_is_an_event_with_its_stages_in_it)
{
    g_autoptr(JsonNode) result = result_of(two_requests);
    g_autoptr(GString) text = trace_of(result);
    static const char *const lines[] = {
        "{\"ph\":\"b\",\"cat\":\"load_dram\",\"id\":\"0x0\",\"name\":\"load dram\",\"pid\":5,"
        "\"tid\":5,\"ts\":9007199.254740993,\"args\":{\"sm\":3,\"warp\":7,\"kernel\":\"copy\","
        "\"pc\":\"0x20\",\"address\":\"0x1000\",\"served_by\":\"dram\",\"latency_ns\":3.000003,"
        "\"longest_stage\":\"dram_bus\",\"longest_ns\":2.000002}},\n",
        "{\"ph\":\"b\",\"cat\":\"load_dram\",\"id\":\"0x0\",\"name\":\"dram_bus\",\"pid\":5,"
        "\"tid\":5,\"ts\":9007199.255740994,\"args\":{\"ns\":2.000002}},\n",
        "{\"ph\":\"e\",\"cat\":\"load_dram\",\"id\":\"0x0\",\"name\":\"load dram\",\"pid\":5,"
        "\"tid\":5,\"ts\":9007199.257740996},\n",
        "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":5,\"args\":{\"name\":\"SM 3\"}},\n"};
    for (guint i = 0; i < G_N_ELEMENTS(lines); i++)
        ck_assert_msg(strstr(text->str, lines[i]) != NULL, "%s not in %s", lines[i], text->str);
    g_autoptr(JsonNode) trace = trace_parse(text->str);
    g_autoptr(GPtrArray) requests = trace_requests(text->str);
    ck_assert_uint_eq(requests->len, 2);
    const TraceRequest *first = requests->pdata[0];
    ck_assert_int_eq(first->begin, INT64_C(9007199254740993));
    ck_assert_int_eq(first->end, INT64_C(9007199257740996));
    ck_assert_uint_eq(first->stage_count, 2);
}
END_TEST

/* Of 2 processes: machine and SM 3, named once although it has two requests. */
START_TEST(each_process_is_named_once_and_stands_in_its_place)
{
    g_autoptr(JsonNode) result = result_of(two_requests);
    g_autoptr(GString) text = trace_of(result);
    g_autoptr(JsonNode) trace = trace_parse(text->str);
    JsonArray *events = trace_events(trace);
    guint names = 0, places = 0;
    for (guint i = 0; i < json_array_get_length(events); i++) {
        JsonObject *event = json_array_get_object_element(events, i);
        if (strcmp(trace_phase(event), "M") != 0) continue;
        const char *name = json_object_get_string_member(event, "name");
        names += !strcmp(name, "process_name");
        places += !strcmp(name, "process_sort_index");
    }
    ck_assert_uint_eq(names, 2);
    ck_assert_uint_eq(places, 2);
}
END_TEST

/* A row of the longest that there are: 40 stages, a kernel whose name is all quotes. */
static char *largest_row(void)
{
    GString *row = g_string_new("\"timeline\": [{\"sm\": 1023, \"warp\": 63, "
                                "\"class\": \"texture_l2_hit\", \"kernel\": \"");
    for (guint i = 0; i < 200; i++) g_string_append(row, "\\u0001");
    g_string_append(row, "\", \"pc\": -1, \"address\": -1, \"served_by\": \"dram\", "
                         "\"begin\": 100000000000000000, \"end\": 500000000000000000, "
                         "\"stages\": [");
    for (guint i = 0; i < 40; i++)
        g_string_append_printf(
            row, "%s{\"stage\": \"request_transfer\", \"fs\": 10000000000000000}", i ? "," : "");
    g_string_append(row, "]}]");
    return g_string_free(row, FALSE);
}

START_TEST(the_largest_request_stays_within_its_bound)
{
    g_autofree char *members = largest_row();
    g_autoptr(JsonNode) result = result_of(members), none = result_of("\"timeline\": []");
    g_autoptr(GString) text = trace_of(result), empty = trace_of(none);
    ck_assert_uint_le(text->len, empty->len + TIMELINE_TRACE_REQUEST_BYTES);
    ck_assert_uint_gt(text->len, TIMELINE_TRACE_REQUEST_BYTES / 2); /* the bound is no guess */
    ck_assert_uint_le(empty->len, TIMELINE_TRACE_BASE_BYTES);
    g_autoptr(JsonNode) trace = trace_parse(text->str), without = trace_parse(empty->str);
    for (guint i = 0; stage_name((Stage)i) && i + 1 < STAGE_COUNT; i++)
        ck_assert_uint_le(strlen(stage_name((Stage)i)), strlen("request_transfer"));
}
END_TEST

/* --- counters --------------------------------------------------------------------------------- */

static const char with_series[] =
    "\"timeline\": [], \"profile\": {\"series\": {\"start\": 5000000, \"interval\": 2000000,"
    " \"intervals\": 2, \"span\": 3000000, \"classes\": {"
    "\"dram_channel\": {\"bytes_read\": {\"total\": [4000, 1000], \"instances\": [[], []]}},"
    "\"sm\": {\"resident_warps\": {\"total\": [12.5, 3], \"instances\": []}}}}}";

/* 4000 bytes in 2 ns are 2000 GB/s; 1000 in the last interval of 1 ns are 1000. */
START_TEST(counters_are_rates_and_levels_over_time)
{
    static const struct {
        const char *name, *unit;
        double ts, value;
    } rows[] = {
        {"resident warps", "of an SM", 0.005, 12.5}, {"resident warps", "of an SM", 0.007, 3},
        {"resident warps", "of an SM", 0.008, 0},    {"DRAM read", "GB/s", 0.005, 2000},
        {"DRAM read", "GB/s", 0.007, 1000},          {"DRAM read", "GB/s", 0.008, 0}};
    g_autoptr(JsonNode) result = result_of(with_series);
    g_autoptr(GString) text = trace_of(result);
    g_autoptr(JsonNode) trace = trace_parse(text->str);
    JsonArray *events = trace_events(trace);
    guint n = 0;
    for (guint i = 0; i < json_array_get_length(events); i++) {
        JsonObject *event = json_array_get_object_element(events, i);
        if (strcmp(trace_phase(event), "C") != 0) continue;
        ck_assert_uint_lt(n, G_N_ELEMENTS(rows));
        ck_assert_str_eq(json_object_get_string_member(event, "name"), rows[n].name);
        ck_assert_double_eq(json_object_get_double_member(event, "ts"), rows[n].ts);
        JsonObject *values = json_object_get_object_member(event, "args");
        ck_assert_double_eq(json_object_get_double_member(values, rows[n].unit), rows[n].value);
        n++;
    }
    ck_assert_uint_eq(n, G_N_ELEMENTS(rows));
}
END_TEST

static const char with_slots[] =
    "\"timeline\": [], \"time\": {\"schedulers\": 4}, \"units\": {\"sm\": {\"count\": 2}}, \"profile\": {\"series\": {\"start\": 5000000,"
    " \"interval\": 2000000, \"intervals\": 2, \"span\": 3000000, \"classes\": {\"sm\": {"
    "\"slot_core\": {\"total\": [2000000, 3000000], \"instances\": [[], [1000000, 2000000]]},"
    "\"slot_int\": {\"total\": [0, 0], \"instances\": [[], []]},"
    "\"slot_tail\": {\"total\": [6000000, 1000000], \"instances\": [[], [3000000, 0]]}}}}}";

/* Four schedulers have 8 ns in the first interval and 4 in the second, the two of SM 1 half of
 * that; of SM 0 nothing is told. */
START_TEST(a_counter_has_what_schedulers_did)
{
    static const double core[] = {25, 75, 0, 25, 100, 0}, tail[] = {75, 25, 0, 75, 0, 0};
    g_autoptr(JsonNode) result = result_of(with_slots);
    g_autoptr(GString) text = trace_of(result);
    g_autoptr(JsonNode) trace = trace_parse(text->str);
    JsonArray *events = trace_events(trace);
    guint n = 0;
    for (guint i = 0; i < json_array_get_length(events); i++) {
        JsonObject *event = json_array_get_object_element(events, i);
        if (strcmp(trace_phase(event), "C") != 0) continue;
        ck_assert_str_eq(json_object_get_string_member(event, "name"), "schedulers, %");
        ck_assert_int_eq(json_object_get_int_member(event, "pid"), n < 3 ? 1 : 3);
        JsonObject *parts = json_object_get_object_member(event, "args");
        ck_assert_uint_eq(json_object_get_size(parts), 2);
        ck_assert_double_eq(json_object_get_double_member(parts, "FP32 cores"), core[n]);
        ck_assert_double_eq(json_object_get_double_member(parts, "tail"), tail[n]);
        n++;
    }
    ck_assert_uint_eq(n, 6);
}
END_TEST

static const char with_power[] =
    "\"timeline\": [], \"profile\": {\"power\": {\"idle_w\": 40, \"classes\": {\"l1\": [0, 0],"
    " \"sm\": [7.5, 3]}}, \"series\": {\"start\": 5000000, \"interval\": 2000000,"
    " \"intervals\": 2, \"span\": 3000000, \"classes\": {}}}";

START_TEST(a_counter_has_the_power)
{
    static const double sm[] = {7.5, 3, 0}, idle[] = {40, 40, 0}, at[] = {0.005, 0.007, 0.008};
    g_autoptr(JsonNode) result = result_of(with_power);
    g_autoptr(GString) text = trace_of(result);
    g_autoptr(JsonNode) trace = trace_parse(text->str);
    JsonArray *events = trace_events(trace);
    guint n = 0;
    for (guint i = 0; i < json_array_get_length(events); i++) {
        JsonObject *event = json_array_get_object_element(events, i);
        if (strcmp(trace_phase(event), "C") != 0) continue;
        ck_assert_str_eq(json_object_get_string_member(event, "name"), "power, W");
        ck_assert_double_eq(json_object_get_double_member(event, "ts"), at[n]);
        JsonObject *parts = json_object_get_object_member(event, "args");
        ck_assert_uint_eq(json_object_get_size(parts), 2);
        ck_assert_double_eq(json_object_get_double_member(parts, "idle"), idle[n]);
        ck_assert_double_eq(json_object_get_double_member(parts, "sm"), sm[n]);
        n++;
    }
    ck_assert_uint_eq(n, 3);
}
END_TEST

START_TEST(a_result_without_series_has_no_counters)
{
    g_autoptr(JsonNode) result = result_of(two_requests);
    g_autoptr(GString) text = trace_of(result);
    ck_assert_ptr_null(strstr(text->str, "\"ph\":\"C\""));
}
END_TEST

/* --- what is no timeline ---------------------------------------------------------------------- */

START_TEST(a_timeline_of_another_form_is_an_error)
{
    static const struct {
        const char *members, *says;
    } rows[] = {
        {"\"other\": 1", "has no timeline; run its scenario with --set simulation.timeline=N"},
        {"\"timeline\": {}", "has no timeline"},
        {"\"timeline\": [3]", "request 1 of its timeline is not as"},
        {"\"timeline\": [{\"sm\": 1}]", "request 1 of its timeline"},
        {"\"timeline\": [{\"sm\": 1, \"warp\": 1, \"pc\": 0, \"address\": 0, \"begin\": 0,"
         " \"end\": 1, \"class\": \"store\", \"kernel\": \"k\", \"served_by\": \"l2\","
         " \"stages\": [{\"stage\": \"issue\", \"fs\": \"1\"}]}]",
         "request 1 of its timeline"},
        {"\"timeline\": [], \"timeline_banks\": {\"banks\": [{\"channel\": 0, \"bank\": 1, "
         "\"path\": \"a\", \"states\": [{\"state\": \"open\", \"begin\": 1}]}]}",
         "bank 1 of its timeline is not as this program writes it"},
        {"\"timeline\": [], \"timeline_banks\": {\"banks\": [{\"channel\": 0, "
         "\"path\": \"a\", \"states\": []}]}",
         "bank 1 of its timeline is not as this program writes it"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(JsonNode) result = result_of(rows[i].members);
        ck_assert_ptr_null(timeline_trace_rows(result, &error));
        ck_assert_ptr_nonnull(error);
        ck_assert_msg(strstr(error->message, rows[i].says) != NULL, "%s", error->message);
    }
}
END_TEST

/* Bars have 64 letters at most; without a clock in the summary a cycle is 1e6 fs. */
START_TEST(a_letter_is_as_many_whole_cycles_as_the_bars_need)
{
    static const struct {
        guint cycles;
        const char *says;
    } rows[] = {{64, "a letter is 1 cycles"},
                {65, "a letter is 2 cycles"},
                {128, "a letter is 2 cycles"},
                {129, "a letter is 3 cycles"}};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *members = g_strdup_printf(
            "\"timeline\": [{\"sm\": 0, \"warp\": 0, \"type\": \"load\", \"address\": 0, "
            "\"served_by\": \"l2\", \"begin\": 0, \"end\": %u000000, \"stages\": []}]",
            rows[i].cycles);
        g_autoptr(JsonNode) result = result_of(members);
        g_autofree char *text = NULL;
        size_t length = 0;
        FILE *out = open_memstream(&text, &length);
        timeline_print(result, out);
        fclose(out);
        ck_assert_msg(strstr(text, rows[i].says) != NULL, "%s", text);
    }
}
END_TEST

HARNESS_MAIN("timeline_trace", a_request_is_an_event_with_its_stages_in_it,
             each_process_is_named_once_and_stands_in_its_place,
             the_largest_request_stays_within_its_bound, counters_are_rates_and_levels_over_time,
             a_counter_has_what_schedulers_did, a_counter_has_the_power,
             a_result_without_series_has_no_counters, a_timeline_of_another_form_is_an_error,
             a_letter_is_as_many_whole_cycles_as_the_bars_need)
