/* What columns of one direction keep clear of the other is worked out when the bus turns: the same
 * as if it had been after each of them. */
#include "rigs/harness.h"

#include "parts/dram/state.h"

enum { HORIZON = 400, ACCESSES_MAX = 20 };

static const DramTiming base = {.channel_width = 8,
                                .burst_length = 4,
                                .data_rate = 2,
                                .bank_groups = 4,
                                .banks_per_group = 4,
                                .rows = 64,
                                .row_bytes = 1024,
                                .interleaved_groups = 2,
                                .group_interleave = 64,
                                .row_bus_sharers = 1,
                                .command_buses = 2,
                                .activate_cycles = 1,
                                .precharge_cycles = 1,
                                .CL = 12,
                                .CWL = 4,
                                .tRCDRD = 3,
                                .tRCDWR = 3,
                                .tRP = 12,
                                .tRAS = 28,
                                .tRC = 40,
                                .tRRD_S = 1,
                                .tRRD_L = 1,
                                .tCCD_S = 2,
                                .tCCD_L = 4,
                                .tRTP = 3,
                                .tWR = 10};

/* Some bursts of a line of the first row of some banks. */
static DramAccess access_of(DramMap *map, GRand *random, bool write)
{
    DramAccess access = {.write = write};
    dram_map_access(map, (uint64_t)g_rand_int_range(random, 0, 64) * 256,
                    (uint32_t)g_rand_int_range(random, 1, 1 << 8), &access);
    return access;
}

static void book(DramState *state, const DramAccess *access, uint64_t from)
{
    DramSteps steps;
    DramBooking booking = {.steps = &steps};
    dram_state_book(state, access, from, &booking);
}

/* Columns of one direction, with gaps, and then where those of the other find a place. */
static void compare(const DramTiming *timing, GRand *random)
{
    DramMap map;
    DramState together, one_by_one;
    dram_map_setup(&map, timing);
    dram_state_init(&together, timing, HORIZON);
    dram_state_init(&one_by_one, timing, HORIZON);
    const bool write = g_rand_boolean(random);
    const int32_t count = g_rand_int_range(random, 1, ACCESSES_MAX);
    for (int32_t i = 0, from = g_rand_int_range(random, 0, 60); i < count; i++) {
        const DramAccess access = access_of(&map, random, write);
        from += g_rand_int_range(random, 0, 4) ? 0 : g_rand_int_range(random, -6, 40);
        from = CLAMP(from, 0, HORIZON);
        DramOutlook outlook = {0};
        book(&together, &access, (uint64_t)from);
        book(&one_by_one, &access, (uint64_t)from);
        dram_state_look(&one_by_one, !write, 0, &outlook);
    }
    for (uint8_t bank = 0; bank < 16; bank++)
        for (uint64_t from = 0; from < HORIZON; from += 3) {
            const DramAccess access = {.write = !write, .banks = 1, .bursts = 1, .bank = {bank}};
            ck_assert_uint_eq(dram_state_earliest(&together, &access, from),
                              dram_state_earliest(&one_by_one, &access, from));
        }
    dram_state_finish(&together);
    dram_state_finish(&one_by_one);
}

START_TEST(a_turn_of_the_bus_finds_what_each_column_kept_clear)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(5);
    for (uint64_t other = 1; other <= 9; other += 4)
        for (uint64_t longer = 0; longer <= 12; longer += 3) {
            DramTiming timing = base;
            timing.tWTR_S = other;
            timing.tWTR_L = other + longer;
            ck_assert(dram_timing_setup(&timing, NULL));
            for (int i = 0; i < 30; i++) compare(&timing, random);
        }
}
END_TEST

HARNESS_MAIN("dram_runs", a_turn_of_the_bus_finds_what_each_column_kept_clear)
