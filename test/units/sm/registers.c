/* The register file: stages, forwarding, banks and their ports, operands a cycle. */
#include "rig.h"

/* Read in three cycles, the second half of the lanes a cycle later, three of execution, written in
 * three: ten a step. On a CPU-like file 1 + 1 + 3 + 1. */
START_TEST(a_simple_operation_of_kepler_takes_ten_cycles)
{
    static const Instruction code[] = {ALU(FP32, 1, 1, 1), ALU(FP32, 1, 1, 1), DO(EXIT)};
    static const Issued pipelined[] = {{0, 0, 0, 21}, {0, 0, 1, 31}};
    static const Issued single[] = {{0, 0, 0, 21}, {0, 0, 1, 27}};
    const char *access = _i ? "register_access = single_stage; " : "register_access = pipelined; ";
    g_autofree char *settings = g_strconcat(access,
                                            "register_read_stages = 3 cycles; "
                                            "register_write_stages = 3 cycles",
                                            NULL);
    g_autoptr(Rig) rig = rig_new(settings, 0);
    Script *script = add_script(rig, 32, code);
    launch(rig, script, 0, 20);
    run(rig);
    if (_i)
        ASSERT_ISSUED(script, single);
    else
        ASSERT_ISSUED(script, pipelined);
}
END_TEST

/* A load reads its address in three cycles and takes four for its lanes; what it brings can be read
 * three cycles after it came. */
START_TEST(loads_use_the_register_file_too)
{
    static const Instruction code[] = {LOAD(1), ALU(INT, 1, 2, 1), DO(EXIT)};
    static const Issued expected[] = {{0, 0, 0, 21}, {0, 0, 1, 21 + 3 + 3 + BACK + 3}};
    g_autoptr(Rig) rig = rig_new("register_read_stages = 3 cycles; load_store_lanes = 8; "
                                 "register_write_stages = 3 cycles",
                                 0);
    Script *script = add_script(rig, 32, code);
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
    ck_assert_uint_eq(unit_histogram(rig->sm, "load_latency")->sum, (6 + BACK + 3) * TIME_NS);
}
END_TEST

/* R1, R3 and R5 are in one of two banks, R1, R2 and R3 in both; a bank reads one a cycle. */
START_TEST(a_bank_conflict_takes_longer)
{
    static const Instruction code[] = {{.operation = OPERATION_ALU,
                                        .unit = EXECUTE_FP32,
                                        .destination = 9,
                                        .destination_count = 1,
                                        .sources = {1, 3, 5},
                                        .source_count = 3},
                                       {.operation = OPERATION_ALU,
                                        .unit = EXECUTE_FP32,
                                        .destination = 10,
                                        .destination_count = 1,
                                        .sources = {9, 2, 4},
                                        .source_count = 3},
                                       ALU(FP32, 1, 11, 10),
                                       DO(EXIT)};
    static const Issued expected[] = {{0, 0, 0, 21}, {0, 0, 1, 21 + 4 + 2}, {0, 0, 2, 27 + 4 + 1}};
    g_autoptr(Rig) rig = rig_new("register_banks = 2; register_bank_reads = 1", 0);
    Script *script = add_script(rig, 32, code);
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
    ck_assert_uint_eq(unit_count(rig->sm, "bank_conflicts"), 3);
}
END_TEST

/* --- whose banks ------------------------------------------------------------------------------ */

/* One register wide, two words of FP64 or none. */
#define READS(pipe, to, ...)                                                                       \
    {                                                                                              \
        .operation = OPERATION_ALU, .unit = EXECUTE_##pipe, .repeat = 1, .destination = to,        \
        .destination_count = 1, .sources = {__VA_ARGS__},                                          \
        .source_count = (uint8_t)sizeof((uint8_t[]){__VA_ARGS__})                                  \
    }

#define TWO_WARPS                                                                                  \
    "dispatches = 2; warps_per_cycle = 2; core_units = 2; core_lanes = 32; register_banks = 4; "   \
    "register_granularity = 32; "

/* Two warps read R0 and R1 in cycle 21. With 32 registers a thread both begin in bank 0, with 34
 * the second one begins in bank 2. */
static const struct {
    uint32_t registers;
    uint64_t conflicts;
} bases[] = {{32, 1}, {33, 1}, {34, 0}, {35, 1}, {36, 1}};

START_TEST(where_a_block_begins_decides_with_whom_it_has_conflicts)
{
    static const Instruction code[] = {READS(FP32, 9, 0, 1), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new(TWO_WARPS, 0);
    Script *script = add_script(rig, 64, code);
    script->kernel.registers_per_thread = bases[_i].registers;
    launch(rig, script, 0, 20);
    run(rig);
    ck_assert_uint_eq(unit_count(rig->sm, "bank_conflicts"), bases[_i].conflicts);
    ck_assert_uint_eq(unit_booked(rig->sm, "register_waits"), bases[_i].conflicts);
}
END_TEST

/* Schedulers with a part each do not meet. */
START_TEST(parts_of_the_registers_have_their_own_banks)
{
    static const Instruction code[] = {READS(FP32, 9, 0, 1), DO(EXIT)};
    g_autoptr(Rig) rig =
        rig_new("schedulers = 2; " ONE_OF_EACH "; core_units = 2; load_store_sharing = sm; "
                "register_banks = 4; register_granularity = 32; register_partitions = 2",
                0);
    Script *script = add_script(rig, 64, code);
    script->kernel.registers_per_thread = 32;
    launch(rig, script, 0, 20);
    run(rig);
    ck_assert_uint_eq(unit_count(rig->sm, "bank_conflicts"), 0);
}
END_TEST

/* Warps of a scheduler issue together and read R0 of one bank. Of three one waits a cycle, one two,
 * of which one is the same; of two parts in each one of two does. */
static const struct {
    uint32_t parts, warps;
    uint64_t conflicts, waits;
} together[] = {{1, 3, 1 + 2, 2}, {2, 4, 1 + 1, 1 + 1}};

START_TEST(waits_of_units_at_the_same_time_are_one_of_their_part)
{
    static const Instruction code[] = {READS(FP32, 9, 0), DO(EXIT)};
    g_autofree char *settings = g_strdup_printf(
        "dispatches = 3; warps_per_cycle = 3; core_units = 6; core_lanes = 32; register_banks = 4; "
        "register_granularity = 128; load_store_sharing = sm; " ONE_OF_EACH
        "; schedulers = %u; register_partitions = %u",
        together[_i].parts, together[_i].parts);
    g_autoptr(Rig) rig = rig_new(settings, 0);
    Script *script = add_script(rig, together[_i].warps * 32, code);
    script->kernel.registers_per_thread = 4;
    launch(rig, script, 0, 20);
    run(rig);
    ck_assert_uint_eq(unit_count(rig->sm, "bank_conflicts"), together[_i].conflicts);
    ck_assert_uint_eq(unit_booked(rig->sm, "register_waits"), together[_i].waits);
    ck_assert_uint_eq(unit_meter_at(rig->sm, "register_waits", 0)->capacity, together[_i].parts);
}
END_TEST

/* --- write ports ------------------------------------------------------------------------------ */

/* Both warps' results are there at 21 + 3. The second one's goes to the same bank, or to another
 * when its block begins there; what needs it issues a cycle later. */
static const struct {
    uint32_t registers;
    const char *settings;
    uint64_t second, conflicts;
} writes[] = {{32, "register_bank_writes = 0", 24, 0},
              {32, "register_bank_writes = 1", 25, 1},
              {32, "register_bank_writes = 2", 24, 0},
              {33, "register_bank_writes = 1", 24, 0},
              {32, "register_bank_writes = 1; register_forwarding = yes", 24, 1}};

START_TEST(results_wait_for_the_write_ports_of_their_bank)
{
    static const Instruction code[] = {READS(FP32, 8, 0), READS(OTHER, 9, 8), DO(EXIT)};
    g_autofree char *settings =
        g_strconcat(TWO_WARPS "other_latency = 1 cycle; other_units = 2; other_lanes = 32; "
                              "register_bank_reads = 8; ",
                    writes[_i].settings, NULL);
    g_autoptr(Rig) rig = rig_new(settings, 0);
    Script *script = add_script(rig, 64, code);
    script->kernel.registers_per_thread = writes[_i].registers;
    launch(rig, script, 0, 20);
    run(rig);
    uint64_t last = 0;
    for (guint i = 0; i < script->issued->len; i++) {
        const Issued *issued = &g_array_index(script->issued, Issued, i);
        if (issued->number == 1) last = MAX(last, issued->cycle);
    }
    ck_assert_uint_eq(last, writes[_i].second);
    /* those of the second instruction follow, apart from each other where the first ones were */
    ck_assert_uint_ge(unit_count(rig->sm, "write_conflicts"), writes[_i].conflicts);
    if (!writes[_i].conflicts) ck_assert_uint_eq(unit_count(rig->sm, "write_conflicts"), 0);
}
END_TEST

/* --- operands a cycle ------------------------------------------------------------------------- */

/* Sixteen lanes take two cycles. With three operands of them a cycle three of FP32 are no limit, of
 * FP64, which are six registers, they are: four cycles, for two operands three. */
static const struct {
    uint8_t sources;
    const char *operands;
    uint64_t cycles;
} bandwidths[] = {{3, "register_operands = 3", 2}, {6, "register_operands = 3", 4},
                  {4, "register_operands = 3", 3}, {6, "register_operands = 6", 2},
                  {6, "register_operands = 0", 2}, {6, "register_operands = 1", 12}};

START_TEST(a_unit_is_occupied_until_it_has_its_operands)
{
    Instruction code[] = {READS(FP64, 9, 0, 1, 2, 3, 4, 5), READS(FP64, 10, 0, 1, 2, 3, 4, 5),
                          DO(EXIT)};
    for (guint i = 0; i < 2; i++) code[i].source_count = bandwidths[_i].sources;
    g_autofree char *settings = g_strconcat("fp64_lanes = 16; ", bandwidths[_i].operands, NULL);
    g_autoptr(Rig) rig = rig_new(settings, 0);
    Script *script = add_script(rig, 32, code);
    launch(rig, script, 0, 20);
    run(rig);
    ck_assert_uint_eq(g_array_index(script->issued, Issued, 1).cycle, 21 + bandwidths[_i].cycles);
    ck_assert_uint_eq(unit_count(rig->sm, "operand_waits"), 2 * (bandwidths[_i].cycles - 2));
    ck_assert_uint_eq(unit_booked(rig->sm, "register_waits"), 2 * (bandwidths[_i].cycles - 2));
}
END_TEST

/* --- forwarding ------------------------------------------------------------------------------- */

/* Three cycles and one for the second half of the lanes; what is loaded is there when it comes. */
START_TEST(forwarded_results_need_neither_be_written_nor_read)
{
    static const Instruction code[] = {READS(FP32, 1, 0), READS(FP32, 2, 1), LOAD(3),
                                       READS(FP32, 4, 3), DO(EXIT)};
    static const Issued expected[] = {
        {0, 0, 0, 21}, {0, 0, 1, 25}, {0, 0, 2, 26}, {0, 0, 3, 26 + 3 + BACK}};
    g_autoptr(Rig) rig = rig_new("register_read_stages = 3 cycles; register_forwarding = yes; "
                                 "register_write_stages = 3 cycles",
                                 0);
    Script *script = add_script(rig, 32, code);
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("registers");
    tcase_add_loop_test(cases, a_simple_operation_of_kepler_takes_ten_cycles, 0, 2);
    tcase_add_test(cases, loads_use_the_register_file_too);
    tcase_add_test(cases, a_bank_conflict_takes_longer);
    tcase_add_loop_test(cases, where_a_block_begins_decides_with_whom_it_has_conflicts, 0,
                        G_N_ELEMENTS(bases));
    tcase_add_test(cases, parts_of_the_registers_have_their_own_banks);
    tcase_add_loop_test(cases, waits_of_units_at_the_same_time_are_one_of_their_part, 0,
                        G_N_ELEMENTS(together));
    tcase_add_loop_test(cases, results_wait_for_the_write_ports_of_their_bank, 0,
                        G_N_ELEMENTS(writes));
    tcase_add_loop_test(cases, a_unit_is_occupied_until_it_has_its_operands, 0,
                        G_N_ELEMENTS(bandwidths));
    tcase_add_test(cases, forwarded_results_need_neither_be_written_nor_read);
    return harness_run_cases("registers", cases);
}
