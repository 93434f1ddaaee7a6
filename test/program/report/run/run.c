#include <math.h>

#include "kit/describe/stat.h"
#include "rig.h"
#include "rigs/harness.h"
#include "scenarios/program/report/document/latency_bins.h"

/* 100 hits: 10 ns issue and 40 to 49 ns in L2. 200 loads from DRAM: 10 ns issue, 20 ns on the bus;
 * 198 wait 70, 71 ... 267 ns in the scheduler, two 2000 ns and 970 ns before in L2's queue. */
START_TEST(stages_of_a_class_sum_to_its_mean_latency)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *figure = figure_of(report, "stage_breakdown");
    ck_assert_uint_eq(row_count(figure), 2); /* no request hit L1 */
    ck_assert_double_eq_tol(sum_of_row(figure, row_of(figure, "load_l2_hit")), 54.5, 1e-9);
    ck_assert_double_eq_tol(sum_of_row(figure, row_of(figure, "load_dram")), 226.515, 1e-9);
    ck_assert_double_eq_tol(number_in(figure, row_of(figure, "load_dram"), "l2_queue"), 9.7, 1e-9);
    ck_assert_uint_eq(column_count(figure), 6); /* stages without time are left out */
}
END_TEST

START_TEST(sums_of_stages_are_all_latency)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *figure = figure_of(report, "stage_sums");
    ck_assert_double_eq_tol(sum_of_column(figure, "share"), 100, 1e-9);
    ck_assert_double_eq_tol(sum_of_column(figure, "all requests"), 5.45 + 45.303, 1e-9);
    ck_assert_double_eq_tol(sum_of_column(figure, "load_dram"), 45.303, 1e-9);
    ck_assert_double_eq_tol(number_in(figure, row_of(figure, "issue"), "all requests"), 3, 1e-9);
}
END_TEST

START_TEST(classes_have_their_requests_shares_and_percentiles)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *figure = figure_of(report, "request_classes");
    const guint dram = row_of(figure, "load_dram");
    ck_assert_double_eq(sum_of_column(figure, "requests"), 300);
    ck_assert_double_eq_tol(sum_of_column(figure, "share of requests"), 100, 1e-9);
    ck_assert_double_eq_tol(sum_of_column(figure, "share of all latency"), 100, 1e-9);
    ck_assert_double_eq_tol(number_in(figure, dram, "share of all latency"), 4530.3 / 50.753, 1e-9);
    ck_assert_double_eq_tol(number_in(figure, dram, "p50"), 200, 1e-9);
    ck_assert_double_eq_tol(number_in(figure, dram, "max"), 3000, 1e-9);
}
END_TEST

/* --- distribution ----------------------------------------------------------------------------- */

START_TEST(the_steps_of_a_histogram_are_all_requests)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *dram = figure_of(report, "latency_histogram-load_dram");
    JsonNode *hits = figure_of(report, "latency_histogram-load_l2_hit");
    ck_assert_double_eq(sum_of_column(dram, "requests"), 200);
    ck_assert_double_eq(sum_of_column(hits, "requests"), 100);
    ck_assert(json_node_get_boolean(result_member(dram, "axes.x.logarithmic")));
    ck_assert(!json_node_get_boolean(result_member(hits, "axes.x.logarithmic")));
    ck_assert_double_eq_tol(mark_at(dram, "p50"), 200, 1e-9);
    ck_assert_ptr_nonnull(strstr(result_text(dram, "note"), "200 ns (200 core cycles)"));
    ck_assert_ptr_nonnull(strstr(result_text(dram, "note"), "the slowest 3,000 ns (3,000)"));
}
END_TEST

/* The requests whose latency the step says. */
static guint slower_than(double from, double to)
{
    guint count = 0;
    for (guint i = 0; i < 200; i++) {
        const double latency = i < 198 ? 100 + i : 3000;
        count += latency >= from && latency < to;
    }
    return count;
}

START_TEST(a_step_has_the_requests_from_its_latency_to_the_next)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *dram = figure_of(report, "latency_histogram-load_dram");
    for (guint i = 0; i + 1 < row_count(dram); i++)
        ck_assert_double_eq(number_at(dram, i, 1),
                            slower_than(number_at(dram, i, 0), number_at(dram, i + 1, 0)));
}
END_TEST

static GArray *bins_of(const char *buckets, gboolean *logarithmic)
{
    g_autoptr(JsonNode) node = json_from_string(buckets, NULL);
    return latency_bins_new(json_node_get_array(node), logarithmic);
}

START_TEST(bins_have_whole_buckets)
{
    gboolean logarithmic;
    /* 128 to 129 and 254 to 255, two fs each: one octave, 63 bins and the end. */
    g_autoptr(GArray) even = bins_of("[128, 5, 191, 7]", &logarithmic);
    ck_assert(!logarithmic);
    ck_assert_uint_eq(even->len, 65);
    ck_assert_uint_eq(g_array_index(even, LatencyBin, 0).from, 128);
    ck_assert_int_eq(g_array_index(even, LatencyBin, 63).count, 7);
    ck_assert_uint_eq(g_array_index(even, LatencyBin, 64).from, 256);
    /* 64 up to 1024: four octaves of eight; the ends of the first two are 70 and 76. */
    g_autoptr(GArray) wide = bins_of("[64, 1, 69, 1, 70, 1, 319, 1]", &logarithmic);
    ck_assert(logarithmic);
    ck_assert_uint_eq(wide->len, 33);
    ck_assert_int_eq(g_array_index(wide, LatencyBin, 0).count, 2);
    ck_assert_uint_eq(g_array_index(wide, LatencyBin, 1).from, 70);
    ck_assert_uint_eq(g_array_index(wide, LatencyBin, 2).from, 76);
    ck_assert_int_eq(g_array_index(wide, LatencyBin, 31).count, 1);
    ck_assert_uint_eq(g_array_index(wide, LatencyBin, 32).from, 1024);
}
END_TEST

START_TEST(equal_bins_are_at_most_64_and_a_few)
{
    gboolean logarithmic;
    /* 65 to 511 fs would be 112 bins as long as the last bucket, 4 fs. */
    g_autoptr(GArray) bins = bins_of("[65, 1, 255, 1]", &logarithmic);
    ck_assert(!logarithmic);
    ck_assert_uint_le(bins->len, 66);
    gint64 sum = 0;
    for (guint i = 0; i < bins->len; i++) sum += g_array_index(bins, LatencyBin, i).count;
    ck_assert_int_eq(sum, 2);
}
END_TEST

START_TEST(cumulative_shares_rise_from_0_to_100)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *figure = figure_of(report, "latency_cdf");
    const guint last = row_count(figure) - 1;
    for (guint column = 1; column <= 2; column++) {
        ck_assert_double_eq(number_at(figure, 0, column), 0);
        ck_assert_double_eq(number_at(figure, last, column), 100);
        for (guint i = 0; i < last; i++)
            ck_assert_double_le(number_at(figure, i, column), number_at(figure, i + 1, column));
    }
    for (guint i = 0; i <= last; i++)
        ck_assert_double_eq_tol(number_in(figure, i, "load_dram"),
                                slower_than(0, number_at(figure, i, 0)) / 2.0, 1e-9);
}
END_TEST

START_TEST(stages_of_a_latency_are_shares_of_it)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *figure = figure_of(report, "latency_stages-load_dram");
    const guint last = row_count(figure) - 1;
    for (guint i = 0; i <= last; i++) ck_assert_double_eq_tol(sum_of_row(figure, i), 100, 1e-9);
    ck_assert_double_eq_tol(number_at(figure, last, 0), 3000, 1e-9);
    ck_assert_double_eq_tol(number_in(figure, last, "l2_queue"), 97 / 3.0, 1e-9);
}
END_TEST

/* --- the slowest ------------------------------------------------------------------------------ */

START_TEST(the_slowest_are_compared_with_all_and_what_grew_is_named)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *figure = figure_of(report, "slowest_stages");
    ck_assert_uint_eq(row_count(figure), 4);
    ck_assert_double_eq_tol(sum_of_row(figure, row_of(figure, "load_dram, all")), 226.515, 1e-9);
    ck_assert_double_eq_tol(sum_of_row(figure, row_of(figure, "load_dram, slowest 1 %")), 3000,
                            1e-9);
    /* 2000 - 186.815 and 970 - 9.7 */
    ck_assert_ptr_nonnull(strstr(result_text(figure, "note"),
                                 "take 2,773 ns more than the mean of 226.5 ns: 1,813 ns more in "
                                 "scheduler_wait and 960.3 ns in l2_queue."));
}
END_TEST

START_TEST(a_slow_request_has_its_place_its_time_and_its_longest_stages)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *figure = figure_of(report, "slowest_requests");
    ck_assert_double_eq_tol(number_in(figure, 0, "latency"), 3000, 1e-9);
    ck_assert_double_eq_tol(number_in(figure, 0, "begin"), 0.5, 1e-9); /* the region's is at 1 us */
    ck_assert_str_eq(text_in(figure, 0, "address"), "b+0x80");
    ck_assert_str_eq(text_in(figure, 0, "pc"), "0x30");
    ck_assert_str_eq(text_in(figure, 0, "longest stages"),
                     "scheduler_wait 2,000 ns, l2_queue 970 ns, dram_bus 20 ns");
    ck_assert_str_eq(text_in(figure, 1, "address"), "0x200000"); /* in no array */
}
END_TEST

/* --- by instruction and array ----------------------------------------------------------------- */

START_TEST(shares_of_instructions_and_arrays_sum_to_all_latency)
{
    static const char *const figures[] = {"instruction_stages", "array_stages"};
    static const char *const tables[] = {"instruction_latency", "array_latency"};
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    for (guint i = 0; i < G_N_ELEMENTS(figures); i++) {
        JsonNode *bars = figure_of(report, figures[i]), *table = figure_of(report, tables[i]);
        double sum = 0;
        for (guint row = 0; row < row_count(bars); row++) sum += sum_of_row(bars, row);
        ck_assert_double_eq_tol(sum, 100, 1e-9);
        ck_assert_double_eq_tol(sum_of_column(table, "share of all latency"), 100, 1e-9);
        ck_assert_double_eq(sum_of_column(table, "requests"), 300);
    }
}
END_TEST

START_TEST(an_instruction_says_where_it_stands_and_who_served_it)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *figure = figure_of(report, "instruction_latency");
    ck_assert_str_eq(text_in(figure, 0, "pc"), "0x30");
    ck_assert_double_eq(number_in(figure, 0, "source line"), 7);
    ck_assert_str_eq(text_in(figure, 0, "operation"), "load global");
    ck_assert_double_eq_tol(number_in(figure, 1, "L2"), 100 / 1.4, 1e-9);
    ck_assert_double_eq_tol(number_in(figure, 1, "DRAM"), 40 / 1.4, 1e-9);
    ck_assert_str_eq(text_in(figure, 0, "longest stage"), "scheduler_wait");
    ck_assert_str_eq(text_in(figure, 2, "kernel"), "all others");
    ck_assert(json_node_is_null(cell_at(figure, 1, column_of(figure, "source line"))));
    JsonNode *bars = figure_of(report, "instruction_stages");
    row_of(bars, "load global at 0x30, line 7");
    row_of(bars, "load global at 0x10");
}
END_TEST

START_TEST(instructions_of_several_kernels_say_which)
{
    g_autoptr(JsonNode) result = fixture();
    JsonArray *rows = json_node_get_array(result_member(result, "profile.instructions"));
    json_object_set_string_member(json_array_get_object_element(rows, 0), "kernel", "sum");
    g_autoptr(JsonNode) report = report_of(result);
    JsonNode *bars = figure_of(report, "instruction_stages");
    row_of(bars, "load global at 0x30, line 7 of sum");
    row_of(bars, "load global at 0x10 of copy");
}
END_TEST

START_TEST(one_latency_of_all_has_no_cumulative_curve)
{
    g_autoptr(JsonNode) result = fixture();
    JsonObject *classes = json_node_get_object(result_member(result, "profile.requests"));
    JsonArray *buckets =
        json_node_get_array(result_member(result, "profile.requests.load_dram.histogram.buckets"));
    while (json_array_get_length(buckets) > 2) json_array_remove_element(buckets, 2);
    g_autoptr(GList) names = json_object_get_members(classes);
    for (const GList *name = names; name; name = name->next)
        if (strcmp(name->data, "load_dram") != 0) json_object_remove_member(classes, name->data);
    g_autoptr(JsonNode) report = report_of(result);
    ck_assert_ptr_null(find_figure(report, "latency_cdf"));
}
END_TEST

START_TEST(requests_that_all_took_equally_long_have_no_histogram)
{
    g_autoptr(JsonNode) result = fixture();
    JsonArray *buckets =
        json_node_get_array(result_member(result, "profile.requests.load_dram.histogram.buckets"));
    while (json_array_get_length(buckets) > 2) json_array_remove_element(buckets, 2);
    g_autoptr(JsonNode) report = report_of(result);
    ck_assert_ptr_null(find_figure(report, "latency_histogram-load_dram"));
    ck_assert_ptr_nonnull(find_figure(report, "latency_histogram-load_l2_hit"));
}
END_TEST

START_TEST(without_source_lines_there_is_no_column_for_them)
{
    g_autoptr(JsonNode) result = fixture();
    JsonArray *rows = json_node_get_array(result_member(result, "profile.instructions"));
    json_object_set_int_member(json_array_get_object_element(rows, 0), "source_line", 0);
    g_autoptr(JsonNode) report = report_of(result);
    JsonNode *figure = figure_of(report, "instruction_latency");
    ck_assert_uint_eq(column_of(figure, "operation"), 2); /* after kernel and pc */
    row_of(figure_of(report, "instruction_stages"), "load global at 0x30");
}
END_TEST

START_TEST(a_few_accesses_are_no_map_of_banks)
{
    g_autoptr(JsonNode) result = fixture();
    JsonArray *units = json_node_get_array(result_member(result, "units.dram_channel.instances"));
    JsonArray *banks =
        json_node_get_array(result_member(json_array_get_element(units, 0), "bank_activates"));
    json_array_remove_element(banks, 0); /* 8 */
    json_array_add_int_element(banks, 7);
    g_autoptr(JsonNode) report = report_of(result);
    ck_assert_ptr_null(find_figure(report, "bank_activates"));
    ck_assert_ptr_nonnull(find_figure(report, "bank_accesses"));
}
END_TEST

START_TEST(slices_without_look_ups_are_counted_and_not_drawn)
{
    g_autoptr(JsonNode) result = fixture();
    JsonArray *slices = json_node_get_array(result_member(result, "units.l2_slice.instances"));
    json_object_set_int_member(json_array_get_object_element(slices, 1), "accesses", 0);
    g_autoptr(JsonNode) report = report_of(result);
    JsonNode *figure = figure_of(report, "slice_camping");
    ck_assert_uint_eq(row_count(figure), 1);
    ck_assert_double_eq(mark_at(figure, "mean"), 180);
    ck_assert_ptr_nonnull(strstr(result_text(figure, "note"), "1 of 2 looked nothing up"));
}
END_TEST

START_TEST(arrays_come_with_the_most_latency_first)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *bars = figure_of(report, "array_stages");
    ck_assert_uint_eq(row_of(bars, "b"), 0);
    ck_assert_uint_eq(row_of(bars, "in no array"), 1);
    ck_assert_uint_eq(row_of(bars, "a"), 2);
    JsonNode *table = figure_of(report, "array_latency");
    ck_assert_double_eq(number_in(table, row_of(table, "b"), "size"), 65536);
    ck_assert(json_node_is_null(cell_at(table, 2, column_of(table, "size"))));
}
END_TEST

static void begin_sum_at(JsonNode *result, double nanoseconds)
{
    JsonArray *kernels = json_node_get_array(result_member(result, "summary.kernels"));
    json_object_set_double_member(json_array_get_object_element(kernels, 2), "begin_ns",
                                  nanoseconds);
}

/* The first measured one begins at 1000 ns. */
START_TEST(a_pause_before_a_kernel_moves_its_mark_and_kernels_side_by_side_share_one)
{
    static const struct {
        double begin_ns, at_us;
        const char *label;
    } cases[] = {{5500, 4.5, "sum"}, {1500, 0.5, "sum"}, {1000, 0, "copy, sum"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(JsonNode) result = fixture();
        begin_sum_at(result, cases[i].begin_ns);
        g_autoptr(JsonNode) report = report_of(result);
        JsonNode *figure = figure_of(report, "bandwidth_over_time");
        ck_assert_double_eq_tol(mark_at(figure, cases[i].label), cases[i].at_us, 1e-9);
        ck_assert_uint_eq(isnan(mark_at(figure, "copy")), i == 2);
    }
}
END_TEST

/* Two layers; in the first a doubling gains 20 %, in the second none is worth it. */
static const char why_text[] =
    "{'end': 'complete', 'layers': [{'time_ns': 100, 'bound': {'perfect': 'translation',"
    " 'gain': 0.22, 'resource': 'mmu.tlb_ports', 'title': 'ports', 'server': true, 'strain': 0.99},"
    " 'perfect': [{'perfect': 'translation', 'gain': 0.22}, {'perfect': 'dram', 'gain': 0.0004},"
    "  {'perfect': 'issue', 'problem': 'deadlock'}],"
    " 'doublings': [{'parameter': 'mmu.lookups_per_cycle', 'from': '4', 'to': '8', 'gain': 0.2,"
    "  'gain_a_mm2': 0.4, 'set': ['mmu.lookups_per_cycle=8']}]},"
    " {'time_ns': 78, 'bound': {'perfect': 'dram', 'gain': 0.7},"
    "  'perfect': [{'perfect': 'dram', 'gain': 0.7}],"
    "  'doublings': [{'parameter': 'dram.tRP', 'from': '2', 'to': '1', 'gain': 0.005, 'set': []}],"
    "  'choices': [{'parameter': 'address_map.hash', 'from': 'none', 'to': 'mix', 'gain': 0.6,"
    "   'set': ['address_map.hash=mix']}]}]}";

START_TEST(layers_of_bounds_have_a_section_where_they_were_measured)
{
    g_autoptr(JsonNode) result = fixture();
    g_autofree char *text = g_strdelimit(g_strdup(why_text), "'", '"');
    g_autoptr(JsonNode) without = report_of(result);
    ck_assert_ptr_null(find_figure(without, "why_layers"));
    json_object_set_member(json_node_get_object(result), "why", json_from_string(text, NULL));
    g_autoptr(JsonNode) report = report_of(result);
    JsonNode *layers = figure_of(report, "why_layers");
    ck_assert_uint_eq(row_count(layers), 2);
    ck_assert_str_eq(json_node_get_string(cell_at(layers, 0, column_of(layers, "what was full"))),
                     "ports (mmu.tlb_ports), 99 % busy");
    ck_assert_str_eq(json_node_get_string(cell_at(layers, 0, column_of(layers, "best step"))),
                     "--set mmu.lookups_per_cycle=8");
    ck_assert_double_eq(number_at(layers, 0, column_of(layers, "a mm2 of SRAM")), 40);
    ck_assert_str_eq(json_node_get_string(cell_at(layers, 1, column_of(layers, "best step"))),
                     "--set address_map.hash=mix");
    ck_assert_uint_eq(row_count(figure_of(report, "why_perfect-layer_1")), 1);
    ck_assert_double_eq(number_at(figure_of(report, "why_doublings-layer_2"), 0, 1), 0.5);
    ck_assert_str_eq(json_node_get_string(cell_at(figure_of(report, "why_choices-layer_2"), 0, 0)),
                     "address_map.hash = mix");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        stages_of_a_class_sum_to_its_mean_latency,
        sums_of_stages_are_all_latency,
        classes_have_their_requests_shares_and_percentiles,
        the_steps_of_a_histogram_are_all_requests,
        a_step_has_the_requests_from_its_latency_to_the_next,
        bins_have_whole_buckets,
        equal_bins_are_at_most_64_and_a_few,
        cumulative_shares_rise_from_0_to_100,
        stages_of_a_latency_are_shares_of_it,
        the_slowest_are_compared_with_all_and_what_grew_is_named,
        a_slow_request_has_its_place_its_time_and_its_longest_stages,
        shares_of_instructions_and_arrays_sum_to_all_latency,
        an_instruction_says_where_it_stands_and_who_served_it,
        instructions_of_several_kernels_say_which,
        requests_that_all_took_equally_long_have_no_histogram,
        a_few_accesses_are_no_map_of_banks,
        slices_without_look_ups_are_counted_and_not_drawn,
        one_latency_of_all_has_no_cumulative_curve,
        arrays_come_with_the_most_latency_first,
        without_source_lines_there_is_no_column_for_them,
        a_pause_before_a_kernel_moves_its_mark_and_kernels_side_by_side_share_one,
        layers_of_bounds_have_a_section_where_they_were_measured};
    TCase *cases = tcase_create("report_run");
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++) tcase_add_test(cases, tests[i]);
    return harness_run_cases("report_run", cases);
}
