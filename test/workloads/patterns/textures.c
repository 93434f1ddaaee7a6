#include "rigs/harness.h"
#include "rigs/samples.h"

/* --- keys ------------------------------------------------------------------------------------- */

START_TEST(keys_say_what_a_texture_and_its_sampler_are)
{
    g_autoptr(LaunchList) list =
        launches_of("workload.pattern=blit\nworkload.texture_kind=3d\n"
                    "workload.texture_width=64\nworkload.texture_height=32\n"
                    "workload.texture_depth=8\nworkload.texture_format=rg16f\n"
                    "workload.texture_tile_bytes=32 B\nworkload.texture_tile_rows=4\n"
                    "workload.mipmaps=3\nworkload.wrap=repeat, mirror\nworkload.filter=trilinear\n"
                    "workload.anisotropy=4\nworkload.lod_bias=-0.5\nworkload.texture_base=1 MiB\n");
    g_autoptr(GArray) warp = sample_warp(kernel_of(list, 0), 0, 0);
    const TextureBinding *binding = sampled_at(warp, 1)->in.binding;
    const TextureShape *shape = &binding->texture.shape;
    ck_assert_ptr_nonnull(binding);
    ck_assert_int_eq(shape->kind, TEXTURE_3D);
    ck_assert_str_eq(shape->format->name, "rg16f");
    ck_assert_int_eq(shape->layout, TEXTURE_TILES);
    ck_assert_uint_eq(shape->width, 64);
    ck_assert_uint_eq(shape->height, 32);
    ck_assert_uint_eq(shape->depth, 8);
    ck_assert_uint_eq(shape->tile_bytes, 32);
    ck_assert_uint_eq(shape->tile_rows, 4);
    ck_assert_uint_eq(binding->texture.levels, 3);
    ck_assert_uint_eq(binding->texture.address, 1 << 20);
    ck_assert_int_eq(binding->sampler.wrap[0], WRAP_REPEAT);
    ck_assert_int_eq(binding->sampler.wrap[1], WRAP_MIRROR);
    ck_assert_int_eq(binding->sampler.wrap[2], WRAP_MIRROR);
    ck_assert_int_eq(binding->sampler.filter, FILTER_TRILINEAR);
    ck_assert_uint_eq(binding->sampler.anisotropy, 4);
    ck_assert_double_eq(binding->sampler.lod_bias, -0.5);
    ck_assert_float_eq(sampled_at(warp, 1)->at.point[0].z, 4); /* the middle of eight slices */
}
END_TEST

static const struct {
    const char *mipmaps;
    uint32_t levels;
} mip_chains[] = {{"no", 1}, {"yes", 10}, {"4", 4}};

START_TEST(mipmaps_are_none_all_or_so_many)
{
    g_autofree char *text = g_strdup_printf("workload.pattern=blit\nworkload.texture_width=512\n"
                                            "workload.texture_height=64\nworkload.mipmaps=%s\n",
                                            mip_chains[_i].mipmaps);
    g_autoptr(LaunchList) list = launches_of(text);
    g_autoptr(GArray) warp = sample_warp(kernel_of(list, 0), 0, 0);
    ck_assert_uint_eq(sampled_at(warp, 1)->in.binding->texture.levels, mip_chains[_i].levels);
}
END_TEST

static const struct {
    const char *keys, *error;
} bad[] = {
    {"pattern=blit\nworkload.texture_format=rgb8",
     "test.ini:2: workload.texture_format = rgb8: no 'rgb8', did you mean 'rg8'? There are r8, "},
    {"pattern=blit\nworkload.wrap=clamp, repaet",
     "test.ini:2: workload.wrap = clamp, repaet: no 'repaet', did you mean 'repeat'? There are"},
    {"pattern=blit\nworkload.wrap=clamp, clamp, clamp, clamp",
     "clamp, clamp, clamp, clamp: not one to three names"},
    {"pattern=blit\nworkload.mipmaps=17",
     "workload.mipmaps = 17: not yes, no, or a number of levels from 1 to 16"},
    {"pattern=blit\nworkload.mipmaps=11", "workload.mipmaps = 11: must be at most 10"},
    {"pattern=blit\nworkload.texture_kind=1d\nworkload.texture_height=2",
     "workload.texture_height = 2: must be 1"},
    {"pattern=blit\nworkload.turn=400",
     "workload.turn = 400: out of range; allowed: ratio from -360 to 360"},
    {"pattern=blit\nworkload.texture_depth=2", "workload.texture_depth = 2: must be 1"},
    {"pattern=blit\nworkload.texture_tile_rows=3",
     "workload.texture_tile_rows = 3: must be a power"},
    {"pattern=blit\nworkload.texture_base=100 B", "workload.texture_base = 100 B: must be a mult"},
    {"pattern=blit\nworkload.textures=33", "workload.textures = 33: a pixel mixes at most 32"},
    {"pattern=blit\nworkload.warp_width=12", "warp_width = 12: not a power of two from 2 to 16"},
    {"pattern=blit\nworkload.warp_width=32", "warp_width = 32: not a power of two from 2 to 16"},
    {"pattern=blit\nworkload.threads_per_cta=48", "48: not a number of whole warps of 32"},
    {"pattern=blit\nworkload.cta_width=12", "cta_width = 12: tiles of 8 x 4 pixels, one a warp"},
    {"pattern=blit\nworkload.cta_width=128", "cta_width = 128: tiles of 8 x 4 pixels, one a warp"},
    {"pattern=blit\nworkload.target_format=bc1", "bc1: compressed formats are only read"},
    {"pattern=blit\nworkload.target_base=1 B", "target_base = 1 B: not a multiple of 512 B"},
    {"pattern=texture_chase\nworkload.stride=6 B", "stride = 6 B: not a multiple of the element's"},
    {"pattern=texture_chase\nworkload.footprint=16 B", "16 B: smaller than stride (32 B)"},
    {"pattern=texture_chase\nworkload.texture_format=bc7", "from texel to texel"},
    {"pattern=texture_chase\nworkload.textures=2", "a chase goes through one texture"},
    {"pattern=texture_chase\nworkload.texture_kind=3d", "has textures of kind 1d or 2d"},
    {"pattern=texture_chase\nworkload.texture_kind=1d\nworkload.footprint=256 KiB",
     "footprint = 256 KiB: 65536 texels, and a texture has at most 32768 of kind 1d; 2d can"},
    {"pattern=texture_random\nworkload.footprint=1 GiB",
     "footprint = 1 GiB: 268435456 texels, and a texture has at most 32768 rows of texture_width"},
    {"pattern=texture_random\nworkload.footprint=3 B", "3 B: less than an element of rgba8, 4 B"},
    {"pattern=texture_random\nworkload.hot_footprint=16 MiB",
     "hot_footprint = 16 MiB: nothing is left for the other samples; with hit = 1"},
    {"pattern=texture_random\nworkload.hot_footprint=3 B",
     "hot_footprint = 3 B: less than a texel"},
    {"pattern=convolution\nworkload.texture_kind=3d", "texture_kind = 3d: the image is 2d"},
    {"pattern=convolution\nworkload.textures=2", "textures = 2: the image is one"},
    {"pattern=convolution\nworkload.path=global\nworkload.texture_format=bc1",
     "plain loads cannot read a compressed image"},
    {"pattern=convolution\nworkload.path=global\nworkload.filter=trilinear",
     "filter = trilinear: path = global has point and bilinear"},
};

START_TEST(bad_keys_are_refused_with_their_place)
{
    g_autofree char *text = g_strdup_printf("workload.%s\n", bad[_i].keys);
    g_autoptr(Configuration) configuration = configure(text);
    g_autoptr(GError) error = NULL;
    const WorkloadContext context = {.seed = 1, .warp_lanes = 32};
    ck_assert_ptr_null(workload_build(configuration, &context, &error));
    ck_assert_ptr_nonnull(error);
    ck_assert_msg(strstr(error->message, bad[_i].error) != NULL, "%s", error->message);
    ck_assert_msg(g_str_has_prefix(error->message, "test.ini:"), "%s", error->message);
}
END_TEST

/* --- blit ------------------------------------------------------------------------------------- */

static const struct {
    uint32_t lanes, warp, lane, x, y;
} pixels[] = {
    /* quads side by side, four in a row of eight pixels */
    {32, 0, 0, 0, 0},
    {32, 0, 1, 1, 0},
    {32, 0, 2, 0, 1},
    {32, 0, 3, 1, 1},
    {32, 0, 4, 2, 0},
    {32, 0, 15, 7, 1},
    {32, 0, 16, 0, 2},
    {32, 0, 31, 7, 3},
    /* two warps side by side in a CTA's 16 pixels, the third below */
    {32, 1, 0, 8, 0},
    {32, 2, 0, 0, 4},
    {32, 7, 31, 15, 15},
    /* 8 x 8 pixels */
    {64, 0, 31, 7, 3},
    {64, 0, 63, 7, 7},
    {64, 1, 32, 8, 4},
    {64, 2, 0, 0, 8},
    {64, 3, 63, 15, 15},
};

/* CTA 3 of an image of 48 x 32 pixels, two rows of three CTAs: at (0, 16). */
START_TEST(a_pixel_samples_at_its_own_place)
{
    g_autoptr(LaunchList) list =
        launches_with("workload.pattern=blit\nworkload.width=48\nworkload.height=32\n"
                      "workload.scale_x=2\nworkload.scale_y=0.5\n"
                      "workload.offset_x=100\nworkload.offset_y=-3\n",
                      pixels[_i].lanes);
    const Kernel *kernel = kernel_of(list, 0);
    ck_assert_uint_eq(kernel->ctas, 6);
    ck_assert_uint_eq(kernel_warps(kernel), 256 / pixels[_i].lanes);
    g_autoptr(GArray) warp = sample_warp(kernel, 3, pixels[_i].warp);
    const Sampled *sample = sampled_at(warp, 1);
    ck_assert_int_eq(sample->in.sample_mode, SAMPLE_IMPLICIT);
    ck_assert_uint_eq(sample->in.mask, lowest_lanes(pixels[_i].lanes));
    assert_point(sample, pixels[_i].lane, 100 + (pixels[_i].x + 0.5) * 2,
                 -3 + (16 + pixels[_i].y + 0.5) * 0.5);
}
END_TEST

/* A quarter turn: rows become columns. */
START_TEST(a_turned_texture_is_walked_another_way)
{
    g_autoptr(LaunchList) list = launches_of("workload.pattern=blit\nworkload.turn=90\n"
                                             "workload.scale_x=2\nworkload.offset_x=1000\n");
    g_autoptr(GArray) warp = sample_warp(kernel_of(list, 0), 0, 0);
    assert_point(sampled_at(warp, 1), 0, 1000 - 2 * 0.5, 0.5);
    assert_point(sampled_at(warp, 1), 1, 1000 - 2 * 0.5, 1.5);
    assert_point(sampled_at(warp, 1), 31, 1000 - 2 * 3.5, 7.5);
}
END_TEST

START_TEST(a_warp_of_another_shape_has_other_pixels)
{
    g_autoptr(LaunchList) list =
        launches_of("workload.pattern=blit\nworkload.warp_width=16\nworkload.cta_width=32\n");
    g_autoptr(GArray) warp = sample_warp(kernel_of(list, 0), 0, 3);
    const Sampled *sample = sampled_at(warp, 1); /* second of two in the second row of warps */
    assert_point(sample, 0, 16.5, 2.5);
    assert_point(sample, 31, 31.5, 3.5);
}
END_TEST

/* 10 x 3 pixels in a CTA of 16 x 16. */
START_TEST(lanes_outside_of_the_image_are_idle_and_have_coordinates)
{
    g_autoptr(LaunchList) list =
        launches_of("workload.pattern=blit\nworkload.width=10\nworkload.height=3\n");
    const Kernel *kernel = kernel_of(list, 0);
    g_autoptr(GArray) left = sample_warp(kernel, 0, 0);
    g_autoptr(GArray) right = sample_warp(kernel, 0, 1);
    g_autoptr(GArray) below = sample_warp(kernel, 0, 2);
    /* two rows of quads; of the lower one only the upper lanes, 2 of 4 */
    ck_assert_uint_eq(sampled_at(left, 1)->in.mask, 0x3333ffff);
    ck_assert_uint_eq(sampled_at(right, 1)->in.mask, 0x0003000f);
    assert_point(sampled_at(right, 1), 18, 8.5, 3.5);
    ck_assert_uint_eq(below->len, 1);
    ck_assert_int_eq(sampled_at(below, 0)->in.operation, OPERATION_EXIT);
}
END_TEST

START_TEST(several_textures_are_sampled_and_mixed)
{
    g_autoptr(LaunchList) list =
        launches_of("workload.pattern=blit\nworkload.textures=3\nworkload.texture_format=rgba16f\n"
                    "workload.texture_layout=linear\nworkload.texture_width=100\n"
                    "workload.texture_height=10\nworkload.width=64\nworkload.height=64\n");
    const Kernel *kernel = kernel_of(list, 0);
    g_autoptr(GArray) warp = sample_warp(kernel, 0, 0);
    static const uint8_t expected[] = {OPERATION_ALU,   OPERATION_LOAD, OPERATION_LOAD,
                                       OPERATION_LOAD,  OPERATION_ALU,  OPERATION_ALU,
                                       OPERATION_STORE, OPERATION_EXIT};
    ck_assert_uint_eq(warp->len, G_N_ELEMENTS(expected));
    for (guint i = 0; i < warp->len; i++)
        ck_assert_uint_eq(sampled_at(warp, i)->in.operation, expected[i]);
    for (guint i = 1; i <= 3; i++) {
        const Instruction *sample = &sampled_at(warp, i)->in;
        ck_assert_uint_eq(sample->space, SPACE_TEXTURE);
        ck_assert_uint_eq(sample->width, 8);
        ck_assert_uint_eq(sample->destination_count, 2);
        /* rows of 800 B are padded to 1024, ten of them */
        ck_assert_uint_eq(sample->binding->texture.address, (i - 1) * 10240);
    }
    ck_assert_uint_eq(sampled_at(warp, 5)->in.sources[1], sampled_at(warp, 3)->in.destination);
    ck_assert_uint_eq(sampled_at(warp, 6)->in.sources[2], sampled_at(warp, 5)->in.destination);
    ck_assert_uint_eq(kernel->footprint, 3 * 10240 + 64 * 64 * 4);
    ck_assert_uint_eq(kernel->counted_bytes, 64 * 64 * (3 * 8 + 4));
}
END_TEST

static const struct {
    const char *layout;
    uint64_t right, below, tile_right, tile_below; /* bytes from pixel (0, 0) */
} targets[] = {
    {"linear", 4, 1024, 64, 8192},
    {"blocked", 4, 64, 512, 8192}, /* 16 tiles of 64 B x 8 rows */
    {"morton", 4, 8, 1024, 512},   /* x = 16: bit 8; y = 8: bit 7, of 4 B */
};

START_TEST(pixels_are_stored_in_the_layout_of_the_target)
{
    g_autofree char *text =
        g_strdup_printf("workload.pattern=blit\nworkload.width=256\nworkload.height=256\n"
                        "workload.target_layout=%s\nworkload.texture_width=512\n",
                        targets[_i].layout);
    g_autoptr(LaunchList) list = launches_of(text);
    const uint64_t base = 512 * 512 * 4; /* behind the texture */
    g_autoptr(GArray) first = fetch_warp(kernel_of(list, 0), 0, 0, NULL);
    g_autoptr(GArray) lower = fetch_warp(kernel_of(list, 0), 0, 4, NULL);
    g_autoptr(GArray) next = fetch_warp(kernel_of(list, 0), 1, 0, NULL);
    ck_assert_uint_eq(fetched_at(first, 2)->in.operation, OPERATION_STORE);
    ck_assert_uint_eq(fetched_at(first, 2)->lanes, 32);
    ck_assert_uint_eq(fetched_at(first, 2)->address[0], base);
    ck_assert_uint_eq(fetched_at(first, 2)->address[1], base + targets[_i].right);
    ck_assert_uint_eq(fetched_at(first, 2)->address[2], base + targets[_i].below);
    ck_assert_uint_eq(fetched_at(next, 2)->address[0], base + targets[_i].tile_right);
    ck_assert_uint_eq(fetched_at(lower, 2)->address[0], base + targets[_i].tile_below);
}
END_TEST

START_TEST(without_a_target_the_sample_is_waited_for)
{
    g_autoptr(LaunchList) list = launches_of(
        "workload.pattern=blit\nworkload.target_layout=none\nworkload.index_instructions=0\n");
    const Kernel *kernel = kernel_of(list, 0);
    g_autoptr(GArray) warp = sample_warp(kernel, 0, 0);
    ck_assert_uint_eq(warp->len, 3);
    ck_assert_ptr_nonnull(sampled_at(warp, 0)->in.binding);
    ck_assert_uint_eq(sampled_at(warp, 1)->in.sources[0], sampled_at(warp, 0)->in.destination);
    ck_assert_uint_eq(kernel->footprint, 512 * 512 * 4);
    ck_assert_uint_eq(kernel->counted_bytes, 512 * 512 * 4);
}
END_TEST

/* A block of bc1 has 16 texels in 8 B. */
START_TEST(a_compressed_texel_counts_its_share_of_the_block)
{
    g_autoptr(LaunchList) list =
        launches_of("workload.pattern=blit\nworkload.texture_format=bc1\n"
                    "workload.width=64\nworkload.height=64\nworkload.target_layout=none\n");
    ck_assert_uint_eq(kernel_of(list, 0)->counted_bytes, 64 * 64 / 2);
}
END_TEST

/* --- chase ------------------------------------------------------------------------------------ */

/* 8 KiB of texels in rows of 64, 64 B apart: 128 nodes, four a row. */
START_TEST(a_chase_fetches_each_of_its_texels_once_a_round)
{
    g_autoptr(LaunchList) list =
        launches_of("workload.pattern=texture_chase\nworkload.footprint=8 KiB\n"
                    "workload.stride=64 B\nworkload.loads=256\n");
    const Kernel *kernel = kernel_of(list, 0);
    g_autoptr(GArray) warp = sample_warp(kernel, 0, 0);
    uint32_t visits[128] = {0};
    ck_assert_uint_eq(warp->len, 257);
    for (guint i = 0; i < 256; i++) {
        const Sampled *s = sampled_at(warp, i);
        const uint32_t x = (uint32_t)s->at.point[0].x, y = (uint32_t)s->at.point[0].y;
        ck_assert_int_eq(s->in.sample_mode, SAMPLE_FETCH);
        ck_assert_uint_eq(s->in.mask, 1);
        ck_assert_uint_eq(s->in.sources[0], s->in.destination); /* waits for the one before */
        ck_assert_uint_eq(x % 16, 0);
        ck_assert_uint_lt(x, 64);
        ck_assert_uint_lt(y, 32);
        visits[y * 4 + x / 16]++;
    }
    for (guint node = 0; node < 128; node++) ck_assert_uint_eq(visits[node], 2);
    ck_assert_uint_eq(kernel->dependent_loads, 256);
    ck_assert_uint_eq(kernel->footprint, 8192);
}
END_TEST

START_TEST(a_chase_goes_on_where_another_ended)
{
    const char *keys = "workload.pattern=texture_chase\nworkload.loads=%u\n"
                       "workload.start_load=%u\nworkload.texture_kind=1d\n";
    g_autofree char *all = g_strdup_printf(keys, 40, 0);
    g_autofree char *rest = g_strdup_printf(keys, 10, 30);
    g_autoptr(LaunchList) whole = launches_of(all);
    g_autoptr(LaunchList) part = launches_of(rest);
    g_autoptr(GArray) a = sample_warp(kernel_of(whole, 0), 0, 0);
    g_autoptr(GArray) b = sample_warp(kernel_of(part, 0), 0, 0);
    for (guint i = 0; i < 10; i++) {
        const TexturePoint point = sampled_at(b, i)->at.point[0];
        assert_point(sampled_at(a, 30 + i), 0, point.x, 0);
    }
}
END_TEST

/* --- all -------------------------------------------------------------------------------------- */

static const char *const patterns[] = {"blit", "convolution", "texture_lookup", "texture_random",
                                       "texture_chase"};

/* Any instruction can be had without those before it, and registers stay in range. */
START_TEST(streams_are_functions_of_the_position)
{
    g_autofree char *text = g_strdup_printf("workload.pattern=%s\n", patterns[_i / 2]);
    g_autoptr(LaunchList) list = launches_with(text, _i % 2 ? 64 : 32);
    const Kernel *kernel = kernel_of(list, 0);
    ck_assert_uint_eq(kernel->warp_lanes, _i % 2 ? 64 : 32);
    g_autoptr(GArray) warp = sample_warp(kernel, 0, 0);
    for (guint i = 0; i < warp->len; i++) {
        const Sampled *expected = sampled_at(warp, i);
        uint64_t addresses[LANES_MAX];
        WarpCursor cursor = {.addresses = addresses, .position = i};
        Sampled s = {0};
        kernel->class->fetch(kernel, &cursor, &s.in);
        ck_assert_uint_eq(s.in.pc, expected->in.pc);
        ck_assert_uint_eq(s.in.operation, expected->in.operation);
        ck_assert_ptr_eq(s.in.binding, expected->in.binding);
        if (!s.in.binding) continue;
        kernel->class->coordinates(kernel, &cursor, &s.in, &s.at);
        ck_assert_mem_eq(&s.at, &expected->at, sizeof s.at);
        ck_assert_uint_le(s.in.destination + s.in.destination_count, 255);
    }
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("texture_workloads");
    tcase_add_test(cases, keys_say_what_a_texture_and_its_sampler_are);
    tcase_add_loop_test(cases, mipmaps_are_none_all_or_so_many, 0, G_N_ELEMENTS(mip_chains));
    tcase_add_loop_test(cases, bad_keys_are_refused_with_their_place, 0, G_N_ELEMENTS(bad));
    tcase_add_loop_test(cases, a_pixel_samples_at_its_own_place, 0, G_N_ELEMENTS(pixels));
    tcase_add_test(cases, a_turned_texture_is_walked_another_way);
    tcase_add_test(cases, a_warp_of_another_shape_has_other_pixels);
    tcase_add_test(cases, lanes_outside_of_the_image_are_idle_and_have_coordinates);
    tcase_add_test(cases, several_textures_are_sampled_and_mixed);
    tcase_add_loop_test(cases, pixels_are_stored_in_the_layout_of_the_target, 0,
                        G_N_ELEMENTS(targets));
    tcase_add_test(cases, without_a_target_the_sample_is_waited_for);
    tcase_add_test(cases, a_compressed_texel_counts_its_share_of_the_block);
    tcase_add_test(cases, a_chase_fetches_each_of_its_texels_once_a_round);
    tcase_add_test(cases, a_chase_goes_on_where_another_ended);
    tcase_add_loop_test(cases, streams_are_functions_of_the_position, 0,
                        2 * G_N_ELEMENTS(patterns));
    Suite *suite = suite_create("texture_workloads");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
