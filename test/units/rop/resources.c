/* What a ROP counts of what can be full. The rig's comment has the sums. */
#include "rig.h"

#define ONE 1u /* a lane */

/* The first is here at 11, its sectors are at 113, its result leaves at 123; the second joins it at
 * 21 and is operated on a turn later. The only line stays until both are done. */
START_TEST(a_miss_holds_an_entry_a_way_and_then_a_place_in_the_pipeline)
{
    static const Request requests[] = {{.at = 10, .line = 5, .lanes = ONE, .back = 10 + MISS},
                                       {.at = 20, .line = 5, .lanes = ONE, .back = 10 + MISS + 1}};
    g_autoptr(Rig) rig = rig_new(
        "cache_entries = 1; ways = 1; pending_entries = 1; pending_merges = 1; pipeline_entries = 2",
        16);
    RUN(rig, requests);
    static const struct {
        const char *name;
        uint64_t work, full;
    } places[] = {{"fetching", 102, 102},
                  {"merge_room", 92, 92},
                  {"operating", 10 + 11, 10},
                  {"set_room", 113, 113}};
    for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
        ck_assert_uint_eq(unit_work(rig->rop, places[i].name), places[i].work);
        ck_assert_uint_eq(unit_full(rig->rop, places[i].name), places[i].full);
    }
    ck_assert_uint_eq(unit_booked(rig->rop, "look_ups"), 2);
    ck_assert_uint_eq(unit_booked(rig->rop, "pipe"), 2);
    ck_assert_uint_eq(unit_booked(rig->rop, "word_turns"), 2);
    assert_places_are_empty(rig->rop);
}
END_TEST

/* 16 words are two turns of 8 lanes; each has its turn on its word in one of them. */
START_TEST(a_request_takes_the_pipeline_for_its_words_and_each_word_for_an_interval)
{
    static const Request requests[] = {
        {.at = 10, .line = 5, .lanes = 0xffff, .stride = 4, .back = 10 + MISS + 1}};
    g_autoptr(Rig) rig = rig_new("interval = 3 cycles", 16);
    RUN(rig, requests);
    ck_assert_uint_eq(unit_booked(rig->rop, "pipe"), 2);
    ck_assert_uint_eq(unit_booked(rig->rop, "word_turns"), 1 + 3);
}
END_TEST

/* The second sector's turns begin when the pipeline has taken the first one's 8 words, four cycles
 * later: its own have ended by then. */
START_TEST(words_of_a_slow_pipeline_have_no_turns_in_between)
{
    static const Request requests[] = {
        {.at = 10, .line = 5, .lanes = 0xffff, .stride = 4, .back = 10 + MISS + 4}};
    g_autoptr(Rig) rig = rig_new("lanes = 2", 16);
    RUN(rig, requests);
    ck_assert_uint_eq(unit_booked(rig->rop, "pipe"), 8);
    ck_assert_uint_eq(unit_booked(rig->rop, "word_turns"), 1 + 1);
}
END_TEST

enum { MANY = 40 };

START_TEST(one_word_that_all_want_has_its_turns_without_a_gap)
{
    Request requests[MANY + 1] = {{.at = 10, .line = 5, .lanes = ONE, .back = 10 + MISS}};
    for (guint i = 0; i < MANY; i++)
        requests[i + 1] =
            (Request){.at = 300 + i, .line = 5, .lanes = ONE, .back = 300 + HIT + i * 9};
    g_autoptr(Rig) rig = rig_new("interval = 9 cycles", 16);
    RUN(rig, requests);
    ck_assert_uint_eq(unit_booked(rig->rop, "word_turns"), 9 * (MANY + 1));
    ck_assert_uint_eq(unit_booked(rig->rop, "pipe"), MANY + 1);
    assert_places_are_empty(rig->rop);
}
END_TEST

/* An entry is held from the first fetch until the last result: 113 - 11, and 10 in the pipeline. */
START_TEST(without_a_cache_an_entry_is_held_for_the_whole_round_trip)
{
    static const Request requests[] = {{.at = 10, .line = 5, .lanes = ONE, .back = 10 + MISS}};
    g_autoptr(Rig) rig = rig_new("cache_entries = 0", 16);
    RUN(rig, requests);
    ck_assert_uint_eq(unit_work(rig->rop, "fetching"), 112);
    ck_assert_uint_eq(unit_booked(rig->rop, "word_turns"), 0);
    assert_places_are_empty(rig->rop);
}
END_TEST

HARNESS_MAIN("rop_resources", a_miss_holds_an_entry_a_way_and_then_a_place_in_the_pipeline,
             a_request_takes_the_pipeline_for_its_words_and_each_word_for_an_interval,
             words_of_a_slow_pipeline_have_no_turns_in_between,
             one_word_that_all_want_has_its_turns_without_a_gap,
             without_a_cache_an_entry_is_held_for_the_whole_round_trip)
