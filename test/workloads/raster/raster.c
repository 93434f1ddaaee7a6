#include "rig.h"
#include "rigs/harness.h"

#include <math.h>

/* --- coverage --------------------------------------------------------------------------------- */

START_TEST(pixels_whose_centres_are_on_an_edge_belong_to_top_and_left_edges)
{
    /* corners at the centres of pixels 1 and 3, in both windings: pixels 1 and 2 each way */
    static const int64_t halves[][3][2] = {
        {{384, 384}, {896, 384}, {384, 896}},
        {{896, 896}, {896, 384}, {384, 896}},
    };
    const RasterScreen screen = {6, 6};
    uint32_t count[36] = {0}, upper[36] = {0};
    cover(halves[0], screen, upper);
    cover(halves[0], screen, count);
    cover(halves[1], screen, count);
    for (uint32_t y = 0; y < 6; y++)
        for (uint32_t x = 0; x < 6; x++)
            ck_assert_uint_eq(count[y * 6 + x], x >= 1 && x < 3 && y >= 1 && y < 3);
    /* pixel (2, 2) is on the diagonal, which is the upper half's right edge */
    ck_assert_uint_eq(upper[1 * 6 + 1], 1);
    ck_assert_uint_eq(upper[1 * 6 + 2] + upper[2 * 6 + 1], 2);
    ck_assert_uint_eq(upper[2 * 6 + 2], 0);
}
END_TEST

typedef struct {
    int64_t corner[3][2];
} Fixed;

static int64_t doubled_area(const Fixed *t)
{
    const int64_t(*c)[2] = t->corner;
    return (c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) - (c[1][1] - c[0][1]) * (c[2][0] - c[0][0]);
}

/* Replaces triangle number `index` by three around a point within; not if it is too small. */
static void split(GArray *all, guint index, uint64_t salt)
{
    const Fixed whole = g_array_index(all, Fixed, index);
    const double p = (double)(1 + mix64(salt) % 6) / 8, q = (double)(1 + mix64(~salt) % 6) / 8;
    int64_t point[2];
    for (uint32_t axis = 0; axis < 2; axis++) {
        const double from = (double)whole.corner[0][axis];
        const double place = from + p * (1 - q) * ((double)whole.corner[1][axis] - from)
                             + p * q * ((double)whole.corner[2][axis] - from);
        point[axis] = llrint(place / 64) * 64; /* often exactly at a pixel's centre */
    }
    Fixed part[3] = {whole, whole, whole};
    for (uint32_t i = 0; i < 3; i++) {
        memcpy(part[i].corner[i], point, sizeof point);
        if ((doubled_area(&part[i]) > 0) != (doubled_area(&whole) > 0)) return;
    }
    g_array_index(all, Fixed, index) = part[0];
    g_array_append_vals(all, &part[1], 2);
}

START_TEST(triangles_that_make_up_a_square_cover_each_of_its_pixels_once)
{
    const RasterScreen screen = {48, 40};
    const int64_t left = 64 * (_i % 9), top = 64 * (_i % 7), right = 11008 + 64 * (_i % 5),
                  bottom = 9664;
    Fixed halves[2] = {{{{left, top}, {right, top}, {left, bottom}}},
                       {{{left, bottom}, {right, bottom}, {right, top}}}};
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(Fixed));
    g_array_append_vals(all, halves, 2);
    for (uint32_t i = 0; i < 200; i++)
        split(all, (guint)scale64(mix64((uint64_t)_i << 32 | i), all->len),
              mix64(i * 31 + (uint32_t)_i));
    ck_assert_uint_gt(all->len, 200);
    g_autofree uint32_t *count = g_new0(uint32_t, 48 * 40);
    for (guint i = 0; i < all->len; i++) cover(g_array_index(all, Fixed, i).corner, screen, count);
    for (int64_t y = 0; y < 40; y++)
        for (int64_t x = 0; x < 48; x++) {
            const int64_t at_x = x * 256 + 128, at_y = y * 256 + 128;
            const bool within = at_x >= left && at_x < right && at_y >= top && at_y < bottom;
            ck_assert_msg(count[y * 48 + x] == within, "pixel %d %d: %u", (int)x, (int)y,
                          count[y * 48 + x]);
        }
}
END_TEST

START_TEST(walks_differ_only_in_the_order_of_the_quads)
{
    const Scene scene = soup_scene(300, 2);
    const RasterScreen screen = {320, 200};
    g_autofree uint32_t *expected = NULL;
    for (RasterWalk walk = WALK_ROWS; walk <= WALK_MORTON; walk++) {
        const RasterRules rules = rules_of(&scene, walk, false);
        RasterList list = draw_scene(&scene, DRAW_AS_BUILT, &rules);
        g_autofree uint32_t *count = count_shades(&list, screen);
        if (!expected) expected = g_steal_pointer(&count);
        if (count) ck_assert_mem_eq(count, expected, sizeof *count * 320 * 200);
        ck_assert_uint_eq(list.covered, list.shaded);
        raster_list_finish(&list);
    }
}
END_TEST

/* The first quads of a rectangle's upper left half, 32 x 32 pixels. */
static const struct {
    RasterWalk walk;
    uint8_t quad[6][2];
} walks[] = {
    {WALK_ROWS, {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}}},
    {WALK_TILES, {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {3, 0}}},
    {WALK_MORTON, {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {3, 0}}},
};

START_TEST(quads_come_in_rows_tiles_or_z_order)
{
    const Scene scene = quad_scene(32, 32);
    RasterRules rules = rules_of(&scene, walks[_i].walk, false);
    rules.tile = 4;
    RasterList list = draw_scene(&scene, DRAW_AS_BUILT, &rules);
    for (guint i = 0; i < 6; i++) {
        const RasterQuad *quad = &g_array_index(list.quads, RasterQuad, i);
        ck_assert_uint_eq(quad->x, walks[_i].quad[i][0]);
        ck_assert_uint_eq(quad->y, walks[_i].quad[i][1]);
    }
    /* tiles go on to the right, a Z below: quads 8 to 11 */
    const RasterQuad *later = &g_array_index(list.quads, RasterQuad, 8);
    const uint32_t x = walks[_i].walk == WALK_ROWS ? 8 : walks[_i].walk == WALK_TILES ? 4 : 0;
    ck_assert_uint_eq(later->x, x);
    ck_assert_uint_eq(later->y, walks[_i].walk == WALK_MORTON ? 2 : 0);
    raster_list_finish(&list);
}
END_TEST

/* --- scenes ----------------------------------------------------------------------------------- */

START_TEST(a_rectangle_and_a_mesh_fill_the_screen)
{
    Scene scene = quad_scene(61, 37); /* odd: quads stand over the edge */
    const RasterScreen screen = {61, 37};
    scene.mesh_columns = 9;
    scene.mesh_rows = 5;
    scene.waves = 1.25; /* one and a quarter: the border is flat all the same */
    scene.wave_height = 0.3;
    for (scene.kind = SCENE_QUAD; scene.kind <= SCENE_MESH; scene.kind += SCENE_MESH) {
        const RasterRules rules = rules_of(&scene, WALK_TILES, true);
        RasterList list = draw_scene(&scene, DRAW_FRONT_TO_BACK, &rules);
        g_autofree uint32_t *count = count_shades(&list, screen);
        for (uint32_t i = 0; i < 61 * 37; i++) ck_assert_uint_ge(count[i], 1);
        if (scene.kind == SCENE_QUAD) ck_assert_uint_eq(list.covered, 61 * 37);
        raster_list_finish(&list);
    }
}
END_TEST

/* Looking at the horizon, with half of the floor behind the camera. */
START_TEST(a_floor_is_cut_at_the_camera_and_fills_the_screen_below_the_horizon)
{
    const Scene scene = {
        .kind = SCENE_FLOOR,
        .screen_width = 96,
        .screen_height = 54,
        .camera_height = 0.5,
        .field_of_view = 60,
        .view_distance = 1e4,
    };
    const RasterRules rules = rules_of(&scene, WALK_MORTON, false);
    RasterList list = draw_scene(&scene, DRAW_AS_BUILT, &rules);
    g_autofree uint32_t *count = count_shades(&list, rules.screen);
    for (uint32_t i = 0; i < 96 * 54; i++) ck_assert_uint_eq(count[i], i >= 96 * 27);
    ck_assert_uint_eq(list.triangles, 2);
    raster_list_finish(&list);
}
END_TEST

static const struct {
    double area, overdraw;
} soups[] = {{4, 1}, {64, 3}, {64, 0.5}, {900, 2}, {900, 20}};

START_TEST(a_soup_has_the_overdraw_that_was_asked_for)
{
    const Scene scene = soup_scene(soups[_i].area, soups[_i].overdraw);
    const RasterRules rules = rules_of(&scene, WALK_TILES, false);
    RasterList list = draw_scene(&scene, DRAW_AS_BUILT, &rules);
    const double overdraw = (double)list.covered / (320 * 200);
    ck_assert_double_eq_tol(overdraw / soups[_i].overdraw, 1, 0.03);
    raster_list_finish(&list);
}
END_TEST

/* In front of the camera is what is at least 1/64 away. */
START_TEST(what_is_too_near_to_the_camera_is_not_drawn)
{
    RasterTriangle pieces[RASTER_PIECES];
    for (uint32_t i = 0; i < 2; i++) {
        const double w = i ? 0.015 : 0.016;
        const SceneVertex corners[3] = {{-w, w, w, 0, 0}, {w, w, w, 1, 0}, {-w, -w, w, 0, 1}};
        ck_assert_uint_eq(raster_clip(corners, (RasterScreen){8, 8}, pieces), i ? 0 : 1);
    }
}
END_TEST

/* Without waves it is flat. */
START_TEST(a_mesh_has_its_texture_as_often_as_asked_across_and_down)
{
    Scene scene = quad_scene(64, 32);
    scene.kind = SCENE_MESH;
    scene.mesh_columns = 4;
    scene.mesh_rows = 3;
    scene.mesh_repeats = 2;
    const RasterRules rules = rules_of(&scene, WALK_ROWS, false);
    RasterList list = draw_scene(&scene, DRAW_AS_BUILT, &rules);
    for (guint i = 0; i < list.quads->len; i++) {
        const RasterQuad *quad = &g_array_index(list.quads, RasterQuad, i);
        if (!quad->mask) continue;
        const TexturePoint point = raster_point(
            &g_array_index(list.planes, RasterPlanes, quad->planes), quad->x * 2, quad->y * 2);
        ck_assert_double_eq_tol(point.x, (quad->x * 2 + 0.5) / 64 * 2, 1e-6);
        ck_assert_double_eq_tol(point.y, (quad->y * 2 + 0.5) / 32 * 2, 1e-6);
    }
    ck_assert_uint_eq(list.triangles, 24);
    raster_list_finish(&list);
}
END_TEST

/* Of a quarter of a pixel most cover no pixel's centre. Planes are kept of what is shaded. */
START_TEST(triangles_without_a_pixel_do_not_count)
{
    const Scene small = soup_scene(0.25, 0.1), large = soup_scene(400, 4);
    const RasterRules plain = rules_of(&small, WALK_TILES, false);
    const RasterRules tested = rules_of(&large, WALK_TILES, true);
    RasterList few = draw_scene(&small, DRAW_AS_BUILT, &plain);
    RasterList seen = draw_scene(&large, DRAW_FRONT_TO_BACK, &tested);
    ck_assert_uint_gt(few.triangles, 0);
    ck_assert_uint_lt(few.triangles * 2, small.triangles);
    ck_assert_uint_eq(few.triangles, few.planes->len);
    ck_assert_uint_eq(seen.triangles, large.triangles);
    ck_assert_uint_lt(seen.planes->len, large.triangles);
    raster_list_finish(&few);
    raster_list_finish(&seen);
}
END_TEST

/* --- depth ------------------------------------------------------------------------------------ */

static uint64_t count_shaded(const Scene *scene, DrawOrder order, bool depth_test)
{
    const RasterRules rules = rules_of(scene, WALK_TILES, depth_test);
    RasterList list = draw_scene(scene, order, &rules);
    const uint64_t shaded = list.shaded;
    raster_list_finish(&list);
    return shaded;
}

START_TEST(front_to_back_each_pixel_is_shaded_once_and_back_to_front_as_often_as_covered)
{
    const Scene scene = soup_scene(400, 4);
    const RasterRules rules = rules_of(&scene, WALK_TILES, false);
    RasterList all = draw_scene(&scene, DRAW_AS_BUILT, &rules);
    g_autofree uint32_t *count = count_shades(&all, rules.screen);
    uint64_t distinct = 0;
    double expected = 0; /* of n in random order the first, half of the second ... are nearest */
    for (uint32_t i = 0; i < 320 * 200; i++) {
        distinct += count[i] > 0;
        for (uint32_t n = 1; n <= count[i]; n++) expected += 1.0 / n;
    }
    ck_assert_uint_eq(count_shaded(&scene, DRAW_FRONT_TO_BACK, true), distinct);
    ck_assert_uint_eq(count_shaded(&scene, DRAW_BACK_TO_FRONT, true), all.covered);
    ck_assert_uint_eq(count_shaded(&scene, DRAW_FRONT_TO_BACK, false), all.covered);
    const double shaded = (double)count_shaded(&scene, DRAW_RANDOM, true);
    ck_assert_double_eq_tol(shaded / expected, 1, 0.02);
    raster_list_finish(&all);
}
END_TEST

/* --- planes ----------------------------------------------------------------------------------- */

/* A triangle over a screen of 8 x 8 pixels, distances 1, 4 and 2 at its corners: upper left, upper
 * right, lower left. */
static const SceneVertex tilted[3] = {{-1, 1, 1, 0, 0}, {4, 4, 4, 1, 0}, {-2, -2, 2, 0, 1}};

/* At (x, y) = (s, t) x 8 pixels 1/w is 1 - 3/4 s - 1/2 t, u/w is s / 4, v/w is t / 2. At pixel
 * (3, 0)'s centre s = 7/16, t = 1/16: u = 7/64 : 41/64, v = 1/32 : 41/64. */
static const struct {
    double x, y, u, v;
} points[] = {
    {3, 0, 7.0 / 41, 2.0 / 41},
    {0, 0, 1.0 / 59, 2.0 / 59},  /* s = t = 1/16: 1 - 3/64 - 2/64 */
    {1, 5, 3.0 / 33, 22.0 / 33}, /* s = 3/16, t = 11/16: 1 - 9/64 - 22/64 */
};

START_TEST(coordinates_are_perspective_correct)
{
    RasterPlanes planes;
    ck_assert(raster_find_planes(tilted, (RasterScreen){8, 8}, &planes));
    for (uint32_t i = 0; i < G_N_ELEMENTS(points); i++) {
        const TexturePoint point = raster_point(&planes, points[i].x, points[i].y);
        ck_assert_double_eq_tol(point.x, points[i].u, 1e-7);
        ck_assert_double_eq_tol(point.y, points[i].v, 1e-7);
    }
    ck_assert_double_eq_tol(raster_nearness(&planes, 3, 0), 41.0 / 64, 1e-12);
}
END_TEST

/* At pixel (7, 7) 1/w would be 1 - 45/64 - 30/64; kept is a sixteenth of the farthest corner's 1/4.
 * u = 15/64 x 64. */
START_TEST(coordinates_beyond_the_horizon_stay_finite)
{
    RasterPlanes planes;
    ck_assert(raster_find_planes(tilted, (RasterScreen){8, 8}, &planes));
    const TexturePoint point = raster_point(&planes, 7, 7);
    ck_assert_double_eq_tol(point.x, 15, 1e-5);
    ck_assert_double_eq_tol(point.y, 30, 1e-5);
}
END_TEST

START_TEST(a_triangle_seen_edge_on_has_no_planes)
{
    const SceneVertex line[3] = {{-1, 1, 1, 0, 0}, {0, 0, 1, 1, 0}, {1, -1, 1, 0, 1}};
    RasterPlanes planes;
    ck_assert(!raster_find_planes(line, (RasterScreen){8, 8}, &planes));
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("raster");
    tcase_add_test(cases, pixels_whose_centres_are_on_an_edge_belong_to_top_and_left_edges);
    tcase_add_loop_test(cases, triangles_that_make_up_a_square_cover_each_of_its_pixels_once, 0,
                        20);
    tcase_add_test(cases, walks_differ_only_in_the_order_of_the_quads);
    tcase_add_loop_test(cases, quads_come_in_rows_tiles_or_z_order, 0, G_N_ELEMENTS(walks));
    tcase_add_test(cases, a_rectangle_and_a_mesh_fill_the_screen);
    tcase_add_test(cases, a_floor_is_cut_at_the_camera_and_fills_the_screen_below_the_horizon);
    tcase_add_loop_test(cases, a_soup_has_the_overdraw_that_was_asked_for, 0, G_N_ELEMENTS(soups));
    tcase_add_test(cases,
                   front_to_back_each_pixel_is_shaded_once_and_back_to_front_as_often_as_covered);
    tcase_add_test(cases, a_mesh_has_its_texture_as_often_as_asked_across_and_down);
    tcase_add_test(cases, triangles_without_a_pixel_do_not_count);
    tcase_add_test(cases, what_is_too_near_to_the_camera_is_not_drawn);
    tcase_add_test(cases, coordinates_are_perspective_correct);
    tcase_add_test(cases, coordinates_beyond_the_horizon_stay_finite);
    tcase_add_test(cases, a_triangle_seen_edge_on_has_no_planes);
    Suite *suite = suite_create("raster");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
