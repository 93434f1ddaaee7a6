#include "rig.h"

static GArray *book_all(const DramTiming *timing, const Burst *bursts, guint count)
{
    DramState state;
    dram_state_init(&state, timing, 1000);
    GArray *log = g_array_new(FALSE, FALSE, sizeof(DramStep));
    for (guint i = 0; i < count; i++) {
        const DramAccess access = single(bursts[i]);
        book(&state, &access, log);
    }
    dram_state_finish(&state);
    return log;
}

typedef struct {
    const char *name; /* of the constraint, as the checker calls it */
    size_t field[2];  /* made `value`; offsets in DramTiming */
    uint64_t value;
    Burst bursts[4];
    DramStepKind kind; /* the last one of these is expected at `cycle` */
    uint64_t cycle;
} Constraint;

#define F(field) offsetof(DramTiming, field)
#define ONLY(field)                                                                                \
    {                                                                                              \
        offsetof(DramTiming, field), offsetof(DramTiming, field)                                   \
    }
#define END                                                                                        \
    {                                                                                              \
        -1, 0, false                                                                               \
    }
#define PRE DRAM_STEP_PRECHARGE
#define ACT DRAM_STEP_ACTIVATE
#define RD DRAM_STEP_READ
#define WR DRAM_STEP_WRITE

/* Unhindered: ACT 0, RD 3, and in the same bank PRE 6 (tRAS), ACT 9, RD 12. */
static const Constraint constraints[] = {
    {"tRCDRD", {F(tRCDRD), F(tRAS)}, 20, {{0, 0, false}, END}, RD, 20},
    {"tRCDWR", ONLY(tRCDWR), 20, {{0, 0, true}, END}, WR, 20},
    {"tRP", ONLY(tRP), 20, {{0, 0, false}, {0, 1, false}, END}, ACT, 26}, /* 6 + 20 */
    {"tRAS", ONLY(tRAS), 30, {{0, 0, false}, {0, 1, false}, END}, PRE, 30},
    {"tRC", ONLY(tRC), 40, {{0, 0, false}, {0, 1, false}, END}, ACT, 40},
    {"tRRD_S", {F(tRRD_S), F(tRRD_L)}, 7, {{0, 0, false}, {4, 0, false}, END}, ACT, 7},
    {"tRRD_L", ONLY(tRRD_L), 9, {{0, 0, false}, {1, 0, false}, END}, ACT, 9},
    {"tCCD_S", {F(tCCD_S), F(tCCD_L)}, 5, {{0, 0, false}, {4, 0, false}, END}, RD, 8}, /* 3 + 5 */
    {"tCCD_L", ONLY(tCCD_L), 8, {{0, 0, false}, {1, 0, false}, END}, RD, 11},
    {"tCCD_L", ONLY(tCCD_L), 8, {{0, 0, true}, {1, 0, true}, END}, WR, 11},
    {"data bus", ONLY(burst_length), 16, {{0, 0, false}, {4, 0, false}, END}, RD, 11}, /* 16 / 2 */
    {"tRTW", ONLY(CL), 10, {{0, 0, false}, {4, 0, true}, END}, WR, 15}, /* 3 + 10 + 2 + 2 - 2 */
    {"tRTW", ONLY(tRTW), 15, {{0, 0, false}, {4, 0, true}, END}, WR, 18},
    {"tWTR_S",
     {F(tWTR_S), F(tWTR_L)},
     10,
     {{0, 0, true}, {4, 0, false}, END},
     RD,
     17}, /* 3 + 2 + 2 + 10 */
    {"tWTR_L", ONLY(tWTR_L), 14, {{0, 0, true}, {1, 0, false}, END}, RD, 21},
    {"tRTP", ONLY(tRTP), 20, {{0, 0, false}, {0, 1, false}, END}, PRE, 23},
    {"tWR", ONLY(tWR), 20, {{0, 0, true}, {0, 1, false}, END}, PRE, 27}, /* 3 + 2 + 2 + 20 */
    {"row bus", ONLY(activate_cycles), 6, {{0, 0, false}, {4, 0, false}, END}, ACT, 6},
    {"row bus",
     ONLY(precharge_cycles),
     5,
     {{0, 0, false}, {4, 0, false}, {0, 1, false}, {4, 1, false}},
     PRE,
     12},
};
/* The last: ACT 0, ACT 2, PRE 6 for five cycles, ACT 11, so that the second PRE goes at 12. */

static DramTiming timing_of(const Constraint *constraint)
{
    DramTiming timing = base;
    for (int i = 0; i < 2; i++)
        *(uint64_t *)(void *)((char *)&timing + constraint->field[i]) = constraint->value;
    g_autoptr(GError) error = NULL;
    ck_assert_msg(dram_timing_setup(&timing, &error), "%s", error ? error->message : "");
    return timing;
}

static DramStep *last_of_kind(GArray *log, DramStepKind kind)
{
    DramStep *last = NULL;
    for (guint i = 0; i < log->len; i++) {
        DramStep *step = &g_array_index(log, DramStep, i);
        if (step->kind == kind && (!last || step->cycle >= last->cycle)) last = step;
    }
    ck_assert_ptr_nonnull(last);
    return last;
}

START_TEST(each_constraint_lets_a_command_go_at_its_cycle_and_not_before)
{
    for (guint i = 0; i < G_N_ELEMENTS(constraints); i++) {
        const Constraint *constraint = &constraints[i];
        const DramTiming timing = timing_of(constraint);
        guint count = 0;
        while (count < 4 && constraint->bursts[count].bank >= 0) count++;
        g_autoptr(GArray) log = book_all(&timing, constraint->bursts, count);
        DramStep *step = last_of_kind(log, constraint->kind);
        ck_assert_msg(step->cycle == constraint->cycle,
                      "%s (case %u): at %" G_GUINT64_FORMAT ", not %" G_GUINT64_FORMAT,
                      constraint->name, i, step->cycle, constraint->cycle);
        g_autofree char *fine = check_steps(&timing, log);
        ck_assert_msg(!fine, "%s (case %u): %s", constraint->name, i, fine);
        step->cycle--;
        g_autofree char *early = check_steps(&timing, log);
        ck_assert_msg(early && strstr(early, constraint->name), "%s (case %u): one cycle early: %s",
                      constraint->name, i, early ? early : "nothing found");
    }
}
END_TEST

static void expect_window(uint64_t count, uint64_t cycle, const char *name, DramTiming timing)
{
    ck_assert(dram_timing_setup(&timing, NULL));
    g_autofree Burst *bursts = g_new0(Burst, count + 1);
    for (uint64_t i = 0; i <= count; i++)
        bursts[i] = (Burst){(int)(i % 4 * 4 + i / 4 % 4), (uint32_t)(i / 16), false};
    g_autoptr(GArray) log = book_all(&timing, bursts, (guint)count + 1);
    DramStep *last = last_of_kind(log, DRAM_STEP_ACTIVATE);
    ck_assert_uint_eq(last->cycle, cycle);
    g_autofree char *fine = check_steps(&timing, log);
    ck_assert_msg(!fine, "%s", fine);
    last->cycle--;
    g_autofree char *early = check_steps(&timing, log);
    ck_assert_msg(early && strstr(early, name), "%s", early);
}

START_TEST(the_fifth_activate_waits_for_tFAW)
{
    DramTiming timing = base;
    timing.tFAW = 50;
    expect_window(4, 50, "tFAW", timing);
}
END_TEST

START_TEST(the_thirty_third_activate_waits_for_t32AW)
{
    DramTiming timing = base;
    timing.t32AW = 300;
    expect_window(32, 300, "t32AW", timing);
}
END_TEST

/* ACT 0, RD 3, RD 5 in one group of tCCD_L 6: 3, 9. The other group fits in between: 5 or later. */
START_TEST(a_column_uses_the_gap_between_two_of_another_group)
{
    DramTiming timing = base;
    timing.tCCD_L = 6;
    ck_assert(dram_timing_setup(&timing, NULL));
    const Burst bursts[] = {{0, 0, false}, {0, 0, false}, {4, 0, false}};
    g_autoptr(GArray) log = book_all(&timing, bursts, 3);
    ck_assert_uint_eq(g_array_index(log, DramStep, 1).cycle, 3);
    ck_assert_uint_eq(g_array_index(log, DramStep, 2).cycle, 9);
    ck_assert_uint_eq(g_array_index(log, DramStep, 4).cycle, 5);
}
END_TEST

/* Four bursts of other rows of a bank and another direction, `apart` cycles apart; then the last
 * one `early` cycles early. */
static char *check_ideal(uint32_t ideal, uint64_t apart, uint64_t early)
{
    DramTiming timing = base;
    timing.ideal = ideal;
    timing.tCCD_L = 6;
    ck_assert(dram_timing_setup(&timing, NULL));
    const Burst bursts[] = {{0, 0, false}, {0, 1, false}, {0, 2, true}, {4, 3, false}};
    g_autoptr(GArray) log = book_all(&timing, bursts, 4);
    ck_assert_uint_eq(log->len, 4); /* no row command */
    for (guint i = 0; i < 4; i++)
        ck_assert_uint_eq(g_array_index(log, DramStep, i).cycle, i * apart);
    g_array_index(log, DramStep, 3).cycle -= early;
    return check_steps(&timing, log);
}

/* Of two cycles each. */
START_TEST(with_ideal_timing_columns_wait_for_the_data_bus_alone)
{
    g_autofree char *fine = check_ideal(DRAM_IDEAL_TIMING, 2, 0);
    ck_assert_msg(!fine, "%s", fine);
    g_autofree char *early = check_ideal(DRAM_IDEAL_TIMING, 2, 1);
    ck_assert_msg(early && strstr(early, "data bus"), "%s", early);
}
END_TEST

START_TEST(with_ideal_bandwidth_columns_wait_for_nothing)
{
    g_autofree char *fine = check_ideal(DRAM_IDEAL_BANDWIDTH, 0, 0);
    ck_assert_msg(!fine, "%s", fine);
}
END_TEST

START_TEST(an_ideal_channel_needs_no_row_command)
{
    DramTiming timing = base;
    timing.ideal = DRAM_IDEAL_BANDWIDTH;
    ck_assert(dram_timing_setup(&timing, NULL));
    g_autoptr(DramChecker) checker = dram_checker_new(&timing);
    const DramStep step = {.kind = DRAM_STEP_ACTIVATE};
    ck_assert_ptr_nonnull(strstr(dram_checker_feed(checker, &step), "rows are open"));
}
END_TEST

START_TEST(a_refresh_that_is_due_closes_the_bank_for_tRP_and_tRFCpb)
{
    DramTiming timing = base;
    timing.refresh = DRAM_REFRESH_PER_BANK;
    ck_assert(dram_timing_setup(&timing, NULL));
    DramState state;
    dram_state_init(&state, &timing, 1000);
    const DramAccess access = single((Burst){0, 0, false}), other = single((Burst){1, 0, false});
    DramSteps steps;
    DramBooking booking = {.steps = &steps};
    dram_state_book(&state, &access, 0, &booking);
    dram_state_advance(&state, 99);
    ck_assert_uint_eq(dram_state_earliest(&state, &access, 0), 99); /* still open */
    dram_state_advance(&state, 100);
    ck_assert_uint_eq(dram_state_earliest(&state, &access, 0), 156); /* 100 + 3 + 50, tRCDRD 3 */
    ck_assert_uint_eq(dram_state_earliest(&state, &other, 0), 103);  /* its own is due at 200 */
    dram_state_book(&state, &access, 0, &booking);
    ck_assert_int_eq(steps.step[0].kind, DRAM_STEP_REFRESH_BANK);
    ck_assert_uint_eq(steps.step[0].cycle, 100);
    ck_assert_uint_eq(steps.step[1].cycle, 153);
    dram_state_finish(&state);
}
END_TEST

START_TEST(an_idle_bank_skips_its_past_refreshes_and_counts_them)
{
    DramTiming timing = base;
    timing.refresh = DRAM_REFRESH_PER_BANK;
    ck_assert(dram_timing_setup(&timing, NULL));
    DramState state;
    dram_state_init(&state, &timing, 1000);
    const DramAccess access = single((Burst){0, 0, false});
    dram_state_advance(&state, 100 + 1600 * 1000 + 60); /* 60 cycles after the 1001st */
    ck_assert_uint_eq(dram_state_earliest(&state, &access, 0), state.now + 3);
    DramSteps steps;
    DramBooking booking = {.steps = &steps};
    dram_state_book(&state, &access, 0, &booking);
    ck_assert_int_eq(steps.step[0].kind, DRAM_STEP_REFRESH_BANK);
    ck_assert_uint_eq(steps.step[0].row, 1001);
    ck_assert_uint_eq(steps.step[0].cycle, 100 + 1600 * 1000);
    dram_state_finish(&state);
}
END_TEST

START_TEST(an_all_bank_refresh_waits_for_every_bank_and_stops_them_all)
{
    DramTiming timing = base;
    timing.refresh = DRAM_REFRESH_ALL_BANK;
    timing.tRTP = 40;
    ck_assert(dram_timing_setup(&timing, NULL));
    DramState state;
    dram_state_init(&state, &timing, 1000);
    const DramAccess access = single((Burst){0, 0, false}), other = single((Burst){5, 0, false});
    DramSteps steps;
    DramBooking booking = {.steps = &steps};
    dram_state_advance(&state, 990);
    dram_state_book(&state, &access, 0, &booking); /* ACT 990, RD 993, may close at 1033 */
    dram_state_advance(&state, 1000);
    ck_assert_uint_eq(dram_state_earliest(&state, &other, 0), 1033 + 3 + 50 + 3);
    dram_state_book(&state, &other, 0, &booking);
    ck_assert_int_eq(steps.step[0].kind, DRAM_STEP_REFRESH_ALL);
    ck_assert_uint_eq(steps.step[0].bank, DRAM_ALL_BANKS);
    ck_assert_uint_eq(steps.step[0].cycle, 1033);
    dram_state_finish(&state);
}
END_TEST

/* Random accesses, booked ahead in any order, never break a rule. */
START_TEST(nothing_booked_at_random_violates_the_timing)
{
    static const DramRefresh refreshes[] = {DRAM_REFRESH_OFF, DRAM_REFRESH_PER_BANK,
                                            DRAM_REFRESH_ALL_BANK};
    for (guint i = 0; i < G_N_ELEMENTS(refreshes); i++) {
        DramTiming timing = base;
        timing.refresh = refreshes[i];
        timing.group_interleave = 64;
        timing.tCCD_L = 4;
        timing.tRRD_L = 5;
        timing.tFAW = 20;
        timing.t32AW = 180;
        timing.row_bus_sharers = 2;
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
            if (g_rand_int_range(random, 0, 500) == 0)
                now += (uint64_t)g_rand_int_range(random, 0, 5000);
            dram_state_advance(&state, now);
            while (dram_state_earliest(&state, &access, 0) > now + 60)
                dram_state_advance(&state, ++now);
            DramSteps steps;
            DramBooking booking = {.steps = &steps};
            dram_state_book(&state, &access, 0, &booking);
            dram_steps_spell_out(&steps);
            g_array_append_vals(log, steps.step, steps.count);
        }
        g_autofree char *wrong = check_steps(&timing, log);
        ck_assert_msg(!wrong, "refresh %u: %s", i, wrong);
        dram_state_finish(&state);
    }
}
END_TEST

static void expect_refusal(DramTiming timing, const char *text)
{
    g_autoptr(GError) error = NULL;
    ck_assert(!dram_timing_setup(&timing, &error));
    ck_assert_msg(strstr(error->message, text), "%s", error->message);
}

START_TEST(impossible_combinations_are_refused)
{
    DramTiming timing = base;
    timing.rows = 100;
    expect_refusal(timing, "dram.rows = 100: must be a power of two");
    timing = base;
    timing.row_bytes = 16;
    expect_refusal(timing, "does not hold a burst of 32 B");
    timing = base;
    timing.data_rate = 8;
    expect_refusal(timing, "burst_length = 4: shorter than the 8 beats");
    timing = base;
    timing.interleaved_groups = 8;
    expect_refusal(timing, "interleaved_groups = 8: at most 4, and the 4 bank_groups");
    timing = base;
    timing.tCCD_L = 1;
    expect_refusal(timing, "tCCD_L = 1 cycles: shorter than tCCD_S = 2 cycles");
    timing = base;
    timing.tRTW = 2;
    expect_refusal(timing, "at least 4 (CL + burst_length / data_rate - CWL)");
    timing = base;
    timing.refresh = DRAM_REFRESH_ALL_BANK;
    timing.tREFI = 60;
    expect_refusal(timing,
                   "dram.tREFI = 60 cycles: with refresh = all_bank a bank is refreshed every 60");
}
END_TEST

HARNESS_MAIN("dram_timing", each_constraint_lets_a_command_go_at_its_cycle_and_not_before,
             the_fifth_activate_waits_for_tFAW, the_thirty_third_activate_waits_for_t32AW,
             a_column_uses_the_gap_between_two_of_another_group,
             with_ideal_timing_columns_wait_for_the_data_bus_alone,
             with_ideal_bandwidth_columns_wait_for_nothing, an_ideal_channel_needs_no_row_command,
             a_refresh_that_is_due_closes_the_bank_for_tRP_and_tRFCpb,
             an_idle_bank_skips_its_past_refreshes_and_counts_them,
             an_all_bank_refresh_waits_for_every_bank_and_stops_them_all,
             nothing_booked_at_random_violates_the_timing, impossible_combinations_are_refused)
