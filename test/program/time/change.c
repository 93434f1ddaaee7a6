/* Where time went, and where its change comes from, to the last femtosecond. */
#include <check.h>
#include <string.h>

#include "program/report/figure_cells.h"
#include "rigs/harness.h"
#include "rigs/program.h"
#include "scenarios/program/compare/json.h"
#include "scenarios/program/report/comparison/comparison.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/time/change.h"
#include "scenarios/program/time/say.h"
#include "scenarios/program/time/stack.h"

/* Of a machine of 4 schedulers; what is outside counts nowhere. */
static const char before_text[] =
    "{'variant': 'slow', 'summary': {}, 'time': {'schedulers': 4, 'fs': 9000000, 'parts': ["
    "{'name': 'slot_a', 'title': 'issue', 'kind': 'issue', 'fs': 1000000},"
    "{'name': 'slot_b', 'title': 'data: DRAM', 'kind': 'memory', 'fs': 7000000},"
    "{'name': 'slot_c', 'title': 'tail', 'kind': 'tail', 'fs': 1000000},"
    "{'name': 'slot_d', 'title': 'between kernels', 'kind': 'outside', 'fs': 5000000}]}}";
static const char after_text[] =
    "{'variant': 'fast', 'summary': {}, 'time': {'schedulers': 2, 'fs': 6000000, 'parts': ["
    "{'name': 'slot_b', 'title': 'data: DRAM', 'kind': 'memory', 'fs': 2000000},"
    "{'name': 'slot_e', 'title': 'barrier', 'kind': 'barrier', 'fs': 3000000},"
    "{'name': 'slot_a', 'title': 'issue', 'kind': 'issue', 'fs': 1000000}]}}";

static void expect_change(const GArray *changes, guint index, const char *name, gint64 before,
                          gint64 after)
{
    const TimeChange *change = &g_array_index(changes, TimeChange, index);
    ck_assert_str_eq(change->name, name);
    ck_assert_int_eq(change->before, before);
    ck_assert_int_eq(change->after, after);
}

START_TEST(parts_that_either_result_has_are_steps_the_longest_first)
{
    g_autoptr(JsonNode) before = parse(before_text), after = parse(after_text);
    g_autoptr(GArray) changes = time_changes_new(before, after);
    ck_assert_uint_eq(changes->len, 4);
    expect_change(changes, 0, "slot_b", 7000000, 2000000);
    expect_change(changes, 1, "slot_e", 0, 3000000);
    expect_change(changes, 2, "slot_c", 1000000, 0);
    expect_change(changes, 3, "slot_a", 1000000, 1000000);
    const TimeChange sum = time_changes_sum(changes);
    ck_assert_int_eq(sum.before, 9000000);
    ck_assert_int_eq(sum.after, 6000000);
}
END_TEST

START_TEST(results_that_do_not_say_where_time_went_have_no_steps)
{
    g_autoptr(JsonNode) before = parse(before_text), without = parse("{'summary': {}}");
    ck_assert_ptr_null(time_changes_new(before, without));
    ck_assert_ptr_null(time_changes_new(without, before));
    ck_assert_ptr_null(time_stack_new(without));
}
END_TEST

typedef void (*Print)(const Comparison *comparison, FILE *out);

static void print_brief(const Comparison *comparison, FILE *out)
{
    time_changes_print_brief(comparison, 1, out);
}

static void print_whole(const Comparison *comparison, FILE *out)
{
    time_changes_print(comparison, 1, out);
}

static void print_parts(const Comparison *comparison, FILE *out)
{
    time_spent_print_brief(comparison->results[0], out);
    time_spent_print(comparison->results[0], out);
}

static char *printed_of(const char *one, const char *two, Print print)
{
    g_autoptr(JsonNode) before = parse(one), after = parse(two);
    JsonNode *const results[] = {before, after};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    print(&(Comparison){results, NULL, 2}, out);
    fclose(out);
    return text;
}

static char *printed(Print print)
{
    return printed_of(before_text, after_text, print);
}

START_TEST(others_that_are_but_rounding_are_not_told)
{
    static const char rounded[] =
        "{'variant': 'round', 'summary': {}, 'time': {'schedulers': 2, 'fs': 8000001, 'parts': ["
        "{'name': 'slot_b', 'title': 'data: DRAM', 'kind': 'memory', 'fs': 6000000},"
        "{'name': 'slot_c', 'title': 'tail', 'kind': 'tail', 'fs': 1000000},"
        "{'name': 'slot_a', 'title': 'issue', 'kind': 'issue', 'fs': 1000001}]}}";
    g_autofree char *text = printed_of(before_text, rounded, print_brief);
    ck_assert_str_eq(text, "  round -1.00 ns: data: DRAM -1.00 ns\n");
}
END_TEST

START_TEST(a_terminal_has_the_steps)
{
    g_autofree char *brief = printed(print_brief), *whole = printed(print_whole);
    ck_assert_str_eq(brief,
                     "  fast -3.00 ns: data: DRAM -5.00 ns; barrier +3.00 ns; tail -1.00 ns\n");
    ck_assert_str_eq(whole, "    time: where the change comes from\n"
                            "      a scheduler's time, ns  before  after  change\n"
                            "      slow                                      9.0  "
                            "||||||||||||||||||||||||\n"
                            "      data: DRAM                 7.0    2.0    -5.0             "
                            "-------------\n"
                            "      barrier                    0.0    3.0    +3.0             "
                            "++++++++\n"
                            "      tail                       1.0    0.0    -1.0                  "
                            "---\n"
                            "      all others                 1.0    1.0     0.0\n"
                            "      fast                                      6.0  "
                            "||||||||||||||||\n");
}
END_TEST

START_TEST(a_terminal_has_the_parts)
{
    g_autofree char *text = printed(print_parts);
    ck_assert_msg(strstr(text, "time went to data: DRAM 78 %; issue 11 %; tail 11 %\n")
                      && strstr(text, "of which there are 4\n")
                      && strstr(text, "      data: DRAM  7.0   77.8 %  #######################\n")
                      && strstr(text, "      sum         9.0  100.0 %")
                      && !strstr(text, "between kernels"),
                  "%s", text);
}
END_TEST

START_TEST(json_and_page_have_the_steps)
{
    static const char *const names[] = {"slow", "fast"};
    g_autoptr(JsonNode) before = parse(before_text), after = parse(after_text);
    JsonNode *const results[] = {before, after};
    g_autoptr(JsonNode) json = compare_json(&(Comparison){results, NULL, 2});
    g_autofree char *text = json_text(json);
    ck_assert_ptr_nonnull(strstr(text, "\"time_change_fs\": -3000000"));
    ck_assert_ptr_nonnull(strstr(text, "\"change_fs\": -5000000"));
    g_auto(Cells) cells = cells_of(comparison_time_change(before, after, names));
    const guint fs = cells_column(&cells, "change_fs"),
                rows = json_array_get_length(cells_rows(&cells));
    gint64 sum = 0;
    for (guint i = 1; i + 1 < rows; i++)
        sum += json_array_get_int_element(cells_row_at(&cells, i), fs);
    ck_assert_int_eq(json_array_get_int_element(cells_row_at(&cells, 0), fs), 9000000);
    ck_assert_int_eq(json_array_get_int_element(cells_row_at(&cells, rows - 1), fs), 6000000);
    ck_assert_int_eq(sum, -3000000);
}
END_TEST

HARNESS_MAIN("time_change", parts_that_either_result_has_are_steps_the_longest_first,
             results_that_do_not_say_where_time_went_have_no_steps, a_terminal_has_the_steps,
             others_that_are_but_rounding_are_not_told, a_terminal_has_the_parts,
             json_and_page_have_the_steps)
