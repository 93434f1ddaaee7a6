/* The load/store unit: instructions, their lines, constants. See rig.h for the times. */
#include "rig.h"

/* 1, 32 and 16 lines: one instruction a cycle, whatever it touches. */
START_TEST(an_instruction_goes_to_L1_whole_with_its_lines)
{
    static const Access accesses[] = {
        {.at = 10}, {.at = 11, .stride = 128}, {.at = 12, .stride = 64}};
    g_autoptr(Rig) rig = rig_new(NULL, (Around){0});
    RUN(rig, accesses);
    static const uint32_t lines[] = {1, 32, 16};
    ck_assert_uint_eq(harness_arrivals(rig->l1), 3);
    for (uint64_t i = 0; i < 3; i++) ck_assert_uint_eq(at_l1(rig, i, 12 + i)->lines, lines[i]);
    ck_assert_uint_eq(unit_count(rig->unit, "instructions"), 3);
    ck_assert_uint_eq(unit_count(rig->unit, "transactions"), 49);
    ck_assert_uint_eq(unit_count(rig->unit, "uncoalesced"), 2);
    ck_assert_uint_eq(unit_bytes(rig->unit, "requested_bytes"), 3 * 128);
}
END_TEST

START_TEST(instructions_are_taken_an_interval_apart)
{
    static const Access accesses[] = {{.at = 10, .stride = 64}, {.at = 10}, {.at = 20}};
    g_autoptr(Rig) rig = rig_new("interval = 3 cycles", (Around){0});
    RUN(rig, accesses);
    at_l1(rig, 0, 12);
    at_l1(rig, 1, 15);
    at_l1(rig, 2, 22);
    ck_assert_uint_eq(unit_level(rig->unit, "queue")->stay, 3 * TIME_NS);
}
END_TEST

/* So many in an interval: all of them at once, or in turns of a cycle. */
static const struct {
    const char *settings;
    uint64_t at[6];
} at_once[] = {{"instructions_per_interval = 2", {12, 12, 13, 13, 14, 14}},
               {"instructions_per_interval = 64", {12, 12, 12, 12, 12, 12}},
               {"instructions_per_interval = 4; interval = 2 cycles", {12, 12, 13, 13, 14, 14}},
               {"instructions_per_interval = 2; interval = 3 cycles", {12, 13, 15, 16, 18, 19}}};

START_TEST(instructions_are_taken_side_by_side)
{
    static Access accesses[6];
    for (guint i = 0; i < 6; i++) accesses[i] = (Access){.at = 10};
    for (guint k = 0; k < G_N_ELEMENTS(at_once); k++) {
        g_autoptr(Rig) rig = rig_new(at_once[k].settings, (Around){.queue = 8, .l1 = 8});
        RUN(rig, accesses);
        for (guint i = 0; i < 6; i++) at_l1(rig, i, at_once[k].at[i]);
    }
}
END_TEST

/* A whole line each: 128 B a cycle. */
START_TEST(instructions_go_on_at_one_a_cycle)
{
    static Access accesses[64];
    for (guint i = 0; i < 64; i++) accesses[i] = (Access){.at = 10 + i};
    g_autoptr(Rig) rig = rig_new("", (Around){.queue = 4, .l1 = 4});
    RUN(rig, accesses);
    for (guint i = 0; i < 64; i++) at_l1(rig, i, 12 + i);
}
END_TEST

/* Bytes 224 to 351: sector 3 of line 128 is whole, and sectors 0 to 2 of line 256. 16 lanes from 16
 * on: half of sector 0, sector 1, half of 2. All lanes at 640. */
START_TEST(lines_carry_their_sectors)
{
    static const Access accesses[] = {
        {.at = 10, .base = 224},
        {.at = 20, .operation = OPERATION_STORE, .base = 16, .mask = 0xffff},
        {.at = 30, .operation = OPERATION_ATOMIC, .base = 640, .stride = SAME}};
    static const AccessLine expected[] = {{.line = 128, .bytes = 32, .sectors = 8},
                                          {.line = 256, .bytes = 96, .sectors = 7},
                                          {.line = 0, .bytes = 64, .sectors = 7, .partial = 5},
                                          {.line = 640, .bytes = 128, .sectors = 1, .partial = 1}};
    g_autoptr(Rig) rig = rig_new(NULL, (Around){0});
    RUN(rig, accesses);
    const WarpAccess *load = at_l1(rig, 0, 12);
    ck_assert_uint_eq(load->lines, 2);
    assert_line(load, 0, expected[0]);
    assert_line(load, 1, expected[1]);
    ck_assert_int_eq(load->instruction.hint, CACHE_STREAMING);
    assert_line(at_l1(rig, 1, 22), 0, expected[2]);
    assert_line(at_l1(rig, 2, 32), 0, expected[3]);
}
END_TEST

/* What L1's stages are made from; none of a load's lines has been served. */
START_TEST(an_access_knows_when_it_came_and_when_it_went_on)
{
    static const Access accesses[] = {{.at = 10}, {.at = 10}};
    g_autoptr(Rig) rig = rig_new("interval = 5 cycles", (Around){0});
    RUN(rig, accesses);
    const WarpAccess *access = at_l1(rig, 1, 17);
    ck_assert_uint_eq(access->issued, 10 * TIME_NS);
    ck_assert_uint_eq(access->reached, 11 * TIME_NS);
    ck_assert_uint_eq(access->began, 16 * TIME_NS);
}
END_TEST

START_TEST(lanes_with_addresses_of_their_own_are_grouped_by_line)
{
    static uint64_t addresses[32];
    for (uint32_t i = 0; i < 32; i++) addresses[i] = 128 * (i % 3) + 4 * i;
    static const Access accesses[] = {{.at = 10, .addresses = addresses},
                                      {.at = 11, .addresses = addresses, .mask = 0x80000009}};
    g_autoptr(Rig) rig = rig_new(NULL, (Around){0});
    RUN(rig, accesses);
    const WarpAccess *all = at_l1(rig, 0, 12), *three = at_l1(rig, 1, 13);
    ck_assert_uint_eq(all->lines, 3);
    for (uint32_t i = 0; i < 3; i++) ck_assert_uint_eq(lines_of(all)[i].line, 128 * i);
    ck_assert_uint_eq(three->lines, 3); /* the first three addresses, of lanes 0, 3 and 31 */
    assert_line(three, 2, (AccessLine){.line = 256, .bytes = 4, .sectors = 1, .partial = 1});
}
END_TEST

START_TEST(more_lines_than_the_bytes_need_and_one_are_uncoalesced)
{
    static const Access accesses[] = {{.at = 10, .base = 64}, /* 128 B in 2 lines */
                                      {.at = 11, .base = 64, .width = 8} /* 256 B in 3 */,
                                      {.at = 12, .stride = 12} /* 128 B in 3 */,
                                      {.at = 13, .width = 16} /* 512 B in 4 */};
    g_autoptr(Rig) rig = rig_new(NULL, (Around){0});
    RUN(rig, accesses);
    ck_assert_uint_eq(unit_count(rig->unit, "transactions"), 2 + 3 + 3 + 4);
    ck_assert_uint_eq(unit_count(rig->unit, "uncoalesced"), 1);
}
END_TEST

/* Six instructions, two of which can wait in front, one every ten cycles. */
START_TEST(no_more_instructions_wait_than_the_queue_holds)
{
    static Access accesses[6];
    for (guint i = 0; i < G_N_ELEMENTS(accesses); i++) accesses[i] = (Access){.at = 10 + i};
    g_autoptr(Rig) rig = rig_new("interval = 10 cycles", (Around){.queue = 2});
    RUN(rig, accesses);
    ck_assert_uint_eq(unit_level(rig->unit, "queue")->maximum, 2);
    ck_assert_uint_gt(rig->unit->ports[0]->channel->refused, 0);
    for (guint i = 0; i < G_N_ELEMENTS(accesses); i++) at_l1(rig, i, 12 + 10 * i);
}
END_TEST

/* L1's one place is taken until 100 and known to be free at 101; then an instruction every two
 * cycles. One of them waits here with its lines, the others in the queue. */
START_TEST(an_instruction_waits_while_L1_has_no_room)
{
    static const Access accesses[] = {{.at = 10}, {.at = 11}, {.at = 12}};
    g_autoptr(Rig) rig = rig_new(NULL, (Around){.l1 = 1});
    harness_withhold(rig->l1, 100);
    RUN(rig, accesses);
    for (uint64_t i = 0; i < 3; i++) at_l1(rig, i, 100 + 2 * i);
    ck_assert_uint_eq(at_l1(rig, 1, 102)->began, 101 * TIME_NS);
    /* the second at 12, still at 13, the third at 101 */
    ck_assert_uint_eq(unit_count(rig->unit, "stalls"), 3);
    ck_assert_uint_eq(unit_full(rig->unit, "held"), (101 - 12) + (103 - 101));
    ck_assert_uint_eq(unit_level(rig->unit, "queue")->stay, (101 - 13) * TIME_NS);
}
END_TEST

/* Taken at 11, done 15 cycles later, back at 27; the next one a cycle later. A global load behind
 * them waits for its turn only. */
START_TEST(constants_are_done_here)
{
    static const Access accesses[] = {{.at = 10, .space = SPACE_CONSTANT, .stride = SAME},
                                      {.at = 10, .space = SPACE_CONSTANT, .stride = SAME},
                                      {.at = 10}};
    g_autoptr(Rig) rig = rig_new("constant_latency = 15 cycles", (Around){0});
    RUN(rig, accesses);
    ck_assert_uint_eq(harness_arrivals(rig->sm), 2);
    for (uint64_t i = 0; i < 2; i++) {
        const Arrived *done = harness_arrival(rig->sm, i);
        ck_assert_uint_eq(((const WarpAccess *)done->message)->warp_age, i);
        ck_assert_uint_eq(done->message->kind, MESSAGE_WARP_ACCESS);
        ck_assert_uint_eq(done->cycle, 27 + i);
    }
    ck_assert_uint_eq(harness_arrivals(rig->l1), 1);
    at_l1(rig, 0, 14);
    ck_assert_uint_eq(unit_count(rig->unit, "constant_instructions"), 2);
    ck_assert_uint_eq(unit_count(rig->unit, "instructions"), 3);
}
END_TEST

START_TEST(an_instruction_without_lanes_ends_here_and_is_no_constant)
{
    static const Access accesses[] = {{.at = 10, .mask = NO_LANES}};
    g_autoptr(Rig) rig = rig_new("constant_latency = 15 cycles", (Around){0});
    RUN(rig, accesses);
    ck_assert_uint_eq(harness_arrivals(rig->l1), 0);
    ck_assert_uint_eq(harness_arrival(rig->sm, 0)->cycle, 27);
    ck_assert_uint_eq(unit_count(rig->unit, "constant_instructions"), 0);
    ck_assert_uint_eq(unit_count(rig->unit, "transactions"), 0);
}
END_TEST

START_TEST(shared_memory_has_no_lines)
{
    static const Access accesses[] = {
        {.at = 10, .space = SPACE_SHARED, .stride = 128},
        {.at = 11, .operation = OPERATION_STORE, .stride = SAME, .space = SPACE_SHARED}};
    g_autoptr(Rig) rig = rig_new(NULL, (Around){0});
    RUN(rig, accesses);
    for (uint64_t i = 0; i < 2; i++) ck_assert_uint_eq(at_l1(rig, i, 12 + i)->lines, 0);
    ck_assert_uint_eq(harness_arrivals(rig->sm), 0);
    ck_assert_uint_eq(unit_count(rig->unit, "shared_instructions"), 2);
    ck_assert_uint_eq(unit_count(rig->unit, "transactions"), 0);
    ck_assert_uint_eq(unit_bytes(rig->unit, "requested_bytes"), 256);
}
END_TEST

/* The outcome of lanes that write the same bytes is any of their values. A read is no conflict. */
START_TEST(stores_of_several_lanes_to_the_same_bytes_are_counted)
{
    static const Access accesses[] = {
        {.at = 10, .operation = OPERATION_STORE},
        {.at = 11, .operation = OPERATION_STORE, .stride = SAME},
        {.at = 12, .operation = OPERATION_STORE, .stride = SAME, .mask = 4},
        {.at = 13, .operation = OPERATION_STORE, .stride = 4, .width = 8},
        {.at = 14, .operation = OPERATION_STORE, .stride = 16, .width = 8},
        {.at = 15, .stride = SAME},
        {.at = 16, .operation = OPERATION_ATOMIC, .stride = SAME}};
    g_autoptr(Rig) rig = rig_new(NULL, (Around){0});
    RUN(rig, accesses);
    ck_assert_uint_eq(unit_count(rig->unit, "conflicting_stores"), 2);
}
END_TEST

/* The lines of 64 lanes side by side, of 64 lanes a line apart, and of the upper 24. */
static void assert_wide(uint32_t line_bytes, uint32_t side_by_side, uint64_t last)
{
    static const Access accesses[] = {{.at = 10, .mask = UINT64_MAX},
                                      {.at = 11, .mask = UINT64_MAX, .stride = 128},
                                      {.at = 12, .mask = UINT64_MAX << 40}};
    g_autoptr(Rig) rig = rig_new(NULL, (Around){0});
    harness_set_warp_lanes(rig->harness, 64);
    rig->line.line_bytes = line_bytes;
    RUN(rig, accesses);
    ck_assert_uint_eq(at_l1(rig, 0, 12)->lines, side_by_side);
    ck_assert_uint_eq(at_l1(rig, 1, 13)->lines, 64);
    ck_assert_uint_eq(lines_of(at_l1(rig, 2, 14))[0].line, last);
    ck_assert_uint_eq(unit_bytes(rig->unit, "requested_bytes"), 256 + 256 + 96);
}

/* 64 lanes of 4 B are 256 B; lane 40 is at byte 160. */
START_TEST(a_warp_of_64_lanes_is_two_lines_of_128_bytes)
{
    assert_wide(128, 2, 128);
}
END_TEST

START_TEST(a_warp_of_64_lanes_is_four_lines_of_64_bytes)
{
    assert_wide(64, 4, 128);
}
END_TEST

HARNESS_MAIN("load_store", a_warp_of_64_lanes_is_two_lines_of_128_bytes,
             a_warp_of_64_lanes_is_four_lines_of_64_bytes, instructions_go_on_at_one_a_cycle,
             an_instruction_goes_to_L1_whole_with_its_lines,
             instructions_are_taken_an_interval_apart, instructions_are_taken_side_by_side,
             lines_carry_their_sectors, an_access_knows_when_it_came_and_when_it_went_on,
             lanes_with_addresses_of_their_own_are_grouped_by_line,
             more_lines_than_the_bytes_need_and_one_are_uncoalesced,
             no_more_instructions_wait_than_the_queue_holds,
             an_instruction_waits_while_L1_has_no_room, constants_are_done_here,
             an_instruction_without_lanes_ends_here_and_is_no_constant, shared_memory_has_no_lines,
             stores_of_several_lanes_to_the_same_bytes_are_counted)
