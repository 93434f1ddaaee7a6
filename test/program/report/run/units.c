#include <math.h>

#include "rig.h"
#include "rigs/harness.h"

/* Resident: 27.2 warps of each of two SMs for 5000 ns are 272,000 warp ns; 200,000 of them waited
 * for loads, 8000 for results, 16,000 for a unit and 1000 for a slot. */
START_TEST(time_of_warps_is_divided_without_rest)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *figure = figure_of(report, "warp_time");
    for (guint row = 0; row < 3; row++) ck_assert_double_eq_tol(sum_of_row(figure, row), 100, 1e-9);
    ck_assert_double_eq_tol(number_in(figure, 0, "waiting for loads"), 100 * 200 / 272.0, 1e-9);
    ck_assert_double_eq_tol(number_in(figure, 0, "not counted"), 100 * 47 / 272.0, 1e-9);
    row_of(figure, "sm[1]: waits least");
    row_of(figure, "sm[0]: waits most");
    JsonNode *table = figure_of(report, "warp_stalls");
    ck_assert_double_eq_tol(sum_of_column(table, "share"), 100, 1e-9);
    ck_assert_double_eq_tol(sum_of_column(table, "time, summed over warps"), 272, 1e-9);
    ck_assert_str_eq(text_in(table, row_of(table, "not counted"), "at"),
                     "sm[0]");                          /* 14 %, not 21 % */
    ck_assert_uint_eq(row_of(table, "not counted"), 1); /* longest first */
    ck_assert_uint_eq(row_of(table, "no dispatch slot"), 4);
}
END_TEST

START_TEST(execution_units_share_the_instructions)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *figure = figure_of(report, "execution_units");
    ck_assert_double_eq_tol(sum_of_column(figure, "share"), 100, 1e-9);
    /* 4000 in 5000 cycles of two SMs */
    ck_assert_double_eq_tol(number_in(figure, 0, "an SM and 1000 cycles"), 400, 1e-9);
    ck_assert_double_eq(sum_of_column(figure, "dispatch slots lost"), 100);
}
END_TEST

/* --- over time -------------------------------------------------------------------------------- */

static const double lengths_ns[] = {2000, 2000, 1000};

static double integral(JsonNode *figure, const char *column)
{
    double sum = 0;
    for (guint i = 0; i < row_count(figure); i++)
        sum += number_in(figure, i, column) * lengths_ns[i];
    return sum;
}

START_TEST(bandwidths_over_time_add_up_to_the_bytes)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *figure = figure_of(report, "bandwidth_over_time");
    ck_assert_double_eq_tol(integral(figure, "DRAM read"), 80000, 1e-6);
    ck_assert_double_eq_tol(integral(figure, "DRAM write"), 8000, 1e-6);
    ck_assert_double_eq_tol(integral(figure, "request network"), 14000, 1e-6);
    ck_assert_double_eq_tol(integral(figure, "reply network"), 140000, 1e-6);
    ck_assert_double_eq_tol(mark_at(figure, "DRAM peak"), 20, 1e-9);
    ck_assert_double_eq_tol(number_at(figure, 2, 0), 4.5, 1e-9); /* the last one is short */
}
END_TEST

START_TEST(kernels_are_marked_where_they_begin)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *figure = figure_of(report, "bandwidth_over_time");
    ck_assert_double_eq_tol(mark_at(figure, "copy"), 0, 1e-9);
    ck_assert_double_eq_tol(mark_at(figure, "sum"), 3, 1e-9);
    ck_assert(isnan(mark_at(figure, "warm up")));
}
END_TEST

START_TEST(utilisations_are_shares_of_what_is_possible)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *figure = figure_of(report, "utilisation_over_time");
    /* 2000 instructions in 2000 cycles of two SMs with two schedulers */
    ck_assert_double_eq_tol(number_in(figure, 0, "SM issue"), 25, 1e-9);
    /* two buses, 500 ns each of 1000 */
    ck_assert_double_eq_tol(number_in(figure, 2, "DRAM bus"), 50, 1e-9);
}
END_TEST

START_TEST(warps_over_time_stack_up_to_the_residents)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *figure = figure_of(report, "warps_over_time");
    ck_assert_double_eq_tol(sum_of_row(figure, 0), 32, 1e-9);
    ck_assert_double_eq_tol(number_in(figure, 0, "waiting for results"), 1, 1e-9);
    ck_assert_double_eq_tol(mark_at(figure, "room for warps"), 64, 1e-9);
}
END_TEST

START_TEST(queues_are_means_of_their_units)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *figure = figure_of(report, "queues_over_time");
    ck_assert_uint_eq(column_count(figure), 5); /* no write waits in a scheduler: no curve */
    ck_assert_double_eq_tol(number_in(figure, 1, "L1: outstanding misses"), 20, 1e-9);
    /* 8 packets in the inputs of two SMs, 6 in those of two slices */
    ck_assert_double_eq_tol(number_in(figure, 0, "request network: packets an SM"), 4, 1e-9);
    ck_assert_double_eq_tol(number_in(figure, 0, "reply network: packets a slice"), 3, 1e-9);
}
END_TEST

START_TEST(hit_rates_over_time_are_hits_over_look_ups)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *figure = figure_of(report, "hit_rates_over_time");
    ck_assert_double_eq_tol(number_in(figure, 1, "L1 loads"), 100 * 80 / 130.0, 1e-9);
    ck_assert_double_eq_tol(number_in(figure, 0, "L2 requests"), 25, 1e-9);
}
END_TEST

/* --- maps ------------------------------------------------------------------------------------- */

/* Of all cells, each times the length of its interval. */
static double volume(JsonNode *figure)
{
    double sum = 0;
    for (guint row = 0; row < row_count(figure); row++)
        for (guint i = 0; i + 1 < column_count(figure); i++)
            sum += number_at(figure, row, i + 1) * lengths_ns[i];
    return sum;
}

START_TEST(cells_of_a_map_add_up_to_the_statistic)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    ck_assert_double_eq_tol(volume(figure_of(report, "sm_issue_map")), 5500, 1e-6);
    ck_assert_double_eq_tol(volume(figure_of(report, "l2_map")), 400, 1e-6);
    ck_assert_double_eq_tol(volume(figure_of(report, "rop_map")), 96, 1e-6);
    ck_assert_double_eq_tol(volume(figure_of(report, "texture_map")), 35, 1e-6);
    ck_assert_double_eq_tol(volume(figure_of(report, "dram_map")), 88000, 1e-6);
    /* a mean of 22 misses in one L1 and 8 in the other, 5000 ns */
    ck_assert_double_eq_tol(volume(figure_of(report, "l1_map")), 150000, 1e-6);
    ck_assert_double_eq_tol(number_in(figure_of(report, "scheduler_map"), 1, "2"), 6, 1e-9);
    ck_assert_str_eq(json_node_get_string(cell_at(figure_of(report, "l1_map"), 1, 0)), "sm[1].l1");
}
END_TEST

/* 301 L2 slices and 100 intervals of 10 ns, the last 5 ns; slice u looks up u + i in interval i. */
static JsonNode *large_result(void)
{
    GString *text = g_string_new(
        "{\"summary\": {\"core_cycles\": 995, \"time_ns\": 995.0}, \"units\": {\"l2_slice\":"
        " {\"count\": 301}}, \"profile\": {\"series\": {\"start\": 0, \"interval\": 10000000,"
        " \"intervals\": 100, \"span\": 995000000, \"classes\": {\"l2_slice\": {\"accesses\":"
        " {\"total\": [");
    for (guint i = 0; i < 100; i++)
        g_string_append_printf(text, "%s%u", i ? "," : "", 301 * 300 / 2 + 301 * i);
    g_string_append(text, "], \"instances\": [");
    for (guint unit = 0; unit < 301; unit++) {
        g_string_append(text, unit ? ",[" : "[");
        for (guint i = 0; i < 100; i++)
            g_string_append_printf(text, "%s%u", i ? "," : "", unit + i);
        g_string_append(text, "]");
    }
    g_string_append(text, "]}}}}}}");
    g_autofree char *whole = g_string_free(text, FALSE);
    g_autoptr(GError) error = NULL;
    JsonNode *node = json_from_string(whole, &error);
    ck_assert_msg(node != NULL, "%s", error ? error->message : "");
    return node;
}

/* Two slices are a row and four intervals a column; the last row is a slice alone. */
START_TEST(a_large_map_is_drawn_in_coarser_cells)
{
    g_autoptr(JsonNode) result = large_result(), report = report_of(result);
    JsonNode *figure = figure_of(report, "l2_map");
    const guint columns = column_count(figure) - 1;
    ck_assert_uint_le(row_count(figure) * columns, 5000);
    ck_assert_uint_eq(row_count(figure), 151);
    ck_assert_uint_eq(columns, 25); /* 34 of three intervals would be 5134 cells */
    double sum = 0;
    for (guint row = 0; row < 151; row++)
        for (guint i = 0; i < columns; i++)
            sum += number_at(figure, row, i + 1) * (row < 150 ? 2 : 1) * (i < 24 ? 40 : 35);
    ck_assert_double_eq_tol(sum, 301 * 300 / 2 * 100 + 301 * 99 * 100 / 2, 1e-3);
    ck_assert_ptr_nonnull(strstr(result_text(figure, "note"), "mean of 4 neighbouring intervals"));
    ck_assert_ptr_nonnull(strstr(result_text(figure, "note"), "mean of 2 neighbouring units"));
    ck_assert_str_eq(json_node_get_string(cell_at(figure, 1, 0)), "2 to 3");
}
END_TEST

/* --- hot spots, caches, kernels --------------------------------------------------------------- */

START_TEST(a_map_of_banks_has_each_count)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *accesses = figure_of(report, "bank_accesses");
    ck_assert_double_eq(sum_of_row(accesses, 0) + sum_of_row(accesses, 1), 200);
    ck_assert_double_eq(number_in(accesses, 0, "0"), 90);
    ck_assert_ptr_nonnull(strstr(result_text(accesses, "note"), "3.6 times the mean"));
    ck_assert_double_eq(number_in(figure_of(report, "bank_activates"), 1, "3"), 1);
    ck_assert_double_eq(number_in(figure_of(report, "bank_conflicts"), 0, "0"), 9);
}
END_TEST

/* Of 301 slices all but the last `busy` stand still. */
static JsonNode *idle_result(guint busy)
{
    JsonNode *result = large_result();
    JsonArray *slices = json_node_get_array(
        result_member(result, "profile.series.classes.l2_slice.accesses.instances"));
    for (guint unit = 0; unit + busy < 301; unit++) {
        JsonArray *values = json_array_get_array_element(slices, unit);
        while (json_array_get_length(values)) json_array_remove_element(values, 0);
    }
    return result;
}

START_TEST(where_few_units_work_the_others_are_left_out)
{
    g_autoptr(JsonNode) few = idle_result(3), one = idle_result(1), half = idle_result(150);
    g_autoptr(JsonNode) report = report_of(few), none = report_of(one), all = report_of(half);
    JsonNode *figure = figure_of(report, "l2_map");
    ck_assert_uint_eq(row_count(figure), 3);
    ck_assert_ptr_nonnull(strstr(result_text(figure, "note"), "298 of 301 were idle"));
    ck_assert_double_eq_tol(number_at(figure, 0, 1), 29.8, 1e-9); /* 297 in 10 cycles */
    ck_assert_ptr_null(find_figure(none, "l2_map"));
    ck_assert_uint_eq(row_count(figure_of(all, "l2_map")), 151); /* of two each */
}
END_TEST

START_TEST(camping_on_a_slice_is_said_and_the_mean_is_marked)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *figure = figure_of(report, "slice_camping");
    ck_assert_double_eq(sum_of_column(figure, "look-ups"), 400);
    ck_assert_double_eq(mark_at(figure, "mean"), 200);
    ck_assert_ptr_nonnull(strstr(result_text(figure, "note"), "1.8 times the mean"));
}
END_TEST

START_TEST(of_many_slices_the_busiest_and_the_idlest_are_drawn)
{
    g_autoptr(JsonNode) result = fixture();
    JsonArray *slices = json_node_get_array(result_member(result, "units.l2_slice.instances"));
    for (guint i = 0; i < 18; i++) {
        g_autofree char *text =
            g_strdup_printf("{\"path\": \"slice[%u]\", \"accesses\": %u}", i, 100 + i);
        json_array_add_element(slices, json_from_string(text, NULL));
    }
    g_autoptr(JsonNode) report = report_of(result);
    JsonNode *figure = figure_of(report, "slice_camping");
    ck_assert_uint_eq(row_count(figure), 16);
    ck_assert_uint_eq(row_of(figure, "partition[0].slice[0]"), 0); /* 360 */
    ck_assert_uint_eq(row_of(figure, "slice[17]"), 1);
    ck_assert_uint_eq(row_of(figure, "slice[7]"), 11);
    ck_assert_uint_eq(row_of(figure, "slice[2]"), 12);
    ck_assert_uint_eq(row_of(figure, "partition[0].slice[1]"), 15); /* 40 */
    ck_assert_double_eq_tol(mark_at(figure, "mean"), (360 + 40 + 1953) / 20.0, 1e-9);
    ck_assert_ptr_nonnull(strstr(result_text(figure, "note"), "12 busiest and the 4 least"));
}
END_TEST

START_TEST(a_class_of_lines_that_is_all_of_them_has_no_row_of_its_own)
{
    g_autoptr(JsonNode) result = fixture();
    JsonObject *total = json_node_get_object(result_member(result, "units.l2_slice.total"));
    json_object_set_int_member(total, "global_accesses", 400);
    json_object_set_int_member(total, "atomics", 0);
    g_autoptr(JsonNode) report = report_of(result);
    JsonNode *figure = figure_of(report, "hit_rates");
    row_of(figure, "L2, all requests");
    for (guint row = 0; row < row_count(figure); row++)
        ck_assert(!g_str_has_prefix(text_in(figure, row, "look-ups of"), "L2, of"));
}
END_TEST

START_TEST(hot_addresses_have_the_array_they_are_in)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *lines = figure_of(report, "hottest_lines");
    ck_assert_str_eq(text_in(lines, 0, "where"), "b+0x80");
    ck_assert_str_eq(text_in(lines, 1, "where"), "0x400000");
    ck_assert_double_eq_tol(number_in(lines, 0, "share, at least"), 97 / 3.88, 1e-9);
    ck_assert_double_eq(number_in(lines, 0, "at least"), 97);
    ck_assert_double_eq(number_in(lines, 0, "at most"), 100);
    /* 24 of which 20 may be others', and one access */
    ck_assert_uint_eq(row_count(lines), 2);
    JsonNode *atomics = figure_of(report, "hottest_atomics");
    ck_assert_str_eq(text_in(atomics, 0, "where"), "b+0x4");
    ck_assert_double_eq_tol(number_in(atomics, 0, "share, at least"), 50, 1e-9);
}
END_TEST

START_TEST(hit_rates_are_of_what_was_looked_up)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *figure = figure_of(report, "hit_rates");
    for (guint row = 0; row < row_count(figure); row++)
        ck_assert_double_eq(number_in(figure, row, "look-ups"),
                            number_in(figure, row, "hits") + number_in(figure, row, "merged")
                                + number_in(figure, row, "others"));
    ck_assert_double_eq_tol(number_in(figure, row_of(figure, "L1, loads"), "hit rate"), 50, 1e-9);
    ck_assert_double_eq_tol(number_in(figure, row_of(figure, "ROP, lines"), "hit rate"), 75, 1e-9);
    JsonNode *rows = figure_of(report, "row_outcomes");
    ck_assert_double_eq_tol(sum_of_column(rows, "share"), 100, 1e-9);
    ck_assert_double_eq_tol(number_in(rows, row_of(rows, "bank closed"), "share"), 15, 1e-9);
}
END_TEST

START_TEST(refusals_and_kernels_are_listed)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *refusals = figure_of(report, "refusals"), *kernels = figure_of(report, "kernels");
    ck_assert_uint_eq(row_count(refusals), 1);
    ck_assert_double_eq_tol(
        number_in(refusals, row_of(refusals, "l1.refused_prt"), "for each look-up"), 0.1, 1e-9);
    ck_assert_str_eq(text_in(refusals, 0, "why"), "refused: the pending request table is full");
    ck_assert_str_eq(text_in(kernels, 0, "measured"), "no"); /* warm up; then copy */
    ck_assert_double_eq(number_in(kernels, 1, "counted"), 12.5);
    ck_assert_double_eq(number_in(kernels, 1, "until its last CTA ended"), 2900);
}
END_TEST

/* --- all figures ------------------------------------------------------------------------------ */

static const char *const own[] = {
    "stage_breakdown",
    "stage_sums",
    "request_classes",
    "warp_time",
    "warp_stalls",
    "execution_units",
    "bandwidth_over_time",
    "utilisation_over_time",
    "warps_over_time",
    "queues_over_time",
    "hit_rates_over_time",
    "latency_cdf",
    "latency_histogram",
    "latency_stages",
    "slowest_stages",
    "slowest_requests",
    "instruction_stages",
    "instruction_latency",
    "array_stages",
    "array_latency",
    "slice_camping",
    "bank_accesses",
    "bank_activates",
    "bank_conflicts",
    "hottest_lines",
    "hottest_atomics",
    "sm_issue_map",
    "l1_map",
    "texture_map",
    "l2_map",
    "rop_map",
    "scheduler_map",
    "dram_map",
    "hit_rates",
    "row_outcomes",
    "refusals",
    "kernels",
};

START_TEST(each_topic_of_a_run_is_drawn_and_has_words)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    for (guint i = 0; i < G_N_ELEMENTS(own); i++) {
        const FigureTopic *topic = figure_topic(own[i]);
        g_autofree char *of_class = g_strconcat(own[i], "-load_dram", NULL);
        ck_assert_msg(find_figure(report, own[i]) || find_figure(report, of_class),
                      "%s is not drawn", own[i]);
        ck_assert_msg(topic && strlen(topic->title) > 5 && strlen(topic->shows) > 20
                          && strlen(topic->read) > 20,
                      "%s says too little", own[i]);
    }
}
END_TEST

/* A member that is taken out of the fixture, and figures that go with it. */
static const struct {
    const char *parent, *member, *figures;
} parts[] = {
    {"profile", "series", "bandwidth_over_time warps_over_time sm_issue_map dram_map"},
    {"profile", "requests", "latency_cdf latency_histogram-load_dram slowest_stages"},
    {"profile.series.classes.l2_slice.accesses", "instances", "l2_map"},
    {"profile", "slowest", "slowest_requests"},
    {"profile", "instructions", "instruction_stages instruction_latency"},
    {"profile", "arrays", "array_stages array_latency"},
    {"units.l2_slice.total", "hottest", "hottest_lines"},
    {"units.rop.total", "hottest", "hottest_atomics"},
    {"units.dram_channel", "instances", "bank_accesses bank_activates"},
    {"profile.series.classes", "crossbar", ""},
    {"units", "sm", "warp_time warp_stalls execution_units"},
    {"summary", "kernels", "kernels"},
    {"", "profile", "latency_cdf slowest_requests array_stages l2_map"},
    {"", "stages", "stage_breakdown stage_sums request_classes slowest_stages"},
    {"", "units", "warp_time hit_rates refusals slice_camping"},
    {"", "parameters", ""},
};

START_TEST(what_a_result_lacks_is_not_drawn)
{
    g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING);
    g_autoptr(JsonNode) result = fixture();
    JsonNode *parent = *parts[_i].parent ? result_member(result, parts[_i].parent) : result;
    json_object_remove_member(json_node_get_object(parent), parts[_i].member);
    g_autoptr(JsonNode) report = report_of(result);
    g_auto(GStrv) gone = g_strsplit(parts[_i].figures, " ", -1);
    for (guint i = 0; gone[i]; i++)
        ck_assert_msg(!find_figure(report, gone[i]), "%s is drawn", gone[i]);
    guint left = 0;
    for (guint i = 0; i < G_N_ELEMENTS(own); i++) left += find_figure(report, own[i]) != NULL;
    ck_assert_uint_ge(left, 10);
}
END_TEST

START_TEST(a_result_with_nothing_has_no_figures)
{
    g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING);
    g_autoptr(JsonNode) result = json_from_string("{\"summary\": {}}", NULL);
    g_autoptr(JsonNode) report = report_of(result);
    for (guint i = 0; i < G_N_ELEMENTS(own); i++) ck_assert(!find_figure(report, own[i]));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {time_of_warps_is_divided_without_rest,
                                  execution_units_share_the_instructions,
                                  bandwidths_over_time_add_up_to_the_bytes,
                                  kernels_are_marked_where_they_begin,
                                  utilisations_are_shares_of_what_is_possible,
                                  warps_over_time_stack_up_to_the_residents,
                                  queues_are_means_of_their_units,
                                  hit_rates_over_time_are_hits_over_look_ups,
                                  cells_of_a_map_add_up_to_the_statistic,
                                  a_large_map_is_drawn_in_coarser_cells,
                                  a_map_of_banks_has_each_count,
                                  where_few_units_work_the_others_are_left_out,
                                  camping_on_a_slice_is_said_and_the_mean_is_marked,
                                  hot_addresses_have_the_array_they_are_in,
                                  of_many_slices_the_busiest_and_the_idlest_are_drawn,
                                  a_class_of_lines_that_is_all_of_them_has_no_row_of_its_own,
                                  hit_rates_are_of_what_was_looked_up,
                                  refusals_and_kernels_are_listed,
                                  each_topic_of_a_run_is_drawn_and_has_words,
                                  a_result_with_nothing_has_no_figures};
    TCase *cases = tcase_create("report_units");
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++) tcase_add_test(cases, tests[i]);
    tcase_add_loop_test(cases, what_a_result_lacks_is_not_drawn, 0, G_N_ELEMENTS(parts));
    return harness_run_cases("report_units", cases);
}
