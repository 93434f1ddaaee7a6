#include "workloads/raster/scene.h"

#include <math.h>

const char *const scene_names[] = {"quad", "floor", "soup", "mesh", NULL};
const char *const draw_order_names[] = {"as_built", "random", "front_to_back", "back_to_front",
                                        NULL};

enum { QUAD_TRIANGLES = 2, SOUP_DEPTHS = 100 };

/* The corners of a rectangle's triangle: 0 upper left, 1 upper right, 2 lower left, 3 lower
 * right. Both halves share the diagonal from 1 to 2. */
static const uint8_t half_corners[QUAD_TRIANGLES][3] = {{0, 1, 2}, {2, 1, 3}};

uint64_t scene_count_triangles(const Scene *scene)
{
    switch (scene->kind) {
    case SCENE_QUAD:
    case SCENE_FLOOR: return QUAD_TRIANGLES;
    case SCENE_SOUP: return scene->triangles;
    case SCENE_MESH: return QUAD_TRIANGLES * scene->mesh_columns * scene->mesh_rows;
    }
    g_assert_not_reached();
}

/* --- quad ------------------------------------------------------------------------------------- */

/* A vertex at a place on the screen, in pixels. */
static SceneVertex vertex_at(const Scene *scene, double x, double y, double w)
{
    return (SceneVertex){(2 * x / scene->screen_width - 1) * w,
                         (1 - 2 * y / scene->screen_height) * w, w, 0, 0};
}

static void find_quad(const Scene *scene, uint64_t index, SceneVertex corners[3])
{
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t corner = half_corners[index][i];
        const double x = corner & 1 ? scene->screen_width : 0;
        const double y = corner & 2 ? scene->screen_height : 0;
        corners[i] = vertex_at(scene, x, y, 1);
        corners[i].u = x * scene->texels_per_pixel / scene->texture_width;
        corners[i].v = y * scene->texels_per_pixel / scene->texture_height;
    }
}

/* --- floor ------------------------------------------------------------------------------------ */

static double radians(double degrees)
{
    return degrees * G_PI / 180;
}

/* The camera stands above the floor's origin and looks along z, `camera_pitch` downwards; the floor
 * is turned under it. */
static SceneVertex view_floor(const Scene *scene, double east, double north)
{
    const double pitch = radians(scene->camera_pitch), yaw = radians(scene->camera_yaw);
    const double x = east * cos(yaw) - north * sin(yaw), z = east * sin(yaw) + north * cos(yaw);
    const double height = scene->camera_height;
    const double zoom = 1 / tan(radians(scene->field_of_view) / 2);
    return (SceneVertex){
        .x = x * zoom * scene->screen_height / scene->screen_width,
        .y = (z * sin(pitch) - height * cos(pitch)) * zoom,
        .w = z * cos(pitch) + height * sin(pitch),
        .u = east,
        .v = north,
    };
}

static void find_floor(const Scene *scene, uint64_t index, SceneVertex corners[3])
{
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t corner = half_corners[index][i];
        const double end = scene->view_distance;
        corners[i] = view_floor(scene, corner & 1 ? end : -end, corner & 2 ? -end : end);
    }
}

/* --- soup ------------------------------------------------------------------------------------- */

typedef struct {
    double x, y;
} Place;

static double draw(const Scene *scene, uint64_t index, uint32_t what)
{
    return (double)(mix64(mix64(scene->salt ^ index) ^ what) >> 11) * 0x1p-53;
}

/* Three corners on a circle, about a third of it apart, around the origin. Areas are evenly
 * distributed from half the mean to one and a half. */
static void shape_triangle(const Scene *scene, uint64_t index, Place place[3])
{
    const double area = scene->triangle_area * (0.5 + draw(scene, index, 0));
    for (uint32_t i = 0; i < 3; i++) {
        const double third = i + (i ? 0.3 * (draw(scene, index, 1 + i) - 0.5) : 0);
        const double angle = 2 * G_PI * (draw(scene, index, 1) + third / 3);
        place[i] = (Place){cos(angle), sin(angle)};
    }
    const double unscaled = ((place[1].x - place[0].x) * (place[2].y - place[0].y)
                             - (place[1].y - place[0].y) * (place[2].x - place[0].x))
                            / 2;
    const double scale = sqrt(area / unscaled);
    for (uint32_t i = 0; i < 3; i++) place[i] = (Place){place[i].x * scale, place[i].y * scale};
}

/* Where its origin goes, so that all of it lies on the screen wherever that is large enough. */
static double position(double room, const double extent[3], double chance)
{
    const double low = MIN(MIN(extent[0], extent[1]), extent[2]);
    const double high = MAX(MAX(extent[0], extent[1]), extent[2]);
    return room > high - low ? -low + chance * (room - (high - low)) : (room - high - low) / 2;
}

static void find_soup(const Scene *scene, uint64_t index, SceneVertex corners[3])
{
    Place place[3];
    shape_triangle(scene, index, place);
    const double x = position(scene->screen_width, (double[]){place[0].x, place[1].x, place[2].x},
                              draw(scene, index, 4));
    const double y = position(scene->screen_height, (double[]){place[0].y, place[1].y, place[2].y},
                              draw(scene, index, 5));
    const double depth = 1 + (SOUP_DEPTHS - 1) * draw(scene, index, 6);
    const double turn = 2 * G_PI * draw(scene, index, 7), scale = scene->texels_per_pixel;
    for (uint32_t i = 0; i < 3; i++) {
        corners[i] = vertex_at(scene, x + place[i].x, y + place[i].y, depth);
        const double along = place[i].x * cos(turn) - place[i].y * sin(turn);
        const double across = place[i].x * sin(turn) + place[i].y * cos(turn);
        corners[i].u = along * scale / scene->texture_width + draw(scene, index, 8);
        corners[i].v = across * scale / scene->texture_height + draw(scene, index, 9);
    }
}

/* --- mesh ------------------------------------------------------------------------------------- */

/* The border stays flat, at the screen's edge; what waves towards the camera appears larger. */
static void find_mesh(const Scene *scene, uint64_t index, SceneVertex corners[3])
{
    const uint64_t cell = index / QUAD_TRIANGLES;
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t corner = half_corners[index % QUAD_TRIANGLES][i];
        const uint64_t column = cell % scene->mesh_columns + (corner & 1);
        const uint64_t row = cell / scene->mesh_columns + (corner >> 1);
        const double s = (double)column / (double)scene->mesh_columns;
        const double t = (double)row / (double)scene->mesh_rows;
        const double wave = sin(2 * G_PI * scene->waves * s) * sin(2 * G_PI * scene->waves * t);
        const bool border = column % scene->mesh_columns == 0 || row % scene->mesh_rows == 0;
        corners[i] = (SceneVertex){
            .x = 2 * s - 1,
            .y = 1 - 2 * t,
            .w = border ? 1 : 1 + scene->wave_height * wave,
            .u = s * scene->mesh_repeats,
            .v = t * scene->mesh_repeats,
        };
    }
}

void scene_find_triangle(const Scene *scene, uint64_t index, SceneVertex corners[3])
{
    switch (scene->kind) {
    case SCENE_QUAD: find_quad(scene, index, corners); return;
    case SCENE_FLOOR: find_floor(scene, index, corners); return;
    case SCENE_SOUP: find_soup(scene, index, corners); return;
    case SCENE_MESH: find_mesh(scene, index, corners); return;
    }
}

/* --- order ------------------------------------------------------------------------------------ */

typedef struct {
    double key;
    uint32_t index;
} Ordered;

static int compare(const void *left, const void *right)
{
    const Ordered *a = left, *b = right;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

static double order_key(const Scene *scene, DrawOrder order, uint64_t index)
{
    SceneVertex corners[3];
    scene_find_triangle(scene, index, corners);
    const double depth = corners[0].w + corners[1].w + corners[2].w;
    switch (order) {
    case DRAW_AS_BUILT: return 0;
    case DRAW_RANDOM: return draw(scene, index, 10);
    case DRAW_FRONT_TO_BACK: return depth;
    case DRAW_BACK_TO_FRONT: return -depth;
    }
    g_assert_not_reached();
}

uint32_t *scene_order(const Scene *scene, DrawOrder order)
{
    const uint64_t count = scene_count_triangles(scene);
    uint32_t *indices = g_new(uint32_t, count);
    g_autofree Ordered *all = g_new(Ordered, count);
    for (uint64_t i = 0; i < count; i++)
        all[i] = (Ordered){order_key(scene, order, i), (uint32_t)i};
    if (order != DRAW_AS_BUILT) qsort(all, count, sizeof *all, compare);
    for (uint64_t i = 0; i < count; i++) indices[i] = all[i].index;
    return indices;
}
