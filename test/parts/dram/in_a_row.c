/* The bursts of an access lie where each would be found by itself: that they are mostly placed
 * together is nobody's business. */
#include "rigs/harness.h"

#include "parts/dram/state.h"

/* Columns in a group may be further apart than others; turning the bus takes as long in a group as
 * between groups, since an access that lies in several turns it for all of them alike. */
static const DramTiming base = {.channel_width = 8,
                                .burst_length = 4,
                                .data_rate = 2,
                                .bank_groups = 4,
                                .banks_per_group = 4,
                                .rows = 64,
                                .row_bytes = 1024,
                                .group_interleave = 64,
                                .row_bus_sharers = 1,
                                .command_buses = 2,
                                .activate_cycles = 1,
                                .precharge_cycles = 1,
                                .CL = 12,
                                .CWL = 4,
                                .tRCDRD = 12,
                                .tRCDWR = 9,
                                .tRP = 12,
                                .tRAS = 28,
                                .tRC = 40,
                                .tRRD_S = 3,
                                .tRRD_L = 4,
                                .tFAW = 14,
                                .tCCD_S = 2,
                                .tWTR_S = 8,
                                .tWTR_L = 8,
                                .tRTP = 3,
                                .tWR = 10};

static void expect_same_columns(const DramSteps *together, const DramSteps *single, uint32_t burst)
{
    uint32_t seen = 0, i = 0;
    while (together->step[i].kind < DRAM_STEP_READ || seen++ < burst) i++;
    const DramStep *expected = &single->step[single->count - 1], *found = &together->step[i];
    ck_assert_uint_eq(found->cycle, expected->cycle);
    ck_assert_uint_eq(found->bank, expected->bank);
    ck_assert_uint_eq(found->column, expected->column);
}

static void book_each(DramState *state, const DramAccess *access, const DramSteps *together)
{
    for (uint32_t i = 0; i < access->bursts; i++) {
        const DramAccess burst = {.row = access->row,
                                  .write = access->write,
                                  .banks = 1,
                                  .bursts = 1,
                                  .bank = {access->bank[dram_access_which(access, i)]},
                                  .column = dram_access_column(access, i)};
        DramSteps steps;
        DramBooking booking = {.steps = &steps};
        dram_state_book(state, &burst, 0, &booking);
        expect_same_columns(together, &steps, i);
    }
}

/* Of some it is known that they go first of all. Returns of how many. */
static uint32_t compare(const DramTiming *timing, GRand *random)
{
    uint32_t first = 0;
    DramOutlook outlook[2] = {0};
    DramMap map;
    DramState whole, parts;
    dram_map_setup(&map, timing);
    dram_state_init(&whole, timing, 60);
    dram_state_init(&parts, timing, 60);
    for (uint64_t n = 0, now = 0; n < 3000; n++) {
        DramAccess access = {.write = g_rand_int_range(random, 0, 4) == 0};
        const uint64_t line = (uint64_t)g_rand_int_range(random, 0, 512) * 512;
        dram_map_access(&map, line, (uint32_t)g_rand_int_range(random, 1, 1 << 16), &access);
        while (dram_state_earliest(&whole, &access, 0) > now + 60)
            dram_state_advance(&whole, ++now);
        dram_state_advance(&parts, now);
        DramSteps steps;
        DramBooking booking = {.steps = &steps, .outlook = &outlook[access.write]};
        dram_state_look(&whole, access.write, 0, &outlook[access.write]);
        booking.goes_first = dram_state_turn(&whole, &access, booking.outlook) == DRAM_GOES_FIRST;
        first += booking.goes_first;
        dram_state_book(&whole, &access, 0, &booking);
        dram_steps_spell_out(&steps);
        book_each(&parts, &access, &steps);
    }
    dram_state_finish(&whole);
    dram_state_finish(&parts);
    return first;
}

START_TEST(bursts_placed_together_lie_where_each_finds_its_place)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(1);
    uint32_t first = 0;
    for (uint64_t groups = 1; groups <= 4; groups *= 2)
        for (uint64_t same_group = 2; same_group <= 6; same_group++)
            for (uint64_t piece = 32; piece <= 64; piece *= 2) {
                DramTiming timing = base;
                timing.interleaved_groups = groups;
                timing.tCCD_L = same_group;
                timing.group_interleave = piece;
                ck_assert(dram_timing_setup(&timing, NULL));
                first += compare(&timing, random);
            }
    ck_assert_uint_gt(first, 1000);
}
END_TEST

START_TEST(columns_that_are_spelled_out_come_between_the_other_steps)
{
    DramTiming timing = base;
    timing.interleaved_groups = 2;
    timing.tCCD_L = 4;
    ck_assert(dram_timing_setup(&timing, NULL));
    DramMap map;
    DramState state;
    dram_map_setup(&map, &timing);
    dram_state_init(&state, &timing, 1000);
    DramAccess access = {.write = true};
    dram_map_access(&map, 0, 0xf, &access);
    DramSteps steps;
    DramBooking booking = {.steps = &steps};
    dram_state_book(&state, &access, 0, &booking);
    dram_state_close(&state, access.bank[0], true, &booking);
    for (int again = 0; again < 2; again++) {
        dram_steps_spell_out(&steps);
        ck_assert_uint_eq(steps.count, 7);
        for (uint32_t i = 0; i < 7; i++)
            ck_assert_int_eq(steps.step[i].kind, i < 2   ? DRAM_STEP_ACTIVATE
                                                 : i < 6 ? DRAM_STEP_WRITE
                                                         : DRAM_STEP_AUTO_PRECHARGE);
    }
    ck_assert_uint_eq(steps.step[5].cycle, booking.last_column);
    dram_state_finish(&state);
}
END_TEST

HARNESS_MAIN("dram_in_a_row", bursts_placed_together_lie_where_each_finds_its_place,
             columns_that_are_spelled_out_come_between_the_other_steps)
