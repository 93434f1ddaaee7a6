#include <check.h>

#include "kit/describe/nearest.h"
#include "kit/describe/param.h"
#include "rigs/harness.h"

typedef struct {
    uint64_t ways, latency, capacity, interval, clock, width, delay, refresh, seed;
    double share;
    bool enabled;
    uint32_t policy;
    char *file;
} Example;

static const char *const policies[] = {"lru", "random", "fifo", NULL};
static const Param params[] = {
    PARAM_NUMBER(Example, ways, PARAM_COUNT, "4", 1, 64, "ways"),
    PARAM_NUMBER(Example, latency, PARAM_CYCLES, "30 cycles", 0, 1000, "latency"),
    PARAM_NUMBER(Example, capacity, PARAM_BYTES, "6 MiB", 1024, 64 << 20, "capacity"),
    PARAM_NUMBER(Example, interval, PARAM_TIME, "1.5 us", 0, 1e19, "interval"),
    PARAM_NUMBER(Example, clock, PARAM_FREQUENCY, "1380 MHz", 1e6, 1e10, "clock"),
    PARAM_NUMBER(Example, width, PARAM_BANDWIDTH, "32 B/cycle", 1, 1024, "width"),
    PARAM_REAL(Example, share, "75 %", 0, 1, "share"),
    PARAM_SWITCH(Example, enabled, "yes", "enabled"),
    PARAM_ONE_OF(Example, policy, policies, "lru", "policy"),
    PARAM_STRING(Example, file, "none", "file"),
    PARAM_NUMBER(Example, delay, PARAM_DURATION, "12 cycles", 1, 1000, "delay", .doubling = HALF),
    PARAM_NUMBER(Example, refresh, PARAM_DURATION, "3900 ns", 1, 1e6, "interval", .longest = true),
    PARAM_NUMBER(Example, seed, PARAM_COUNT, "1", 0, 9e15, "seed"),
    PARAM_END,
};

enum {
    WAYS,
    LATENCY,
    CAPACITY,
    INTERVAL,
    CLOCK,
    WIDTH,
    SHARE,
    ENABLED,
    POLICY,
    FILE_NAME,
    DELAY,
    REFRESH,
    SEED
};

START_TEST(defaults_come_from_the_table)
{
    Example example = {0};
    param_set_defaults(params, &example);
    ck_assert_uint_eq(example.ways, 4);
    ck_assert_uint_eq(example.latency, 30);
    ck_assert_uint_eq(example.capacity, 6 << 20);
    ck_assert_uint_eq(example.interval, UINT64_C(1500000000));
    ck_assert_uint_eq(example.clock, UINT64_C(1380000000));
    ck_assert_uint_eq(example.width, 32);
    ck_assert_double_eq(example.share, 0.75);
    ck_assert(example.enabled);
    ck_assert_uint_eq(example.policy, 0);
    ck_assert_str_eq(example.file, "none");
    param_clear(params, &example);
    ck_assert_ptr_null(example.file);
}
END_TEST

START_TEST(a_copy_has_the_same_values_and_a_text_of_its_own)
{
    Example first = {0}, second = {0};
    param_set_defaults(params, &first);
    ck_assert(param_parse(&params[WAYS], "7", &first, NULL));
    ck_assert(param_parse(&params[SHARE], "40 %", &first, NULL));
    ck_assert(param_parse(&params[POLICY], "fifo", &first, NULL));
    ck_assert(param_parse(&params[FILE_NAME], "a.txt", &first, NULL));
    param_copy(params, &second, &first);
    for (const Param *param = params; param->name; param++) {
        g_autofree char *wanted = param_format(param, &first);
        g_autofree char *got = param_format(param, &second);
        ck_assert_str_eq(got, wanted);
    }
    ck_assert_ptr_ne(second.file, first.file);
    param_clear(params, &first);
    param_clear(params, &second);
}
END_TEST

/* What is accepted, and the canonical text that it reads back from. */
static const struct {
    unsigned param;
    const char *text, *canonical;
} accepted[] = {
    {WAYS, "64", "64"},
    {LATENCY, "1 cycles", "1 cycle"},
    {LATENCY, "30cycles", "30 cycles"},
    {CAPACITY, "6MiB", "6 MiB"},
    {CAPACITY, " 1.5 KiB ", "1536 B"},
    {CAPACITY, "128 kB", "125 KiB"},
    {CAPACITY, "6 MB", "6000000 B"},
    {INTERVAL, "0.1 ns", "100 ps"},
    {INTERVAL, "1234567 fs", "1.234567 ns"},
    {INTERVAL, "9999.999999999999999 s", "9999.999999999999999 s"},
    {INTERVAL, "9007199254.740993 ns", "9.007199254740993 s"}, /* 2^53 + 1 fs */
    {CLOCK, "1.2 GHz", "1200 MHz"},
    {CLOCK, "1282500 kHz", "1282.5 MHz"},
    {CLOCK, "2000 MHz", "2 GHz"},
    {WIDTH, "1 KiB/cycle", "1024 B/cycle"},
    {SHARE, "12.5 %", "0.125"},
    {SHARE, "3.6 %", "0.036"}, /* 3.6 / 100 is 0.036000000000000004 */
    {SHARE, "0.1", "0.1"},
    {ENABLED, "OFF", "no"},
    {ENABLED, "1", "yes"},
    {POLICY, "fifo", "fifo"},
    {FILE_NAME, "a b.txt", "a b.txt"},
    {DELAY, "1 cycles", "1 cycle"},
    {DELAY, "13.7 ns", "13.7 ns"},
    {DELAY, "0.0145 us", "14.5 ns"},
};

START_TEST(values_are_exact_and_have_one_canonical_text)
{
    Example example = {0};
    g_autoptr(GError) error = NULL;
    const Param *param = &params[accepted[_i].param];
    ck_assert_msg(param_parse(param, accepted[_i].text, &example, &error), "%s",
                  error ? error->message : "");
    g_autofree char *text = param_format(param, &example);
    ck_assert_str_eq(text, accepted[_i].canonical);
    ck_assert(param_parse(param, text, &example, &error));
    g_autofree char *again = param_format(param, &example);
    ck_assert_str_eq(again, text);
    param_clear(params, &example);
}
END_TEST

static const struct {
    unsigned param;
    const char *text, *message;
} rejected[] = {
    {CAPACITY, "6",
     "6: a unit is missing; bytes are written as 6 B, 6 KiB ..., from 1 KiB to 64 MiB"},
    {LATENCY, "30",
     "30: a unit is missing; cycles are written as 30 cycles, from 0 to 1000 cycles"},
    {DELAY, "14",
     "14: a unit is missing; a duration is written as 14 cycles, 14 ns ..., from 1 to 1000 cycles"},
    {DELAY, "14 nm",
     "14 nm: 'nm' is not a unit, did you mean 'ns'; allowed: cycles or a time from 1 to 1000 cycles"},
    {DELAY, "0 ns", "0 ns: out of range; allowed: cycles or a time from 1 to 1000 cycles"},
    {CLOCK, "1380",
     "1380: a unit is missing; a frequency is written as 1380 MHz, 1380 GHz ..., from 1 MHz to 10 GHz"},
    {WAYS, "65", "65: out of range; allowed: whole number from 1 to 64"},
    {WAYS, "0", "0: out of range; allowed: whole number from 1 to 64"},
    {WAYS, "-4", "-4: out of range; allowed: whole number from 1 to 64"},
    {WAYS, "4 MiB", "4 MiB: takes no unit; allowed: whole number from 1 to 64"},
    {WAYS, "2.5", "2.5: not a whole number of units; allowed: whole number from 1 to 64"},
    {WAYS, "99999999999999999999",
     "99999999999999999999: out of range; allowed: whole number from 1 to 64"},
    {SEED, "9000000000000001",
     "9000000000000001: out of range; allowed: whole number from 0 to 9000000000000000"},
    {WAYS, "", "(nothing): not a number; allowed: whole number from 1 to 64"},
    {CAPACITY, "6 mib",
     "6 mib: 'mib' is not a unit, did you mean 'MiB'; allowed: bytes from 1 KiB to 64 MiB"},
    {CAPACITY, "65 MiB", "65 MiB: out of range; allowed: bytes from 1 KiB to 64 MiB"},
    {INTERVAL, "0.5 fs",
     "0.5 fs: not a whole number of femtoseconds; allowed: time from 0 fs to 10000 s"},
    {SHARE, "nan",
     "nan: not a ratio, which is written as 0.75 or 75 %; allowed: ratio from 0 to 1"},
    {SHARE, "101 %", "101 %: out of range; allowed: ratio from 0 to 1"},
    {ENABLED, "maybe", "maybe: neither yes nor no; allowed: yes or no"},
    {POLICY, "randon",
     "randon: not known, did you mean 'random'; allowed: one of lru, random, fifo"},
};

START_TEST(a_bad_value_is_named_with_its_range)
{
    Example example = {0};
    g_autoptr(GError) error = NULL;
    ck_assert(!param_parse(&params[rejected[_i].param], rejected[_i].text, &example, &error));
    ck_assert_str_eq(error->message, rejected[_i].message);
}
END_TEST

START_TEST(the_nearest_word_is_found_and_a_far_one_is_not)
{
    static const char *const words[] = {"l1", "l2_slice", "capacity", "line_bytes", NULL};
    ck_assert_str_eq(nearest_word("capcity", words), "capacity");
    ck_assert_str_eq(nearest_word("L2-slice", words), "l2_slice");
    ck_assert_str_eq(nearest_word("l2_silce", words), "l2_slice");
    ck_assert_ptr_null(nearest_word("scheduler", words));
    ck_assert_ptr_null(nearest_word("", words));
    ck_assert_str_eq(nearest_word("bytes", words), "line_bytes");
    ck_assert_ptr_null(nearest_word("byte", words));
}
END_TEST

START_TEST(a_name_that_begins_so_is_nearer_than_a_typing_mistake)
{
    static const char *const names[] = {"h100", "h100-latency", "h200", "k10", NULL};
    ck_assert_str_eq(nearest_name("h10", names), "h100");
    ck_assert_str_eq(nearest_name("H100_", names), "h100-latency");
    ck_assert_str_eq(nearest_name("h20", names), "h200");
    ck_assert_str_eq(nearest_name("m10", names), "k10");
    ck_assert_ptr_null(nearest_name("", names));
}
END_TEST

/* --- what-ifs --------------------------------------------------------------------------------- */

static const Param doubled[] = {
    PARAM_NUMBER(Example, ways, PARAM_COUNT, "4", 0, 64, "ways", .doubling = TWICE),
    PARAM_NUMBER(Example, latency, PARAM_CYCLES, "30 cycles", 0, 1000, "", .doubling = HALF),
    PARAM_NUMBER(Example, capacity, PARAM_BYTES, "6 MiB", 1024, 64 << 20, "", .doubling = TWICE),
    PARAM_REAL(Example, share, "75 %", 0, 4, "share", .doubling = HALF),
    PARAM_NUMBER(Example, width, PARAM_BANDWIDTH, "32 B/cycle", 1, 1024, "width"),
};

static const struct {
    unsigned row;
    const char *value, *other; /* NULL: there is none */
} doublings[] = {
    {0, "4", "8"},
    {0, "32", "64"},
    {0, "33", NULL}, /* 66 is out of range */
    {0, "0", NULL},  /* "none", or "without bound" */
    {1, "30 cycles", "15 cycles"},
    {1, "3 cycles", "2 cycles"},
    {1, "1 cycle", NULL}, /* half a cycle */
    {2, "3 MiB", "6 MiB"},
    {3, "1", "0.5"},
    {3, "0", NULL},
    {4, "32 B/cycle", NULL}, /* the row does not say how */
};

START_TEST(a_part_twice_as_large_or_as_fast_has_twice_or_half_the_value)
{
    g_autofree char *other = param_double(&doubled[doublings[_i].row], doublings[_i].value);
    ck_assert_pstr_eq(other, doublings[_i].other);
}
END_TEST

START_TEST(a_choice_has_the_other_ones)
{
    static const char *const names[] = {"lru", "fifo", "random", NULL};
    const Param choice = {.type = PARAM_CHOICE, .choices = names}, flag = {.type = PARAM_BOOL};
    g_auto(GStrv) policies = param_others(&choice, "fifo"), on = param_others(&flag, "no"),
                  none = param_others(&doubled[0], "4");
    g_autofree char *joined = g_strjoinv(" ", policies);
    ck_assert_str_eq(joined, "lru random");
    ck_assert_uint_eq(g_strv_length(on), 1);
    ck_assert_str_eq(on[0], "yes");
    ck_assert_uint_eq(g_strv_length(none), 0);
}
END_TEST

/* JESD79-4: t / tCK + 0.974, cut off; an interval that must not be longer is cut off. */
static const struct {
    unsigned param;
    const char *text;
    uint64_t hertz, cycles;
} settled[] = {
    {DELAY, "14 cycles", 1000000000, 14},   {DELAY, "14 ns", 1000000000, 14},
    {DELAY, "14 ns", 1215000000, 17}, /* 17.01 */
    {DELAY, "14 ns", 877000000, 13},  /* 12.28 */
    {DELAY, "1 ps", 877000000, 1},          {DELAY, "3 ns", 333333333, 1},
    {DELAY, "3 ns", 1000000001, 3},         {REFRESH, "3900 ns", 877000000, 3420}, /* 3420.3 */
    {REFRESH, "3900 ns", 1000000000, 3900},
};

START_TEST(a_time_becomes_cycles_of_its_clock)
{
    Example example = {0};
    const Param *param = &params[settled[_i].param];
    ck_assert(param_parse(param, settled[_i].text, &example, NULL));
    ck_assert(
        param_settle(param, &example, (ParamClock){"machine.dram_clock", settled[_i].hertz}, NULL));
    ck_assert_uint_eq(settled[_i].param == DELAY ? example.delay : example.refresh,
                      settled[_i].cycles);
}
END_TEST

START_TEST(a_time_out_of_range_says_how_many_cycles_it_is)
{
    Example example = {0};
    g_autoptr(GError) error = NULL;
    ck_assert(param_parse(&params[DELAY], "2 us", &example, NULL));
    ck_assert(!param_settle(&params[DELAY], &example, (ParamClock){"machine.dram_clock", 877000000},
                            &error));
    ck_assert_str_eq(
        error->message,
        "2 us: 1754 cycles of 877 MHz (machine.dram_clock), out of range; allowed: cycles "
        "or a time from 1 to 1000 cycles");
}
END_TEST

START_TEST(a_time_is_halved_as_a_time)
{
    g_autofree char *half = param_double(&params[DELAY], "15 ns");
    ck_assert_str_eq(half, "7.5 ns");
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("param");
    tcase_add_test(cases, defaults_come_from_the_table);
    tcase_add_test(cases, a_copy_has_the_same_values_and_a_text_of_its_own);
    tcase_add_loop_test(cases, values_are_exact_and_have_one_canonical_text, 0,
                        G_N_ELEMENTS(accepted));
    tcase_add_loop_test(cases, a_bad_value_is_named_with_its_range, 0, G_N_ELEMENTS(rejected));
    tcase_add_loop_test(cases, a_part_twice_as_large_or_as_fast_has_twice_or_half_the_value, 0,
                        G_N_ELEMENTS(doublings));
    tcase_add_test(cases, a_choice_has_the_other_ones);
    tcase_add_loop_test(cases, a_time_becomes_cycles_of_its_clock, 0, G_N_ELEMENTS(settled));
    tcase_add_test(cases, a_time_out_of_range_says_how_many_cycles_it_is);
    tcase_add_test(cases, a_time_is_halved_as_a_time);
    tcase_add_test(cases, the_nearest_word_is_found_and_a_far_one_is_not);
    tcase_add_test(cases, a_name_that_begins_so_is_nearer_than_a_typing_mistake);
    Suite *suite = suite_create("param");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
