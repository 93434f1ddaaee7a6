/* Each timing constraint on each of the timings: a command is ready at t, which is what the formula
 * says, and not at t - 1, where the independent checker finds it too early. The constraint in
 * question is made the longest of all, the others stay as they are. */
#include "timings.h"

#include "rigs/command_log.h"

enum { V = 211, BURSTS = 33 };

typedef struct {
    uint8_t group, bank; /* of the group */
    uint32_t row;
    bool write;
} Burst;

typedef struct {
    const char *name;                         /* as the checker calls it */
    size_t field[2];                          /* these become `V` */
    DramStepKind from;                        /* from the first of these ... */
    DramStepKind to;                          /* ... to the last of those ... */
    uint64_t (*formula)(const DramTiming *t); /* ... are so many cycles */
    uint32_t count;
    Burst bursts[4];
    bool close; /* and then the bank of the last burst closes by itself */
} Constraint;

#define PRE DRAM_STEP_PRECHARGE
#define AUTO DRAM_STEP_AUTO_PRECHARGE
#define ACT DRAM_STEP_ACTIVATE
#define RD DRAM_STEP_READ
#define WR DRAM_STEP_WRITE
#define F(name) offsetof(DramTiming, name)
#define ONLY(name)                                                                                 \
    {                                                                                              \
        F(name), F(name)                                                                           \
    }

static uint64_t just_v(const DramTiming *t)
{
    (void)t;
    return V;
}

static uint64_t burst(const DramTiming *t)
{
    return t->burst_length / t->data_rate;
}

static uint64_t after_write_data(const DramTiming *t)
{
    return t->CWL + burst(t) + V;
}

static uint64_t derived_tRTW(const DramTiming *t)
{
    return V + burst(t) + 2 - t->CWL; /* CL is V */
}

static uint64_t on_row_bus(const DramTiming *t)
{
    return V * t->row_bus_sharers;
}

/* clang-format off */
static const Constraint constraints[] = {
    {"tRCDRD", {F(tRCDRD), F(tRAS)}, ACT, RD, just_v, 1, {{0, 0, 0, false}}, false},
    {"tRCDWR", ONLY(tRCDWR), ACT, WR, just_v, 1, {{0, 0, 0, true}}, false},
    {"tRP", ONLY(tRP), PRE, ACT, just_v, 2, {{0, 0, 0, false}, {0, 0, 1, false}}, false},
    {"tRAS", ONLY(tRAS), ACT, PRE, just_v, 2, {{0, 0, 0, false}, {0, 0, 1, false}}, false},
    {"tRAS", ONLY(tRAS), ACT, AUTO, just_v, 1, {{0, 0, 0, false}}, true},
    {"tRC", ONLY(tRC), ACT, ACT, just_v, 2, {{0, 0, 0, false}, {0, 0, 1, false}}, false},
    {"tRRD_S", {F(tRRD_S), F(tRRD_L)}, ACT, ACT, just_v, 2, {{0, 0, 0, false}, {1, 0, 0, false}}, false},
    {"tRRD_L", ONLY(tRRD_L), ACT, ACT, just_v, 2, {{0, 0, 0, false}, {0, 1, 0, false}}, false},
    {"tCCD_S", {F(tCCD_S), F(tCCD_L)}, RD, RD, just_v, 2, {{0, 0, 0, false}, {1, 0, 0, false}}, false},
    {"tCCD_S", {F(tCCD_S), F(tCCD_L)}, WR, WR, just_v, 2, {{0, 0, 0, true}, {1, 0, 0, true}}, false},
    {"tCCD_L", ONLY(tCCD_L), RD, RD, just_v, 2, {{0, 0, 0, false}, {0, 1, 0, false}}, false},
    {"tCCD_L", ONLY(tCCD_L), WR, WR, just_v, 2, {{0, 0, 0, true}, {0, 1, 0, true}}, false},
    {"tRTW", ONLY(tRTW), RD, WR, just_v, 2, {{0, 0, 0, false}, {1, 0, 0, true}}, false},
    {"tRTW", ONLY(CL), RD, WR, derived_tRTW, 2, {{0, 0, 0, false}, {1, 0, 0, true}}, false},
    {"tWTR_S", {F(tWTR_S), F(tWTR_L)}, WR, RD, after_write_data, 2, {{0, 0, 0, true}, {1, 0, 0, false}}, false},
    {"tWTR_L", ONLY(tWTR_L), WR, RD, after_write_data, 2, {{0, 0, 0, true}, {0, 1, 0, false}}, false},
    {"tRTP", ONLY(tRTP), RD, PRE, just_v, 2, {{0, 0, 0, false}, {0, 0, 1, false}}, false},
    {"tRTP", ONLY(tRTP), RD, AUTO, just_v, 1, {{0, 0, 0, false}}, true},
    {"tWR", ONLY(tWR), WR, PRE, after_write_data, 2, {{0, 0, 0, true}, {0, 0, 1, false}}, false},
    {"tWR", ONLY(tWR), WR, AUTO, after_write_data, 1, {{0, 0, 0, true}}, true},
    {"row bus", ONLY(activate_cycles), ACT, ACT, on_row_bus, 2, {{0, 0, 0, false}, {1, 0, 0, false}}, false},
    {"row bus", ONLY(precharge_cycles), PRE, ACT, on_row_bus, 2, {{0, 0, 0, false}, {0, 0, 1, false}}, false},
};
/* clang-format on */

static DramTiming timing_with(DramTiming timing, const size_t field[2])
{
    for (int i = 0; i < 2; i++) *(uint64_t *)(void *)((char *)&timing + field[i]) = V;
    g_autoptr(GError) error = NULL;
    ck_assert_msg(dram_timing_setup(&timing, &error), "%s", error ? error->message : "");
    return timing;
}

static DramAccess access_of(const DramTiming *timing, Burst burst)
{
    return (DramAccess){.row = burst.row,
                        .write = burst.write,
                        .banks = 1,
                        .bursts = 1,
                        .bank = {(uint8_t)(burst.group * timing->banks_per_group + burst.bank)}};
}

static GArray *book(DramState *state, const Burst *bursts, uint32_t count, bool close)
{
    GArray *log = g_array_new(FALSE, FALSE, sizeof(DramStep));
    DramSteps steps = {.count = 0};
    DramBooking booking = {.steps = &steps};
    for (uint32_t i = 0; i < count; i++) {
        const DramAccess access = access_of(state->timing, bursts[i]);
        const uint64_t earliest = dram_state_earliest(state, &access, 0);
        dram_state_book(state, &access, 0, &booking);
        ck_assert_uint_eq(booking.last_column, earliest);
        if (close && i == count - 1) dram_state_close(state, access.bank[0], true, &booking);
        dram_steps_spell_out(&steps);
        g_array_append_vals(log, steps.step, steps.count);
    }
    return log;
}

/* The command with the lowest, or the highest, cycle of its kind. */
static DramStep *extreme(GArray *log, DramStepKind kind, bool highest)
{
    DramStep *found = NULL;
    for (guint i = 0; i < log->len; i++) {
        DramStep *step = &g_array_index(log, DramStep, i);
        if (step->kind != kind) continue;
        if (!found || (step->cycle > found->cycle) == highest) found = step;
    }
    ck_assert_ptr_nonnull(found);
    return found;
}

static void expect_ready(const char *what, const char *name, const DramTiming *timing, GArray *log,
                         DramStepKind from, DramStepKind to, uint64_t cycles)
{
    DramStep *second = extreme(log, to, true);
    const uint64_t distance = second->cycle - extreme(log, from, false)->cycle;
    ck_assert_msg(distance == cycles,
                  "%s, %s: %" G_GUINT64_FORMAT " cycles, not %" G_GUINT64_FORMAT, what, name,
                  distance, cycles);
    g_autofree char *fine = check_steps(timing, log);
    ck_assert_msg(!fine, "%s, %s: %s", what, name, fine);
    second->cycle--;
    g_autofree char *early = check_steps(timing, log);
    ck_assert_msg(early && strstr(early, what), "%s, %s, one cycle early: %s", what, name,
                  early ? early : "nothing found");
}

START_TEST(each_constraint_holds_to_the_cycle_on_every_timing)
{
    const NamedTiming named = named_timing(_i);
    for (guint i = 0; i < G_N_ELEMENTS(constraints); i++) {
        const Constraint *c = &constraints[i];
        const DramTiming timing = timing_with(named.timing, c->field);
        DramState state;
        dram_state_init(&state, &timing, 1000);
        g_autoptr(GArray) log = book(&state, c->bursts, c->count, c->close);
        expect_ready(c->name, named.name, &timing, log, c->from, c->to, c->formula(&timing));
        dram_state_finish(&state);
    }
}
END_TEST

/* Groups change first, then banks, then rows. */
static void expect_window(const NamedTiming *named, size_t field, uint32_t count, const char *name)
{
    DramTiming timing = named->timing;
    timing.tFAW = timing.t32AW = 0;
    *(uint64_t *)(void *)((char *)&timing + field) = 4000;
    ck_assert(dram_timing_setup(&timing, NULL));
    Burst bursts[BURSTS];
    for (uint32_t i = 0; i <= count; i++)
        bursts[i] = (Burst){(uint8_t)(i % timing.bank_groups),
                            (uint8_t)(i / timing.bank_groups % timing.banks_per_group),
                            (uint32_t)(i / timing.banks), false};
    DramState state;
    dram_state_init(&state, &timing, 8000);
    g_autoptr(GArray) log = book(&state, bursts, count + 1, false);
    expect_ready(name, named->name, &timing, log, ACT, ACT, 4000);
    dram_state_finish(&state);
}

START_TEST(windows_of_activates_hold_to_the_cycle_on_every_timing)
{
    const NamedTiming named = named_timing(_i);
    expect_window(&named, F(tFAW), 4, "tFAW");
    expect_window(&named, F(t32AW), 32, "t32AW");
}
END_TEST

/* The first refresh is due, then an access of the bank comes. */
START_TEST(refreshes_hold_to_the_cycle_on_every_timing)
{
    const NamedTiming named = named_timing(_i);
    const struct {
        DramRefresh refresh;
        size_t field;
        DramStepKind kind;
    } kinds[] = {{DRAM_REFRESH_PER_BANK, F(tRFCpb), DRAM_STEP_REFRESH_BANK},
                 {DRAM_REFRESH_ALL_BANK, F(tRFC), DRAM_STEP_REFRESH_ALL}};
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
        DramTiming timing = named.timing;
        timing.refresh = kinds[i].refresh;
        timing = timing_with(timing, (size_t[2]){kinds[i].field, kinds[i].field});
        DramState state;
        dram_state_init(&state, &timing, 1000);
        const bool per_bank = kinds[i].refresh == DRAM_REFRESH_PER_BANK;
        dram_state_advance(&state, per_bank ? timing.tREFIpb : timing.tREFI);
        g_autoptr(GArray) log = book(&state, &(Burst){0, 0, 7, false}, 1, false);
        expect_ready("tRFC", named.name, &timing, log, kinds[i].kind, ACT, timing.tRP + V);
        dram_state_finish(&state);
    }
}
END_TEST

/* A bank that was closed ahead of time, by itself or by a command, needs tRP, and nothing of its
 * old row, for the next one. The command is followed by the row bus's own rules. */
static void expect_closed(const NamedTiming *named, bool automatic)
{
    DramTiming timing = named->timing;
    ck_assert(dram_timing_setup(&timing, NULL));
    DramState state;
    dram_state_init(&state, &timing, 1000);
    const DramAccess first = access_of(&timing, (Burst){0, 0, 0, false}),
                     second = access_of(&timing, (Burst){0, 0, 1, false});
    DramSteps steps;
    DramBooking booking = {.steps = &steps};
    g_autoptr(GArray) log = g_array_new(FALSE, FALSE, sizeof(DramStep));
    dram_state_book(&state, &first, 0, &booking);
    dram_state_close(&state, 0, automatic, &booking);
    ck_assert_uint_eq(booking.precharges, 0); /* no other row wanted it */
    ck_assert_uint_eq(steps.count, 3);
    ck_assert_int_eq(steps.step[2].kind, automatic ? AUTO : PRE);
    const uint64_t closed = MAX(timing.tRAS, timing.tRCDRD + timing.tRTP);
    ck_assert_uint_eq(steps.step[2].cycle, closed);
    dram_state_close(&state, 0, automatic, &booking); /* nothing left to close */
    ck_assert_uint_eq(steps.count, 3);
    dram_steps_spell_out(&steps);
    g_array_append_vals(log, steps.step, steps.count);
    const uint64_t ready = MAX(timing.tRC, closed + timing.tRP);
    ck_assert_uint_eq(dram_state_earliest(&state, &second, 0), ready + timing.tRCDRD);
    dram_state_book(&state, &second, 0, &booking);
    dram_steps_spell_out(&steps);
    g_array_append_vals(log, steps.step, steps.count);
    g_autofree char *fine = check_steps(&timing, log);
    ck_assert_msg(!fine, "%s", fine);
    extreme(log, ACT, true)->cycle = closed + timing.tRP - 1;
    g_autofree char *early = check_steps(&timing, log);
    ck_assert_msg(early && (strstr(early, "tRP") || strstr(early, "tRC")), "%s", early);
    dram_state_finish(&state);
}

START_TEST(a_closed_bank_opens_tRP_after_its_precharge)
{
    const NamedTiming named = named_timing(_i);
    expect_closed(&named, false);
    expect_closed(&named, true);
}
END_TEST

/* While a row closes by itself, the row bus is free for the activate of another bank. */
START_TEST(a_row_that_closes_by_itself_takes_nothing_of_the_row_bus)
{
    const NamedTiming named = named_timing(_i);
    DramTiming timing = named.timing;
    ck_assert(dram_timing_setup(&timing, NULL));
    const DramAccess first = access_of(&timing, (Burst){0, 0, 0, false}),
                     other = access_of(&timing, (Burst){1, 0, 0, false});
    uint64_t ready[2];
    for (int automatic = 0; automatic < 2; automatic++) {
        DramState state;
        DramSteps steps;
        DramBooking booking = {.steps = &steps};
        dram_state_init(&state, &timing, 1000);
        dram_state_book(&state, &first, 0, &booking);
        dram_state_close(&state, 0, automatic, &booking);
        dram_state_advance(&state, steps.step[2].cycle);
        ready[automatic] = dram_state_earliest(&state, &other, 0) - state.now;
        dram_state_finish(&state);
    }
    ck_assert_uint_eq(ready[1], timing.tRCDRD);
    ck_assert_uint_eq(ready[0], timing.tRCDRD + timing.precharge_slots);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("dram_ready");
    tcase_add_loop_test(cases, each_constraint_holds_to_the_cycle_on_every_timing, 0, TIMINGS);
    tcase_add_loop_test(cases, windows_of_activates_hold_to_the_cycle_on_every_timing, 0, TIMINGS);
    tcase_add_loop_test(cases, refreshes_hold_to_the_cycle_on_every_timing, 0, TIMINGS);
    tcase_add_loop_test(cases, a_closed_bank_opens_tRP_after_its_precharge, 0, TIMINGS);
    tcase_add_loop_test(cases, a_row_that_closes_by_itself_takes_nothing_of_the_row_bus, 0,
                        TIMINGS);
    return harness_run_cases("dram_ready", cases);
}
