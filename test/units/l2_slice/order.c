/* When an L2 slice goes on under a miss, and in which order its replies leave. The times of a hit
 * and of a miss are those of the rig: 33 and 124 cycles. */
#include "rig.h"

/* Line 7 is written first so that it hits. The miss of line 5 is back at 134. */
#define HIT_MISS_HIT_HIT(second, third, fourth)                                                    \
    {                                                                                              \
        {5, WRITE, 7, 15, 0, 5 + HIT}, {50, READ, 7, 1, 0, 50 + HIT}, {51, READ, 5, 1, 0, second}, \
            {52, READ, 7, 1, 0, third}, {53, READ, 7, 1, 0, fourth},                               \
    }

START_TEST(out_of_order_each_reply_leaves_when_it_is_ready)
{
    static const Request requests[] = HIT_MISS_HIT_HIT(51 + MISS, 52 + HIT, 53 + HIT);
    g_autoptr(Rig) rig = rig_new("completion = out_of_order", (Surroundings){0});
    RUN(rig, requests);
}
END_TEST

/* The hits were looked up under the miss, so they leave right behind it: the miss's fill is there
 * at 164, its data out at 174, and the hits have been read long before. */
START_TEST(in_order_hits_proceed_under_a_miss_and_leave_behind_it)
{
    static const Request requests[] = HIT_MISS_HIT_HIT(51 + MISS, 51 + MISS, 51 + MISS);
    g_autoptr(Rig) rig = rig_new("completion = in_order", (Surroundings){0});
    RUN(rig, requests);
    for (guint i = 0; i < 5; i++)
        ck_assert_uint_eq(harness_transaction(rig->sink, i)->message.id & UINT32_MAX, i);
    g_autofree char *hit = harness_stages(harness_transaction(rig->sink, 3), (51 + MISS) * TIME_NS,
                                          rig->harness->clock);
    ck_assert_str_eq(hit, "issue 1 l2_tag 31 l2_order 90 reply_wire 1");
    assert_little(rig->slice, "reply_queue");
    ck_assert_uint_eq(unit_level(rig->slice, "queue")->stay, 0);
}
END_TEST

/* The fill of line 5 is here at 51 + 113 = 164; the hits are looked up at 164 and 165. */
START_TEST(a_blocking_cache_looks_nothing_up_under_a_miss)
{
    static const Request requests[] = HIT_MISS_HIT_HIT(51 + MISS, 163 + HIT, 164 + HIT);
    g_autoptr(Rig) rig = rig_new("completion = blocking", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_gt(unit_count(rig->slice, "refused_blocking"), 0);
}
END_TEST

/* Lines 0, 4, 8 share a set of two ways. The write-back of line 0 is done at 200 + 113 = 313; only
 * then is line 8 read. In a non-blocking cache both are under way at once. */
START_TEST(a_blocking_cache_reads_when_its_write_back_is_done)
{
    static const Request requests[] = {{10, WRITE, 0, 15, 0, 10 + HIT},
                                       {50, WRITE, 4, 15, 0, 50 + HIT},
                                       {200, READ, 8, 15, 0, 312 + MISS},
                                       {201, READ, 4, 15, 0, 425 - 1 + HIT}};
    g_autoptr(Rig) rig =
        rig_new("completion = blocking; capacity = 1 KiB; ways = 2", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(far_side_transaction(rig->dram, 0)->type, WRITE);
    ck_assert_uint_eq(far_side_seen(rig->dram, 0)->cycle, 212);
    ck_assert_uint_eq(far_side_seen(rig->dram, 1)->cycle, 324);
    /* all that time its one place is full, and line 4 is refused for it */
    ck_assert_uint_eq(unit_level(rig->slice, "pending")->full, (425 - 1 - 200) * TIME_NS);
    ck_assert_uint_gt(unit_count(rig->slice, "refused_pending"), 0);
}
END_TEST

/* Each of three misses by itself takes 124 cycles, together hardly more: fills of 64 bytes are
 * written one behind the other. */
START_TEST(misses_overlap_unless_the_cache_blocks)
{
    static const Request together[] = {{10, READ, 0, 1, 0, 10 + MISS},
                                       {11, READ, 1, 1, 0, 12 + MISS},
                                       {12, READ, 2, 1, 0, 14 + MISS}};
    g_autoptr(Rig) rig = rig_new("completion = in_order", (Surroundings){0});
    RUN(rig, together);
    ck_assert_uint_eq(unit_level(rig->slice, "pending")->maximum, 3);
}
END_TEST

START_TEST(a_blocking_cache_has_one_miss_at_a_time)
{
    static const Request requests[] = {{10, READ, 0, 1, 0, 10 + MISS},
                                       {11, READ, 1, 1, 0, 122 + MISS},
                                       {12, READ, 2, 1, 0, 234 + MISS}};
    g_autoptr(Rig) rig = rig_new("completion = blocking", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_level(rig->slice, "pending")->maximum, 1);
}
END_TEST

/* Two turns: the third request is looked up when the miss has left at 123 (10 + 113). */
START_TEST(in_order_the_reply_queue_bounds_what_is_looked_up)
{
    static const Request requests[] = {{5, WRITE, 7, 15, 0, 5 + HIT},
                                       {50, READ, 5, 1, 0, 50 + MISS},
                                       {51, READ, 7, 1, 0, 50 + MISS},
                                       {52, READ, 7, 1, 0, 162 + HIT}};
    g_autoptr(Rig) rig = rig_new("completion = in_order; reply_entries = 2", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_gt(unit_count(rig->slice, "refused_order"), 0);
    ck_assert_uint_eq(unit_level(rig->slice, "reply_queue")->maximum, 2);
}
END_TEST

/* The network takes one reply at a time; what has its turn leaves as it gets room. */
START_TEST(in_order_replies_wait_for_the_network_too)
{
    static const Request requests[] = {
        {10, WRITE, 1, 15, 0, 300}, {11, WRITE, 2, 15, 0, 302}, {12, WRITE, 3, 15, 0, 304}};
    g_autoptr(Rig) rig = rig_new("completion = in_order", (Surroundings){.reply = 1});
    harness_withhold(rig->sink, 300);
    RUN(rig, requests);
    assert_little(rig->slice, "reply_queue");
}
END_TEST

/* A fetch of line 5's lower half is under way; the second request lacks all of it and fetches the
 * upper half only, which is back first. It is served when the lower one is there, at 310 + 1. */
static uint64_t lower_half_is_slow(const Transaction *transaction)
{
    return transaction->sectors == 3 ? 298 : 100;
}

START_TEST(a_request_waits_for_sectors_under_way_in_two_fetches)
{
    static const Request requests[] = {{10, READ, 5, 1, 0, 10 + MISS + 198},
                                       {20, READ, 5, 15, 0, 10 + MISS + 198 + 2}};
    static const uint16_t fetched[] = {3, 12};
    g_autoptr(Rig) rig = rig_new("fill_bytes = 64 B", (Surroundings){0});
    rig->dram->latency_of = lower_half_is_slow;
    RUN(rig, requests);
    assert_fetches(rig, fetched, 2);
    ck_assert_uint_eq(unit_bytes(rig->slice, "bytes_filled"), 128);
    g_autofree char *stages = harness_stages(harness_transaction(rig->sink, 1),
                                             requests[1].back * TIME_NS, rig->harness->clock);
    ck_assert_str_eq(stages, "issue 1 l2_tag 10 memory_wire 290 l2_tag 12 reply_wire 1");
    assert_little(rig->slice, "pending");
}
END_TEST

START_TEST(a_blocking_cache_has_no_queues_for_written_data)
{
    expect_refusal("completion = blocking; written_data = store_queue",
                   "l2_slice.written_data = store_queue: with completion = blocking");
}
END_TEST

/* The second is refused at 12 and looked up when the first is filled, at 10 + FILL; the place of
 * its reply is the one behind the first. */
START_TEST(in_order_a_refused_request_keeps_no_place_for_its_reply)
{
    static const Request requests[] = {{10, READ, 1, 15, 0, 10 + MISS},
                                       {11, READ, 2, 15, 0, 10 + FILL - 1 + MISS},
                                       {300, READ, 1, 15, 0, 300 + HIT}};
    g_autoptr(Rig) rig = rig_new("completion = in_order; pending_entries = 1", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_level(rig->slice, "reply_queue")->maximum, 1);
}
END_TEST

static Message *make_walkers_read(Unit *source, uint64_t number, Time *at, void *user)
{
    const Rig *rig = user;
    if (number) return NULL;
    *at = 50 * source->clock->period;
    Transaction *read = unit_new(source, MESSAGE_TRANSACTION);
    read->type = READ;
    read->for_walker = true;
    read->line = read->local = UINT64_C(7) * rig->line.line_bytes;
    read->sectors = 1;
    read->partial = 0;
    transaction_enter(read, STAGE_ISSUE, *at);
    return &read->message;
}

/* The only place is given back as the miss is filled, at 10 + FILL, and nothing else comes. */
START_TEST(in_order_a_walkers_read_has_the_place_that_a_reply_gives_back)
{
    static const Request request = {10, READ, 5, 1, 0, 10 + MISS};
    g_autoptr(Rig) rig = rig_new("completion = in_order; reply_entries = 1", (Surroundings){0});
    rig->requests = &request;
    rig->count = 1;
    Unit *walker = harness_source(rig->harness, "walker");
    Unit *walked = harness_sink(rig->harness, "walked");
    harness_connect(rig->harness, walker, "out", rig->slice, "from_mmu", (Path){0});
    harness_connect(rig->harness, rig->slice, "to_mmu", walked, "in", (Path){0});
    harness_generate(rig->source, make_request, rig);
    harness_generate(walker, make_walkers_read, rig);
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    ck_assert_uint_eq(reply_to(rig, 0)->cycle, request.back);
    ck_assert_uint_eq(harness_arrivals(walked), 1);
    ck_assert_uint_eq(harness_arrival(walked, 0)->cycle, 10 + FILL - 1 + MISS);
}
END_TEST

HARNESS_MAIN("l2_order", in_order_a_walkers_read_has_the_place_that_a_reply_gives_back,
             in_order_a_refused_request_keeps_no_place_for_its_reply,
             out_of_order_each_reply_leaves_when_it_is_ready,
             in_order_hits_proceed_under_a_miss_and_leave_behind_it,
             a_blocking_cache_looks_nothing_up_under_a_miss,
             a_blocking_cache_reads_when_its_write_back_is_done,
             misses_overlap_unless_the_cache_blocks, a_blocking_cache_has_one_miss_at_a_time,
             in_order_the_reply_queue_bounds_what_is_looked_up,
             in_order_replies_wait_for_the_network_too,
             a_request_waits_for_sectors_under_way_in_two_fetches,
             a_blocking_cache_has_no_queues_for_written_data)
