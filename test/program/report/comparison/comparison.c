/* The page of a comparison: every number on it follows from the results. */
#include "scenarios/program/report/comparison/comparison.h"
#include "program/report/figure_cells.h"
#include "rigs/harness.h"
#include "scenarios/program/report/pages.h"

/* 1000 ns, bound by DRAM; 500 ns, bound by nothing. Buckets 2 and 64 have latencies of 2 and
 * 64 fs; 128 begins the third octave: 128 and 129 fs. */
static const char before_text[] =
    "{'schema_version': 1, 'scenario': 'Two', 'variant': 'baseline', 'measured': true,"
    " 'partial': false,"
    " 'summary': {'time_ns': 1000, 'core_cycles': 2000,"
    "  'dram': {'bandwidth_gbps': 90, 'peak_gbps': 100, 'row_hit_rate': 0.5},"
    "  'load_latency_cycles': {'mean': 10, 'p95': 20}},"
    " 'parameters': {'l1': {'ways': '4'}, 'sm': {'max_warps': '64'}},"
    " 'stages': {'load_dram': {'count': 2, 'latency': 30000000, 'l1_queue': 30000000},"
    "  'store': {'count': 1, 'latency': 100, 'issue': 100}},"
    " 'resources': {'dram_channel': {'data_bus': {'kind': 'server', 'capacity': 1, 'mean': 0.9,"
    "    'use': 0.9, 'full': 0.9, 'refused': 0}}},"
    " 'units': {'sm': {'count': 1, 'total': {'load_latency': {'count': 4, 'p50_fs': 2000000,"
    "  'max_fs': 5000000, 'buckets': [2, 1, 64, 3]}}}},"
    " 'profile': {'series': {'start': 0, 'interval': 400000000, 'intervals': 3,"
    "   'span': 1000000000, 'classes': {'dram_channel': {"
    "    'bytes_read': {'total': [4000, 8000, 2000]},"
    "    'bytes_written': {'total': [0, 4000, 0]}}}},"
    "  'requests': {'load_dram': {'histogram': {'count': 4, 'p50_fs': 1000000,"
    "   'buckets': [2, 1, 128, 3]}}}}}";
static const char after_text[] =
    "{'schema_version': 1, 'scenario': 'Two', 'variant': 'other', 'measured': true,"
    " 'partial': false,"
    " 'summary': {'time_ns': 500, 'core_cycles': 1000,"
    "  'dram': {'bandwidth_gbps': 10, 'peak_gbps': 100, 'row_hit_rate': 0.6},"
    "  'load_latency_cycles': {'mean': 5, 'p95': 30}},"
    " 'parameters': {'l1': {'ways': '8'}, 'sm': {'max_warps': '64'}},"
    " 'stages': {'load_dram': {'count': 1, 'latency': 7000000, 'l1_queue': 7000000},"
    "  'load_l2_hit': {'count': 1, 'latency': 2000000, 'l2_tag': 2000000}},"
    " 'resources': {'dram_channel': {'data_bus': {'kind': 'server', 'capacity': 1, 'mean': 0.1,"
    "    'use': 0.1, 'full': 0.1, 'refused': 0}}},"
    " 'units': {},"
    " 'profile': {'series': {'start': 0, 'interval': 250000000, 'intervals': 2,"
    "   'span': 500000000, 'classes': {'dram_channel': {"
    "    'bytes_read': {'total': [1000, 500]}}}},"
    "  'requests': {'load_dram': {'histogram': {'count': 2, 'p50_fs': 500000,"
    "   'buckets': [64, 2]}}}}}";

typedef struct {
    JsonNode *results[2];
    Comparison comparison;
} Pair;

static void pair_open(Pair *pair)
{
    *pair = (Pair){.results = {parse(before_text), parse(after_text)}};
    pair->comparison = (Comparison){pair->results, NULL, 2};
}

static void pair_close(Pair *pair)
{
    json_node_unref(pair->results[0]);
    json_node_unref(pair->results[1]);
}

static Cells figure_of(Document *document, const char *id)
{
    g_autoptr(GPtrArray) figures = document_figures(document);
    for (guint i = 0; i < figures->len; i++)
        if (!strcmp(figure_id(figures->pdata[i]), id))
            return (Cells){figure_json(figures->pdata[i])};
    ck_abort_msg("no figure %s", id);
}

START_TEST(the_lead_names_the_fastest_and_the_slowest)
{
    Pair pair;
    pair_open(&pair);
    static const char *const labels[] = {"baseline", "other"};
    g_autoptr(Document) document = comparison_page(pair.results, labels, 2);
    g_autoptr(JsonNode) json = document_json(document);
    ck_assert(
        g_str_has_prefix(lead_text(json, "Fastest"),
                         "other: 500 ns, -50.0 % against baseline: DRAM bus with 94 % less to "
                         "do; bound by latency"));
    ck_assert_str_eq(lead_text(json, "Slowest"),
                     "baseline: 1.00 us, the one that the others are compared with; "
                     "bound by DRAM bus (dram_channel.data_bus): busy 90 % of the time");
    ck_assert_str_eq(lead_text(json, "Bound by"), "baseline: DRAM bus; other: latency");
    ck_assert_ptr_null(lead_text(json, "Workload"));
    g_autoptr(Document) same = comparison_page((JsonNode *[]){pair.results[0], pair.results[0]},
                                               (const char *const[]){"a", "b"}, 2);
    g_autoptr(JsonNode) same_json = document_json(same);
    ck_assert(g_str_has_prefix(lead_text(same_json, "Bound by"), "DRAM bus, in all of them"));
    ck_assert(g_str_has_prefix(lead_text(same_json, "Fastest"), "a: 1.00 us"));
    ck_assert_ptr_null(lead_text(same_json, "Slowest"));
    ck_assert_ptr_null(lead_text(same_json, "Partial"));
    pair_close(&pair);
}
END_TEST

/* The first is interrupted before anything is measured, the second in the middle, the third, of
 * another scenario, is the only one with a time. */
START_TEST(what_was_interrupted_is_neither_fastest_nor_slowest)
{
    g_autoptr(JsonNode) unmeasured =
        parse("{'scenario': 'Two', 'variant': 'a', 'measured': false, 'partial': true,"
              " 'summary': {'time_ns': 0}}");
    g_autoptr(JsonNode) half =
        parse("{'scenario': 'Two', 'variant': 'b', 'measured': true, 'partial': true,"
              " 'summary': {'time_ns': 10}}");
    g_autoptr(JsonNode) whole =
        parse("{'scenario': 'Three', 'variant': 'c', 'measured': true, 'partial': false,"
              " 'summary': {'time_ns': 500}, 'parameters': {'workload': {'ctas': '4'}}}");
    JsonNode *const results[] = {unmeasured, half, whole};
    g_autoptr(Document) document =
        comparison_page(results, (const char *const[]){"a", "b", "c"}, G_N_ELEMENTS(results));
    g_autoptr(JsonNode) json = document_json(document);
    ck_assert(g_str_has_prefix(lead_text(json, "Fastest"), "c: 500 ns; bound by latency"));
    ck_assert_ptr_null(lead_text(json, "Slowest"));
    ck_assert_str_eq(lead_text(json, "Bound by"),
                     "a: nothing was measured; b: latency; c: latency");
    ck_assert(g_str_has_prefix(lead_text(json, "Partial"), "a, b: interrupted"));
    ck_assert(g_str_has_prefix(lead_text(json, "Workload"), "workload.ctas differs: "));
    g_auto(Cells) cells = figure_of(document, "comparison_results");
    ck_assert(isnan(cells_number(&cells, "a", "time")));
    ck_assert_ptr_null(cells_text(&cells, "a", "bound by"));
    ck_assert_str_eq(cells_text(&cells, "a", "state"), "interrupted before it was measured");
    ck_assert_str_eq(cells_text(&cells, "b", "state"), "interrupted");
    ck_assert_ptr_null(cells_text(&cells, "c", "state"));
    ck_assert_str_eq(cells_text(&cells, "c", "scenario"), "Three");
    g_auto(Cells) summary = figure_of(document, "comparison_summary");
    ck_assert(isnan(cells_number(&summary, "time, us", "a")));
    expect(cells_number(&summary, "time, us", "c"), 0.5);
}
END_TEST

START_TEST(tables_have_each_result_and_its_change)
{
    Pair pair;
    pair_open(&pair);
    g_auto(Cells) results = cells_of(comparison_results(&pair.comparison));
    expect(cells_number(&results, "baseline", "time"), 1);
    expect(cells_number(&results, "other", "time"), 0.5);
    expect(cells_number(&results, "other", "change"), -50);
    expect(cells_number(&results, "other", "parameters that differ"), 1);
    ck_assert_str_eq(cells_text(&results, "baseline", "bound by"), "DRAM bus");
    ck_assert_str_eq(cells_text(&results, "other", "bound by"), "latency");
    g_auto(Cells) summary = cells_of(comparison_summary(&pair.comparison));
    expect(cells_number(&summary, "row hits, %", "baseline"), 50);
    expect(cells_number(&summary, "row hits, %", "other"), 60);
    expect(cells_number(&summary, "row hits, %", "other: change"), 10); /* points */
    expect(cells_number(&summary, "load latency p95, cycles", "other: change"), 50);
    ck_assert_ptr_null(cells_row(&summary, "network hops"));
    g_auto(Cells) parameters = cells_of(comparison_parameters(&pair.comparison));
    ck_assert_uint_eq(json_array_get_length(cells_rows(&parameters)), 1);
    ck_assert_str_eq(cells_text(&parameters, "l1.ways", "baseline"), "4");
    ck_assert_str_eq(cells_text(&parameters, "l1.ways", "other"), "8");
    pair_close(&pair);
}
END_TEST

START_TEST(the_pressure_on_each_resource_stands_side_by_side)
{
    Pair pair;
    pair_open(&pair);
    g_auto(Cells) cells = cells_of(comparison_pressure(&pair.comparison));
    expect(cells_number(&cells, "DRAM bus", "baseline"), 90);
    expect(cells_number(&cells, "DRAM bus", "other"), 10);
    ck_assert_uint_eq(json_array_get_length(cells_rows(&cells)), 1);
    pair_close(&pair);
}
END_TEST

/* A bound of one of them is shown of the others as well. */
START_TEST(what_binds_one_of_them_is_among_the_pressures)
{
    static const char text[] = "{'resources': {'mmu': {'tlb_ports': {'kind': 'server',"
                               " 'capacity': 1, 'mean': %1$g, 'use': %1$g, 'full': %1$g}}}}";
    JsonNode *results[2];
    for (guint i = 0; i < 2; i++) {
        g_autofree char *own = g_strdup_printf(text, i ? 0.9 : 0.2);
        results[i] = parse(own);
    }
    const Comparison comparison = {results, (const char *const[]){"a", "b"}, 2};
    g_auto(Cells) cells = cells_of(comparison_pressure(&comparison));
    expect(cells_number(&cells, "ports of the L2 TLB", "a"), 20);
    expect(cells_number(&cells, "ports of the L2 TLB", "b"), 90);
    for (guint i = 0; i < 2; i++) json_node_unref(results[i]);
}
END_TEST

static gboolean has_figure(Document *document, const char *id)
{
    g_autoptr(GPtrArray) figures = document_figures(document);
    for (guint i = 0; i < figures->len; i++)
        if (!strcmp(figure_id(figures->pdata[i]), id)) return TRUE;
    return FALSE;
}

/* 30 ns of 2 requests, 7 ns of 1; a class that only one of them has is a bar alone. */
START_TEST(stages_stand_side_by_side_where_they_matter)
{
    Pair pair;
    pair_open(&pair);
    g_autoptr(Document) document = comparison_page(pair.results, NULL, 2);
    g_auto(Cells) dram = figure_of(document, "comparison_stages-load_dram");
    expect(cells_number(&dram, "baseline", "l1_queue"), 15);
    expect(cells_number(&dram, "other", "l1_queue"), 7);
    g_auto(Cells) hits = figure_of(document, "comparison_stages-load_l2_hit");
    ck_assert_ptr_null(cells_row(&hits, "baseline"));
    expect(cells_number(&hits, "other", "l2_tag"), 2);
    ck_assert(!has_figure(document, "comparison_stages-store"));
    pair_close(&pair);
}
END_TEST

static double point(const Cells *cells, guint row, guint column)
{
    JsonNode *node = json_array_get_element(cells_row_at(cells, row), column);
    return JSON_NODE_HOLDS_NULL(node) ? NAN : json_node_get_double(node);
}

/* The latency of the row, fs, and what it says of a result. */
static double share_at(const Cells *cells, double latency, guint column)
{
    for (guint row = 0; row < json_array_get_length(cells_rows(cells)); row++)
        if (fabs(point(cells, row, 0) - latency * 1e-6) < 1e-9) return point(cells, row, column);
    ck_abort_msg("no row for %g fs", latency);
}

/* Baseline: 1 of 4 at 2 fs, the rest at 128..129; other: both at 64. An edge is the end of two
 * buckets; warps' loads are known of one result only. */
START_TEST(curves_rise_at_the_ends_of_buckets)
{
    Pair pair;
    pair_open(&pair);
    g_autoptr(Document) document = comparison_page(pair.results, NULL, 2);
    g_auto(Cells) cells = figure_of(document, "comparison_latency-load_dram");
    static const double points[][3] = {{2, 0, 0},     {4, 25, 0},     {64, 25, 0},
                                       {66, 25, 100}, {128, 25, 100}, {132, 100, 100}};
    for (guint i = 0; i < G_N_ELEMENTS(points); i++)
        for (guint column = 1; column < 3; column++)
            expect(share_at(&cells, points[i][0], column), points[i][column]);
    expect(point(&cells, 0, 0), 2e-6);
    expect(point(&cells, json_array_get_length(cells_rows(&cells)) - 1, 0), 132e-6);
    g_auto(Cells) warps = figure_of(document, "comparison_latency-warp_loads");
    expect(share_at(&warps, 4, 1), 25);
    ck_assert(isnan(share_at(&warps, 4, 2)));
    g_auto(Cells) percentiles = figure_of(document, "comparison_percentiles-load_dram");
    expect(cells_number(&percentiles, "p50", "baseline"), 1);
    expect(cells_number(&percentiles, "p50", "other"), 0.5);
    ck_assert_ptr_null(cells_row(&percentiles, "p99"));
    pair_close(&pair);
}
END_TEST

/* In us and GB/s: bytes of both ways over the interval; the baseline's last one is 200 ns long.
 * Where one of them changes both have a value, until their end. */
START_TEST(bandwidths_over_time_share_an_axis)
{
    Pair pair;
    pair_open(&pair);
    g_auto(Cells) cells = cells_of(comparison_bandwidth(&pair.comparison));
    static const double points[][3] = {{0, 10, 4},     {0.25, 10, 2},  {0.4, 30, 2},
                                       {0.5, 30, NAN}, {0.8, 10, NAN}, {1, NAN, NAN}};
    ck_assert_uint_eq(json_array_get_length(cells_rows(&cells)), G_N_ELEMENTS(points));
    for (guint row = 0; row < G_N_ELEMENTS(points); row++)
        for (guint column = 0; column < 3; column++)
            if (isnan(points[row][column]))
                ck_assert(isnan(point(&cells, row, column)));
            else
                expect(point(&cells, row, column), points[row][column]);
    pair_close(&pair);
}
END_TEST

static guint count_marks(const Comparison *comparison)
{
    g_auto(Cells) cells = cells_of(comparison_bandwidth(comparison));
    return json_array_get_length(
        json_object_get_array_member(json_node_get_object(cells.json), "marks"));
}

START_TEST(an_ideal_bus_has_no_peak)
{
    Pair pair;
    pair_open(&pair);
    ck_assert_uint_eq(count_marks(&pair.comparison), 1);
    JsonObject *result = json_node_get_object(pair.comparison.results[0]);
    JsonObject *summary = json_object_get_object_member(result, "summary");
    json_object_remove_member(json_object_get_object_member(summary, "dram"), "peak_gbps");
    ck_assert_uint_eq(count_marks(&pair.comparison), 0);
    pair_close(&pair);
}
END_TEST

START_TEST(what_is_left_out_of_a_figure_is_said)
{
    JsonNode *results[11];
    char *labels[11];
    for (guint i = 0; i < 11; i++) {
        results[i] = parse(i ? after_text : before_text);
        labels[i] = g_strdup_printf("result %u", i);
    }
    JsonObject *fastest =
        json_object_get_object_member(json_node_get_object(results[9]), "summary");
    json_object_set_double_member(fastest, "time_ns", 1);
    g_autoptr(Document) document =
        comparison_page(results, (const char *const *)labels, G_N_ELEMENTS(results));
    static const char *const drawn[] = {"comparison_pressure",
                                        "comparison_summary",
                                        "comparison_stages-load_dram",
                                        "comparison_latency-load_dram",
                                        "comparison_percentiles-load_dram",
                                        "comparison_bandwidth",
                                        "latency_change-result_9"};
    for (guint i = 0; i < G_N_ELEMENTS(drawn); i++) {
        g_auto(Cells) cells = figure_of(document, drawn[i]);
        ck_assert_msg(strstr(cells_member(&cells, "note"),
                             "Of 11 results 8 are shown, the fastest among them; 3 are left out."),
                      "%s", drawn[i]);
    }
    ck_assert(has_figure(document, "latency_change-result_6"));
    ck_assert(!has_figure(document, "latency_change-result_7"));
    g_auto(Cells) all = figure_of(document, "comparison_results");
    ck_assert_uint_eq(json_array_get_length(cells_rows(&all)), 11);
    for (guint i = 0; i < 11; i++) {
        json_node_unref(results[i]);
        g_free(labels[i]);
    }
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("report_comparison");
    tcase_add_test(cases, the_lead_names_the_fastest_and_the_slowest);
    tcase_add_test(cases, what_was_interrupted_is_neither_fastest_nor_slowest);
    tcase_add_test(cases, tables_have_each_result_and_its_change);
    tcase_add_test(cases, the_pressure_on_each_resource_stands_side_by_side);
    tcase_add_test(cases, what_binds_one_of_them_is_among_the_pressures);
    tcase_add_test(cases, stages_stand_side_by_side_where_they_matter);
    tcase_add_test(cases, curves_rise_at_the_ends_of_buckets);
    tcase_add_test(cases, bandwidths_over_time_share_an_axis);
    tcase_add_test(cases, an_ideal_bus_has_no_peak);
    tcase_add_test(cases, what_is_left_out_of_a_figure_is_said);
    Suite *suite = suite_create("report_comparison");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
