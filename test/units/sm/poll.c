/* The SM: warps that wait for a value. An access that is issued at t is back at t + 102; in vain,
 * it is issued again `poll_interval` later. */
#include "rig.h"

enum { AGAIN = 12 };

#define POLL(compares, with)                                                                       \
    {                                                                                              \
        .operation = OPERATION_ATOMIC, .atomic = ATOMIC_READ, .until = compares, .operand = with,  \
        .destination = 5, .destination_count = 1, .width = 4                                       \
    }

static uint32_t count_up(uint64_t number, uint32_t lane)
{
    (void)lane;
    return (uint32_t)number;
}

/* 21, 21 + 114, 21 + 228; the values are 0, 1, 2. The next instruction goes 12 after the last. */
START_TEST(a_warp_asks_until_the_value_is_there)
{
    static const Instruction code[] = {POLL(UNTIL_AT_LEAST, 2), ALU(INT, 1, 1, 9), DO(EXIT)};
    const uint64_t there = 21 + 2 * (BACK + AGAIN) + BACK;
    const Issued expected[] = {{0, 0, 0, there}, {0, 0, 1, there + AGAIN}};
    g_autoptr(Rig) rig = rig_new("poll_interval = 12 cycles", 0);
    rig->memory->value_of = count_up;
    Script *script = add_script(rig, 32, code);
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected); /* the script notes a wait when it is over */
    ck_assert_uint_eq(rig->memory->seen->len, 3);
    for (guint i = 0; i < 3; i++)
        ck_assert_uint_eq(far_side_seen(rig->memory, i)->cycle, 22 + i * (BACK + AGAIN));
    ck_assert_uint_eq(unit_count(rig->sm, "polls"), 3);
    ck_assert_uint_eq(unit_count(rig->sm, "polls_repeated"), 2);
    ck_assert_uint_eq(unit_count(rig->sm, "memory_instructions"), 3);
}
END_TEST

static const struct {
    Until until;
    uint32_t wanted, polls; /* of the values 0, 1, 2 ... */
} comparisons[] = {
    {UNTIL_EQUAL, 3, 4},   {UNTIL_OTHER, 0, 2},   {UNTIL_LESS, 1, 1},
    {UNTIL_AT_MOST, 0, 1}, {UNTIL_GREATER, 3, 5}, {UNTIL_AT_LEAST, 3, 4},
};

START_TEST(it_waits_for_what_it_says)
{
    const Instruction code[] = {POLL(comparisons[_i].until, comparisons[_i].wanted), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new("poll_interval = 12 cycles", 0);
    rig->memory->value_of = count_up;
    launch(rig, add_script(rig, 32, code), 0, 20);
    run(rig);
    ck_assert_uint_eq(unit_count(rig->sm, "polls"), comparisons[_i].polls);
}
END_TEST

/* Lane n waits for 8 + n; poll i finds i. */
START_TEST(only_lanes_without_their_value_ask_again)
{
    Instruction code[] = {POLL(UNTIL_AT_LEAST, 8), DO(EXIT)};
    code[0].operand_stride = 1;
    const uint32_t lanes = 32 * (uint32_t)_i;
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    harness_set_warp_lanes(rig->harness, lanes);
    rig->memory->value_of = count_up;
    Script *script = add_script(rig, lanes, code);
    script->kernel.warp_lanes = lanes;
    launch(rig, script, 0, 20);
    run(rig);
    ck_assert_uint_eq(unit_count(rig->sm, "polls"), 8 + lanes);
    for (guint i = 9; i < 7 + lanes; i++) {
        const WarpAccess *access = (const WarpAccess *)far_side_seen(rig->memory, i)->message;
        ck_assert_uint_eq(access->instruction.mask, lowest_lanes(lanes) & UINT64_MAX << (i - 8));
    }
}
END_TEST

/* Others go on; a load that comes back meanwhile changes nothing. */
START_TEST(other_warps_go_on_while_one_waits)
{
    static const Instruction waits[] = {LOAD(2), POLL(UNTIL_AT_LEAST, 4), DO(EXIT)};
    static const Instruction computes[] = {ALU(INT, 50, 1, 9), ALU(INT, 1, 2, 1), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new("poll_interval = 12 cycles", 0);
    rig->memory->value_of = count_up;
    Script *script = add_script(rig, 64, waits);
    script->warp[1] = computes;
    launch(rig, script, 0, 20);
    run(rig);
    const Issued *last = &g_array_index(script->issued, Issued, script->issued->len - 1);
    ck_assert_uint_eq(last->warp, 0);
    ck_assert_uint_eq(last->cycle, 22 + 3 * (BACK + AGAIN) + BACK); /* the load was the first */
    ck_assert_uint_eq(unit_count(rig->sm, "polls"), 4);
}
END_TEST

static uint32_t stay(uint64_t number, uint32_t lane)
{
    (void)lane;
    return number < 3 ? (uint32_t)number : 3;
}

/* 0, 1, 2, 3, 3, 3, 3, 3: the fifth 3 in a row ends it. */
START_TEST(a_value_that_never_comes_ends_the_run)
{
    static const Instruction code[] = {POLL(UNTIL_GREATER, 3), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new("poll_limit = 5", 0);
    rig->memory->value_of = stay;
    launch(rig, add_script(rig, 32, code), 7, 20);
    g_autoptr(GError) error = harness_run_for_error(rig->harness);
    ck_assert_ptr_nonnull(error);
    ck_assert_msg(strstr(error->message, "warp 0 of CTA 7 waits for the word at 0x0 to be > 3 and "
                                         "found 3 5 times in a row (sm.poll_limit)"),
                  "%s", error->message);
    ck_assert_uint_eq(unit_count(rig->sm, "polls"), 3 + 5);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("sm_poll");
    tcase_add_test(cases, a_warp_asks_until_the_value_is_there);
    tcase_add_loop_test(cases, it_waits_for_what_it_says, 0, G_N_ELEMENTS(comparisons));
    tcase_add_loop_test(cases, only_lanes_without_their_value_ask_again, 1, 3);
    tcase_add_test(cases, other_warps_go_on_while_one_waits);
    tcase_add_test(cases, a_value_that_never_comes_ends_the_run);
    return harness_run_cases("sm_poll", cases);
}
