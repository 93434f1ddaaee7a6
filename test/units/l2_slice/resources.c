/* What an L2 slice counts of what can be full. A line of 128 B takes a port 4 cycles. */
#include "rig.h"

#define WHOLE_LINES "fill_bytes = 128 B; data_bandwidth = 32 B/cycle; "

/* A store and a fill, both written, and two reads, of which the fill's has what is written. */
static const Request mixed[] = {{5, WRITE, 5, 15, 0, 5 + HIT},
                                {130, READ, 7, 15, 0, 130 + MISS},
                                {300, READ, 5, 15, 0, 300 + HIT}};

START_TEST(each_access_takes_the_tags_and_its_port)
{
    g_autoptr(Rig) rig = rig_new(WHOLE_LINES "lookup_interval = 3 cycles", (Surroundings){0});
    RUN(rig, mixed);
    ck_assert_uint_eq(unit_booked(rig->slice, "look_ups"), 3 * 3);
    ck_assert_uint_eq(unit_booked(rig->slice, "read_ports"), 1 * 4);
    ck_assert_uint_eq(unit_booked(rig->slice, "write_port"), 2 * 4);
}
END_TEST

/* The fill goes to its request as it is written. */
START_TEST(with_one_port_writes_take_the_one_for_reads)
{
    g_autoptr(Rig) rig = rig_new(WHOLE_LINES "array_ports = 1RW", (Surroundings){0});
    RUN(rig, mixed);
    ck_assert_uint_eq(unit_booked(rig->slice, "read_ports"), 3 * 4);
    ck_assert_uint_eq(unit_booked(rig->slice, "write_port"), 0);
}
END_TEST

START_TEST(two_read_ports_are_full_half_as_long)
{
    g_autoptr(Rig) rig = rig_new(WHOLE_LINES "array_ports = 2R1W", (Surroundings){0});
    RUN(rig, mixed);
    const Meter *ports = unit_meter_at(rig->slice, "read_ports", 0);
    ck_assert_uint_eq(ports->capacity, 2);
    ck_assert_uint_eq(meter_read(ports, 1000 * TIME_NS).work / TIME_NS, 4);
    ck_assert_uint_eq(meter_read(ports, 1000 * TIME_NS).full / TIME_NS, 2);
}
END_TEST

/* The fetch is looked up at 6 and filled at 5 + 113 = 118. Two join it, at 9 and 10. */
START_TEST(a_fetch_holds_an_entry_and_a_way_until_it_is_filled)
{
    static const Request requests[] = {{5, READ, 5, 15, 0, 5 + MISS},
                                       {8, READ, 5, 15, 0, 5 + MISS + 4},
                                       {9, READ, 5, 15, 0, 5 + MISS + 8}};
    g_autoptr(Rig) rig =
        rig_new(WHOLE_LINES "capacity = 1 KiB; ways = 1; pending_entries = 1; pending_merges = 2",
                (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_work(rig->slice, "pending"), 112);
    ck_assert_uint_eq(unit_full(rig->slice, "pending"), 112);
    ck_assert_uint_eq(unit_work(rig->slice, "merge_room"), 109 + 108);
    ck_assert_uint_eq(unit_full(rig->slice, "merge_room"), 108);
    ck_assert_uint_eq(unit_work(rig->slice, "set_fills"), 112);
    ck_assert_uint_eq(unit_meter_at(rig->slice, "set_fills", 0)->capacity, 8);
}
END_TEST

/* Two fetches of a line, 64 B each, are one way: from 6 until the second's fill at 19 + 113. */
START_TEST(a_line_that_is_fetched_twice_is_one_way)
{
    static const Request requests[] = {{5, READ, 5, 3, 0, 5 + MISS},
                                       {19, READ, 5, 12, 0, 19 + MISS}};
    g_autoptr(Rig) rig =
        rig_new("capacity = 1 KiB; ways = 1; fill_bytes = 64 B", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_work(rig->slice, "pending"), 2 * 112);
    ck_assert_uint_eq(unit_work(rig->slice, "set_fills"), 126);
}
END_TEST

/* Of a set of two ways one stays clean: the second store begins the write of the first one's line,
 * which is looked up at 10 + 1 and done 112 cycles later. */
START_TEST(data_that_is_written_from_its_line_holds_the_way)
{
    static const Request requests[] = {{5, WRITE, 0, 15, 0, 5 + HIT},
                                       {10, WRITE, 4, 15, 0, 10 + HIT}};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB; ways = 2; clean_ways = 1; written_data = line",
                                 (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_work(rig->slice, "set_writes"), 112);
    ck_assert_uint_eq(unit_full(rig->slice, "set_writes"), 0);
    ck_assert_uint_eq(unit_level(rig->slice, "write_backs_outstanding")->stay / TIME_NS, 112);
}
END_TEST

/* With one place in front of the scheduler, which is given back every 100 cycles, misses wait. */
START_TEST(queues_are_as_full_as_their_statistics_say)
{
    g_autofree Request *requests = g_new0(Request, 12);
    for (uint64_t i = 0; i < 12; i++) requests[i] = (Request){5, READ, i, 15, 0, 0};
    g_autoptr(Rig) rig = rig_new(WHOLE_LINES "load_queue_entries = 2; completion = in_order; "
                                             "reply_entries = 4",
                                 (Surroundings){.scheduler = 1});
    rig->requests = requests;
    rig->count = 12;
    harness_generate(rig->source, make_request, rig);
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    static const char *const places[] = {"load_queue", "reply_queue"};
    for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
        ck_assert_uint_gt(unit_full(rig->slice, places[i]), 0);
        ck_assert_uint_eq(unit_meter_at(rig->slice, places[i], 0)->counted.work,
                          unit_level(rig->slice, places[i])->stay);
    }
    ck_assert_uint_eq(unit_meter_at(rig->slice, "load_queue", 0)->capacity, 2);
    ck_assert_uint_eq(unit_meter_at(rig->slice, "reply_queue", 0)->capacity, 4);
    assert_places_are_empty(rig->slice);
}
END_TEST

HARNESS_MAIN("l2_resources", each_access_takes_the_tags_and_its_port,
             with_one_port_writes_take_the_one_for_reads, two_read_ports_are_full_half_as_long,
             a_fetch_holds_an_entry_and_a_way_until_it_is_filled,
             a_line_that_is_fetched_twice_is_one_way,
             data_that_is_written_from_its_line_holds_the_way,
             queues_are_as_full_as_their_statistics_say)
