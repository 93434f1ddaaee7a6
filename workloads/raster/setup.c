/* Edge functions after Pineda, "A parallel algorithm for polygon rasterization" (1988). Corners
 * snapped to 1/256 pixel, a guard band of 2^15 pixels and the top-left rule are Direct3D 11's
 * (D3D11_SUBPIXEL_FRACTIONAL_BIT_COUNT, D3D11_VIEWPORT_BOUNDS_MAX). Planes over homogeneous
 * coordinates after Olano and Greer, "Triangle scan conversion using 2D homogeneous coordinates"
 * (1997): they need no clipping. */
#include "workloads/raster/setup.h"

#include <math.h>

enum { SUBPIXELS = 256, GUARD_PIXELS = 32768, POLYGON_CORNERS = 8 };

static const double nearest_distance = 1.0 / 64;
/* Beyond an edge that is seen at a grazing angle the plane's horizon may be a pixel away, where 1/w
 * is 0 and then negative: so much of what the farthest corner has is kept. */
static const double kept_nearness = 1.0 / 16;

/* Pixels times w, so that it needs no division. */
typedef struct {
    double x, y, w;
} Homogeneous;

static Homogeneous place_corner(const SceneVertex *corner, RasterScreen screen)
{
    return (Homogeneous){(corner->w + corner->x) * screen.width / 2,
                         (corner->w - corner->y) * screen.height / 2, corner->w};
}

/* --- planes ----------------------------------------------------------------------------------- */

static Homogeneous cross(Homogeneous p, Homogeneous q)
{
    return (Homogeneous){p.y * q.w - p.w * q.y, p.w * q.x - p.x * q.w, p.x * q.y - p.y * q.x};
}

/* The plane that has these values times w at the corners; `row` is the inverse of the corners'
 * matrix. The half pixel to the centre goes into c. */
static RasterPlane find_plane(const Homogeneous row[3], const double value[3])
{
    RasterPlane plane = {0, 0, 0};
    for (uint32_t i = 0; i < 3; i++) {
        plane.a += row[i].x * value[i];
        plane.b += row[i].y * value[i];
        plane.c += row[i].w * value[i];
    }
    plane.c += (plane.a + plane.b) / 2;
    return plane;
}

bool raster_find_planes(const SceneVertex corners[3], RasterScreen screen, RasterPlanes *planes)
{
    Homogeneous p[3], row[3];
    for (uint32_t i = 0; i < 3; i++) p[i] = place_corner(&corners[i], screen);
    row[0] = cross(p[1], p[2]);
    row[1] = cross(p[2], p[0]);
    row[2] = cross(p[0], p[1]);
    const double determinant = p[0].x * row[0].x + p[0].y * row[0].y + p[0].w * row[0].w;
    if (!isfinite(1 / determinant)) return false;
    for (uint32_t i = 0; i < 3; i++) {
        row[i].x /= determinant;
        row[i].y /= determinant;
        row[i].w /= determinant;
    }
    planes->u = find_plane(row, (double[]){corners[0].u, corners[1].u, corners[2].u});
    planes->v = find_plane(row, (double[]){corners[0].v, corners[1].v, corners[2].v});
    planes->nearness = find_plane(row, (double[]){1, 1, 1});
    planes->least = kept_nearness / MAX(MAX(corners[0].w, corners[1].w), corners[2].w);
    return true;
}

TexturePoint raster_point(const RasterPlanes *planes, double x, double y)
{
    const double nearness = MAX(raster_nearness(planes, x, y), planes->least);
    const RasterPlane *u = &planes->u, *v = &planes->v;
    return (TexturePoint){(float)((u->a * x + u->b * y + u->c) / nearness),
                          (float)((v->a * x + v->b * y + v->c) / nearness), 0};
}

/* --- edges ------------------------------------------------------------------------------------ */

/* From corner `from` to `to` of a triangle that goes round clockwise, y downwards. */
static RasterEdge find_edge(const int64_t from[2], const int64_t to[2])
{
    const int64_t right = to[0] - from[0], down = to[1] - from[1];
    const bool top_or_left = down < 0 || (down == 0 && right > 0);
    const int64_t centre = SUBPIXELS / 2;
    return (RasterEdge){
        .a = -down * SUBPIXELS,
        .b = right * SUBPIXELS,
        .c = right * (centre - from[1]) - down * (centre - from[0]) - (top_or_left ? 0 : 1),
    };
}

/* First pixel whose centre is not before a place in 1/256 pixels, on the screen. */
static int32_t first_pixel(int64_t place, uint32_t pixels)
{
    const int64_t pixel = (place + SUBPIXELS / 2 - 1) >> 8;
    return (int32_t)CLAMP(pixel, 0, (int64_t)pixels);
}

bool raster_find_edges(const int64_t corners[3][2], RasterScreen screen, RasterTriangle *triangle)
{
    const int64_t *a = corners[0], *b = corners[1], *c = corners[2];
    const int64_t area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if (area == 0) return false;
    if (area < 0) {
        b = corners[2];
        c = corners[1];
    }
    *triangle = (RasterTriangle){
        .edge = {find_edge(a, b), find_edge(b, c), find_edge(c, a)},
        .left = first_pixel(MIN(MIN(a[0], b[0]), c[0]), screen.width),
        .top = first_pixel(MIN(MIN(a[1], b[1]), c[1]), screen.height),
        .right = first_pixel(MAX(MAX(a[0], b[0]), c[0]) + 1, screen.width),
        .bottom = first_pixel(MAX(MAX(a[1], b[1]), c[1]) + 1, screen.height),
    };
    return triangle->left < triangle->right && triangle->top < triangle->bottom;
}

/* --- clipping --------------------------------------------------------------------------------- */

typedef struct {
    Homogeneous corner[POLYGON_CORNERS];
    uint32_t count;
} Polygon;

/* How far inside plane number `plane` it is. */
static double distance(Homogeneous p, RasterScreen screen, uint32_t plane)
{
    switch (plane) {
    case 0: return p.w - nearest_distance;
    case 1: return p.x + GUARD_PIXELS * p.w;
    case 2: return (GUARD_PIXELS + screen.width) * p.w - p.x;
    case 3: return p.y + GUARD_PIXELS * p.w;
    default: return (GUARD_PIXELS + screen.height) * p.w - p.y;
    }
}

/* Always from the inside outwards: two triangles cut their common edge at the same point. */
static Homogeneous cut(Homogeneous inside, Homogeneous outside, double part)
{
    return (Homogeneous){inside.x + part * (outside.x - inside.x),
                         inside.y + part * (outside.y - inside.y),
                         inside.w + part * (outside.w - inside.w)};
}

static void clip_polygon(Polygon *polygon, RasterScreen screen, uint32_t plane)
{
    Polygon result = {.count = 0};
    for (uint32_t i = 0; i < polygon->count; i++) {
        const Homogeneous here = polygon->corner[i];
        const Homogeneous next = polygon->corner[(i + 1) % polygon->count];
        const double in = distance(here, screen, plane), out = distance(next, screen, plane);
        if (in >= 0) result.corner[result.count++] = here;
        if (in >= 0 && out < 0)
            result.corner[result.count++] = cut(here, next, in / (in - out));
        else if (in < 0 && out >= 0)
            result.corner[result.count++] = cut(next, here, out / (out - in));
    }
    *polygon = result;
}

uint32_t raster_clip(const SceneVertex corners[3], RasterScreen screen,
                     RasterTriangle pieces[RASTER_PIECES])
{
    Polygon polygon = {.count = 3};
    for (uint32_t i = 0; i < 3; i++) polygon.corner[i] = place_corner(&corners[i], screen);
    for (uint32_t plane = 0; plane < 5 && polygon.count; plane++)
        clip_polygon(&polygon, screen, plane);
    int64_t snapped[POLYGON_CORNERS][2];
    for (uint32_t i = 0; i < polygon.count; i++) {
        snapped[i][0] = llrint(polygon.corner[i].x / polygon.corner[i].w * SUBPIXELS);
        snapped[i][1] = llrint(polygon.corner[i].y / polygon.corner[i].w * SUBPIXELS);
    }
    uint32_t count = 0;
    for (uint32_t i = 2; i < polygon.count; i++) {
        const int64_t fan[3][2] = {{snapped[0][0], snapped[0][1]},
                                   {snapped[i - 1][0], snapped[i - 1][1]},
                                   {snapped[i][0], snapped[i][1]}};
        count += raster_find_edges(fan, screen, &pieces[count]);
    }
    return count;
}
