/* Knees of curves whose knees are known, and parameters without effect. */
#include <math.h>

#include "program/study/rows.h"
#include "rigs/harness.h"
#include "scenarios/program/study/answers/factor_curve.h"
#include "scenarios/program/study/answers/inert.h"
#include "scenarios/program/study/answers/knee.h"

static const KneeRule less = {.share = 0.95, .flat = 0, .better = -1};
static const KneeRule more = {.share = 0.95, .flat = 0, .better = 1};

enum { MOST = 16 };

typedef struct {
    double x[MOST], y[MOST];
    guint count;
} Points;

static Points curve(const double *x, guint count, double (*y)(double))
{
    Points points = {.count = count};
    for (guint i = 0; i < count; i++) {
        points.x[i] = x[i];
        points.y[i] = y(x[i]);
    }
    return points;
}

static const double evenly[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
static const double doubling[] = {1, 2, 4, 8, 16, 32, 64, 128, 256};

static double hyperbola(double x)
{
    return 1 / (1 + x);
}

/* 1 / (1 + x) over 0..8: the line between the ends falls by 1/9 a step, and the curve is furthest
 * from it where its slope is the same, 1 / (1 + x)^2 = 1/9: at x = 2. There it has
 * (1 - 1/3) / (1 - 1/9) = 3/4 of the gain, after 1/4 of the way. 95 % of the gain are
 * 1 - 0.95 * 8/9 = 0.1556 = 1 / 6.43: reached at 6. */
START_TEST(the_knee_is_furthest_from_the_line_between_the_ends)
{
    const Points points = curve(evenly, 9, hyperbola);
    const Knee knee = knee_find(points.x, points.y, points.count, &less);
    ck_assert_int_eq(knee.shape, SHAPE_KNEE);
    ck_assert(!knee.logarithmic && knee.rising);
    ck_assert_uint_eq(knee.knee, 2);
    ck_assert_double_eq_tol(knee.at_knee, 0.75, 1e-12);
    ck_assert_double_eq_tol(knee.distance, 0.5, 1e-12);
    ck_assert_double_eq_tol(knee.gain, 8.0 / 9, 1e-12);
    ck_assert_uint_eq(knee.enough, 6);
    const KneeRule half = {.share = 0.5, .better = -1}; /* 1 - 4/9 = 1 / 1.8: reached at 1 */
    ck_assert_uint_eq(knee_find(points.x, points.y, points.count, &half).enough, 1);
}
END_TEST

/* 94.93 % are not the 95 % that another value is the first to have; 0.57 x 100 is below 57. */
START_TEST(a_knee_is_not_said_to_have_more_of_the_gain_than_it_has)
{
    static const struct {
        double gain;
        const char *said;
    } cases[] = {{0.9493, "has 94 %"}, {0.95, "has 95 %"}, {0.57, "has 57 %"}, {1, "has 100 %"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const FactorCurve of = {.knee = {.shape = SHAPE_KNEE, .at_knee = cases[i].gain}};
        g_autofree char *remark = factor_curve_remark(&of);
        ck_assert_msg(strstr(remark, cases[i].said) != NULL, "%s", remark);
    }
}
END_TEST

static double saturating(double x)
{
    return fmin(x, 16);
}

/* min(x, 16) over powers of two: on the logarithmic axis 16 is half of the way and the whole gain;
 * on a linear one it would be 6 % of the way. */
START_TEST(values_spaced_by_a_factor_have_a_logarithmic_axis)
{
    const Points points = curve(doubling, 9, saturating);
    const Knee knee = knee_find(points.x, points.y, points.count, &more);
    ck_assert_int_eq(knee.shape, SHAPE_KNEE);
    ck_assert(knee.logarithmic);
    ck_assert_uint_eq(knee.knee, 4);
    ck_assert_uint_eq(knee.enough, 4);
    ck_assert_double_eq_tol(knee.distance, 0.5, 1e-12);
}
END_TEST

static double latency(double x)
{
    return fmax(x, 6);
}

/* max(x, 6) of 0..8, less is better: the gain comes from above, and ends at 6. */
START_TEST(a_gain_may_come_with_smaller_values)
{
    const Points points = curve(evenly, 9, latency);
    const Knee knee = knee_find(points.x, points.y, points.count, &less);
    ck_assert_int_eq(knee.shape, SHAPE_KNEE);
    ck_assert(!knee.rising);
    ck_assert_uint_eq(knee.knee, 6);
    ck_assert_uint_eq(knee.enough, 6);
}
END_TEST

static double line(double x)
{
    return 7 - x / 2;
}

static double constant(double x)
{
    return x * 0 + 3;
}

static double bowl(double x)
{
    return (x - 4) * (x - 4);
}

static double slow_start(double x)
{
    return -x * x;
}

START_TEST(curves_without_a_knee_say_why)
{
    const struct {
        double (*y)(double);
        Shape shape;
    } cases[] = {{line, SHAPE_LINEAR},
                 {constant, SHAPE_FLAT},
                 {bowl, SHAPE_NOT_MONOTONE},
                 {slow_start, SHAPE_ACCELERATING}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const Points points = curve(evenly, 9, cases[i].y);
        ck_assert_int_eq(knee_find(points.x, points.y, 9, &less).shape, cases[i].shape);
    }
    const Points points = curve(evenly, 9, hyperbola);
    const Knee few = knee_find(points.x, points.y, 3, &less);
    ck_assert_int_eq(few.shape, SHAPE_FEW);
    ck_assert(few.rising); /* it falls, and less is better */
    ck_assert_int_eq(knee_find(points.x, points.y, 4, &less).shape, SHAPE_KNEE);
    const KneeRule blunt = {.share = 0.95, .flat = 0.9, .better = -1}; /* above the 8/9 gained */
    ck_assert_int_eq(knee_find(points.x, points.y, 9, &blunt).shape, SHAPE_FLAT);
}
END_TEST

START_TEST(a_small_step_back_is_no_reason_against_a_knee)
{
    Points points = curve(evenly, 9, hyperbola);
    points.y[7] = points.y[6] + 0.03; /* of 8/9: 3.4 % */
    ck_assert_int_eq(knee_find(points.x, points.y, 9, &less).shape, SHAPE_KNEE);
    points.y[7] = points.y[6] + 0.06; /* 6.75 % */
    ck_assert_int_eq(knee_find(points.x, points.y, 9, &less).shape, SHAPE_NOT_MONOTONE);
}
END_TEST

static GArray *inertia(const StudyData *data, double threshold)
{
    g_autoptr(GArray) measures = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < data->measures->len; i++) g_array_append_val(measures, i);
    return inertia_of(data, measures, threshold);
}

/* Of a grid over a, b and c the time depends on a, the bandwidth by 1/1000 on b, nothing on c. */
static StudyRows grid_of_three(void)
{
    StudyRows rows = study_rows("grid", (const char *const[]){"a=0", "b=0", "c=0", "d=0", NULL});
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            for (int c = 0; c < 3; c++) {
                g_autofree char *values = g_strdup_printf("%d %d %d 0", a, b, c);
                rows_done(&rows, (RowPoint){.values = values}, 100 + 50 * a, 1000 + b);
            }
    return rows;
}

START_TEST(a_parameter_is_without_effect_when_every_pair_is_equal)
{
    g_auto(StudyRows) rows = grid_of_three();
    g_autoptr(StudyData) data = rows_read(&rows);
    g_autoptr(GArray) answer = inertia(data, 0.0005);
    const Inertia *of = (const Inertia *)answer->data;
    /* a: 6 pairs, one for each value of b and c; 100 to 150 is a third of the greater */
    ck_assert_uint_eq(of[0].pairs, 6);
    ck_assert_uint_eq(of[0].differ, 6);
    ck_assert_double_eq_tol(of[0].most, 1.0 / 3, 1e-12);
    ck_assert_uint_eq(of[0].measure, 0);
    ck_assert_uint_eq(of[1].pairs, 6);
    ck_assert_double_eq_tol(of[1].most, 1.0 / 1001, 1e-12);
    ck_assert_uint_eq(of[1].measure, 1);
    ck_assert_uint_eq(of[1].differ, 6);
    /* c: 3 pairs of its 3 values for each of a and b */
    ck_assert_uint_eq(of[2].pairs, 12);
    ck_assert_double_eq(of[2].most, 0);
    ck_assert_uint_eq(of[3].pairs, 0); /* one value */
}
END_TEST

START_TEST(effects_below_the_threshold_are_counted_apart)
{
    g_auto(StudyRows) rows = grid_of_three();
    g_autoptr(StudyData) data = rows_read(&rows);
    g_autoptr(GArray) answer = inertia(data, 0.002);
    ck_assert_uint_eq(g_array_index(answer, Inertia, 1).differ, 0);
    ck_assert_uint_eq(g_array_index(answer, Inertia, 0).differ, 6);
}
END_TEST

START_TEST(replications_are_compared_with_those_of_their_number)
{
    g_auto(StudyRows) rows = study_rows("grid", (const char *const[]){"a=0", NULL});
    for (guint a = 0; a < 2; a++)
        for (guint i = 0; i < 3; i++)
            rows_done(&rows, (RowPoint){.values = a ? "1" : "0", .replication = i}, 10.0 + i, NAN);
    g_autoptr(StudyData) data = rows_read(&rows);
    g_autoptr(GArray) answer = inertia(data, 0);
    ck_assert_uint_eq(g_array_index(answer, Inertia, 0).pairs, 3);
    ck_assert_double_eq(g_array_index(answer, Inertia, 0).most, 0);
}
END_TEST

START_TEST(a_result_that_only_one_of_a_pair_has_is_a_difference)
{
    g_auto(StudyRows) rows = study_rows("grid", (const char *const[]){"a=0", NULL});
    rows_done(&rows, (RowPoint){.values = "0"}, 10, NAN);
    rows_done(&rows, (RowPoint){.values = "1"}, 10, 3);
    g_autoptr(StudyData) data = rows_read(&rows);
    g_autoptr(GArray) answer = inertia(data, 0.5);
    ck_assert_uint_eq(g_array_index(answer, Inertia, 0).differ, 1);
    ck_assert(isinf(g_array_index(answer, Inertia, 0).most));
}
END_TEST

HARNESS_MAIN("knees", the_knee_is_furthest_from_the_line_between_the_ends,
             a_knee_is_not_said_to_have_more_of_the_gain_than_it_has,
             values_spaced_by_a_factor_have_a_logarithmic_axis, a_gain_may_come_with_smaller_values,
             curves_without_a_knee_say_why, a_small_step_back_is_no_reason_against_a_knee,
             a_parameter_is_without_effect_when_every_pair_is_equal,
             effects_below_the_threshold_are_counted_apart,
             replications_are_compared_with_those_of_their_number,
             a_result_that_only_one_of_a_pair_has_is_a_difference)
