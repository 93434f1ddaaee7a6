#include "l1_rig.h"

START_TEST(second_read_of_a_line_hits)
{
    static const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS},
                                     {.at = 200, .line = 5, .back = 200 + HIT}};
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "hits"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "misses"), 1);
    ck_assert_uint_eq(rig->l2->seen->len, 1);
    ck_assert_uint_eq(far_side_seen(rig->l2, 0)->cycle, 10 + 1 + 4 + 1);
}
END_TEST

START_TEST(hit_and_miss_take_the_latencies_that_are_set)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 5, .back = 10 + 1 + 9 + 1 + 100 + 1 + 30 + 1},
        {.at = 200, .line = 5, .back = 200 + 1 + 30 + 1}};
    g_autoptr(Rig) rig = rig_new("hit_latency = 30 cycles; miss_latency = 9 cycles", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(far_side_seen(rig->l2, 0)->cycle, 10 + 1 + 9 + 1);
}
END_TEST

START_TEST(stages_of_a_hit_and_of_a_miss_add_up)
{
    static const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS},
                                     {.at = 200, .line = 5, .back = 200 + HIT}};
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    const StageSums *hit = unit_stages(rig->l1, "stages_load_l1_hit");
    ck_assert_uint_eq(hit->stage[STAGE_ISSUE], 1 * TIME_NS);
    ck_assert_uint_eq(hit->stage[STAGE_L1_TAG], 16 * TIME_NS);
    ck_assert_uint_eq(hit->stage[STAGE_WRITEBACK], 1 * TIME_NS);
    const StageSums *miss = unit_stages(rig->l1, "stages_load_l2_hit");
    ck_assert_uint_eq(miss->stage[STAGE_L1_TAG], 4 * TIME_NS);
    ck_assert_uint_eq(miss->stage[STAGE_REQUEST_WIRE], 102 * TIME_NS); /* 1 + 100 + 1 */
    ck_assert_uint_eq(miss->stage[STAGE_FILL], 16 * TIME_NS);
    ck_assert_uint_eq(miss->stage[STAGE_WRITEBACK], 1 * TIME_NS);
}
END_TEST

START_TEST(one_line_is_looked_up_in_an_interval)
{
    static const Lookup lookups[] = {{.at = 10, .line = 0, .back = 10 + MISS},
                                     {.at = 11, .line = 1, .back = 13 + MISS},
                                     {.at = 10, .line = 2, .back = 16 + MISS}};
    g_autoptr(Rig) rig = rig_new("lookup_interval = 3 cycles", 0);
    RUN(rig, lookups);
    assert_little(rig->l1, "queue");
    ck_assert_uint_eq(unit_level(rig->l1, "queue")->stay, (2 + 5) * TIME_NS);
}
END_TEST

START_TEST(reads_of_a_line_under_way_wait_for_its_fill)
{
    static const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS},
                                     {.at = 20, .line = 5, .back = 10 + MISS},
                                     {.at = 116, .line = 5, .back = 10 + MISS}};
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "merged"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "hits"), 1); /* looked up as the fill comes, at 117 */
    ck_assert_uint_eq(unit_count(rig->l1, "line_transactions"), 2);
    const StageSums *merged = unit_stages(rig->l1, "stages_load_merged");
    ck_assert_uint_eq(merged->count, 1);
    ck_assert_uint_eq(merged->stage[STAGE_REQUEST_WIRE], 96 * TIME_NS); /* from 21 to 117 */
}
END_TEST

/* The third finds the one place for waiting taken, until the fill is there at 117; then it hits,
 * and the fourth a cycle after it. */
START_TEST(a_read_beyond_the_merge_limit_is_refused_and_replayed)
{
    static const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS},
                                     {.at = 11, .line = 5, .back = 10 + MISS},
                                     {.at = 12, .line = 5, .back = 117 - 1 + HIT},
                                     {.at = 13, .line = 5, .back = 118 - 1 + HIT}};
    g_autoptr(Rig) rig = rig_new("prt_merges = 1", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_merge"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "merged"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "hits"), 2);
    const StageSums *hit = unit_stages(rig->l1, "stages_load_l1_hit");
    ck_assert_uint_eq(hit->stage[STAGE_REPLAY], (117 - 13) * TIME_NS);
}
END_TEST

START_TEST(a_miss_without_an_entry_in_the_table_is_refused_and_replayed)
{
    static const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS},
                                     {.at = 11, .line = 6, .back = 10 + FILL - 1 + MISS}};
    g_autoptr(Rig) rig = rig_new("prt_entries = 1", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_prt"), 1);
    ck_assert_uint_eq(unit_level(rig->l1, "prt")->maximum, 1);
    ck_assert_uint_eq(unit_stages(rig->l1, "stages_load_l2_hit")->stage[STAGE_REPLAY],
                      (117 - 12) * TIME_NS);
}
END_TEST

/* Two ways: lines 0, 4, 8 are of one set, line 1 of another. */
START_TEST(a_miss_in_a_set_that_is_being_filled_is_refused_and_replayed)
{
    static const Lookup lookups[] = {{.at = 10, .line = 0, .back = 10 + MISS},
                                     {.at = 11, .line = 4, .back = 11 + MISS},
                                     {.at = 12, .line = 8, .back = 10 + FILL - 1 + MISS},
                                     {.at = 13, .line = 1, .back = 10 + FILL + MISS}};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB; sets = 4", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_set"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "misses"), 4);
}
END_TEST

/* One place into the network: taken from 11 (the first is sent at 15), free again at 17. */
START_TEST(a_miss_that_the_network_refuses_goes_when_there_is_room)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 5, .back = 10 + MISS},
        {.at = 11, .line = 6, .back = 17 - 1 + MISS},
        {.at = 300, .line = 6, .type = TRANSACTION_WRITE, .back = 300 + STORE},
        {.at = 301, .line = 7, .type = TRANSACTION_WRITE, .back = 307 - 1 + STORE}};
    g_autoptr(Rig) rig = rig_new("", 1);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_network"), 2);
    ck_assert_uint_eq(unit_stages(rig->l1, "stages_load_l2_hit")->stage[STAGE_REPLAY],
                      (17 - 12) * TIME_NS);
}
END_TEST

START_TEST(only_sectors_that_are_missing_are_requested)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 5, .sectors = 1, .back = 10 + MISS},
        {.at = 200, .line = 5, .sectors = 7, .back = 200 + MISS},
        {.at = 400, .line = 5, .sectors = 7, .back = 400 + HIT},
        {.at = 500, .line = 5, .sectors = 15, .back = 500 + MISS},
    };
    static const uint16_t requested[] = {1, 6, 8};
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(rig->l2->seen->len, 3);
    for (guint i = 0; i < 3; i++)
        ck_assert_uint_eq(far_side_transaction(rig->l2, i)->sectors, requested[i]);
    ck_assert_uint_eq(unit_bytes(rig->l1, "bytes_from_network"), 4 * 32);
    ck_assert_uint_eq(unit_bytes(rig->l1, "bytes_requested"), 4 * 32);
}
END_TEST

/* Sector 0 is there and sector 1 under way since 200: nothing more to ask for at 210. At 220,
 * sector 3 is neither. */
START_TEST(a_read_waits_for_the_sectors_under_way_and_takes_the_others_from_here)
{
    static const Lookup lookups[] = {{.at = 10, .line = 5, .sectors = 1, .back = 10 + MISS},
                                     {.at = 200, .line = 5, .sectors = 2, .back = 200 + MISS},
                                     {.at = 210, .line = 5, .sectors = 3, .back = 200 + MISS},
                                     {.at = 220, .line = 5, .sectors = 9, .back = 220 + MISS}};
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(rig->l2->seen->len, 3);
    ck_assert_uint_eq(far_side_transaction(rig->l2, 2)->sectors, 8);
    ck_assert_uint_eq(unit_count(rig->l1, "merged"), 1);
}
END_TEST

START_TEST(stores_write_through_and_do_not_allocate)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 5, .sectors = 3, .type = TRANSACTION_WRITE, .back = 10 + STORE},
        {.at = 200, .line = 5, .back = 200 + MISS},
        {.at = 400, .line = 5, .type = TRANSACTION_WRITE, .back = 400 + STORE},
        {.at = 599, .line = 6, .type = TRANSACTION_WRITE, .back = 599 + STORE},
        {.at = 600, .line = 5, .back = 600 + HIT}, /* still there, held up by nobody */
    };
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "writes"), 3);
    ck_assert_uint_eq(unit_count(rig->l1, "misses"), 1);
    ck_assert_int_eq(far_side_transaction(rig->l2, 0)->type, TRANSACTION_WRITE);
    ck_assert_uint_eq(far_side_transaction(rig->l2, 0)->sectors, 3);
    ck_assert_uint_eq(unit_bytes(rig->l1, "bytes_to_network"), 10 * 32);
    ck_assert_uint_eq(unit_stages(rig->l1, "stages_store")->count, 3);
}
END_TEST

START_TEST(acknowledgements_complete_stores_and_fills_complete_loads)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 1, .type = TRANSACTION_WRITE, .back = 10 + STORE},
        {.at = 20, .line = 2, .type = TRANSACTION_WRITE, .back = 20 + STORE},
        {.at = 30, .line = 3, .back = 30 + MISS},
    };
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_level(rig->l1, "stores_outstanding")->maximum, 2);
    assert_little(rig->l1, "stores_outstanding");
    assert_little(rig->l1, "prt");
    ck_assert_uint_eq(unit_count(rig->l1, "replies"), 3);
    ck_assert_uint_eq(heard_of(rig, 0, true), 10 + LEFT);
    ck_assert_uint_eq(unit_histogram(rig->l1, "miss_latency_seen")->sum, 106 * TIME_NS);
}
END_TEST

/* The atomic's value is here at 307, behind a hit that is written to the registers at 317. */
START_TEST(atomics_go_to_L2_and_their_values_come_back_in_order)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 5, .back = 10 + MISS},
        {.at = 150, .line = 5, .type = TRANSACTION_ATOMIC, .back = 150 + STORE},
        {.at = 300 - 100, .line = 5, .type = TRANSACTION_ATOMIC, .back = 300 + HIT},
        {.at = 300, .line = 5, .back = 300 + HIT},
    };
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "atomics"), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "hits"), 1);
    ck_assert_uint_eq(unit_stages(rig->l1, "stages_atomic")->count, 2);
}
END_TEST

START_TEST(an_instruction_returns_with_its_last_line)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 1, .back = 10 + MISS},
        {.at = 200, .line = 1, .more = 2, .back = 202 + MISS},
        {.at = 201, .line = 2},
        {.at = 202, .line = 3},
        {.at = 400, .line = 4, .more = 1, .type = TRANSACTION_WRITE, .back = 403 + STORE},
        {.at = 403, .line = 5, .type = TRANSACTION_WRITE},
    };
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(harness_arrivals(rig->sink), 4);
    ck_assert_uint_eq(heard_of(rig, 4, true), 403 + LEFT);
}
END_TEST

START_TEST(loads_with_the_L2_only_hint_pass_by)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 5, .hint = CACHE_L2_ONLY, .back = 10 + MISS},
        {.at = 200, .line = 5, .back = 200 + MISS}, /* was not filled */
        {.at = 400, .line = 5, .hint = CACHE_L2_ONLY, .back = 400 + MISS},
    };
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "misses"), 3);
}
END_TEST

START_TEST(nothing_hits_in_a_cache_that_is_not_enabled)
{
    static const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS},
                                     {.at = 200, .line = 5, .back = 200 + MISS}};
    g_autoptr(Rig) rig = rig_new("enabled = no", 0);
    RUN(rig, lookups); /* both miss */
}
END_TEST

START_TEST(a_kernel_finds_the_cache_empty_unless_it_keeps_it)
{
    static const KernelStart starts[] = {
        {.at = 150, .launch = {.keep_l1 = true, .caches = CACHES_WARM}},
        {.at = 300, .launch = {.keep_l1 = false, .caches = CACHES_WARM}},
        {.at = 600, .launch = {.keep_l1 = true, .caches = CACHES_COLD}},
    };
    static const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS},
                                     {.at = 200, .line = 5, .back = 200 + HIT},
                                     {.at = 400, .line = 5, .back = 400 + MISS},
                                     {.at = 700, .line = 5, .back = 700 + MISS}};
    g_autoptr(Rig) rig = rig_new("", 0);
    rig->starts = starts;
    rig->start_count = G_N_ELEMENTS(starts);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "invalidations"), 2);
}
END_TEST

START_TEST(a_capacity_that_is_not_whole_sets_is_refused)
{
    g_autoptr(Rig) rig = rig_new("capacity = 1280 B; sets = 4", 0);
    g_autoptr(GError) error = harness_run_for_error(rig->harness);
    ck_assert_ptr_nonnull(error);
    ck_assert_ptr_nonnull(strstr(error->message, "l1.capacity = 1280 B"));
}
END_TEST

HARNESS_MAIN("l1", second_read_of_a_line_hits, hit_and_miss_take_the_latencies_that_are_set,
             stages_of_a_hit_and_of_a_miss_add_up, one_line_is_looked_up_in_an_interval,
             reads_of_a_line_under_way_wait_for_its_fill,
             a_read_beyond_the_merge_limit_is_refused_and_replayed,
             a_miss_without_an_entry_in_the_table_is_refused_and_replayed,
             a_miss_in_a_set_that_is_being_filled_is_refused_and_replayed,
             a_miss_that_the_network_refuses_goes_when_there_is_room,
             only_sectors_that_are_missing_are_requested,
             a_read_waits_for_the_sectors_under_way_and_takes_the_others_from_here,
             stores_write_through_and_do_not_allocate,
             acknowledgements_complete_stores_and_fills_complete_loads,
             atomics_go_to_L2_and_their_values_come_back_in_order,
             an_instruction_returns_with_its_last_line, loads_with_the_L2_only_hint_pass_by,
             nothing_hits_in_a_cache_that_is_not_enabled,
             a_kernel_finds_the_cache_empty_unless_it_keeps_it,
             a_capacity_that_is_not_whole_sets_is_refused)
