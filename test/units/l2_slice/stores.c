/* What an L2 slice does with written data: store queue, data that waits in its line, byte masks.
 * Sets of two ways in 1 KiB: lines 0, 4, 8, 12, 16 share a set. A write is done in DRAM after
 * 1 + 10 + 1 + 100 + 1 = 113 cycles. */
#include "rig.h"

#define QUEUE SMALL "written_data = store_queue; "
#define LINE SMALL "written_data = line; "

/* --- the store queue -------------------------------------------------------------------------- */

/* Nothing waits in the load queue, so the write leaves right behind the fetch. */
START_TEST(a_dirty_victim_moves_to_the_store_queue_and_the_fetch_goes_first)
{
    static const Request requests[] = {{10, WRITE, 0, 15, 0, 10 + HIT},
                                       {50, WRITE, 4, 15, 0, 50 + HIT},
                                       {200, READ, 8, 1, 0, 200 + MISS}};
    g_autoptr(Rig) rig = rig_new(QUEUE, (Surroundings){0});
    RUN(rig, requests);
    assert_sent(rig, 0, READ, 8, 212);
    assert_sent(rig, 1, WRITE, 0, 212);
    ck_assert_uint_eq(unit_level(rig->slice, "store_queue")->stay, 113 * TIME_NS - TIME_NS);
    ck_assert_uint_eq(unit_bytes(rig->slice, "bytes_written_back"), 128);
    assert_little(rig->slice, "store_queue");
}
END_TEST

/* The second miss waits until the first write is done: the queue has one entry. Line 8's victim is
 * line 0; line 12's is line 4. */
START_TEST(a_miss_waits_while_the_store_queue_is_full)
{
    static const Request requests[] = {{10, WRITE, 0, 15, 0, 10 + HIT},
                                       {50, WRITE, 4, 15, 0, 50 + HIT},
                                       {200, READ, 8, 1, 0, 200 + MISS},
                                       {201, READ, 12, 1, 0, 312 + MISS}};
    g_autoptr(Rig) rig = rig_new(QUEUE "store_queue_entries = 1", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "refused_store_queue"), 1);
    ck_assert_uint_eq(unit_level(rig->slice, "store_queue")->maximum, 1);
}
END_TEST

START_TEST(with_room_in_the_store_queue_the_same_miss_does_not_wait)
{
    static const Request requests[] = {{10, WRITE, 0, 15, 0, 10 + HIT},
                                       {50, WRITE, 4, 15, 0, 50 + HIT},
                                       {200, READ, 8, 1, 0, 200 + MISS},
                                       {201, READ, 12, 1, 0, 201 + MISS}};
    g_autoptr(Rig) rig = rig_new(QUEUE "store_queue_entries = 2", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "refused_store_queue"), 0);
}
END_TEST

/* Two addresses, data of four sectors: a line that is written whole leaves none for the second. */
START_TEST(a_miss_waits_while_the_store_data_queue_is_full)
{
    static const Request requests[] = {{10, WRITE, 0, 15, 0, 10 + HIT},
                                       {50, WRITE, 4, 1, 0, 50 + HIT},
                                       {200, READ, 8, 1, 0, 200 + MISS},
                                       {201, READ, 12, 1, 0, 312 + MISS}};
    g_autoptr(Rig) rig =
        rig_new(QUEUE "store_queue_entries = 2; store_data_sectors = 4", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "refused_store_data"), 1);
    ck_assert_uint_eq(unit_count(rig->slice, "refused_store_queue"), 0);
    ck_assert_uint_eq(unit_level(rig->slice, "store_data")->maximum, 4);
    assert_little(rig->slice, "store_data");
}
END_TEST

START_TEST(lines_written_in_part_share_the_store_data_queue)
{
    static const Request requests[] = {{10, WRITE, 0, 3, 0, 10 + HIT},
                                       {50, WRITE, 4, 8, 0, 50 + HIT},
                                       {200, READ, 8, 1, 0, 200 + MISS},
                                       {203, READ, 12, 1, 0, 203 + MISS}};
    g_autoptr(Rig) rig =
        rig_new(QUEUE "store_queue_entries = 2; store_data_sectors = 4", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "refused_store_data"), 0);
    ck_assert_uint_eq(unit_level(rig->slice, "store_data")->maximum, 3);
    assert_little(rig->slice, "store_data");
}
END_TEST

START_TEST(the_store_data_queue_holds_a_line_at_least)
{
    expect_refusal("written_data = store_queue; store_data_sectors = 3",
                   "l2_slice.store_data_sectors = 3: fewer than the 4 sectors of a line");
}
END_TEST

/* Line 0 was evicted at 201 with all its sectors and is in the queue until 313; afterwards it is a
 * miss. The answer brings nothing back: line 8 stays. */
START_TEST(a_load_of_a_line_in_the_store_queue_is_answered_like_a_hit)
{
    static const Request requests[] = {
        {10, WRITE, 0, 15, 0, 10 + HIT},  {50, WRITE, 4, 15, 0, 50 + HIT},
        {200, READ, 8, 1, 0, 200 + MISS}, {210, READ, 0, 3, 0, 210 + HIT},
        {270, READ, 0, 12, 0, 270 + HIT}, {330, READ, 8, 1, 0, 330 + HIT},
        {340, READ, 0, 1, 0, 340 + MISS}};
    g_autoptr(Rig) rig = rig_new(QUEUE, (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "store_queue_hits"), 2);
    ck_assert_uint_eq(unit_count(rig->slice, "load_hits"), 3);
    ck_assert_uint_eq(unit_count(rig->slice, "misses"), 2);
}
END_TEST

/* Of line 0 the queue holds sectors 0 and 1; the load wants 1 and 2 and fetches only 2. The line is
 * back then: sector 0 hits without a further fetch, also after the write is done. */
START_TEST(what_the_store_queue_holds_of_a_line_is_not_fetched)
{
    static const Request requests[] = {{10, WRITE, 0, 3, 0, 10 + HIT},
                                       {50, READ, 4, 1, 0, 50 + MISS},
                                       {200, READ, 8, 1, 0, 200 + MISS},
                                       {210, READ, 0, 6, 0, 210 + MISS},
                                       {500, READ, 0, 1, 0, 500 + HIT}};
    static const uint16_t sent[] = {1, 1, 3, 4};
    g_autoptr(Rig) rig = rig_new(QUEUE, (Surroundings){0});
    RUN(rig, requests);
    assert_fetches(rig, sent, 4);
    ck_assert_uint_eq(unit_count(rig->slice, "store_queue_recalled"), 1);
}
END_TEST

/* The line comes back, without a fetch, and evicts line 4; a partial store to line 4 finds that in
 * the queue in turn. */
START_TEST(partial_stores_take_their_line_back_from_the_store_queue)
{
    static const Request requests[] = {{10, WRITE, 0, 15, 0, 10 + HIT},
                                       {50, WRITE, 4, 15, 0, 50 + HIT},
                                       {200, READ, 8, 1, 0, 200 + MISS},
                                       {210, WRITE, 0, 1, 1, 210 + HIT},
                                       {220, WRITE, 4, 1, 1, 220 + HIT}};
    g_autoptr(Rig) rig = rig_new(QUEUE, (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "misses"), 1);
    ck_assert_uint_eq(unit_count(rig->slice, "store_queue_recalled"), 2);
    ck_assert_uint_eq(unit_count(rig->slice, "store_queue_hits"), 0);
}
END_TEST

/* One place in front of the scheduler. The first fetch leaves it at 212, which the slice knows at
 * 213; what waits leaves then and comes a cycle later: 213 + 1 + 100 + 1 + 10 + 1. The writes go
 * when no fetch waits. */
START_TEST(write_backs_go_when_the_load_queue_is_empty)
{
    static const Request requests[] = {{10, WRITE, 0, 15, 0, 10 + HIT},
                                       {50, WRITE, 4, 15, 0, 50 + HIT},
                                       {200, READ, 8, 1, 0, 200 + MISS},
                                       {201, READ, 12, 1, 0, 213 + 113},
                                       {202, READ, 1, 1, 0, 215 + 113}};
    static const uint16_t sent[] = {1, 1, 1, 15, 15};
    g_autoptr(Rig) rig = rig_new(QUEUE "load_queue_entries = 4", (Surroundings){.scheduler = 1});
    RUN(rig, requests);
    assert_fetches(rig, sent, 5);
    assert_little(rig->slice, "load_queue");
    ck_assert_uint_eq(unit_level(rig->slice, "load_queue")->maximum, 2);
}
END_TEST

/* The same with a threshold of one entry: the second eviction passes it, and both writes go before
 * the fetches that wait. */
START_TEST(write_backs_go_first_when_the_store_queue_passes_its_threshold)
{
    static const Request requests[] = {{10, WRITE, 0, 15, 0, 10 + HIT},
                                       {50, WRITE, 4, 15, 0, 50 + HIT},
                                       {200, READ, 8, 1, 0, 200 + MISS},
                                       {201, READ, 12, 1, 0, 217 + 113},
                                       {202, READ, 1, 1, 0, 219 + 113}};
    static const uint16_t sent[] = {1, 15, 15, 1, 1};
    g_autoptr(Rig) rig = rig_new(QUEUE "load_queue_entries = 4; store_queue_threshold = 1",
                                 (Surroundings){.scheduler = 1});
    RUN(rig, requests);
    assert_fetches(rig, sent, 5);
}
END_TEST

/* A single place: the third miss finds the load queue full and is looked up when the second one
 * has left it, at 213. */
START_TEST(a_miss_waits_while_the_load_queue_is_full)
{
    static const Request requests[] = {{200, READ, 0, 1, 0, 200 + MISS},
                                       {201, READ, 1, 1, 0, 213 + 113},
                                       {202, READ, 2, 1, 0, 212 + MISS}};
    g_autoptr(Rig) rig = rig_new("load_queue_entries = 1", (Surroundings){.scheduler = 1});
    RUN(rig, requests);
    ck_assert_uint_gt(unit_count(rig->slice, "refused_load_queue"), 0);
    g_autofree char *stages = harness_stages(harness_transaction(rig->sink, 1),
                                             requests[1].back * TIME_NS, rig->harness->clock);
    ck_assert_str_eq(stages,
                     "issue 1 l2_tag 10 l2_miss_queue 1 memory_wire 102 l2_tag 10 reply_wire 1");
}
END_TEST

/* Line 0 is evicted, written again and evicted again before its first write could leave: its entry
 * takes both. */
START_TEST(a_line_evicted_again_joins_its_waiting_entry)
{
    static const Request requests[] = {
        {10, WRITE, 0, 1, 0, 10 + HIT}, {11, WRITE, 4, 1, 0, 11 + HIT},
        {20, READ, 1, 1, 0, 20 + MISS}, {21, WRITE, 8, 1, 0, 21 + HIT},
        {22, WRITE, 0, 2, 0, 22 + HIT}, {23, WRITE, 12, 1, 0, 23 + HIT},
        {24, WRITE, 16, 1, 0, 24 + HIT}};
    static const uint16_t sent[] = {1, 3, 1, 1};
    g_autoptr(Rig) rig = rig_new(QUEUE, (Surroundings){.scheduler = 1});
    RUN(rig, requests);
    assert_fetches(rig, sent, 4);
    ck_assert_uint_eq(unit_count(rig->slice, "store_queue_joined"), 1);
    assert_little(rig->slice, "store_queue");
}
END_TEST

/* --- data that waits in its line -------------------------------------------------------------- */

/* One way is to be clean: the second store begins to write line 0, the set's oldest, which stays
 * until 50 + 113 = 163. The read finds it clean and replaces it; line 4 is still dirty. */
START_TEST(stores_begin_to_write_the_oldest_line_of_their_set)
{
    static const Request requests[] = {{10, WRITE, 0, 15, 0, 10 + HIT},
                                       {50, WRITE, 4, 15, 0, 50 + HIT},
                                       {200, READ, 8, 1, 0, 200 + MISS},
                                       {400, READ, 4, 1, 0, 400 + HIT}};
    g_autoptr(Rig) rig = rig_new(LINE "clean_ways = 1", (Surroundings){0});
    RUN(rig, requests);
    assert_sent(rig, 0, WRITE, 0, 62);
    assert_sent(rig, 1, READ, 8, 212);
    ck_assert_uint_eq(rig->dram->seen->len, 2);
    ck_assert_uint_eq(unit_count(rig->slice, "refused_written"), 0);
}
END_TEST

/* Its data is in line 0 until 163, where loads find it; a line that needs the place waits, and its
 * set has no way for so long, though others have. */
START_TEST(a_line_cannot_be_replaced_before_its_write_is_done)
{
    static const Request requests[] = {{10, WRITE, 0, 15, 0, 10 + HIT},
                                       {50, WRITE, 4, 15, 0, 50 + HIT},
                                       {80, READ, 0, 15, 0, 80 + HIT},
                                       {100, READ, 8, 1, 0, 162 + MISS}};
    g_autoptr(Rig) rig = rig_new(LINE "clean_ways = 1", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "refused_written"), 1);
    ck_assert_uint_eq(unit_full(rig->slice, "set_writes"), 163 - 101);
}
END_TEST

/* Written again at 61, while its write is under way: line 0 is dirty still when that is done. Line
 * 4, written meanwhile as the set's oldest, is replaced by line 8; line 12 would take line 0's
 * place, whose sector is written then. */
START_TEST(a_line_written_during_its_write_is_written_once_more)
{
    static const Request requests[] = {{10, WRITE, 0, 15, 0, 10 + HIT},
                                       {50, WRITE, 4, 15, 0, 50 + HIT},
                                       {60, WRITE, 0, 1, 0, 60 + HIT},
                                       {300, READ, 8, 1, 0, 300 + MISS},
                                       {500, READ, 12, 1, 0, 500 + MISS}};
    g_autoptr(Rig) rig = rig_new(LINE "clean_ways = 1", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "write_backs"), 3);
    ck_assert_uint_eq(unit_bytes(rig->slice, "bytes_written_back"), 2 * 128 + 32);
}
END_TEST

/* No store comes any more: line 0 would have to go for line 8, so its write begins, and line 4 goes
 * instead; the next line then has line 0's place, and line 8 is still there. */
START_TEST(a_miss_begins_to_write_the_line_that_would_have_to_go)
{
    static const Request requests[] = {{10, WRITE, 0, 15, 0, 10 + HIT},
                                       {50, READ, 4, 1, 0, 50 + MISS},
                                       {200, READ, 8, 1, 0, 200 + MISS},
                                       {400, READ, 4, 1, 0, 400 + MISS},
                                       {600, READ, 8, 1, 0, 600 + HIT}};
    g_autoptr(Rig) rig = rig_new(LINE "clean_ways = 1", (Surroundings){0});
    RUN(rig, requests);
    assert_sent(rig, 1, READ, 8, 212);
    assert_sent(rig, 2, WRITE, 0, 212);
    ck_assert_uint_eq(unit_count(rig->slice, "write_backs"), 1);
}
END_TEST

/* One place in front of the scheduler, and no store comes again to the sets whose write finds it
 * taken: it begins when there is room, set after set. In none of them a line has to wait later. */
START_TEST(a_write_that_finds_no_room_begins_when_there_is_some)
{
    static const Request requests[] = {
        {10, WRITE, 0, 15, 0, 10 + HIT},    {11, WRITE, 128, 15, 0, 11 + HIT},
        {12, WRITE, 100, 15, 0, 12 + HIT},  {13, WRITE, 228, 15, 0, 13 + HIT},
        {14, WRITE, 127, 15, 0, 14 + HIT},  {15, WRITE, 255, 15, 0, 15 + HIT},
        {400, READ, 256, 1, 0, 400 + MISS}, {500, READ, 356, 1, 0, 500 + MISS},
        {600, READ, 383, 1, 0, 600 + MISS}};
    static const uint64_t written[] = {0, 100, 127};
    g_autoptr(Rig) rig = rig_new("capacity = 32 KiB; ways = 2; fill_bytes = 32 B; written_data = "
                                 "line; clean_ways = 1",
                                 (Surroundings){.scheduler = 1});
    RUN(rig, requests);
    for (guint i = 0; i < 3; i++)
        ck_assert_uint_eq(far_side_transaction(rig->dram, i)->local / 128, written[i]);
    ck_assert_uint_eq(unit_count(rig->slice, "refused_written"), 0);
}
END_TEST

/* --- stores of parts of sectors --------------------------------------------------------------- */

/* The lower and the upper half of sector 0: no fetch, and then it is whole. */
START_TEST(byte_masks_gather_a_sector_without_a_fetch)
{
    static const Request requests[] = {{10, WRITE, 5, 1, 1, 10 + HIT},
                                       {20, WRITE, 5, 1, 1, 20 + HIT},
                                       {100, READ, 5, 1, 0, 100 + HIT}};
    static const uint64_t written[] = {0x0000ffff, 0xffff0000, 0};
    g_autoptr(Rig) rig = rig_new("partial_write = mask", (Surroundings){0});
    rig->written = written;
    RUN(rig, requests);
    ck_assert_uint_eq(rig->dram->seen->len, 0);
    ck_assert_uint_eq(unit_count(rig->slice, "masked_writes"), 2);
    ck_assert_uint_eq(unit_count(rig->slice, "partial_writes"), 2);
}
END_TEST

/* 31 of 32 bytes: the load fetches the sector and merges it; the store's bytes stay dirty. */
START_TEST(a_load_of_a_sector_that_is_valid_in_part_fetches_it)
{
    static const Request requests[] = {{10, WRITE, 0, 1, 1, 10 + HIT},
                                       {100, READ, 0, 1, 0, 100 + MISS},
                                       {300, READ, 4, 1, 0, 300 + MISS},
                                       {500, READ, 8, 1, 0, 500 + MISS}};
    static const uint64_t written[] = {0x7fffffff, 0, 0, 0};
    g_autoptr(Rig) rig = rig_new(SMALL "partial_write = mask", (Surroundings){0});
    rig->written = written;
    RUN(rig, requests);
    assert_sent(rig, 0, READ, 0, 112);
    assert_sent(rig, 2, WRITE, 0, 512);
    ck_assert_uint_eq(far_side_transaction(rig->dram, 2)->partial, 0);
}
END_TEST

/* Sector 0 was written in part, sector 1 whole: both are written back, the first with a mask. The
 * place's masks are forgotten: the lower half alone makes line 8 whole no more than line 0. */
START_TEST(an_evicted_sector_that_is_valid_in_part_is_a_masked_write)
{
    static const Request requests[] = {{10, WRITE, 0, 3, 1, 10 + HIT},
                                       {50, READ, 4, 1, 0, 50 + MISS},
                                       {200, WRITE, 8, 1, 1, 200 + HIT},
                                       {300, READ, 8, 1, 0, 300 + MISS}};
    static const uint64_t written[] = {0xffffffff0000ffff, 0, 0xffff0000, 0};
    g_autoptr(Rig) rig = rig_new(SMALL "partial_write = mask", (Surroundings){0});
    rig->written = written;
    RUN(rig, requests);
    assert_sent(rig, 1, WRITE, 0, 212);
    ck_assert_uint_eq(far_side_transaction(rig->dram, 1)->sectors, 3);
    ck_assert_uint_eq(far_side_transaction(rig->dram, 1)->partial, 1);
}
END_TEST

/* Past L2: acknowledged when DRAM has it; nothing is left here. Its whole sector stays in L2. */
START_TEST(a_partial_store_may_go_past_the_cache)
{
    static const Request requests[] = {{10, WRITE, 5, 1, 1, 10 + MISS},
                                       {200, READ, 5, 1, 0, 200 + MISS},
                                       {400, WRITE, 6, 3, 1, 400 + MISS},
                                       {600, READ, 6, 2, 0, 600 + HIT}};
    g_autoptr(Rig) rig = rig_new("partial_write = bypass; fill_bytes = 32 B", (Surroundings){0});
    RUN(rig, requests);
    assert_sent(rig, 0, WRITE, 5, 22);
    ck_assert_uint_eq(far_side_transaction(rig->dram, 0)->partial, 1);
    assert_sent(rig, 2, WRITE, 6, 412);
    ck_assert_uint_eq(unit_count(rig->slice, "bypassed"), 2);
    ck_assert_uint_eq(unit_count(rig->slice, "accesses"),
                      unit_count(rig->slice, "hits") + unit_count(rig->slice, "misses") + 2);
    ck_assert_int_eq(reply_to(rig, 0)->message->kind, MESSAGE_TRANSACTION);
    assert_little(rig->slice, "write_backs_outstanding");
}
END_TEST

/* A copy that is here is written here; one that is on its way is waited for, and filled. */
START_TEST(a_partial_store_goes_past_no_copy)
{
    static const Request requests[] = {{10, READ, 5, 1, 0, 10 + MISS},
                                       {20, WRITE, 5, 1, 1, 10 + MISS + 1},
                                       {200, WRITE, 5, 1, 1, 200 + HIT}};
    g_autoptr(Rig) rig = rig_new("partial_write = bypass; fill_bytes = 32 B", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "bypassed"), 0);
    ck_assert_uint_eq(unit_count(rig->slice, "merged"), 1);
}
END_TEST

HARNESS_MAIN("l2_stores", a_dirty_victim_moves_to_the_store_queue_and_the_fetch_goes_first,
             a_miss_waits_while_the_store_queue_is_full,
             with_room_in_the_store_queue_the_same_miss_does_not_wait,
             a_miss_waits_while_the_store_data_queue_is_full,
             lines_written_in_part_share_the_store_data_queue,
             the_store_data_queue_holds_a_line_at_least,
             a_load_of_a_line_in_the_store_queue_is_answered_like_a_hit,
             what_the_store_queue_holds_of_a_line_is_not_fetched,
             partial_stores_take_their_line_back_from_the_store_queue,
             write_backs_go_when_the_load_queue_is_empty,
             write_backs_go_first_when_the_store_queue_passes_its_threshold,
             a_miss_waits_while_the_load_queue_is_full,
             a_line_evicted_again_joins_its_waiting_entry,
             stores_begin_to_write_the_oldest_line_of_their_set,
             a_line_cannot_be_replaced_before_its_write_is_done,
             a_line_written_during_its_write_is_written_once_more,
             a_miss_begins_to_write_the_line_that_would_have_to_go,
             a_write_that_finds_no_room_begins_when_there_is_some,
             byte_masks_gather_a_sector_without_a_fetch,
             a_load_of_a_sector_that_is_valid_in_part_fetches_it,
             an_evicted_sector_that_is_valid_in_part_is_a_masked_write,
             a_partial_store_may_go_past_the_cache, a_partial_store_goes_past_no_copy)
