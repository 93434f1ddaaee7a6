/* Where the time of schedulers' slots went. */
#include "rig.h"

static void assert_slots(const Rig *rig, const char *name, uint64_t cycles)
{
    g_autofree char *slot = g_strconcat("slot_", name, NULL);
    ck_assert_msg(unit_busy(rig->sm, slot) == cycles, "%s: %" G_GUINT64_FORMAT " cycles", slot,
                  unit_busy(rig->sm, slot));
}

/* 21 instructions of 4 cycles, of which each but the first of a chain waits for three. What waits
 * for nothing goes a cycle later. */
START_TEST(between_dependent_instructions_slots_wait_for_results)
{
    static const Instruction code[] = {ALU(FP32, 10, 1, 9), ALU(FP32, 1, 2, 1), ALU(FP32, 10, 3, 2),
                                       ALU(INT, 1, 4, 9), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    launch(rig, add_script(rig, 32, code), 0, 20);
    run(rig);
    assert_slots(rig, "launch", 21);
    assert_slots(rig, "core", 21);
    assert_slots(rig, "result", 60);
    assert_slots(rig, "int", 1);
}
END_TEST

/* A move's 4 cycles behind the last of 4 passes of 8 lanes. */
START_TEST(shuffles_go_through_the_load_store_units)
{
    static const Instruction code[] = {ALU(SHUFFLE, 1, 1, 9), ALU(INT, 1, 2, 1), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new("load_store_lanes = 8; other_latency = 4 cycles; ", 0);
    launch(rig, add_script(rig, 32, code), 0, 20);
    run(rig);
    assert_slots(rig, "load_store", 1);
    assert_slots(rig, "result", 3 + 4 - 1);
}
END_TEST

/* The load is issued at 21 and back at 123, the other warp issues at 22 and 23. */
START_TEST(others_fill_slots_while_a_load_is_waited_for)
{
    static const Instruction loads[] = {LOAD(1), ALU(INT, 1, 2, 1), DO(EXIT)};
    static const Instruction computes[] = {ALU(INT, 1, 1, 9), ALU(INT, 1, 2, 9), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 64, loads);
    script->warp[1] = computes;
    launch(rig, script, 0, 20);
    run(rig);
    assert_slots(rig, "load_store", 1);
    assert_slots(rig, "int", 3);
    assert_slots(rig, "control", 1);
    assert_slots(rig, "l1", 123 - 25);
}
END_TEST

/* Where the line was: at 22 in L1, until 40 on its way there, until 110 in DRAM. */
static void bring_stages(Unit *far, Message *message, G_GNUC_UNUSED Time now)
{
    static const struct {
        uint64_t cycle;
        Stage stage;
    } stages[] = {{21, STAGE_ISSUE},        {22, STAGE_L1_TAG},      {30, STAGE_TRANSLATE},
                  {40, STAGE_REQUEST_WIRE}, {60, STAGE_L2_QUEUE},    {61, STAGE_SCHEDULER_WAIT},
                  {90, STAGE_DRAM_BUS},     {110, STAGE_REPLY_WIRE}, {118, STAGE_REPLAY},
                  {120, STAGE_FILL}};
    WarpAccess *access = (WarpAccess *)message;
    access->answer = unit_new(far, MESSAGE_TRANSACTION);
    access->served_by = SERVED_DRAM;
    access->refused = REFUSED_SET;
    for (guint i = 0; i < G_N_ELEMENTS(stages); i++)
        transaction_enter(access->answer, stages[i].stage, stages[i].cycle * TIME_NS);
}

/* As above: nobody issues from 25 to 123. */
START_TEST(a_wait_for_data_is_divided_by_where_the_request_was)
{
    static const Instruction loads[] = {LOAD(1), ALU(INT, 1, 2, 1), DO(EXIT)};
    static const Instruction computes[] = {ALU(INT, 1, 1, 9), ALU(INT, 1, 2, 9), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 64, loads);
    script->warp[1] = computes;
    rig->memory->work_on = bring_stages;
    launch(rig, script, 0, 20);
    run(rig);
    assert_slots(rig, "at_l1", (30 - 25) + (123 - 120));
    assert_slots(rig, "at_translation", 40 - 30);
    assert_slots(rig, "at_request_network", 60 - 40);
    assert_slots(rig, "at_l2", 61 - 60);
    assert_slots(rig, "at_dram", 110 - 61);
    assert_slots(rig, "at_reply_network", 118 - 110);
    assert_slots(rig, "refused_set", 120 - 118);
    assert_slots(rig, "dram", 123 - 25); /* who served it */
    assert_slots(rig, "l1", 0);
}
END_TEST

static void refuse(Unit *far, G_GNUC_UNUSED Message *message, G_GNUC_UNUSED Time now)
{
    port_give_reason(&((FarSide *)far)->in, REFUSED_PRT);
}

/* The first load leaves at 21 and is taken at 22; there is room for the second at 23. */
START_TEST(a_full_way_to_memory_is_waited_for_as_what_L1_had_no_room_in)
{
    static const Instruction code[] = {LOAD(1), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new(NULL, 1);
    rig->memory->work_on = refuse;
    launch(rig, add_script(rig, 64, code), 0, 20);
    run(rig);
    assert_slots(rig, "refused_prt", 1);
    assert_slots(rig, "memory_way", 0);
}
END_TEST

/* Of a kernel whose first CTA went to another SM at 9. */
START_TEST(what_passes_before_a_kernels_first_cta_is_no_kernels)
{
    static const Instruction code[] = {ALU(INT, 1, 1, 9), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    rig->began = 9;
    launch(rig, add_script(rig, 32, code), 0, 20);
    run(rig);
    assert_slots(rig, "between", 9);
    assert_slots(rig, "launch", 21 - 9);
}
END_TEST

/* The first 16 lanes' pipe takes a warp every second cycle. */
START_TEST(a_full_unit_is_waited_for_by_ready_warps)
{
    static const Instruction code[] = {ALU(FP32, 1, 1, 9), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    launch(rig, add_script(rig, 128, code), 0, 20);
    run(rig);
    assert_slots(rig, "core", 4);
    assert_slots(rig, "launch", 21);
    assert_slots(rig, "pipe", 0); /* ends go in between */
}
END_TEST

/* Eight lanes take a warp in four cycles, 21 to 25, and its three operands of one bank two more. At
 * 22 it ends; from 23 on the other one waits for the unit, from 25 on as that does for the bank. */
START_TEST(what_a_unit_waits_for_operands_is_told_of_those_who_wait_for_it)
{
    static const Instruction code[] = {{.operation = OPERATION_ALU,
                                        .unit = EXECUTE_FP32,
                                        .repeat = 1,
                                        .destination = 9,
                                        .destination_count = 1,
                                        .sources = {1, 3, 5},
                                        .source_count = 3},
                                       DO(EXIT)};
    g_autoptr(Rig) rig = rig_new("core_lanes = 8; register_banks = 2; register_bank_reads = 1", 0);
    launch(rig, add_script(rig, 64, code), 0, 20);
    run(rig);
    assert_slots(rig, "core", 2);
    assert_slots(rig, "pipe", 25 - 23);
    assert_slots(rig, "operands", 27 - 25);
}
END_TEST

/* Warp 0 arrives at 124 and goes on at 134; until then warp 1 waits for it. */
START_TEST(a_barrier_is_waited_for_with_its_latency)
{
    static const Instruction late[] = {LOAD(1), ALU(INT, 1, 2, 1), DO(BARRIER), ALU(INT, 1, 3, 9),
                                       DO(EXIT)};
    static const Instruction early[] = {DO(BARRIER), ALU(INT, 1, 1, 9), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 64, late);
    script->warp[1] = early;
    launch(rig, script, 0, 20);
    run(rig);
    assert_slots(rig, "l1", 123 - 23);
    assert_slots(rig, "barrier", 134 - 125);
}
END_TEST

/* A scheduler that has no warp waits for a CTA until one comes, although it may get none of its
 * warps: here both are the first scheduler's. What the other misses meanwhile is warps. */
START_TEST(a_scheduler_without_warps_waits_for_a_launch)
{
    static const Instruction code[] = {ALU(INT, 1, 1, 9), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new("schedulers = 2; load_store_units = 2; " ONE_OF_EACH, 0);
    Script *script = add_script(rig, 32, code);
    launch(rig, script, 0, 20);
    launch(rig, script, 1, 50);
    run(rig);
    assert_slots(rig, "int", 2);
    assert_slots(rig, "control", 1); /* the last one's cycle is not over */
    assert_slots(rig, "launch", 2 * 21 + 51 - 23 + 51 - 22);
    assert_slots(rig, "few", 1);
}
END_TEST

/* Registers of a warp are set up in five cycles: the second one begins at 26, that of the CTA which
 * came meanwhile at 31. Each issues twice. */
START_TEST(warps_begin_as_their_registers_are_set_up)
{
    static const Instruction code[] = {ALU(INT, 1, 1, 9), DO(EXIT)};
    static const Issued expected[] = {{0, 0, 0, 21}, {0, 1, 0, 26}, {1, 0, 0, 31}};
    g_autoptr(Rig) rig = rig_new("warp_launch_interval = 5 cycles", 0);
    Script *two = add_script(rig, 64, code), *one = add_script(rig, 32, code);
    launch(rig, two, 0, 20);
    launch(rig, one, 1, 22);
    run(rig);
    assert_issued(two, expected, 2);
    assert_issued(one, expected + 2, 1);
    assert_slots(rig, "launch", 21 + 26 - 23 + 31 - 28);
    ck_assert_uint_eq(unit_booked(rig->sm, "warp_launches"),
                      5 * unit_level(rig->sm, "resident_warps")->arrivals);
}
END_TEST

/* Nothing is left to be set up when it comes. */
START_TEST(a_cta_that_comes_later_begins_at_once)
{
    static const Instruction code[] = {ALU(INT, 1, 1, 9), DO(EXIT)};
    static const Issued expected[] = {{0, 0, 0, 21}, {1, 0, 0, 41}};
    g_autoptr(Rig) rig = rig_new("warp_launch_interval = 5 cycles", 0);
    Script *script = add_script(rig, 32, code);
    launch(rig, script, 0, 20);
    launch(rig, script, 1, 40);
    run(rig);
    ASSERT_ISSUED(script, expected);
}
END_TEST

HARNESS_MAIN("slots", shuffles_go_through_the_load_store_units,
             between_dependent_instructions_slots_wait_for_results,
             others_fill_slots_while_a_load_is_waited_for,
             a_wait_for_data_is_divided_by_where_the_request_was,
             a_full_way_to_memory_is_waited_for_as_what_L1_had_no_room_in,
             what_passes_before_a_kernels_first_cta_is_no_kernels,
             a_full_unit_is_waited_for_by_ready_warps,
             what_a_unit_waits_for_operands_is_told_of_those_who_wait_for_it,
             a_barrier_is_waited_for_with_its_latency, a_scheduler_without_warps_waits_for_a_launch,
             warps_begin_as_their_registers_are_set_up, a_cta_that_comes_later_begins_at_once)
