/* Atomics and reductions in the load/store unit: passes for lanes that want one address, how long
 * these keep it, when the SM may have the operands' registers back. Taken at 11. */
#include "rig.h"

static uint64_t pairs[32], quarters[32], mixed[32];

static void fill_addresses(void)
{
    for (uint64_t i = 0; i < 32; i++) {
        pairs[i] = 4 * (i / 2);
        quarters[i] = 4 * (i % 8);
        mixed[i] = i < 5 ? 0 : 4 * i; /* five lanes at one address, the others alone */
    }
}

/* `next`: when the following load is taken; `released`: what the SM is told, 0: nothing. */
typedef struct {
    const char *settings;
    Access access;
    uint64_t next, released;
    uint32_t same;
    uint64_t passes; /* the statistic */
    Time interval;
} Row;

#define ATOMIC .operation = OPERATION_ATOMIC

static const Row rows[] = {
    /* operands read 20 cycles after 11 and a cycle for each lane beyond the first, 1 to the SM */
    {"", {ATOMIC, .stride = 4}, 12, 11 + 20 + 1, 1, 1, 0},
    {"", {ATOMIC, .stride = SAME}, 11 + 31 + 1, 11 + 20 + 31 + 1, 32, 32, 0},
    {"", {ATOMIC, .stride = SAME, .mask = 0xf0}, 11 + 3 + 1, 11 + 20 + 3 + 1, 4, 4, 0},
    {"", {ATOMIC, .stride = SAME, .mask = 0x10}, 12, 11 + 20 + 1, 1, 1, 0},
    {"", {ATOMIC, .addresses = pairs}, 13, 11 + 20 + 1 + 1, 2, 2, 0},
    {"", {ATOMIC, .addresses = mixed}, 11 + 4 + 1, 11 + 20 + 4 + 1, 5, 5, 0},
    {"", {ATOMIC, .stride = SAME, .has_result = true}, 11 + 31 + 1, 0, 32, 32, 0},
    /* lanes congruent modulo 8 are combined first: 8 groups want the address; of quarters, whose
     * lanes at one address are congruent, one */
    {"atomic_groups = 8", {ATOMIC, .stride = SAME}, 11 + 7 + 1, 11 + 20 + 7 + 1, 8, 8, 0},
    {"atomic_groups = 8", {ATOMIC, .addresses = quarters}, 12, 11 + 20 + 1, 1, 1, 0},
    {"atomic_groups = 32", {ATOMIC, .addresses = quarters}, 15, 11 + 20 + 3 + 1, 4, 4, 0},
    {"atomic_groups = 1", {ATOMIC, .stride = SAME}, 12, 11 + 20 + 1, 1, 1, 0},
    {"atomic_interval = 2.5; atomic_latency = 7 cycles",
     {ATOMIC, .addresses = mixed},
     11 + 10 + 1,
     11 + 7 + 10 + 1,
     5,
     5,
     0},
    /* half a cycle too many: on to the next edge */
    {"atomic_interval = 2.5", {ATOMIC, .addresses = pairs}, 11 + 3 + 1, 34, 2, 2, 0},
    {"atomic_interval = 0", {ATOMIC, .stride = SAME}, 12, 11 + 20 + 1, 32, 32, 0},
    /* replays: the second lane after 40 cycles, each takes address generation for one,
     * and those between further ones are others' */
    {"atomic_replay_latency = 40 cycles; atomic_interval = 14",
     {ATOMIC, .stride = SAME},
     11 + 31 + 1,
     11 + 20 + 40 + 30 * 14 + 1,
     32,
     32,
     0},
    {"atomic_replay_latency = 40 cycles", {ATOMIC, .addresses = pairs}, 13, 11 + 60 + 1, 2, 2, 0},
    {"atomic_replay_latency = 40 cycles", {ATOMIC, .stride = 4}, 12, 11 + 20 + 1, 1, 1, 0},
    {"atomic_replay_latency = 40 cycles; atomic_groups = 8",
     {ATOMIC, .stride = SAME, .has_result = true},
     11 + 7 + 1,
     0,
     8,
     8,
     0},
    /* shared memory: L1 makes the passes, this unit goes on */
    {"", {ATOMIC, .space = SPACE_SHARED, .stride = 4}, 12, 11 + 1 + 1, 1, 1, 2},
    {"", {ATOMIC, .space = SPACE_SHARED, .stride = SAME}, 12, 11 + 1 + 31 * 2 + 1, 32, 32, 2},
    {"atomic_groups = 8", {ATOMIC, .space = SPACE_SHARED, .stride = SAME}, 12, 75, 32, 32, 2},
    {"shared_atomic_interval = 3; shared_atomic_latency = 5 cycles",
     {ATOMIC, .space = SPACE_SHARED, .addresses = mixed},
     12,
     11 + 5 + 4 * 3 + 1,
     5,
     5,
     3},
    {"", {ATOMIC, .space = SPACE_SHARED, .stride = SAME, .has_result = true}, 12, 0, 32, 32, 2},
};

START_TEST(lanes_that_want_one_address_take_passes)
{
    const Row *row = &rows[_i];
    fill_addresses();
    Access accesses[] = {row->access, {.at = 10}};
    accesses[0].at = 10;
    g_autoptr(Rig) rig = rig_new(row->settings, (Around){0});
    RUN(rig, accesses);
    const WarpAccess *atomic = at_l1(rig, 0, 12);
    ck_assert_uint_eq(atomic->same_address, row->same);
    ck_assert_uint_eq(atomic->pass_interval, row->interval * TIME_NS);
    ck_assert_uint_eq(atomic->turn_passes, 1);
    at_l1(rig, 1, row->next + 1);
    ck_assert_uint_eq(unit_count(rig->unit, "atomic_passes"), row->passes);
    ck_assert_uint_eq(harness_arrivals(rig->sm), row->released != 0);
    if (!row->released) return;
    const StoreNotice *notice = notice_at(rig, 0);
    ck_assert_uint_eq(harness_arrival(rig->sm, 0)->cycle, 12);
    ck_assert_int_eq(notice->step, STORE_RELEASED);
    if (row->released != 34)
        ck_assert_uint_eq(notice->released_at, row->released * TIME_NS);
    else
        ck_assert_uint_eq(notice->released_at, 34 * TIME_NS + TIME_NS / 2);
}
END_TEST

/* 31 lanes wait behind the first, 2 1/2 cycles each: 77 1/2, up to the next edge, and an interval.
 * Lanes of shared memory wait in L1. */
START_TEST(address_generation_is_busy_while_lanes_wait_for_each_other)
{
    static const Access accesses[] = {
        {.at = 10, .operation = OPERATION_ATOMIC, .stride = SAME},
        {.at = 11, .operation = OPERATION_ATOMIC, .space = SPACE_SHARED, .stride = SAME},
        {.at = 12}};
    g_autoptr(Rig) rig = rig_new("atomic_interval = 2.5; interval = 3 cycles", (Around){0});
    RUN(rig, accesses);
    ck_assert_uint_eq(unit_meter_at(rig->unit, "same_address", 0)->counted.work, 77500000);
    ck_assert_uint_eq(unit_booked(rig->unit, "addresses"), 78 + 3 * 3);
}
END_TEST

/* Load with lock, and store with unlock: two passes a turn, which takes as long. */
START_TEST(a_lock_loop_makes_two_passes_a_turn)
{
    static const Access accesses[] = {
        {.at = 10, ATOMIC, .space = SPACE_SHARED, .stride = SAME, .slot = 7}};
    g_autoptr(Rig) rig =
        rig_new("shared_lock_loop = yes; shared_atomic_interval = 100", (Around){0});
    RUN(rig, accesses);
    const WarpAccess *atomic = at_l1(rig, 0, 12);
    ck_assert_uint_eq(atomic->same_address, 32);
    ck_assert_uint_eq(atomic->turn_passes, 2);
    ck_assert_uint_eq(atomic->pass_interval, 50 * TIME_NS);
    ck_assert_uint_eq(unit_count(rig->unit, "atomic_passes"), 32);
    const StoreNotice *notice = notice_at(rig, 0);
    ck_assert_uint_eq(notice->released_at, (11 + 1 + 31 * 100 + 1) * TIME_NS);
    ck_assert_uint_eq(notice->warp, 7);
    ck_assert_uint_eq(notice->warp_age, 0);
}
END_TEST

/* The second one is taken at 12 and waits for L1's only place until 101. */
START_TEST(operands_are_read_when_the_instruction_goes_to_L1)
{
    static const Access accesses[] = {{.at = 10}, {.at = 11, ATOMIC}};
    g_autoptr(Rig) rig = rig_new(NULL, (Around){.l1 = 1});
    harness_withhold(rig->l1, 100);
    RUN(rig, accesses);
    at_l1(rig, 1, 102);
    const StoreNotice *notice = notice_at(rig, 0);
    ck_assert_uint_eq(notice->released_at, (101 + 20 + 1) * TIME_NS);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("load_store_atomics");
    tcase_add_loop_test(cases, lanes_that_want_one_address_take_passes, 0, G_N_ELEMENTS(rows));
    tcase_add_test(cases, address_generation_is_busy_while_lanes_wait_for_each_other);
    tcase_add_test(cases, a_lock_loop_makes_two_passes_a_turn);
    tcase_add_test(cases, operands_are_read_when_the_instruction_goes_to_L1);
    return harness_run_cases("load_store_atomics", cases);
}
