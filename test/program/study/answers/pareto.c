/* The Pareto front against its definition. */
#include "rigs/harness.h"
#include "scenarios/program/study/answers/front.h"

static GArray *points_of(const double values[][2], guint count)
{
    GArray *points = g_array_new(FALSE, FALSE, sizeof(ParetoPoint));
    for (guint i = 0; i < count; i++) {
        const ParetoPoint point = {{values[i][0], values[i][1]}, i};
        g_array_append_val(points, point);
    }
    return points;
}

static guint index_at(const GArray *points, const GArray *front, guint place)
{
    return g_array_index(points, ParetoPoint, g_array_index(front, guint, place)).index;
}

START_TEST(the_front_is_sorted_and_has_what_nothing_beats)
{
    const double values[][2] = {{5, 1}, {3, 3}, {4, 4}, {1, 5}, {3, 4}, {5, 2}};
    g_autoptr(GArray) points = points_of(values, G_N_ELEMENTS(values));
    g_autoptr(GArray) front = pareto_front(points);
    ck_assert_uint_eq(front->len, 3);
    ck_assert_uint_eq(index_at(points, front, 0), 3);
    ck_assert_uint_eq(index_at(points, front, 1), 1);
    ck_assert_uint_eq(index_at(points, front, 2), 0);
}
END_TEST

START_TEST(equal_points_do_not_beat_each_other)
{
    const double values[][2] = {{2, 2}, {1, 3}, {2, 2}, {2, 3}, {3, 2}};
    g_autoptr(GArray) points = points_of(values, G_N_ELEMENTS(values));
    g_autoptr(GArray) front = pareto_front(points);
    ck_assert_uint_eq(front->len, 3);
    ck_assert_uint_eq(index_at(points, front, 1), 0);
    ck_assert_uint_eq(index_at(points, front, 2), 2);
}
END_TEST

static bool beats(const ParetoPoint *a, const ParetoPoint *b, guint objectives)
{
    bool better = false;
    for (guint k = 0; k < objectives; k++) {
        if (a->values[k] > b->values[k]) return false;
        better |= a->values[k] < b->values[k];
    }
    return better;
}

static bool is_beaten(const GArray *points, const ParetoPoint *point, guint objectives)
{
    for (guint i = 0; i < points->len; i++)
        if (beats(&g_array_index(points, ParetoPoint, i), point, objectives)) return true;
    return false;
}

/* Of 2, 3 or 4 numbers, few enough that many are equal. */
START_TEST(the_front_is_what_comparing_all_pairs_finds)
{
    const guint objectives = 2 + (guint)_i % 3;
    g_autoptr(GRand) random = g_rand_new_with_seed(1 + (guint32)_i);
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(ParetoPoint));
    for (guint i = 0; i < 60; i++) {
        ParetoPoint point = {.index = i};
        for (guint k = 0; k < objectives; k++)
            point.values[k] = g_rand_int_range(random, 0, objectives == 2 ? 20 : 6);
        g_array_append_val(points, point);
    }
    g_autoptr(GArray) front = pareto_front(points);
    guint place = 0;
    for (guint i = 0; i < points->len; i++) {
        if (is_beaten(points, &g_array_index(points, ParetoPoint, i), objectives)) continue;
        ck_assert_uint_lt(place, front->len);
        ck_assert_uint_eq(g_array_index(front, guint, place++), i);
    }
    ck_assert_uint_eq(place, front->len);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("pareto");
    tcase_add_test(cases, the_front_is_sorted_and_has_what_nothing_beats);
    tcase_add_test(cases, equal_points_do_not_beat_each_other);
    tcase_add_loop_test(cases, the_front_is_what_comparing_all_pairs_finds, 0, 90);
    Suite *suite = suite_create("pareto");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
