/* The effects of a study's dimensions, on functions whose effects are known. */
#include "program/study/rows.h"
#include "rigs/harness.h"
#include "scenarios/program/study/answers/effects.h"

static const char *const three[] = {"a=2", "b=10", "c=5", NULL};

enum { A, B, C };

static Effects *effects_of(const StudyData *data)
{
    g_auto(StudySlice) slice = study_slice(data, -1, 0);
    return effects_new(&slice, 0);
}

#define ASSERT_NEAR(a, b) ck_assert_double_eq_tol(a, b, 1e-9)

START_TEST(a_study_is_read_with_its_levels_in_order)
{
    g_auto(StudyRows) rows = study_rows("grid", (const char *const[]){"a=2", "name=x", NULL});
    rows_done(&rows, (RowPoint){.values = "10 y", .replication = 0}, 4, NAN);
    rows_done(&rows, (RowPoint){.values = "10 y", .replication = 1}, 6, NAN);
    rows_done(&rows, (RowPoint){.values = "9 x", .replication = 0}, 1, NAN);
    rows_add(&rows, &(RowPoint){.values = "9 x", .replication = 1, .status = "failed"});
    rows_add(&rows, &(RowPoint){.values = "11 x", .status = "missing"});
    g_autoptr(StudyData) data = rows_read(&rows);
    ck_assert_uint_eq(data->points, 5);
    ck_assert_uint_eq(data->done, 3);
    ck_assert_uint_eq(data->failed, 1);
    ck_assert_uint_eq(data->missing, 1);
    const Factor *a = study_factor(data, 0), *name = study_factor(data, 1);
    ck_assert(a->numeric && !name->numeric);
    ck_assert_str_eq(factor_level(a, 0)->text, "9");
    ck_assert_str_eq(factor_level(a, 2)->text, "11");
    ck_assert_str_eq(factor_level(name, 0)->text, "y");
    ck_assert_uint_eq(data->measures->len, 2);
    ck_assert(study_measure(data, 0)->known && !study_measure(data, 1)->known);
    ck_assert_uint_eq(data->samples->len, 2);
    const Sample *sample = data->samples->pdata[0];
    ck_assert_uint_eq(sample->runs, 2);
    ASSERT_NEAR(sample->mean[0], 5);
    ASSERT_NEAR(sample->low[0], 4);
    ASSERT_NEAR(sample->high[0], 6);
}
END_TEST

/* time = 100 + 3 a - 5 b + 0 c around a = 2, b = 10, c = 5: 56. A bowl over c is seen as well:
 * (c - 5)^2. */
static double plane(double a, double b, double c)
{
    return 100 + 3 * a - 5 * b + (c - 5) * (c - 5);
}

static void add_plane(StudyRows *rows, const char *values, const char *role)
{
    double a, b, c;
    ck_assert_int_eq(sscanf(values, "%lf %lf %lf", &a, &b, &c), 3);
    rows_done(rows, (RowPoint){.values = values, .role = role}, plane(a, b, c), NAN);
}

START_TEST(one_at_a_time_the_ends_are_compared_with_the_baseline_run)
{
    g_auto(StudyRows) rows = study_rows("one_at_a_time", three);
    add_plane(&rows, "2 10 5", "baseline");
    add_plane(&rows, "1 10 5", "");
    add_plane(&rows, "6 10 5", "");
    add_plane(&rows, "2 12 5", "");
    add_plane(&rows, "2 10 1", "");
    add_plane(&rows, "2 10 9", "");
    g_autoptr(StudyData) data = rows_read(&rows);
    g_autofree Effects *effects = effects_of(data);
    ck_assert_int_eq(effects->method, METHOD_ONE_AT_A_TIME);
    ASSERT_NEAR(effects->centre, 56);
    const Effect *effect = effects->effects;
    ASSERT_NEAR(effect[A].low, 53); /* 1: 56 - 3 */
    ASSERT_NEAR(effect[A].high, 68);
    ASSERT_NEAR(effect[A].swing, 15);
    /* b has no lower value than the baseline's 10 */
    ASSERT_NEAR(effect[B].low, 56);
    ASSERT_NEAR(effect[B].high, 46);
    ASSERT_NEAR(effect[B].swing, -10);
    ASSERT_NEAR(effect[B].strength, 10);
    /* both ends of c are 16 above the middle: no swing, but an effect */
    ASSERT_NEAR(effect[C].swing, 0);
    ASSERT_NEAR(effect[C].strength, 16);
    ck_assert(!effect[A].noise);
    g_autoptr(GArray) ranking = effects_ranking(effects);
    ck_assert_uint_eq(g_array_index(ranking, guint, 0), C);
    ck_assert_uint_eq(g_array_index(ranking, guint, 1), A);
    ck_assert_uint_eq(g_array_index(ranking, guint, 2), B);
}
END_TEST

START_TEST(one_at_a_time_a_run_that_differs_twice_is_not_a_neighbour)
{
    g_auto(StudyRows) rows = study_rows("one_at_a_time", three);
    add_plane(&rows, "2 10 5", "");
    add_plane(&rows, "1 11 5", "");
    g_autoptr(StudyData) data = rows_read(&rows);
    g_autofree Effects *effects = effects_of(data);
    ASSERT_NEAR(effects->centre, 56); /* the baseline, by its values */
    ck_assert(!effects->effects[A].judged);
    ck_assert(!effects->effects[B].judged);
}
END_TEST

/* Another preset has an own b. */
START_TEST(one_at_a_time_a_preset_counts_with_its_own_values)
{
    static const char *const names[] = {"preset=x", "b=10", NULL};
    g_auto(StudyRows) rows = study_rows("one_at_a_time", names);
    rows_done(&rows, (RowPoint){.values = "x 10", .role = "baseline"}, 56, NAN);
    rows_done(&rows, (RowPoint){.values = "y 30", .role = "preset"}, 100, NAN);
    rows_done(&rows, (RowPoint){.values = "x 20", .role = "b"}, 66, NAN);
    g_autoptr(StudyData) data = rows_read(&rows);
    g_autofree Effects *effects = effects_of(data);
    ck_assert(effects->effects[0].judged);
    ASSERT_NEAR(effects->effects[0].strength, 44);
    ck_assert_uint_eq(effects->effects[1].count, 2);
    ASSERT_NEAR(effects->effects[1].swing, 10);
}
END_TEST

/* time = a * b over a = 1, 2 and b = 10, 20, 60: means of a 30 and 60, of b 15, 30 and 90, of all
 * 45. */
START_TEST(main_effects_are_means_over_the_other_dimensions)
{
    g_auto(StudyRows) rows = study_rows("grid", (const char *const[]){"a=1", "b=10", NULL});
    rows_done(&rows, (RowPoint){.values = "1 10"}, 10, NAN);
    rows_done(&rows, (RowPoint){.values = "1 20"}, 20, NAN);
    rows_done(&rows, (RowPoint){.values = "1 60"}, 60, NAN);
    rows_done(&rows, (RowPoint){.values = "2 10"}, 20, NAN);
    rows_done(&rows, (RowPoint){.values = "2 20"}, 40, NAN);
    rows_done(&rows, (RowPoint){.values = "2 60"}, 120, NAN);
    g_autoptr(StudyData) data = rows_read(&rows);
    g_autofree Effects *effects = effects_of(data);
    ck_assert_int_eq(effects->method, METHOD_MAIN_EFFECTS);
    ASSERT_NEAR(effects->centre, 45);
    ASSERT_NEAR(effects->effects[A].low, 30);
    ASSERT_NEAR(effects->effects[A].high, 60);
    ASSERT_NEAR(effects->effects[B].swing, 75);
    ck_assert_uint_eq(effects->effects[B].count, 3);
}
END_TEST

/* b gains 2 and 1 wherever two points differ in it alone, but a = 1, which is slow, only has the
 * greatest b: its mean is 42, that of the least 13. a is judged by the pair of b = 30: -65; the
 * mean of the four points, 110 / 4, stays. c has one value. */
START_TEST(of_a_grid_with_holes_points_are_matched)
{
    g_auto(StudyRows) rows = study_rows("grid", (const char *const[]){"a=1", "b=10", "c=1", NULL});
    rows_done(&rows, (RowPoint){.values = "1 30 1"}, 75, NAN);
    rows_done(&rows, (RowPoint){.values = "2 10 1"}, 13, NAN);
    rows_done(&rows, (RowPoint){.values = "2 20 1"}, 11, NAN);
    rows_done(&rows, (RowPoint){.values = "2 30 1"}, 10, NAN);
    g_autoptr(StudyData) data = rows_read(&rows);
    g_autofree Effects *effects = effects_of(data);
    ASSERT_NEAR(effects->centre, 27.25);
    ASSERT_NEAR(effects->effects[A].swing, -65);
    ASSERT_NEAR(effects->effects[A].low, 27.25 + 65 * 3 / 4.0);
    ASSERT_NEAR(effects->effects[B].swing, -3);
    ck_assert_uint_eq(effects->effects[B].count, 3);
    g_autofree char *holes = effects_holes(data);
    ck_assert(g_str_has_prefix(holes, "4 of the grid's 6 points are there: "));
}
END_TEST

/* a = 3 and 4 are never there with a b that others have: nothing tells the two sets apart. */
START_TEST(values_without_a_pair_are_not_compared)
{
    g_auto(StudyRows) rows = study_rows("grid", (const char *const[]){"a=1", "b=10", NULL});
    rows_done(&rows, (RowPoint){.values = "3 40"}, 900, NAN);
    rows_done(&rows, (RowPoint){.values = "1 10"}, 20, NAN);
    rows_done(&rows, (RowPoint){.values = "2 10"}, 10, NAN);
    rows_done(&rows, (RowPoint){.values = "4 40"}, 800, NAN);
    rows_done(&rows, (RowPoint){.values = "2 20"}, 12, NAN);
    g_autoptr(StudyData) data = rows_read(&rows);
    g_autofree Effects *effects = effects_of(data);
    ck_assert_uint_eq(effects->effects[A].count, 2);
    ck_assert_uint_eq(effects->effects[A].high_level, 1);
    ASSERT_NEAR(effects->effects[A].swing, -10);
    ASSERT_NEAR(effects->effects[B].swing, 2);
}
END_TEST

START_TEST(dimensions_without_any_pair_are_not_judged)
{
    g_auto(StudyRows) rows = study_rows("grid", (const char *const[]){"a=1", "b=10", NULL});
    rows_done(&rows, (RowPoint){.values = "1 20"}, 5, NAN);
    rows_done(&rows, (RowPoint){.values = "2 10"}, 6, NAN);
    g_autoptr(StudyData) data = rows_read(&rows);
    g_autofree Effects *effects = effects_of(data);
    ck_assert(!effects->effects[A].judged && !effects->effects[B].judged);
}
END_TEST

START_TEST(a_slice_has_the_points_of_one_value)
{
    g_auto(StudyRows) rows = study_rows("grid", (const char *const[]){"variant=x", "a=1", NULL});
    rows_done(&rows, (RowPoint){.values = "x 1"}, 10, NAN);
    rows_done(&rows, (RowPoint){.values = "x 2"}, 14, NAN);
    rows_done(&rows, (RowPoint){.values = "y 1"}, 100, NAN);
    rows_done(&rows, (RowPoint){.values = "y 2"}, 90, NAN);
    g_autoptr(StudyData) data = rows_read(&rows);
    g_auto(StudySlice) slice = study_slice(data, 0, 1);
    g_autofree Effects *effects = effects_new(&slice, 0);
    ASSERT_NEAR(effects->centre, 95);
    ASSERT_NEAR(effects->effects[1].swing, -10);
    ck_assert(!effects->effects[0].judged);
    /* names have no order: from the least to the greatest mean */
    g_autofree Effects *all = effects_of(data);
    ASSERT_NEAR(all->effects[0].low, 12);
    ASSERT_NEAR(all->effects[0].swing, 83);
}
END_TEST

START_TEST(less_than_replications_differ_by_is_noise)
{
    g_auto(StudyRows) rows = study_rows("grid", (const char *const[]){"a=1", "b=1", NULL});
    const double times[2][2] = {{100, 150}, {103, 153}};
    for (guint a = 0; a < 2; a++)
        for (guint b = 0; b < 2; b++)
            for (guint i = 0; i < 2; i++) {
                g_autofree char *values = g_strdup_printf("%u %u", a, b);
                rows_done(&rows, (RowPoint){.values = values, .replication = i},
                          times[a][b] + 4 * i, NAN);
            }
    g_autoptr(StudyData) data = rows_read(&rows);
    g_autofree Effects *effects = effects_of(data);
    ASSERT_NEAR(effects->spread, 4);
    ASSERT_NEAR(effects->effects[A].strength, 3);
    ck_assert(effects->effects[A].noise);
    ASSERT_NEAR(effects->effects[B].strength, 50);
    ck_assert(!effects->effects[B].noise);
}
END_TEST

/* time = 6 a + b b over levels 0, 1, 2, 3 in steps of 2 levels. Two trajectories:
 *   (0,0) -> (2,0) +12 -> (2,2) +4        (3,3) -> (3,1) -8 for a fall, +8 upwards -> (1,1) +12
 * a: +12, +12: mu* 12, sigma 0, linear. b: +4, +8: mu* 6, sigma sqrt(8) = 2.83. c never moves. */
START_TEST(elementary_effects_are_those_of_morris)
{
    g_auto(StudyRows) rows = study_rows("morris", three);
    rows_done(&rows, (RowPoint){.values = "0 0 1", .role = "trajectory 1 step 0"}, 0, NAN);
    rows_done(&rows, (RowPoint){.values = "2 0 1", .role = "trajectory 1 step 1"}, 12, NAN);
    rows_done(&rows, (RowPoint){.values = "2 2 1", .role = "trajectory 1 step 2"}, 16, NAN);
    rows_done(&rows, (RowPoint){.values = "3 3 1", .role = "trajectory 2 step 0"}, 27, NAN);
    rows_done(&rows, (RowPoint){.values = "3 1 1", .role = "trajectory 2 step 1"}, 19, NAN);
    rows_done(&rows, (RowPoint){.values = "1 1 1", .role = "trajectory 2 step 2"}, 7, NAN);
    g_autoptr(StudyData) data = rows_read(&rows);
    g_autofree Effects *effects = effects_of(data);
    ck_assert_int_eq(effects->method, METHOD_ELEMENTARY_EFFECTS);
    const Effect *effect = effects->effects;
    ck_assert_uint_eq(effect[A].count, 2);
    ASSERT_NEAR(effect[A].strength, 12);
    ASSERT_NEAR(effect[A].swing, 12);
    ASSERT_NEAR(effect[A].sigma, 0);
    ASSERT_NEAR(effect[B].strength, 6);
    ASSERT_NEAR(effect[B].sigma, sqrt(8));
    ck_assert(!effect[C].judged);
}
END_TEST

/* Effects of opposite sign cancel in mu and not in mu*: time = a * (b - 1). */
START_TEST(effects_that_cancel_keep_their_size_in_mu_star)
{
    g_auto(StudyRows) rows = study_rows("morris", (const char *const[]){"a=0", "b=0", NULL});
    rows_done(&rows, (RowPoint){.values = "0 0", .role = "trajectory 1 step 0"}, 0, NAN);
    rows_done(&rows, (RowPoint){.values = "2 0", .role = "trajectory 1 step 1"}, -2, NAN);
    rows_done(&rows, (RowPoint){.values = "0 2", .role = "trajectory 2 step 0"}, 0, NAN);
    rows_done(&rows, (RowPoint){.values = "2 2", .role = "trajectory 2 step 1"}, 2, NAN);
    g_autoptr(StudyData) data = rows_read(&rows);
    g_autofree Effects *effects = effects_of(data);
    ASSERT_NEAR(effects->effects[A].swing, 0);
    ASSERT_NEAR(effects->effects[A].strength, 2);
    ASSERT_NEAR(effects->effects[A].sigma, sqrt(8)); /* of -2 and 2 */
}
END_TEST

START_TEST(changes_between_names_have_no_sign)
{
    g_auto(StudyRows) rows = study_rows("morris", (const char *const[]){"name=x", NULL});
    rows_done(&rows, (RowPoint){.values = "x", .role = "trajectory 1 step 0"}, 1, NAN);
    rows_done(&rows, (RowPoint){.values = "y", .role = "trajectory 1 step 1"}, 3, NAN);
    rows_done(&rows, (RowPoint){.values = "x", .role = "trajectory 2 step 0"}, 2, NAN);
    rows_done(&rows, (RowPoint){.values = "y", .role = "trajectory 2 step 1"}, 6, NAN);
    g_autoptr(StudyData) data = rows_read(&rows);
    g_autofree Effects *effects = effects_of(data);
    ck_assert(effects->effects[0].judged);
    ASSERT_NEAR(effects->effects[0].strength, 3);
    ck_assert(isnan(effects->effects[0].swing) && isnan(effects->effects[0].sigma));
}
END_TEST

START_TEST(a_step_without_its_next_point_is_left_out)
{
    g_auto(StudyRows) rows = study_rows("morris", (const char *const[]){"a=0", "b=0", NULL});
    rows_done(&rows, (RowPoint){.values = "0 0", .role = "trajectory 1 step 0"}, 0, NAN);
    rows_add(&rows,
             &(RowPoint){.values = "2 0", .role = "trajectory 1 step 1", .status = "failed"});
    rows_done(&rows, (RowPoint){.values = "2 2", .role = "trajectory 1 step 2"}, 16, NAN);
    g_autoptr(StudyData) data = rows_read(&rows);
    g_autofree Effects *effects = effects_of(data);
    ck_assert(!effects->effects[A].judged);
    ck_assert(!effects->effects[B].judged);
}
END_TEST

/* Two independent dimensions of 5 values each, every combination once. Of exp(5 a - b) the ranks
 * are 5 a - b + 4 exactly, a linear function. Coefficients are 5 and -1 times the dimension's
 * deviation over the ranks': variances of a and b are 2, of 25 ranks (625 - 1) / 12 = 52. */
START_TEST(ranks_of_a_monotone_function_are_explained)
{
    g_auto(StudyRows) rows =
        study_rows("latin_hypercube", (const char *const[]){"a=0", "b=0", NULL});
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < 5; b++) {
            g_autofree char *values = g_strdup_printf("%d %d", a, b);
            rows_done(&rows, (RowPoint){.values = values}, exp(5 * a - b), NAN);
        }
    g_autoptr(StudyData) data = rows_read(&rows);
    g_autofree Effects *effects = effects_of(data);
    ck_assert_int_eq(effects->method, METHOD_RANK_REGRESSION);
    ASSERT_NEAR(effects->effects[A].swing, 5 * sqrt(2.0 / 52));
    ASSERT_NEAR(effects->effects[B].swing, -sqrt(2.0 / 52));
    ASSERT_NEAR(effects->effects[B].strength, sqrt(2.0 / 52));
    ASSERT_NEAR(effects->fit, 1);
    ck_assert(!effects->effects[A].noise && !effects->effects[B].noise);
    /* the fifths are the five points each with a = 0 and a = 4 */
    double low = 0;
    for (int b = 0; b < 5; b++) low += exp(-b) / 5;
    ASSERT_NEAR(effects->effects[A].low, low);
    ck_assert_double_eq_tol(effects->effects[A].high / (low * exp(20)), 1, 1e-9);
}
END_TEST

/* b follows a but for one exchange: each alone is correlated with the result, the regression tells
 * that only a moves it. */
START_TEST(a_regression_divides_what_correlated_dimensions_share)
{
    g_auto(StudyRows) rows =
        study_rows("latin_hypercube", (const char *const[]){"a=0", "b=0", NULL});
    const char *const values[] = {"0 1", "1 0", "2 2", "3 4", "4 3", "5 5"};
    for (guint i = 0; i < G_N_ELEMENTS(values); i++)
        rows_done(&rows, (RowPoint){.values = values[i]}, 10.0 * i, NAN);
    g_autoptr(StudyData) data = rows_read(&rows);
    g_autofree Effects *effects = effects_of(data);
    ASSERT_NEAR(effects->effects[A].swing, 1);
    ck_assert_double_eq_tol(effects->effects[B].swing, 0, 1e-9);
}
END_TEST

START_TEST(dimensions_that_change_together_are_not_judged)
{
    g_auto(StudyRows) rows =
        study_rows("latin_hypercube", (const char *const[]){"a=0", "b=0", NULL});
    const char *const values[] = {"0 0", "1 1", "2 2", "3 3", "4 4"};
    for (guint i = 0; i < G_N_ELEMENTS(values); i++)
        rows_done(&rows, (RowPoint){.values = values[i]}, i, NAN);
    g_autoptr(StudyData) data = rows_read(&rows);
    g_autofree Effects *effects = effects_of(data);
    ck_assert(!effects->effects[A].judged && !effects->effects[B].judged);
    ck_assert(isnan(effects->fit));
}
END_TEST

/* Of names, the share of the ranks' variance between them: x has ranks 0 and 1, y 2 and 3, about a
 * mean of 1.5: (1 + 1 + 1 + 1) / (2.25 + 0.25 + 0.25 + 2.25) = 0.8. A number that repeats in both
 * explains the rest: the ranks 0, 2 and 1, 3 of n = 0 and 1, again 1 of 5. */
START_TEST(names_are_ranked_by_their_correlation_ratio)
{
    g_auto(StudyRows) rows =
        study_rows("latin_hypercube", (const char *const[]){"name=x", "n=0", NULL});
    rows_done(&rows, (RowPoint){.values = "x 0"}, 1, NAN);
    rows_done(&rows, (RowPoint){.values = "x 1"}, 2, NAN);
    rows_done(&rows, (RowPoint){.values = "y 0"}, 30, NAN);
    rows_done(&rows, (RowPoint){.values = "y 1"}, 40, NAN);
    g_autoptr(StudyData) data = rows_read(&rows);
    g_autofree Effects *effects = effects_of(data);
    ASSERT_NEAR(effects->effects[0].strength, sqrt(0.8));
    ASSERT_NEAR(effects->effects[1].strength, sqrt(0.2));
    ck_assert_double_eq_tol(effects->fit, 0.2, 1e-9);
    /* the regression leaves 0.8 / 2 a degree of freedom: 0.45 is within two errors of 0.63 */
    ck_assert(effects->effects[1].noise);
}
END_TEST

START_TEST(a_result_that_never_changes_depends_on_nothing)
{
    g_auto(StudyRows) rows =
        study_rows("latin_hypercube", (const char *const[]){"a=0", "b=0", NULL});
    const char *const values[] = {"0 3", "1 1", "2 0", "3 2"};
    for (guint i = 0; i < G_N_ELEMENTS(values); i++)
        rows_done(&rows, (RowPoint){.values = values[i]}, 7, NAN);
    g_autoptr(StudyData) data = rows_read(&rows);
    g_autofree Effects *effects = effects_of(data);
    ck_assert(effects->effects[A].judged);
    ASSERT_NEAR(effects->effects[A].strength, 0);
}
END_TEST

HARNESS_MAIN("sensitivity", a_study_is_read_with_its_levels_in_order,
             one_at_a_time_the_ends_are_compared_with_the_baseline_run,
             one_at_a_time_a_run_that_differs_twice_is_not_a_neighbour,
             one_at_a_time_a_preset_counts_with_its_own_values,
             main_effects_are_means_over_the_other_dimensions,
             of_a_grid_with_holes_points_are_matched, values_without_a_pair_are_not_compared,
             dimensions_without_any_pair_are_not_judged, a_slice_has_the_points_of_one_value,
             less_than_replications_differ_by_is_noise, elementary_effects_are_those_of_morris,
             effects_that_cancel_keep_their_size_in_mu_star, changes_between_names_have_no_sign,
             a_step_without_its_next_point_is_left_out, ranks_of_a_monotone_function_are_explained,
             a_regression_divides_what_correlated_dimensions_share,
             dimensions_that_change_together_are_not_judged,
             names_are_ranked_by_their_correlation_ratio,
             a_result_that_never_changes_depends_on_nothing)
