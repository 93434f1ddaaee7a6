/* The texture unit's pipeline, cycle by cycle. See test/units/texture/rig.h. */
#include "rig.h"

/* --- hits and misses -------------------------------------------------------------------------- */

START_TEST(a_miss_waits_for_memory_and_a_hit_does_not)
{
    static const Draw draws[] = {
        {.at = 10, .back = 10 + MISS},
        {.at = 300, .back = 300 + HIT},
        {.at = 400, .sector = 1, .back = 400 + MISS}, /* the line has a place, not this sector */
        {.at = 700, .sector = 1, .back = 700 + HIT},
        {.at = 800, .line = 1, .back = 800 + MISS}};
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, draws);
    ck_assert_uint_eq(unit_count(rig->texture, "hits"), 2);
    ck_assert_uint_eq(unit_count(rig->texture, "misses"), 3);
    ck_assert_uint_eq(unit_count(rig->texture, "sector_misses"), 1);
    ck_assert_uint_eq(unit_bytes(rig->texture, "bytes_from_network"), 3 * 32);
    ck_assert_uint_eq(unit_bytes(rig->texture, "bytes_texels"), 5 * 4 * 4);
    ck_assert_uint_eq(unit_bytes(rig->texture, "bytes_level_0"), 3 * 32);
    const Transaction *request = far_side_transaction(rig->memory, 1);
    ck_assert_uint_eq(request->virtual_line, TEXTURE_ADDRESS);
    ck_assert_uint_eq(request->sectors, 2);
    ck_assert_uint_eq(request->type, TRANSACTION_READ);
    ck_assert_uint_eq(request->space, SPACE_TEXTURE);
}
END_TEST

/* A hit alone: 1 from the SM, 10 for addresses and tags, 20 in the filter. A miss alone: 1 + 10, 1
 * + 100 + 1 on the way, 1 until it is in the array, 20. */
START_TEST(stages_say_where_a_fragment_was)
{
    static const Draw draws[] = {{.at = 10, .back = 10 + MISS}, {.at = 300, .back = 300 + HIT}};
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, draws);
    const StageSums *hit = unit_stages(rig->texture, "stages_texture_hit"),
                    *miss = unit_stages(rig->texture, "stages_texture_l2_hit");
    const Time cycle = rig->harness->clock->period;
    ck_assert_uint_eq(hit->latency, 31 * cycle);
    ck_assert_uint_eq(hit->stage[STAGE_ISSUE], 1 * cycle);
    ck_assert_uint_eq(hit->stage[STAGE_TEXTURE_TAG], 10 * cycle);
    ck_assert_uint_eq(hit->stage[STAGE_FILTER], 20 * cycle);
    ck_assert_uint_eq(miss->latency, 134 * cycle);
    ck_assert_uint_eq(miss->stage[STAGE_TEXTURE_TAG], 10 * cycle);
    ck_assert_uint_eq(miss->stage[STAGE_REQUEST_QUEUE], 102 * cycle);
    ck_assert_uint_eq(miss->stage[STAGE_REORDER], 1 * cycle);
    ck_assert_uint_eq(miss->stage[STAGE_FILTER], 20 * cycle);
    ck_assert_uint_eq(unit_histogram(rig->texture, "hit_latency")->sum, 20 * cycle);
    ck_assert_uint_eq(unit_histogram(rig->texture, "miss_latency")->sum, 123 * cycle);
    ck_assert_uint_eq(unit_histogram(rig->texture, "miss_latency_seen")->sum, 102 * cycle);
}
END_TEST

/* 1 in, 10 for addresses, 1 back; nothing is read for it, whatever stands in front. */
START_TEST(an_instruction_without_lanes_comes_back_from_the_address_unit)
{
    static const Draw draws[] = {{.at = 10, .back = 10 + MISS},
                                 {.at = 11, .mask = NO_LANES, .back = 11 + 12},
                                 {.at = 300, .mask = NO_LANES, .back = 300 + 12},
                                 {.at = 301, .back = 301 + HIT}};
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, draws);
    ck_assert_uint_eq(unit_count(rig->texture, "instructions"), 4);
    ck_assert_uint_eq(unit_count(rig->texture, "fragments"), 2);
}
END_TEST

/* In front of it a second fragment that finds no place until the first one is read, in 124. */
START_TEST(an_instruction_without_lanes_waits_for_its_turn)
{
    static const Draw draws[] = {{.at = 10, .quads = 2, .quad_lines = 1},
                                 {.at = 11, .mask = NO_LANES, .back = 124 + 1}};
    g_autoptr(Rig) rig = rig_new("fragment_fifo = 1", 0);
    RUN(rig, draws);
}
END_TEST

/* The second instruction finds the tag that the first has set: one request. Its fragment waits in
 * the FIFO, and is filtered a cycle behind. */
START_TEST(a_hit_behind_its_own_miss_waits_for_the_data)
{
    static const Draw draws[] = {{.at = 10, .back = 10 + MISS}, {.at = 20, .back = 11 + MISS}};
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, draws);
    ck_assert_uint_eq(unit_count(rig->texture, "requests"), 1);
    ck_assert_uint_eq(unit_count(rig->texture, "hits"), 1);
    /* looked up in 31, read in 125 */
    ck_assert_uint_eq(unit_stages(rig->texture, "stages_texture_hit")->stage[STAGE_FRAGMENT_FIFO],
                      94 * rig->harness->clock->period);
}
END_TEST

/* Data goes into the array in the order of the requests: line 1 is here after 1 + 50 + 1, line 0
 * after 1 + 200 + 1, and 1 to fill each: 1 + 10 + 202 + 1 + 1 + 20 + 1. */
static uint64_t slow_first(const Transaction *transaction)
{
    return transaction->virtual_line == TEXTURE_ADDRESS ? 200 : 50;
}

START_TEST(replies_out_of_order_wait_in_the_reorder_buffer)
{
    static const Draw draws[] = {{.at = 10, .quads = 2, .quad_lines = 1, .back = 10 + 236},
                                 {.at = 20, .line = 2, .back = 10 + 237},
                                 {.at = 300, .quads = 3, .quad_lines = 1, .back = 300 + HIT + 2}};
    g_autoptr(Rig) rig = rig_new("", 0);
    rig->memory->latency_of = slow_first;
    RUN(rig, draws);
    ck_assert_uint_eq(unit_count(rig->texture, "held_out_of_order"), 2);
    /* line 2 is asked for in 31, here in 83, in the array in 227; line 1: 22, 74, 226 */
    ck_assert_uint_eq(unit_level(rig->texture, "reorder_room")->maximum, 3);
}
END_TEST

/* Lines 0 to 3 of one step are asked for in 21 to 24; the last reply is that of line 0, in 223, and
 * is in front: the others are in the array after it, in 225 to 227. */
START_TEST(a_fragment_was_where_its_last_reply_was)
{
    static const Draw draws[] = {{.at = 10, .lane_lines = 1, .back = 10 + 238}};
    g_autoptr(Rig) rig = rig_new("", 0);
    rig->memory->latency_of = slow_first;
    RUN(rig, draws);
    const StageSums *miss = unit_stages(rig->texture, "stages_texture_l2_hit");
    const Time cycle = rig->harness->clock->period;
    ck_assert_uint_eq(miss->stage[STAGE_REQUEST_QUEUE], 202 * cycle);
    ck_assert_uint_eq(miss->stage[STAGE_REORDER], 4 * cycle);
}
END_TEST

/* Line 0 is read in 714. Lines 4 to 7 are read two a cycle, beside it and until 716. Line 1 has
 * been here since 565; what it takes the place of is not free before 716, so it is read in 717. */
START_TEST(a_fill_waits_for_the_read_in_front_of_it)
{
    static const Draw draws[] = {{.at = 10, .line = 4, .lane_lines = 1},
                                 {.at = 500, .back = 500 + MISS + 100},
                                 {.at = 501, .line = 4, .lane_lines = 1, .back = 501 + 236},
                                 {.at = 502, .line = 1, .back = 502 + 236}};
    g_autoptr(Rig) rig = rig_new("quads = 4; data_lines = 2", 0);
    rig->memory->latency_of = slow_first;
    RUN(rig, draws);
    /* lines 4 to 7 and line 0 a cycle each, for their fills */
    ck_assert_uint_eq(unit_stages(rig->texture, "stages_texture_l2_hit")->stage[STAGE_REORDER],
                      (1 + 1 + 717 - 565) * rig->harness->clock->period);
}
END_TEST

/* Four lines a quad. Looked up one a cycle: the first quad from 11 to 14, 13 after it was begun;
 * the second from 15 to 18, begun when the first had gone on: 14. Read one a cycle: the first from
 * 11 to 14, the second, looked up in 11 too, from 15, though the filter could take it in 14. */
START_TEST(stages_say_which_array_is_slow)
{
    static const Draw draws[] = {{.at = 10, .quads = 2, .lane_lines = 1},
                                 {.at = 500, .quads = 2, .lane_lines = 1}};
    g_autoptr(Rig) rig =
        rig_new(_i ? "quads = 2; tag_lines = 8; data_lines = 1" : "tag_lines = 1", 0);
    RUN(rig, draws);
    const StageSums *hit = unit_stages(rig->texture, "stages_texture_hit");
    const Time cycle = rig->harness->clock->period;
    /* the second quad of the miss, too, which waits for the first's data */
    ck_assert_uint_eq(hit->count, 3);
    const Time waited = hit->stage[STAGE_FRAGMENT_FIFO] / cycle,
               tagged = hit->stage[STAGE_TEXTURE_TAG] / cycle;
    if (_i) {
        ck_assert_uint_eq(tagged, 3 * 10);
        ck_assert_uint_eq(waited, 110 + 0 + 4); /* the miss's is read until 120 */
    } else {
        ck_assert_uint_eq(tagged, 13 + 14 + 14);
    }
}
END_TEST

/* --- rates ------------------------------------------------------------------------------------ */

/* All quads of a warp hit. How many cycles its last result comes behind that of a quad alone. */
static const struct {
    const char *settings, *format;
    Draw draw;
    uint64_t behind;
} rates[] = {
    {"", "rgba8", {.quads = 8}, 7},
    {"quads = 4", "rgba8", {.quads = 8}, 1},
    {"quads = 4", "rgba8", {.quads = 5}, 1},
    {"quads = 8", "rgba8", {.quads = 8}, 1},                /* 4 lines looked up a cycle */
    {"quads = 8; tag_lines = 8", "rgba8", {.quads = 8}, 1}, /* 4 read */
    {"quads = 8; tag_lines = 8; data_lines = 8", "rgba8", {.quads = 8}, 0},
    {"quad_interval = 3 cycles", "rgba8", {.quads = 8}, 21},
    {"quads = 2; quad_interval = 3 cycles", "rgba8", {.quads = 8}, 9},
    /* quads with one active lane take as long */
    {"", "rgba8", {.mask = 0x11111111}, 7},
    {"", "rgba8", {.mask = 0x80000001}, 1},
    /* texels of 8 bytes at the full rate, of 16 at half of it: 2 x 8 - 1 */
    {"", "rgba16f", {.quads = 8}, 7},
    {"", "rgba32f", {.quads = 8}, 15},
    {"filter_bytes = 4 B", "rgba16f", {.quads = 8}, 15},
    {"filter_bytes = 4 B", "rgba32f", {.quads = 8}, 31},
    {"filter_bytes = 16 B", "rgba32f", {.quads = 8}, 7},
    {"quads = 4", "rgba32f", {.quads = 8}, 3},
    /* a block of bc1 is 8 bytes, a texel of it 4 */
    {"filter_bytes = 4 B", "bc1", {.quads = 8}, 7},
    /* four lines a quad: four look-ups, and four reads, a cycle, or one */
    {"", "rgba8", {.quads = 8, .lane_lines = 1}, 7},
    {"tag_lines = 1", "rgba8", {.quads = 1, .lane_lines = 1}, 3},
    {"tag_lines = 1", "rgba8", {.quads = 8, .lane_lines = 1}, 31},
    {"tag_lines = 3", "rgba8", {.quads = 8, .lane_lines = 1}, 10},
    {"data_lines = 1", "rgba8", {.quads = 1, .lane_lines = 1}, 3},
    {"data_lines = 1", "rgba8", {.quads = 8, .lane_lines = 1}, 31},
    {"data_lines = 2", "rgba8", {.quads = 8, .lane_lines = 1}, 15},
    {"quads = 8; tag_lines = 8; data_lines = 8", "rgba8", {.quads = 8, .lane_lines = 1}, 3},
    /* results: 4 registers of 8 quads are 512 bytes, 128 a cycle */
    {"", "rgba8", {.quads = 8, .registers = 4}, 10},
    {"", "rgba8", {.quads = 4, .registers = 4}, 4},
    {"return_bytes = 64 B/cycle", "rgba8", {.quads = 8, .registers = 4}, 14},
    {"", "rgba8", {.mask = 0xf0000000, .registers = 4}, 0},
    {"return_bytes = 64 B/cycle", "rgba8", {.quads = 1, .registers = 4}, 0},
};

START_TEST(a_warp_takes_as_long_as_its_slowest_stage)
{
    const Draw draws[] = {rates[_i].draw, rates[_i].draw};
    Draw both[] = {draws[0], draws[1]};
    both[0].at = 10;
    both[1].at = 1000;
    both[1].back = 1000 + HIT + rates[_i].behind;
    g_autoptr(Rig) rig = rig_new(rates[_i].settings, 0);
    bind_texture(rig, rates[_i].format, 0);
    RUN(rig, both);
}
END_TEST

/* 512 bytes take eight cycles, 16 bytes one. */
START_TEST(the_way_to_the_registers_is_busy_with_results)
{
    static const Draw draws[] = {{.at = 10, .quads = 8, .registers = 4},
                                 {.at = 1000, .quads = 1, .registers = 1}};
    g_autoptr(Rig) rig = rig_new("return_bytes = 64 B/cycle", 0);
    bind_texture(rig, "rgba8", 0);
    RUN(rig, draws);
    ck_assert_uint_eq(unit_booked(rig->texture, "return_port"), 8 + 1);
}
END_TEST

/* Each takes four cycles of a way, of which there are so many. */
START_TEST(results_of_several_warps_have_ways_side_by_side)
{
    g_autoptr(Rig) rig =
        rig_new("quads = 64; tag_lines = 64; data_lines = 64; return_ports = 2", 0);
    Draw draws[4] = {{.at = 10}};
    for (guint i = 1; i < 4; i++) draws[i] = (Draw){.at = 299 + i, .quads = 8, .registers = 4};
    draws[1].back = 300 + HIT + 3;
    draws[2].back = draws[1].back + 2;
    draws[3].back = draws[1].back + 4;
    RUN(rig, draws);
}
END_TEST

/* Warps that hit follow each other without a gap: 40 of 8 quads, and of one. */
static const struct {
    const char *settings;
    uint32_t quads;
    uint64_t cycles;
} streams[] = {{"", 8, 40 * 8}, {"quads = 4", 8, 40 * 2}, {"", 1, 40}, {"quads = 4", 1, 40}};

START_TEST(instructions_follow_each_other_without_a_gap)
{
    Draw draws[41] = {{.at = 10, .quads = 8}};
    for (guint i = 1; i < G_N_ELEMENTS(draws); i++)
        draws[i] = (Draw){.at = 300, .quads = streams[_i].quads};
    draws[40].back = 300 + HIT + streams[_i].cycles - 1;
    /* the source sends one a cycle */
    if (streams[_i].quads == 1) draws[40].back = 300 + HIT + 39;
    g_autoptr(Rig) rig = rig_new(streams[_i].settings, 0);
    RUN(rig, draws);
}
END_TEST

/* What the front end lets through the filter takes at once: nothing waits in the FIFO. */
START_TEST(front_end_and_filter_are_equally_fast)
{
    static const Draw draws[] = {{.at = 10}, {.at = 500, .quads = 8, .back = 500 + HIT + 3}};
    g_autoptr(Rig) rig = rig_new("quads = 2; tag_lines = 16; data_lines = 16", 0);
    RUN(rig, draws);
    ck_assert_uint_eq(unit_stages(rig->texture, "stages_texture_hit")->stage[STAGE_FRAGMENT_FIFO],
                      0);
}
END_TEST

/* Two quads in three cycles, which begin with the first: in 511 and 512, then in 514 and 514; their
 * results leave one a cycle. */
START_TEST(an_interval_begins_with_its_first_quad)
{
    static const Draw draws[] = {{.at = 10},
                                 {.at = 500, .back = 500 + HIT},
                                 {.at = 501, .back = 501 + HIT},
                                 {.at = 502, .back = 502 + HIT + 1},
                                 {.at = 503, .back = 503 + HIT + 1}};
    g_autoptr(Rig) rig = rig_new("quads = 2; quad_interval = 3 cycles", 0);
    RUN(rig, draws);
}
END_TEST

/* An instruction is taken 10 cycles before its first look-up: the eight in 11, 19, 27 ... Four may
 * wait, so from the fifth on each comes 2 cycles after the fourth before it has been taken, and
 * waits 30 cycles. */
START_TEST(what_has_no_turn_yet_keeps_its_place_in_the_port)
{
    Draw draws[8];
    for (guint i = 0; i < G_N_ELEMENTS(draws); i++) draws[i] = (Draw){.at = 10, .quads = 8};
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, draws);
    ck_assert_uint_eq(unit_level(rig->texture, "queue")->stay,
                      (8 + 16 + 24 + 4 * 30) * rig->harness->clock->period);
}
END_TEST

/* A sector at 8 bytes a cycle is in the array 4 cycles after it came. */
START_TEST(fills_take_their_bytes)
{
    static const Draw draws[] = {{.at = 10, .back = 10 + MISS + 3}};
    g_autoptr(Rig) rig = rig_new("fill_bytes = 8 B/cycle", 0);
    RUN(rig, draws);
}
END_TEST

/* --- full ------------------------------------------------------------------------------------- */

/* Four misses of one quad. A request leaves in the cycle of its look-up, one a cycle: with one
 * place in the FIFO lines 0 and 1 are looked up in cycle 0, line 2 in 1, when line 1 has left, line
 * 3 in 2. The last reply is 3 cycles behind the first whatever the FIFO's size. With one place in
 * front of the memory, which is free again after 2 cycles, requests leave in 0, 2, 4, 6. */
static const struct {
    const char *settings;
    uint32_t memory_room;
    uint64_t stalls, stalled, behind;
} miss_fifos[] = {{"miss_fifo = 1", 0, 2, 2, 3}, {"miss_fifo = 2", 0, 1, 1, 3},
                  {"miss_fifo = 3", 0, 0, 0, 3}, {"miss_fifo = 1", 1, 2, 4, 6},
                  {"miss_fifo = 2", 1, 1, 2, 6}, {"miss_fifo = 3", 1, 0, 0, 6}};

START_TEST(a_full_miss_fifo_stops_the_tags)
{
    const Draw draws[] = {{.at = 10, .lane_lines = 1, .back = 10 + MISS + miss_fifos[_i].behind}};
    g_autoptr(Rig) rig = rig_new(miss_fifos[_i].settings, miss_fifos[_i].memory_room);
    RUN(rig, draws);
    ck_assert_uint_eq(unit_count(rig->texture, "stalls_miss_fifo"), miss_fifos[_i].stalls);
    ck_assert_uint_eq(unit_busy(rig->texture, "stalled_miss_fifo"), miss_fifos[_i].stalled);
}
END_TEST

/* Two places: the third miss is looked up when the first is in the array, 11 + 103 after the
 * instruction left the SM, and comes back 103 cycles later than it would have at 11. */
START_TEST(a_full_reorder_buffer_stops_the_tags)
{
    static const Draw draws[] = {{.at = 10, .quads = 3, .quad_lines = 1, .back = 10 + MISS + 103}};
    g_autoptr(Rig) rig = rig_new("reorder_entries = 2", 0);
    RUN(rig, draws);
    ck_assert_uint_eq(unit_count(rig->texture, "stalls_reorder"), 1);
    ck_assert_uint_eq(unit_busy(rig->texture, "stalled_reorder"), 101); /* 13 to 114 */
    ck_assert_uint_eq(unit_level(rig->texture, "reorder_room")->maximum, 2);
    ck_assert_uint_eq(unit_full(rig->texture, "reorder_room"), 115 - 12);
    ck_assert_uint_eq(unit_refused(rig->texture, "reorder_room"), 1);
}
END_TEST

/* Two entries: a miss, looked up in 11 and read in 114; a hit of the next instruction, looked up in
 * 12 and read in 115. Its second quad is looked up in 114 instead of 13, read in 116; its third a
 * cycle later, read in 117. */
START_TEST(a_full_fragment_fifo_stops_the_tags)
{
    static const Draw draws[] = {{.at = 10, .back = 10 + MISS},
                                 {.at = 11, .quads = 3, .back = 10 + MISS + 3}};
    g_autoptr(Rig) rig = rig_new("fragment_fifo = 2", 0);
    RUN(rig, draws);
    ck_assert_uint_eq(unit_count(rig->texture, "stalls_fragment_fifo"), 1);
    ck_assert_uint_eq(unit_busy(rig->texture, "stalled_fragment_fifo"), 101);
    ck_assert_uint_eq(unit_level(rig->texture, "fragment_room")->maximum, 2);
    ck_assert_uint_eq(unit_full(rig->texture, "fragment_room"), 116 - 12);
}
END_TEST

/* A blocking cache: the second miss is looked up in 114, when the first has been read; then a hit
 * in 217, one cycle of the filter behind it. Hits alone do not wait. */
START_TEST(without_running_ahead_a_miss_stops_the_tags)
{
    static const Draw draws[] = {{.at = 10, .quads = 2, .quad_lines = 1, .back = 10 + MISS + 103},
                                 {.at = 11, .line = 1, .back = 10 + MISS + 104},
                                 {.at = 500, .quads = 2, .quad_lines = 1, .back = 500 + HIT + 1}};
    g_autoptr(Rig) rig = rig_new("run_ahead = no", 0);
    RUN(rig, draws);
    ck_assert_uint_eq(unit_count(rig->texture, "stalls_blocking"), 2);
    /* 12 to 114, and 115 to 217 */
    ck_assert_uint_eq(unit_busy(rig->texture, "stalled_blocking"), 102 + 102);
}
END_TEST

/* Two ways of one set, four lines: the third would take the place of the first, so the step is read
 * in two parts. Requests leave in 11 to 14; the second part's fills end in 116 and 117. */
START_TEST(lines_that_want_one_place_split_a_fragment)
{
    static const Draw draws[] = {
        {.at = 10, .lane_lines = 1, .back = 10 + MISS + 3},
        {.at = 200, .line = 2, .lane_lines = 1, .mask = 3, .back = 200 + HIT},
        {.at = 300, .back = 300 + MISS}};
    g_autoptr(Rig) rig = rig_new("sets = 1; capacity = 256 B", 0);
    RUN(rig, draws);
    ck_assert_uint_eq(unit_count(rig->texture, "splits"), 1);
    ck_assert_uint_eq(unit_count(rig->texture, "steps"), 3);
    ck_assert_uint_eq(unit_count(rig->texture, "fragments"), 4);
}
END_TEST

/* The second miss of a step would need the place that only the step itself can free. */
START_TEST(more_misses_than_the_reorder_buffer_holds_split_a_fragment)
{
    static const Draw draws[] = {{.at = 10, .lane_lines = 1, .back = 10 + MISS + 3 * 103}};
    g_autoptr(Rig) rig = rig_new("reorder_entries = 1", 0);
    RUN(rig, draws);
    ck_assert_uint_eq(unit_count(rig->texture, "splits"), 3);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("texture_unit");
    tcase_add_test(cases, a_miss_waits_for_memory_and_a_hit_does_not);
    tcase_add_test(cases, stages_say_where_a_fragment_was);
    tcase_add_test(cases, an_instruction_without_lanes_comes_back_from_the_address_unit);
    tcase_add_test(cases, an_instruction_without_lanes_waits_for_its_turn);
    tcase_add_test(cases, a_hit_behind_its_own_miss_waits_for_the_data);
    tcase_add_test(cases, replies_out_of_order_wait_in_the_reorder_buffer);
    tcase_add_test(cases, a_fragment_was_where_its_last_reply_was);
    tcase_add_test(cases, a_fill_waits_for_the_read_in_front_of_it);
    tcase_add_loop_test(cases, stages_say_which_array_is_slow, 0, 2);
    tcase_add_test(cases, front_end_and_filter_are_equally_fast);
    tcase_add_test(cases, an_interval_begins_with_its_first_quad);
    tcase_add_test(cases, what_has_no_turn_yet_keeps_its_place_in_the_port);
    tcase_add_loop_test(cases, a_warp_takes_as_long_as_its_slowest_stage, 0, G_N_ELEMENTS(rates));
    tcase_add_test(cases, the_way_to_the_registers_is_busy_with_results);
    tcase_add_test(cases, results_of_several_warps_have_ways_side_by_side);
    tcase_add_loop_test(cases, instructions_follow_each_other_without_a_gap, 0,
                        G_N_ELEMENTS(streams));
    tcase_add_test(cases, fills_take_their_bytes);
    tcase_add_loop_test(cases, a_full_miss_fifo_stops_the_tags, 0, G_N_ELEMENTS(miss_fifos));
    tcase_add_test(cases, a_full_reorder_buffer_stops_the_tags);
    tcase_add_test(cases, a_full_fragment_fifo_stops_the_tags);
    tcase_add_test(cases, without_running_ahead_a_miss_stops_the_tags);
    tcase_add_test(cases, lines_that_want_one_place_split_a_fragment);
    tcase_add_test(cases, more_misses_than_the_reorder_buffer_holds_split_a_fragment);
    return harness_run_cases("texture_unit", cases);
}
