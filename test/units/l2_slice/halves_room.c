/* Two halves of L2: what waits for room, for whom, and what the tags remember. See halves_rig.h. */
#include "halves_rig.h"

/* --- who waits for whom --- */

/* The home's only pending entry is taken by line 5 until 213. A near read of line 6 waits until
 * then and is not tried again before; hits of the other half go on, two of them. */
START_TEST(a_near_request_that_waits_holds_up_none_of_the_other_half)
{
    static const Request near[] = {{105, READ, 1, 7, 15, FAR_HIT}, {165, READ, 1, 9, 15, FAR_HIT}};
    static const Request home[] = {{5, WRITE, 1, 7, 15, HIT},
                                   {7, WRITE, 1, 9, 15, HIT},
                                   {100, READ, 1, 5, 15, 124},
                                   {102, READ, 1, 6, 15, 0}};
    g_autoptr(Rig) rig = rig_new("pending_entries = 1", 8);
    RUN(rig, near, home);
    ck_assert_uint_eq(unit_count(rig->slice[1], "refused_pending"), 1);
}
END_TEST

/* The other way round: a far read of line 6 waits, near hits go on, and it is not tried again. */
START_TEST(a_far_request_that_waits_holds_up_none_of_the_near)
{
    static const Request near[] = {{100, READ, 1, 6, 15, 0}};
    static const Request home[] = {{5, WRITE, 1, 7, 15, HIT},
                                   {100, READ, 1, 5, 15, 124},
                                   {130, READ, 1, 7, 15, HIT},
                                   {140, READ, 1, 7, 15, HIT}};
    g_autoptr(Rig) rig = rig_new("pending_entries = 1", 8);
    RUN(rig, near, home);
    ck_assert_uint_eq(unit_count(rig->slice[1], "refused_pending"), 1);
}
END_TEST

/* A look-up in eight cycles; 8 far hits beside 32 near ones are through when these still wait. */
START_TEST(near_and_far_requests_take_turns)
{
    static Request near[8], home[8 + 32];
    for (guint i = 0; i < 8; i++) {
        home[i] = (Request){5, WRITE, 1, 10 + i, 15, 0};
        near[i] = (Request){300, READ, 1, 10 + i, 15, 0};
    }
    for (guint i = 0; i < 32; i++) home[8 + i] = (Request){300, READ, 1, 10, 15, 0};
    g_autoptr(Rig) rig = rig_new("lookup_interval = 8 cycles", 8);
    RUN(rig, near, home);
    ck_assert_uint_lt(harness_arrival(rig->sink[0], 7)->cycle,
                      harness_arrival(rig->sink[1], 8 + 24)->cycle);
}
END_TEST

/* The far hit at 117 had the last turn, so it is the near one's when line 5's entry is free at 213,
 * although both have been refused since: line 8 has the entry until 325, and then line 6. */
START_TEST(who_is_refused_keeps_its_turn)
{
    static const Request near[] = {{100, READ, 1, 7, 15, FAR_HIT},
                                   {105, READ, 1, 6, 15, 325 - 17 + FAR_MISS - 105}};
    static const Request home[] = {{5, WRITE, 1, 7, 15, HIT},
                                   {100, READ, 1, 5, 15, 124},
                                   {130, READ, 1, 8, 15, 213 - 1 + 124 - 130}};
    g_autoptr(Rig) rig = rig_new("pending_entries = 1", 8);
    RUN(rig, near, home);
}
END_TEST

START_TEST(reads_beyond_the_merge_limit_wait_for_what_is_under_way_across)
{
    static const Request near[] = {
        {10, READ, 1, 5, 15, FAR_MISS}, {20, READ, 1, 5, 15, 0}, {30, READ, 1, 5, 15, 0}};
    static const Request home[] = {{600, READ, 1, 5, 15, HIT}};
    g_autoptr(Rig) rig = rig_new("pending_merges = 1", 8);
    RUN(rig, near, home);
    ck_assert_uint_eq(unit_count(rig->slice[0], "merged"), 1);
    ck_assert_uint_eq(unit_count(rig->slice[0], "refused_merge"), 1);
}
END_TEST

/* The first is in the slice at 10 + FAR_MISS - 10 - 1 = 158; then the second is looked up. */
START_TEST(reads_beyond_the_pending_entries_wait_for_one_to_come_back)
{
    static const Request near[] = {{10, READ, 1, 5, 15, FAR_MISS},
                                   {12, READ, 1, 6, 15, 158 - 1 + FAR_MISS - 12},
                                   {14, READ, 0, 5, 15, 0}};
    static const Request home[] = {{600, READ, 1, 5, 15, HIT}};
    g_autoptr(Rig) rig = rig_new("pending_entries = 1", 8);
    RUN(rig, near, home);
    ck_assert_uint_eq(unit_count(rig->slice[0], "refused_pending"), 1);
}
END_TEST

/* One set of a way each; lines 0 and 1 have copies, which lines 8 and 9 drive out. One notice is
 * under way at a time: 417 + 1 link + 5 there, 1 + 5 back, so the second read is looked up at 429
 * and not at 418. */
START_TEST(a_line_with_a_copy_leaves_when_there_is_room_for_the_notice)
{
    static const Request near[] = {{10, READ, 1, 0, 15, FAR_MISS},
                                   {200, READ, 1, 1, 15, FAR_MISS},
                                   {400, READ, 1, 8, 15, FAR_MISS},
                                   {401, READ, 1, 9, 15, FAR_MISS + 11}};
    static const Request home[] = {{800, READ, 1, 9, 15, HIT}};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB; ways = 1; cross_entries = 1", 8);
    RUN(rig, near, home);
    ck_assert_uint_eq(unit_count(rig->slice[1], "invalidations"), 2);
    ck_assert_uint_eq(unit_count(rig->slice[1], "refused_cross"), 1);
}
END_TEST

/* The invalidation of the first store is back at 344; the second is looked up then: 344 + 31 + 12
 * + 1. */
START_TEST(a_store_to_a_copied_line_waits_for_room_for_its_invalidation)
{
    static const Request near[] = {{10, READ, 1, 5, 15, FAR_MISS}, {200, READ, 1, 6, 15, FAR_MISS}};
    static const Request home[] = {{400, WRITE, 1, 5, 15, STORE_OF_COPIED},
                                   {401, WRITE, 1, 6, 15, 444 + 31 + 12 + 1 - 401}};
    g_autoptr(Rig) rig = rig_new("cross_entries = 1", 8);
    RUN(rig, near, home);
    ck_assert_uint_eq(unit_count(rig->slice[1], "refused_cross"), 1);
}
END_TEST

/* Of three: halves 0 and 2 have a copy each of a line of half 1 and store to the other's. The first
 * store is at its home at 400 + 1 + 10 + 4 + 5 and done 31 later; its invalidation is back at 463,
 * and then the second is looked up: 31, 12 for its own, and 1 + 5 + 1 on the way back. */
START_TEST(a_store_of_another_half_waits_for_room_to_drop_what_a_third_has)
{
    static const Request one[] = {{10, READ, 1, 5, 15, FAR_MISS},
                                  {400, WRITE, 1, 6, 15, FAR_STORE + 12}};
    static const Request home[] = {{800, READ, 1, 5, 15, HIT}};
    static const Request other[] = {{200, READ, 1, 6, 15, FAR_MISS},
                                    {402, WRITE, 1, 5, 15, 463 + 31 + 12 + 7 - 402}};
    g_autoptr(Rig) rig = rig_of(3, "cross_entries = 1", 8);
    ASK(rig, 0, one);
    ASK(rig, 1, home);
    ASK(rig, 2, other);
    run_all(rig);
    ck_assert_uint_eq(unit_count(rig->slice[1], "invalidations"), 2);
    ck_assert_uint_eq(unit_count(rig->slice[1], "refused_cross"), 1);
}
END_TEST

/* Parts of sectors that are not there, of lines that have copies: the fills come 112 after the
 * stores. The first store drops its copy 10 later; at 513 + 10 + 12 that is done, and the second
 * one's fill, which came at 514, is taken. */
START_TEST(a_store_that_waited_for_its_line_waits_for_room_for_its_invalidation)
{
    static const Request near[] = {{10, READ, 1, 5, 1, 0}, {200, READ, 1, 6, 1, 0}};
    static const Request home[] = {{400, WRITE, 1, 5, 8, 1 + 112 + 10 + 12 + 1},
                                   {401, WRITE, 1, 6, 8, 535 + 12 + 1 - 401}};
    g_autoptr(Rig) rig = rig_new("cross_entries = 1; fill_bytes = 32 B", 8);
    rig->in_parts = true;
    RUN(rig, near, home);
    ck_assert_uint_eq(unit_count(rig->slice[1], "refused_cross"), 1);
}
END_TEST

/* Acknowledged by DRAM: the same, for stores that go past L2. */
START_TEST(a_store_past_L2_waits_for_room_for_its_invalidation)
{
    static const Request near[] = {{10, READ, 1, 5, 1, 0}, {200, READ, 1, 6, 1, 0}};
    static const Request home[] = {{400, WRITE, 1, 5, 8, 1 + 112 + 10 + 12 + 1},
                                   {401, WRITE, 1, 6, 8, 535 + 10 + 12 + 1 - 401}};
    g_autoptr(Rig) rig = rig_new("cross_entries = 1; fill_bytes = 32 B; partial_write = bypass", 8);
    rig->in_parts = true;
    RUN(rig, near, home);
    ck_assert_uint_eq(unit_count(rig->slice[1], "refused_cross"), 1);
}
END_TEST

/* The ROP's results come 31 after the look-ups; the second is taken when the first one's
 * invalidation is back. */
START_TEST(an_atomic_waits_for_room_for_its_invalidation)
{
    static const Request near[] = {{10, READ, 1, 5, 15, FAR_MISS}, {200, READ, 1, 6, 15, FAR_MISS}};
    static const Request home[] = {{400, ATOMIC, 1, 5, 1, STORE_OF_COPIED},
                                   {401, ATOMIC, 1, 6, 1, 444 + 12 + 1 - 401}};
    g_autoptr(Rig) rig = rig_new("cross_entries = 1", 8);
    RUN(rig, near, home);
    ck_assert_uint_eq(unit_count(rig->slice[1], "refused_cross"), 1);
}
END_TEST

/* --- what the tags remember --- */

START_TEST(a_far_fetch_brings_whole_groups_of_sectors)
{
    static const Request near[] = {{10, READ, 1, 5, 1, 0}, {300, READ, 1, 5, 2, HIT}};
    static const Request home[] = {{600, READ, 1, 5, 3, HIT}};
    g_autoptr(Rig) rig = rig_new("fill_bytes = 64 B", 8);
    RUN(rig, near, home);
    ck_assert_uint_eq(unit_bytes(rig->slice[1], "bytes_crossed"), 64);
}
END_TEST

/* A set of two ways: the copy of line 4, then a line of its own, then more of the copy; the next
 * line takes the place of its own one. */
START_TEST(a_copy_that_grows_is_used)
{
    static const Request near[] = {{10, READ, 1, 4, 1, 0},
                                   {200, READ, 0, 0, 15, 124},
                                   {400, READ, 1, 4, 12, 0},
                                   {600, READ, 0, 8, 15, 124},
                                   {800, READ, 1, 4, 15, HIT}};
    static const Request home[] = {{10, READ, 1, 1, 15, 124}};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB; ways = 2; fill_bytes = 64 B", 8);
    RUN(rig, near, home);
}
END_TEST

/* Line 0 is written, then driven into the store queue: there is no tag to note the copy in, so none
 * is kept. */
START_TEST(what_only_the_store_queue_holds_is_not_copied)
{
    static const Request near[] = {{100, READ, 1, 0, 15, FAR_HIT}, {600, READ, 1, 0, 15, FAR_MISS}};
    static const Request home[] = {{5, WRITE, 1, 0, 15, HIT}, {100, READ, 1, 8, 15, 124}};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB; ways = 1; written_data = store_queue", 8);
    RUN(rig, near, home);
    ck_assert_uint_eq(unit_count(rig->slice[1], "store_queue_hits"), 1);
    ck_assert_uint_eq(unit_count(rig->slice[0], "near_skipped"), 1);
}
END_TEST

/* What the host copies drops the copies: a store at home need not wait for one. */
START_TEST(a_host_copy_forgets_who_has_copies)
{
    static const Request near[] = {{100, READ, 1, 5, 15, FAR_HIT}};
    static const Request home[] = {{5, WRITE, 1, 5, 15, HIT}, {600, WRITE, 1, 5, 15, HIT}};
    static MemoryCopy copy = {.address = 0, .bytes = 64 * 1024};
    g_autoptr(Rig) rig = rig_new("", 8);
    rig->start = (KernelStart){
        .at = 400, .launch = {.caches = CACHES_DIRTY, .copies = &copy, .copy_count = 1}};
    RUN(rig, near, home);
    ck_assert_uint_eq(all_of(rig, "invalidations"), 0);
}
END_TEST

/* Where they are served, and only there. */
START_TEST(far_reads_are_counted_in_their_class)
{
    static const Request near[] = {{10, READ, 1, 5, 15, FAR_MISS}, {300, READ, 1, 5, 15, HIT}};
    static const Request home[] = {{600, READ, 1, 5, 15, HIT}};
    g_autoptr(Rig) rig = rig_new("", 8);
    rig->space = SPACE_LOCAL;
    RUN(rig, near, home);
    ck_assert_uint_eq(unit_count(rig->slice[1], "local_accesses"), 2);
    ck_assert_uint_eq(unit_count(rig->slice[0], "local_accesses"), 1);
    ck_assert_uint_eq(all_of(rig, "global_accesses"), 0);
}
END_TEST

/* --- what is full --- */

/* A far miss is under way from its look-up, at 1, until its fill, 10 + 1 before it is back; a far
 * store until its answer, 1 before. Their packets take the links 1 and 4 cycles, the data 4, the
 * answer 1. */
START_TEST(what_is_under_way_across_holds_its_place_and_takes_its_link)
{
    static const Request near[] = {{10, READ, 1, 5, 15, FAR_MISS},
                                   {300, WRITE, 1, 7, 15, FAR_STORE}};
    static const Request none[] = {{5, WRITE, 1, 9, 15, HIT}};
    g_autoptr(Rig) rig = rig_new("fill_bytes = 128 B", 8);
    RUN(rig, near, none);
    ck_assert_uint_eq(unit_work(rig->slice[0], "far_fetches"), FAR_MISS - 1 - 11);
    ck_assert_uint_eq(unit_work(rig->slice[0], "far_forwards"), FAR_STORE - 1 - 1);
    ck_assert_uint_eq(unit_booked(rig->slice[0], "request_link"), 1 + 4);
    ck_assert_uint_eq(unit_booked(rig->slice[1], "reply_link"), 4 + 1);
    ck_assert_uint_eq(unit_booked(rig->slice[1], "request_link"), 0);
    ck_assert_uint_eq(unit_work(rig->slice[1], "far_recalls"), 0);
}
END_TEST

/* The store is done at its home 1 + 31 after it was sent; its copy is gone two links and 2 x 5
 * later. */
START_TEST(an_invalidation_holds_its_place_until_its_answer_is_back)
{
    static const Request near[] = {{10, READ, 1, 5, 15, FAR_MISS}};
    static const Request home[] = {{300, WRITE, 1, 5, 15, STORE_OF_COPIED}};
    g_autoptr(Rig) rig = rig_new("fill_bytes = 128 B", 8);
    RUN(rig, near, home);
    ck_assert_uint_eq(unit_work(rig->slice[1], "far_recalls"), STORE_OF_COPIED - 1 - 1);
}
END_TEST

HARNESS_MAIN("l2_halves_room", what_is_under_way_across_holds_its_place_and_takes_its_link,
             an_invalidation_holds_its_place_until_its_answer_is_back,
             a_near_request_that_waits_holds_up_none_of_the_other_half,
             a_far_request_that_waits_holds_up_none_of_the_near, near_and_far_requests_take_turns,
             who_is_refused_keeps_its_turn,
             reads_beyond_the_merge_limit_wait_for_what_is_under_way_across,
             reads_beyond_the_pending_entries_wait_for_one_to_come_back,
             a_line_with_a_copy_leaves_when_there_is_room_for_the_notice,
             a_store_to_a_copied_line_waits_for_room_for_its_invalidation,
             a_store_of_another_half_waits_for_room_to_drop_what_a_third_has,
             a_store_that_waited_for_its_line_waits_for_room_for_its_invalidation,
             a_store_past_L2_waits_for_room_for_its_invalidation,
             an_atomic_waits_for_room_for_its_invalidation,
             a_far_fetch_brings_whole_groups_of_sectors, a_copy_that_grows_is_used,
             what_only_the_store_queue_holds_is_not_copied, a_host_copy_forgets_who_has_copies,
             far_reads_are_counted_in_their_class)
