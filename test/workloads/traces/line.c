#include "workloads/traces/line.h"
#include "rigs/harness.h"
#include "rigs/instructions.h"

#define SHARED_BASE 0x7f3000000000
#define LOCAL_BASE 0x7f3800000000

static TraceLineParser *new_parser(uint64_t version, bool line_info)
{
    TraceLineParser *parser = trace_line_parser_new();
    parser->version = version;
    parser->line_info = line_info;
    parser->shared_base = SHARED_BASE;
    parser->local_base = LOCAL_BASE;
    return parser;
}

static Fetched parse_line(TraceLineParser *parser, const char *line)
{
    Fetched f = {0};
    bool exits;
    const bool good = trace_line_parse(parser, line, line + strlen(line), &f.in, &exits);
    g_autofree char *why = good ? NULL : trace_tokens_describe(&parser->tokens);
    ck_assert_msg(good, "%s: %s", line, why);
    for (uint32_t lane = 0; f.in.width && lane < LANES_MAX; lane++) {
        if (!(f.in.mask >> lane & 1)) continue;
        f.address[f.lanes] =
            f.in.addresses ? f.in.addresses[f.lanes] : f.in.base + lane * (uint64_t)f.in.stride;
        f.lanes++;
    }
    return f;
}

/* The same load in every form the tracers have. */
static const struct {
    uint64_t version;
    bool line_info;
    const char *text;
} forms[] = {
    {1, false, "7 0 0 3 0a10 0000001c 1 R4 LDG.E.SYS 1 R2 4 0 0x1000 0x1004 0x1008"},
    {2, true, "7 0 0 3 55 0a10 0000001c 1 R4 LDG.E.SYS 1 R2 4 1 0x1000 4"},
    {3, false, "0a10 0000001c 1 R4 LDG.E.SYS 1 R2 4 2 1000 4 4 "},
    {3, true, "55 0a10 0000001c 1 R4 LDG.E.SYS 1 R2 4 0 1000 1004 1008"},
    {4, false, "\t0a10  1c\t1 R4 LDG.E.SYS 1 R2 4 1 0x0000000000001000 4 "},
    {5, false, "0a10 0000001c 1 R4 LDG.E.SYS 1 R2 4 2 0x1000 4 4 0"},
    {5, true, "55 0x0a10 0000001c 1 R4 LDG.E.SYS 1 R2 4 1 0x1000 4 -17"},
    {6, false, "0a10 0000001c 1 R4 LDG.E.SYS 1 R2 4 2 0x1000 4 4 0 0 NoVal"},
    {6, true, "55 0a10 0000001c 1 R4 LDG.E.SYS 1 R2 4 1 0x1000 4 -17 3 Val 1 0x5 1 0xff"},
    {6, false, "0a10 0000001c 1 R4 LDG.E.SYS 1 R2 4 0 0x1000 0x1004 0x1008 0"},
};

START_TEST(every_version_and_mode_says_the_same)
{
    g_autofree TraceLineParser *parser = new_parser(forms[_i].version, forms[_i].line_info);
    const Fetched f = parse_line(parser, forms[_i].text);
    ck_assert_uint_eq(f.in.pc, 0xa10);
    ck_assert_uint_eq(f.in.mask, 0x1c);
    ck_assert_uint_eq(f.in.source_line, forms[_i].line_info ? 55 : 0);
    ck_assert_uint_eq(f.in.operation, OPERATION_LOAD);
    ck_assert_uint_eq(f.in.destination, 4);
    ck_assert_uint_eq(f.in.source_count, 2); /* .E: the address is the pair R2, R3 */
    ck_assert_uint_eq(f.in.sources[1], 3);
    ck_assert_uint_eq(f.lanes, 3);
    ck_assert_uint_eq(f.in.base, 0x1000 - 2 * 4); /* of lane 0, which is not active */
    ck_assert_int_eq(f.in.stride, 4);
    ck_assert_ptr_null(f.in.addresses);
    ck_assert_uint_eq(f.address[2], 0x1008);
}
END_TEST

START_TEST(addresses_without_stride_are_listed)
{
    g_autofree TraceLineParser *parser = new_parser(4, false);
    const Fetched f =
        parse_line(parser, "10 0000000f 1 R4 LDG.E 1 R2 4 2 0x1000 -16 8 10000000000");
    ck_assert_ptr_nonnull(f.in.addresses);
    ck_assert_uint_eq(f.address[0], 0x1000);
    ck_assert_uint_eq(f.address[1], 0xff0);
    ck_assert_uint_eq(f.address[2], 0xff8);
    ck_assert_uint_eq(f.address[3], 0xff8 + UINT64_C(10000000000));
}
END_TEST

/* Of Pascal to Hopper; and what moves data where the model has no part for it. */
START_TEST(opcodes_that_do_more_than_take_a_slot_are_unknown)
{
    static const char *const known[] = {
        "IMAD.MOV.U32", "LOP3.LUT",   "ISETP.GE.AND", "S2R",       "S2UR",      "SHFL.IDX",
        "XMAD.PSL",     "HMMA.16816", "REDUX.SUM",    "UIADD3",    "ULDC.64",   "BAR.SYNC",
        "BSSY",         "CS2R.32",    "DEPBAR.LE",    "MEMBAR.SC", "VOTEU",     "R2UR",
        "USETMAXREG",   "F2FP.BF16",  "I2FP.F32",     "FSETP.GT",  "DSETP.MAX", "PLOP3",
        "WARPSYNC",     "WARPGROUP",  "UPLOP3.LUT",   "HADD2.F32", "MUFU.RCP",  "PRMT",
        "BREV",         "EXIT",       "CALL.REL",     "RET.REL"};
    static const char *const unknown[] = {"UTMALDG.2D",        "UTMASTG",   "UBLKCP",
                                          "HGMMA.64x8",        "SYNCS",     "UCGABAR_ARV",
                                          "ARRIVES.LDGSTSBAR", "LDGDEPBAR", "QFMA9"};
    for (guint i = 0; i < G_N_ELEMENTS(known); i++)
        ck_assert_msg(!trace_opcode_parse(known[i], strlen(known[i])).unknown, "%s", known[i]);
    for (guint i = 0; i < G_N_ELEMENTS(unknown); i++)
        ck_assert_msg(trace_opcode_parse(unknown[i], strlen(unknown[i])).unknown, "%s", unknown[i]);
}
END_TEST

START_TEST(a_copy_to_shared_memory_has_a_line_for_each_side)
{
    g_autofree TraceLineParser *parser = new_parser(5, false);
    const char *lines[] = {"10 ffffffff 0 LDGSTS.E.BYPASS.128 2 R4 R2 16 1 0x400 16 0",
                           "10 ffffffff 0 LDGSTS.E.BYPASS.128 2 R4 R2 16 1 0x7f0000000000 16 0"};
    const Fetched store = parse_line(parser, lines[0]);
    ck_assert_int_eq(store.in.operation, OPERATION_STORE);
    ck_assert_int_eq(store.in.space, SPACE_SHARED);
    ck_assert_uint_eq(store.address[1], 0x410);
    const Fetched load = parse_line(parser, lines[1]);
    ck_assert_int_eq(load.in.operation, OPERATION_LOAD);
    ck_assert_int_eq(load.in.space, SPACE_GLOBAL);
    ck_assert_uint_eq(load.in.width, 16);
    ck_assert_uint_eq(load.in.hint, CACHE_L2_ONLY);
}
END_TEST

/* Eight rows of a matrix; the other lanes' addresses say nothing. */
START_TEST(a_matrix_has_the_rows_of_its_first_eight_lanes)
{
    static const struct {
        const char *name;
        uint64_t mask;
    } rows[] = {{"LDSM.16.M88", 0xff}, {"LDSM.16.MT88.2", 0xffff}, {"STSM.16.M88.4", UINT32_MAX}};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree TraceLineParser *parser = new_parser(4, false);
        g_autofree char *line =
            g_strdup_printf("10 ffffffff 1 R4 %s 1 R2 16 1 0x400 32", rows[i].name);
        const Fetched f = parse_line(parser, line);
        ck_assert_uint_eq(f.in.mask, rows[i].mask);
        ck_assert_uint_eq(f.in.width, 16);
        ck_assert_uint_eq(f.address[7], 0x400 + 7 * 32);
    }
    g_autofree TraceLineParser *parser = new_parser(4, false);
    const Fetched none = parse_line(parser, "10 ffffff00 1 R4 LDSM.16.M88 1 R2 16 1 0x400 32");
    ck_assert_uint_eq(none.in.width, 0);
}
END_TEST

/* "ATOMG PT, R5, [R2.64], R9": tracers list R5 as a source. */
START_TEST(a_result_behind_a_predicate_is_no_source)
{
    static const struct {
        const char *line;
        uint8_t destination, sources, first;
    } rows[] = {
        {"10 ffffffff 0 ATOMG.E.ADD.STRONG.GPU 3 R5 R2 R9 4 1 0x1000 4", 5, 3, 2},
        {"10 ffffffff 0 ATOM.E.CAS 4 R255 R2 R9 R8 4 1 0x1000 4", REGISTER_NONE, 4, 2},
        {"10 ffffffff 0 ATOMG.E.ADD 2 R2 R9 4 1 0x1000 4", REGISTER_NONE, 3, 2},
        {"10 ffffffff 1 R5 ATOM.E.CAS 3 R2 R9 R8 4 1 0x1000 4", 5, 4, 2},
        {"10 ffffffff 0 RED.E.ADD 3 R2 R9 R8 4 1 0x1000 4", REGISTER_NONE, 4, 2},
        {"10 ffffffff 0 SHFL.DOWN 2 R5 R4 0", 5, 1, 4},
        {"10 ffffffff 0 ISETP.GE 2 R5 R4 0", REGISTER_NONE, 2, 5},
    };
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree TraceLineParser *parser = new_parser(4, false);
        const Fetched f = parse_line(parser, rows[i].line);
        ck_assert_msg(f.in.destination == rows[i].destination, "%s", rows[i].line);
        ck_assert_msg(f.in.source_count == rows[i].sources, "%s", rows[i].line);
        ck_assert_msg(f.in.sources[0] == rows[i].first, "%s", rows[i].line);
    }
}
END_TEST

START_TEST(lanes_with_gaps_may_still_have_a_stride)
{
    g_autofree TraceLineParser *parser = new_parser(4, false);
    const Fetched f = parse_line(parser, "10 00000025 1 R4 LDG.E 1 R2 4 0 0x1000 0x1010 0x1028");
    ck_assert_ptr_null(f.in.addresses); /* lanes 0, 2, 5 */
    ck_assert_int_eq(f.in.stride, 8);
}
END_TEST

static const struct {
    const char *opcode;
    uint8_t operation, space, hint, width, destinations;
} opcodes[] = {
    {"LDG.E.128.CONSTANT.SYS", OPERATION_LOAD, SPACE_GLOBAL, CACHE_READ_ONLY, 16, 4},
    {"LDG.E.64.SYS", OPERATION_LOAD, SPACE_GLOBAL, CACHE_ALL, 8, 2},
    {"LDG.E.U8.SYS", OPERATION_LOAD, SPACE_GLOBAL, CACHE_ALL, 1, 1},
    {"LDG.E.S16", OPERATION_LOAD, SPACE_GLOBAL, CACHE_ALL, 2, 1},
    {"LDG.E.CG", OPERATION_LOAD, SPACE_GLOBAL, CACHE_L2_ONLY, 4, 1},
    {"LDG.E.CI", OPERATION_LOAD, SPACE_GLOBAL, CACHE_READ_ONLY, 4, 1},
    {"LDG.E.CA.LTC128B", OPERATION_LOAD, SPACE_GLOBAL, CACHE_ALL, 4, 1},
    {"LDG.E.STRONG.GPU", OPERATION_LOAD, SPACE_GLOBAL, CACHE_L2_ONLY, 4, 1},
    {"LDG.E.STRONG.SM", OPERATION_LOAD, SPACE_GLOBAL, CACHE_ALL, 4, 1},
    {"STG.E.CS", OPERATION_STORE, SPACE_GLOBAL, CACHE_STREAMING, 4, 0},
    {"LDS.U.64", OPERATION_LOAD, SPACE_SHARED, CACHE_ALL, 8, 2},
    {"LDSM.16.M88.4", OPERATION_LOAD, SPACE_SHARED, CACHE_ALL, 16, 4},
    {"STSM.16.M88.4", OPERATION_STORE, SPACE_SHARED, CACHE_ALL, 16, 0},
    {"STS.128", OPERATION_STORE, SPACE_SHARED, CACHE_ALL, 16, 0},
    {"LDL.LU", OPERATION_LOAD, SPACE_LOCAL, CACHE_ALL, 4, 1},
    {"STL", OPERATION_STORE, SPACE_LOCAL, CACHE_ALL, 4, 0},
    {"LDC.64", OPERATION_LOAD, SPACE_CONSTANT, CACHE_ALL, 8, 2},
    {"TEX.SCR.LL.NODEP", OPERATION_LOAD, SPACE_TEXTURE, CACHE_ALL, 4, 1},
    {"TLD.LZ", OPERATION_LOAD, SPACE_TEXTURE, CACHE_ALL, 4, 1},
    {"TXQ.DIMENSION", OPERATION_LOAD, SPACE_TEXTURE, CACHE_ALL, 4, 1},
    {"SULD.D.2D.TRAP", OPERATION_LOAD, SPACE_TEXTURE, CACHE_ALL, 4, 1},
    {"SUST.P.1D", OPERATION_STORE, SPACE_TEXTURE, CACHE_ALL, 4, 0},
    {"REDG.E.ADD.STRONG.GPU", OPERATION_ATOMIC, SPACE_GLOBAL, CACHE_L2_ONLY, 4, 0},
    {"ATOM.E.CAS.64", OPERATION_ATOMIC, SPACE_GLOBAL, CACHE_ALL, 8, 2},
    {"ATOMG.E.ADD.STRONG.GPU", OPERATION_ATOMIC, SPACE_GLOBAL, CACHE_L2_ONLY, 4, 1},
    {"ATOMS.POPC.INC.32", OPERATION_ATOMIC, SPACE_SHARED, CACHE_ALL, 4, 1},
    {"RED.E.ADD.F64.RN.STRONG.GPU", OPERATION_ATOMIC, SPACE_GLOBAL, CACHE_L2_ONLY, 8, 0},
};

START_TEST(a_memory_opcode_gives_space_width_and_hint)
{
    g_autofree TraceLineParser *parser = new_parser(4, false);
    const bool result = opcodes[_i].destinations > 0;
    g_autofree char *line = g_strdup_printf("10 ffffffff %s %s 1 R2 99 1 0x4000 16",
                                            result ? "1 R8" : "0", opcodes[_i].opcode);
    const Instruction in = parse_line(parser, line).in;
    ck_assert_uint_eq(in.operation, opcodes[_i].operation);
    ck_assert_uint_eq(in.space, opcodes[_i].space);
    ck_assert_uint_eq(in.hint, opcodes[_i].hint);
    ck_assert_uint_eq(in.width, opcodes[_i].width); /* not the 99 that the line claims */
    ck_assert_uint_eq(in.destination, result ? 8 : REGISTER_NONE);
    ck_assert_uint_eq(in.destination_count, opcodes[_i].destinations);
}
END_TEST

static const struct {
    const char *opcode;
    uint8_t operation, unit;
} arithmetic[] = {
    {"FFMA.FTZ", OPERATION_ALU, EXECUTE_FP32},
    {"HFMA2.MMA", OPERATION_ALU, EXECUTE_FP32},
    {"DADD", OPERATION_ALU, EXECUTE_FP64},
    {"DSETP.GT.AND", OPERATION_ALU, EXECUTE_FP64},
    {"DEPBAR.LE", OPERATION_ALU, EXECUTE_OTHER},
    {"MUFU.RCP", OPERATION_ALU, EXECUTE_SFU},
    {"I2F.F64", OPERATION_ALU, EXECUTE_SFU},
    {"FLO.U32", OPERATION_ALU, EXECUTE_SFU},
    {"IMAD.MOV.U32", OPERATION_ALU, EXECUTE_INT},
    {"IMMA.16816", OPERATION_ALU, EXECUTE_OTHER},
    {"LOP3.LUT", OPERATION_ALU, EXECUTE_INT},
    {"MOV", OPERATION_ALU, EXECUTE_INT},
    {"SHF.R.W.U32", OPERATION_ALU, EXECUTE_INT},
    {"SHFL.BFLY", OPERATION_ALU, EXECUTE_SHUFFLE},
    {"MOVM.16.MT88", OPERATION_ALU, EXECUTE_SHUFFLE},
    {"S2R", OPERATION_ALU, EXECUTE_OTHER},
    {"BRA", OPERATION_ALU, EXECUTE_OTHER},
    {"NOSUCHTHING.X", OPERATION_ALU, EXECUTE_OTHER},
    {"BAR.SYNC", OPERATION_BARRIER, EXECUTE_OTHER},
    {"BAR.ARV", OPERATION_ALU, EXECUTE_OTHER},
    {"MEMBAR.SC.GPU", OPERATION_FENCE, EXECUTE_OTHER},
};

START_TEST(an_opcode_family_runs_on_its_unit)
{
    g_autofree TraceLineParser *parser = new_parser(4, false);
    g_autofree char *line = g_strdup_printf("10 ffffffff 0 %s 0 0", arithmetic[_i].opcode);
    const Instruction in = parse_line(parser, line).in;
    ck_assert_uint_eq(in.operation, arithmetic[_i].operation);
    ck_assert_uint_eq(in.unit, arithmetic[_i].unit);
}
END_TEST

START_TEST(wide_data_takes_pairs_and_quads_of_registers)
{
    static const uint8_t quad[] = {6, 7, 12, 13, 14, 15}, fused[] = {8, 9, 4, 5, 2, 3};
    g_autofree TraceLineParser *parser = new_parser(4, false);
    const Instruction store = parse_line(parser, "10 1 0 STG.E.128 2 R6 R12 16 2 0x100").in;
    ck_assert_uint_eq(store.source_count, 6);
    ck_assert_mem_eq(store.sources, quad, 6);
    const Instruction fma = parse_line(parser, "10 1 1 R10 DFMA 3 R8 R4 R2 0").in;
    ck_assert_mem_eq(fma.sources, fused, 6);
    ck_assert_uint_eq(fma.destination_count, 2);
    const Instruction zero = parse_line(parser, "10 1 1 R255 IADD3 3 R255 R7 UR4 0").in;
    ck_assert_uint_eq(zero.destination, REGISTER_NONE);
    ck_assert_uint_eq(zero.source_count, 1);
}
END_TEST

START_TEST(the_window_of_a_generic_address_is_its_space)
{
    g_autofree TraceLineParser *parser = new_parser(4, false);
    const Fetched shared = parse_line(parser, "10 3 1 R1 LD.E 1 R2 4 1 0x7f3000000040 4");
    ck_assert_uint_eq(shared.in.space, SPACE_SHARED);
    ck_assert_uint_eq(shared.address[1], 0x44);
    const Fetched local = parse_line(parser, "10 1 0 ST.E 2 R2 R4 4 2 0x7f3800fffff8");
    ck_assert_uint_eq(local.in.space, SPACE_LOCAL);
    ck_assert_uint_eq(local.address[0], 0xfffff8);
    const Fetched global = parse_line(parser, "10 1 0 ST.E 2 R2 R4 4 2 0x7f3801000000");
    ck_assert_uint_eq(global.in.space, SPACE_GLOBAL);
    const Fetched named = parse_line(parser, "10 1 0 STG.E 2 R2 R4 4 2 0x7f3000000040");
    ck_assert_uint_eq(named.in.space, SPACE_GLOBAL);
}
END_TEST

START_TEST(an_access_of_no_lane_only_takes_an_issue_slot)
{
    static const char *const lines[] = {
        "10 00000000 1 R4 LDG.E 1 R2 4 1 0x0 0", "10 00000000 1 R4 LDG.E 1 R2 4 0",
        "10 00000000 1 R4 LDG.E 1 R2 4 2 0x0", "10 ffffffff 1 R4 LDG.E 1 R2 0",
        "10 00000000 0 BAR.SYNC 0 0"};
    g_autofree TraceLineParser *parser = new_parser(4, false);
    for (guint i = 0; i < G_N_ELEMENTS(lines); i++) {
        const Instruction in = parse_line(parser, lines[i]).in;
        ck_assert_uint_eq(in.operation, OPERATION_ALU);
        ck_assert_uint_eq(in.width, 0);
    }
}
END_TEST

/* Lines that begin like one before are known by their text. */
START_TEST(a_line_that_begins_as_another_differs_in_the_rest)
{
    g_autofree TraceLineParser *parser = new_parser(4, true);
    parse_line(parser, "7 0010 0000000f 1 R4 LDG.E 1 R2 4 1 0x1000 4");
    const Fetched again = parse_line(parser, "9 0010 0000000f 1 R4 LDG.E 1 R2 4 1 0x2000 8");
    ck_assert_uint_eq(again.in.source_line, 9);
    ck_assert_uint_eq(again.address[1], 0x2008);
    const Instruction none = parse_line(parser, "7 0010 0000000f 1 R4 LDG.E 1 R2 0").in;
    ck_assert_uint_eq(none.operation, OPERATION_ALU);
    ck_assert_uint_eq(none.destination, 4);
    const Instruction other = parse_line(parser, "7 0010 0000000f 1 R4 LDG.E 1 R23 0").in;
    ck_assert_uint_eq(other.sources[0], 23);
    parse_line(parser, "7 0010 0000000f 1 R4 QFMA9 1 R2 0");
    ck_assert_str_eq(parser->unknown, "QFMA9");
    parse_line(parser, "7 0010 0000000f 1 R4 QFMA9 1 R2 0");
    ck_assert_str_eq(parser->unknown, "QFMA9");
    parse_line(parser, "7 0010 0000000f 1 R4 LDG.E 1 R2 0");
    ck_assert_ptr_null(parser->unknown);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("trace line");
    tcase_add_loop_test(cases, every_version_and_mode_says_the_same, 0, G_N_ELEMENTS(forms));
    tcase_add_test(cases, addresses_without_stride_are_listed);
    tcase_add_test(cases, opcodes_that_do_more_than_take_a_slot_are_unknown);
    tcase_add_test(cases, a_copy_to_shared_memory_has_a_line_for_each_side);
    tcase_add_test(cases, a_matrix_has_the_rows_of_its_first_eight_lanes);
    tcase_add_test(cases, a_result_behind_a_predicate_is_no_source);
    tcase_add_test(cases, lanes_with_gaps_may_still_have_a_stride);
    tcase_add_loop_test(cases, a_memory_opcode_gives_space_width_and_hint, 0,
                        G_N_ELEMENTS(opcodes));
    tcase_add_loop_test(cases, an_opcode_family_runs_on_its_unit, 0, G_N_ELEMENTS(arithmetic));
    tcase_add_test(cases, wide_data_takes_pairs_and_quads_of_registers);
    tcase_add_test(cases, the_window_of_a_generic_address_is_its_space);
    tcase_add_test(cases, an_access_of_no_lane_only_takes_an_issue_slot);
    tcase_add_test(cases, a_line_that_begins_as_another_differs_in_the_rest);
    Suite *suite = suite_create("trace line");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
