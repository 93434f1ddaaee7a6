/* What is told of a file that the program ships, and of one that only looks like it. */
#include "scenarios/program/language/catalogue.h"
#include "rigs/harness.h"
#include "scenarios/program/result/result.h"

static char *shipped(const char *name)
{
    g_autofree char *directory = catalogue_scenario_directory();
    return g_strconcat(directory, name, NULL);
}

static const struct {
    const char *file, *name;
} own[] = {
    {"scenarios/mine.ini", "mine.ini"},
    {"scenarios/noext", "noext"},
    {"scenarios/kernels.ini", "kernels.ini"},
    {"scenarios/.ini", ".ini"},
    {"/tmp/mine.txt", "mine.txt"},
};

START_TEST(a_result_names_a_users_own_file_as_it_is)
{
    g_autofree char *name = result_file_name(own[_i].file);
    ck_assert_str_eq(name, own[_i].name);
}
END_TEST

START_TEST(a_result_names_a_shipped_file_by_what_runs_it)
{
    g_autofree char *file = shipped("/measured/../measured/kernels.ini"),
                    *name = result_file_name(file);
    ck_assert_str_eq(name, "kernels");
}
END_TEST

START_TEST(a_folder_whose_name_begins_as_the_shipped_one_is_not_shipped)
{
    g_autofree char *file = shipped("/measured/kernels.ini"), *shown = catalogue_display(file),
                    *beside = shipped("-of-mine/x.ini"), *as_it_is = catalogue_display(beside);
    ck_assert_str_eq(shown, "scenarios/measured/kernels.ini");
    ck_assert_str_eq(as_it_is, beside);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("catalogue");
    tcase_add_loop_test(cases, a_result_names_a_users_own_file_as_it_is, 0, G_N_ELEMENTS(own));
    tcase_add_test(cases, a_result_names_a_shipped_file_by_what_runs_it);
    tcase_add_test(cases, a_folder_whose_name_begins_as_the_shipped_one_is_not_shipped);
    Suite *suite = suite_create("catalogue");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
