/* What the rasteriser's samples touch: mip levels along a floor, lines of neighbours. */
#include "parts/cache/tag_array.h"
#include "rig.h"
#include "rigs/harness.h"

#include <math.h>

static void find_detail(const Sampled *s, uint32_t quad, TextureDetail *detail)
{
    texture_detail_of_quad(&s->sample.binding->texture, &s->sample.binding->sampler,
                           &s->at.point[quad * QUAD_PIXELS], detail);
}

/* Looking at the horizon from half a texture's side above the floor. */
#define FLOOR                                                                                      \
    RASTER("workload.scene=floor\nworkload.camera_pitch=0\nworkload.wrap=repeat\n"                 \
           "workload.mipmaps=yes\nworkload.walk=rows\nworkload.screen_width=256\n"                 \
           "workload.screen_height=256\n")

enum { FLOOR_PAIRS = 64 /* of rows */ };

/* By quads' rows below the horizon. */
typedef struct {
    TextureDetail pair[FLOOR_PAIRS];
} FloorDetail;

/* The distance of row n below the horizon is 1/2 side x focal length / n, and that is v. Of each
 * row the quad left of the middle, where u is 0. */
static const double focal_length = 128 * 1.7320508075688772; /* pixels: half of them / tan 30 */

static FloorDetail find_floor_details(const char *keys)
{
    g_autofree char *text = g_strconcat(FLOOR, keys, NULL);
    g_autoptr(LaunchList) list = launches_of(text);
    const Kernel *kernel = kernel_of(list, 0);
    FloorDetail floor = {0};
    for (uint64_t warp = 0; warp < kernel->ctas * kernel_warps(kernel); warp++) {
        Sampled s;
        if (!find_sample(kernel, warp / kernel_warps(kernel), warp % kernel_warps(kernel), &s))
            continue;
        for (uint32_t quad = 0; quad < 8; quad++) {
            const TexturePoint *p = &s.at.point[quad * QUAD_PIXELS];
            if (!quad_mask(&s, quad) || p[1].x >= 0 || p[1].x <= p[0].x / 2) continue;
            const double n = 0.5 * focal_length / p[0].y;
            find_detail(&s, quad, &floor.pair[lrint(n - 0.5) / 2]);
        }
    }
    return floor;
}

/* Between rows n - 1/2 and n + 1/2 below the horizon lie f / 2 / (n^2 - 1/4) sides of 1024 texels,
 * between columns 1 / 2n: a ratio of f / n, more than 8 above row 27. */
START_TEST(along_the_floor_the_mip_level_rises_with_distance)
{
    const FloorDetail plain = find_floor_details(""),
                      fine = find_floor_details("workload.anisotropy=8\n");
    for (uint32_t pair = 2; pair < FLOOR_PAIRS; pair++) {
        const double n = 2 * pair + 1, length = 512 * focal_length / (n * n - 0.25);
        const double level = MIN(log2(length), 10);
        ck_assert_double_eq_tol(plain.pair[pair].level, level, 0.01);
        ck_assert_uint_eq(plain.pair[pair].probes, 1);
        if (n >= 27) continue;
        ck_assert_uint_eq(fine.pair[pair].probes, 8);
        ck_assert_double_eq_tol(fine.pair[pair].level, log2(length) - 3, 0.01);
    }
    ck_assert_uint_le(fine.pair[60].probes, 2); /* ratio 1.8 */
}
END_TEST

/* Lines of 128 B that the whole stream's samples fetch into a cache of so many lines, fully
 * associative, quad after quad. */
static uint64_t count_fetches(const char *keys, uint64_t lines)
{
    g_autofree char *text =
        g_strconcat(RASTER("workload.scene=quad\nworkload.output=none\n"), keys, NULL);
    g_autoptr(LaunchList) list = launches_of(text);
    const Kernel *kernel = kernel_of(list, 0);
    TagArray tags;
    uint64_t fetches = 0;
    tag_array_init(&tags, &(TagArrayShape){.sets = 1, .ways = lines});
    for (uint64_t warp = 0; warp < kernel->ctas * kernel_warps(kernel); warp++) {
        Sampled s;
        if (!find_sample(kernel, warp / kernel_warps(kernel), warp % kernel_warps(kernel), &s))
            continue;
        for (uint32_t lane = 0; lane < 32; lane++) {
            if (!(s.sample.mask >> lane & 1)) continue;
            const TextureBinding *binding = s.sample.binding;
            TextureDetail detail;
            SampleStep step;
            find_detail(&s, lane / QUAD_PIXELS, &detail);
            texture_sample_step(&binding->texture, &binding->sampler, &detail, &s.at.point[lane], 0,
                                &step);
            for (uint32_t texel = 0; texel < step.count; texel++) {
                const uint64_t line = step.address[texel] / 128;
                uint32_t place = tag_array_find(&tags, line);
                if (place == TAG_NONE) {
                    place = tag_array_victim(&tags, line);
                    tag_array_replace(&tags, place, line);
                    fetches++;
                }
                tag_array_touch(&tags, place);
            }
        }
    }
    tag_array_finish(&tags);
    return fetches;
}

#define SHEET                                                                                      \
    "workload.screen_width=1024\nworkload.screen_height=256\nworkload.filter=bilinear\n"           \
    "workload.texture_width=1024\nworkload.texture_height=256\nworkload.wrap=clamp\n"              \
    "workload.texels_per_pixel=1.001\n"

/* The sheet has 1024 x 256 x 4 B = 8192 lines, of 16 x 2 texels each. Rows of quads touch 64 or, as
 * samples lie between texels, 128 of them: more than 32, so each is fetched about twice. */
START_TEST(tiles_and_z_order_find_more_of_a_tiled_texture_in_a_small_cache_than_rows)
{
    const uint64_t rows = count_fetches(SHEET "workload.walk=rows\n", 32);
    const uint64_t tiles = count_fetches(SHEET "workload.walk=tiles\n", 32);
    const uint64_t z_order = count_fetches(SHEET "workload.walk=morton\n", 32);
    const uint64_t large = count_fetches(SHEET "workload.walk=rows\n", 512);
    ck_assert_double_eq_tol((double)large / 8192, 1, 0.03);
    ck_assert_double_eq_tol((double)rows / 8192, 2, 0.1);
    ck_assert_uint_lt(tiles * 10, rows * 6);
    ck_assert_uint_lt(z_order * 10, rows * 8);
}
END_TEST

/* A cache of four lines, of 16 x 2 texels in tiles, 8 x 4 along a Z and in GOBs, 32 x 1 in rows. A
 * quad needs 3 x 3 texels: in rows three lines, of which the neighbour finds two or three. */
static const struct {
    const char *layout;
    double least, most; /* fetches a quad */
} layouts[] = {
    {"blocked", 0.125, 0.3}, {"morton", 0.125, 0.35}, {"gob", 0.125, 0.35}, {"linear", 0.4, 0.5}};

START_TEST(neighbouring_quads_find_lines_of_each_other)
{
    const uint64_t quads = 1024 * 256 / 4;
    g_autofree char *keys =
        g_strconcat(SHEET "workload.texture_layout=", layouts[_i].layout, "\n", NULL);
    const double fetches = (double)count_fetches(keys, 4) / (double)quads;
    ck_assert_double_ge(fetches, layouts[_i].least);
    ck_assert_double_le(fetches, layouts[_i].most);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("raster_locality");
    tcase_add_test(cases, along_the_floor_the_mip_level_rises_with_distance);
    tcase_add_test(cases,
                   tiles_and_z_order_find_more_of_a_tiled_texture_in_a_small_cache_than_rows);
    tcase_add_loop_test(cases, neighbouring_quads_find_lines_of_each_other, 0,
                        G_N_ELEMENTS(layouts));
    Suite *suite = suite_create("raster_locality");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
