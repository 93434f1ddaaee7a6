#include <check.h>
#include <string.h>

#include "rigs/harness.h"
#include "scenarios/program/study/dimensions/axis.h"

typedef struct {
    uint64_t ways, latency, capacity, interval, clock, width;
    double share, turn;
    bool enabled;
    uint32_t policy;
    char *file;
} Example;

static const char *const policies[] = {"lru", "random", "fifo", NULL};
static const Param params[] = {
    PARAM_NUMBER(Example, ways, PARAM_COUNT, "4", 1, 300, "ways"),
    PARAM_NUMBER(Example, latency, PARAM_CYCLES, "30 cycles", 0, 1000, "latency"),
    PARAM_NUMBER(Example, capacity, PARAM_BYTES, "96 KiB", 1024, 64 << 20, "capacity"),
    PARAM_NUMBER(Example, interval, PARAM_TIME, "1.5 us", 0, 1e19, "interval"),
    PARAM_NUMBER(Example, clock, PARAM_FREQUENCY, "1380 MHz", 1e6, 1e10, "clock"),
    PARAM_NUMBER(Example, width, PARAM_BANDWIDTH, "32 B/cycle", 1, 1024, "width"),
    PARAM_REAL(Example, share, "0.3", 0, 1, "share"),
    PARAM_REAL(Example, turn, "-0.5", -360, 10, "turn"),
    PARAM_SWITCH(Example, enabled, "yes", "enabled"),
    PARAM_ONE_OF(Example, policy, policies, "lru", "policy"),
    PARAM_STRING(Example, file, "none", "file"),
    PARAM_END,
};

enum { WAYS, LATENCY, CAPACITY, INTERVAL, CLOCK, WIDTH, SHARE, TURN, ENABLED, POLICY, FILE_NAME };

static Axis *read_source(const Param *param, const char *const *names, const char *baseline,
                         const char *text, GError **error)
{
    const Setting setting = {"study", "l1.key", (char *)text, "a.ini", 7};
    return axis_new(&(AxisSource){&setting, param, baseline, names}, error);
}

static Axis *read_param(unsigned param, const char *text, GError **error)
{
    return read_source(&params[param], NULL, params[param].default_text, text, error);
}

/* "4 | 8" */
static char *values_of(const Axis *axis)
{
    GString *all = g_string_new(NULL);
    for (guint i = 0; i < axis_size(axis); i++)
        g_string_append_printf(all, "%s%s", i ? " | " : "", axis_value(axis, i));
    return g_string_free(all, FALSE);
}

/* Takes over `axis`. */
static void check_values(Axis *axis, const char *expected, const GError *error)
{
    ck_assert_msg(axis, "%s", error ? error->message : "");
    g_autofree char *values = values_of(axis);
    ck_assert_str_eq(values, expected);
    axis_free(axis);
}

static const struct {
    unsigned param;
    const char *text, *values;
} listed[] = {
    {WAYS, "8", "8"},
    {WAYS, "8,\n  4 , 16", "8 | 4 | 16"}, /* in the order in which they are written */
    {LATENCY, "1 cycles, 28cycles", "1 cycle | 28 cycles"},
    {CAPACITY, "98304 B, 0.5 MiB", "96 KiB | 512 KiB"},
    {INTERVAL, "1500 ns, 20 ns", "1.5 us | 20 ns"},
    {CLOCK, "1.38 GHz, 2000 MHz", "1380 MHz | 2 GHz"},
    {WIDTH, "64 B/cycle", "64 B/cycle"},
    {SHARE, "25 %, 0.5", "0.25 | 0.5"},
    {ENABLED, "on, false", "yes | no"},
    {POLICY, "fifo, lru", "fifo | lru"},
    {FILE_NAME, "a b.txt, ../b..txt", "a b.txt | ../b..txt"},
    {FILE_NAME, "../b.txt", "../b.txt"},
    {FILE_NAME, "\"a, b\" , \"say \"\"c\"\"\", \"\"", "a, b | say \"c\" | "},
    {FILE_NAME, "x2, x0.5", "x2 | x0.5"}, /* text is not multiplied */
    /* factors of 4, of 96 KiB, of 1380 MHz, of 0.3; whole ones of 30 cycles, halves upwards */
    {WAYS, "x0.5, x1, x2", "2 | 4 | 8"},
    {CAPACITY, "x0.5, x2, 1 MiB", "48 KiB | 192 KiB | 1 MiB"},
    {CLOCK, "x0.75", "1035 MHz"},
    {SHARE, "x3, x0.1", "0.9 | 0.03"},
    {LATENCY, "x0.35, x.01", "11 cycles | 0 cycles"},
    {WAYS, "x0.375", "2"},
};

START_TEST(a_list_has_its_values_in_canonical_text)
{
    g_autoptr(GError) error = NULL;
    check_values(read_param(listed[_i].param, listed[_i].text, &error), listed[_i].values, error);
}
END_TEST

/* Ranges, with what they are rounded to. */
static const struct {
    unsigned param;
    const char *text, *values;
} divided[] = {
    {WAYS, "1 .. 4 step 1", "1 | 2 | 3 | 4"},
    {WAYS, "1..4 step 2", "1 | 3"}, /* not beyond the end */
    {WAYS, "8 .. 1 step 3", "8 | 5 | 2"},
    {CLOCK, "700 MHz .. 1100 MHz step 100 MHz", "700 MHz | 800 MHz | 900 MHz | 1 GHz | 1100 MHz"},
    {CLOCK, "1 GHz .. 1.1 GHz step 50 MHz", "1 GHz | 1050 MHz | 1100 MHz"},
    {SHARE, "0.1 .. 0.3 step 0.1", "0.1 | 0.2 | 0.3"}, /* not 0.30000000000000004 */
    {SHARE, "25 % .. 75 % step 25 %", "0.25 | 0.5 | 0.75"},
    {SHARE, "10 % .. 20 % in 3", "0.1 | 0.15 | 0.2"},
    {CAPACITY, "1.5 KiB .. 3 KiB step 512 B", "1536 B | 2 KiB | 2560 B | 3 KiB"},
    {LATENCY, "10 cycles .. 20 cycles in 6",
     "10 cycles | 12 cycles | 14 cycles | 16 cycles | 18 cycles | 20 cycles"},
    /* 3.33 and 6.67; 2.5 upwards */
    {WAYS, "1 .. 4 in 3", "1 | 3 | 4"},
    {WAYS, "10 .. 1 in 4", "10 | 7 | 4 | 1"},
    {WAYS, "1 .. 8 in 7", "1 | 2 | 3 | 5 | 6 | 7 | 8"}, /* the fourth is exactly 4.5 */
    {CAPACITY, "2 kB .. 8 KiB in 3", "2000 B | 5096 B | 8 KiB"},
    {CLOCK, "1 GHz .. 1.5 GHz in 4", "1 GHz | 1167 MHz | 1333 MHz | 1500 MHz"}, /* whole MHz */
    {CLOCK, "999.5 MHz .. 1000.5 MHz in 3", "999.5 MHz | 1 GHz | 1000.5 MHz"},  /* ends stay */
    {CLOCK, "1 GHz .. 1001 MHz step 500 kHz", "1 GHz | 1000.5 MHz | 1001 MHz"},
    {SHARE, "0 .. 1 in 4", "0 | 0.333333333 | 0.666666667 | 1"},
    {SHARE, "0 .. 1 in 5", "0 | 0.25 | 0.5 | 0.75 | 1"},
    {TURN, "-90 .. 10 step 50", "-90 | -40 | 10"},
    {TURN, "-0.5 .. 1.0 in 6", "-0.5 | -0.2 | 0.1 | 0.4 | 0.7 | 1"},
    {TURN, "-1.0 .. 0.0 in 5", "-1 | -0.75 | -0.5 | -0.25 | 0"},
    {TURN, "x1 .. x3 step 1", "-0.5 | -1 | -1.5"},
    {WIDTH, "1 B/cycle .. 64 B/cycle log 4", "1 B/cycle | 4 B/cycle | 16 B/cycle | 64 B/cycle"},
    {CAPACITY, "64 KiB .. 64 MiB log 11",
     "64 KiB | 128 KiB | 256 KiB | 512 KiB | 1 MiB | 2 MiB | 4 MiB | 8 MiB | 16 MiB | 32 MiB | "
     "64 MiB"},
    /* 65536 x 10^(k/3) = 141193.03, 304191.2; 10^(1/2) = 3.1623 */
    {CAPACITY, "64 KiB .. 640 KiB log 4", "64 KiB | 141193 B | 304191 B | 640 KiB"},
    {INTERVAL, "1 ns .. 10 ns log 3", "1 ns | 3.162 ns | 10 ns"}, /* whole ps */
    {WAYS, "16 .. 256 times 2", "16 | 32 | 64 | 128 | 256"},
    {WAYS, "16 .. 250 times 2", "16 | 32 | 64 | 128"},
    {WAYS, "256 .. 16 times 4", "256 | 64 | 16"},
    {WAYS, "16 .. 60 times 1.5", "16 | 24 | 36 | 54"},
    {WAYS, "1 .. 243 times 3", "1 | 3 | 9 | 27 | 81 | 243"},
    /* of whole numbers, those that are the same when rounded stand once: 1.3, 1.7, 2.3, 3 */
    {WAYS, "1 .. 4 log 6", "1 | 2 | 3 | 4"},
    {LATENCY, "1 cycle .. 3 cycles in 5", "1 cycle | 2 cycles | 3 cycles"},
    {CLOCK, "x0.5 .. x2 log 5", "690 MHz | 976 MHz | 1380 MHz | 1952 MHz | 2760 MHz"},
    {CLOCK, "x1 .. x2 in 3", "1380 MHz | 2070 MHz | 2760 MHz"},
    {CAPACITY, "x1 .. x4 times 2", "96 KiB | 192 KiB | 384 KiB"},
    {CLOCK, "x1 .. x3 times 1.5", "1380 MHz | 2070 MHz | 3105 MHz"},
    {CAPACITY, "x0.5 .. x1.5 step 0.5", "48 KiB | 96 KiB | 144 KiB"},
    {CAPACITY, "x0.5 .. x1.5 step x0.5", "48 KiB | 96 KiB | 144 KiB"},
    {WAYS, "x0.5 .. x1.0 in 6", "2 | 3 | 4"}, /* 2, 2.4, 2.8, 3.2, 3.6, 4 */
};

START_TEST(a_range_is_divided_and_rounded)
{
    g_autoptr(GError) error = NULL;
    check_values(read_param(divided[_i].param, divided[_i].text, &error), divided[_i].values,
                 error);
}
END_TEST

static const struct {
    unsigned param;
    const char *text;
    double share;
    const char *value;
} at_share[] = {
    {WAYS, "10 .. 20", 0, "10"},
    {WAYS, "10 .. 20", 1, "20"},
    {WAYS, "10 .. 20", 0.24, "12"},
    {WAYS, "10 .. 20", 0.25, "13"},
    {WAYS, "20 .. 10", 0.2, "18"},
    {CAPACITY, "2 kB .. 8 KiB", 1, "8 KiB"},
    {CLOCK, "1.0 GHz .. 1.5 GHz", 0.45, "1225 MHz"},
    {CAPACITY, "64 KiB .. 64 MiB log", 0.5, "2 MiB"},
    {CAPACITY, "64 KiB .. 64 MiB log", 0.51, "2247672 B"}, /* 65536 x 1024^0.51 */
    {SHARE, "0 .. 1", 0.333, "0.333"},
    {CLOCK, "x0.5 .. x1.5", 0.25, "1035 MHz"},
    {CLOCK, "x0.7001 .. x1.5", 0, "966.138 MHz"},
    /* a list has equal parts */
    {POLICY, "fifo, lru, random", 0, "fifo"},
    {POLICY, "fifo, lru, random", 0.33, "fifo"},
    {POLICY, "fifo, lru, random", 0.34, "lru"},
    {POLICY, "fifo, lru, random", 0.99, "random"},
    {POLICY, "fifo, lru, random", 1, "random"},
};

START_TEST(a_share_of_an_axis_is_a_value)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Axis) axis = read_param(at_share[_i].param, at_share[_i].text, &error);
    ck_assert_msg(axis, "%s", error ? error->message : "");
    ck_assert_uint_eq(axis_size(axis), at_share[_i].param == POLICY ? 3 : 0);
    g_autofree char *value = axis_at(axis, at_share[_i].share);
    ck_assert_str_eq(value, at_share[_i].value);
}
END_TEST

static const struct {
    unsigned param;
    const char *text, *message;
} rejected[] = {
    {WAYS, "4, 301", "301: out of range; allowed: whole number from 1 to 300"},
    {CAPACITY, "96",
     "96: a unit is missing; bytes are written as 96 B, 96 KiB ..., from 1 KiB to "
     "64 MiB"},
    {POLICY, "lru, randon",
     "randon: not known, did you mean 'random'; allowed: one of lru, "
     "random, fifo"},
    {WAYS, "4, 8, 4", "4: stands twice"},
    {CAPACITY, "1 MiB, 1024 KiB", "1024 KiB: is 1 MiB, which stands twice"},
    {WAYS, "4, x1", "x1: is 4, which stands twice"},
    {WAYS, "4,, 8", "(nothing): a value is missing; values are separated by commas"},
    {WAYS, "4, 8,", "(nothing): a value is missing; values are separated by commas"},
    {WAYS, "", "(nothing): a value is missing; values are separated by commas"},
    {FILE_NAME, "\"a, b", "\"a, b: a quote is not closed"},
    {FILE_NAME, "\"a\" b, c", "\"a\" b, c: a comma is missing behind the quote"},
    {WAYS, "x100", "x100: 400: out of range; allowed: whole number from 1 to 300"},
    {WAYS, "x1.5.5", "x1.5.5: not a factor of the parameter's own value, which is written as x0.5"},
    {POLICY, "lru .. fifo",
     "lru .. fifo: only numbers have ranges; list the values, separated by "
     "commas; allowed: one of lru, random, fifo"},
    {ENABLED, "no .. yes",
     "no .. yes: only numbers have ranges; list the values, separated by "
     "commas; allowed: yes or no"},
    {WAYS, "1, 4 .. 8", "4 .. 8: a range stands alone, without other values"},
    {WAYS, "4 ..", "4 ..: a range has two ends, as in 16 .. 256"},
    {WAYS, ".. 4 step 1", ".. 4 step 1: a range has two ends, as in 16 .. 256"},
    {WAYS, "0 .. 4 in 5", "0: out of range; allowed: whole number from 1 to 300"},
    {WAYS, "4 .. 4 in 5", "4 .. 4 in 5: both ends are the same"},
    {WAYS, "1 .. 4 ni 4", "1 .. 4 ni 4: cannot be read; did you mean 'in'?"},
    {CLOCK, "700 MHz .. 800 MHz stepp 10 MHz",
     "700 MHz .. 800 MHz stepp 10 MHz: cannot be read; did you mean 'step'?"},
    {CAPACITY, "1 KiB .. 2 kib step 1 KiB",
     "2 kib: 'kib' is not a unit, did you mean 'KiB'; allowed: bytes from 1 KiB to 64 MiB"},
    {CAPACITY, "1 KiB .. 8 KiB step 1",
     "step 1: a unit is missing; bytes are written as 1 B, "
     "1 KiB ..., from 0 B to 65535 KiB"},
    {WAYS, "1 .. 4 step 0", "1 .. 4 step 0: a step is larger than 0"},
    {WAYS, "1 .. 4 times 1", "1 .. 4 times 1: 'times' needs a number above 1, as in times 2"},
    {WAYS, "1 .. 4 in", "1 .. 4 in: 'in' needs a number of values, as in 1 .. 4 in 4"},
    {WAYS, "1 .. 4 in 1", "1 .. 4 in 1: 'in 1' is not a number of values from 2 to 1000000"},
    {WAYS, "1 .. 4 log -3", "1 .. 4 log -3: 'log -3' is not a number of values from 2 to 1000000"},
    {LATENCY, "0 cycles .. 8 cycles log 4",
     "0 cycles .. 8 cycles log 4: a range of factors has both ends above 0"},
    {LATENCY, "0 cycles .. 8 cycles log",
     "0 cycles .. 8 cycles log: a range of factors has both ends above 0"},
    {INTERVAL, "1 fs .. 1 us step 1 fs",
     "1 fs .. 1 us step 1 fs: 1000000000 values; at most 1000000"},
    {CLOCK, "x0.5 .. 2 GHz in 3",
     "x0.5 .. 2 GHz in 3: both ends are factors of the own value, or none"},
    {WAYS, "x1 .. x128 times 2",
     "x1 .. x128 times 2: 512: out of range; allowed: whole number from 1 to 300"},
    {WAYS, "x1 .. x100", "x1 .. x100: 400: out of range; allowed: whole number from 1 to 300"},
};

START_TEST(a_bad_value_is_named_with_its_place_and_what_is_allowed)
{
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(read_param(rejected[_i].param, rejected[_i].text, &error));
    g_autofree char *message = g_strconcat("a.ini:7: study.l1.key = ", rejected[_i].message, NULL);
    ck_assert_str_eq(error->message, message);
}
END_TEST

START_TEST(names_are_taken_from_those_that_there_are)
{
    static const char *const variants[] = {"baseline", "chase", "copy..2", NULL};
    g_autoptr(GError) error = NULL;
    check_values(read_source(NULL, variants, "baseline", "chase, copy..2", &error),
                 "chase | copy..2", error);
    ck_assert_ptr_null(read_source(NULL, variants, "baseline", "chase, chas", &error));
    ck_assert_str_eq(error->message,
                     "a.ini:7: study.l1.key = chas: not known; did you mean 'chase'?");
    g_clear_error(&error);
    ck_assert_ptr_null(read_source(NULL, variants, "baseline", "gather", &error));
    ck_assert_str_eq(
        error->message,
        "a.ini:7: study.l1.key = gather: not known; there are baseline, chase, copy..2");
    g_clear_error(&error);
    ck_assert_ptr_null(read_source(NULL, variants, "baseline", "x2", &error));
    g_clear_error(&error);
    ck_assert_ptr_null(read_source(NULL, variants, "baseline", "baseline .. chase", &error));
    ck_assert_ptr_nonnull(strstr(error->message, "only numbers have ranges"));
}
END_TEST

/* The keys of a workload's own: whole numbers, bytes, or an expression. */
static const struct {
    const char *baseline, *text, *values;
} own[] = {
    {"4", "1, 2 * n, +8, 1024 B", "1 | 2 * n | 8 | 1 KiB"},
    {"4", "1 .. 8 times 2", "1 | 2 | 4 | 8"},
    {"4", "x0.5, x2", "2 | 8"},
    {"4", "x0.5 .. x2 times 2", "2 | 4 | 8"},
    {"64 KiB", "x0.5, x2", "32 KiB | 128 KiB"},
    {NULL, "64 KiB .. 256 KiB in 3", "64 KiB | 160 KiB | 256 KiB"},
    {"2 * n", "x2, \"min(n, 4)\"", "x2 | min(n, 4)"}, /* x2 is a name there */
};

START_TEST(keys_without_a_table_are_whole_numbers_bytes_or_text)
{
    g_autoptr(GError) error = NULL;
    check_values(read_source(NULL, NULL, own[_i].baseline, own[_i].text, &error), own[_i].values,
                 error);
}
END_TEST

START_TEST(a_factor_needs_an_own_value)
{
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(read_source(&params[WAYS], NULL, NULL, "x2", &error));
    ck_assert_str_eq(error->message, "a.ini:7: study.l1.key = x2: the parameter has no own value "
                                     "that can be multiplied");
}
END_TEST

START_TEST(an_axis_knows_what_it_is)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Axis) axis = read_param(WAYS, "1, 2", &error);
    ck_assert_str_eq(axis_name(axis), "l1.key");
    ck_assert_str_eq(axis_baseline(axis), "4");
    ck_assert_str_eq(axis_place(axis), "a.ini:7: study.l1.key = 1, 2: ");
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("axis");
    tcase_add_loop_test(cases, a_list_has_its_values_in_canonical_text, 0, G_N_ELEMENTS(listed));
    tcase_add_loop_test(cases, a_range_is_divided_and_rounded, 0, G_N_ELEMENTS(divided));
    tcase_add_loop_test(cases, a_share_of_an_axis_is_a_value, 0, G_N_ELEMENTS(at_share));
    tcase_add_loop_test(cases, a_bad_value_is_named_with_its_place_and_what_is_allowed, 0,
                        G_N_ELEMENTS(rejected));
    tcase_add_test(cases, names_are_taken_from_those_that_there_are);
    tcase_add_loop_test(cases, keys_without_a_table_are_whole_numbers_bytes_or_text, 0,
                        G_N_ELEMENTS(own));
    tcase_add_test(cases, a_factor_needs_an_own_value);
    tcase_add_test(cases, an_axis_knows_what_it_is);
    Suite *suite = suite_create("axis");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
