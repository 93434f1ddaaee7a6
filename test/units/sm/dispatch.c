/* What the pools of execution units accept and what the schedulers dispatch: Kepler's and Maxwell's
 * SM under a mix of instructions that saturates them. */
#include "rig.h"

enum { WINDOW_BEGIN = 200, WINDOW_END = 600, CYCLES = WINDOW_END - WINDOW_BEGIN };

/* A kernel that repeats a pattern of independent instructions and counts those that issue in the
 * window. A store stands for load/store, so that nothing waits for memory. */
typedef struct {
    Kernel kernel;
    const Unit *sm;
    const char *pattern; /* C: core, D: FP64, L: load/store, S: SFU, T: texture */
    uint64_t issued;
} Mix;

static ExecutionUnit unit_of(char kind)
{
    switch (kind) {
    case 'D': return EXECUTE_FP64;
    case 'S': return EXECUTE_SFU;
    case 'T': return EXECUTE_TEXTURE;
    default: return EXECUTE_FP32;
    }
}

/* Each warp begins somewhere else in the pattern. */
static void mix_fetch(const Kernel *kernel, WarpCursor *cursor, Instruction *instruction)
{
    Mix *mix = (Mix *)(uintptr_t)kernel;
    const uint64_t cycle = mix->sm->inbox.now / mix->sm->clock->period;
    const uint64_t warp = cursor->cta * kernel_warps(kernel) + cursor->warp;
    const uint64_t step = warp * 5 + cursor->position;
    const char kind = mix->pattern[step % strlen(mix->pattern)];
    mix->issued += cycle >= WINDOW_BEGIN && cycle < WINDOW_END && cursor->position;
    cursor->position++;
    *instruction = (Instruction){.mask = UINT32_MAX, .repeat = 1, .destination = REGISTER_NONE};
    instruction->operation = kind == 'L' ? OPERATION_STORE : OPERATION_ALU;
    if (cycle > WINDOW_END) instruction->operation = OPERATION_EXIT;
    instruction->unit = (uint8_t)unit_of(kind);
    /* three operands; doubles in pairs of registers */
    for (uint8_t r = 0; r < (kind == 'D' ? 6 : 3); r++)
        instruction->sources[instruction->source_count++] = r;
}

/* Kepler: 192 cores, 64 FP64, 32 load/store and 32 special function units; a scheduler reaches what
 * its half has. A unit gets three operands of its lanes a cycle, of FP64 one and a half. */
#define KEPLER                                                                                     \
    "schedulers = 4; wiring = half; core_units = 12; core_lanes = 16; int_units = 0; "             \
    "other_units = 0; fp64_units = 4; fp64_lanes = 16; register_operands = 3; "                    \
    "load_store_units = 4; load_store_lanes = 8; sfu_units = 4; sfu_lanes = 8; "
/* Maxwell: for each scheduler 32 cores, 8 load/store and 8 special function units, for two
 * of them 4 texture units. */
#define MAXWELL                                                                                    \
    "schedulers = 4; wiring = own; core_units = 8; core_lanes = 16; int_units = 0; "               \
    "other_units = 0; fp64_units = 0; load_store_units = 4; load_store_lanes = 8; sfu_units = 4; " \
    "sfu_lanes = 8; texture_units = 2; texture_lanes = 4; texture_sharing = half; "
#define UNLIMITED "dispatches = 64; warps_per_cycle = 64; dispatches_per_warp = 64; "
#define REAL_WIDTH "dispatches = 2; warps_per_cycle = 1; dispatches_per_warp = 2; "
#define KEPLER_MIX "CCCCCCDLS"
#define MAXWELL_MIX "CCCCLSCCCCLSCCCCLSCCCCLST"

typedef struct {
    uint64_t issued; /* by 64 warps in the window */
    uint64_t lost;   /* slots, in the whole run */
} Outcome;

static Outcome outcome_of(const char *settings, const char *pattern)
{
    static const KernelClass mix_class = {.fetch = mix_fetch};
    static const char *const pools[] = {"core_lost", "fp64_lost", "sfu_lost", "load_store_lost",
                                        "texture_lost"};
    g_autoptr(Rig) rig = rig_new(settings, 0);
    Mix mix = {
        {.class = &mix_class, .threads_per_cta = 1024, .warp_lanes = 32}, rig->sm, pattern, 0};
    for (uint64_t cta = 0; cta < 2; cta++) launch(rig, (Script *)&mix, cta, 20);
    run(rig);
    Outcome outcome = {.issued = mix.issued};
    for (guint i = 0; i < G_N_ELEMENTS(pools); i++) outcome.lost += unit_count(rig->sm, pools[i]);
    return outcome;
}

static void assert_issues(const char *settings, const char *pattern, double a_cycle)
{
    const uint64_t issued = outcome_of(settings, pattern).issued;
    ck_assert_msg((double)issued == a_cycle * CYCLES, "%.3f a cycle", (double)issued / CYCLES);
}

/* Core 6, FP64 1, load/store 1, SFU 1: nine of eight that are dispatched, 1.125. */
START_TEST(kepler_accepts_nine_a_cycle)
{
    assert_issues(KEPLER UNLIMITED, KEPLER_MIX, 9);
}
END_TEST

/* FP64 2: ten of eight, 1.25. */
START_TEST(kepler_accepts_ten_without_the_register_limit)
{
    assert_issues(KEPLER UNLIMITED "register_operands = 6", "CCCCCCDDLS", 10);
}
END_TEST

START_TEST(kepler_dispatches_eight_a_cycle)
{
    assert_issues(KEPLER REAL_WIDTH, KEPLER_MIX, 8);
}
END_TEST

/* For each scheduler 1 + 1/4 + 1/4 + 1/16 = 1.5625 of two, 0.78. */
START_TEST(maxwell_accepts_six_and_a_quarter_a_cycle)
{
    assert_issues(MAXWELL UNLIMITED, MAXWELL_MIX, 4 * 1.5625);
}
END_TEST

START_TEST(units_of_16_and_8_lanes_accept_the_same)
{
    assert_issues(KEPLER UNLIMITED "load_store_units = 2; load_store_lanes = 16; "
                                   "load_store_sharing = half; sfu_units = 2; sfu_lanes = 16",
                  KEPLER_MIX, 9);
}
END_TEST

/* Instructions a cycle of nine that the units could take: dispatch width 1, 2, 4, with units of the
 * half and of the own scheduler. A width of four makes up for the narrower wiring. */
START_TEST(more_dispatches_make_up_for_restricted_wiring)
{
    static const char *const widths[] = {"dispatches = 1; warps_per_cycle = 1; ",
                                         "dispatches = 2; warps_per_cycle = 2; ",
                                         "dispatches = 4; warps_per_cycle = 4; "};
    const char *wiring = _i % 2 ? "wiring = own" : "wiring = half";
    g_autofree char *settings = g_strconcat(KEPLER, widths[_i / 2], wiring, NULL);
    const double rate = (double)outcome_of(settings, KEPLER_MIX).issued / CYCLES;
    static const struct {
        double low, high;
    } expected[] = {{4, 4}, {4, 4}, {8, 8}, {7.5, 7.9}, {8.9, 9}, {8.9, 9}};
    ck_assert_msg(rate >= expected[_i].low && rate <= expected[_i].high, "row %d: %.3f", _i, rate);
}
END_TEST

#define TWO_WARPS "dispatches = 2; warps_per_cycle = 2; scheduler_policy = loose_round_robin; "

START_TEST(another_warp_takes_the_slot)
{
    const Outcome outcome = outcome_of(KEPLER TWO_WARPS "unit_full = other_warp", KEPLER_MIX);
    ck_assert_uint_ge(outcome.issued, 8 * CYCLES * 98 / 100);
}
END_TEST

/* There is always a warp that is ready, so each slot is used or lost to a full unit. */
START_TEST(a_withheld_slot_is_lost)
{
    const Outcome outcome = outcome_of(KEPLER TWO_WARPS "unit_full = withhold", KEPLER_MIX);
    ck_assert_uint_lt(outcome.issued, 8 * CYCLES * 9 / 10);
    ck_assert_uint_ge(outcome.lost, 8 * CYCLES - outcome.issued);
}
END_TEST

START_TEST(a_pool_without_units_rejects_its_instructions)
{
    static const KernelClass mix_class = {.fetch = mix_fetch};
    g_autoptr(Rig) rig = rig_new(MAXWELL, 0);
    Mix mix = {{.class = &mix_class,
                .name = (char *)(uintptr_t) "mix",
                .threads_per_cta = 32,
                .warp_lanes = 32},
               rig->sm,
               "CD",
               0};
    launch(rig, (Script *)&mix, 0, 20);
    g_autoptr(GError) error = harness_run_for_error(rig->harness);
    ck_assert_ptr_nonnull(error);
    ck_assert_ptr_nonnull(strstr(error->message, "kernel mix"));
    ck_assert_ptr_nonnull(strstr(error->message, "sm.fp64_units = 0"));
}
END_TEST

START_TEST(units_that_cannot_be_divided_are_an_error)
{
    g_autoptr(Rig) rig = rig_new("schedulers = 4; " ONE_OF_EACH "; sfu_units = 2; "
                                 "sfu_sharing = scheduler; load_store_units = 4",
                                 0);
    g_autoptr(GError) error = harness_run_for_error(rig->harness);
    ck_assert_ptr_nonnull(error);
    ck_assert_ptr_nonnull(strstr(error->message, "sm.sfu_units = 2"));
    ck_assert_ptr_nonnull(strstr(error->message, "(schedulers, sfu_sharing, wiring)"));
}
END_TEST

/* --- one warp or two --- */

START_TEST(cores_do_what_has_no_units_of_its_own)
{
    static const Instruction code[] = {ALU(INT, 1, 1, 9), ALU(FP32, 1, 2, 9), ALU(OTHER, 1, 3, 9),
                                       DO(EXIT)};
    static const Issued expected[] = {{0, 0, 0, 21}, {0, 0, 1, 23}, {0, 0, 2, 25}};
    g_autoptr(Rig) rig = rig_new("int_units = 0; other_units = 0", 0);
    Script *script = add_script(rig, 32, code);
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
    ck_assert_uint_eq(unit_count(rig->sm, "core_accepted"), 3);
}
END_TEST

/* Two neighbours that do not depend on each other, then one that does. */
START_TEST(independent_neighbours_issue_together)
{
    static const Instruction code[] = {ALU(INT, 1, 1, 9), ALU(FP32, 1, 2, 9), ALU(INT, 1, 3, 1),
                                       DO(EXIT)};
    static const Issued expected[] = {{0, 0, 0, 21}, {0, 0, 1, 21}, {0, 0, 2, 25}};
    g_autoptr(Rig) rig = rig_new("dispatches = 2; dispatches_per_warp = 2", 0);
    Script *script = add_script(rig, 32, code);
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
}
END_TEST

/* A chain of one warp issues at 22, 26 and 30 and leaves the other slots to the other warp. */
START_TEST(a_chain_leaves_slots_to_others)
{
    static const Instruction chain[] = {ALU(FP32, 3, 1, 9), DO(EXIT)};
    static const Instruction apart[] = {ALU(INT, 1, 1, 9), ALU(INT, 1, 2, 9), ALU(INT, 1, 3, 9),
                                        ALU(INT, 1, 4, 9), DO(EXIT)};
    static const Issued expected[] = {
        {0, 1, 0, 21}, {0, 1, 1, 23}, {0, 1, 2, 24}, {0, 1, 3, 25}, {0, 0, 0, 30}};
    g_autoptr(Rig) rig = rig_new("scheduler_policy = loose_round_robin", 0);
    Script *script = add_script(rig, 64, apart);
    script->warp[0] = chain;
    launch(rig, script, 0, 20);
    run(rig);
    ck_assert_uint_eq(unit_count(rig->sm, "core_accepted"), 3);
    ASSERT_ISSUED(script, expected);
}
END_TEST

static const struct {
    const char *settings;
    uint64_t cycle[3];
} load_orders[] = {{"loads = overlap", {21, 22, 23}},
                   {"loads = one_at_a_time", {21, 21 + BACK, 21 + 2 * BACK}}};

/* None needs the others' values. */
START_TEST(executed_in_order_a_load_begins_when_the_one_before_has_its_data)
{
    static const Instruction loads[] = {LOAD(1), LOAD(2), LOAD(3), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new(load_orders[_i].settings, 0);
    Script *script = add_script(rig, 32, loads);
    launch(rig, script, 0, 20);
    run(rig);
    for (guint i = 0; i < 3; i++)
        ck_assert_uint_eq(g_array_index(script->issued, Issued, i).cycle, load_orders[_i].cycle[i]);
}
END_TEST

int main(void)
{
    const TTest *const once[] = {kepler_accepts_nine_a_cycle,
                                 kepler_accepts_ten_without_the_register_limit,
                                 kepler_dispatches_eight_a_cycle,
                                 maxwell_accepts_six_and_a_quarter_a_cycle,
                                 units_of_16_and_8_lanes_accept_the_same,
                                 another_warp_takes_the_slot,
                                 a_withheld_slot_is_lost,
                                 a_pool_without_units_rejects_its_instructions,
                                 units_that_cannot_be_divided_are_an_error,
                                 cores_do_what_has_no_units_of_its_own,
                                 independent_neighbours_issue_together,
                                 a_chain_leaves_slots_to_others};
    TCase *cases = tcase_create("sm_dispatch");
    for (guint i = 0; i < G_N_ELEMENTS(once); i++) tcase_add_test(cases, once[i]);
    tcase_add_loop_test(cases, more_dispatches_make_up_for_restricted_wiring, 0, 6);
    tcase_add_loop_test(cases, executed_in_order_a_load_begins_when_the_one_before_has_its_data, 0,
                        G_N_ELEMENTS(load_orders));
    return harness_run_cases("sm_dispatch", cases);
}
