/* Misses that are replayed: their room in the instruction buffer, their second look-up. See rig.h
 * for the times; alone, a miss takes as long as one that L1 reads by itself. */
#include "rig.h"

#include "parts/cache/evicted_tags.h"

/* Looked up at 11 and, its line here, at 117. */
START_TEST(a_miss_is_looked_up_again_when_its_line_is_here)
{
    static const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS},
                                     {.at = 200, .line = 5, .back = 200 + HIT}};
    g_autoptr(Rig) rig = rig_new("miss_replay = yes", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "accesses"), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "misses"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "wavefronts"), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "replayed_lines"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "replays"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "wasted_replays"), 0);
    ck_assert_uint_eq(unit_level(rig->l1, "replay_room")->stay, (117 - 11) * TIME_NS);
}
END_TEST

/* Tags take a wavefront in 8 cycles. The line is here at 117, when a hit comes as well: it is
 * looked up before the miss has been read, or after its turn. */
static const struct {
    const char *settings;
    uint64_t hit;
} turns[] = {{"lookup_interval = 8 cycles; miss_replay = no", 118 - 1 + HIT},
             {"lookup_interval = 8 cycles; miss_replay = yes", 125 - 1 + HIT}};

START_TEST(a_replayed_miss_takes_its_turn_at_the_arbiter)
{
    const Lookup lookups[] = {{.at = 1, .line = 6, .back = 1 + MISS},
                              {.at = 10, .line = 5, .back = 10 + MISS},
                              {.at = 116, .line = 6, .back = turns[_i].hit}};
    g_autoptr(Rig) rig = rig_new(turns[_i].settings, 0);
    RUN(rig, lookups);
}
END_TEST

/* With room for one, the second is looked up when the first has been read. */
static const struct {
    const char *settings;
    uint64_t second, third, most, replays;
} rooms[] = {
    {"miss_replay = yes; replay_entries = 1", 118 - 1 + MISS, 225 - 1 + MISS, 1, 3},
    {"miss_replay = yes; replay_entries = 2", 11 + MISS, 119 - 1 + MISS, 2, 4},
    {"miss_replay = yes; replay_entries = 0", 11 + MISS, 12 + MISS, 3, 3},
    {"miss_replay = no; replay_entries = 1", 11 + MISS, 12 + MISS, 1, 0},
};

START_TEST(misses_hold_their_room_in_the_instruction_buffer)
{
    const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS},
                              {.at = 11, .line = 6, .back = rooms[_i].second},
                              {.at = 12, .line = 7, .back = rooms[_i].third}};
    g_autoptr(Rig) rig = rig_new(rooms[_i].settings, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_level(rig->l1, "replay_room")->maximum, rooms[_i].most);
    ck_assert_uint_eq(unit_count(rig->l1, "replays"), rooms[_i].replays);
}
END_TEST

/* All three are here at 117. In that cycle and the next one of those left comes to the arbiter in
 * vain: the buffer writes one a cycle. */
START_TEST(those_who_wait_for_a_line_come_to_the_arbiter_together)
{
    static const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS},
                                     {.at = 11, .line = 5, .back = 11 + MISS},
                                     {.at = 12, .line = 5, .back = 12 + MISS}};
    g_autoptr(Rig) rig = rig_new("miss_replay = yes", 0);
    const Lookup expected[] = {lookups[0],
                               {.at = 11, .line = 5, .back = 118 + 17},
                               {.at = 12, .line = 5, .back = 119 + 17}};
    RUN(rig, expected);
    ck_assert_uint_eq(unit_count(rig->l1, "merged"), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "replays"), 3 + 2);
    ck_assert_uint_eq(unit_count(rig->l1, "wasted_replays"), 2);
    ck_assert_uint_eq(stage_cycles(rig, "stages_load_merged", STAGE_REPLAY), 1 + 2);
}
END_TEST

/* Lanes 12 bytes apart want lines 1 to 3, of which 2 is there: looked up together, the others once
 * more each. */
START_TEST(each_line_that_was_missing_is_replayed)
{
    static const Lookup lookups[] = {{.at = 10, .line = 2, .back = 10 + MISS},
                                     {.at = 200, .line = 1, .stride = 12, .back = ANY}};
    g_autoptr(Rig) rig = rig_new("miss_replay = yes", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "misses"), 1 + 2);
    ck_assert_uint_eq(unit_count(rig->l1, "hits"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "wavefronts"), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "replayed_lines"), 1 + 2);
    ck_assert_uint_eq(unit_count(rig->l1, "replays"), 3);
    ck_assert_uint_eq(harness_arrivals(rig->sink), 2);
}
END_TEST

/* Sixteen banks read half of the line in a pass. The hit behind comes when the array is free. */
START_TEST(a_replayed_line_takes_its_passes_of_the_array)
{
    static const Lookup lookups[] = {{.at = 1, .line = 6, .back = 1 + MISS + 1},
                                     {.at = 10, .line = 5, .back = 10 + MISS + 1},
                                     {.at = 117, .line = 6, .back = 119 - 1 + HIT + 1}};
    g_autoptr(Rig) rig = rig_new("miss_replay = yes; data_banks = 16", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "data_passes"), 3 * 2);
}
END_TEST

static uint64_t line_1_is_slow(const Transaction *transaction)
{
    return transaction->line == 128 ? 200 : 100;
}

/* In order, lines 2 and 3 come with line 1, at 217. */
START_TEST(lines_that_come_together_are_read_one_after_the_other)
{
    static const Lookup lookups[] = {{.at = 10, .line = 1, .stride = 12, .back = 219 + 17}};
    g_autoptr(Rig) rig = rig_new("miss_replay = yes; return_order = in_order", 0);
    rig->l2->latency_of = line_1_is_slow;
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "replayed_lines"), 3);
    ck_assert_uint_eq(unit_count(rig->l1, "replays"), 3);
}
END_TEST

static uint64_t line_4_is_slow(const Transaction *transaction)
{
    return transaction->line == 4 * 128 ? 200 : 100;
}

/* Two ways for lines 0, 4 and 8. Line 0 is here at 117 for two accesses, read at 117 and 118; line
 * 8, whose access is older than the second, finds no place before. */
START_TEST(a_line_is_locked_until_the_last_replay_has_read_it)
{
    static const Lookup lookups[] = {{.at = 10, .line = 0, .back = 10 + MISS},
                                     {.at = 11, .line = 4, .back = 218 + 17},
                                     {.at = 12, .line = 8, .back = 119 - 1 + MISS},
                                     {.at = 13, .line = 0, .back = 118 + 17}};
    g_autoptr(Rig) rig = rig_new("miss_replay = yes; capacity = 1 KiB", 0);
    rig->l2->latency_of = line_4_is_slow;
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_set"), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "misses"), 3);
}
END_TEST

/* The rest of an access is looked up although lines of it are under way, with room for one. */
START_TEST(lines_are_asked_for_while_others_of_the_access_are_under_way)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 1, .stride = 128, .mask = 0xff, .back = ANY}};
    g_autoptr(Rig) rig = rig_new("miss_replay = yes; replay_entries = 1; tag_banks = 1", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_level(rig->l1, "prt")->maximum, 8);
    ck_assert_uint_eq(unit_count(rig->l1, "replays"), 7 + 8);
}
END_TEST

/* Two ways for lines 0, 4 and 8: line 0 is evicted and comes back, and so does line 4, which is not
 * of the sample. */
START_TEST(a_line_that_was_evicted_and_comes_back_counts_for_the_sixteen_it_stands_for)
{
    static const Lookup lookups[] = {{.at = 10, .line = 0, .back = 10 + MISS},
                                     {.at = 200, .line = 4, .back = 200 + MISS},
                                     {.at = 400, .line = 8, .back = 400 + MISS},
                                     {.at = 600, .line = 0, .back = 600 + MISS},
                                     {.at = 800, .line = 4, .back = 800 + MISS}};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "brought"), 5);
    ck_assert_uint_eq(unit_count(rig->l1, "brought_back"), EVICTED_SAMPLE);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("l1_misses");
    tcase_add_test(cases, a_miss_is_looked_up_again_when_its_line_is_here);
    tcase_add_test(cases,
                   a_line_that_was_evicted_and_comes_back_counts_for_the_sixteen_it_stands_for);
    tcase_add_loop_test(cases, a_replayed_miss_takes_its_turn_at_the_arbiter, 0,
                        G_N_ELEMENTS(turns));
    tcase_add_loop_test(cases, misses_hold_their_room_in_the_instruction_buffer, 0,
                        G_N_ELEMENTS(rooms));
    tcase_add_test(cases, those_who_wait_for_a_line_come_to_the_arbiter_together);
    tcase_add_test(cases, each_line_that_was_missing_is_replayed);
    tcase_add_test(cases, a_replayed_line_takes_its_passes_of_the_array);
    tcase_add_test(cases, lines_that_come_together_are_read_one_after_the_other);
    tcase_add_test(cases, a_line_is_locked_until_the_last_replay_has_read_it);
    tcase_add_test(cases, lines_are_asked_for_while_others_of_the_access_are_under_way);
    return harness_run_cases("l1_misses", cases);
}
