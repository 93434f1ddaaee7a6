#include "kit/describe/role.h"

#include "rigs/harness.h"

/* A made-up unit's statistics. */
typedef struct {
    uint64_t lookups, hits, misses, waited;
    Level queue;
    Histogram stays;
    HeavyHitters wanted;
    uint64_t seats;
} Shelf;

static const Param params[] = {
    PARAM_NUMBER(Shelf, seats, PARAM_COUNT, "4", 1, 100, "seats of readers"), PARAM_END};

static double one_pj(const struct Unit *unit, const struct EnergyFigures *figures)
{
    (void)unit, (void)figures;
    return 1;
}

static const Stat shelf[] = {
    STAT_NUMBER(Shelf, lookups, STAT_COUNT, NULL, "books asked for", .accesses_of = "shelf",
                ENERGY(IN_NO_STAGE(one_pj), IN_STAGES(REQUEST_WIRE, REPLY_WIRE, one_pj))),
    STAT_NUMBER(Shelf, hits, STAT_COUNT, NULL, "books that were there", .hits_of = "shelf",
                .part_of = "lookups"),
    STAT_NUMBER(Shelf, waited, STAT_COUNT, NULL, "readers without a seat", .refusal = "seats"),
    STAT_OCCUPANCY(Shelf, queue, NULL, "readers"),
    STAT_OCCUPANCY_OVER_TIME(Shelf, queue, NULL, "readers", .most = "seats * seats",
                             .map = {"shelf", "readers"}, .track = {"a shelf", "readers"},
                             CURVES(CURVE("readers"))),
    STAT_NUMBER(Shelf, misses, STAT_COUNT, NULL, "books fetched", .means = MEANS_HOPS,
                RULES(GIVES("books come back"), EXCUSES("nobody waits"))),
    STAT_END};

START_TEST(rows_are_found_by_their_role)
{
    ck_assert_ptr_eq(stat_with_role(shelf, ROLE(hits_of), NULL), &shelf[1]);
    ck_assert_ptr_eq(stat_with_role(shelf, ROLE(hits_of), "shelf"), &shelf[1]);
    ck_assert_ptr_null(stat_with_role(shelf, ROLE(hits_of), "table"));
    ck_assert_ptr_null(stat_with_role(shelf + 2, ROLE(hits_of), NULL));
    ck_assert_ptr_null(stat_with_role(NULL, ROLE(hits_of), NULL));
}
END_TEST

START_TEST(rows_are_found_by_their_meaning)
{
    ck_assert_ptr_eq(stat_that_means(shelf, MEANS_HOPS), &shelf[5]);
    ck_assert_ptr_null(stat_that_means(shelf, MEANS_TEXELS));
    ck_assert_ptr_null(stat_that_means(NULL, MEANS_HOPS));
}
END_TEST

START_TEST(roles_are_told_in_words)
{
    g_autofree char *hits = stat_describe_roles(&shelf[1]), *none = stat_describe_roles(&shelf[3]),
                    *energy = stat_describe_roles(&shelf[0]);
    ck_assert_str_eq(energy, "accesses of 'shelf'; takes energy at no stage; takes energy at "
                             "'request_wire', of replies at 'reply_wire'");
    ck_assert_str_eq(hits, "hits of 'shelf'; part of 'lookups'");
    ck_assert_str_eq(none, "");
    g_autofree char *drawn = stat_describe_roles(&shelf[4]),
                    *rules = stat_describe_roles(&shelf[5]);
    ck_assert_str_eq(drawn, "at most 'seats * seats'; heat map of 'readers'; "
                            "counter of a timeline 'readers'; curve 'readers'");
    ck_assert_str_eq(rules, "means 'links that packets took'; one side of 'books come back'; "
                            "excuse of 'nobody waits'");
}
END_TEST

START_TEST(roles_that_fit_together_are_accepted)
{
    g_autoptr(GError) error = NULL;
    ck_assert(stats_check(shelf, params, &error));
    ck_assert(stats_check(NULL, NULL, &error));
}
END_TEST

/* Each is a table of its own. */
static const struct {
    Stat row;
    const char *message;
} wrong[] = {
    {STAT_NUMBER(Shelf, hits, STAT_COUNT, NULL, "", .hits_of = "self"),
     "hits: neither accesses nor misses are of 'self'"},
    {STAT_NUMBER(Shelf, misses, STAT_COUNT, NULL, "", .misses_of = "shelf"),
     "misses: no hits are of 'shelf'"},
    {STAT_NUMBER(Shelf, misses, STAT_COUNT, NULL, "", .loads_of = "shelf"),
     "misses: no accesses are of 'shelf'"},
    {STAT_NUMBER(Shelf, misses, STAT_COUNT, NULL, "", .taken_of = "hands"),
     "misses: nothing is lost by 'hands'"},
    {STAT_NUMBER(Shelf, misses, STAT_COUNT, NULL, "", .lost_of = "hands"),
     "misses: nothing is taken by 'hands'"},
    {STAT_NUMBER(Shelf, hits, STAT_COUNT, NULL, "", .part_of = "looks"),
     "hits: there is no statistic 'looks'"},
    {STAT_OCCUPANCY(Shelf, queue, NULL, "", .hits_of = "shelf"),
     "queue: of its kind nothing is 'hits of'"},
    {STAT_OCCUPANCY(Shelf, queue, NULL, "", .means = MEANS_HOPS),
     "queue: of its kind nothing means links that packets took"},
    {STAT_NUMBER(Shelf, hits, STAT_COUNT, NULL, "", .means = MEANS_RESIDENT_WARPS),
     "hits: of its kind nothing means resident warps"},
    {STAT_HOTTEST(Shelf, wanted, "", .means = MEANS_HOPS),
     "wanted: of its kind nothing means links that packets took"},
    {STAT_OCCUPANCY(Shelf, queue, NULL, "", .most = "seats * rooms"),
     "queue: there is no parameter 'rooms'"},
    {STAT_OCCUPANCY(Shelf, queue, NULL, "", CURVES(CURVE("readers"))),
     "queue: is drawn over time and not collected over time"},
    {STAT_NUMBER_OVER_TIME(Shelf, hits, STAT_COUNT, NULL, "", CURVES(CURVE("hits"))),
     "hits: its curve is a share of nothing"},
    {STAT_OCCUPANCY_OVER_TIME(Shelf, queue, NULL, "", .map = {NULL, "readers"}),
     "queue: is a map of nothing"},
    {STAT_OCCUPANCY_OVER_TIME(Shelf, queue, NULL, "", .track = {NULL, "readers"}),
     "queue: is a track of nothing"},
    {STAT_HOTTEST(Shelf, wanted, "", .figure = "books"),
     "wanted: has a figure and nothing to draw"},
};

START_TEST(a_role_that_points_at_nothing_is_refused)
{
    const Stat stats[] = {wrong[_i].row, STAT_END};
    g_autoptr(GError) error = NULL;
    ck_assert(!stats_check(stats, params, &error));
    ck_assert_str_eq(error->message, wrong[_i].message);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("role");
    tcase_add_test(cases, rows_are_found_by_their_role);
    tcase_add_test(cases, rows_are_found_by_their_meaning);
    tcase_add_test(cases, roles_are_told_in_words);
    tcase_add_test(cases, roles_that_fit_together_are_accepted);
    tcase_add_loop_test(cases, a_role_that_points_at_nothing_is_refused, 0, G_N_ELEMENTS(wrong));
    Suite *suite = suite_create("role");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
