/* One command bus for rows and columns (GDDR), or one for each (HBM): in the booking of commands
 * and, written independently, in the checker. */
#include "rig.h"

static DramTiming with_buses(uint64_t buses, uint64_t tRRD, uint64_t tCCD)
{
    DramTiming timing = base;
    timing.group_interleave = 32; /* a line lies in two groups */
    timing.command_buses = buses;
    timing.tRRD_S = timing.tRRD_L = tRRD;
    timing.tCCD_S = timing.tCCD_L = tCCD;
    return timing;
}

enum { READS = 3 };

/* Reads of these banks and rows, and where the command that was booked last of its kind goes. */
typedef struct {
    uint64_t tRRD, tCCD;
    int bank[READS]; /* 4 to a group; -1: no read */
    uint32_t row[READS];
    DramStepKind kind;
    uint64_t apart, together; /* cycle with two buses, with one */
} Case;

/* Bank 0 comes first, with ACT 0 and RD 3. */
static const Case cases[] = {
    /* ACT of bank 4 could go at 3 (tRRD) */
    {3, 2, {0, 4, -1}, {0, 0, 0}, DRAM_STEP_ACTIVATE, 3, 4},
    /* ACT 2 and RD 6 (3 + tCCD) of bank 4; PRE of bank 0 could go at 6 (tRAS) */
    {2, 3, {0, 4, 0}, {0, 0, 1}, DRAM_STEP_PRECHARGE, 6, 7},
    /* ACT 5 and RD 8 of bank 4; the second RD of bank 0 could go at 5 (tCCD) */
    {5, 2, {0, 4, 0}, {0, 0, 0}, DRAM_STEP_READ, 5, 6},
};

static DramStep *last_booked(GArray *log, DramStepKind kind)
{
    for (guint i = log->len; i; i--) {
        DramStep *step = &g_array_index(log, DramStep, i - 1);
        if (step->kind == kind) return step;
    }
    ck_abort_msg("no such command");
    return NULL;
}

static void expect_cycle(const Case *wanted, uint64_t buses, uint64_t cycle)
{
    DramTiming timing = with_buses(buses, wanted->tRRD, wanted->tCCD);
    ck_assert(dram_timing_setup(&timing, NULL));
    DramState state;
    dram_state_init(&state, &timing, 1000);
    g_autoptr(GArray) log = g_array_new(FALSE, FALSE, sizeof(DramStep));
    for (int i = 0; i < READS && wanted->bank[i] >= 0; i++) {
        const DramAccess access = single((Burst){wanted->bank[i], wanted->row[i], false});
        book(&state, &access, log);
    }
    ck_assert_uint_eq(last_booked(log, wanted->kind)->cycle, cycle);
    g_autofree char *wrong = check_steps(&timing, log);
    ck_assert_msg(!wrong, "%s", wrong);
    dram_state_finish(&state);
}

START_TEST(a_command_waits_for_the_one_that_has_the_only_bus)
{
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        expect_cycle(&cases[i], 2, cases[i].apart);
        expect_cycle(&cases[i], 1, cases[i].together);
    }
}
END_TEST

/* A row command and a column at the same cycle, either one first in the log. */
START_TEST(two_commands_at_once_on_the_only_bus_are_found)
{
    static const DramStep row[] = {
        {.cycle = 20, .kind = DRAM_STEP_ACTIVATE, .bank = 4, .row = 1},
        {.cycle = 20, .kind = DRAM_STEP_PRECHARGE, .bank = 8},
    };
    static const DramStepKind columns[] = {DRAM_STEP_READ, DRAM_STEP_WRITE};
    for (guint i = 0; i < 16; i++) {
        const bool apart = i & 1, swapped = i & 2;
        const DramTiming timing = with_buses(apart ? 2 : 1, 2, 2);
        const DramStep column = {.cycle = 20, .kind = columns[i >> 2 & 1], .bank = 0};
        const DramStep steps[] = {{.cycle = 0, .kind = DRAM_STEP_ACTIVATE, .bank = 0},
                                  {.cycle = 5, .kind = DRAM_STEP_ACTIVATE, .bank = 8},
                                  swapped ? column : row[i >> 3],
                                  swapped ? row[i >> 3] : column};
        g_autoptr(DramChecker) checker = dram_checker_new(&timing);
        for (guint k = 0; k < 3; k++) ck_assert_ptr_null(dram_checker_feed(checker, &steps[k]));
        const char *wrong = dram_checker_feed(checker, &steps[3]);
        if (apart)
            ck_assert_msg(!wrong, "%s", wrong);
        else
            ck_assert_msg(wrong && strstr(wrong, "command bus"), "case %u: %s", i, wrong);
    }
}
END_TEST

/* Random reads and writes, booked ahead in any order; activates of one and of two cycles. */
START_TEST(nothing_booked_at_random_meets_on_the_only_bus)
{
    for (uint64_t length = 1; length <= 2; length++) {
        DramTiming timing = with_buses(1, 2, 2);
        timing.activate_cycles = length;
        ck_assert(dram_timing_setup(&timing, NULL));
        DramMap map;
        dram_map_setup(&map, &timing);
        DramState state;
        dram_state_init(&state, &timing, 60);
        g_autoptr(GArray) log = g_array_new(FALSE, FALSE, sizeof(DramStep));
        g_autoptr(GRand) random = g_rand_new_with_seed(1);
        for (uint64_t n = 0, now = 0; n < 5000; n++) {
            DramAccess access = {.write = g_rand_int_range(random, 0, 4) == 0};
            const uint64_t line = (uint64_t)g_rand_int_range(random, 0, 2048) * 128;
            dram_map_access(&map, line, (uint32_t)g_rand_int_range(random, 1, 16), &access);
            while (dram_state_earliest(&state, &access, 0) > now + 60)
                dram_state_advance(&state, ++now);
            book(&state, &access, log);
        }
        g_autofree char *wrong = check_steps(&timing, log);
        ck_assert_msg(!wrong, "activates of %" G_GUINT64_FORMAT ": %s", length, wrong);
        dram_state_finish(&state);
    }
}
END_TEST

START_TEST(the_only_bus_cannot_be_half_shared)
{
    DramTiming timing = with_buses(1, 2, 2);
    timing.row_bus_sharers = 2;
    g_autoptr(GError) error = NULL;
    ck_assert(!dram_timing_setup(&timing, &error));
    ck_assert_msg(strstr(error->message, "dram.row_bus_sharers = 2: "), "%s", error->message);
}
END_TEST

/* Due after tREFI of 1000; of channel 1 another 0.618 of that later. */
START_TEST(channels_refresh_all_banks_at_times_of_their_own)
{
    static const uint64_t due[] = {1000, 1618};
    for (uint32_t channel = 0; channel < 2; channel++) {
        DramTiming timing = with_buses(1, 2, 2);
        timing.refresh = DRAM_REFRESH_ALL_BANK;
        ck_assert(dram_timing_setup(&timing, NULL));
        DramState state;
        dram_state_init(&state, &timing, 60);
        dram_state_stagger(&state, channel);
        dram_state_advance(&state, due[channel] - 1);
        ck_assert_uint_eq(state.all_refreshes, 0);
        dram_state_advance(&state, due[channel]);
        ck_assert_uint_eq(state.all_refreshes, 1);
        dram_state_finish(&state);
    }
}
END_TEST

HARNESS_MAIN("command_bus", channels_refresh_all_banks_at_times_of_their_own,
             a_command_waits_for_the_one_that_has_the_only_bus,
             two_commands_at_once_on_the_only_bus_are_found,
             nothing_booked_at_random_meets_on_the_only_bus, the_only_bus_cannot_be_half_shared)
