#include "parts/sm/lane_groups.h"

#include <check.h>

#include "rigs/harness.h"

enum { LANES = 64, SAME = 1000 };

static const LineShape gcn = {.line_bytes = 64, .sector_bytes = 32};
static const LaneRates rates = {.coalesced = 16, .scattered = 4};
static const uint64_t all = UINT64_MAX, half = UINT32_MAX;

/* Groups of lanes at base + lane x stride, and the lines of all groups together. */
typedef struct {
    const char *what;
    uint64_t base;
    uint64_t stride;
    uint64_t mask;
    uint32_t width;
    uint32_t groups, lines;
} Row;

static const Row rows[] = {
    {"floats side by side: 16 lanes, a line a cycle", 0x1000, 4, all, 4, 4, 4},
    {"half a wave: half the cycles", 0x1000, 4, half, 4, 2, 2},
    {"not on a line's first byte: a line more in each cycle", 0x1010, 4, all, 4, 4, 8},
    {"halves and bytes side by side go as well", 0x1000, 2, all, 2, 4, 4},
    {"bytes", 0x1000, 1, all, 1, 4, 4},
    {"doubles: 4 lanes a cycle, 8 of them in a line", 0x1000, 8, all, 8, 16, 16},
    {"16 bytes a lane: 4 lanes a cycle, a line", 0x1000, 16, all, 16, 16, 16},
    {"every other float: 4 lanes", 0x1000, 8, all, 4, 16, 16},
    {"a line a lane", 0x1000, 64, all, 4, 16, 64},
    {"one address, as neighbours", 0x1000, SAME, all, 4, 4, 4},
    {"one address of a byte", 0x1000, SAME, all, 1, 4, 4},
    {"one address of a double: four lanes", 0x1000, SAME, all, 8, 16, 16},
    {"one address of 16 bytes, in two lines", 0x1038, SAME, half, 16, 8, 16},
    {"values that reach into the next line", 0x103e, 64, all, 4, 16, 16 * 5},
    {"blocks without active lanes take no cycle", 0x1000, 4, UINT64_C(0xffff0000), 4, 1, 1},
    {"holes are no matter among neighbours", 0x1000, 4, UINT64_C(0x8421), 4, 1, 1},
    {"lanes without neighbours: blocks of four", 0x1000, 64, UINT64_C(0x8021), 4, 3, 3},
    {"one lane", 0x1000, 4, UINT64_C(1) << 63, 4, 1, 1},
};

static void fill(uint64_t *address, const Row *row)
{
    for (uint64_t i = 0; i < LANES; i++)
        address[i] = row->base + (row->stride == SAME ? 0 : i * row->stride);
}

/* Every active lane is in one group, and the groups' bytes are what the lanes want. */
START_TEST(lanes_go_in_blocks_of_neighbours_or_of_few)
{
    const Row *row = &rows[_i];
    uint64_t address[LANES];
    CoalescedLine lines[COALESCER_LINES];
    fill(address, row);
    uint32_t groups = 0, count = 0, bytes = 0;
    for (uint64_t rest = row->mask; rest; groups++) {
        const uint64_t group =
            lane_group(&rates, address, row->mask, row->width, (uint32_t)__builtin_ctzll(rest));
        ck_assert_msg(group && (group & rest) == group, "%s", row->what);
        rest &= ~group;
        const uint32_t found = lane_group_lines(&gcn, address, group, row->width, lines);
        for (uint32_t i = 0; i < found; i++) bytes += lines[i].bytes;
        count += found;
    }
    ck_assert_msg(groups == row->groups, "%s: %u groups", row->what, groups);
    ck_assert_msg(count == row->lines, "%s: %u lines", row->what, count);
    ck_assert_uint_eq(bytes, (uint32_t)__builtin_popcountll(row->mask) * row->width);
}
END_TEST

/* Lanes 0 to 15 are neighbours but for lane 3; 16 to 31 are. */
START_TEST(one_stranger_costs_its_block_only)
{
    uint64_t address[LANES];
    for (uint64_t i = 0; i < LANES; i++) address[i] = 4 * i;
    address[3] = 0x9000;
    ck_assert_uint_eq(lane_group(&rates, address, half, 4, 0), 0xf);
    ck_assert_uint_eq(lane_group(&rates, address, half, 4, 4), 0xf0);
    ck_assert_uint_eq(lane_group(&rates, address, half, 4, 16), 0xffff0000);
}
END_TEST

START_TEST(rates_need_not_divide_each_other)
{
    static const LaneRates odd = {.coalesced = 10, .scattered = 3};
    uint64_t address[LANES];
    for (uint64_t i = 0; i < LANES; i++) address[i] = i < 10 ? 64 * i : 4 * i;
    ck_assert_uint_eq(lane_group(&odd, address, all, 4, 9), 0xe00);
    ck_assert_uint_eq(lane_group(&odd, address, all, 4, 12), 0xff000);
    ck_assert_uint_eq(lane_group(&odd, address, all, 4, 60), UINT64_C(0xf) << 60);
}
END_TEST

START_TEST(lines_say_bytes_and_sectors)
{
    uint64_t address[LANES] = {0x1000, 0x103c, 0x0ffc, 0x2000};
    CoalescedLine lines[COALESCER_LINES];
    ck_assert_uint_eq(lane_group_lines(&gcn, address, 0xf, 8, lines), 4);
    static const CoalescedLine expected[] = {{.line = 0x1000, .bytes = 8 + 4 + 4, .sectors = 3},
                                             {.line = 0x1040, .bytes = 4, .sectors = 1},
                                             {.line = 0x0fc0, .bytes = 4, .sectors = 2},
                                             {.line = 0x2000, .bytes = 8, .sectors = 1}};
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        ck_assert_uint_eq(lines[i].line, expected[i].line);
        ck_assert_uint_eq(lines[i].bytes, expected[i].bytes);
        ck_assert_uint_eq(lines[i].sectors, expected[i].sectors);
    }
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("lane_groups");
    tcase_add_loop_test(cases, lanes_go_in_blocks_of_neighbours_or_of_few, 0, G_N_ELEMENTS(rows));
    tcase_add_test(cases, one_stranger_costs_its_block_only);
    tcase_add_test(cases, rates_need_not_divide_each_other);
    tcase_add_test(cases, lines_say_bytes_and_sectors);
    return harness_run_cases("lane_groups", cases);
}
