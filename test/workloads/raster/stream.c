/* The rasteriser's kernel: warps of quads, their coordinates, and what they touch. */
#include "rig.h"
#include "rigs/harness.h"

#include <math.h>

/* A scene whose warps, pixels and draws are all mixed up. */
#define MIXED                                                                                      \
    RASTER("workload.scene=soup\nworkload.screen_width=130\nworkload.screen_height=90\n"           \
           "workload.triangle_area=20\nworkload.overdraw=3\nworkload.textures=6\n"                 \
           "workload.textures_per_pixel=2\nworkload.triangles_per_draw=5\n"                        \
           "workload.texture_width=256\nworkload.mipmaps=no\n")

static double fact(const Kernel *kernel, const char *name)
{
    for (uint32_t i = 0; i < kernel->fact_count; i++)
        if (!strcmp(kernel->facts[i].name, name)) return kernel->facts[i].value;
    ck_abort_msg("no %s", name);
    return 0;
}

/* --- instructions ----------------------------------------------------------------------------- */

static const struct {
    const char *keys;
    uint8_t operation[9], unit[9];
    uint32_t count;
} streams[] = {
    {"workload.output=none\nworkload.shader_instructions=0\nworkload.interpolation_instructions=0\n",
     {OPERATION_LOAD, OPERATION_ALU, OPERATION_EXIT},
     {EXECUTE_TEXTURE, EXECUTE_FP32, EXECUTE_OTHER},
     3},
    {"workload.textures=2\nworkload.textures_per_pixel=2\n",
     {OPERATION_ALU, OPERATION_LOAD, OPERATION_LOAD, OPERATION_ALU, OPERATION_ALU, OPERATION_ALU,
      OPERATION_STORE, OPERATION_EXIT},
     {EXECUTE_FP32, EXECUTE_TEXTURE, EXECUTE_TEXTURE, EXECUTE_FP32, EXECUTE_FP32, EXECUTE_FP32,
      EXECUTE_OTHER, EXECUTE_OTHER},
     8},
    {"workload.output=blend\n",
     {OPERATION_ALU, OPERATION_LOAD, OPERATION_ALU, OPERATION_ALU, OPERATION_ATOMIC,
      OPERATION_EXIT},
     {EXECUTE_FP32, EXECUTE_TEXTURE, EXECUTE_FP32, EXECUTE_FP32, EXECUTE_OTHER, EXECUTE_OTHER},
     6},
};

START_TEST(a_warp_interpolates_samples_combines_shades_and_writes)
{
    g_autofree char *text = g_strconcat(
        RASTER("workload.scene=quad\nworkload.shader_instructions=7\n"), streams[_i].keys, NULL);
    g_autoptr(LaunchList) list = launches_of(text);
    g_autoptr(GArray) warp = fetch_warp(kernel_of(list, 0), 1, 2, NULL);
    ck_assert_uint_eq(warp->len, streams[_i].count);
    const Instruction *last_sample = NULL;
    for (guint i = 0; i < warp->len; i++) {
        const Instruction *in = &fetched_at(warp, i)->in;
        ck_assert_uint_eq(in->operation, streams[_i].operation[i]);
        ck_assert_uint_eq(in->unit, streams[_i].unit[i]);
        if (in->binding) last_sample = in;
        if (in->operation == OPERATION_ATOMIC) ck_assert_uint_eq(in->atomic, ATOMIC_BLEND);
        if (in->operation == OPERATION_ATOMIC) ck_assert_uint_eq(in->destination_count, 0);
    }
    ck_assert(last_sample->binding->sampler.normalized);
    ck_assert_uint_eq(last_sample->sample_mode, SAMPLE_IMPLICIT);
    const guint combine = streams[_i].count == 8 ? 4 : streams[_i].count == 6 ? 2 : 1;
    ck_assert_uint_eq(fetched_at(warp, combine)->in.sources[0], last_sample->destination);
}
END_TEST

/* Pixels of 4 B in tiles of 64 B x 8 rows, behind a texture of 1024 x 1024 x 4 B. The second warp's
 * 8 quads are in tile order those from pixel (0, 2) on, 16 pixels wide. */
START_TEST(pixels_go_to_the_tiled_target)
{
    g_autoptr(LaunchList) list =
        launches_of(RASTER("workload.scene=quad\nworkload.screen_width=64\n"
                           "workload.screen_height=64\nworkload.mipmaps=no\n"));
    const Kernel *kernel = kernel_of(list, 0);
    g_autoptr(GArray) warp = fetch_warp(kernel, 0, 1, NULL);
    const Fetched *store = fetched_at(warp, warp->len - 2);
    ck_assert_uint_eq(store->lanes, 32);
    const uint64_t target = 4 << 20;
    ck_assert_uint_eq(store->address[0], target + 2 * 64);           /* (0, 2) */
    ck_assert_uint_eq(store->address[1], target + 2 * 64 + 4);       /* (1, 2) */
    ck_assert_uint_eq(store->address[2], target + 3 * 64);           /* (0, 3) */
    ck_assert_uint_eq(store->address[31], target + 3 * 64 + 15 * 4); /* (15, 3) */
    ck_assert_uint_eq(kernel->footprint, (4 << 20) + 64 * 64 * 4);
}
END_TEST

START_TEST(an_instruction_is_the_same_each_time_and_without_those_before_it)
{
    g_autoptr(LaunchList) one = launches_of(MIXED), two = launches_of(MIXED);
    const Kernel *kernel = kernel_of(one, 0), *again = kernel_of(two, 0);
    ck_assert_uint_eq(kernel->ctas, again->ctas);
    for (uint64_t cta = 0; cta < kernel->ctas; cta += 3) {
        g_autoptr(GArray) a = fetch_warp(kernel, cta, 1, NULL);
        g_autoptr(GArray) b = fetch_warp(again, cta, 1, NULL);
        ck_assert_uint_eq(a->len, b->len);
        for (guint i = 0; i < a->len; i++) {
            uint64_t addresses[LANES_MAX];
            WarpCursor cursor = {
                .addresses = addresses, .cta = cta, .warp = 1, .position = a->len - 1 - i};
            const Fetched alone = fetch_one(kernel, &cursor);
            assert_same_instruction(fetched_at(a, i), fetched_at(b, i));
            assert_same_instruction(&alone, fetched_at(a, a->len - 1 - i));
        }
        Sampled left, right;
        ck_assert(find_sample(kernel, cta, 1, &left) == find_sample(again, cta, 1, &right));
        for (uint32_t lane = 0; lane < 32; lane++)
            if (quad_mask(&left, lane / 4))
                ck_assert_mem_eq(&left.at.point[lane], &right.at.point[lane], sizeof(TexturePoint));
    }
}
END_TEST

START_TEST(another_seed_draws_another_soup)
{
    g_autoptr(LaunchList) one = launches_of(MIXED);
    g_autoptr(LaunchList) other = launches_of(MIXED "workload.seed=1\n");
    Sampled left, right;
    ck_assert(find_sample(kernel_of(one, 0), 0, 0, &left));
    ck_assert(find_sample(kernel_of(other, 0), 0, 0, &right));
    ck_assert_mem_ne(&left.at.point[0], &right.at.point[0], sizeof(TexturePoint));
}
END_TEST

START_TEST(a_soup_may_have_so_many_triangles_instead)
{
    g_autoptr(LaunchList) list =
        launches_of(RASTER("workload.scene=soup\nworkload.triangles=7\nworkload.overdraw=1000\n"
                           "workload.triangle_area=1\nworkload.screen_width=64\n"
                           "workload.screen_height=64\nworkload.seed=3\n"));
    ck_assert_double_le(fact(kernel_of(list, 0), "triangles"), 7);
}
END_TEST

/* --- quads and warps -------------------------------------------------------------------------- */

/* One texel a pixel, turned by the triangle's own angle: each step of a quad is 1/256 long and the
 * steps across and down stand upright on each other, whether pixels are covered or not. */
START_TEST(pixels_that_are_not_covered_have_coordinates)
{
    g_autoptr(LaunchList) list = launches_of(MIXED);
    const Kernel *kernel = kernel_of(list, 0);
    uint32_t partial = 0;
    for (uint64_t cta = 0; cta < kernel->ctas; cta++) {
        Sampled s;
        if (!find_sample(kernel, cta, 0, &s)) continue;
        for (uint32_t quad = 0; quad < 8; quad++) {
            const TexturePoint *p = &s.at.point[quad * QUAD_PIXELS];
            partial += quad_mask(&s, quad) && quad_mask(&s, quad) != 0xf;
            if (!quad_mask(&s, quad)) continue;
            const float right[2] = {p[1].x - p[0].x, p[1].y - p[0].y};
            const float down[2] = {p[2].x - p[0].x, p[2].y - p[0].y};
            ck_assert_float_eq_tol(hypotf(right[0], right[1]), 1.0f / 256, 1e-5);
            ck_assert_float_eq_tol(hypotf(down[0], down[1]), 1.0f / 256, 1e-5);
            ck_assert_float_eq_tol(p[3].x - p[2].x, right[0], 1e-5);
            ck_assert_float_eq_tol(p[3].y - p[1].y, down[1], 1e-5);
            ck_assert_float_eq_tol(right[0] * down[0] + right[1] * down[1], 0, 1e-7);
        }
    }
    ck_assert_uint_gt(partial, 100);
}
END_TEST

START_TEST(pixels_that_are_not_covered_compute_but_write_nothing)
{
    g_autoptr(LaunchList) list = launches_of(MIXED);
    g_autoptr(GArray) warp = fetch_warp(kernel_of(list, 0), 1, 0, NULL);
    const Instruction *compute = &fetched_at(warp, 0)->in, *sample = &fetched_at(warp, 1)->in;
    const Fetched *store = fetched_at(warp, warp->len - 2);
    ck_assert_uint_ne(sample->mask, compute->mask);
    ck_assert_uint_eq(sample->mask & ~compute->mask, 0);
    ck_assert_uint_eq(store->in.operation, OPERATION_STORE);
    ck_assert_uint_eq(store->in.mask, sample->mask);
}
END_TEST

typedef struct {
    uint64_t warps, full, mixed; /* warps with 8 quads; with quads of several triangles */
    uint64_t pixels, quads;
    uint64_t textures; /* bit mask of first textures */
} Census;

static Census take_census(const Kernel *kernel)
{
    Census census = {0};
    for (uint64_t warp = 0; warp < kernel->ctas * kernel_warps(kernel); warp++) {
        Sampled s;
        if (!find_sample(kernel, warp / kernel_warps(kernel), warp % kernel_warps(kernel), &s))
            continue;
        uint32_t quads = 0;
        float angle[2] = {0, 0};
        for (uint32_t quad = 0; quad < kernel->warp_lanes / QUAD_PIXELS; quad++) {
            const TexturePoint *p = &s.at.point[quad * QUAD_PIXELS];
            if (!quad_mask(&s, quad)) continue;
            angle[quads > 0] = p[1].x - p[0].x;
            quads++;
        }
        census.warps++;
        census.quads += quads;
        census.full += quads == kernel->warp_lanes / QUAD_PIXELS;
        census.mixed += quads > 1 && fabsf(angle[0] - angle[1]) > 1e-5f;
        census.pixels += (uint64_t)__builtin_popcountll(s.sample.mask);
        census.textures |= UINT64_C(1) << s.sample.binding->texture.address / (256 * 256 * 4);
    }
    return census;
}

START_TEST(triangles_share_warps_within_a_draw)
{
    g_autoptr(LaunchList) mixed = launches_of(MIXED);
    g_autoptr(LaunchList) single = launches_of(MIXED "workload.triangles_per_draw=1000000\n");
    g_autoptr(LaunchList) lonely = launches_of(MIXED "workload.triangles_per_draw=1\n");
    const Census draws = take_census(kernel_of(mixed, 0)), one = take_census(kernel_of(single, 0));
    const Census none = take_census(kernel_of(lonely, 0));
    ck_assert_uint_eq(draws.textures, 0x15); /* of 6 textures, 2 a pixel, the first is 0, 2 or 4 */
    ck_assert_uint_ge(one.full, one.warps - 1);
    ck_assert_uint_eq(__builtin_popcountll(one.textures), 1);
    ck_assert_uint_gt(one.mixed, one.warps / 2);
    ck_assert_uint_gt(draws.mixed, 0);
    ck_assert_uint_lt(draws.full, draws.warps);
    ck_assert_uint_gt(none.warps, draws.warps);
    ck_assert_uint_eq(draws.quads, one.quads);
    ck_assert_uint_eq(draws.pixels, none.pixels);
    ck_assert_double_eq(fact(kernel_of(mixed, 0), "quads"), (double)draws.quads);
    ck_assert_double_eq(fact(kernel_of(mixed, 0), "pixels"), (double)draws.pixels);
    ck_assert_double_eq(fact(kernel_of(mixed, 0), "quad_efficiency"),
                        (double)draws.pixels / 4 / (double)draws.quads);
    ck_assert_double_eq_tol(fact(kernel_of(mixed, 0), "overdraw"), 3, 0.1);
}
END_TEST

START_TEST(a_warp_of_64_lanes_has_16_quads)
{
    g_autoptr(LaunchList) narrow = launches_of(MIXED), wide = launches_with(MIXED, 64);
    const Kernel *small = kernel_of(narrow, 0), *large = kernel_of(wide, 0);
    ck_assert_uint_eq(kernel_warps(large) * 2, kernel_warps(small));
    ck_assert_uint_eq(take_census(large).quads, take_census(small).quads);
    Sampled low, high, both;
    ck_assert(find_sample(large, 0, 0, &both) && find_sample(small, 0, 0, &low));
    ck_assert_uint_eq(both.sample.mask & UINT32_MAX, low.sample.mask);
    ck_assert_mem_eq(&both.at.point[0], &low.at.point[0], sizeof(TexturePoint));
    g_autoptr(LaunchList) whole = launches_of(RASTER("workload.scene=quad\n"));
    g_autoptr(LaunchList) doubled = launches_with(RASTER("workload.scene=quad\n"), 64);
    ck_assert(find_sample(kernel_of(whole, 0), 0, 1, &high));
    ck_assert(find_sample(kernel_of(doubled, 0), 0, 0, &both));
    ck_assert_mem_eq(&both.at.point[32], &high.at.point[0], 32 * sizeof(TexturePoint));
}
END_TEST

/* --- mistakes --------------------------------------------------------------------------------- */

static const struct {
    const char *keys, *message;
} mistakes[] = {
    {"workload.texture_kind=3d\n",
     "test.ini:2: workload.texture_kind = 3d: triangles are textured with 2d images"},
    {"workload.tile=12\n", "test.ini:2: workload.tile = 12: not a power of two"},
    {"workload.threads_per_cta=48\n", "workload.threads_per_cta = 48: not whole warps of 32 lanes"},
    {"workload.textures=3\nworkload.textures_per_pixel=2\n",
     "workload.textures = 3: not a multiple of textures_per_pixel (2)"},
    {"workload.scene=soup\nworkload.triangle_area=0.25\nworkload.overdraw=10\n",
     "workload.overdraw = 10: takes 9216000 triangles of this area, at most 1048576"},
    {"workload.screen_width=8193\n", "allowed: whole number from 1 to 8192"},
    {"workload.scene=flor\n", "did you mean 'floor'"},
    {"workload.screen_height=8192\nworkload.screen_width=8192\nworkload.scene=soup\n"
     "workload.triangles=40\nworkload.triangle_area=10000000\nworkload.depth_test=no\n",
     "workload.screen_width = 8192: the scene has more than 16777216 quads of 2 x 2 pixels"},
    {"workload.camera_pitch=0\nworkload.screen_height=1\nworkload.screen_width=1\n"
     "workload.camera_yaw=5\nworkload.view_distance=1\nworkload.camera_height=1000\n",
     "workload.scene = floor (the default): no pixel of the screen is covered"},
    {"workload.texture_format=rgba9\n", "did you mean 'rgba8'"},
};

START_TEST(a_wrong_key_is_named_with_its_place)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strconcat("workload.pattern=raster\n", mistakes[_i].keys, NULL);
    g_autoptr(Configuration) configuration = configure(text);
    const WorkloadContext context = {.seed = 1, .warp_lanes = 32};
    LaunchList *list = workload_build(configuration, &context, &error);
    ck_assert_ptr_null(list);
    ck_assert_msg(strstr(error->message, mistakes[_i].message) != NULL, "%s", error->message);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("raster_stream");
    tcase_add_loop_test(cases, a_warp_interpolates_samples_combines_shades_and_writes, 0,
                        G_N_ELEMENTS(streams));
    tcase_add_test(cases, pixels_go_to_the_tiled_target);
    tcase_add_test(cases, an_instruction_is_the_same_each_time_and_without_those_before_it);
    tcase_add_test(cases, another_seed_draws_another_soup);
    tcase_add_test(cases, a_soup_may_have_so_many_triangles_instead);
    tcase_add_test(cases, pixels_that_are_not_covered_have_coordinates);
    tcase_add_test(cases, pixels_that_are_not_covered_compute_but_write_nothing);
    tcase_add_test(cases, triangles_share_warps_within_a_draw);
    tcase_add_test(cases, a_warp_of_64_lanes_has_16_quads);
    tcase_add_loop_test(cases, a_wrong_key_is_named_with_its_place, 0, G_N_ELEMENTS(mistakes));
    Suite *suite = suite_create("raster_stream");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
