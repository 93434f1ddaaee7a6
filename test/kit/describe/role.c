#include "kit/describe/role.h"

#include "rigs/harness.h"

/* A made-up unit's statistics. */
typedef struct {
    uint64_t lookups, hits, misses, waited;
    Level queue;
} Shelf;

static const Stat shelf[] = {
    STAT_NUMBER(Shelf, lookups, STAT_COUNT, NULL, "books asked for", .accesses_of = "shelf"),
    STAT_NUMBER(Shelf, hits, STAT_COUNT, NULL, "books that were there", .hits_of = "shelf",
                .part_of = "lookups"),
    STAT_NUMBER(Shelf, waited, STAT_COUNT, NULL, "readers without a seat", .refusal = "seats"),
    STAT_OCCUPANCY(Shelf, queue, NULL, "readers"), STAT_END};

START_TEST(rows_are_found_by_their_role)
{
    ck_assert_ptr_eq(stat_with_role(shelf, ROLE(hits_of), NULL), &shelf[1]);
    ck_assert_ptr_eq(stat_with_role(shelf, ROLE(hits_of), "shelf"), &shelf[1]);
    ck_assert_ptr_null(stat_with_role(shelf, ROLE(hits_of), "table"));
    ck_assert_ptr_null(stat_with_role(shelf + 2, ROLE(hits_of), NULL));
    ck_assert_ptr_null(stat_with_role(NULL, ROLE(hits_of), NULL));
}
END_TEST

START_TEST(roles_are_told_in_words)
{
    g_autofree char *hits = stat_describe_roles(&shelf[1]), *none = stat_describe_roles(&shelf[3]);
    ck_assert_str_eq(hits, "hits of shelf; part of lookups");
    ck_assert_str_eq(none, "");
}
END_TEST

START_TEST(roles_that_fit_together_are_accepted)
{
    g_autoptr(GError) error = NULL;
    ck_assert(stats_check(shelf, &error));
    ck_assert(stats_check(NULL, &error));
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
    {STAT_NUMBER(Shelf, hits, STAT_COUNT, NULL, "", .part_of = "looks"),
     "hits: part of no statistic 'looks'"},
    {STAT_OCCUPANCY(Shelf, queue, NULL, "", .hits_of = "shelf"),
     "queue: only a count can be 'hits of'"},
};

START_TEST(a_role_that_points_at_nothing_is_refused)
{
    const Stat stats[] = {wrong[_i].row, STAT_END};
    g_autoptr(GError) error = NULL;
    ck_assert(!stats_check(stats, &error));
    ck_assert_str_eq(error->message, wrong[_i].message);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("role");
    tcase_add_test(cases, rows_are_found_by_their_role);
    tcase_add_test(cases, roles_are_told_in_words);
    tcase_add_test(cases, roles_that_fit_together_are_accepted);
    tcase_add_loop_test(cases, a_role_that_points_at_nothing_is_refused, 0, G_N_ELEMENTS(wrong));
    Suite *suite = suite_create("role");
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
