#include "rig.h"
#include "rigs/unit_rig.h"

static uint64_t line_of(const DramRig *rig, uint32_t row, uint32_t column)
{
    return dram_rig_address(rig, 0, row, column);
}

/* CL 12, tRCDRD 12, tRP 12, a burst 2; one cycle each to the scheduler, the DRAM and the sink. */
START_TEST(the_stages_of_a_read_are_its_commands)
{
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), NULL);
    const Step steps[] = {{100, TRANSACTION_READ, line_of(rig, 0, 0), 1, 0},
                          {200, TRANSACTION_READ, line_of(rig, 0, 0), 15, 0},
                          {300, TRANSACTION_READ, line_of(rig, 1, 0), 1, 0}};
    static const char *const stages[] = {
        "issue 1 dram_activate 12 dram_column 12 dram_bus 2 memory_wire 2",
        "issue 1 dram_activate 12 dram_column 12 dram_bus 6 memory_wire 2", /* the second bank was closed */
        "issue 1 dram_precharge 12 dram_activate 12 dram_column 12 dram_bus 2 memory_wire 2"};
    harness_script(rig->source, steps, G_N_ELEMENTS(steps));
    dram_rig_run(rig);
    for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
        const Arrived *arrived = harness_arrival(rig->sink, i);
        g_autofree char *text =
            harness_stages(harness_transaction(rig->sink, i), arrived->at, rig->harness->clock);
        ck_assert_str_eq(text, stages[i]);
    }
    ck_assert_uint_eq(unit_count(rig->scheduler, "row_misses"), 2);
    ck_assert_uint_eq(unit_count(rig->scheduler, "row_conflicts"), 1);
    /* the first row, until the third read */
    ck_assert_uint_eq(unit_busy(rig->channel, "row_open"), 200);
}
END_TEST

/* Reads of three rows of a bank and a write, at once: columns one burst apart, or all together. */
static const struct {
    uint32_t ideal;
    const char *stages[4];
} ideals[] = {
    {DRAM_IDEAL_TIMING,
     {"issue 1 dram_column 12 dram_bus 2 memory_wire 2",
      "issue 1 scheduler_wait 2 dram_column 12 dram_bus 2 memory_wire 2",
      "issue 1 scheduler_wait 4 dram_column 12 dram_bus 2 memory_wire 2",
      "issue 1 scheduler_wait 6 dram_column 12 dram_bus 2 memory_wire 2"}},
    {DRAM_IDEAL_BANDWIDTH,
     {"issue 1 dram_column 12 dram_bus 2 memory_wire 2",
      "issue 1 dram_column 12 dram_bus 2 memory_wire 2",
      "issue 1 dram_column 12 dram_bus 2 memory_wire 2",
      "issue 1 dram_column 12 dram_bus 2 memory_wire 2"}},
};

START_TEST(the_stages_of_ideal_dram_are_its_column_and_its_bus)
{
    DramTiming timing = dram_rig_default_timing(); /* whose refreshes are due */
    timing.ideal = ideals[_i].ideal;
    g_autoptr(DramRig) rig = dram_rig_new(timing, NULL);
    const Step steps[] = {{9000, TRANSACTION_READ, line_of(rig, 0, 0), 1, 0},
                          {9000, TRANSACTION_READ, line_of(rig, 1, 0), 1, 0},
                          {9000, TRANSACTION_READ, line_of(rig, 2, 0), 1, 0},
                          {9000, TRANSACTION_WRITE, line_of(rig, 3, 0), 1, 0}};
    harness_script(rig->source, steps, G_N_ELEMENTS(steps));
    dram_rig_run(rig);
    for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
        const Arrived *arrived = harness_arrival(rig->sink, i);
        g_autofree char *text =
            harness_stages(harness_transaction(rig->sink, i), arrived->at, rig->harness->clock);
        ck_assert_str_eq(text, ideals[_i].stages[i]);
    }
    ck_assert_uint_eq(unit_count(rig->channel, "activates"), 0);
    ck_assert_uint_eq(unit_count(rig->channel, "refreshes"), 0);
    ck_assert_uint_eq(unit_busy(rig->channel, "bus_busy"),
                      ideals[_i].ideal == DRAM_IDEAL_TIMING ? 4 * 2 : 0);
    ck_assert_uint_eq(unit_count(rig->scheduler, "row_hits"), 4);
}
END_TEST

/* Reads of two rows of one bank in turn, all waiting at once. */
enum { TURNS = 64 };

static Message *two_rows(Unit *source, uint64_t number, Time *at, void *user)
{
    *at = 100 * TIME_NS;
    const DramRig *rig = user;
    if (number >= TURNS) return NULL;
    return dram_rig_request(source, TRANSACTION_READ,
                            line_of(rig, number % 2, (uint32_t)number / 2), 32);
}

static uint64_t activates_of_two_rows(const char *settings)
{
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), settings);
    harness_generate(rig->source, two_rows, rig);
    dram_rig_run(rig);
    ck_assert_uint_eq(harness_arrivals(rig->sink), TURNS);
    ck_assert_uint_eq(unit_count(rig->channel, "reads"), TURNS);
    return unit_count(rig->channel, "activates");
}

START_TEST(fr_fcfs_opens_each_row_once)
{
    ck_assert_uint_eq(activates_of_two_rows("policy = fr_fcfs"), 2);
}
END_TEST

START_TEST(fifo_opens_a_row_for_every_read)
{
    ck_assert_uint_eq(activates_of_two_rows("policy = fifo"), TURNS);
}
END_TEST

START_TEST(a_window_of_one_entry_opens_a_row_for_every_read)
{
    ck_assert_uint_eq(activates_of_two_rows("policy = fr_fcfs; window = 1"), TURNS);
}
END_TEST

/* With a patience of 30 cycles the other row gets its turn before the first one is through. */
START_TEST(patience_lets_an_old_request_go_before_row_hits)
{
    ck_assert_uint_gt(activates_of_two_rows("policy = fr_fcfs_age; patience = 30 cycles"), 2);
}
END_TEST

/* Three reads, a write, and so on, all row hits. */
static Message *reads_and_writes(Unit *source, uint64_t number, Time *at, void *user)
{
    (void)user;
    *at = 0;
    if (number >= 400) return NULL;
    const TransactionType type = number % 4 == 3 ? TRANSACTION_WRITE : TRANSACTION_READ;
    return dram_rig_request(source, type, number % 16 * 128, 128);
}

START_TEST(writes_wait_for_the_high_mark_and_drain_to_the_low_one)
{
    g_autoptr(DramRig) rig = dram_rig_new(
        without_refresh(), "read_entries = 64; write_entries = 16; drain_high = 12; drain_low = 4");
    harness_generate(rig->source, reads_and_writes, NULL);
    dram_rig_run(rig);
    ck_assert_uint_eq(harness_arrivals(rig->sink), 400);
    uint64_t run = 0, runs = 0;
    for (uint64_t i = 0; i < 300; i++) { /* later on, what is left drains because no read waits */
        const bool write = harness_transaction(rig->sink, i)->type == TRANSACTION_WRITE;
        if (!write && run) {
            ck_assert_uint_ge(run, 8); /* 12 - 4, and those that came meanwhile */
            runs++;
        }
        run = write ? run + 1 : 0;
    }
    ck_assert_uint_ge(runs, 3);
    /* 100 writes, at least 8 a drain; two changes of direction each */
    ck_assert_uint_le(unit_count(rig->scheduler, "drains"), 12);
    ck_assert_uint_le(unit_count(rig->scheduler, "turnarounds"), 26);
}
END_TEST

START_TEST(writes_go_when_no_read_waits)
{
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), NULL);
    static const Step steps[] = {{100, TRANSACTION_WRITE, 0, 1, 0},
                                 {100, TRANSACTION_WRITE, 128, 1, 0}};
    harness_script(rig->source, steps, 2);
    dram_rig_run(rig);
    /* 1 down, tRCDWR 12, CWL 2, burst 2, 1 to the DRAM, 1 to the sink */
    ck_assert_uint_eq(harness_arrival(rig->sink, 0)->cycle, 100 + 1 + 12 + 2 + 2 + 1 + 1);
    ck_assert_uint_eq(unit_count(rig->scheduler, "idle_drains"), 1);
    ck_assert_uint_eq(unit_count(rig->scheduler, "drains"), 0);
}
END_TEST

static Message *many_rows(Unit *source, uint64_t number, Time *at, void *user)
{
    *at = 0;
    const DramRig *rig = user;
    if (number >= 300) return NULL;
    return dram_rig_request(source, TRANSACTION_READ, line_of(rig, (uint32_t)number, 0), 32);
}

START_TEST(a_full_store_holds_requests_back_and_loses_none)
{
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), "read_entries = 4");
    harness_generate(rig->source, many_rows, rig);
    dram_rig_run(rig);
    ck_assert_uint_eq(harness_arrivals(rig->sink), 300);
    ck_assert_uint_gt(unit_count(rig->scheduler, "refused_reads"), 100);
    ck_assert_uint_eq(unit_count(rig->scheduler, "refused_rows"), 0);
}
END_TEST

START_TEST(a_full_set_of_the_sorter_holds_requests_back)
{
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), "read_sets = 1; read_ways = 2");
    harness_generate(rig->source, many_rows, rig);
    dram_rig_run(rig);
    ck_assert_uint_eq(harness_arrivals(rig->sink), 300);
    ck_assert_uint_gt(unit_count(rig->scheduler, "refused_rows"), 100);
}
END_TEST

START_TEST(only_the_wanted_sectors_cost_bursts)
{
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), NULL);
    static const Step steps[] = {{10, TRANSACTION_READ, 0, 1, 0},
                                 {10, TRANSACTION_READ, 128, 12, 0},
                                 {10, TRANSACTION_READ, 256, 15, 0},
                                 {10, TRANSACTION_WRITE, 384, 7, 0}};
    harness_script(rig->source, steps, G_N_ELEMENTS(steps));
    dram_rig_run(rig);
    ck_assert_uint_eq(unit_bytes(rig->channel, "bytes_read"), (1 + 2 + 4) * 32);
    ck_assert_uint_eq(unit_bytes(rig->channel, "bytes_written"), 3 * 32);
    ck_assert_uint_eq(unit_busy(rig->channel, "bus_busy"), 10 * 2);
}
END_TEST

START_TEST(a_sector_below_the_burst_costs_a_whole_one)
{
    DramTiming timing = without_refresh();
    timing.channel_width = 16; /* 64 B bursts */
    g_autoptr(DramRig) rig = dram_rig_new(timing, NULL);
    static const Step steps[] = {{10, TRANSACTION_READ, 0, 2, 0},
                                 {10, TRANSACTION_READ, 128, 6, 0}};
    harness_script(rig->source, steps, G_N_ELEMENTS(steps));
    dram_rig_run(rig);
    ck_assert_uint_eq(unit_bytes(rig->channel, "bytes_read"), (1 + 2) * 64);
}
END_TEST

static Message *random_mix(Unit *source, uint64_t number, Time *at, void *user)
{
    *at = number * 6 * TIME_NS;
    GRand *random = user;
    if (number >= 20000) return NULL;
    const TransactionType type =
        g_rand_int_range(random, 0, 3) ? TRANSACTION_READ : TRANSACTION_WRITE;
    const uint64_t line = (uint64_t)g_rand_int_range(random, 0, 1 << 16) * 128;
    return dram_rig_request(source, type, line + (uint64_t)g_rand_int_range(random, 0, 2) * 64, 64);
}

/* With per-bank and all-bank refresh, drains and conflicts: every command passes the checker. */
START_TEST(a_random_mix_is_served_whole_and_legally)
{
    DramTiming timing = dram_rig_default_timing();
    timing.refresh = _i ? DRAM_REFRESH_ALL_BANK : DRAM_REFRESH_PER_BANK;
    g_autoptr(DramRig) rig = dram_rig_new(timing, NULL);
    g_autoptr(GRand) random = g_rand_new_with_seed(3);
    harness_generate(rig->source, random_mix, random);
    harness_forget(rig->sink);
    dram_rig_run(rig);
    ck_assert_uint_eq(harness_arrivals(rig->sink), 20000);
    const uint64_t served =
        unit_count(rig->scheduler, "reads") + unit_count(rig->scheduler, "writes");
    ck_assert_uint_eq(served, 20000);
    ck_assert_uint_eq(served, unit_count(rig->scheduler, "row_hits")
                                  + unit_count(rig->scheduler, "row_misses")
                                  + unit_count(rig->scheduler, "row_conflicts")
                                  + unit_count(rig->scheduler, "forwarded"));
    ck_assert_uint_gt(unit_count(rig->channel, "refreshes"), 30);
}
END_TEST

static const Level *level_of(const Unit *unit, const char *name)
{
    const Stat *stat = unit->class->stats;
    while (!g_str_equal(stat->name, name)) stat++;
    return (const Level *)(const void *)((const char *)unit + stat->offset);
}

START_TEST(the_queues_obey_little)
{
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), NULL);
    g_autoptr(GRand) random = g_rand_new_with_seed(5);
    harness_generate(rig->source, random_mix, random);
    harness_forget(rig->sink);
    dram_rig_run(rig);
    static const char *const names[] = {"reads_waiting", "writes_waiting"};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        const Level *level = level_of(rig->scheduler, names[i]);
        ck_assert_uint_gt(level->arrivals, 5000);
        ck_assert_uint_eq(level->now, 0);
        ck_assert_uint_eq(level->integral, level->stay);
    }
}
END_TEST

static Message *stream(Unit *source, uint64_t number, Time *at, void *user)
{
    (void)user;
    *at = 0;
    return number < 10000 ? dram_rig_request(source, TRANSACTION_READ, number * 128, 128) : NULL;
}

/* An arrival each at the scheduler and the channel, and at most half a wake-up each. */
START_TEST(a_saturated_stream_costs_at_most_three_events_a_line)
{
    g_autoptr(DramRig) rig = dram_rig_new(dram_rig_default_timing(), NULL);
    harness_generate(rig->source, stream, NULL);
    harness_forget(rig->sink);
    dram_rig_run(rig);
    ck_assert_uint_le(rig->scheduler->events + rig->channel->events, 3 * 10000);
}
END_TEST

START_TEST(a_line_that_does_not_fit_the_bursts_is_refused)
{
    DramTiming timing = without_refresh();
    timing.channel_width = 64; /* 256 B bursts */
    timing.group_interleave = 256;
    g_autoptr(DramRig) rig = dram_rig_new(timing, NULL);
    g_autoptr(GError) error = harness_run_for_error(rig->harness);
    ck_assert_ptr_nonnull(error);
    ck_assert_ptr_nonnull(strstr(error->message, "must be 1 to 16 bursts of 256 B"));
}
END_TEST

START_TEST(drain_marks_out_of_order_are_refused)
{
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), "drain_low = 96");
    g_autoptr(GError) error = harness_run_for_error(rig->harness);
    ck_assert_ptr_nonnull(error);
    ck_assert_ptr_nonnull(
        strstr(error->message, "must be greater than drain_low (96) and at most"));
}
END_TEST

/* tRP + tRCD + a row of the other group: what a closed row needs before its first column. */
START_TEST(a_horizon_that_no_row_can_open_in_is_refused)
{
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), "horizon = 5 cycles");
    g_autoptr(GError) error = harness_run_for_error(rig->harness);
    ck_assert_ptr_nonnull(error);
    ck_assert_ptr_nonnull(strstr(error->message, "access_scheduler.horizon = 5 cycles"));
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("access_scheduler");
    tcase_add_loop_test(cases, the_stages_of_ideal_dram_are_its_column_and_its_bus, 0,
                        G_N_ELEMENTS(ideals));
    tcase_add_test(cases, the_stages_of_a_read_are_its_commands);
    tcase_add_test(cases, fr_fcfs_opens_each_row_once);
    tcase_add_test(cases, fifo_opens_a_row_for_every_read);
    tcase_add_test(cases, a_window_of_one_entry_opens_a_row_for_every_read);
    tcase_add_test(cases, patience_lets_an_old_request_go_before_row_hits);
    tcase_add_test(cases, writes_wait_for_the_high_mark_and_drain_to_the_low_one);
    tcase_add_test(cases, writes_go_when_no_read_waits);
    tcase_add_test(cases, a_full_store_holds_requests_back_and_loses_none);
    tcase_add_test(cases, a_full_set_of_the_sorter_holds_requests_back);
    tcase_add_test(cases, only_the_wanted_sectors_cost_bursts);
    tcase_add_test(cases, a_sector_below_the_burst_costs_a_whole_one);
    tcase_add_loop_test(cases, a_random_mix_is_served_whole_and_legally, 0, 2);
    tcase_add_test(cases, the_queues_obey_little);
    tcase_add_test(cases, a_saturated_stream_costs_at_most_three_events_a_line);
    tcase_add_test(cases, a_line_that_does_not_fit_the_bursts_is_refused);
    tcase_add_test(cases, drain_marks_out_of_order_are_refused);
    tcase_add_test(cases, a_horizon_that_no_row_can_open_in_is_refused);
    return harness_run_cases("access_scheduler", cases);
}
