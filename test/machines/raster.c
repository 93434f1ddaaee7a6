/* The shipped scenario of the rasteriser, on a small screen: what reaches L2 and DRAM. */
#include "rigs/harness.h"
#include "rigs/shipped.h"

typedef struct {
    double from_l2, from_dram, time; /* bytes, ns */
} Moved;

static Moved moved(const char *folder, const char *variant)
{
    return (Moved){
        .from_l2 = result_number(folder, variant, "units.texture.total.bytes_from_network"),
        .from_dram = summary_of(folder, variant, "dram.read_bytes"),
        .time = summary_of(folder, variant, "time_ns"),
    };
}

static char *run_floor(const char *variants)
{
    char *folder = temporary_folder();
    g_autofree char *line = g_strdup_printf(
        "raster --set workload.screen_width=256 --set workload.screen_height=144 %s", variants);
    run(folder, line);
    return folder;
}

START_TEST(mip_levels_and_compressed_formats_move_fewer_bytes_at_each_level)
{
    char *folder = run_floor("-v baseline -v no-mipmaps -v bc1 -v bc7 -v no-mipmaps-bc1");
    const Moved mips = moved(folder, "baseline"), plain = moved(folder, "no-mipmaps");
    const Moved bc1 = moved(folder, "bc1"), bc7 = moved(folder, "bc7");
    const Moved plain_bc1 = moved(folder, "no-mipmaps-bc1");
    ck_assert_double_lt(mips.from_l2 * 4, plain.from_l2);
    ck_assert_double_lt(mips.from_dram * 10, plain.from_dram);
    ck_assert_double_lt(mips.time * 5, plain.time);
    /* 4 B a texel; 1 B and 1/2 B in blocks, of which lines hold a larger square as well */
    ck_assert_double_lt(bc7.from_l2 * 4, mips.from_l2);
    ck_assert_double_lt(bc1.from_l2 * 1.5, bc7.from_l2);
    ck_assert_double_lt(bc7.from_dram * 2, mips.from_dram);
    ck_assert_double_lt(bc1.from_dram, bc7.from_dram);
    ck_assert_double_lt(plain_bc1.from_l2, plain.from_l2);
    ck_assert_double_lt(plain_bc1.from_dram * 3, plain.from_dram);
    temporary_remove(folder);
}
END_TEST

START_TEST(tiled_layouts_and_tiled_walks_need_fewer_lines_of_a_turned_texture)
{
    char *folder = run_floor("-v baseline -v linear -v morton -v quads-in-rows");
    const Moved blocked = moved(folder, "baseline"), linear = moved(folder, "linear");
    const Moved morton = moved(folder, "morton"), rows = moved(folder, "quads-in-rows");
    ck_assert_double_lt(blocked.from_l2 * 1.15, linear.from_l2);
    ck_assert_double_lt(morton.from_l2 * 1.2, blocked.from_l2);
    ck_assert_double_lt(blocked.from_l2 * 1.2, rows.from_l2);
    temporary_remove(folder);
}
END_TEST

START_TEST(anisotropic_filtering_reads_larger_mip_levels)
{
    char *folder = run_floor("-v baseline -v anisotropic-8 -v bilinear");
    const Moved plain = moved(folder, "baseline"), fine = moved(folder, "anisotropic-8");
    const char *const sharp = "units.texture.total.bytes_level_1";
    ck_assert_double_eq(result_number(folder, "baseline", sharp), 0);
    ck_assert_double_gt(result_number(folder, "anisotropic-8", sharp), 0);
    ck_assert_double_lt(plain.from_l2 * 3, fine.from_l2);
    ck_assert_double_lt(moved(folder, "bilinear").from_l2, plain.from_l2);
    temporary_remove(folder);
}
END_TEST

START_TEST(a_result_says_what_was_rasterised)
{
    char *folder = run_floor("-v bc1");
    g_autofree char *text = result_text(folder, "bc1");
    g_autofree char *listed = NULL;
    ck_assert_ptr_nonnull(strstr(text, "\"quad_efficiency\""));
    const char *program = g_getenv("WARPMEM_PROGRAM");
    g_autofree char *line = g_strdup_printf("%s check raster", program);
    ck_assert(g_spawn_command_line_sync(line, &listed, NULL, NULL, NULL));
    ck_assert_msg(strstr(listed,
                         "bc1: kernel raster floor: triangles 2, quads 46800, pixels 186646, "
                         "overdraw 0.810095, ")
                      != NULL,
                  "%s", listed);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("raster_machine");
    tcase_add_test(cases, mip_levels_and_compressed_formats_move_fewer_bytes_at_each_level);
    tcase_add_test(cases, tiled_layouts_and_tiled_walks_need_fewer_lines_of_a_turned_texture);
    tcase_add_test(cases, anisotropic_filtering_reads_larger_mip_levels);
    tcase_add_test(cases, a_result_says_what_was_rasterised);
    Suite *suite = suite_create("raster_machine");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
