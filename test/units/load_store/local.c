/* Where local memory lies: every thread's own block, in words of a warp's lanes side by side. With
 * 2 KiB a thread and 64 warps an SM, the block of slot w of SM s begins at
 * 1 TiB + (s x 64 + w) x 64 KiB, and word i of lane l is at byte i x 128 + l x 4 of it. */
#include "rig.h"

#define BASE (UINT64_C(1) << 40)
enum { WARP_BLOCK = 65536 };

typedef struct {
    Access access;
    uint32_t sm;
    uint32_t count; /* lines */
    AccessLine lines[4];
} Place;

static uint64_t own_words[32];

static const Place places[] = {
    {{.stride = SAME}, 0, 1, {{.line = BASE, .bytes = 128, .sectors = 15}}},
    {{.base = 16, .stride = SAME}, 0, 1, {{.line = BASE + 512, .bytes = 128, .sectors = 15}}},
    {{.base = 16, .stride = SAME, .operation = OPERATION_STORE},
     0,
     1,
     {{.line = BASE + 512, .bytes = 128, .sectors = 15}}},
    /* 8 bytes are two words, which are not neighbours */
    {{.base = 16, .stride = SAME, .width = 8},
     0,
     2,
     {{.line = BASE + 512, .bytes = 128, .sectors = 15},
      {.line = BASE + 640, .bytes = 128, .sectors = 15}}},
    {{.stride = SAME, .width = 16, .mask = 0xff},
     0,
     4,
     {{.line = BASE, .bytes = 32, .sectors = 1},
      {.line = BASE + 128, .bytes = 32, .sectors = 1},
      {.line = BASE + 256, .bytes = 32, .sectors = 1},
      {.line = BASE + 384, .bytes = 32, .sectors = 1}}},
    /* the third byte of word 1 */
    {{.base = 6, .stride = SAME, .width = 1},
     0,
     1,
     {{.line = BASE + 128, .bytes = 32, .sectors = 15, .partial = 15}}},
    /* misaligned: the words in which its pieces begin */
    {{.base = 6, .stride = SAME}, 0, 1, {{.line = BASE + 128, .bytes = 128, .sectors = 15}}},
    {{.stride = SAME, .mask = 0xffff}, 0, 1, {{.line = BASE, .bytes = 64, .sectors = 3}}},
    /* beyond the end it begins anew: words 2, and 511 and 0 */
    {{.base = 2048 + 8, .stride = SAME}, 0, 1, {{.line = BASE + 256, .bytes = 128, .sectors = 15}}},
    {{.base = 2044, .stride = SAME, .width = 8},
     0,
     2,
     {{.line = BASE + 511 * 128, .bytes = 128, .sectors = 15},
      {.line = BASE, .bytes = 128, .sectors = 15}}},
    {{.stride = SAME, .slot = 3},
     0,
     1,
     {{.line = BASE + 3 * WARP_BLOCK, .bytes = 128, .sectors = 15}}},
    {{.base = 4, .stride = SAME, .slot = 3},
     1,
     1,
     {{.line = BASE + (64 + 3) * WARP_BLOCK + 128, .bytes = 128, .sectors = 15}}},
    /* lanes 5 and 6 want different words */
    {{.addresses = own_words, .mask = 0x60},
     0,
     2,
     {{.line = BASE, .bytes = 4, .sectors = 1, .partial = 1},
      {.line = BASE + 128, .bytes = 4, .sectors = 1, .partial = 1}}}};

static void assert_place(const Place *place, const char *settings)
{
    Access access = place->access;
    access.at = 10;
    access.space = SPACE_LOCAL;
    for (uint64_t i = 0; i < 32; i++) own_words[i] = 4 * i;
    g_autoptr(Rig) rig = rig_new(settings, (Around){.sm = place->sm});
    run(rig, &access, 1);
    const WarpAccess *sent = at_l1(rig, 0, 12);
    ck_assert_uint_eq(sent->lines, place->count);
    for (uint32_t i = 0; i < place->count; i++) assert_line(sent, i, place->lines[i]);
    ck_assert_uint_eq(unit_count(rig->unit, "local_instructions"), 1);
    ck_assert_uint_eq(unit_count(rig->unit, "conflicting_stores"), 0);
}

START_TEST(words_of_a_warps_lanes_lie_side_by_side)
{
    assert_place(&places[_i], NULL);
}
END_TEST

/* 256 bytes a thread: lane l's block begins 256 x l into the warp's. Four bytes a thread: the same
 * as interleaved. */
static const struct {
    const char *settings;
    Place place;
} linear[] = {{"local_layout = linear; local_bytes = 256 B",
               {{.base = 256 + 16, .stride = SAME, .mask = 0xf, .slot = 1},
                0,
                4,
                {{.line = BASE + 32 * 256, .bytes = 4, .sectors = 1, .partial = 1},
                 {.line = BASE + 33 * 256, .bytes = 4, .sectors = 1, .partial = 1},
                 {.line = BASE + 34 * 256, .bytes = 4, .sectors = 1, .partial = 1},
                 {.line = BASE + 35 * 256, .bytes = 4, .sectors = 1, .partial = 1}}}},
              {"local_layout = linear; local_bytes = 4 B",
               {{.stride = SAME}, 0, 1, {{.line = BASE, .bytes = 128, .sectors = 15}}}},
              {"local_warps = 2; local_bytes = 8 B; local_base = 1 MiB",
               {{.stride = SAME, .slot = 3},
                2,
                1,
                {{.line = 1048576 + (2 * 2 + 1) * 256, .bytes = 128, .sectors = 15}}}}};

START_TEST(the_layout_may_be_linear_and_the_blocks_of_another_size)
{
    assert_place(&linear[_i].place, linear[_i].settings);
}
END_TEST

START_TEST(other_spaces_stay_where_they_are)
{
    static const Access accesses[] = {{.at = 10, .base = 4096, .slot = 3}};
    g_autoptr(Rig) rig = rig_new(NULL, (Around){.sm = 1});
    RUN(rig, accesses);
    ck_assert_uint_eq(lines_of(at_l1(rig, 0, 12))[0].line, 4096);
    ck_assert_uint_eq(unit_count(rig->unit, "local_instructions"), 0);
}
END_TEST

/* Word i of lane l of the second warp is at (1 x 64 x 2 KiB) + i x 256 + l x 4; what 64 lanes with
 * 16 B each can touch at most is 256 lines. */
START_TEST(a_warp_of_64_lanes_has_rows_of_64_words)
{
    static uint64_t far[64];
    for (uint64_t i = 0; i < 64; i++) far[i] = 16 * i;
    static const Access accesses[] = {
        {.at = 10, .space = SPACE_LOCAL, .stride = SAME, .mask = UINT64_MAX, .slot = 1, .base = 4},
        {.at = 20, .space = SPACE_LOCAL, .addresses = far, .mask = UINT64_MAX, .width = 16}};
    g_autoptr(Rig) rig = rig_new(NULL, (Around){0});
    harness_set_warp_lanes(rig->harness, 64);
    RUN(rig, accesses);
    const WarpAccess *row = at_l1(rig, 0, 12), *scattered = at_l1(rig, 1, 22);
    ck_assert_uint_eq(row->lines, 2);
    for (uint32_t i = 0; i < 2; i++)
        assert_line(row, i,
                    (AccessLine){.line = BASE + 2 * WARP_BLOCK + 256 + i * 128,
                                 .bytes = 128,
                                 .sectors = 15});
    ck_assert_uint_eq(scattered->lines, 256);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("load_store_local");
    tcase_add_loop_test(cases, words_of_a_warps_lanes_lie_side_by_side, 0, G_N_ELEMENTS(places));
    tcase_add_loop_test(cases, the_layout_may_be_linear_and_the_blocks_of_another_size, 0,
                        G_N_ELEMENTS(linear));
    tcase_add_test(cases, other_spaces_stay_where_they_are);
    tcase_add_test(cases, a_warp_of_64_lanes_has_rows_of_64_words);
    return harness_run_cases("load_store_local", cases);
}
