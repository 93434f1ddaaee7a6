#include "rig.h"

/* --- issue --- */

/* 21 + 10 x 4; then one by one. A run whose result nobody needs lets the next go a cycle after the
 * last of its instructions: 65 + 9 x 4 + 1. The script notes the last of a run. */
START_TEST(a_chain_takes_repeat_times_its_latency)
{
    static const Instruction code[] = {ALU(FP32, 10, 1, 9), ALU(FP32, 1, 2, 1), ALU(FP32, 10, 3, 2),
                                       ALU(INT, 1, 4, 9), DO(EXIT)};
    static const Issued expected[] = {{0, 0, 0, 57}, {0, 0, 1, 61}, {0, 0, 2, 101}, {0, 0, 3, 102}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 32, code);
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
    assert_done(rig, 103 + 1);
    ck_assert_uint_eq(unit_count(rig->sm, "warp_instructions"), 10 + 1 + 10 + 1 + 1);
    ck_assert_uint_eq(unit_count(rig->sm, "thread_instructions"), 32 * 23);
}
END_TEST

START_TEST(latencies_are_those_of_the_execution_unit)
{
    static const Instruction code[] = {ALU(FP64, 1, 1, 9), ALU(SFU, 1, 1, 1), ALU(INT, 1, 1, 1),
                                       ALU(OTHER, 1, 1, 1), DO(EXIT)};
    static const Issued expected[] = {{0, 0, 0, 21}, {0, 0, 1, 29}, {0, 0, 2, 43}, {0, 0, 3, 47}};
    g_autoptr(Rig) rig = rig_new("fp64_latency = 5 cycles; sfu_latency = 7 cycles", 0);
    Script *script = add_script(rig, 32, code);
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
}
END_TEST

/* Warp 0 loads at 21 and its consumer waits until 21 + 102; what is behind the consumer waits too,
 * although it needs nothing. Warp 1 goes on. */
START_TEST(a_consumer_waits_for_write_back_others_issue)
{
    static const Instruction loads[] = {LOAD(1), ALU(INT, 1, 2, 1), ALU(INT, 1, 3, 9), DO(EXIT)};
    static const Instruction computes[] = {ALU(INT, 1, 1, 9), ALU(INT, 1, 2, 9), DO(EXIT)};
    static const Issued expected[] = {
        {0, 0, 0, 21}, {0, 1, 0, 22}, {0, 1, 1, 23}, {0, 0, 1, 123}, {0, 0, 2, 124}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 64, loads);
    script->warp[1] = computes;
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
    ck_assert_uint_eq(unit_level(rig->sm, "waiting_for_loads")->integral, BACK * TIME_NS);
    /* a cycle after 22, 23, 123 and 124; at 21 the second warp finds the slot taken */
    ck_assert_uint_eq(unit_busy(rig->sm, "stalled_results"), 4);
    ck_assert_uint_eq(unit_busy(rig->sm, "stalled_slot"), 1);
    ck_assert_uint_eq(unit_busy(rig->sm, "stalled_unit"), 0);
    ck_assert_uint_eq(unit_histogram(rig->sm, "load_latency")->sum, BACK * TIME_NS);
}
END_TEST

/* A load may not overwrite what another still writes, nor what arithmetic writes. */
START_TEST(writers_of_one_register_keep_their_order)
{
    static const Instruction code[] = {ALU(INT, 1, 1, 9), LOAD(1), LOAD(2), LOAD(1), DO(EXIT)};
    static const Issued expected[] = {{0, 0, 0, 21}, {0, 0, 1, 25}, {0, 0, 2, 26}, {0, 0, 3, 127}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 32, code);
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
}
END_TEST

START_TEST(loose_round_robin_goes_round_the_warps)
{
    static const Instruction code[] = {ALU(INT, 1, 1, 9), ALU(INT, 1, 2, 9), DO(EXIT)};
    static const Issued expected[] = {{0, 1, 0, 21}, {0, 2, 0, 22}, {0, 0, 0, 23},
                                      {0, 1, 1, 24}, {0, 2, 1, 25}, {0, 0, 1, 26}};
    g_autoptr(Rig) rig = rig_new("scheduler_policy = loose_round_robin", 0);
    Script *script = add_script(rig, 96, code);
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
}
END_TEST

/* CTA 0 ends at 22 and CTA 2 takes its slot at 24, below the slot of the older CTA 1. CTA 3 is
 * greedy from 25 until it ends at 31; CTA 1 and CTA 2 could go on at 27 and 28. */
START_TEST(greedy_then_oldest_stays_and_then_takes_the_oldest)
{
    static const Instruction ends[] = {ALU(INT, 1, 1, 9), DO(EXIT)};
    static const Instruction stalls[] = {ALU(INT, 1, 1, 9), ALU(INT, 1, 2, 1), DO(EXIT)};
    static const Instruction runs[] = {ALU(INT, 1, 1, 9), ALU(INT, 1, 2, 9), ALU(INT, 1, 3, 9),
                                       ALU(INT, 1, 4, 9), ALU(INT, 1, 5, 9), ALU(INT, 1, 6, 9),
                                       DO(EXIT)};
    static const Issued expected[] = {{1, 0, 0, 23}, {2, 0, 0, 24}, {1, 0, 1, 32}, {2, 0, 1, 34}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    launch(rig, add_script(rig, 32, ends), 0, 20);
    Script *script = add_script(rig, 32, stalls);
    launch(rig, script, 1, 20);
    launch(rig, script, 2, 23);
    launch(rig, add_script(rig, 32, runs), 3, 24);
    run(rig);
    ASSERT_ISSUED(script, expected);
}
END_TEST

/* Two FP32 instructions are two cycles apart. At 22 the greedy warp and the next one find the unit
 * occupied, the third has an integer instruction; warp 0 ends at 24. */
START_TEST(an_occupied_unit_lets_another_warp_go_first)
{
    static const Instruction twice[] = {ALU(FP32, 1, 1, 9), ALU(FP32, 1, 2, 9), DO(EXIT)};
    static const Instruction once[] = {ALU(FP32, 1, 1, 9), DO(EXIT)};
    static const Instruction integer[] = {ALU(INT, 1, 1, 9), ALU(INT, 1, 2, 1), DO(EXIT)};
    static const Issued expected[] = {
        {0, 0, 0, 21}, {0, 2, 0, 22}, {0, 0, 1, 23}, {0, 1, 0, 25}, {0, 2, 1, 27}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 96, twice);
    script->warp[1] = once;
    script->warp[2] = integer;
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
    ck_assert_uint_eq(unit_count(rig->sm, "core_accepted"), 3);
    ck_assert_uint_eq(unit_count(rig->sm, "int_accepted"), 2);
    ck_assert_uint_eq(unit_count(rig->sm, "core_lost"), 0);
}
END_TEST

/* --- memory instructions --- */

/* Four schedulers share a unit of 32 lanes: of four loads at 21 three lose a slot, at 22 two, at 23
 * one. Warps without anything ready are met at 22, 23, 24 (1, 2, 3) and, as they end, at 123,
 * 124, 125 (3, 2, 1). */
START_TEST(schedulers_share_a_load_store_unit)
{
    static const Instruction code[] = {LOAD(1), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new("schedulers = 4; load_store_sharing = sm; " ONE_OF_EACH, 0);
    launch(rig, add_script(rig, 128, code), 0, 20);
    run(rig);
    ck_assert_uint_eq(rig->memory->seen->len, 4);
    for (guint i = 0; i < 4; i++) ck_assert_uint_eq(far_side_seen(rig->memory, i)->cycle, 22 + i);
    ck_assert_uint_eq(unit_count(rig->sm, "load_store_lost"), 3 + 2 + 1);
    ck_assert_uint_eq(unit_count(rig->sm, "lost_no_ready_warp"), 12);
    ck_assert_uint_eq(unit_count(rig->sm, "load_instructions"), 4);
    ck_assert_uint_eq(unit_bytes(rig->sm, "requested_bytes"), 4 * 128);
}
END_TEST

/* Eight lanes each: all four at once, the last lanes three cycles later; the next ones at 25. */
START_TEST(schedulers_have_load_store_units_of_their_own)
{
    static const Instruction code[] = {LOAD(1), LOAD(2), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new("schedulers = 4; load_store_units = 4; load_store_lanes = 8; "
                                 "load_store_sharing = scheduler; " ONE_OF_EACH,
                                 0);
    launch(rig, add_script(rig, 128, code), 0, 20);
    run(rig);
    ck_assert_uint_eq(rig->memory->seen->len, 8);
    for (guint i = 0; i < 8; i++)
        ck_assert_uint_eq(far_side_seen(rig->memory, i)->cycle, i < 4 ? 25 : 29);
    ck_assert_uint_eq(unit_count(rig->sm, "load_store_lost"), 4 * 3);
}
END_TEST

START_TEST(memory_instructions_are_as_far_apart_as_lanes_need)
{
    static const Instruction code[] = {STORE, STORE, LOAD(1), DO(EXIT)};
    static const Issued expected[] = {{0, 0, 0, 21}, {0, 0, 1, 24}, {0, 0, 2, 27}};
    g_autoptr(Rig) rig = rig_new("load_store_lanes = 11", 0);
    Script *script = add_script(rig, 32, code);
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
    ck_assert_uint_eq(unit_count(rig->sm, "store_instructions"), 2);
}
END_TEST

/* The one place in front of the load/store unit is taken at 21 and free at 23, and again at 25; the
 * run of 50 goes on beside it from 22 to 22 + 49 x 4. A slot is lost at 24. */
START_TEST(a_full_queue_stops_memory_instructions)
{
    static const Instruction loads[] = {LOAD(1), LOAD(2), LOAD(3), DO(EXIT)};
    static const Instruction computes[] = {ALU(FP32, 50, 1, 9), DO(EXIT)};
    static const Issued expected[] = {
        {0, 0, 0, 21}, {0, 0, 1, 23}, {0, 0, 2, 25}, {0, 1, 0, 22 + 49 * 4}};
    g_autoptr(Rig) rig = rig_new(NULL, 1);
    Script *script = add_script(rig, 64, loads);
    script->warp[1] = computes;
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
    assert_done(rig, 22 + 49 * 4 + 1 + 1);
    ck_assert_uint_eq(unit_count(rig->sm, "load_store_lost"), 1);
}
END_TEST

START_TEST(shared_memory_instructions_come_back_another_way)
{
    static const Instruction code[] = {LOAD(1), ALU(INT, 1, 2, 1), STORE, DO(EXIT)};
    g_autoptr(Rig) rig = rig_new_at(NULL, 0, "from_load_store");
    launch(rig, add_script(rig, 32, code), 0, 20);
    run(rig);
    assert_done(rig, 21 + BACK + 1 + BACK + 1);
}
END_TEST

START_TEST(loads_of_a_chain_are_measured_apart)
{
    static const Instruction code[] = {LOAD(1), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 64, code);
    script->kernel.dependent_loads = 1;
    launch(rig, script, 0, 20);
    run(rig);
    ck_assert_uint_eq(unit_histogram(rig->sm, "load_latency")->count, 2);
    ck_assert_uint_eq(unit_histogram(rig->sm, "dependent_load_latency")->sum, BACK * TIME_NS);
}
END_TEST

/* --- ends and barriers --- */

START_TEST(a_warp_ends_when_its_loads_are_back)
{
    static const Instruction code[] = {LOAD(1), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    launch(rig, add_script(rig, 32, code), 0, 20);
    run(rig);
    assert_done(rig, 21 + BACK + 1);
    ck_assert_uint_eq(unit_level(rig->sm, "resident_warps")->integral, BACK * TIME_NS);
    ck_assert_uint_eq(unit_count(rig->sm, "ctas"), 1);
}
END_TEST

START_TEST(a_warp_ends_when_its_stores_have_left)
{
    static const Instruction code[] = {STORE, DO(EXIT)};
    g_autoptr(Rig) rig = rig_new("cta_waits_for_stores = no", 0);
    launch(rig, add_script(rig, 32, code), 0, 20);
    run(rig);
    assert_done(rig, 21 + LEFT + 1);
}
END_TEST

START_TEST(a_warp_waits_for_acknowledgements_if_told)
{
    static const Instruction code[] = {STORE, DO(EXIT)};
    g_autoptr(Rig) rig = rig_new("cta_waits_for_stores = yes", 0);
    launch(rig, add_script(rig, 32, code), 0, 20);
    run(rig);
    assert_done(rig, 21 + BACK + 1);
}
END_TEST

/* The acknowledgement of CTA 0's store comes at 123; CTA 1's, from the same slot, at 153. */
START_TEST(a_fence_waits_for_the_stores_of_its_own_warp)
{
    static const Instruction stores[] = {STORE, DO(EXIT)};
    static const Instruction fences[] = {STORE, DO(FENCE), ALU(INT, 1, 1, 9), DO(EXIT)};
    static const Issued expected[] = {{1, 0, 0, 51}, {1, 0, 1, 51 + BACK}, {1, 0, 2, 154}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 32, fences);
    launch(rig, add_script(rig, 32, stores), 0, 20);
    launch(rig, script, 1, 50);
    run(rig);
    ASSERT_ISSUED(script, expected);
}
END_TEST

/* The registers that the reduction reads are free at 43, LEFT after 21; its result is nobody's. */
static void wait_for_reduction(const Instruction *code)
{
    static const Issued expected[] = {
        {0, 0, 0, 21}, {0, 0, 1, 21 + LEFT}, {0, 0, 2, 44}, {0, 0, 3, 21 + BACK}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 32, code);
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
    ck_assert_uint_eq(unit_histogram(rig->sm, "load_latency")->count, 0);
}

START_TEST(a_reduction_is_waited_for_like_a_store)
{
    static const Instruction code[] = {REDUCTION, DO(WAIT_STORES), ALU(INT, 1, 1, 9), DO(FENCE),
                                       DO(EXIT)};
    wait_for_reduction(code);
}
END_TEST

START_TEST(a_reduction_in_shared_memory_is_done_when_the_access_is_back)
{
    static const Instruction code[] = {REDUCTION_IN(SHARED), DO(WAIT_STORES), ALU(INT, 1, 1, 9),
                                       DO(FENCE), DO(EXIT)};
    wait_for_reduction(code);
}
END_TEST

/* The one message is both, that the registers are free and that the store is done. */
static void hear_once(const char *port)
{
    static const Instruction code[] = {STORE_TO(SHARED), DO(WAIT_STORES), DO(FENCE), DO(EXIT)};
    static const Issued expected[] = {{0, 0, 0, 21}, {0, 0, 1, 21 + BACK}, {0, 0, 2, 22 + BACK}};
    g_autoptr(Rig) rig = rig_new_at(NULL, 0, port);
    rig->memory->notice = 0;
    Script *script = add_script(rig, 32, code);
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
    assert_done(rig, 23 + BACK + 1);
}

START_TEST(a_store_to_shared_memory_is_heard_of_once)
{
    hear_once("from_load_store");
}
END_TEST

START_TEST(the_one_message_may_come_from_l1)
{
    hear_once("from_l1");
}
END_TEST

/* Warp 1 arrives at 22, warp 2 ends at 24, warp 0 arrives at 124: both go on 10 cycles later, warp
 * 1 after warp 0 has ended at 135. */
START_TEST(a_barrier_lets_go_when_all_warps_have_arrived)
{
    static const Instruction late[] = {LOAD(1), ALU(INT, 1, 2, 1), DO(BARRIER), ALU(INT, 1, 3, 9),
                                       DO(EXIT)};
    static const Instruction early[] = {DO(BARRIER), ALU(INT, 1, 1, 9), DO(EXIT)};
    static const Instruction ends[] = {ALU(INT, 1, 1, 9), DO(EXIT)};
    static const Issued expected[] = {{0, 0, 0, 21},  {0, 2, 0, 23},  {0, 0, 1, 123},
                                      {0, 0, 2, 124}, {0, 1, 0, 124}, {0, 0, 3, 134},
                                      {0, 1, 1, 136}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 96, late);
    script->warp[1] = early;
    script->warp[2] = ends;
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
    ck_assert_uint_eq(unit_count(rig->sm, "barriers"), 1);
}
END_TEST

START_TEST(the_end_of_a_warp_elsewhere_releases_a_barrier)
{
    static const Instruction waits[] = {DO(BARRIER), ALU(INT, 1, 1, 9), DO(EXIT)};
    static const Instruction ends[] = {LOAD(1), ALU(INT, 1, 2, 1), DO(EXIT)};
    static const Issued expected[] = {
        {0, 1, 0, 22}, {0, 1, 1, 124}, {0, 0, 0, 125}, {0, 0, 1, 135}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 64, waits);
    script->warp[1] = ends;
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
}
END_TEST

/* 64 lanes on 16 take four cycles: so far apart are two warps' instructions, and a result is there
 * two cycles later than that of 32 lanes. */
START_TEST(a_warp_of_64_lanes_occupies_16_lanes_for_four_cycles)
{
    static const Instruction code[] = {ALU(FP32, 1, 1, 9), ALU(FP32, 1, 2, 1), DO(EXIT)};
    static const Issued expected[] = {{0, 0, 0, 21}, {0, 1, 0, 25}, {0, 0, 1, 29}, {0, 1, 1, 33}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    harness_set_warp_lanes(rig->harness, 64);
    Script *script = add_script(rig, 128, code);
    script->kernel.warp_lanes = 64;
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
    ck_assert_uint_eq(unit_count(rig->sm, "thread_instructions"), 64 * 6);
}
END_TEST

/* The most that are allocated, of 4096, by two CTAs of a warp of 64 lanes. */
static uint64_t registers_of_two(uint32_t a_thread)
{
    static const Instruction code[] = {LOAD(1), ALU(INT, 1, 2, 1), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new("registers = 4096; register_granularity = 64", 0);
    harness_set_warp_lanes(rig->harness, 64);
    Script *script = add_script(rig, 64, code);
    script->kernel.warp_lanes = 64;
    script->kernel.registers_per_thread = a_thread;
    launch(rig, script, 0, 20);
    launch(rig, script, 1, 20);
    run(rig);
    return unit_level(rig->sm, "registers_allocated")->maximum;
}

START_TEST(two_warps_of_64_lanes_have_their_registers_at_once)
{
    ck_assert_uint_eq(registers_of_two(32), 4096);
}
END_TEST

START_TEST(a_second_warp_of_64_lanes_waits_for_registers)
{
    ck_assert_uint_eq(registers_of_two(33), 33 * 64);
}
END_TEST

HARNESS_MAIN(
    "sm", a_warp_of_64_lanes_occupies_16_lanes_for_four_cycles,
    two_warps_of_64_lanes_have_their_registers_at_once,
    a_second_warp_of_64_lanes_waits_for_registers, a_chain_takes_repeat_times_its_latency,
    latencies_are_those_of_the_execution_unit, a_consumer_waits_for_write_back_others_issue,
    writers_of_one_register_keep_their_order, loose_round_robin_goes_round_the_warps,
    greedy_then_oldest_stays_and_then_takes_the_oldest, an_occupied_unit_lets_another_warp_go_first,
    schedulers_share_a_load_store_unit, schedulers_have_load_store_units_of_their_own,
    memory_instructions_are_as_far_apart_as_lanes_need, a_full_queue_stops_memory_instructions,
    shared_memory_instructions_come_back_another_way, loads_of_a_chain_are_measured_apart,
    a_warp_ends_when_its_loads_are_back, a_warp_ends_when_its_stores_have_left,
    a_warp_waits_for_acknowledgements_if_told, a_fence_waits_for_the_stores_of_its_own_warp,
    a_reduction_is_waited_for_like_a_store,
    a_reduction_in_shared_memory_is_done_when_the_access_is_back,
    a_store_to_shared_memory_is_heard_of_once, the_one_message_may_come_from_l1,
    a_barrier_lets_go_when_all_warps_have_arrived, the_end_of_a_warp_elsewhere_releases_a_barrier)
