/* The instruction buffer's oldest accesses where all have been refused: others pass them, and
 * they come again when something has changed, not before. See rig.h for the times. */
#include "rig.h"

/* Line 2 has the only entry until 307, when its fill takes the array; line 3 then has it until 414,
 * and line 4, which is behind, is refused a second time. Hits of line 1 and shared memory pass. */
START_TEST(a_reply_wakes_them)
{
    static const Lookup lookups[] = {{.at = 10, .line = 1, .back = 10 + MISS},
                                     {.at = 200, .line = 2, .back = 200 + MISS},
                                     {.at = 201, .line = 3, .back = 308 - 1 + MISS},
                                     {.at = 202, .line = 4, .back = 415 - 1 + MISS},
                                     {.at = 210, .line = 1, .back = 210 + HIT},
                                     {.at = 230, .space = IN_SHARED, .back = 230 + SHARED_HIT},
                                     {.at = 320, .line = 1, .back = 320 + HIT}};
    g_autoptr(Rig) rig = rig_new("prt_entries = 1", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_prt"), 1 + 2);
    ck_assert_uint_eq(unit_count(rig->l1, "hits"), 2);
}
END_TEST

/* One place into the network, free again at 17 and, when line 6 has been sent, at 23. */
START_TEST(a_credit_wakes_them)
{
    static const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS},
                                     {.at = 11, .line = 6, .back = 17 - 1 + MISS},
                                     {.at = 12, .line = 7, .back = 23 - 1 + MISS},
                                     {.at = 13, .space = IN_SHARED, .back = 13 + SHARED_HIT}};
    g_autoptr(Rig) rig = rig_new("", 1);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_network"), 1 + 2);
}
END_TEST

/* Lines 6 and 7 are refused as above. The second access to line 6 finds it asked for then, and
 * reads it a cycle after the first. */
START_TEST(a_line_asked_for_meanwhile_is_joined)
{
    static const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS},
                                     {.at = 11, .line = 6, .back = 17 - 1 + MISS},
                                     {.at = 12, .line = 6, .back = 17 - 1 + MISS + 1},
                                     {.at = 13, .line = 7, .back = 23 - 1 + MISS}};
    g_autoptr(Rig) rig = rig_new("", 1);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "merged"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "misses"), 3);
}
END_TEST

/* Lines 6 to 10 are refused when they come, and once more each time one of them has been sent, at
 * 17, 23, 29 and 35; in the cycle of that one of the others finds the tags taken. Most of these
 * retries have no step of their own. */
START_TEST(those_in_vain_are_counted_one_by_one)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 5, .back = 10 + MISS}, {.at = 11, .line = 6, .back = 16 + MISS},
        {.at = 12, .line = 7, .back = 22 + MISS}, {.at = 13, .line = 8, .back = 28 + MISS},
        {.at = 14, .line = 9, .back = 34 + MISS}, {.at = 15, .line = 10, .back = 40 + MISS}};
    g_autoptr(Rig) rig = rig_new("", 1);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_network"), 5 + 4 + 3 + 2 + 1);
    ck_assert_uint_eq(unit_count(rig->l1, "replays"), 5 + 4 + 3 + 2 + 1 + 4);
}
END_TEST

HARNESS_MAIN("l1_asleep", a_reply_wakes_them, a_credit_wakes_them,
             a_line_asked_for_meanwhile_is_joined, those_in_vain_are_counted_one_by_one)
