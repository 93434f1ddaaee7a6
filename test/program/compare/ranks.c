/* What results are ranked by, and what is said of lists of unlike kernels. */
#include <string.h>

#include "program/compare/result_pair.h"
#include "scenarios/program/compare/choose.h"
#include "scenarios/program/compare/conclusion.h"
#include "scenarios/program/compare/reason.h"
#include "scenarios/program/verdict/verdict.h"

static void print_table(const Comparison *comparison, FILE *out)
{
    compare_print(comparison, false, out);
}

static JsonObject *object_of(JsonNode *result, const char *member)
{
    JsonObject *object = json_node_get_object(result);
    return member ? json_object_get_object_member(object, member) : object;
}

/* --- who is first ----------------------------------------------------------------------------- */

START_TEST(what_was_interrupted_or_not_measured_is_not_ranked)
{
    static const Case cases[] = {{.variant = "first", .time_us = 100, .use = 0.9},
                                 {.variant = "part", .time_us = 10, .use = 0.9},
                                 {.variant = "none", .time_us = 50, .use = 0.9}};
    g_autoptr(JsonNode) first = result_of(&cases[0]), part = result_of(&cases[1]),
                        none = result_of(&cases[2]);
    json_object_set_boolean_member(object_of(part, NULL), "partial", TRUE);
    json_object_set_boolean_member(object_of(none, NULL), "measured", FALSE);
    g_autofree char *text = printed((JsonNode *const[]){first, part, none}, 3, conclusion_print);
    ck_assert_str_eq(text, "  first takes 100 us, bound by DRAM bus (dram_channel.data_bus): busy "
                           "90 % of the time\n"
                           "  part: interrupted, not ranked\n"
                           "  none measured nothing\n");
    g_autofree char *other = printed((JsonNode *const[]){part, first}, 2, conclusion_print);
    ck_assert_str_eq(other, "  part: interrupted, not ranked\n");
}
END_TEST

/* Its time is set; the latency of each of 100 requests is not. */
static JsonNode *traffic(const char *variant, double time_us, double latency_ns)
{
    const Case one = {
        .variant = variant, .time_us = time_us, .use = 0.5, .latency_ns = 100 * latency_ns};
    JsonNode *result = result_of(&one);
    JsonObject *summary = object_of(result, "summary"), *latency = json_object_new();
    json_object_set_double_member(latency, "mean", latency_ns / 2);
    json_object_set_double_member(latency, "mean_ns", latency_ns);
    json_object_set_object_member(summary, "probe_latency", latency);
    json_object_set_double_member(summary, "offered_gbps", 100);
    return result;
}

START_TEST(traffic_at_a_set_rate_is_ranked_by_its_latency)
{
    g_autoptr(JsonNode) first = traffic("first", 100, 400), sooner = traffic("sooner", 50, 500),
                        better = traffic("better", 100, 300);
    g_autofree char *text =
        printed((JsonNode *const[]){first, sooner, better}, 3, conclusion_print);
    ck_assert_msg(strstr(text, "  first has a latency of 400 ns, bound by "), "%s", text);
    ck_assert_msg(strstr(text, "  better has the least latency, -25.0 %: less time in dram_bus "
                               "(-100 cycles a request of 400)\n"),
                  "%s", text);
    ck_assert_msg(strstr(text, "  sooner +25.0 %: more time in dram_bus"), "%s", text);
    json_object_remove_member(object_of(first, "summary"), "offered_gbps");
    ck_assert_double_nan(reason_change(first, better));
}
END_TEST

/* 200 cycles of 1 ns are 200 of 0.5 ns and less; one without a clock says nothing of others. */
START_TEST(latencies_in_cycles_of_other_clocks_are_compared_as_times)
{
    static const Case cases[] = {{.variant = "a", .time_us = 100, .use = 0.9},
                                 {.variant = "b", .time_us = 100, .use = 0.9, .clock_mhz = 2000}};
    g_autoptr(JsonNode) a = result_of(&cases[0]), b = result_of(&cases[1]);
    g_autoptr(JsonNode) none = result_of(&cases[0]);
    JsonNode *const results[] = {a, b}, *const alike[] = {a, a}, *const unlike[] = {none, a, b};
    json_object_remove_member(object_of(none, "summary"), "core_cycles");
    for (guint i = 0; i < G_N_ELEMENTS(results); i++) {
        JsonObject *latency = json_object_new();
        json_object_set_double_member(latency, "mean", i ? 300 : 200);
        json_object_set_double_member(latency, "p50", i ? 300 : 200);
        json_object_set_object_member(object_of(results[i], "summary"), "load_latency_cycles",
                                      latency);
    }
    g_autofree char *text = printed(results, 2, print_table);
    ck_assert_msg(
        g_regex_match_simple("load latency mean, ns +200 +150 +-25.0 %\n    p50, ns +200 +150",
                             text, 0, 0),
        "%s", text);
    g_autofree char *three = printed(unlike, 3, print_table);
    ck_assert_msg(g_regex_match_simple("    p50, ns +- +200 +150", three, 0, 0), "%s", three);
    g_autofree char *same = printed(alike, 2, print_table);
    ck_assert_msg(
        g_regex_match_simple("load latency mean +200 +200.*\n    p50, cycles +200", same, 0, 0),
        "%s", same);
}
END_TEST

/* --- unlike kernels --------------------------------------------------------------------------- */

typedef struct {
    double us[3], bytes[3]; /* of each kernel */
} List;

static void name_kernel(JsonNode *entry, guint number, double share)
{
    static const char *const names[] = {"a", "b", "c"}, *const bounds[] = {"A", "B", "C"};
    JsonObject *object = json_node_get_object(entry);
    json_object_set_string_member(object, "name", names[number]);
    json_object_set_string_member(object, "bound", bounds[number]);
    json_object_set_int_member(object, "launch", number + 1);
    json_object_set_int_member(object, "launches", 1);
    json_object_set_double_member(object, "time_share", share);
}

/* Three kernels, of which none has half of the time; the whole's bytes say nothing. */
static JsonNode *list_of(const List *list)
{
    const double all = list->us[0] + list->us[1] + list->us[2];
    JsonNode *result = result_of(&(Case){.time_us = all,
                                         .use = 0.4,
                                         .kernels = "{\"name\": \"a\", \"number\": 1},"
                                                    "{\"name\": \"b\", \"number\": 2},"
                                                    "{\"name\": \"c\", \"number\": 3}"});
    JsonArray *kernels = json_array_new(), *names = json_array_new();
    for (guint i = 0; i < 3; i++) {
        g_autofree char *bytes =
            g_strdup_printf("\"bytes_read\": %.0f, \"bytes_written\": 0", list->bytes[i]);
        JsonNode *entry = result_of(&(Case){.time_us = list->us[i], .use = 0.9, .total = bytes});
        json_object_set_double_member(json_node_get_object(entry), "time_ns", list->us[i] * 1e3);
        name_kernel(entry, i, list->us[i] / all);
        json_array_add_element(kernels, entry);
        json_array_add_element(names, json_node_ref(entry));
    }
    json_object_set_array_member(object_of(result, NULL), "kernels", kernels);
    json_object_set_array_member(object_of(result, NULL), "kernel_names", names);
    return result;
}

static const List before = {{40, 35, 25}, {1e6, 2e6, 3e6}};
static const List after = {{40, 35, 48}, {1e6, 2e6, 6e6}};

START_TEST(the_reason_of_unlike_kernels_is_that_of_the_one_that_changed)
{
    g_autoptr(JsonNode) old = list_of(&before), new = list_of(&after);
    g_autofree char *reason = reason_new(old, new);
    ck_assert_str_eq(reason, "in c, more bytes read from DRAM (3.00 MB -> 6.00 MB)");
}
END_TEST

START_TEST(a_choice_of_kernels_leaves_the_verdict_of_all_as_it_is)
{
    g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func((GDestroyNotify)json_node_unref);
    g_ptr_array_add(results, list_of(&before));
    g_autoptr(Verdict) whole = verdict_new(results->pdata[0]);
    ck_assert_str_eq(whole->bound, "unlike kernels");
    g_autoptr(GError) error = NULL;
    char kernels[] = "1,2";
    ck_assert(kernels_choose(results, &(KernelChoice){.kernels = kernels}, &error));
    g_autoptr(Verdict) chosen = verdict_new(results->pdata[0]);
    ck_assert_str_eq(chosen->sentence, whole->sentence);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {what_was_interrupted_or_not_measured_is_not_ranked,
                                  traffic_at_a_set_rate_is_ranked_by_its_latency,
                                  latencies_in_cycles_of_other_clocks_are_compared_as_times,
                                  the_reason_of_unlike_kernels_is_that_of_the_one_that_changed,
                                  a_choice_of_kernels_leaves_the_verdict_of_all_as_it_is};
    TCase *cases = tcase_create("ranks");
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++) tcase_add_test(cases, tests[i]);
    return harness_run_cases("ranks", cases);
}
