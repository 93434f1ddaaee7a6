/* The scenarios that sample textures, run as by a user. */
#include "rigs/harness.h"
#include "rigs/shipped.h"

/* 128 x 128 pixels of 25 taps are 4096 x 25 quads, on two SMs 51,200 each: one a cycle. */
START_TEST(bilinear_taps_are_cheaper_sampled_and_points_cheaper_loaded)
{
    char *folder = temporary_folder();
    run(folder, "convolution --variant texture --variant global --variant texture-bilinear "
                "--variant global-bilinear --set texture.quads=1");
    const double sampled = cycles_of(folder, "texture");
    ck_assert_double_ge(sampled, 51200);
    ck_assert_double_le(sampled, 1.1 * 51200);
    ck_assert_double_le(cycles_of(folder, "texture-bilinear"), 1.05 * sampled);
    ck_assert_double_le(1.3 * cycles_of(folder, "global"), sampled);
    ck_assert_double_ge(cycles_of(folder, "global-bilinear"),
                        1.5 * cycles_of(folder, "texture-bilinear"));
    temporary_remove(folder);
}
END_TEST

START_TEST(mip_levels_save_bytes_and_tiles_serve_turned_pictures)
{
    char *folder = temporary_folder();
    run(folder, "blit --variant upright --variant upright-linear --variant turned --variant "
                "turned-linear --variant smaller --variant smaller-mips");
    ck_assert_double_ge(summary_of(folder, "smaller", "dram.read_bytes"),
                        3 * summary_of(folder, "smaller-mips", "dram.read_bytes"));
    ck_assert_double_ge(cycles_of(folder, "turned-linear"), 1.1 * cycles_of(folder, "turned"));
    ck_assert_double_le(cycles_of(folder, "upright-linear"), 1.08 * cycles_of(folder, "upright"));
    temporary_remove(folder);
}
END_TEST

START_TEST(a_table_is_fast_while_its_hot_part_fits)
{
    char *folder = temporary_folder();
    run(folder, "texture-lookup --variant 16-kib --variant 256-kib --variant hot-256-kib");
    const double small = cycles_of(folder, "16-kib");
    ck_assert_double_ge(cycles_of(folder, "256-kib"), 1.4 * small);
    ck_assert_double_le(cycles_of(folder, "hot-256-kib"), 1.2 * small);
    temporary_remove(folder);
}
END_TEST

START_TEST(a_chase_shows_where_texels_are_kept)
{
    char *folder = temporary_folder();
    run(folder, "texture-latency");
    const double l1 = cycles_of(folder, "l1-8-kib"), own = cycles_of(folder, "own-8-kib");
    ck_assert_double_eq(l1, cycles_of(folder, "l1-64-kib"));
    ck_assert_double_ge(cycles_of(folder, "l1-256-kib") / 4, 2 * l1); /* 2048 loads, not 512 */
    ck_assert_double_ge(cycles_of(folder, "own-64-kib"), 2 * own);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("texture_scenarios");
    tcase_set_timeout(cases, 120);
    tcase_add_test(cases, bilinear_taps_are_cheaper_sampled_and_points_cheaper_loaded);
    tcase_add_test(cases, mip_levels_save_bytes_and_tiles_serve_turned_pictures);
    tcase_add_test(cases, a_table_is_fast_while_its_hot_part_fits);
    tcase_add_test(cases, a_chase_shows_where_texels_are_kept);
    Suite *suite = suite_create("texture_scenarios");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
