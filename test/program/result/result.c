#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/describe/stage.h"
#include "rigs/harness.h"
#include "rigs/temporary.h"
#include "scenarios/program/compare/attribution.h"
#include "scenarios/program/compare/compare.h"
#include "scenarios/program/compare/json.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/say/summary.h"
#include "scenarios/program/timeline/timeline.h"

/* Two runs: in the second, DRAM takes longer and one class is new. */
static const char before_text[] =
    "{\"schema_version\": 1, \"scenario\": \"S\", \"variant\": \"baseline\", \"partial\": false,"
    " \"summary\": {\"core_cycles\": 1000.0, \"time_ns\": 1000.0, \"dram\": {\"bandwidth_gbps\": 90.0, \"peak_gbps\": 100.0}},"
    " \"stages\": {\"load\": {\"count\": 2, \"latency\": 9007199254740997, \"issue\": 4, \"dram_bus\": 9007199254740993}},"
    " \"parameters\": {\"l1\": {\"ways\": \"4\", \"sets\": \"2\"}}, \"units\": {}}";
static const char after_text[] =
    "{\"schema_version\": 1, \"scenario\": \"S\", \"variant\": \"slow\", \"partial\": false,"
    " \"summary\": {\"core_cycles\": 1100.0, \"time_ns\": 1100.0, \"dram\": {\"bandwidth_gbps\": 10.0, \"peak_gbps\": 100.0}},"
    " \"stages\": {\"load\": {\"count\": 2, \"latency\": 9007199254740999, \"issue\": 5, \"dram_bus\": 9007199254740994},"
    " \"store\": {\"count\": 1, \"latency\": 7, \"issue\": 7}},"
    " \"parameters\": {\"l1\": {\"ways\": \"8\", \"sets\": \"2\"}, \"sm\": {\"max_warps\": \"64\"}}, \"units\": {}}";

static JsonNode *parse(const char *text)
{
    g_autoptr(GError) error = NULL;
    JsonNode *node = json_from_string(text, &error);
    ck_assert_msg(node != NULL, "%s", error ? error->message : "");
    return node;
}

/* 2^53 + 1 is not a double: the sums must not pass through one. */
START_TEST(stages_sum_to_the_total_change_exactly)
{
    g_autoptr(JsonNode) before = parse(before_text), after = parse(after_text);
    g_autoptr(GArray) changes = attribution_new(before, after);
    gint64 sum = 0;
    for (guint i = 0; i < changes->len; i++) {
        const StageChange *change = &g_array_index(changes, StageChange, i);
        sum += change->after - change->before;
    }
    ck_assert_uint_eq(changes->len, 3);
    ck_assert_int_eq(sum, 9);
    ck_assert_int_eq(attribution_total(after) - attribution_total(before), sum);
    ck_assert_int_eq(attribution_requests(after), 3);
}
END_TEST

static char *print_comparison(const Comparison *comparison)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    compare_print(comparison, true, out);
    fclose(out);
    return text;
}

START_TEST(a_comparison_names_what_changed)
{
    g_autoptr(JsonNode) before = parse(before_text), after = parse(after_text);
    JsonNode *const results[] = {before, after};
    const Comparison comparison = {results, NULL, 2};
    g_autofree char *text = print_comparison(&comparison);
    ck_assert_ptr_nonnull(strstr(text, "baseline"));
    ck_assert_ptr_nonnull(strstr(text, "+10.0 %"));
    ck_assert_ptr_nonnull(strstr(text, "l1.ways: 4 -> 8"));
    ck_assert_ptr_nonnull(strstr(text, "sm.max_warps: (none) -> 64"));
    ck_assert_ptr_null(strstr(text, "l1.sets"));
    ck_assert_ptr_null(strchr(text, '\033'));
    g_autoptr(JsonNode) json = compare_json(&comparison);
    g_autofree char *json_string = json_text(json);
    ck_assert_ptr_nonnull(strstr(json_string, "\"latency_change_fs\": 9"));
}
END_TEST

START_TEST(each_stage_has_a_letter_in_the_timeline)
{
    GString *text = g_string_new("{\"summary\": {\"core_cycles\": 32.0, \"time_ns\": 32.0},"
                                 " \"timeline\": [{\"sm\": 0, \"warp\": 0, \"type\": \"load\","
                                 " \"address\": 0, \"served_by\": \"l2\", \"begin\": 0,");
    g_string_append_printf(text, "\"end\": %d000000, \"stages\": [", STAGE_COUNT);
    for (guint i = 0; i < STAGE_COUNT; i++)
        g_string_append_printf(text, "%s{\"stage\": \"%s\", \"fs\": 1000000}", i ? "," : "",
                               stage_name((Stage)i));
    g_string_append(text, "]}]}");
    g_autofree char *whole = g_string_free(text, FALSE);
    g_autoptr(JsonNode) result = parse(whole);
    char *printed = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&printed, &size);
    timeline_print(result, out);
    fclose(out);
    ck_assert_msg(strstr(printed, "ccccl") && !strchr(printed, '?'), "%s", printed);
    ck_assert_ptr_nonnull(strstr(printed, "xxxxx"));
    free(printed);
}
END_TEST

START_TEST(numbers_are_written_short_and_exact)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    json_put_real(json, "tenth", 0.1);
    json_put_real(json, "third", 1.0 / 3);
    json_put_real(json, "whole", 3);
    json_put_real(json, "large", 1e22);
    json_put_real(json, "none", NAN);
    json_put_number(json, "count", UINT64_C(9007199254740993));
    json_put_text(json, "text", "a \"b\"\n");
    json_put_bool(json, "yes", TRUE);
    json_builder_set_member_name(json, "empty");
    json_builder_begin_object(json);
    json_builder_end_object(json);
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    g_autofree char *text = json_text(root);
    ck_assert_str_eq(text,
                     "{\n  \"tenth\": 0.1,\n  \"third\": 0.3333333333333333,\n  \"whole\": 3.0,\n"
                     "  \"large\": 1e+22,\n  \"none\": null,\n  \"count\": 9007199254740993,\n"
                     "  \"text\": \"a \\\"b\\\"\\n\",\n  \"yes\": true,\n  \"empty\": {}\n}\n");
    g_autoptr(JsonNode) again = parse(text);
    ck_assert_double_eq(result_number(again, "third"), 1.0 / 3);
}
END_TEST

static char *written(double value)
{
    g_autoptr(JsonNode) node = json_node_init_double(json_node_alloc(), value);
    g_autofree char *text = json_text(node);
    return g_strndup(text, strlen(text) - 1);
}

/* Each precision tried in turn; whole numbers have all their digits. */
static char *shortest(double value)
{
    if (fabs(value) < 1e15 && value == trunc(value)) return g_strdup_printf("%.1f", value);
    char buffer[40] = "";
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(buffer, sizeof buffer, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value) break;
    }
    return g_strdup_printf("%s%s", buffer, strpbrk(buffer, ".e") ? "" : ".0");
}

static void assert_shortest(double value)
{
    g_autofree char *text = written(value), *expected = shortest(value);
    ck_assert_str_eq(text, expected);
}

/* Of each size, with few and with all digits, and between the normal numbers and zero. */
START_TEST(no_decimal_that_reads_back_is_shorter)
{
    static const double special[] = {0.0,
                                     -0.0,
                                     1,
                                     -1.5,
                                     123456789012345678.0,
                                     DBL_MAX,
                                     DBL_MIN,
                                     5e-324,
                                     2.5e-320,
                                     0.1 + 0.2,
                                     1e15,
                                     1e16,
                                     9.5e-5,
                                     1e-5,
                                     999999999999999.9,
                                     1e23,
                                     5e-310,
                                     2.0 / 3,
                                     4503599627370497.5};
    g_autoptr(GRand) random = g_rand_new_with_seed(1);
    for (guint i = 0; i < G_N_ELEMENTS(special); i++) assert_shortest(special[i]);
    for (guint i = 0; i < 20000; i++) {
        const double mantissa = g_rand_double_range(random, -1, 1);
        const double digits = pow(10, g_rand_int_range(random, 0, 17));
        assert_shortest(ldexp(mantissa, g_rand_int_range(random, -1074, 1023)));
        assert_shortest(round(mantissa * digits) / pow(10, g_rand_int_range(random, 0, 20)));
    }
}
END_TEST

START_TEST(whole_numbers_have_all_their_digits)
{
    static const gint64 numbers[] = {0, 7, -1, 10, 99, -100, G_MAXINT64, G_MININT64};
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++) {
        g_autoptr(JsonNode) node = json_node_init_int(json_node_alloc(), numbers[i]);
        g_autofree char *text = json_text(node),
                        *expected = g_strdup_printf("%" G_GINT64_FORMAT "\n", numbers[i]);
        ck_assert_str_eq(text, expected);
    }
}
END_TEST

/* It forgets the last of the control characters. */
START_TEST(strings_are_escaped_as_json_glib_does)
{
    g_autoptr(JsonNode) last = json_node_init_string(json_node_alloc(), "\x1f");
    g_autofree char *escaped = json_text(last);
    ck_assert_str_eq(escaped, "\"\\u001f\"\n");
    for (int byte = 1; byte < 128; byte++) {
        if (byte == 0x1f) continue;
        const char string[] = {'a', (char)byte, 'b', '\0'};
        g_autoptr(JsonNode) node = json_node_init_string(json_node_alloc(), string);
        g_autofree char *text = json_text(node), *expected = json_to_string(node, FALSE);
        text[strlen(text) - 1] = '\0';
        ck_assert_str_eq(text, expected);
    }
}
END_TEST

START_TEST(a_result_appears_complete_or_not_at_all)
{
    char *folder = temporary_folder();
    g_autoptr(GError) error = NULL;
    g_autofree char *deep = g_build_filename(folder, "a", "b", NULL);
    ck_assert(result_prepare_directory(deep, &error));
    ck_assert_uint_eq(temporary_count(deep), 0);
    ck_assert(result_write(deep, before_text, "{}", &error));
    ck_assert(result_write(deep, after_text, "{}", &error));
    ck_assert_uint_eq(temporary_count(deep), 2);
    g_autoptr(JsonNode) node = result_read(deep, &error);
    ck_assert_str_eq(result_text(node, "variant"), "slow");
    ck_assert(!result_write("/dev/null/x", "", "", &error));
    g_clear_error(&error);
    ck_assert(!result_prepare_directory("/dev/null/x", &error));
    ck_assert_str_eq(error->message,
                     "-o /dev/null/x: results cannot be written there: Not a directory");
    temporary_remove(folder);
}
END_TEST

/* A folder in the way of host.json is found beforehand; should it come later, nothing is left. */
START_TEST(result_and_host_appear_both_or_not_at_all)
{
    char *folder = temporary_folder();
    g_autoptr(GError) error = NULL;
    g_autofree char *obstacle = g_build_filename(folder, "host.json", NULL);
    ck_assert_int_eq(g_mkdir(obstacle, 0777), 0);
    ck_assert(!result_prepare_directory(folder, &error));
    ck_assert_msg(g_str_has_suffix(error->message,
                                   "host.json: results cannot be written there: Is a directory"),
                  "%s", error->message);
    g_clear_error(&error);
    ck_assert(!result_write(folder, before_text, "{}", &error));
    ck_assert_ptr_nonnull(error);
    ck_assert_uint_eq(temporary_count(folder), 1);
    temporary_remove(folder);
}
END_TEST

START_TEST(a_partial_result_is_marked_in_a_comparison)
{
    g_autoptr(JsonNode) before = parse(before_text), after = parse(after_text);
    json_object_set_boolean_member(json_node_get_object(after), "partial", TRUE);
    JsonNode *const results[] = {before, after};
    const Comparison comparison = {results, NULL, 2};
    g_autofree char *text = print_comparison(&comparison);
    ck_assert_ptr_nonnull(strstr(text, "slow (partial)"));
    ck_assert_ptr_null(strstr(text, "baseline (partial)"));
    g_autoptr(JsonNode) json = compare_json(&comparison);
    JsonArray *entries = json_node_get_array(json);
    ck_assert(!result_is_partial(json_array_get_element(entries, 0)));
    ck_assert(result_is_partial(json_array_get_element(entries, 1)));
}
END_TEST

static char *print_summary(JsonNode *result)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    summary_print(result, true, out);
    summary_conclude(result, out);
    fclose(out);
    return text;
}

START_TEST(a_run_that_measured_nothing_says_so)
{
    g_autoptr(JsonNode) result = parse(before_text);
    json_object_set_boolean_member(json_node_get_object(result), "measured", FALSE);
    g_autofree char *whole = print_summary(result);
    ck_assert_ptr_nonnull(strstr(whole, "simulated (no launch is measured)"));
    json_object_set_boolean_member(json_node_get_object(result), "partial", TRUE);
    g_autofree char *partial = print_summary(result);
    ck_assert_ptr_nonnull(strstr(partial, "simulated (interrupted in warm-up)"));
    ck_assert_ptr_null(strstr(partial, "measured time"));
    ck_assert_ptr_null(strstr(partial, "bound by"));
}
END_TEST

START_TEST(the_hit_rate_of_l2_stands_beside_its_loads)
{
    g_autoptr(JsonNode) result = parse(before_text);
    g_autoptr(JsonNode) l2 =
        parse("{\"hit_rate\": 0.25, \"reads\": 40, \"load_hits\": 10, \"accesses\": 100}");
    g_autofree char *without = print_summary(result);
    ck_assert_ptr_null(strstr(without, "L2, loads"));
    json_object_set_member(json_node_get_object(result_member(result, "summary")), "l2",
                           json_node_ref(l2));
    g_autofree char *text = print_summary(result);
    ck_assert_msg(g_regex_match_simple("L2, loads +40 +10 +- +- +25\\.0 %\n", text, 0, 0), "%s",
                  text);
}
END_TEST

START_TEST(what_binds_is_among_what_was_busy)
{
    g_autoptr(JsonNode) result = parse(before_text);
    json_object_set_member(json_node_get_object(result), "resources",
                           parse("{\"mmu\": {\"tlb_ports\": {\"kind\": \"server\", \"capacity\": 1,"
                                 " \"mean\": 0.9, \"use\": 0.9, \"full\": 0.9}}}"));
    g_autofree char *text = print_summary(result);
    ck_assert_msg(g_regex_match_simple("\n  busy\n +ports of the L2 TLB +90 %", text, 0, 0), "%s",
                  text);
}
END_TEST

static char *text_of_variant(const char *name)
{
    g_autoptr(GString) text = g_string_new(after_text);
    g_string_replace(text, "\"slow\"", "\"\"", 1);
    g_string_insert(text, strstr(text->str, "\"\"") + 1 - text->str, name);
    return g_strdup(text->str);
}

/* Those that do not say their place come last. */
START_TEST(a_folder_of_variants_is_read_in_the_scenarios_order_baseline_first)
{
    static const char *const names[] = {"a", "b", "baseline", "c", "d", NULL},
                             *const hosts[] = {"{}", "{\"place\": 10}", "{\"place\": 12}",
                                               "{\"place\": 9}", "[]"};
    char *folder = temporary_folder();
    for (unsigned i = 0; names[i]; i++) {
        g_autofree char *directory = g_build_filename(folder, names[i], NULL),
                        *text = text_of_variant(names[i]);
        ck_assert(result_prepare_directory(directory, NULL));
        ck_assert(result_write(directory, text, hosts[i], NULL));
    }
    g_autoptr(GPtrArray) results = result_read_all(folder, NULL);
    g_autoptr(GString) order = g_string_new(NULL);
    for (guint i = 0; i < results->len; i++)
        g_string_append_printf(order, "%s ", result_text(results->pdata[i], "variant"));
    ck_assert_str_eq(order->str, "baseline c b a d ");
    temporary_remove(folder);
}
END_TEST

START_TEST(what_is_not_a_result_is_refused)
{
    char *folder = temporary_folder();
    g_autofree char *other = temporary_file(folder, "other.json", "{\"a\": 1}");
    g_autofree char *newer =
        temporary_file(folder, "newer.json", "{\"schema_version\": 2, \"summary\": {}}");
    g_autofree char *cut = temporary_file(folder, "cut.json", "{\"schema_version\": 1, ");
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(result_read(other, &error));
    ck_assert_ptr_nonnull(strstr(error->message, "not a result of warpmem"));
    g_clear_error(&error);
    ck_assert_ptr_null(result_read(newer, &error));
    ck_assert_ptr_nonnull(strstr(error->message, "has schema version 2; this program reads 1"));
    g_clear_error(&error);
    ck_assert_ptr_null(result_read(cut, &error));
    ck_assert_msg(g_str_has_prefix(error->message + strlen(cut), ":1:21: not JSON: Parse error: "),
                  "%s", error->message);
    g_clear_error(&error);
    ck_assert_ptr_null(result_read_all(folder, &error));
    ck_assert_ptr_nonnull(strstr(error->message, ": no result is there: neither"));
    g_clear_error(&error);
    ck_assert_ptr_null(result_read_all("/nowhere", &error));
    ck_assert_str_eq(error->message, "/nowhere: cannot be read: No such file or directory");
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        stages_sum_to_the_total_change_exactly,
        a_comparison_names_what_changed,
        each_stage_has_a_letter_in_the_timeline,
        numbers_are_written_short_and_exact,
        no_decimal_that_reads_back_is_shorter,
        whole_numbers_have_all_their_digits,
        strings_are_escaped_as_json_glib_does,
        a_result_appears_complete_or_not_at_all,
        a_folder_of_variants_is_read_in_the_scenarios_order_baseline_first,
        what_is_not_a_result_is_refused,
        result_and_host_appear_both_or_not_at_all,
        a_partial_result_is_marked_in_a_comparison,
        a_run_that_measured_nothing_says_so,
        the_hit_rate_of_l2_stands_beside_its_loads,
        what_binds_is_among_what_was_busy};
    TCase *cases = tcase_create("result");
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++) tcase_add_test(cases, tests[i]);
    return harness_run_cases("result", cases);
}
