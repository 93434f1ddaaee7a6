#include "rigs/harness.h"

#include "parts/dram/map.h"

static const DramTiming base = {.channel_width = 8,
                                .burst_length = 4,
                                .data_rate = 2,
                                .bank_groups = 4,
                                .banks_per_group = 4,
                                .rows = 64,
                                .row_bytes = 1024,
                                .interleaved_groups = 2,
                                .group_interleave = 64,
                                .tRAS = 1,
                                .row_bus_sharers = 1,
                                .tRCDRD = 1};

START_TEST(a_line_takes_two_bursts_of_a_row_in_each_of_two_groups_in_turn)
{
    DramTiming timing = base;
    ck_assert(dram_timing_setup(&timing, NULL));
    DramMap map;
    dram_map_setup(&map, &timing);
    DramAccess access = {.write = false};
    dram_map_access(&map, 0x1080, 15, &access);
    ck_assert_uint_eq(access.banks, 2);
    ck_assert_uint_eq(access.bursts, 4);
    static const uint16_t columns[] = {2, 2, 3, 3}; /* the second line of its row */
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(dram_access_which(&access, i), i % 2);
        ck_assert_uint_eq(dram_access_column(&access, i), columns[i]);
    }
    ck_assert_uint_ne(access.bank[0] / 4, access.bank[1] / 4);
    dram_map_access(&map, 0x1080, 12, &access); /* upper half */
    ck_assert_uint_eq(access.banks, 1);
    ck_assert_uint_eq(access.bursts, 2);
}
END_TEST

START_TEST(bursts_that_are_added_may_end_the_turns)
{
    static const struct {
        uint8_t banks[6];
        uint32_t bursts;
        bool in_turn;
    } cases[] = {{{0}, 1, true},
                 {{0, 0, 0}, 3, true},
                 {{0, 1, 0, 1, 0}, 5, true},
                 {{0, 1, 2, 0, 1}, 5, true},
                 {{0, 0, 1}, 3, false},
                 {{0, 1, 1}, 3, false},
                 {{0, 1, 0, 1, 2}, 5, false},
                 {{0, 1, 0, 0, 0}, 5, false}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        DramAccess access = {.in_turn = true};
        for (uint32_t k = 0; k < cases[i].bursts; k++)
            dram_access_add(&access, cases[i].banks[k], k);
        ck_assert_uint_eq(access.bursts, cases[i].bursts);
        for (uint32_t k = 0; k < cases[i].bursts; k++)
            ck_assert_uint_eq(dram_access_which(&access, k), cases[i].banks[k]);
        ck_assert(access.in_turn == cases[i].in_turn);
    }
}
END_TEST

START_TEST(the_last_burst_may_lie_anywhere_in_the_row)
{
    DramAccess access = {.column = 1000};
    for (uint32_t k = 0; k < DRAM_BURSTS_MAX - 1; k++) dram_access_add(&access, k > 0, k);
    dram_access_add_apart(&access, 1, 65535);
    ck_assert_uint_eq(access.bursts, DRAM_BURSTS_MAX);
    for (uint32_t k = 0; k < DRAM_BURSTS_MAX - 1; k++)
        ck_assert_uint_eq(dram_access_column(&access, k), 1000 + k);
    ck_assert_uint_eq(dram_access_column(&access, DRAM_BURSTS_MAX - 1), 65535);
}
END_TEST

START_TEST(an_access_lies_where_the_map_places_each_burst_and_addresses_come_back)
{
    for (uint64_t groups = 1; groups <= 4; groups *= 2)
        for (uint64_t interleaved = 1; interleaved <= groups; interleaved *= 2)
            for (uint64_t piece = 32; piece <= 256; piece *= 2) {
                DramTiming timing = base;
                timing.bank_groups = groups;
                timing.interleaved_groups = interleaved;
                timing.group_interleave = piece;
                timing.bank_hash = groups > 1;
                ck_assert(dram_timing_setup(&timing, NULL));
                DramMap map;
                dram_map_setup(&map, &timing);
                /* up to what one group of four banks holds */
                for (uint64_t line = 0; line < 256 * 1024; line += 128 * 77) {
                    DramAccess access = {.write = false};
                    dram_map_access(&map, line, 15, &access);
                    ck_assert_uint_eq(access.bursts, 4);
                    uint32_t found = 0;
                    for (uint32_t i = 0; i < 4; i++) {
                        const DramPlace place = {access.row, dram_access_column(&access, i),
                                                 access.bank[dram_access_which(&access, i)]};
                        const uint64_t address = dram_map_address(&map, place);
                        ck_assert_uint_eq(address & ~UINT64_C(127), line);
                        found |= 1u << address % 128 / 32;
                    }
                    ck_assert_uint_eq(found, 15);
                }
            }
}
END_TEST

static DramAccess first_burst(DramMap *map, uint64_t line)
{
    DramAccess access = {.write = false};
    dram_map_access(map, line, 1, &access);
    return access;
}

START_TEST(the_bank_hash_keeps_arrays_at_equal_offsets_apart)
{
    DramTiming timing = base;
    for (int hash = 0; hash <= 1; hash++) {
        timing.bank_hash = hash;
        ck_assert(dram_timing_setup(&timing, NULL));
        DramMap map;
        dram_map_setup(&map, &timing);
        uint64_t banks = 0;
        for (uint64_t array = 0; array < 8; array++)
            banks |= UINT64_C(1) << first_burst(&map, array * 16 * 1024).bank[0];
        ck_assert_int_eq(__builtin_popcountll(banks), hash ? 8 : 1);
    }
}
END_TEST

START_TEST(rows_begin_anew_beyond_the_capacity)
{
    DramTiming timing = base;
    ck_assert(dram_timing_setup(&timing, NULL));
    DramMap map;
    dram_map_setup(&map, &timing);
    const uint64_t capacity = dram_timing_capacity(&timing);
    ck_assert_uint_eq(first_burst(&map, capacity - 128).row, 63);
    ck_assert_uint_eq(first_burst(&map, capacity).row, 0);
}
END_TEST

HARNESS_MAIN("dram_map", rows_begin_anew_beyond_the_capacity,
             a_line_takes_two_bursts_of_a_row_in_each_of_two_groups_in_turn,
             an_access_lies_where_the_map_places_each_burst_and_addresses_come_back,
             the_bank_hash_keeps_arrays_at_equal_offsets_apart,
             bursts_that_are_added_may_end_the_turns, the_last_burst_may_lie_anywhere_in_the_row)
