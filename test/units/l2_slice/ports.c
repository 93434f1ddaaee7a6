/* Ports of an L2 slice's data array, its peak rates, and hits by class. Times of a hit and of a
 * miss are those of the rig; a line of 128 B takes a port 4 cycles. */
#include "parts/cache/evicted_tags.h"
#include "rig.h"

#define WHOLE_LINES "fill_bytes = 128 B; data_bandwidth = 32 B/cycle; "

/* The fill of line 7 is here at 130 + 113 = 243 and ready for the array at 253; the hit before it,
 * ready at 221 + 31 = 252, has the port until 256. It fills and replies from 256 on. Likewise the
 * read looked up at 302 and ready at 333 waits until the store's data is written, 332 to 336. */
START_TEST(a_single_port_makes_reads_fills_and_stores_wait_for_each_other)
{
    static const Request requests[] = {{5, WRITE, 5, 15, 0, 5 + HIT},
                                       {130, READ, 7, 15, 0, 256 + 1},
                                       {220, READ, 5, 15, 0, 220 + HIT},
                                       {300, WRITE, 5, 15, 0, 300 + HIT},
                                       {301, READ, 5, 15, 0, 336 + 1}};
    g_autoptr(Rig) rig = rig_new(WHOLE_LINES "array_ports = 1RW", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_busy(rig->slice, "write_busy"), 12); /* two stores, the fill */
    ck_assert_uint_eq(unit_busy(rig->slice, "data_busy"), 8);   /* the two hits */
}
END_TEST

/* The same but for the ports: the fill is written and on its way from 253 on, while the hit is
 * read; the read waits for no store. */
START_TEST(with_a_write_port_of_its_own_a_read_waits_for_no_store_or_fill)
{
    static const Request requests[] = {{5, WRITE, 5, 15, 0, 5 + HIT},
                                       {130, READ, 7, 15, 0, 130 + MISS},
                                       {220, READ, 5, 15, 0, 220 + HIT},
                                       {300, WRITE, 5, 15, 0, 300 + HIT},
                                       {301, READ, 5, 15, 0, 301 + HIT}};
    g_autoptr(Rig) rig = rig_new(WHOLE_LINES "array_ports = 1R1W", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_busy(rig->slice, "write_busy"), 12);
    ck_assert_uint_eq(unit_busy(rig->slice, "data_busy"), 8);
}
END_TEST

/* Three loads of a whole line, looked up at 101, 102, 103: of one port they leave every 4 cycles;
 * of two, the third waits for the first. */
START_TEST(a_second_read_port_reads_two_lines_at_once)
{
    static const Request requests[] = {{10, WRITE, 5, 15, 0, 10 + HIT},
                                       {100, READ, 5, 15, 0, 133},
                                       {100, READ, 5, 15, 0, 134},
                                       {100, READ, 5, 15, 0, 137}};
    g_autoptr(Rig) rig = rig_new(WHOLE_LINES "array_ports = 2R1W", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_busy(rig->slice, "data_busy"), 12);
}
END_TEST

/* Stores of whole lines, one a cycle, each four cycles of the port. With room for one line behind
 * the 31 cycles of the pipeline, the port may be taken 35 cycles ahead. */
START_TEST(stores_wait_for_room_in_front_of_the_write_port)
{
    g_autofree Request *requests = g_new0(Request, 60);
    for (uint64_t i = 0; i < 60; i++) {
        /* store i has the port from 42 + 4 i on and is looked up 35 cycles before that */
        const uint64_t looked_up = MAX(11 + i, i ? 42 + 4 * i - 35 : 0);
        requests[i] = (Request){10, WRITE, i, 15, 0, looked_up + 31 + 1};
    }
    g_autoptr(Rig) rig = rig_new(WHOLE_LINES "write_buffer = 1", (Surroundings){.input = 64});
    run(rig, requests, 60);
    ck_assert_uint_gt(unit_count(rig->slice, "refused_ports"), 0);
    ck_assert_uint_eq(unit_busy(rig->slice, "write_busy"), 240);
}
END_TEST

/* --- peak ------------------------------------------------------------------------------------- */

enum { MANY = 400 };

static void run_many(Rig *rig, TransactionType type, uint16_t sectors, uint64_t lines)
{
    g_autofree Request *requests = g_new0(Request, MANY);
    for (guint i = 0; i < MANY; i++)
        requests[i] = (Request){.at = i < lines ? 10 : 1000, type, i % lines, sectors, 0, 0};
    rig->requests = requests;
    rig->count = MANY;
    harness_generate(rig->source, make_request, rig);
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    ck_assert_uint_eq(harness_arrivals(rig->sink), MANY);
}

static uint64_t cycles_between(const Rig *rig, uint64_t first, uint64_t last)
{
    return harness_arrival(rig->sink, last)->cycle - harness_arrival(rig->sink, first)->cycle;
}

/* 8 lines once, then 392 hits: 128 B every 4 cycles. */
START_TEST(hits_sustain_the_data_bandwidth)
{
    g_autoptr(Rig) rig = rig_new(WHOLE_LINES, (Surroundings){.input = 64});
    run_many(rig, READ, 15, 8);
    ck_assert_uint_eq(cycles_between(rig, 8, MANY - 1), 4 * (MANY - 1 - 8));
}
END_TEST

/* One and a half sectors a cycle, as an A100's: three lines take eight cycles. */
START_TEST(a_width_of_a_part_of_a_sector_is_kept_on_average)
{
    g_autoptr(Rig) rig = rig_new("data_bandwidth = 48 B/cycle", (Surroundings){.input = 64});
    run_many(rig, READ, 15, 8);
    ck_assert_uint_eq(3 * cycles_between(rig, 9, MANY - 1), 8 * (MANY - 1 - 9));
}
END_TEST

START_TEST(nothing_takes_a_port_for_less_than_a_cycle)
{
    g_autoptr(Rig) rig = rig_new("data_bandwidth = 48 B/cycle", (Surroundings){.input = 64});
    run_many(rig, READ, 1, 8);
    ck_assert_uint_eq(unit_busy(rig->slice, "data_busy"), MANY - 8);
}
END_TEST

/* A port is free within a cycle, and yet whatever leaves the slice leaves it with the clock. */
static void check_edges(TransactionType type, uint64_t lines)
{
    g_autoptr(Rig) rig =
        rig_new("data_bandwidth = 48 B/cycle; write_buffer = 1", (Surroundings){.input = 64});
    run_many(rig, type, 15, lines);
    for (uint64_t i = 0; i < MANY; i++)
        ck_assert_uint_eq(harness_arrival(rig->sink, i)->at % rig->sink->clock->period, 0);
}

START_TEST(with_a_part_of_a_sector_hits_leave_with_the_clock)
{
    check_edges(READ, 8);
}
END_TEST

START_TEST(with_a_part_of_a_sector_fills_leave_with_the_clock)
{
    check_edges(READ, MANY);
}
END_TEST

START_TEST(with_a_part_of_a_sector_stores_that_wait_leave_with_the_clock)
{
    check_edges(WRITE, 8);
}
END_TEST

/* To 8 lines again and again: the write port takes 128 B every 4 cycles too. Acknowledgements are
 * ahead of it by the write buffer of 64 lines at most. */
START_TEST(stores_sustain_the_data_bandwidth)
{
    g_autoptr(Rig) rig = rig_new(WHOLE_LINES, (Surroundings){.input = 64});
    run_many(rig, WRITE, 15, 8);
    ck_assert_uint_eq(unit_busy(rig->slice, "write_busy"), 4 * MANY);
    const uint64_t cycles = cycles_between(rig, 8, MANY - 1), all = 4 * (MANY - 1 - 8);
    ck_assert_uint_le(cycles, all);
    ck_assert_uint_ge(cycles, all - 4 * 64 - 31);
}
END_TEST

START_TEST(hits_sustain_a_look_up_in_each_interval)
{
    g_autoptr(Rig) rig = rig_new("lookup_interval = 1 cycle", (Surroundings){.input = 64});
    run_many(rig, READ, 1, 8);
    ck_assert_uint_eq(cycles_between(rig, 8, MANY - 1), MANY - 1 - 8);
}
END_TEST

START_TEST(a_longer_interval_halves_the_rate)
{
    g_autoptr(Rig) rig = rig_new("lookup_interval = 2 cycles", (Surroundings){.input = 64});
    run_many(rig, READ, 1, 8);
    ck_assert_uint_eq(cycles_between(rig, 8, MANY - 1), 2 * (MANY - 1 - 8));
}
END_TEST

/* Loads of a sector or a line that all hit and come together. Of several look-ups in an interval
 * each takes its share of it, and so do reads of several ports: of two one of four cycles is free
 * after two. */
static const struct {
    const char *settings;
    uint16_t sectors;
    uint64_t after[6]; /* the first one's reply */
} side_by_side[] = {
    {"lookups_per_interval = 2; data_ports = 2", 1, {0, 0, 1, 1, 2, 2}},
    {"lookups_per_interval = 2; lookup_interval = 3 cycles", 1, {0, 1, 3, 4, 6, 7}},
    {"lookups_per_interval = 3; lookup_interval = 2 cycles; data_ports = 3", 1, {0, 0, 1, 2, 2, 3}},
    {"lookups_per_interval = 4; data_ports = 2", 1, {0, 0, 1, 1, 2, 2}},
    {"lookups_per_interval = 6; array_ports = 2R1W", 1, {0, 0, 1, 1, 2, 2}},
    {"lookups_per_interval = 6; array_ports = 2R1W; data_ports = 3", 1, {0}},
    {"lookups_per_interval = 6; data_ports = 2", 15, {0, 2, 4, 6, 8, 10}},
    {"lookups_per_interval = 64; data_ports = 64", 15, {0}},
};

START_TEST(several_requests_are_looked_up_and_read_side_by_side)
{
    enum { LOADS = G_N_ELEMENTS(side_by_side[0].after) };
    for (guint i = 0; i < G_N_ELEMENTS(side_by_side); i++) {
        const uint16_t sectors = side_by_side[i].sectors;
        Request requests[1 + LOADS] = {{10, WRITE, 5, 15, 0, 10 + HIT}};
        for (guint k = 0; k < LOADS; k++)
            requests[1 + k] =
                (Request){100, READ, 5, sectors, 0, 100 + HIT + side_by_side[i].after[k]};
        g_autofree char *settings = g_strconcat(WHOLE_LINES, side_by_side[i].settings, NULL);
        g_autoptr(Rig) rig = rig_new(settings, (Surroundings){0});
        RUN(rig, requests);
        ck_assert_uint_eq(unit_busy(rig->slice, "data_busy"),
                          LOADS * (uint64_t)__builtin_popcount(sectors));
        ck_assert_uint_eq(unit_booked(rig->slice, "look_ups"),
                          (1 + LOADS) * unit_number(rig->slice, "lookup_interval", PARAM_CYCLES));
    }
}
END_TEST

/* Two stores of a line each take the only port two cycles on average. */
START_TEST(one_port_that_serves_two_at_once_is_full_half_as_long)
{
    static const Request requests[] = {{5, WRITE, 5, 15, 0, 5 + HIT},
                                       {5, WRITE, 6, 15, 0, 5 + HIT},
                                       {5, READ, 5, 15, 0, 5 + HIT + 4}};
    g_autoptr(Rig) rig =
        rig_new(WHOLE_LINES "lookups_per_interval = 3; array_ports = 1RW; data_ports = 2",
                (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_booked(rig->slice, "read_ports"), 3 * 4);
    ck_assert_uint_eq(unit_meter_at(rig->slice, "read_ports", 0)->capacity, 2);
}
END_TEST

/* A DRAM that delivers a whole line every 4 cycles: misses to new lines come back at that rate, as
 * long as enough may be under way (latency 124 / 4 = 31 entries). */
START_TEST(fills_sustain_the_full_rate_of_the_array)
{
    g_autoptr(Rig) rig = rig_new(WHOLE_LINES "pending_entries = 64", (Surroundings){.input = 64});
    run_many(rig, READ, 15, MANY);
    ck_assert_uint_eq(cycles_between(rig, 0, MANY - 1), 4 * (MANY - 1));
}
END_TEST

/* A hit and a fill of a whole line each, again and again: side by side, or one after the other. */
static uint64_t cycles_of_hits_and_fills(const char *ports)
{
    g_autofree Request *requests = g_new0(Request, MANY);
    for (guint i = 0; i < MANY; i++)
        requests[i] = (Request){i < 8 ? 10 : 1000, READ, i % 2 ? i : 0, 15, 0, 0};
    g_autofree char *settings =
        g_strconcat(WHOLE_LINES "pending_entries = 64; array_ports = ", ports, NULL);
    g_autoptr(Rig) rig = rig_new(settings, (Surroundings){.input = 64});
    rig->requests = requests;
    rig->count = MANY;
    harness_generate(rig->source, make_request, rig);
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    return cycles_between(rig, 8, MANY - 1);
}

enum { PAIRS = (MANY - 8) / 2 };

START_TEST(with_a_write_port_of_its_own_fills_cost_hits_nothing)
{
    ck_assert_uint_le(cycles_of_hits_and_fills("1R1W"), 4 * PAIRS + MISS);
}
END_TEST

START_TEST(with_a_single_port_fills_take_turns_with_hits)
{
    ck_assert_uint_ge(cycles_of_hits_and_fills("1RW"), 8 * PAIRS - 8);
}
END_TEST

/* 8 entries over 8 x 4 cycles of transfer in 114 cycles from fetch to fetch. */
START_TEST(few_pending_entries_bound_the_rate_of_fills)
{
    g_autoptr(Rig) rig = rig_new(WHOLE_LINES "pending_entries = 8", (Surroundings){.input = 64});
    run_many(rig, READ, 15, MANY);
    ck_assert_uint_ge(cycles_between(rig, 0, MANY - 1), 112 * (MANY / 8 - 1));
}
END_TEST

/* --- lines of all sizes ----------------------------------------------------------------------- */

static void check_line_size(uint32_t line_bytes)
{
    const uint16_t all = (uint16_t)((1u << (line_bytes / 32)) - 1);
    const Request requests[] = {{10, READ, 0, all, 0, 10 + MISS},
                                {200, READ, 0, all, 0, 200 + HIT},
                                {300, WRITE, 16, all, 0, 300 + HIT},
                                {400, READ, 32, all, 0, 400 + MISS},
                                {600, READ, 48, all, 0, 600 + MISS}};
    g_autofree char *settings = g_strdup_printf("capacity = %u B; ways = 2; fill_bytes = %u B",
                                                32 * line_bytes, line_bytes);
    g_autoptr(Rig) rig = rig_new(settings, (Surroundings){.line_bytes = line_bytes});
    RUN(rig, requests);
    const uint16_t sent[] = {all, all, all, all};
    assert_fetches(rig, sent, 4);
    ck_assert_uint_eq(far_side_transaction(rig->dram, 2)->type, WRITE);
    ck_assert_uint_eq(far_side_transaction(rig->dram, 2)->local, 16 * line_bytes);
    ck_assert_uint_eq(unit_bytes(rig->slice, "bytes_filled"), 3 * line_bytes);
    ck_assert_uint_eq(unit_bytes(rig->slice, "bytes_written_back"), line_bytes);
}

START_TEST(lines_of_32_bytes_are_filled_and_written_back_whole)
{
    check_line_size(32);
}
END_TEST

START_TEST(lines_of_64_bytes_are_filled_and_written_back_whole)
{
    check_line_size(64);
}
END_TEST

START_TEST(lines_of_128_bytes_are_filled_and_written_back_whole)
{
    check_line_size(128);
}
END_TEST

START_TEST(lines_of_256_bytes_are_filled_and_written_back_whole)
{
    check_line_size(256);
}
END_TEST

START_TEST(lines_of_512_bytes_are_filled_and_written_back_whole)
{
    check_line_size(512);
}
END_TEST

/* --- classes ---------------------------------------------------------------------------------- */

/* Lines 0, 4, 8 share a set of two ways. The texture load of line 8 evicts the global line 0, the
 * global load of line 12 the local line 4. */
START_TEST(accesses_hits_and_evictions_are_counted_by_class)
{
    static const Request requests[] = {
        {10, READ, 0, 1, 0, 10 + MISS},    {200, READ, 0, 1, 0, 200 + HIT},
        {250, READ, 4, 1, 0, 250 + MISS},  {400, READ, 4, 1, 0, 400 + HIT},
        {500, READ, 8, 1, 0, 500 + MISS},  {700, READ, 8, 1, 0, 700 + HIT},
        {800, READ, 12, 1, 0, 800 + MISS}, {1000, WRITE, 12, 1, 0, 1000 + HIT}};
    static const uint8_t spaces[] = {SPACE_GLOBAL,  SPACE_GLOBAL,  SPACE_LOCAL,  SPACE_LOCAL,
                                     SPACE_TEXTURE, SPACE_TEXTURE, SPACE_GLOBAL, SPACE_GLOBAL};
    static const struct {
        const char *name;
        uint64_t count;
    } expected[] = {{"global_accesses", 4},       {"global_hits", 2},
                    {"local_accesses", 2},        {"local_hits", 1},
                    {"texture_hits", 1},          {"texture_accesses", 2},
                    {"evicted_by_other_class", 2}};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB; ways = 2", (Surroundings){0});
    rig->spaces = spaces;
    RUN(rig, requests);
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++)
        ck_assert_msg(unit_count(rig->slice, expected[i].name) == expected[i].count, "%s",
                      expected[i].name);
    ck_assert_uint_eq(unit_bytes(rig->slice, "bytes_texture_read"), 2 * 32);
    /* DRAM brings 64 B */
    ck_assert_uint_eq(unit_bytes(rig->slice, "bytes_texture_filled"), 64);
}
END_TEST

/* Lines 0, 4 and 8 share a set of two ways: line 0 is evicted and comes back, and so does line 4,
 * which is not of the sample. */
START_TEST(a_line_that_was_evicted_and_comes_back_counts_for_the_sixteen_it_stands_for)
{
    static const Request requests[] = {{10, READ, 0, 1, 0, 10 + MISS},
                                       {200, READ, 4, 1, 0, 200 + MISS},
                                       {400, READ, 8, 1, 0, 400 + MISS},
                                       {600, READ, 0, 1, 0, 600 + MISS},
                                       {800, READ, 4, 1, 0, 800 + MISS}};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB; ways = 2", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "brought"), 5);
    ck_assert_uint_eq(unit_count(rig->slice, "brought_back"), EVICTED_SAMPLE);
}
END_TEST

HARNESS_MAIN("l2_ports", a_single_port_makes_reads_fills_and_stores_wait_for_each_other,
             with_a_write_port_of_its_own_a_read_waits_for_no_store_or_fill,
             with_a_write_port_of_its_own_fills_cost_hits_nothing,
             with_a_single_port_fills_take_turns_with_hits,
             a_second_read_port_reads_two_lines_at_once,
             several_requests_are_looked_up_and_read_side_by_side,
             one_port_that_serves_two_at_once_is_full_half_as_long,
             stores_wait_for_room_in_front_of_the_write_port, hits_sustain_the_data_bandwidth,
             a_width_of_a_part_of_a_sector_is_kept_on_average,
             nothing_takes_a_port_for_less_than_a_cycle,
             with_a_part_of_a_sector_hits_leave_with_the_clock,
             with_a_part_of_a_sector_fills_leave_with_the_clock,
             with_a_part_of_a_sector_stores_that_wait_leave_with_the_clock,
             stores_sustain_the_data_bandwidth, hits_sustain_a_look_up_in_each_interval,
             a_longer_interval_halves_the_rate, fills_sustain_the_full_rate_of_the_array,
             few_pending_entries_bound_the_rate_of_fills,
             lines_of_32_bytes_are_filled_and_written_back_whole,
             lines_of_64_bytes_are_filled_and_written_back_whole,
             lines_of_128_bytes_are_filled_and_written_back_whole,
             lines_of_256_bytes_are_filled_and_written_back_whole,
             lines_of_512_bytes_are_filled_and_written_back_whole,
             accesses_hits_and_evictions_are_counted_by_class,
             a_line_that_was_evicted_and_comes_back_counts_for_the_sixteen_it_stands_for)
