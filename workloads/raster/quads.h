/* Coverage: which pixels of which quads (2 x 2 pixels) each triangle covers and the depth test lets
 * through, in the order in which they are shaded. */
#pragma once

#include "workloads/raster/setup.h"

enum { QUAD_PIXELS = 4, RASTER_SIDE_MAX = 8192, RASTER_QUADS_MAX = 1 << 24 };

/* Order within a triangle. */
typedef enum {
    WALK_ROWS,   /* of quads, over its whole width */
    WALK_TILES,  /* squares of the screen, row after row, and rows within each */
    WALK_MORTON, /* Z-order */
} RasterWalk;
extern const char *const raster_walk_names[];

typedef struct {
    RasterScreen screen;
    RasterWalk walk;
    uint32_t tile; /* pixels a side, a power of two; of WALK_TILES */
    bool depth_test;
    uint32_t quads_per_warp;
} RasterRules;

typedef struct {
    uint32_t planes;             /* index */
    uint32_t x : 14, y : 14;     /* of the quad: pixel / 2 */
    uint32_t mask : QUAD_PIXELS; /* upper left, upper right, lower left, lower right; 0: filler */
} RasterQuad;

typedef struct {
    GArray *planes; /* of RasterPlanes */
    GArray *quads;  /* of RasterQuad */
    /* with a pixel on the screen; quads with a pixel that is shaded; pixels covered and shaded */
    uint64_t triangles, shaded_quads, covered, shaded;
} RasterList;

/* Which material triangle number `place` of the draw order has. */
typedef uint32_t (*RasterMaterial)(const void *context, uint64_t place);

typedef struct {
    const Scene *scene;
    const uint32_t *order; /* scene_count_triangles indices */
    RasterMaterial material;
    const void *context;
} RasterInput;

/* Draws all triangles. A warp's quads are of one material, though of as many triangles as it takes
 * to fill it: where the material changes, fillers make the warp full. False: more than
 * RASTER_QUADS_MAX quads. */
bool raster_draw(const RasterInput *input, const RasterRules *rules, RasterList *list);
void raster_list_finish(RasterList *list);
