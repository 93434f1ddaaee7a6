#include <check.h>
#include <math.h>
#include <string.h>

#include "rigs/harness.h"
#include "scenarios/program/study/dimensions/where.h"
#include "scenarios/program/study/records/number.h"

static const struct {
    const char *name, *value;
} point[] = {
    {"l2_slice.capacity", "96 KiB"},
    {"machine.partitions", "16"},
    {"l1.ways", "4"},
    {"l1.latency", "28 cycles"},
    {"l1.share", "0.75"},
    {"l1.write_back", "no"},
    {"l1.replacement", "lru"},
    {"machine.clock", "1380 MHz"},
    {"network.hop", "20 ns"},
    {"link.width", "32 B/cycle"},
    {"kernel warm-up.loads", "64"},
    {"link up-*+.bandwidth_scale", "0.5"},
    {"variant", "chase"},
    {"workload.registers", "auto"},
};

static const char *const names[] = {"l2_slice.capacity",
                                    "machine.partitions",
                                    "l1.ways",
                                    "l1.latency",
                                    "l1.share",
                                    "l1.write_back",
                                    "l1.absent",
                                    "l1.replacement",
                                    "machine.clock",
                                    "network.hop",
                                    "link.width",
                                    "kernel warm-up.loads",
                                    "link up-*+.bandwidth_scale",
                                    "variant",
                                    "workload.registers",
                                    NULL};

static const char *look_up(void *user, const char *name)
{
    guint *asked = user;
    if (asked) ++*asked;
    for (unsigned i = 0; i < G_N_ELEMENTS(point); i++)
        if (!strcmp(point[i].name, name)) return point[i].value;
    return NULL;
}

static Where *read_where(const char *text, GError **error)
{
    const Setting setting = {"study", "where", (char *)text, "a.ini", 7};
    return where_new(&setting, names, error);
}

/* Whether the point meets `text`. */
static bool holds(const char *text)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Where) where = read_where(text, &error);
    ck_assert_msg(where, "%s", error ? error->message : text);
    const bool met = where_test(where, look_up, NULL, &error);
    ck_assert_msg(!error, "%s", error ? error->message : "");
    return met;
}

static const char *const met[] = {
    "l2_slice.capacity >= 96 KiB",
    "l2_slice.capacity * machine.partitions = 1.5 MiB",
    "l2_slice.capacity == 98304 B",
    "l1.ways <> 5",
    "l1.ways != 5",
    "l1.ways < 4 or l1.ways > 3 and l1.ways < 5", /* and binds first */
    "not l1.ways > 4",
    "not not l1.ways = 4",
    "1 + 2 * 3 = 7",
    "(1 + 2) * 3 = 9",
    "2 - 3 - 4 = -5",
    "16 / 4 / 2 = 2",
    "--l1.ways = 4",
    "1 / 4 = 0.25", /* not a division of whole numbers */
    "l1.ways between 4 and 8 and l1.ways not between 5 and 8",
    "l1.ways in (2, 4) and l1.ways not in (3, 5)",
    "2 < l1.ways <= 4",
    "l1.share = 75 %",
    "l1.share = 75.000 % and 57 % = 0.57",
    "l1.latency / machine.clock < network.hop + 1 ns", /* 28 / 1.38 GHz = 20.3 ns */
    "l1.latency / machine.clock > network.hop",
    "link.width * 4 cycles = 128 B",
    "link.width = 32 B/cycle",
    "0 + 96 KiB = l2_slice.capacity",
    "machine.clock = 1.38e9 Hz and 500 ps = 0.5 ns",
    "not 5 < l1.ways < 8 and not 2 < l1.ways < 4",
    "1 < 2 < l1.ways <= l1.ways + 0 < 5 and 1 = 1",
    "(2 < l1.ways) = (l1.ways < 8)",
    "(l1.ways > 2) = 'yes'",
    "machine.clock >= 1.38 GHz",
    "l2_slice.capacity > 0",
    "-l1.latency < 0",
    "l1.write_back = no and not l1.write_back",
    "l1.write_back = false",
    "l1.write_back != 'yes'",
    "l1.replacement = \"lru\" and l1.replacement != 'fifo'",
    "l1.replacement in ('fifo', 'lru')",
    "variant = 'chase' OR variant = 'stream; \"'",
    "kernel warm-up.loads * 2 = 128",
    "link up-*+.bandwidth_scale * 2 + 1 = 2",
    "workload.registers = \"auto\"",
    "workload.registers != 32",
    "min(l1.ways, 3, 9) = 3 and max(l1.ways, 3) = 4",
    "abs(l1.ways - 6) = 2",
    "mod(l2_slice.capacity, 32 KiB) = 0",
    "",
};

START_TEST(a_condition_means_what_it_says)
{
    ck_assert_msg(holds(met[_i]), "%s", met[_i]);
}
END_TEST

static const char *const failed[] = {
    "l2_slice.capacity > 96 KiB",
    "l1.ways = 3",
    "l1.ways < 4",
    "l1.ways not in (3, 4)",
    "l1.ways not between 4 and 5",
    "4 < l1.ways < 8",
    "2 < l1.ways < 4",
    "l1.write_back",
    "l1.replacement = 4",
    "l1.ways > 3; l1.ways > 4",
    "l1.ways > 3\n  l1.ways > 4",
    "l1.ways > 4\n  l1.ways > 3",
    "mod(l2_slice.capacity, 64 KiB) = 0",
};

START_TEST(a_point_that_misses_one_condition_is_left_out)
{
    ck_assert_msg(!holds(failed[_i]), "%s", failed[_i]);
}
END_TEST

static const struct {
    const char *text, *message;
} rejected[] = {
    {"l2_slice.capcity > 1 KiB",
     "a.ini:7: study.where: l2_slice.capcity > 1 KiB: there is no parameter l2_slice.capcity; did "
     "you mean 'l2_slice.capacity'?"},
    {"l1.replacement = lru",
     "a.ini:7: study.where: l1.replacement = lru: there is no parameter lru; parameters are "
     "written group.key, and texts in quotes"},
    {"\n  l1.ways > 2\n\n  # a remark; (\n  l1.ways >",
     "a.ini:11: study.where: l1.ways >: it ends too early"},
    {"l1.ways 4", "a.ini:7: study.where: l1.ways 4: near \"4\": syntax error"},
    {"(l1.ways > 4", "a.ini:7: study.where: (l1.ways > 4: it ends too early"},
    {"l1.ways > and", "a.ini:7: study.where: l1.ways > and: near \"and\": syntax error"},
    {"l1.ways between 2", "a.ini:7: study.where: l1.ways between 2: it ends too early"},
    {"l1.ways not 2", "a.ini:7: study.where: l1.ways not 2: near \"2\": syntax error"},
    {"l1.ways in 2", "a.ini:7: study.where: l1.ways in 2: '(' is missing behind 'in'"},
    {"l1.ways in (2, 4", "a.ini:7: study.where: l1.ways in (2, 4: it ends too early"},
    {"l1.ways && l1.ways",
     "a.ini:7: study.where: l1.ways && l1.ways: '&' is no operator; there are and, or, not, in, "
     "between, = != < <= > >=, + - * / and parentheses"},
    {"l2_slice.capacity > 96 kib", "a.ini:7: study.where: l2_slice.capacity > 96 kib: 96 kib: "
                                   "'kib' is not a unit; did you mean 'KiB'?"},
    {"variant = 'chase", "a.ini:7: study.where: variant = 'chase: 'chase: a quote is not closed"},
    {"log(l1.ways) > 2", "a.ini:7: study.where: log(l1.ways) > 2: there is no function log; there "
                         "are min, max, abs, mod"},
    {"mod(l1.ways) > 1", "a.ini:7: study.where: mod(l1.ways) > 1: wrong number of arguments to "
                         "function mod()"},
    {"l1.ways > 1)", "a.ini:7: study.where: l1.ways > 1): ')' closes nothing"},
    {"l1.ways > 1, 2", "a.ini:7: study.where: l1.ways > 1, 2: row value misused"},
};

START_TEST(a_condition_that_cannot_be_read_is_named_with_its_line)
{
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(read_where(rejected[_i].text, &error));
    ck_assert_str_eq(error->message, rejected[_i].message);
}
END_TEST

/* The first four would be truths if numbers were compared without looking at what they are. */
static const struct {
    const char *text, *message;
} senseless[] = {
    {"l2_slice.capacity >= 96",
     "a.ini:7: study.where: l2_slice.capacity >= 96: depends on what bytes are counted in, so "
     "unlike quantities are compared; quantities carry units, as in 96 KiB"},
    {"l1.latency < l2_slice.capacity",
     "a.ini:7: study.where: l1.latency < l2_slice.capacity: depends on what bytes are counted in, "
     "so unlike quantities are compared; quantities carry units, as in 96 KiB"},
    {"link.width * machine.clock > network.hop",
     "a.ini:7: study.where: link.width * machine.clock > network.hop: depends on what seconds are "
     "counted in, so unlike quantities are compared; quantities carry units, as in 96 KiB"},
    {"min(l1.ways, 1 KiB) > 1",
     "a.ini:7: study.where: min(l1.ways, 1 KiB) > 1: depends on what bytes are counted in, so "
     "unlike quantities are compared; quantities carry units, as in 96 KiB"},
    {"l1.ways", "a.ini:7: study.where: l1.ways: neither true nor false; a condition compares, as "
                "in l2_slice.ways > 2"},
    {"l1.ways / (l1.ways - 4) > 1",
     "a.ini:7: study.where: l1.ways / (l1.ways - 4) > 1: division by 0"},
    {"mod(l1.ways, 0) > 1", "a.ini:7: study.where: mod(l1.ways, 0) > 1: division by 0"},
    {"variant = 'chase'\n l1.absent > 2",
     "a.ini:8: study.where: l1.absent > 2: a point has no parameter l1.absent"},
};

START_TEST(what_cannot_be_compared_is_an_error_and_no_answer)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Where) where = read_where(senseless[_i].text, &error);
    ck_assert_msg(where, "%s", error ? error->message : "");
    ck_assert(!where_test(where, look_up, NULL, &error));
    ck_assert_ptr_nonnull(error);
    ck_assert_str_eq(error->message, senseless[_i].message);
}
END_TEST

START_TEST(what_does_not_matter_any_more_is_not_looked_at)
{
    ck_assert(holds("variant = 'chase' or l1.absent > 2"));
    ck_assert(!holds("variant = 'stream' and l1.absent > 2"));
}
END_TEST

START_TEST(conditions_of_the_command_line_say_so)
{
    g_autoptr(GError) error = NULL;
    const Setting setting = {"study", "where", (char *)"l1.ways >", NULL, 0};
    ck_assert_ptr_null(where_new(&setting, names, &error));
    ck_assert_str_eq(error->message, "--set: study.where: l1.ways >: it ends too early");
}
END_TEST

START_TEST(a_condition_of_any_depth_or_length_is_answered)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *open = g_strnfill(2000, '('), *close = g_strnfill(2000, ')');
    g_autofree char *deep = g_strconcat(open, "1", close, NULL);
    g_autoptr(GString) lengthy = g_string_new("1");
    for (guint i = 0; i < 100000; i++) g_string_append(lengthy, " + 1");
    ck_assert_ptr_null(read_where(deep, &error));
    g_clear_error(&error);
    ck_assert_ptr_null(read_where(lengthy->str, &error));
    ck_assert_ptr_nonnull(strstr(error->message, "more than 10000 characters"));
}
END_TEST

/* --- numbers ---------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    double number;
    const char *unit;
} numbers[] = {
    {"64", 64, ""},
    {"-1.5", -1.5, ""},
    {"75 %", 0.75, ""},
    {"96 KiB", 98304, "B"},
    {"1 TiB", 0x1p40, "B"},
    {"2 MB", 2e6, "B"},
    {"2 GiB", 0x1p31, "B"},
    {"1282.5 MHz", 1.2825e9, "Hz"},
    {"2 GHz", 2e9, "Hz"},
    {"1.5 us", 1500, "ns"},
    {"500 ps", 0.5, "ns"},
    {"1 cycle", 1, "cycles"},
    {"30 cycles", 30, "cycles"},
    {"32 B/cycle", 32, "B/cycle"},
    {"1 KiB/cycle", 1024, "B/cycle"},
};

START_TEST(a_canonical_value_is_a_number_of_its_unit)
{
    double number;
    const char *unit;
    ck_assert(number_read(numbers[_i].text, &number, &unit));
    ck_assert(fabs(number - numbers[_i].number) <= 1e-12 * fabs(number));
    ck_assert_str_eq(unit, numbers[_i].unit);
}
END_TEST

START_TEST(other_text_is_no_number)
{
    double number;
    static const char *const texts[] = {"", "lru", "4x", "auto", "inf", "nan", "4 KiB extra", NULL};
    for (const char *const *text = texts; *text; text++)
        ck_assert_msg(!number_read(*text, &number, NULL), "%s", *text);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("where");
    tcase_add_loop_test(cases, a_condition_means_what_it_says, 0, G_N_ELEMENTS(met));
    tcase_add_loop_test(cases, a_point_that_misses_one_condition_is_left_out, 0,
                        G_N_ELEMENTS(failed));
    tcase_add_loop_test(cases, a_condition_that_cannot_be_read_is_named_with_its_line, 0,
                        G_N_ELEMENTS(rejected));
    tcase_add_loop_test(cases, what_cannot_be_compared_is_an_error_and_no_answer, 0,
                        G_N_ELEMENTS(senseless));
    tcase_add_test(cases, what_does_not_matter_any_more_is_not_looked_at);
    tcase_add_test(cases, conditions_of_the_command_line_say_so);
    tcase_add_test(cases, a_condition_of_any_depth_or_length_is_answered);
    tcase_add_loop_test(cases, a_canonical_value_is_a_number_of_its_unit, 0, G_N_ELEMENTS(numbers));
    tcase_add_test(cases, other_text_is_no_number);
    Suite *suite = suite_create("where");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
