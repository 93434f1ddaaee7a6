/* Reads of the texture unit where L1 is its cache. */
#include "texture_rig.h"

START_TEST(a_read_misses_merges_and_hits_as_a_load_does)
{
    static const Read reading[] = {{.at = 10, .line = {5}, .back = 10 + MISS},
                                   {.at = 11, .line = {5}, .back = 11 + MISS},
                                   {.at = 300, .line = {5}, .back = 300 + HIT}};
    static const Lookup lookups[] = {{.at = 400, .line = 5, .mask = 1, .back = 400 + HIT}};
    g_autoptr(Rig) rig = rig_new_with_texture("", 0);
    READING(reading);
    run_all(rig, lookups, 1);
    ck_assert_uint_eq(unit_count(rig->l1, "texture_accesses"), 3);
    ck_assert_uint_eq(unit_count(rig->l1, "texture_misses"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "texture_merged"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "texture_hits"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "accesses"), 4);
    ck_assert_uint_eq(unit_count(rig->l1, "hits"), 2);
    ck_assert_uint_eq(unit_bytes(rig->l1, "texture_bytes"), 3 * 16);
    ck_assert_uint_eq(unit_bytes(rig->l1, "bytes_requested"), 4);
}
END_TEST

/* Read-only: whatever L1 keeps of loads, it keeps texels. */
START_TEST(texels_are_always_cached)
{
    static const Read reading[] = {{.at = 10, .line = {5}, .back = 10 + MISS},
                                   {.at = 300, .line = {5}, .back = 300 + HIT}};
    g_autoptr(Rig) rig = rig_new_with_texture("cached = none", 0);
    READING(reading);
    run_all(rig, NULL, 0);
}
END_TEST

/* Four tag banks: lines 1, 2, 3 are looked up together and read in a pass each; lines 4 and 1 of
 * one bank (4 = 0b100: 0 ^ 1) one after the other, costs added up; with paths of 64 B a line takes
 * two passes if both halves are wanted. */
static const struct {
    const char *settings;
    Read read;
    uint64_t more, wavefronts, passes;
} shapes[] = {
    {"", {.line = {1, 2, 3}}, 2, 1, 3},
    {"", {.line = {1, 4}}, 1, 2, 2},
    {"", {.line = {1, 4, 2, 8}}, 3, 2, 4},
    {"data_banks = 16", {.line = {1}, .sectors = 15}, 1, 1, 2},
    {"data_banks = 16", {.line = {1}, .sectors = 3}, 0, 1, 1},
    {"data_banks = 16", {.line = {1, 4}, .sectors = 15}, 3, 2, 4},
    {"data_banks = 16; overlap = yes", {.line = {1, 2, 3}, .sectors = 15}, 5, 1, 6},
};

START_TEST(a_read_takes_its_wavefronts_and_a_pass_a_row)
{
    Read reading[] = {shapes[_i].read, shapes[_i].read};
    reading[0].at = 10;
    reading[0].back = ANY;
    reading[1].at = 400;
    reading[1].back = 400 + HIT + shapes[_i].more;
    g_autoptr(Rig) rig = rig_new_with_texture(shapes[_i].settings, 0);
    READING(reading);
    run_all(rig, NULL, 0);
    ck_assert_uint_eq(unit_count(rig->l1, "wavefronts"), 2 * shapes[_i].wavefronts);
    ck_assert_uint_eq(unit_count(rig->l1, "data_passes"), 2 * shapes[_i].passes);
}
END_TEST

/* All hit. They are taken in turns, one a cycle. */
START_TEST(reads_and_loads_take_turns_at_the_arbiter)
{
    static const Read reading[] = {{.at = 10, .line = {1}, .back = ANY},
                                   {.at = 400, .line = {1}, .back = 400 + HIT + 1},
                                   {.at = 400, .line = {1}, .back = 400 + HIT + 3},
                                   {.at = 400, .line = {1}, .back = 400 + HIT + 5}};
    static const Lookup lookups[] = {{.at = 10, .line = 2, .back = ANY},
                                     {.at = 400, .line = 2, .back = 400 + HIT},
                                     {.at = 400, .line = 2, .back = 400 + HIT + 2},
                                     {.at = 400, .line = 2, .back = 400 + HIT + 4}};
    g_autoptr(Rig) rig = rig_new_with_texture("replay_entries = 1", 0);
    READING(reading);
    run_all(rig, lookups, G_N_ELEMENTS(lookups));
}
END_TEST

/* Two ways: lines 1, 5, 9 and 13 are of one set. */
START_TEST(texels_and_data_evict_each_other)
{
    static const Read reading[] = {{.at = 10, .line = {1}, .back = 10 + MISS},
                                   {.at = 600, .line = {13}, .back = 600 + MISS},
                                   {.at = 1200, .line = {1}, .back = 1200 + MISS}};
    static const Lookup lookups[] = {{.at = 200, .line = 5, .back = 200 + MISS},
                                     {.at = 400, .line = 9, .back = 400 + MISS}, /* for 1 */
                                     {.at = 800, .line = 9, .back = 800 + HIT},
                                     {.at = 1000, .line = 5, .back = 1000 + MISS}}; /* for 13 */
    g_autoptr(Rig) rig = rig_new_with_texture("sets = 4; capacity = 1 KiB", 0);
    READING(reading);
    run_all(rig, lookups, G_N_ELEMENTS(lookups));
    ck_assert_uint_eq(unit_count(rig->l1, "texels_evicted"), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "evicted_by_texels"), 2); /* 5 and 9 */
}
END_TEST

/* The record is of the line that came last: line 2 hits, line 1 is read from L2. */
START_TEST(a_read_brings_the_stages_of_its_last_line)
{
    static const Read reading[] = {{.at = 10, .line = {2}, .back = 10 + MISS},
                                   {.at = 300, .line = {1, 2}, .back = 300 + MISS}};
    g_autoptr(Rig) rig = rig_new_with_texture("", 0);
    READING(reading);
    run_all(rig, NULL, 0);
    const Arrived *arrived = harness_arrival(lines_read, 1);
    const Transaction *record = ((const TextureFetch *)arrived->message)->record;
    g_autofree char *text = harness_stages(record, arrived->at, rig->harness->clock);
    ck_assert_str_eq(text, "l1_queue 1 l1_tag 4 request_wire 102 fill 17");
    ck_assert_uint_eq(record->served_by, SERVED_L2);
    ck_assert_uint_eq(record->virtual_line, 128);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_read_misses_merges_and_hits_as_a_load_does, texels_are_always_cached,
        reads_and_loads_take_turns_at_the_arbiter, texels_and_data_evict_each_other,
        a_read_brings_the_stages_of_its_last_line};
    TCase *cases = tcase_create("l1_reads");
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++) tcase_add_test(cases, tests[i]);
    tcase_add_loop_test(cases, a_read_takes_its_wavefronts_and_a_pass_a_row, 0,
                        G_N_ELEMENTS(shapes));
    return harness_run_cases("l1_reads", cases);
}
