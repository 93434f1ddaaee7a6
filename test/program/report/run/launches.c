/* How kernels fit on the SMs, in a run's report. */
#include "rig.h"
#include "rigs/harness.h"
#include "scenarios/program/report/document/document.h"

/* Of the three kernels of the fixture one has it. */
START_TEST(a_kernel_of_which_it_is_told_has_a_row)
{
    g_autoptr(JsonNode) result = fixture(), report = report_of(result);
    JsonNode *figure = figure_of(report, "launches");
    ck_assert_uint_eq(row_count(figure), 1);
    ck_assert_uint_eq(row_of(figure, "copy"), 0);
    ck_assert_str_eq(text_in(figure, 0, "limited by"), "registers, warps");
    ck_assert_double_eq(number_in(figure, 0, "by CTAs"), 32);
    ck_assert(json_node_is_null(cell_at(figure, 0, column_of(figure, "by shared memory"))));
    ck_assert_double_eq(number_in(figure, 0, "waves"), 1.5);
    ck_assert_double_eq(number_in(figure, 0, "most"), 4);
    ck_assert_double_eq_tol(number_in(figure, 0, "full waves would save"), 25, 1e-9);
    ck_assert_double_eq_tol(number_in(figure, 0, "none any more"), 6, 1e-9);
    ck_assert_double_eq_tol(number_in(figure, 0, "drain of stores"), 4, 1e-9);
}
END_TEST

START_TEST(without_it_there_is_no_figure_and_with_it_words)
{
    g_autoptr(JsonNode) result = fixture();
    JsonArray *kernels = json_node_get_array(result_member(result, "summary.kernels"));
    json_object_remove_member(json_array_get_object_element(kernels, 1), "launch");
    g_autoptr(JsonNode) report = report_of(result);
    ck_assert_ptr_null(find_figure(report, "launches"));
    ck_assert_uint_gt(strlen(figure_topic("launches")->read), 20);
}
END_TEST

HARNESS_MAIN("report_launches", a_kernel_of_which_it_is_told_has_a_row,
             without_it_there_is_no_figure_and_with_it_words)
