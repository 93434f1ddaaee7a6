/* How full the stores and the sorters' sets are. Every command passes the checker. */
#include "rig.h"
#include "rigs/unit_rig.h"

static Message *each_in_a_row_of_its_own(Unit *source, uint64_t number, Time *at, void *user)
{
    *at = 0;
    if (number >= 40) return NULL;
    return dram_rig_request(source, TRANSACTION_READ,
                            dram_rig_address(user, 0, (uint32_t)number, 0), 32);
}

/* With one entry a read is alone in its row and in the store, which is full meanwhile. */
START_TEST(a_lone_read_fills_a_store_of_one_and_a_way_of_its_set)
{
    g_autoptr(DramRig) rig =
        dram_rig_new(dram_rig_default_timing(), "read_entries = 1; read_sets = 1; read_ways = 1");
    harness_generate(rig->source, each_in_a_row_of_its_own, rig);
    dram_rig_run(rig);
    const uint64_t waited = unit_level(rig->scheduler, "reads_waiting")->stay / TIME_NS;
    ck_assert_uint_gt(waited, 39 * 40); /* a row cycle each */
    ck_assert_uint_eq(unit_work(rig->scheduler, "reads_waiting"), waited);
    ck_assert_uint_eq(unit_full(rig->scheduler, "reads_waiting"), waited);
    ck_assert_uint_eq(unit_work(rig->scheduler, "read_rows"), waited);
    ck_assert_uint_eq(unit_full(rig->scheduler, "read_rows"), waited);
    ck_assert_uint_eq(unit_work(rig->scheduler, "write_rows"), 0);
    ck_assert_uint_gt(unit_refused(rig->scheduler, "reads_waiting"), 30);
    assert_places_are_empty(rig->scheduler);
}
END_TEST

static Message *all_of_one_row(Unit *source, uint64_t number, Time *at, void *user)
{
    *at = 0;
    if (number >= 30) return NULL;
    return dram_rig_request(source, TRANSACTION_WRITE,
                            dram_rig_address(user, 0, 5, (uint32_t)number), 32);
}

/* From the first one's coming until the last one's going, as long as that one stayed at least. */
START_TEST(a_row_takes_a_way_as_long_as_one_of_its_requests_waits)
{
    g_autoptr(DramRig) rig =
        dram_rig_new(dram_rig_default_timing(), "write_sets = 1; write_ways = 4");
    harness_generate(rig->source, all_of_one_row, rig);
    dram_rig_run(rig);
    const Level *row = unit_meter_at(rig->scheduler, "write_rows", 0)->field;
    ck_assert_uint_eq(row->arrivals, 1);
    ck_assert_uint_eq(row->maximum, 1);
    const uint64_t all = unit_work(rig->scheduler, "writes_waiting");
    ck_assert_uint_gt(unit_work(rig->scheduler, "write_rows"), all / 30);
    ck_assert_uint_lt(unit_work(rig->scheduler, "write_rows"), all);
    assert_places_are_empty(rig->scheduler);
}
END_TEST

START_TEST(a_set_whose_ways_are_taken_refuses_another_row)
{
    g_autoptr(DramRig) rig =
        dram_rig_new(dram_rig_default_timing(), "read_sets = 1; read_ways = 2");
    harness_generate(rig->source, each_in_a_row_of_its_own, rig);
    dram_rig_run(rig);
    ck_assert_uint_eq(unit_refused(rig->scheduler, "read_rows"),
                      unit_count(rig->scheduler, "refused_rows"));
    ck_assert_uint_gt(unit_refused(rig->scheduler, "read_rows"), 30);
    ck_assert_uint_eq(unit_work(rig->scheduler, "read_rows"),
                      unit_work(rig->scheduler, "reads_waiting"));
    ck_assert_uint_eq(unit_meter_at(rig->scheduler, "read_rows", 0)->capacity, 2);
    assert_places_are_empty(rig->scheduler);
}
END_TEST

/* Bursts of 64 B, sectors of 32 B: of requests for one sector each the other one comes along. */
static void expect_half_beyond(Maker requests, const char *moved, const char *beyond)
{
    DramTiming timing = dram_rig_default_timing();
    timing.burst_length *= 2;
    g_autoptr(DramRig) rig = dram_rig_new(timing, NULL);
    harness_generate(rig->source, requests, rig);
    dram_rig_run(rig);
    const uint64_t bytes = unit_bytes(rig->channel, moved);
    ck_assert_uint_eq(bytes, harness_arrivals(rig->sink) * 64);
    ck_assert_uint_eq(unit_bytes(rig->scheduler, beyond), bytes / 2);
}

START_TEST(bytes_of_a_burst_beyond_the_sectors_are_counted)
{
    expect_half_beyond(each_in_a_row_of_its_own, "bytes_read", "bytes_overfetched");
    expect_half_beyond(all_of_one_row, "bytes_written", "bytes_masked");
}
END_TEST

HARNESS_MAIN("stores", bytes_of_a_burst_beyond_the_sectors_are_counted,
             a_lone_read_fills_a_store_of_one_and_a_way_of_its_set,
             a_row_takes_a_way_as_long_as_one_of_its_requests_waits,
             a_set_whose_ways_are_taken_refuses_another_row)
