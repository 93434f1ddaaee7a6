#include "workloads/raster/quads.h"

const char *const raster_walk_names[] = {"rows", "tiles", "morton", NULL};

typedef struct {
    const RasterRules *rules;
    RasterList *list;
    float *nearest; /* 1 / w of each pixel, 0: nothing drawn; NULL without depth test */
    const RasterPlanes *planes;
    uint32_t planes_index;
    bool seen; /* the triangle covers a pixel */
} Painter;

/* A rectangle of pixels: even corners. */
typedef struct {
    int32_t x, y, width, height;
} Block;

static int64_t edge_at(const RasterEdge *edge, int64_t x, int64_t y)
{
    return edge->a * x + edge->b * y + edge->c;
}

/* All of the block is outside of an edge, or of the rectangle around the triangle. */
static bool misses(const RasterTriangle *triangle, const Block *block)
{
    if (block->x >= triangle->right || block->x + block->width <= triangle->left
        || block->y >= triangle->bottom || block->y + block->height <= triangle->top)
        return true;
    for (uint32_t i = 0; i < 3; i++) {
        const RasterEdge *edge = &triangle->edge[i];
        const int64_t x = edge->a > 0 ? block->x + block->width - 1 : block->x;
        const int64_t y = edge->b > 0 ? block->y + block->height - 1 : block->y;
        if (edge_at(edge, x, y) < 0) return true;
    }
    return false;
}

static bool covers(const RasterTriangle *triangle, int32_t x, int32_t y)
{
    return x >= triangle->left && x < triangle->right && y >= triangle->top && y < triangle->bottom
           && edge_at(&triangle->edge[0], x, y) >= 0 && edge_at(&triangle->edge[1], x, y) >= 0
           && edge_at(&triangle->edge[2], x, y) >= 0;
}

/* Nearer than what was drawn there so far. */
static bool passes(Painter *painter, int32_t x, int32_t y)
{
    if (!painter->nearest) return true;
    const float nearness = (float)raster_nearness(painter->planes, x, y);
    float *nearest = &painter->nearest[(uint64_t)y * painter->rules->screen.width + (uint64_t)x];
    if (nearness <= *nearest) return false;
    *nearest = nearness;
    return true;
}

static void draw_quad(Painter *painter, const RasterTriangle *triangle, int32_t x, int32_t y)
{
    RasterList *list = painter->list;
    uint32_t mask = 0;
    for (int32_t i = 0; i < QUAD_PIXELS; i++) {
        const int32_t at_x = x + (i & 1), at_y = y + (i >> 1);
        if (!covers(triangle, at_x, at_y)) continue;
        list->covered++;
        painter->seen = true;
        if (passes(painter, at_x, at_y)) mask |= 1u << i;
    }
    if (!mask) return;
    const RasterQuad quad = {painter->planes_index, (uint32_t)x / 2 & 0x3fff,
                             (uint32_t)y / 2 & 0x3fff, mask & 0xf};
    g_array_append_val(list->quads, quad);
    list->shaded_quads++;
    list->shaded += (uint32_t)__builtin_popcount(mask);
}

/* --- walks ------------------------------------------------------------------------------------ */

static void walk_block(Painter *painter, const RasterTriangle *triangle, const Block *block)
{
    const int32_t left = MAX(block->x, triangle->left & ~1);
    const int32_t top = MAX(block->y, triangle->top & ~1);
    const int32_t right = MIN(block->x + block->width, triangle->right);
    const int32_t bottom = MIN(block->y + block->height, triangle->bottom);
    for (int32_t y = top; y < bottom; y += 2)
        for (int32_t x = left; x < right; x += 2) draw_quad(painter, triangle, x, y);
}

static void walk_tiles(Painter *painter, const RasterTriangle *triangle)
{
    const int32_t tile = (int32_t)painter->rules->tile;
    for (int32_t y = triangle->top & -tile; y < triangle->bottom; y += tile)
        for (int32_t x = triangle->left & -tile; x < triangle->right; x += tile) {
            const Block block = {x, y, tile, tile};
            if (!misses(triangle, &block)) walk_block(painter, triangle, &block);
        }
}

/* Its four quarters, unless it is a quad. */
static void walk_z(Painter *painter, const RasterTriangle *triangle, Block block)
{
    if (misses(triangle, &block)) return;
    if (block.width == 2) {
        draw_quad(painter, triangle, block.x, block.y);
        return;
    }
    const int32_t half = block.width / 2;
    for (int32_t i = 0; i < 4; i++)
        walk_z(painter, triangle,
               (Block){block.x + (i & 1) * half, block.y + (i >> 1) * half, half, half});
}

static void walk_morton(Painter *painter, const RasterTriangle *triangle)
{
    int32_t side = 2;
    while ((triangle->left ^ (triangle->right - 1)) >= side
           || (triangle->top ^ (triangle->bottom - 1)) >= side)
        side *= 2;
    walk_z(painter, triangle, (Block){triangle->left & -side, triangle->top & -side, side, side});
}

static void walk(Painter *painter, const RasterTriangle *triangle)
{
    const Block all = {0, 0, (int32_t)painter->rules->screen.width,
                       (int32_t)painter->rules->screen.height};
    switch (painter->rules->walk) {
    case WALK_ROWS: walk_block(painter, triangle, &all); return;
    case WALK_TILES: walk_tiles(painter, triangle); return;
    case WALK_MORTON: walk_morton(painter, triangle); return;
    }
}

/* --- the list --------------------------------------------------------------------------------- */

static void fill_warp(RasterList *list, const RasterRules *rules)
{
    const RasterQuad filler = {0, 0, 0, 0};
    while (list->quads->len % rules->quads_per_warp) g_array_append_val(list->quads, filler);
}

/* Keeps its planes only if quads need them. */
static void draw_triangle(Painter *painter, const SceneVertex corners[3], uint32_t material)
{
    RasterList *list = painter->list;
    RasterTriangle pieces[RASTER_PIECES];
    RasterPlanes planes;
    if (!raster_find_planes(corners, painter->rules->screen, &planes)) return;
    const uint32_t count = raster_clip(corners, painter->rules->screen, pieces);
    const uint64_t shaded = list->shaded_quads;
    planes.material = material;
    painter->planes = &planes;
    painter->planes_index = list->planes->len;
    painter->seen = false;
    for (uint32_t i = 0; i < count; i++) walk(painter, &pieces[i]);
    list->triangles += painter->seen;
    if (list->shaded_quads > shaded) g_array_append_val(list->planes, planes);
}

static bool draw_all(Painter *painter, const RasterInput *input)
{
    const uint64_t count = scene_count_triangles(input->scene);
    uint32_t current = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t material = input->material(input->context, i);
        SceneVertex corners[3];
        scene_find_triangle(input->scene, input->order[i], corners);
        if (material != current) fill_warp(painter->list, painter->rules);
        current = material;
        draw_triangle(painter, corners, material);
        if (painter->list->quads->len > RASTER_QUADS_MAX) return false;
    }
    return true;
}

bool raster_draw(const RasterInput *input, const RasterRules *rules, RasterList *list)
{
    const uint64_t pixels = (uint64_t)rules->screen.width * rules->screen.height;
    g_autofree float *nearest = rules->depth_test ? g_new0(float, pixels) : NULL;
    *list = (RasterList){.planes = g_array_new(FALSE, FALSE, sizeof(RasterPlanes)),
                         .quads = g_array_new(FALSE, FALSE, sizeof(RasterQuad))};
    Painter painter = {.rules = rules, .list = list, .nearest = nearest};
    const bool good = draw_all(&painter, input);
    fill_warp(list, rules);
    if (!good) raster_list_finish(list);
    return good;
}

void raster_list_finish(RasterList *list)
{
    g_clear_pointer(&list->planes, g_array_unref);
    g_clear_pointer(&list->quads, g_array_unref);
}
