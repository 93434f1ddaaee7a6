/* The waterfall from one result to another is exact. */
#include "kit/describe/stage.h"
#include "program/report/figure_cells.h"
#include "rigs/harness.h"
#include "rigs/program.h"
#include "scenarios/program/compare/attribution.h"
#include "scenarios/program/report/comparison/comparison.h"
#include "scenarios/program/result/result.h"

/* The sums of a waterfall's steps and totals, fs. Every step is there once. */
static void expect_exact(JsonNode *before, JsonNode *after)
{
    static const char *const names[] = {"before", "after"};
    g_auto(Cells) cells = cells_of(comparison_change(before, after, names));
    const guint rows = json_array_get_length(cells_rows(&cells));
    const guint role = cells_column(&cells, "role"), fs = cells_column(&cells, "change_fs"),
                ns = cells_column(&cells, "change");
    gint64 sum = 0;
    for (guint i = 0; i < rows; i++) {
        JsonArray *row = cells_row_at(&cells, i);
        const gboolean total = i == 0 || i == rows - 1;
        const gint64 change = json_array_get_int_element(row, fs);
        ck_assert_str_eq(json_array_get_string_element(row, role), total ? "total" : "change");
        ck_assert_str_ne(json_array_get_string_element(row, 0), "in no stage");
        expect(json_array_get_double_element(row, ns), (double)change * 1e-6);
        if (!total) sum += change;
        if (i > 1 && i < rows - 2)
            ck_assert_int_ge(ABS(json_array_get_int_element(cells_row_at(&cells, i - 1), fs)),
                             ABS(change));
    }
    const gint64 old = json_array_get_int_element(cells_row_at(&cells, 0), fs),
                 new = json_array_get_int_element(cells_row_at(&cells, rows - 1), fs);
    ck_assert_int_eq(old, attribution_total(before));
    ck_assert_int_eq(new, attribution_total(after));
    ck_assert_int_eq(new - old, sum);
    ck_assert_uint_le(rows, 17);
}

/* A result whose classes have requests with the odd femtosecond in some stages, up to so much that
 * a double would lose it. */
static JsonNode *random_result(GRand *random)
{
    static const char *const classes[] = {"load_l1_hit", "load_l2_hit", "load_dram", "store"};
    g_autoptr(GString) text = g_string_new("{'stages': {");
    for (guint c = 0; c < G_N_ELEMENTS(classes); c++) {
        if (g_rand_int_range(random, 0, 4) == 0) continue;
        gint64 latency = 0;
        if (text->str[text->len - 1] == '}') g_string_append_c(text, ',');
        g_string_append_printf(text, "'%s': {", classes[c]);
        for (unsigned stage = 0; stage < STAGE_COUNT; stage++) {
            if (g_rand_int_range(random, 0, 3) == 0) continue;
            const gint64 sum = ((gint64)g_rand_int(random) << g_rand_int_range(random, 0, 26)) + 1;
            latency += sum;
            g_string_append_printf(text, "'%s': %" G_GINT64_FORMAT ", ", stage_name(stage), sum);
        }
        g_string_append_printf(text, "'count': %d, 'latency': %" G_GINT64_FORMAT "}",
                               g_rand_int_range(random, 1, 1000), latency);
    }
    g_string_append(text, "}}");
    return parse(text->str);
}

START_TEST(a_waterfall_adds_up_to_the_last_femtosecond)
{
    GRand *random = g_rand_new_with_seed(20);
    guint large = 0;
    for (guint i = 0; i < 200; i++) {
        g_autoptr(JsonNode) before = random_result(random), after = random_result(random);
        if (attribution_total(before) > G_GINT64_CONSTANT(1) << 53) large++;
        if (attribution_total(before) || attribution_total(after)) expect_exact(before, after);
    }
    ck_assert_uint_gt(large, 100);
    g_rand_free(random);
}
END_TEST

/* Three misses of 100 become one of 90 and two hits of 10. */
START_TEST(requests_that_change_their_class_leave_one_and_join_another)
{
    g_autoptr(JsonNode) before =
        parse("{'stages': {'load_dram': {'count': 3, 'latency': 300, 'dram_bus': 300}}}");
    g_autoptr(JsonNode) after =
        parse("{'stages': {'load_dram': {'count': 1, 'latency': 90, 'dram_bus': 90},"
              " 'load_l2_hit': {'count': 2, 'latency': 20, 'l2_tag': 20}}}");
    static const char *const names[] = {"first", "second"};
    g_auto(Cells) cells = cells_of(comparison_change(before, after, names));
    static const struct {
        const char *step;
        double change;
    } steps[] = {{"first", 300},
                 {"load_dram: dram_bus", -210},
                 {"load_l2_hit: l2_tag", 20},
                 {"second", 110}};
    for (guint i = 0; i < G_N_ELEMENTS(steps); i++)
        expect(cells_number(&cells, steps[i].step, "change_fs"), steps[i].change);
    ck_assert_str_eq(json_array_get_string_element(cells_row_at(&cells, 1), 0),
                     "load_dram: dram_bus"); /* the largest step first */
    expect(cells_number(&cells, "load_l2_hit: l2_tag", "before_fs"), 0);
    expect(cells_number(&cells, "load_l2_hit: l2_tag", "after_fs"), 20);
    ck_assert_uint_eq(json_array_get_length(cells_rows(&cells)), 4);
    expect_exact(before, after);
}
END_TEST

START_TEST(what_requests_took_is_said_in_grouped_numbers)
{
    g_autoptr(JsonNode) before =
        parse("{'stages': {'store': {'count': 2000, 'latency': 3000000000000, 'fill': 1}}}");
    g_autoptr(JsonNode) after = parse("{'stages': {'store': {'count': 0, 'latency': 0}}}");
    static const char *const names[] = {"first", "second"};
    g_auto(Cells) cells = cells_of(comparison_change(before, after, names));
    ck_assert_str_eq(cells_member(&cells, "note"), "2,000 requests before, 0 after; mean latency "
                                                   "1,500.0 ns before, 0.0 ns after.");
}
END_TEST

/* Of 1000 one is a thousandth. */
START_TEST(small_steps_are_one_step)
{
    g_autoptr(JsonNode) before = parse("{'stages': {'store': {'count': 1, 'latency': 0}}}");
    g_autoptr(JsonNode) after =
        parse("{'stages': {'store': {'count': 1, 'latency': 1001, 'issue': 1, 'coalesce': 1,"
              " 'fill': -1, 'l2_tag': 1000}}}");
    static const char *const names[] = {"first", "second"};
    g_auto(Cells) cells = cells_of(comparison_change(before, after, names));
    expect(cells_number(&cells, "all others", "change_fs"), 1);
    ck_assert_ptr_null(cells_row(&cells, "store: issue"));
    expect_exact(before, after);
}
END_TEST

START_TEST(latency_that_no_stage_has_is_said)
{
    g_autoptr(JsonNode) before = parse("{'stages': {'store': {'count': 1, 'latency': 0}}}");
    g_autoptr(JsonNode) after =
        parse("{'stages': {'store': {'count': 1, 'latency': 12, 'issue': 7}}}");
    static const char *const names[] = {"first", "second"};
    g_auto(Cells) cells = cells_of(comparison_change(before, after, names));
    expect(cells_number(&cells, "in no stage", "change_fs"), 5);
}
END_TEST

static const char small[] = "[scenario]\ntitle = Small\nextends = v100\n[machine]\nsms = 2\n"
                            "partitions = 2\npeak_bandwidth_gbps = 0\n[workload]\npattern = "
                            "random\nctas = 8\niterations = 6\nfootprint = 256 KiB\noperation = "
                            "load_store\n[variant big-l2]\nl2_slice.capacity = 1 MiB\n"
                            "[variant few-misses]\nl1.prt_entries = 8\n";

START_TEST(of_real_runs_the_waterfall_is_exact_too)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    const Outcome run = warpmem(folder, "run small.ini -q -o out");
    ck_assert_msg(run.status == 0, "%s", run.errors);
    g_autofree char *out = g_build_filename(folder, "out", NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) results = result_read_all(out, &error);
    ck_assert_msg(results && results->len == 3, "%s", error ? error->message : "");
    for (guint i = 0; i < 3; i++)
        for (guint k = 0; k < 3; k++) expect_exact(results->pdata[i], results->pdata[k]);
    ck_assert_int_ne(attribution_total(results->pdata[0]), attribution_total(results->pdata[2]));
    const Outcome report = warpmem(folder, "report out --data csv --json");
    ck_assert_msg(report.status == 0, "%s", report.errors);
    ck_assert(exists(folder, "csv/latency_change-few-misses.csv"));
    ck_assert(exists(folder, "csv/comparison_summary.csv"));
    ck_assert_ptr_null(strstr(report.out, "Results of"));
    const Outcome lettered = warpmem(folder, "report out out/baseline --json");
    ck_assert_ptr_nonnull(strstr(lettered.out, "\"A: out; B: out/baseline\""));
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("report_change");
    tcase_add_test(cases, a_waterfall_adds_up_to_the_last_femtosecond);
    tcase_add_test(cases, requests_that_change_their_class_leave_one_and_join_another);
    tcase_add_test(cases, what_requests_took_is_said_in_grouped_numbers);
    tcase_add_test(cases, small_steps_are_one_step);
    tcase_add_test(cases, latency_that_no_stage_has_is_said);
    tcase_add_test(cases, of_real_runs_the_waterfall_is_exact_too);
    Suite *suite = suite_create("report_change");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
