#include <check.h>
#include <string.h>

#include "rigs/harness.h"
#include "scenarios/program/study/dimensions/sample.h"

static const char *const policies[] = {"lru", "random", "fifo", NULL};
static const Param ways = {.type = PARAM_COUNT, .minimum = 1, .maximum = 100000},
                   latency = {.type = PARAM_CYCLES, .minimum = 0, .maximum = 1e9},
                   delay = {.type = PARAM_DURATION, .minimum = 0, .maximum = 1e9},
                   policy = {.type = PARAM_CHOICE, .choices = policies};

typedef struct {
    const char *key;
    const Param *param;
    const char *baseline, *values;
} Line;

enum { LINES_MAX = 4 };

/* Of Axis: the lines up to one without a key; they begin in line 11. */
static GPtrArray *read_axes(const Line *lines)
{
    GPtrArray *axes = g_ptr_array_new_with_free_func((GDestroyNotify)axis_free);
    for (int i = 0; i < LINES_MAX && lines[i].key; i++) {
        g_autoptr(GError) error = NULL;
        const Setting setting = {"study", (char *)lines[i].key, (char *)lines[i].values, "a.ini",
                                 11 + i};
        const AxisSource source = {&setting, lines[i].param, lines[i].baseline, NULL};
        Axis *axis = axis_new(&source, &error);
        ck_assert_msg(axis, "%s", error ? error->message : "");
        g_ptr_array_add(axes, axis);
    }
    return axes;
}

static GPtrArray *plan(const StudySettings *settings, const Line *lines, GError **error)
{
    g_autoptr(GPtrArray) axes = read_axes(lines);
    return design_rows(settings, axes, "a.ini:9: ", error);
}

static GPtrArray *plan_well(const StudySettings *settings, const Line *lines)
{
    g_autoptr(GError) error = NULL;
    GPtrArray *rows = plan(settings, lines, &error);
    ck_assert_msg(rows, "%s", error ? error->message : "");
    return rows;
}

/* "4 lru baseline": its values and its role. */
static char *text_of(const DesignRow *row)
{
    g_autofree char *values = g_strjoinv(" ", row->values);
    return g_strchomp(g_strconcat(values, " ", row->role, NULL));
}

/* `expected` ends with NULL. */
static void check_rows(const GPtrArray *rows, const char *const *expected)
{
    for (guint i = 0; i < rows->len; i++) {
        g_autofree char *text = text_of(rows->pdata[i]);
        ck_assert_msg(expected[i], "there is also %s", text);
        ck_assert_str_eq(text, expected[i]);
    }
    ck_assert_ptr_null(expected[rows->len]);
}

static const Line two[LINES_MAX] = {{"l1.ways", &ways, "4", "2, 4, 8"},
                                    {"l1.policy", &policy, "lru", "lru, fifo"}};

START_TEST(a_grid_has_all_combinations_the_last_one_fastest)
{
    static const char *const expected[] = {"2 lru", "2 fifo", "4 lru", "4 fifo",
                                           "8 lru", "8 fifo", NULL};
    g_autoptr(GPtrArray) rows = plan_well(&(StudySettings){.design = DESIGN_GRID}, two);
    check_rows(rows, expected);
}
END_TEST

START_TEST(a_grid_of_nothing_is_the_scenario_itself)
{
    const Line none[LINES_MAX] = {{0}};
    g_autoptr(GPtrArray) rows = plan_well(&(StudySettings){.design = DESIGN_GRID}, none);
    check_rows(rows, (const char *const[]){"", NULL});
}
END_TEST

START_TEST(a_zip_takes_values_side_by_side)
{
    static const char *const expected[] = {"2 10 cycles", "4 15 cycles", "8 20 cycles", NULL};
    const Line lines[LINES_MAX] = {
        {"l1.ways", &ways, "4", "2, 4, 8"},
        {"l1.latency", &latency, "30 cycles", "10 cycles .. 20 cycles in 3"}};
    g_autoptr(GPtrArray) rows = plan_well(&(StudySettings){.design = DESIGN_ZIP}, lines);
    check_rows(rows, expected);
}
END_TEST

START_TEST(one_at_a_time_has_the_baseline_and_each_other_value_alone)
{
    static const char *const expected[] = {"4 lru baseline", "2 lru l1.ways", "8 lru l1.ways",
                                           "4 fifo l1.policy", NULL};
    g_autoptr(GPtrArray) rows = plan_well(&(StudySettings){.design = DESIGN_ONE_AT_A_TIME}, two);
    check_rows(rows, expected);
}
END_TEST

/* --- drawn ------------------------------------------------------------------------------------ */

enum { POINTS = 101, AXES = 3 };

START_TEST(each_stratum_of_a_latin_hypercube_has_one_point)
{
    g_autofree double *shares = latin_hypercube_shares((guint64)_i, POINTS, AXES);
    guint together = 0;
    for (guint axis = 0; axis < AXES; axis++) {
        bool seen[POINTS] = {false};
        for (guint i = 0; i < POINTS; i++) {
            const double *point = &shares[i * AXES];
            ck_assert(point[axis] >= 0 && point[axis] < 1);
            const guint stratum = (guint)(point[axis] * POINTS);
            ck_assert(!seen[stratum]);
            seen[stratum] = true;
            together += axis && stratum == (guint)(point[axis - 1] * POINTS);
        }
    }
    ck_assert_uint_le(together,
                      10); /* two on average: the orders have nothing to do with each other */
}
END_TEST

/* 90 points fall on three values, a third on each. */
START_TEST(a_list_has_equal_parts_of_a_latin_hypercube)
{
    const Line lines[LINES_MAX] = {{"l1.policy", &policy, "lru", "lru, random, fifo"}};
    const StudySettings settings = {.design = DESIGN_LATIN_HYPERCUBE, .samples = 90, .seed = 1};
    g_autoptr(GPtrArray) rows = plan_well(&settings, lines);
    guint count[3] = {0};
    for (guint i = 0; i < rows->len; i++)
        for (guint k = 0; k < 3; k++)
            count[k] += !strcmp(((const DesignRow *)rows->pdata[i])->values[0], policies[k]);
    ck_assert_uint_eq(rows->len, 90);
    for (guint k = 0; k < 3; k++) ck_assert_uint_eq(count[k], 30);
}
END_TEST

/* What an axis draws depends on its place, not on those behind it. */
START_TEST(another_parameter_leaves_what_the_first_ones_draw)
{
    g_autofree double *few = latin_hypercube_shares(5, POINTS, AXES);
    g_autofree double *more = latin_hypercube_shares(5, POINTS, AXES + 1);
    g_autofree double *other = latin_hypercube_shares(6, POINTS, AXES);
    guint same = 0;
    for (guint i = 0; i < POINTS * AXES; i++) {
        ck_assert(few[i] == more[i / AXES * (AXES + 1) + i % AXES]);
        same += few[i] == other[i];
    }
    ck_assert_uint_eq(same, 0);
}
END_TEST

/* The expected rows were computed apart from the program, from the definition of splitmix64. */
START_TEST(the_seed_says_what_is_drawn)
{
    static const char *const expected[] = {"91 569 cycles fifo", "712 37 cycles lru",
                                           "457 144 cycles random", "822 14 cycles random", NULL};
    const Line lines[LINES_MAX] = {
        {"l1.ways", &ways, "4", "1 .. 1000"},
        {"l1.latency", &latency, "4 cycles", "10 cycles .. 1000 cycles log"},
        {"l1.policy", &policy, "lru", "lru, random, fifo"}};
    StudySettings settings = {.design = DESIGN_LATIN_HYPERCUBE, .samples = 4, .seed = 1};
    g_autoptr(GPtrArray) rows = plan_well(&settings, lines);
    check_rows(rows, expected);
}
END_TEST

START_TEST(the_seed_says_where_trajectories_lead)
{
    static const char *const expected[] = {"40 10 cycles fifo trajectory 1 step 0",
                                           "20 10 cycles fifo trajectory 1 step 1",
                                           "20 10 cycles random trajectory 1 step 2",
                                           "20 1000 cycles random trajectory 1 step 3",
                                           "10 100 cycles lru trajectory 2 step 0",
                                           "30 100 cycles lru trajectory 2 step 1",
                                           "30 1 cycle lru trajectory 2 step 2",
                                           "30 1 cycle fifo trajectory 2 step 3",
                                           NULL};
    const Line lines[LINES_MAX] = {
        {"l1.ways", &ways, "4", "10 .. 40"},
        {"l1.latency", &latency, "4 cycles", "1 cycle .. 1000 cycles log"},
        {"l1.policy", &policy, "lru", "lru, random, fifo"}};
    StudySettings settings = {.design = DESIGN_MORRIS, .trajectories = 2, .levels = 4, .seed = 1};
    g_autoptr(GPtrArray) rows = plan_well(&settings, lines);
    check_rows(rows, expected);
}
END_TEST

/* Four levels of 0 .. 3000: 0, 1000, 2000, 3000; a step of 4 / (2 x 3) of it is 2000. */
START_TEST(a_step_of_morris_changes_one_parameter_by_delta)
{
    enum { TRAJECTORIES = 200 };
    const char *const range = "0 cycles .. 3000 cycles";
    const Line lines[LINES_MAX] = {{"a.a", &latency, "0 cycles", range},
                                   {"a.b", &latency, "0 cycles", range},
                                   {"a.c", &latency, "0 cycles", range}};
    const StudySettings settings = {
        .design = DESIGN_MORRIS, .trajectories = TRAJECTORIES, .levels = 4, .seed = 7};
    g_autoptr(GPtrArray) rows = plan_well(&settings, lines);
    ck_assert_uint_eq(rows->len, TRAJECTORIES * (AXES + 1));
    guint starts[4] = {0}, firsts[AXES] = {0};
    for (guint i = 0; i < rows->len; i++) {
        const DesignRow *row = rows->pdata[i], *before = i ? rows->pdata[i - 1] : NULL;
        const guint step = i % (AXES + 1);
        guint changed = 0;
        g_autofree char *role = g_strdup_printf("trajectory %u step %u", i / (AXES + 1) + 1, step);
        ck_assert_str_eq(row->role, role);
        for (guint axis = 0; axis < AXES; axis++) {
            const gint64 value = g_ascii_strtoll(row->values[axis], NULL, 10);
            ck_assert_int_eq(value % 1000, 0);
            if (step == 0) starts[value / 1000]++;
            const gint64 old = step ? g_ascii_strtoll(before->values[axis], NULL, 10) : value;
            if (value == old) continue;
            ck_assert_int_eq(ABS(value - old), 2000);
            if (step == 1) firsts[axis]++;
            changed++;
        }
        ck_assert_uint_eq(changed, step ? 1 : 0);
    }
    for (guint level = 0; level < 4; level++) ck_assert_uint_ge(starts[level], 100); /* of 600 */
    for (guint axis = 0; axis < AXES; axis++) ck_assert_uint_ge(firsts[axis], 40);   /* of 200 */
}
END_TEST

/* Every parameter is moved once a trajectory, and never back. */
START_TEST(a_trajectory_moves_each_parameter_once)
{
    const StudySettings settings = {
        .design = DESIGN_MORRIS, .trajectories = 50, .levels = 6, .seed = (uint64_t)_i};
    g_autoptr(GPtrArray) rows = plan_well(&settings, two);
    for (guint i = 0; i < rows->len; i += 3) {
        const DesignRow *first = rows->pdata[i], *last = rows->pdata[i + 2];
        ck_assert_str_ne(first->values[0], last->values[0]);
        ck_assert_str_ne(first->values[1], last->values[1]);
    }
}
END_TEST

/* --- errors ----------------------------------------------------------------------------------- */

static const struct {
    StudySettings settings;
    Line lines[LINES_MAX];
    const char *message;
} rejected[] = {
    {{.design = DESIGN_ZIP},
     {{"l1.ways", &ways, "4", "1, 2"}, {"l1.policy", &policy, "lru", "lru, fifo, random"}},
     "a.ini:9: study.design = zip: values are taken side by side, but l1.ways has 2 and l1.policy "
     "has 3 of them"},
    {{.design = DESIGN_GRID},
     {{"l1.ways", &ways, "4", "1 .. 2000 step 1"}, {"l2.ways", &ways, "4", "1 .. 1000 step 1"}},
     "a.ini:9: study.design = grid: 2000000 points; at most 1000000"},
    {{.design = DESIGN_GRID},
     {{"l1.ways", &ways, "4", "1 .. 100000 step 1"},
      {"l2.ways", &ways, "4", "1 .. 100000 step 1"},
      {"l3.ways", &ways, "4", "1 .. 100000 step 1"},
      {"l4.ways", &ways, "4", "1 .. 100000 step 1"}},
     "a.ini:9: study.design = grid: more than 10^19 points; at most 1000000"},
    {{.design = DESIGN_MORRIS, .trajectories = 250000, .levels = 4},
     {{"l1.ways", &ways, "4", "1 .. 2000"},
      {"l2.ways", &ways, "4", "1 .. 1000"},
      {"l3.ways", &ways, "4", "1 .. 1000"},
      {"l4.ways", &ways, "4", "1 .. 1000"}},
     "a.ini:9: study.design = morris: 1250000 points; at most 1000000"},
    {{.design = DESIGN_GRID},
     {{"l1.ways", &ways, "4", "1, 2"}, {"l2.ways", &ways, "4", "1 .. 8"}},
     "a.ini:12: study.l2.ways = 1 .. 8: a range without number of values, which design = grid cannot use; "
     "say how it is divided: step S, in N, log N or times F"},
    {{.design = DESIGN_ONE_AT_A_TIME},
     {{"l1.ways", &ways, NULL, "1, 2"}},
     "a.ini:11: study.l1.ways = 1, 2: the scenario has no own value, which design = one_at_a_time "
     "starts from"},
    {{.design = DESIGN_ONE_AT_A_TIME},
     {{"dram.CL", &delay, "13.68 ns", "11 cycles, 13 cycles"}},
     "a.ini:11: study.dram.CL = 11 cycles, 13 cycles: the scenario's own value is 13.68 ns, beside "
     "which design = one_at_a_time puts them, and cycles have no place among times; write all of "
     "them alike"},
    {{.design = DESIGN_MORRIS, .trajectories = 1, .levels = 5},
     {{"l1.ways", &ways, "4", "1 .. 10"}},
     "a.ini:9: study.design = morris: levels = 5: not an even number"},
    {{.design = DESIGN_MORRIS, .trajectories = 1, .levels = 4},
     {{"l1.ways", &ways, "4", "8"}},
     "a.ini:11: study.l1.ways = 8: design = morris needs two values to step between"},
    /* 1 and 2^0.67 = 1.6 or 2^0.33 = 1.3 and 2; 1.3 is 1 */
    {{.design = DESIGN_MORRIS, .trajectories = 100, .levels = 50},
     {{"l1.ways", &ways, "4", "1 .. 2 log"}},
     "a.ini:9: study.design = morris: trajectory 4 step 1 changes nothing, because a parameter has the same value, rounded, on both levels; it needs a wider range, or fewer levels"},
    {{.design = DESIGN_LATIN_HYPERCUBE, .samples = 10},
     {{0}},
     "a.ini:9: study.design = latin_hypercube: nothing varies; a study names parameters with "
     "their values"},
};

START_TEST(a_design_that_cannot_be_made_says_why)
{
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(plan(&rejected[_i].settings, rejected[_i].lines, &error));
    ck_assert_str_eq(error->message, rejected[_i].message);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("design");
    tcase_add_test(cases, a_grid_has_all_combinations_the_last_one_fastest);
    tcase_add_test(cases, a_grid_of_nothing_is_the_scenario_itself);
    tcase_add_test(cases, a_zip_takes_values_side_by_side);
    tcase_add_test(cases, one_at_a_time_has_the_baseline_and_each_other_value_alone);
    tcase_add_loop_test(cases, each_stratum_of_a_latin_hypercube_has_one_point, 0, 5);
    tcase_add_test(cases, a_list_has_equal_parts_of_a_latin_hypercube);
    tcase_add_test(cases, another_parameter_leaves_what_the_first_ones_draw);
    tcase_add_test(cases, the_seed_says_what_is_drawn);
    tcase_add_test(cases, the_seed_says_where_trajectories_lead);
    tcase_add_test(cases, a_step_of_morris_changes_one_parameter_by_delta);
    tcase_add_loop_test(cases, a_trajectory_moves_each_parameter_once, 0, 5);
    tcase_add_loop_test(cases, a_design_that_cannot_be_made_says_why, 0, G_N_ELEMENTS(rejected));
    Suite *suite = suite_create("design");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
