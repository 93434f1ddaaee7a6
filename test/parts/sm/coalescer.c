#include "parts/sm/coalescer.h"

#include <check.h>

#include "rigs/harness.h"

static const LineShape v100 = {.line_bytes = 128, .sector_bytes = 32};

enum { LINES_SHOWN = 4 };

/* A warp's access and the first lines that it touches. */
typedef struct {
    const char *what;
    uint64_t base;
    int64_t stride;
    uint64_t mask;
    uint32_t width, count;
    CoalescedLine lines[LINES_SHOWN];
} Row;

static const Row rows[] = {
    {"floats side by side are one line", 0x1000, 4, UINT32_MAX, 4, 1, {{0x1000, 128, 128, 15, 0}}},
    {"floats of 64 lanes side by side are two lines",
     0x1000,
     4,
     UINT64_MAX,
     4,
     2,
     {{0x1000, 128, 128, 15, 0}, {0x1080, 128, 128, 15, 0}}},
    {"lanes across the middle of 64 are a run",
     0x1000,
     4,
     UINT64_C(0xffff0000000) << 4,
     4,
     1,
     {{0x1080, 64, 64, 3, 0}}},
    {"the upper 32 of 64 lanes have their own strides",
     0x1000,
     128,
     UINT64_C(0x8000000100000000),
     4,
     2,
     {{0x2000, 4, 4, 1, 1}, {0x2f80, 4, 4, 1, 1}}},
    {"doubles side by side are two lines",
     0x1000,
     8,
     UINT32_MAX,
     8,
     2,
     {{0x1000, 128, 128, 15, 0}, {0x1080, 128, 128, 15, 0}}},
    {"sixteen bytes a lane are four lines",
     0x1000,
     16,
     UINT32_MAX,
     16,
     4,
     {{0x1000, 128, 128, 15, 0},
      {0x1080, 128, 128, 15, 0},
      {0x1100, 128, 128, 15, 0},
      {0x1180, 128, 128, 15, 0}}},
    {"a line a lane is thirty-two lines, each with a part of one sector",
     0x1000,
     128,
     UINT32_MAX,
     4,
     32,
     {{0x1000, 4, 4, 1, 1}, {0x1080, 4, 4, 1, 1}, {0x1100, 4, 4, 1, 1}}},
    {"a broadcast is one sector, asked for by each lane",
     0x1024,
     0,
     UINT32_MAX,
     4,
     1,
     {{0x1000, 128, 128, 2, 2}}},
    {"a broadcast across the end of a line is two lines",
     0x107c,
     0,
     0x3,
     8,
     2,
     {{0x1000, 8, 8, 8, 8}, {0x1080, 8, 8, 1, 1}}},
    {"floats that begin in mid-line are two lines",
     0x1040,
     4,
     UINT32_MAX,
     4,
     2,
     {{0x1000, 64, 64, 12, 0}, {0x1080, 64, 64, 3, 0}}},
    {"floats off by one byte leave partial sectors at both ends",
     0x1001,
     4,
     UINT32_MAX,
     4,
     2,
     {{0x1000, 127, 127, 15, 1}, {0x1080, 1, 1, 1, 1}}},
    {"an element across the end of a line counts in both",
     0x107e,
     4,
     0x1,
     4,
     2,
     {{0x1000, 2, 2, 8, 8}, {0x1080, 2, 2, 1, 1}}},
    {"a hole in the mask leaves its sector partial",
     0x1000,
     4,
     ~(UINT32_C(1) << 9),
     4,
     1,
     {{0x1000, 124, 124, 15, 2}}},
    {"a sector without active lanes is not touched",
     0x1000,
     4,
     0xffff00ff,
     4,
     1,
     {{0x1000, 96, 96, 13, 0}}},
    {"lanes below the first active one do not count",
     0x1000,
     4,
     0xffffff00,
     4,
     1,
     {{0x1000, 96, 96, 14, 0}}},
    {"a negative stride touches the highest line first",
     0x1080,
     -4,
     UINT32_MAX,
     4,
     2,
     {{0x1080, 4, 4, 1, 1}, {0x1000, 124, 124, 15, 1}}},
    {"lanes that overlap cover a byte once and count each time",
     0x1000,
     2,
     0x3,
     4,
     1,
     {{0x1000, 8, 8, 1, 1}}},
    {"every second float leaves all its sectors partial",
     0x1000,
     8,
     UINT32_MAX,
     4,
     2,
     {{0x1000, 64, 64, 15, 15}, {0x1080, 64, 64, 15, 15}}},
    {"no active lane is no line", 0x1000, 4, 0, 4, 0, {{0}}},
};

static void expect_line(const CoalescedLine *line, const CoalescedLine *expected, const char *what)
{
    ck_assert_msg(line->line == expected->line && line->bytes == expected->bytes
                      && line->sectors == expected->sectors && line->partial == expected->partial,
                  "%s: line %#" G_GINT64_MODIFIER "x, %u bytes, sectors %x, partial %x", what,
                  line->line, line->bytes, line->sectors, line->partial);
}

/* The addresses of the active lanes, lowest lane first. */
static uint32_t list_addresses(const LaneSteps *steps, uint64_t address[COALESCER_LANES])
{
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < COALESCER_LANES; lane++)
        if (steps->mask >> lane & 1) address[count++] = lane_address(steps, lane);
    return count;
}

START_TEST(an_access_touches_these_lines_and_sectors)
{
    const Row *row = &rows[_i];
    CoalescedLine lines[COALESCER_LINES];
    uint64_t address[COALESCER_LANES];
    const LaneSteps steps = {.base = row->base, .stride = row->stride, .mask = row->mask};
    const uint32_t count = coalesce_steps(&v100, &steps, row->width, lines);
    ck_assert_msg(count == row->count, "%s: %u lines", row->what, count);
    for (uint32_t i = 0; i < MIN(count, LINES_SHOWN); i++)
        if (row->lines[i].bytes) expect_line(&lines[i], &row->lines[i], row->what);
    const uint32_t lanes = list_addresses(&steps, address);
    ck_assert_uint_eq(coalesce_addresses(&v100, address, lanes, row->width, lines), row->count);
    for (uint32_t i = 0; i < MIN(count, LINES_SHOWN); i++)
        if (row->lines[i].bytes) expect_line(&lines[i], &row->lines[i], row->what);
}
END_TEST

START_TEST(lines_come_in_the_order_of_the_first_lane_that_touches_each)
{
    static const uint64_t address[] = {0x2000, 0x1000, 0x2010, 0x3000, 0x1004};
    CoalescedLine lines[COALESCER_LINES];
    ck_assert_uint_eq(coalesce_addresses(&v100, address, 5, 4, lines), 3);
    ck_assert_uint_eq(lines[0].line, 0x2000);
    ck_assert_uint_eq(lines[1].line, 0x1000);
    ck_assert_uint_eq(lines[2].line, 0x3000);
    ck_assert_uint_eq(lines[0].bytes, 8);
}
END_TEST

START_TEST(a_line_may_have_sixteen_sectors)
{
    static const LineShape wide = {.line_bytes = 512, .sector_bytes = 32};
    CoalescedLine lines[COALESCER_LINES];
    const LaneSteps whole = {.base = 0x1000, .stride = 16, .mask = UINT32_MAX},
                    last = {.base = 0x11ff, .stride = 1, .mask = 3};
    ck_assert_uint_eq(coalesce_steps(&wide, &whole, 16, lines), 1);
    ck_assert_uint_eq(lines[0].sectors, 0xffff);
    ck_assert_uint_eq(lines[0].partial, 0);
    ck_assert_uint_eq(coalesce_steps(&wide, &last, 1, lines), 2);
    ck_assert_uint_eq(lines[0].sectors, 0x8000);
    ck_assert_uint_eq(lines[1].sectors, 1);
}
END_TEST

/* Byte by byte, without any of the coalescer's ideas. */
static uint32_t coalesce_slowly(const LineShape *shape, const uint64_t *address, uint32_t count,
                                uint32_t width, CoalescedLine *lines)
{
    uint8_t covered[COALESCER_LINES][512] = {{0}};
    uint32_t found = 0;
    for (uint32_t b = 0; b < count * width; b++) {
        const uint64_t at = address[b / width] + b % width, line = at / shape->line_bytes;
        uint32_t i = 0;
        while (i < found && lines[i].line != line * shape->line_bytes) i++;
        if (i == found) lines[found++] = (CoalescedLine){.line = line * shape->line_bytes};
        lines[i].bytes++;
        covered[i][at % shape->line_bytes] = 1;
    }
    for (uint32_t i = 0; i < found; i++) {
        for (uint32_t s = 0; s < shape->line_bytes / shape->sector_bytes; s++) {
            uint32_t bytes = 0;
            for (uint32_t b = 0; b < shape->sector_bytes; b++)
                bytes += covered[i][s * shape->sector_bytes + b];
            if (bytes) lines[i].sectors |= (uint16_t)(1u << s);
            if (bytes && bytes < shape->sector_bytes) lines[i].partial |= (uint16_t)(1u << s);
        }
    }
    return found;
}

static LaneSteps random_steps(GRand *random, uint32_t width)
{
    static const uint64_t masks[] = {
        UINT32_MAX, 0xffff, 0xff00ff00, 0x7ffffffe, 1, UINT64_MAX, UINT64_C(0x7fffffffe0000000)};
    const int choice = g_rand_int_range(random, 0, 10);
    const uint64_t any = (uint64_t)g_rand_int(random) << (choice == 7 ? 32 : 0);
    const int rows = g_rand_int_range(random, 0, 8);
    return (LaneSteps){.base = 0x100000 + (uint64_t)g_rand_int_range(random, 0, 600),
                       .stride = choice < 3   ? (int64_t)width
                                 : choice < 5 ? 0
                                              : g_rand_int_range(random, -300, 300),
                       .mask = choice < 7 ? masks[choice] : any ^ g_rand_int(random),
                       .row_lanes = rows < 4 ? 4u << rows : 0,
                       .row_stride = choice % 3 ? g_rand_int_range(random, -1000, 1000) : 0};
}

START_TEST(any_access_is_coalesced_as_byte_by_byte)
{
    static const LineShape shapes[] = {{128, 32}, {64, 64}, {512, 32}, {32, 16}};
    g_autoptr(GRand) random = g_rand_new_with_seed(13 + (uint32_t)_i);
    for (unsigned round = 0; round < 2000; round++) {
        const LineShape *shape = &shapes[round % G_N_ELEMENTS(shapes)];
        const uint32_t width = 1u << g_rand_int_range(random, 0, 5);
        const LaneSteps steps = random_steps(random, width);
        CoalescedLine lines[COALESCER_LINES], expected[COALESCER_LINES];
        uint64_t address[COALESCER_LANES];
        const uint32_t lanes = list_addresses(&steps, address);
        const uint32_t count = coalesce_slowly(shape, address, lanes, width, expected);
        ck_assert_uint_eq(coalesce_steps(shape, &steps, width, lines), count);
        for (uint32_t i = 0; i < count; i++) expect_line(&lines[i], &expected[i], "steps");
        for (uint32_t i = 0; i < lanes; i++)
            address[i] += (uint64_t)g_rand_int_range(random, 0, 900);
        const uint32_t scattered = coalesce_slowly(shape, address, lanes, width, expected);
        ck_assert_uint_eq(coalesce_addresses(shape, address, lanes, width, lines), scattered);
        for (uint32_t i = 0; i < scattered; i++) expect_line(&lines[i], &expected[i], "list");
    }
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("coalescer"), *repeating = tcase_create("other accesses");
    tcase_add_loop_test(cases, an_access_touches_these_lines_and_sectors, 0, G_N_ELEMENTS(rows));
    tcase_add_test(cases, lines_come_in_the_order_of_the_first_lane_that_touches_each);
    tcase_add_test(cases, a_line_may_have_sixteen_sectors);
    tcase_add_loop_test(cases, any_access_is_coalesced_as_byte_by_byte, 0, 1);
    tcase_add_loop_test(repeating, any_access_is_coalesced_as_byte_by_byte, 1, 10);
    return harness_run_repeating("coalescer", cases, repeating);
}
