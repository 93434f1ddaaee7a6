/* Words for tests of the rasteriser: triangles by hand, maps of what is covered. */
#pragma once

#include "rigs/instructions.h"
#include "workloads/patterns/texture_keys.h"
#include "workloads/raster/quads.h"

static inline uint32_t one_material(G_GNUC_UNUSED const void *context, G_GNUC_UNUSED uint64_t place)
{
    return 0;
}

static inline RasterRules rules_of(const Scene *scene, RasterWalk walk, bool depth_test)
{
    return (RasterRules){
        .screen = {(uint32_t)scene->screen_width, (uint32_t)scene->screen_height},
        .walk = walk,
        .tile = 16,
        .depth_test = depth_test,
        .quads_per_warp = 8,
    };
}

static inline RasterList draw_scene(const Scene *scene, DrawOrder order, const RasterRules *rules)
{
    g_autofree uint32_t *indices = scene_order(scene, order);
    const RasterInput input = {scene, indices, one_material, NULL};
    RasterList list;
    ck_assert(raster_draw(&input, rules, &list));
    return list;
}

/* How often each pixel is shaded, row after row; newly allocated. */
static inline uint32_t *count_shades(const RasterList *list, RasterScreen screen)
{
    uint32_t *count = g_new0(uint32_t, (gsize)screen.width * screen.height);
    for (guint i = 0; i < list->quads->len; i++) {
        const RasterQuad *quad = &g_array_index(list->quads, RasterQuad, i);
        for (uint32_t pixel = 0; pixel < QUAD_PIXELS; pixel++) {
            if (!(quad->mask >> pixel & 1)) continue;
            const uint32_t x = quad->x * 2 + (pixel & 1), y = quad->y * 2 + (pixel >> 1);
            if (x >= screen.width || y >= screen.height) ck_abort_msg("pixel %u, %u", x, y);
            count[y * screen.width + x]++;
        }
    }
    return count;
}

/* Adds 1 where the triangle covers a pixel of a screen; corners in 1/256 pixels. */
static inline void cover(const int64_t corners[3][2], RasterScreen screen, uint32_t *count)
{
    RasterTriangle t;
    if (!raster_find_edges(corners, screen, &t)) return;
    for (int64_t y = t.top; y < t.bottom; y++)
        for (int64_t x = t.left; x < t.right; x++) {
            bool inside = true;
            for (uint32_t i = 0; i < 3; i++)
                inside &= t.edge[i].a * x + t.edge[i].b * y + t.edge[i].c >= 0;
            count[y * screen.width + x] += inside;
        }
}

static inline Scene soup_scene(double area, double overdraw)
{
    return (Scene){
        .kind = SCENE_SOUP,
        .screen_width = 320,
        .screen_height = 200,
        .texture_width = 256,
        .texture_height = 256,
        .salt = 5,
        .texels_per_pixel = 1,
        .triangles = (uint64_t)(overdraw * 320 * 200 / area + 0.5),
        .triangle_area = area,
    };
}

static inline Scene quad_scene(double width, double height)
{
    return (Scene){
        .kind = SCENE_QUAD,
        .screen_width = width,
        .screen_height = height,
        .texture_width = 256,
        .texture_height = 128,
        .texels_per_pixel = 1,
    };
}

/* --- kernels --- */

#define RASTER(lines) "workload.pattern=raster\n" lines

typedef struct {
    Instruction sample; /* the first of the warp */
    SampleCoordinates at;
} Sampled;

/* False: the warp samples nothing. */
static inline bool find_sample(const Kernel *kernel, uint64_t cta, uint32_t warp, Sampled *sampled)
{
    uint64_t addresses[LANES_MAX];
    WarpCursor cursor = {.addresses = addresses, .cta = cta, .warp = warp};
    do {
        kernel->class->fetch(kernel, &cursor, &sampled->sample);
        if (!instruction_samples(&sampled->sample)) continue;
        kernel->class->coordinates(kernel, &cursor, &sampled->sample, &sampled->at);
        return true;
    } while (sampled->sample.operation != OPERATION_EXIT);
    return false;
}

static inline uint32_t quad_mask(const Sampled *sampled, uint32_t quad)
{
    return sampled->sample.mask >> quad * QUAD_PIXELS & 0xf;
}
