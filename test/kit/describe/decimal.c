#include "kit/describe/decimal.h"
#include "rigs/harness.h"

#include <check.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

enum { RANDOM_NUMBERS = 20000 };

static const double special[] = {0.0,
                                 -0.0,
                                 1,
                                 -1.5,
                                 123456789012345678.0,
                                 DBL_MAX,
                                 -DBL_MAX,
                                 DBL_MIN,
                                 5e-324,
                                 2.5e-320,
                                 0.1 + 0.2,
                                 999999999999999.0,
                                 1e15,
                                 1e16,
                                 9.5e-5,
                                 1e-5,
                                 1e-4,
                                 1e5,
                                 99999.5,
                                 999999999999999.9,
                                 1e23,
                                 5e-310,
                                 2.0 / 3,
                                 4503599627370497.5,
                                 360,
                                 10,
                                 7,
                                 99999,
                                 12340,
                                 1e22,
                                 0.000123456789,
                                 1 + DBL_EPSILON,
                                 1 - DBL_EPSILON / 2,
                                 0.125 - DBL_EPSILON / 16,
                                 1024 - 512 * DBL_EPSILON,
                                 0.000100000000000000019,
                                 549755813888.00012,
                                 -0.25};

/* Each precision tried in turn. */
static char *shortest(double value)
{
    char *text = NULL;
    for (int digits = 1; digits <= 17; digits++) {
        g_free(text);
        text = g_strdup_printf("%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    return text;
}

static void assert_shortest(double value)
{
    const gboolean whole = fabs(value) < 1e15 && value == trunc(value);
    g_autofree char *text = decimal_text(value);
    g_autofree char *expected = whole ? g_strdup_printf("%.0f", value) : shortest(value);
    ck_assert_str_eq(text, expected);
}

static void assert_reads_back(double value)
{
    double read = NAN;
    g_autofree char *text = decimal_text(value);
    const char *end = decimal_read(text, &read);
    ck_assert_msg(end && !*end && read == value && signbit(read) == signbit(value), "%s", text);
}

/* Of each size, with few and with all digits. */
static double draw(GRand *random)
{
    const double mantissa = g_rand_double_range(random, -1, 1);
    const int digits = g_rand_int_range(random, 0, 18);
    const double few = digits < 17 ? rint(mantissa * pow(10, digits)) / pow(10, digits) : mantissa;
    return few * pow(10, g_rand_int_range(random, -30, 30));
}

/* And between the normal numbers and zero. */
START_TEST(no_decimal_that_reads_back_is_shorter)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(1);
    for (guint i = 0; i < G_N_ELEMENTS(special); i++) {
        assert_shortest(special[i]);
        assert_reads_back(special[i]);
    }
    for (guint i = 0; i < RANDOM_NUMBERS; i++) {
        const double value = draw(random);
        assert_shortest(value);
        assert_reads_back(value);
    }
}
END_TEST

static const struct {
    double value;
    const char *text;
} written[] = {
    {360, "360"},           {0.25, "0.25"},
    {-100, "-100"},         {999999999999999, "999999999999999"},
    {1e15, "1e+15"},        {0, "0"},
    {-0.0, "-0"},           {1e-5, "1e-05"},
    {123456.5, "123456.5"}, {INFINITY, "inf"},
    {-INFINITY, "-inf"},    {NAN, "nan"},
};

START_TEST(a_whole_number_has_all_its_digits)
{
    g_autofree char *text = decimal_text(written[_i].value);
    ck_assert_str_eq(text, written[_i].text);
}
END_TEST

START_TEST(a_count_has_all_its_digits)
{
    g_autoptr(GString) text = g_string_new(NULL);
    decimal_append_count(text, 0);
    g_string_append_c(text, ' ');
    decimal_append_count(text, G_MAXUINT64);
    ck_assert_str_eq(text->str, "0 18446744073709551615");
}
END_TEST

/* Against the standard library, digit by digit and exponent by exponent. */
START_TEST(numbers_are_read_as_exactly_as_the_library_does)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(2);
    for (guint i = 0; i < RANDOM_NUMBERS; i++) {
        g_autofree char *text =
            g_strdup_printf("%.*g KiB", g_rand_int_range(random, 1, 20), draw(random));
        double value = NAN;
        const char *end = decimal_read(text, &value);
        ck_assert_msg(end && !g_strcmp0(end, " KiB") && value == strtod(text, NULL), "%s", text);
    }
}
END_TEST

static const struct {
    const char *text;
    double value;
    const char *rest; /* NULL: no number */
} readings[] = {
    {"64", 64, ""},
    {"+1.5", 1.5, ""},
    {"-0", -0.0, ""},
    {".5", 0.5, ""},
    {"5.", 5, ""},
    {"1.5.5", 1.5, ".5"},
    {"75 %", 75, " %"},
    {"1e3x", 1000, "x"},
    {"2E-2", 0.02, ""},
    {"3e", 3, "e"},
    {"0x10", 0, "x10"},
    {"1,5", 1, ",5"},
    {"123456789012345", 123456789012345, ""},
    {"1234567890123456", 1234567890123456, ""},
    {"1.7976931348623157e308", DBL_MAX, ""},
    {"-1.7976931348623157e308", -DBL_MAX, ""},
    {"1.8e308", 0, NULL},
    {"1e400", 0, NULL},
    {"1e-400", 0, NULL},
    {"5e-324", 5e-324, ""},
    {"0e999", 0, ""},
    {"nan", 0, NULL},
    {"-inf", 0, NULL},
    {"infinity", 0, NULL},
    {" 1", 0, NULL},
    {"", 0, NULL},
    {"-", 0, NULL},
    {".", 0, NULL},
    {"-+1", 0, NULL},
    {"e5", 0, NULL},
    {"KiB", 0, NULL},
};

START_TEST(a_percentage_is_scaled_in_decimals)
{
    static const double pairs[][2] = {{3.6, 0.036}, {16.7, 0.167},   {0, 0},       {-7, -0.07},
                                      {100, 1},     {33.25, 0.3325}, {1e-7, 1e-9}, {1e20, 1e18}};
    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++)
        ck_assert_double_eq(decimal_scale(pairs[i][0], -2), pairs[i][1]);
    ck_assert_double_eq(decimal_scale(0.036, 2), 3.6); /* 100 x 0.036 is 3.5999999999999996 */
    ck_assert(isnan(decimal_scale(NAN, 2)));
}
END_TEST

START_TEST(what_stands_behind_a_number_is_left)
{
    double value = 0;
    const char *end = decimal_read(readings[_i].text, &value);
    ck_assert_pstr_eq(end, readings[_i].rest);
    ck_assert(!end
              || (value == readings[_i].value && signbit(value) == signbit(readings[_i].value)));
}
END_TEST

static const struct {
    const char *text;
    guint64 digits;
    guint count, places;
    gboolean negative;
    const char *rest; /* NULL: no number */
} exact[] = {
    {"1.50 us", 150, 3, 2, FALSE, " us"},
    {"-7", 7, 1, 0, TRUE, ""},
    {"+.5", 5, 1, 1, FALSE, ""},
    {"18446744073709551615", G_MAXUINT64, 20, 0, FALSE, ""},
    {"000000000000000000000000000000000000001", 0, 39, 0, FALSE, ""},
    {"1e3", 1, 1, 0, FALSE, "e3"},
    {"1.2.3", 12, 2, 1, FALSE, ".3"},
    {".", 0, 0, 0, FALSE, NULL},
    {"", 0, 0, 0, FALSE, NULL},
    {"x", 0, 0, 0, FALSE, NULL},
};

START_TEST(digits_are_read_without_a_double)
{
    Decimal decimal;
    ck_assert_pstr_eq(decimal_read_exact(exact[_i].text, &decimal), exact[_i].rest);
    ck_assert(decimal.digits == exact[_i].digits);
    ck_assert_uint_eq(decimal.count, exact[_i].count);
    ck_assert_uint_eq(decimal.places, exact[_i].places);
    ck_assert(decimal.negative == exact[_i].negative);
}
END_TEST

/* Where the decimal point is a comma, if this machine knows such a place. */
START_TEST(a_comma_of_the_locale_changes_nothing)
{
    static const char *const places[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
    double value = 0;
    for (guint i = 0; i < G_N_ELEMENTS(places); i++)
        if (setlocale(LC_ALL, places[i])) break;
    g_autofree char *fraction = decimal_text(0.1 + 0.2), *tiny = decimal_text(1.5e-7);
    ck_assert_str_eq(fraction, "0.30000000000000004");
    ck_assert_str_eq(tiny, "1.5e-07");
    ck_assert_str_eq(decimal_read("0.30000000000000004,5", &value), ",5");
    ck_assert_double_eq(value, 0.1 + 0.2);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("cases");
    tcase_add_test(cases, no_decimal_that_reads_back_is_shorter);
    tcase_add_loop_test(cases, a_whole_number_has_all_its_digits, 0, G_N_ELEMENTS(written));
    tcase_add_test(cases, a_count_has_all_its_digits);
    tcase_add_test(cases, numbers_are_read_as_exactly_as_the_library_does);
    tcase_add_test(cases, a_percentage_is_scaled_in_decimals);
    tcase_add_loop_test(cases, what_stands_behind_a_number_is_left, 0, G_N_ELEMENTS(readings));
    tcase_add_loop_test(cases, digits_are_read_without_a_double, 0, G_N_ELEMENTS(exact));
    tcase_add_test(cases, a_comma_of_the_locale_changes_nothing);
    Suite *suite = suite_create("decimal");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
