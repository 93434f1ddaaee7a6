/* Refusals and replays, the instruction buffer, the pending request table. See rig.h for the
 * times; a fill books the array for a pass of each who waited, and the arbiter takes nothing as
 * long. */
#include "rig.h"

/* --- merges and refusals --- */

/* The third is looked up when the two have been served. */
START_TEST(reads_of_a_line_under_way_wait_for_its_fill)
{
    static const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS},
                                     {.at = 20, .line = 5, .back = 11 + MISS},
                                     {.at = 116, .line = 5, .back = 119 - 1 + HIT}};
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "merged"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "misses"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "hits"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "fills"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "line_transactions"), 2);
    ck_assert_uint_eq(unit_stages(rig->l1, "stages_load_merged")->count, 1);
    ck_assert_uint_eq(stage_cycles(rig, "stages_load_merged", STAGE_REQUEST_WIRE), 117 - 21);
    ck_assert_uint_eq(stage_cycles(rig, "stages_load_merged", STAGE_FILL), 17);
    ck_assert_uint_eq(unit_histogram(rig->l1, "miss_latency_seen")->sum, 106 * TIME_NS);
}
END_TEST

/* One may wait besides the first; when they are served, the others hit one after the other. Until
 * then two refusals, two cycles in which the fill has the array, one in which the first is read. */
START_TEST(a_read_beyond_the_merge_limit_is_refused_and_replayed)
{
    static const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS},
                                     {.at = 11, .line = 5, .back = 11 + MISS},
                                     {.at = 12, .line = 5, .back = 119 - 1 + HIT},
                                     {.at = 13, .line = 5, .back = 120 - 1 + HIT}};
    g_autoptr(Rig) rig = rig_new("prt_merges = 1", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_merge"), 2);
    ck_assert_uint_eq(unit_refused(rig->l1, "merge_room"), 2);
    ck_assert_uint_eq(unit_work(rig->l1, "merge_room"), 117 - 12);
    ck_assert_uint_eq(unit_count(rig->l1, "merged"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "hits"), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "replays"), 2 + 2 + 1);
    ck_assert_uint_eq(unit_count(rig->l1, "wasted_replays"), 2 + 2 + 1);
    ck_assert_uint_eq(stage_cycles(rig, "stages_load_l1_hit", STAGE_REPLAY),
                      (119 - 13) + (120 - 14));
    ck_assert_uint_eq(unit_level(rig->l1, "replay_room")->stay,
                      ((119 - 13) + (120 - 14)) * TIME_NS);
}
END_TEST

static const WarpAccess *answered(const Rig *rig, uint64_t number)
{
    return (const WarpAccess *)harness_arrival(rig->sink, number)->message;
}

START_TEST(a_miss_without_an_entry_in_the_table_is_refused_and_replayed)
{
    static const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS},
                                     {.at = 11, .line = 6, .back = 118 - 1 + MISS}};
    g_autoptr(Rig) rig = rig_new("prt_entries = 1", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_prt"), 1);
    ck_assert_uint_eq(answered(rig, 0)->refused, REFUSED_NOT);
    ck_assert_uint_eq(answered(rig, 1)->refused, REFUSED_PRT);
    ck_assert_uint_eq(unit_level(rig->l1, "prt")->maximum, 1);
    ck_assert_uint_eq(unit_refused(rig->l1, "prt"), 1);
    ck_assert_uint_eq(unit_full(rig->l1, "prt"), 117 - 11 + 224 - 118);
    ck_assert_uint_eq(stage_cycles(rig, "stages_load_l2_hit", STAGE_REPLAY), 118 - 12);
}
END_TEST

/* Two ways: lines 0, 4, 8 are of one set, line 1 of another and not held up. Lines 0 and 4 are here
 * at 117 and 118, their passes over at 119. */
START_TEST(a_miss_in_a_set_that_is_being_filled_is_refused_and_replayed)
{
    static const Lookup lookups[] = {{.at = 10, .line = 0, .back = 10 + MISS},
                                     {.at = 11, .line = 4, .back = 11 + MISS},
                                     {.at = 12, .line = 8, .back = 119 - 1 + MISS},
                                     {.at = 13, .line = 1, .back = 13 + MISS}};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB; sets = 4", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_set"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "misses"), 4);
}
END_TEST

/* One place into the network: taken from 11 (the first is sent at 15), free again at 17. */
START_TEST(a_miss_that_the_network_refuses_goes_when_there_is_room)
{
    static const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS},
                                     {.at = 11, .line = 6, .back = 17 - 1 + MISS}};
    g_autoptr(Rig) rig = rig_new("", 1);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_network"), 1);
    ck_assert_uint_eq(stage_cycles(rig, "stages_load_l2_hit", STAGE_REPLAY), 17 - 12);
}
END_TEST

/* Lanes 12 bytes apart want lines 1 to 3; the table has room for one at a time. Fills at 117, 224
 * and 331; each next line is looked up a cycle later, in which the fill is read. */
START_TEST(an_access_is_served_line_by_line_when_there_is_no_room)
{
    static const Lookup lookups[] = {{.at = 10, .line = 1, .stride = 12, .back = 331 + 17}};
    g_autoptr(Rig) rig = rig_new("prt_entries = 1", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_prt"), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "misses"), 3);
    ck_assert_uint_eq(unit_count(rig->l1, "wavefronts"), 3);
    ck_assert_uint_eq(unit_count(rig->l1, "replays"), 2 + 2);
    ck_assert_uint_eq(unit_count(rig->l1, "wasted_replays"), 2);
    const StageSums *miss = unit_stages(rig->l1, "stages_load_l2_hit");
    ck_assert_uint_eq(miss->stage[STAGE_REPLAY], (118 - 11 + 225 - 118) * TIME_NS);
    ck_assert_uint_eq(miss->stage[STAGE_COALESCE], (3 + 0 + 118 - 11) * TIME_NS);
}
END_TEST

/* Line 1 hits at 203, line 2 is under way and nobody may join it, line 3 waits behind. Lines 2 and
 * 3 hit at 308, in a pass each: the second pass is over at 309. */
START_TEST(the_rest_of_a_wavefront_takes_its_own_passes)
{
    static const Lookup lookups[] = {{.at = 10, .line = 1, .back = 10 + MISS},
                                     {.at = 20, .line = 3, .back = 20 + MISS},
                                     {.at = 200, .line = 2, .back = 200 + MISS},
                                     {.at = 202, .line = 1, .stride = 12, .back = 309 + 17}};
    g_autoptr(Rig) rig = rig_new("prt_merges = 0", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "hits"), 3);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_merge"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "data_passes"), 3 + 3);
}
END_TEST

/* With ideal banks, too: lines 2, 3 and 4 are as wide as the path each. */
START_TEST(with_ideal_banks_the_rest_takes_passes_for_its_bytes)
{
    static const Lookup lookups[] = {{.at = 10, .line = 1, .back = 10 + MISS},
                                     {.at = 20, .line = 3, .back = 20 + MISS},
                                     {.at = 30, .line = 4, .back = 30 + MISS},
                                     {.at = 200, .line = 2, .back = 200 + MISS},
                                     {.at = 202, .line = 1, .width = 16, .back = 310 + 17}};
    g_autoptr(Rig) rig = rig_new("prt_merges = 0; ideal_banks = yes", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_merge"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "data_passes"), 4 + 4);
}
END_TEST

/* Two half-warps, one in line 10, which is there, and one in line 11, which is under way. The first
 * is read in a pass, at 203, so that the access behind is looked up at 204. */
START_TEST(the_beginning_of_a_wavefront_takes_its_own_passes)
{
    static const Lookup lookups[] = {{.at = 10, .line = 10, .back = 10 + MISS},
                                     {.at = 200, .line = 11, .back = 200 + MISS},
                                     {.at = 202, .line = 10, .width = 8, .back = 308 + 17},
                                     {.at = 202, .line = 10, .back = 204 + 17}};
    g_autoptr(Rig) rig = rig_new("prt_merges = 0", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_merge"), 1);
}
END_TEST

/* The store is acknowledged at 312, at which the load of line 2 is tried again, in vain. The hit
 * that comes at the same time is looked up all the same. At 317 the fill has the array. */
START_TEST(a_refusal_takes_no_look_up)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 5, .back = 10 + MISS},
        {.at = 205, .line = 50, .operation = STORES, .back = 205 + STORE},
        {.at = 210, .line = 1, .back = 210 + MISS},
        {.at = 211, .line = 2, .back = 318 - 1 + MISS},
        {.at = 311, .line = 5, .back = 311 + HIT}};
    g_autoptr(Rig) rig = rig_new("prt_entries = 1", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_prt"), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "replays"), 2 + 1);
}
END_TEST

/* --- the instruction buffer --- */

/* Line 1 is there. Line 2 takes the only entry until 307, when its fill takes the array; line 3 is
 * refused, comes in vain then, and is served at 308. The hit behind it passes if the buffer has
 * room for a further access, and waits until 309 if not. */
static const struct {
    const char *settings;
    uint64_t hit;
    bool waits;
    uint64_t maximum;
} buffers[] = {{"prt_entries = 1; replay_entries = 0", 203 - 1 + HIT, false, 2},
               {"prt_entries = 1; replay_entries = 2", 203 - 1 + HIT, false, 2},
               {"prt_entries = 1; replay_entries = 1", 309 - 1 + HIT, true, 1}};

START_TEST(hits_pass_a_refused_miss_while_the_instruction_buffer_has_room)
{
    const Lookup lookups[] = {{.at = 10, .line = 1, .back = 10 + MISS},
                              {.at = 200, .line = 2, .back = 200 + MISS},
                              {.at = 201, .line = 3, .back = 308 - 1 + MISS},
                              {.at = 202, .line = 1, .back = buffers[_i].hit}};
    g_autoptr(Rig) rig = rig_new(buffers[_i].settings, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_level(rig->l1, "replay_room")->maximum, buffers[_i].maximum);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_prt"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "replays"), 1 + 1);
    ck_assert_int_eq(unit_count(rig->l1, "refused_room") > 0, buffers[_i].waits);
}
END_TEST

/* The table is full from 201 to 307, when the fill takes the array: the hit passes, or is refused
 * like a miss and goes a cycle later. */
static const struct {
    const char *settings;
    uint64_t hit, refused;
} checks[] = {{"prt_entries = 1", 202 - 1 + HIT, 0},
              {"prt_entries = 1; resource_check = first", 308 - 1 + HIT, 1}};

START_TEST(a_full_table_may_refuse_hits_as_well)
{
    const Lookup lookups[] = {{.at = 10, .line = 1, .back = 10 + MISS},
                              {.at = 200, .line = 2, .back = 200 + MISS},
                              {.at = 201, .line = 1, .back = checks[_i].hit}};
    g_autoptr(Rig) rig = rig_new(checks[_i].settings, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_prt"), checks[_i].refused);
}
END_TEST

/* Both ways of a set are being filled, until 117 and 118: one who wants the first of these lines
 * joins its miss, or is refused, and hits when the array has been read for both. */
static const struct {
    const char *settings;
    uint64_t back, refused, hits;
} filled[] = {{"capacity = 1 KiB", 10 + 1 + MISS, 0, 0},
              {"capacity = 1 KiB; resource_check = first", 119 - 1 + HIT, 1, 1}};

START_TEST(a_set_that_is_being_filled_may_refuse_all)
{
    const Lookup lookups[] = {{.at = 10, .line = 0, .back = 10 + MISS},
                              {.at = 11, .line = 4, .back = ANY},
                              {.at = 12, .line = 0, .back = filled[_i].back}};
    g_autoptr(Rig) rig = rig_new(filled[_i].settings, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_set") > 0, filled[_i].refused);
    ck_assert_uint_eq(unit_count(rig->l1, "hits"), filled[_i].hits);
    ck_assert_uint_eq(unit_count(rig->l1, "merged"), 1 - filled[_i].hits);
}
END_TEST

/* Ten misses and one entry: each fill serves the oldest, a cycle later; 107 cycles each. With one
 * place in the buffer, the others wait in the port. */
static const struct {
    const char *settings;
    uint64_t maximum;
} depths[] = {{"prt_entries = 1; replay_entries = 0", 9},
              {"prt_entries = 1; replay_entries = 4", 4},
              {"prt_entries = 1; replay_entries = 1", 1}};

START_TEST(the_oldest_refused_access_is_served_first)
{
    Lookup lookups[10];
    for (guint i = 0; i < 10; i++)
        lookups[i] = (Lookup){.at = 10 + i, .line = 7 * i, .back = 10 + 107 * i + MISS};
    g_autoptr(Rig) rig = rig_new(depths[_i].settings, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_level(rig->l1, "replay_room")->maximum, depths[_i].maximum);
    for (guint i = 0; i < 10; i++)
        ck_assert_uint_eq(far_side_transaction(rig->l2, i)->line, 7 * i * 128);
}
END_TEST

/* --- the pending request table --- */

static uint64_t line_1_is_slow(const Transaction *transaction)
{
    return transaction->line == 128 ? 200 : 100;
}

/* Line 1 is back at 217, line 2 at 118. In order, line 2 waits for line 1, somebody may join it
 * meanwhile (who cannot hit, it is not cached), and its entry is not free: line 3 is looked up when
 * the three have been served. */
START_TEST(misses_return_as_they_come_back)
{
    static const Lookup lookups[] = {{.at = 10, .line = 1, .back = 217 + 17},
                                     {.at = 11, .line = 2, .back = 11 + MISS},
                                     {.at = 150, .line = 2, .back = 150 + HIT},
                                     {.at = 160, .line = 3, .back = 160 + MISS}};
    g_autoptr(Rig) rig = rig_new("prt_entries = 2", 0);
    rig->l2->latency_of = line_1_is_slow;
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "held_in_order"), 0);
}
END_TEST

START_TEST(misses_may_have_to_return_in_the_order_of_their_requests)
{
    static const Lookup lookups[] = {{.at = 10, .line = 1, .back = 217 + 17},
                                     {.at = 11, .line = 2, .hint = CACHE_L2_ONLY, .back = 235},
                                     {.at = 150, .line = 2, .hint = CACHE_L2_ONLY, .back = 236},
                                     {.at = 160, .line = 3, .back = 220 - 1 + MISS}};
    g_autoptr(Rig) rig = rig_new("prt_entries = 2; return_order = in_order", 0);
    rig->l2->latency_of = line_1_is_slow;
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "held_in_order"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "merged"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_prt"), 1);
    ck_assert_uint_eq(stage_cycles(rig, "stages_load_l2_hit", STAGE_PRT_WAIT), 217 - 118);
    ck_assert_uint_eq(stage_cycles(rig, "stages_load_merged", STAGE_PRT_WAIT), 217 - 151);
    ck_assert_uint_eq(unit_level(rig->l1, "prt")->stay,
                      (217 - 11 + 217 - 12 + 326 - 220) * TIME_NS);
    /* the time in L2 is what it was: 206, 106 and 106 */
    ck_assert_uint_eq(unit_histogram(rig->l1, "miss_latency_seen")->sum, 418 * TIME_NS);
}
END_TEST

/* What is held back is who asked; the line is there. */
START_TEST(a_line_whose_miss_is_held_back_hits)
{
    static const Lookup lookups[] = {{.at = 10, .line = 1, .back = 217 + 17},
                                     {.at = 11, .line = 2, .back = 218 + 17},
                                     {.at = 150, .line = 2, .back = 150 + HIT}};
    g_autoptr(Rig) rig = rig_new("return_order = in_order", 0);
    rig->l2->latency_of = line_1_is_slow;
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "hits"), 1);
}
END_TEST

static uint64_t line_0_is_slow(const Transaction *transaction)
{
    return transaction->line == 0 ? 200 : 100;
}

/* Two ways for lines 0, 4 and 8. Line 4 is here at 118, but who waits for it may read it at 217
 * only, so that it must stay. */
START_TEST(a_line_is_locked_until_those_who_wait_for_it_have_read_it)
{
    static const Lookup lookups[] = {{.at = 10, .line = 0, .back = 217 + 17},
                                     {.at = 11, .line = 4, .back = 218 + 17},
                                     {.at = 150, .line = 8, .back = 219 - 1 + MISS},
                                     {.at = 400, .line = 4, .back = 400 + HIT}};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB; return_order = in_order", 0);
    rig->l2->latency_of = line_0_is_slow;
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_set"), 1);
}
END_TEST

START_TEST(a_line_that_has_been_read_may_go)
{
    static const Lookup lookups[] = {{.at = 10, .line = 0, .back = 217 + 17},
                                     {.at = 11, .line = 4, .back = 11 + MISS},
                                     {.at = 150, .line = 8, .back = 150 + MISS},
                                     {.at = 400, .line = 4, .back = 400 + MISS}};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB", 0);
    rig->l2->latency_of = line_0_is_slow;
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_set"), 0);
}
END_TEST

static uint64_t sector_0_is_slow(const Transaction *transaction)
{
    return transaction->sectors == 1 ? 200 : 100;
}

/* Two requests for one line, of which the second is back first. */
START_TEST(a_fill_finds_its_waiters_by_the_number_of_its_entry)
{
    static const Lookup lookups[] = {{.at = 10, .line = 5, .mask = 0xff, .back = 217 + 17},
                                     {.at = 11, .line = 5, .mask = 0xff00, .back = 11 + MISS},
                                     {.at = 12, .line = 5, .mask = 0xff, .back = 218 + 17},
                                     {.at = 150, .line = 5, .mask = 0xff00, .back = 150 + HIT},
                                     {.at = 160, .line = 5, .mask = 0xff, .back = 219 + 17}};
    g_autoptr(Rig) rig = rig_new("", 0);
    rig->l2->latency_of = sector_0_is_slow;
    RUN(rig, lookups);
    ck_assert_uint_eq(far_side_transaction(rig->l2, 0)->message.entry, 0);
    ck_assert_uint_eq(far_side_transaction(rig->l2, 1)->message.entry, 1);
    ck_assert_uint_eq(unit_count(rig->l1, "merged"), 2);
    ck_assert_uint_eq(unit_level(rig->l1, "prt")->maximum, 2);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("l1_replay");
    tcase_add_test(cases, reads_of_a_line_under_way_wait_for_its_fill);
    tcase_add_test(cases, a_read_beyond_the_merge_limit_is_refused_and_replayed);
    tcase_add_test(cases, a_miss_without_an_entry_in_the_table_is_refused_and_replayed);
    tcase_add_test(cases, a_miss_in_a_set_that_is_being_filled_is_refused_and_replayed);
    tcase_add_test(cases, a_miss_that_the_network_refuses_goes_when_there_is_room);
    tcase_add_test(cases, an_access_is_served_line_by_line_when_there_is_no_room);
    tcase_add_test(cases, the_rest_of_a_wavefront_takes_its_own_passes);
    tcase_add_test(cases, with_ideal_banks_the_rest_takes_passes_for_its_bytes);
    tcase_add_test(cases, the_beginning_of_a_wavefront_takes_its_own_passes);
    tcase_add_test(cases, a_refusal_takes_no_look_up);
    tcase_add_loop_test(cases, hits_pass_a_refused_miss_while_the_instruction_buffer_has_room, 0,
                        G_N_ELEMENTS(buffers));
    tcase_add_loop_test(cases, a_full_table_may_refuse_hits_as_well, 0, G_N_ELEMENTS(checks));
    tcase_add_loop_test(cases, a_set_that_is_being_filled_may_refuse_all, 0, 2);
    tcase_add_loop_test(cases, the_oldest_refused_access_is_served_first, 0, G_N_ELEMENTS(depths));
    tcase_add_test(cases, misses_return_as_they_come_back);
    tcase_add_test(cases, misses_may_have_to_return_in_the_order_of_their_requests);
    tcase_add_test(cases, a_line_whose_miss_is_held_back_hits);
    tcase_add_test(cases, a_line_is_locked_until_those_who_wait_for_it_have_read_it);
    tcase_add_test(cases, a_line_that_has_been_read_may_go);
    tcase_add_test(cases, a_fill_finds_its_waiters_by_the_number_of_its_entry);
    return harness_run_cases("l1_replay", cases);
}
