/* Numbers as people read them, and columns of text. */
#include "scenarios/program/say/table.h"

#include <time.h>

#include "rigs/harness.h"

static const struct {
    double value;
    int decimals;
    const char *text;
} grouped[] = {
    {0, 0, "0"},
    {999, 0, "999"},
    {1000, 0, "1,000"},
    {1234567, 0, "1,234,567"},
    {-1234.5, 1, "-1,234.5"},
    {-0.04, 1, "0.0"},
    {123456.25, 2, "123,456.25"},
};

START_TEST(digits_stand_in_groups_of_three)
{
    g_autofree char *text = text_grouped(grouped[_i].value, grouped[_i].decimals);
    ck_assert_str_eq(text, grouped[_i].text);
}
END_TEST

static const struct {
    double bytes;
    const char *text;
} sizes[] = {
    {2, "2 B"}, {999, "999 B"}, {12345, "12.3 kB"}, {4.12e8, "412 MB"}, {7.78e6, "7.78 MB"},
};

START_TEST(sizes_have_three_digits)
{
    g_autofree char *text = text_bytes(sizes[_i].bytes);
    ck_assert_str_eq(text, sizes[_i].text);
}
END_TEST

static void expect_print(const Table *table, const char *text)
{
    char *printed = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&printed, &size);
    table_print(table, out);
    fclose(out);
    ck_assert_str_eq(printed, text);
    free(printed);
}

START_TEST(the_first_column_stands_left_and_the_others_right)
{
    g_autoptr(Table) table = table_new();
    table_row(table);
    table_cell(table, "a");
    table_cell(table, "10");
    table_row(table);
    table_cell(table, "long");
    table_cell(table, "%d", 9);
    expect_print(table, "  a     10\n  long   9\n");
}
END_TEST

static const struct {
    double change;
    const char *text;
} changes[] = {
    {0, "  +0.0 %\n"},     {-0.0, "  +0.0 %\n"}, {-0.04, "  +0.0 %\n"},
    {-0.06, "  -0.1 %\n"}, {0.06, "  +0.1 %\n"}, {-12.34, "  -12.3 %\n"},
};

START_TEST(a_change_that_rounds_to_nothing_has_no_minus)
{
    g_autoptr(Table) table = table_new();
    table_row(table);
    table_change(table, changes[_i].change, " %");
    expect_print(table, changes[_i].text);
}
END_TEST

/* Hundredths of a second; most of a minute where each cell looks at its whole column. */
START_TEST(a_row_of_a_long_table_takes_no_longer)
{
    enum { ROWS = 50000 };
    g_autoptr(Table) table = table_new();
    for (guint i = 0; i < ROWS; i++) {
        table_row(table);
        table_cell(table, "point");
        table_cell(table, "%u", i);
    }
    const clock_t began = clock();
    FILE *out = fopen("/dev/null", "w");
    table_print(table, out);
    fclose(out);
    ck_assert_int_lt((clock() - began) / CLOCKS_PER_SEC, 5);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("text");
    tcase_add_loop_test(cases, digits_stand_in_groups_of_three, 0, G_N_ELEMENTS(grouped));
    tcase_add_loop_test(cases, sizes_have_three_digits, 0, G_N_ELEMENTS(sizes));
    tcase_add_test(cases, the_first_column_stands_left_and_the_others_right);
    tcase_add_loop_test(cases, a_change_that_rounds_to_nothing_has_no_minus, 0,
                        G_N_ELEMENTS(changes));
    tcase_add_test(cases, a_row_of_a_long_table_takes_no_longer);
    return harness_run_cases("table", cases);
}
