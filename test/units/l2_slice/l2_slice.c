#include "rig.h"

START_TEST(a_miss_fetches_and_a_second_read_hits)
{
    static const Request requests[] = {{10, READ, 5, 15, 0, 10 + MISS},
                                       {200, READ, 5, 15, 0, 200 + HIT}};
    g_autoptr(Rig) rig = rig_new("", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "misses"), 1);
    ck_assert_uint_eq(unit_count(rig->slice, "hits"), 1);
    ck_assert_uint_eq(far_side_seen(rig->dram, 0)->cycle, 10 + 1 + 10 + 1);
    ck_assert_uint_eq(unit_histogram(rig->slice, "fill_latency_seen")->sum, 112 * TIME_NS);
    assert_little(rig->slice, "pending");
}
END_TEST

START_TEST(stages_say_where_hit_and_miss_spent_their_time)
{
    static const Request requests[] = {{10, READ, 5, 15, 0, 10 + MISS},
                                       {200, READ, 5, 15, 0, 200 + HIT}};
    g_autoptr(Rig) rig = rig_new("", (Surroundings){0});
    RUN(rig, requests);
    const Transaction *miss = harness_transaction(rig->sink, 0);
    const Transaction *hit = harness_transaction(rig->sink, 1);
    g_autofree char *of_miss = harness_stages(miss, (10 + MISS) * TIME_NS, rig->harness->clock);
    g_autofree char *of_hit = harness_stages(hit, (200 + HIT) * TIME_NS, rig->harness->clock);
    ck_assert_str_eq(of_miss, "issue 1 l2_tag 10 memory_wire 102 l2_tag 10 reply_wire 1");
    ck_assert_str_eq(of_hit, "issue 1 l2_tag 31 reply_wire 1");
    ck_assert_int_eq(miss->served_by, SERVED_DRAM);
    ck_assert_int_eq(hit->served_by, SERVED_L2);
}
END_TEST

/* The store of line 1027, of the same set in a slice of one way, writes the other back: the slice's
 * own request. The third read waits for the only pending entry and is looked up again and again. */
START_TEST(requests_are_counted_by_their_virtual_line_once_and_write_backs_are_not)
{
    static const Request requests[] = {{10, WRITE, 3, 15, 0, 10 + HIT},
                                       {20, READ, 3, 15, 0, 20 + HIT},
                                       {30, WRITE, 1027, 15, 0, 30 + HIT},
                                       {40, READ, 7, 15, 0, 40 + MISS},
                                       {41, READ, 8, 15, 0, 40 + FILL + MISS - 1}};
    g_autoptr(Rig) rig =
        rig_new("capacity = 128 KiB; ways = 1; pending_entries = 1", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "write_backs"), 1);
    ck_assert_uint_gt(unit_count(rig->slice, "refused_pending"), 0);
    ck_assert_uint_eq(unit_heat(rig->slice, "hottest", VIRTUAL_BASE + 3 * 128), 2);
    ck_assert_uint_eq(unit_heat(rig->slice, "hottest", VIRTUAL_BASE + 1027 * 128), 1);
    ck_assert_uint_eq(unit_heat(rig->slice, "hottest", VIRTUAL_BASE + 7 * 128), 1);
    ck_assert_uint_eq(unit_heat(rig->slice, "hottest", VIRTUAL_BASE + 8 * 128), 1);
    ck_assert_uint_eq(
        ((const HeavyHitters *)unit_statistic(rig->slice, "hottest", STAT_HEAVY))->rows, 4);
}
END_TEST

START_TEST(hits_overtake_outstanding_misses)
{
    static const Request requests[] = {{5, WRITE, 7, 15, 0, 5 + HIT},
                                       {10, READ, 5, 1, 0, 10 + MISS},
                                       {11, READ, 7, 1, 0, 11 + HIT}};
    g_autoptr(Rig) rig = rig_new("", (Surroundings){0});
    RUN(rig, requests);
}
END_TEST

START_TEST(requests_are_looked_up_in_order)
{
    static const Request requests[] = {{10, WRITE, 1, 15, 0, 10 + HIT},
                                       {10, WRITE, 2, 15, 0, 13 + HIT},
                                       {10, WRITE, 3, 15, 0, 16 + HIT}};
    g_autoptr(Rig) rig = rig_new("lookup_interval = 3 cycles", (Surroundings){0});
    RUN(rig, requests);
    for (guint i = 0; i < 3; i++)
        ck_assert_uint_eq(harness_transaction(rig->sink, i)->message.id & UINT32_MAX, i);
}
END_TEST

START_TEST(a_fetch_brings_whole_groups_of_sectors)
{
    static const Request requests[] = {{10, READ, 5, 1, 0, 10 + MISS},
                                       {200, READ, 5, 2, 0, 200 + HIT},
                                       {300, READ, 5, 7, 0, 300 + MISS},
                                       {500, READ, 5, 15, 0, 500 + HIT}};
    static const uint16_t fetched[] = {3, 12};
    g_autoptr(Rig) rig = rig_new("fill_bytes = 64 B", (Surroundings){0});
    RUN(rig, requests);
    assert_fetches(rig, fetched, 2);
    ck_assert_uint_eq(unit_bytes(rig->slice, "bytes_filled"), 128);
}
END_TEST

START_TEST(small_fetches_bring_only_wanted_sectors)
{
    static const Request requests[] = {{10, READ, 5, 1, 0, 10 + MISS},
                                       {200, READ, 5, 2, 0, 200 + MISS}};
    static const uint16_t fetched[] = {1, 2};
    g_autoptr(Rig) rig = rig_new("fill_bytes = 32 B", (Surroundings){0});
    RUN(rig, requests);
    assert_fetches(rig, fetched, 2);
}
END_TEST

static void expect_itself(const Rig *rig, guint number)
{
    const Transaction *reply = (const Transaction *)reply_to(rig, number)->message;
    ck_assert_uint_eq(reply->sectors, rig->requests[number].sectors);
    ck_assert_uint_eq(reply->message.entry, 70 + number);
    ck_assert_uint_eq(reply->left, rig->requests[number].at * TIME_NS);
}

/* With an id of its own and the sectors that are fetched; a store's fetch is a request of the
 * slice's. The third waits for the first one's. */
START_TEST(a_read_that_misses_goes_to_memory_itself_and_is_itself_again)
{
    static const Request requests[] = {{10, READ, 5, 1, 0, 10 + MISS},
                                       {20, WRITE, 6, 1, 1, 20 + MISS},
                                       {30, READ, 5, 2, 0, 10 + MISS + 2}};
    g_autoptr(Rig) rig = rig_new("", (Surroundings){0});
    RUN(rig, requests);
    const Transaction *read = (const Transaction *)far_side_seen(rig->dram, 0)->message;
    const Transaction *fetch = (const Transaction *)far_side_seen(rig->dram, 1)->message;
    ck_assert_uint_eq(read->left, 10 * TIME_NS);
    ck_assert_uint_eq(read->sectors, 3);
    ck_assert_uint_ne(read->message.id, reply_to(rig, 0)->message->id);
    ck_assert_uint_eq(fetch->message.id, read->message.id + 1);
    ck_assert_uint_ne(fetch->left, 20 * TIME_NS);
    for (guint i = 0; i < 3; i++) expect_itself(rig, i);
    g_autofree char *first = harness_stages(harness_transaction(rig->sink, 0),
                                            (10 + MISS) * TIME_NS, rig->harness->clock);
    ck_assert_str_eq(first, "issue 1 l2_tag 10 memory_wire 102 l2_tag 10 reply_wire 1");
}
END_TEST

/* The second wants the other sector of the group, which is under way; the data port reads it when
 * both have been written. */
START_TEST(requests_for_sectors_under_way_wait_for_the_fill)
{
    static const Request requests[] = {{10, READ, 5, 1, 0, 10 + MISS},
                                       {20, READ, 5, 2, 0, 10 + MISS + 2}};
    g_autoptr(Rig) rig = rig_new("", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "merged"), 1);
    ck_assert_uint_eq(unit_count(rig->slice, "misses"), 1);
    ck_assert_uint_eq(unit_count(rig->slice, "fills"), 1);
}
END_TEST

/* The third is looked up again when the fill comes at 123, and hits. */
START_TEST(a_request_beyond_the_merge_limit_waits)
{
    static const Request requests[] = {{10, READ, 5, 1, 0, 10 + MISS},
                                       {11, READ, 5, 1, 0, 10 + MISS + 2},
                                       {12, READ, 5, 1, 0, 123 - 1 + HIT}};
    g_autoptr(Rig) rig = rig_new("pending_merges = 1", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "refused_merge"), 1);
    ck_assert_uint_eq(unit_full(rig->slice, "merge_room"), 123 - 13);
}
END_TEST

/* The head waits until 123; what is behind it waits too, although it would hit. */
START_TEST(a_refused_miss_holds_up_hits_behind_it)
{
    static const Request requests[] = {{5, WRITE, 7, 15, 0, 5 + HIT},
                                       {10, READ, 5, 1, 0, 10 + MISS},
                                       {11, READ, 6, 1, 0, 123 - 1 + MISS},
                                       {12, READ, 7, 1, 0, 124 - 1 + HIT}};
    g_autoptr(Rig) rig = rig_new("pending_entries = 1", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "refused_pending"), 1);
    ck_assert_uint_eq(unit_level(rig->slice, "pending")->maximum, 1);
}
END_TEST

/* Four sets of two ways: lines 0, 4, 8 share a set. Each fill is written in two cycles. */
START_TEST(a_miss_in_a_set_that_is_being_filled_waits)
{
    static const Request requests[] = {{10, READ, 0, 1, 0, 10 + MISS},
                                       {11, READ, 4, 1, 0, 11 + MISS + 1},
                                       {12, READ, 8, 1, 0, 123 - 1 + MISS}};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB; ways = 2", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "refused_set"), 1);
}
END_TEST

/* The one place is taken from 11 on and known to be free at 23: 10 + 1 in + 10 + 1 out + 1. */
START_TEST(a_miss_waits_for_room_in_front_of_the_scheduler)
{
    static const Request requests[] = {{10, READ, 5, 1, 0, 10 + MISS},
                                       {11, READ, 6, 1, 0, 23 - 1 + MISS}};
    g_autoptr(Rig) rig = rig_new("", (Surroundings){.scheduler = 1});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "refused_scheduler"), 1);
}
END_TEST

/* The write-back of line 0 takes the place at 201; the fetch that needs its way follows at 213. */
START_TEST(a_write_back_and_its_fetch_get_through_a_single_place)
{
    static const Request requests[] = {{10, WRITE, 0, 1, 0, 10 + HIT},
                                       {50, WRITE, 4, 1, 0, 50 + HIT},
                                       {200, READ, 8, 1, 0, 213 - 1 + MISS}};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB; ways = 2", (Surroundings){.scheduler = 1});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "write_backs"), 1);
    ck_assert_uint_eq(unit_count(rig->slice, "refused_scheduler"), 1);
}
END_TEST

/* The sink takes the first reply at 300; the second is looked up at 301. */
START_TEST(a_request_waits_for_room_in_the_reply_network)
{
    static const Request requests[] = {{10, WRITE, 1, 15, 0, 300},
                                       {11, WRITE, 2, 15, 0, 301 - 1 + HIT}};
    g_autoptr(Rig) rig = rig_new("", (Surroundings){.reply = 1});
    harness_withhold(rig->sink, 300);
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "refused_reply"), 1);
    ck_assert_uint_eq(unit_level(rig->slice, "queue")->stay, 289 * TIME_NS); /* 12 to 301 */
}
END_TEST

/* A fill serves the first at 123, its reply is out at 134; the second goes from 135 on, after
 * the fill latency: 145 + 1. */
START_TEST(a_fill_serves_more_than_the_reply_network_takes)
{
    static const Request requests[] = {
        {10, READ, 5, 1, 0, 10 + MISS}, {11, READ, 5, 1, 0, 146}, {12, READ, 5, 1, 0, 158}};
    g_autoptr(Rig) rig = rig_new("", (Surroundings){.reply = 1});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "merged"), 2);
    ck_assert_uint_eq(unit_count(rig->slice, "refused_reply"), 2);
    ck_assert_uint_eq(unit_count(rig->slice, "fills"), 1);
}
END_TEST

START_TEST(a_store_of_whole_sectors_needs_no_fetch)
{
    static const Request requests[] = {{10, WRITE, 5, 3, 0, 10 + HIT},
                                       {100, READ, 5, 3, 0, 100 + HIT}};
    g_autoptr(Rig) rig = rig_new("", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(rig->dram->seen->len, 0);
    ck_assert_uint_eq(unit_bytes(rig->slice, "bytes_written"), 64);
}
END_TEST

/* Sector 2 is not written whole: its group is fetched. */
START_TEST(a_partial_store_fetches_what_it_does_not_cover)
{
    static const Request requests[] = {{10, WRITE, 5, 6, 4, 10 + MISS},
                                       {200, WRITE, 5, 4, 4, 200 + HIT},
                                       {300, READ, 5, 6, 0, 300 + HIT},
                                       {400, READ, 5, 1, 0, 400 + MISS}};
    static const uint16_t fetched[] = {12, 1};
    g_autoptr(Rig) rig = rig_new("fill_bytes = 64 B", (Surroundings){0});
    RUN(rig, requests);
    assert_fetches(rig, fetched, 2);
    ck_assert_uint_eq(unit_count(rig->slice, "partial_writes"), 2);
}
END_TEST

/* Line 0 is the least recently used of its set; its one dirty sector leaves with the fetch. */
START_TEST(a_dirty_victim_is_written_back)
{
    static const Request requests[] = {{10, WRITE, 0, 2, 2, 10 + MISS},
                                       {50, READ, 4, 1, 0, 50 + MISS},
                                       {200, READ, 8, 1, 0, 200 + MISS},
                                       {400, READ, 12, 1, 0, 400 + MISS},
                                       {600, READ, 0, 2, 0, 600 + MISS}};
    static const uint16_t sent[] = {3, 3, 2, 3, 3, 3};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB; ways = 2", (Surroundings){0});
    RUN(rig, requests);
    assert_fetches(rig, sent, 6);
    ck_assert_int_eq(far_side_transaction(rig->dram, 2)->type, WRITE);
    ck_assert_uint_eq(far_side_transaction(rig->dram, 2)->local, 0);
    ck_assert_uint_eq(far_side_seen(rig->dram, 2)->cycle, 212);
    ck_assert_uint_eq(unit_bytes(rig->slice, "bytes_written_back"), 32);
    assert_little(rig->slice, "write_backs_outstanding");
}
END_TEST

/* Looked up at 101, 102, 103; each keeps the port busy for 128 B / 32 B = 4 cycles from 132 on. */
START_TEST(the_data_port_moves_32_bytes_a_cycle)
{
    static const Request requests[] = {{10, WRITE, 5, 15, 0, 10 + HIT},
                                       {100, READ, 5, 15, 0, 133},
                                       {100, READ, 5, 15, 0, 137},
                                       {100, READ, 5, 1, 0, 141},
                                       {100, WRITE, 5, 15, 0, 141}}; /* ready at 135; in order */
    g_autoptr(Rig) rig = rig_new("data_bandwidth = 32 B/cycle", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_busy(rig->slice, "data_busy"), 9);
    ck_assert_uint_eq(unit_bytes(rig->slice, "bytes_read"), 9 * 32);
}
END_TEST

/* Warm: line 0 stays, but clean, so that 8 evicts it without a write-back; cold: 8 is gone. Dirty:
 * line 8 stays as it is and is written back. */
START_TEST(a_kernel_finds_the_cache_dirty_warm_or_cold)
{
    static const KernelStart starts[] = {{.at = 100, .launch = {.caches = CACHES_WARM}},
                                         {.at = 600, .launch = {.caches = CACHES_COLD}},
                                         {.at = 1000, .launch = {.caches = CACHES_DIRTY}}};
    static const Request requests[] = {
        {10, WRITE, 0, 1, 0, 10 + HIT},     {150, READ, 0, 1, 0, 150 + HIT},
        {200, READ, 4, 1, 0, 200 + MISS},   {400, READ, 8, 1, 0, 400 + MISS},
        {700, READ, 8, 1, 0, 700 + MISS},   {900, WRITE, 8, 1, 0, 900 + HIT},
        {1100, READ, 0, 1, 0, 1100 + MISS}, {1300, READ, 4, 1, 0, 1300 + MISS}};
    static const uint16_t sent[] = {3, 3, 3, 3, 1, 3};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB; ways = 2", (Surroundings){0});
    rig->starts = starts;
    rig->start_count = G_N_ELEMENTS(starts);
    RUN(rig, requests);
    assert_fetches(rig, sent, G_N_ELEMENTS(sent));
    ck_assert_int_eq(far_side_transaction(rig->dram, 4)->type, WRITE);
}
END_TEST

/* Two fetches are under way at 50, one of them for a store of part of a sector: who waits for them
 * is served, and nobody else. Line 5 is fetched anew at once, line 6 when it is read again; what
 * was stored is gone, as all written data, so that 1 and 9 evict both without a write-back. */
START_TEST(a_cold_cache_is_not_filled_by_what_was_under_way)
{
    static const KernelStart starts[] = {{.at = 50, .launch = {.caches = CACHES_COLD}}};
    static const Request requests[] = {
        {10, WRITE, 5, 1, 1, 10 + MISS},  {20, READ, 6, 3, 0, 20 + MISS},
        {60, READ, 5, 1, 0, 60 + MISS},   {300, READ, 6, 1, 0, 300 + MISS},
        {500, READ, 5, 1, 0, 500 + HIT},  {510, READ, 6, 1, 0, 510 + HIT},
        {600, READ, 1, 1, 0, 600 + MISS}, {800, READ, 9, 1, 0, 800 + MISS}};
    static const uint16_t sent[] = {3, 3, 3, 3, 3, 3};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB; ways = 2", (Surroundings){0});
    rig->starts = starts;
    rig->start_count = G_N_ELEMENTS(starts);
    RUN(rig, requests);
    assert_fetches(rig, sent, G_N_ELEMENTS(sent));
    ck_assert_uint_eq(unit_count(rig->slice, "hits"), 2);
    ck_assert_uint_eq(unit_count(rig->slice, "merged"), 0);
    ck_assert_uint_eq(unit_count(rig->slice, "write_backs"), 0);
}
END_TEST

/* Of two slices with chunks of 256 B, ours has chunk 0, with lines 0 and 1, but not chunk 3. Of a
 * copy that is larger than the cache, the end is kept. */
START_TEST(memory_copies_are_in_the_cache_afterwards)
{
    static const MemoryCopy small[] = {{.address = 0, .bytes = 256}, {768, 256}};
    static const MemoryCopy large[] = {{.address = 0, .bytes = 65536}};
    static const KernelStart starts[] = {
        {.at = 100, .launch = {.caches = CACHES_COLD, .copies = small, .copy_count = 2}},
        {.at = 600, .launch = {.caches = CACHES_COLD, .copies = large, .copy_count = 1}}};
    static const Request requests[] = {
        {150, READ, 0, 15, 0, 150 + HIT},   {200, READ, 1, 15, 0, 200 + HIT},
        {300, READ, 2, 15, 0, 300 + MISS},  {700, READ, 255, 15, 0, 700 + HIT},
        {800, READ, 248, 15, 0, 800 + HIT}, {900, READ, 0, 15, 0, 900 + MISS}};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB; ways = 2", (Surroundings){.slices = 2});
    rig->starts = starts;
    rig->start_count = G_N_ELEMENTS(starts);
    RUN(rig, requests);
}
END_TEST

/* 2 KiB take all eight places: two written sectors of line 0 and one of line 4. */
START_TEST(a_copy_drops_what_was_written)
{
    static const MemoryCopy copy = {2048, 2048};
    static const KernelStart start = {
        .at = 100, .launch = {.caches = CACHES_DIRTY, .copies = &copy, .copy_count = 1}};
    static const Request requests[] = {{10, WRITE, 0, 3, 0, 10 + HIT},
                                       {12, WRITE, 4, 1, 0, 12 + HIT},
                                       {200, READ, 31, 1, 0, 200 + HIT}};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB; ways = 2", (Surroundings){0});
    rig->starts = &start;
    rig->start_count = 1;
    RUN(rig, requests);
    ck_assert_uint_eq(unit_bytes(rig->slice, "bytes_dirtied"), 96);
    ck_assert_uint_eq(unit_bytes(rig->slice, "bytes_replaced"), 96);
    ck_assert_uint_eq(rig->dram->seen->len, 0);
}
END_TEST

START_TEST(impossible_shapes_are_refused)
{
    expect_refusal("capacity = 1280 B; ways = 4", "l2_slice.capacity = 1280 B");
    expect_refusal("fill_bytes = 48 B", "l2_slice.fill_bytes = 48 B");
    expect_refusal("fill_bytes = 256 B", "l2_slice.fill_bytes = 256 B");
}
END_TEST

HARNESS_MAIN("l2_slice", a_copy_drops_what_was_written, a_miss_fetches_and_a_second_read_hits,
             requests_are_counted_by_their_virtual_line_once_and_write_backs_are_not,
             stages_say_where_hit_and_miss_spent_their_time, hits_overtake_outstanding_misses,
             requests_are_looked_up_in_order, a_fetch_brings_whole_groups_of_sectors,
             small_fetches_bring_only_wanted_sectors,
             a_read_that_misses_goes_to_memory_itself_and_is_itself_again,
             requests_for_sectors_under_way_wait_for_the_fill,
             a_request_beyond_the_merge_limit_waits, a_refused_miss_holds_up_hits_behind_it,
             a_miss_in_a_set_that_is_being_filled_waits,
             a_miss_waits_for_room_in_front_of_the_scheduler,
             a_write_back_and_its_fetch_get_through_a_single_place,
             a_request_waits_for_room_in_the_reply_network,
             a_fill_serves_more_than_the_reply_network_takes,
             a_store_of_whole_sectors_needs_no_fetch,
             a_partial_store_fetches_what_it_does_not_cover, a_dirty_victim_is_written_back,
             the_data_port_moves_32_bytes_a_cycle, a_kernel_finds_the_cache_dirty_warm_or_cold,
             a_cold_cache_is_not_filled_by_what_was_under_way,
             memory_copies_are_in_the_cache_afterwards, impossible_shapes_are_refused)
