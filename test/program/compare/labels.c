/* What results are called that are compared: each is from another path. */
#include "rigs/harness.h"
#include "scenarios/program/compare/list.h"

static GPtrArray *results_of(const char *variant, guint count)
{
    GPtrArray *results = g_ptr_array_new_with_free_func((GDestroyNotify)json_node_unref);
    for (guint i = 0; i < count; i++) {
        g_autofree char *text =
            g_strdup_printf("{\"variant\": \"%s\", \"path_number\": %u}", variant, i);
        g_ptr_array_add(results, json_from_string(text, NULL));
    }
    return results;
}

static const struct {
    guint place;
    const char *label;
} letters[] = {
    {0, "A:half"},   {25, "Z:half"},   {26, "AA:half"},
    {27, "AB:half"}, {701, "ZZ:half"}, {702, "AAA:half"},
};

START_TEST(results_of_one_name_have_letters_as_columns_of_a_spreadsheet)
{
    g_autoptr(GPtrArray) results = results_of("half", 1000);
    g_autoptr(GPtrArray) labels = result_list_labels(results);
    ck_assert_str_eq(labels->pdata[letters[_i].place], letters[_i].label);
}
END_TEST

START_TEST(one_of_a_name_of_its_own_is_called_by_it)
{
    g_autoptr(GPtrArray) results = results_of("half", 2);
    g_ptr_array_add(results,
                    json_from_string("{\"variant\": \"whole\", \"path_number\": 2}", NULL));
    g_autoptr(GPtrArray) labels = result_list_labels(results);
    ck_assert_str_eq(labels->pdata[1], "B:half");
    ck_assert_str_eq(labels->pdata[2], "whole");
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("labels");
    tcase_add_loop_test(cases, results_of_one_name_have_letters_as_columns_of_a_spreadsheet, 0,
                        G_N_ELEMENTS(letters));
    tcase_add_test(cases, one_of_a_name_of_its_own_is_called_by_it);
    return harness_run_cases("labels", cases);
}
