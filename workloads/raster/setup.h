/* Triangle set-up: a triangle in clip space becomes edge functions in pixels, which say what it
 * covers, and planes from which its depth and coordinates follow at any pixel. */
#pragma once

#include "workloads/raster/scene.h"

/* a x + b y + c of pixel (x, y)'s centre. */
typedef struct {
    double a, b, c;
} RasterPlane;

/* u / w, v / w and 1 / w are linear on the screen; also where a corner is behind the camera. */
typedef struct {
    RasterPlane u, v, nearness;
    double least; /* nearness that is divided by; only lanes outside of the triangle have less */
    uint32_t material;
} RasterPlanes;

/* Inside: a x + b y + c >= 0, with pixels in whole numbers and c for their centres. A pixel whose
 * centre is on the edge is inside of a top or left one. */
typedef struct {
    int64_t a, b, c;
} RasterEdge;

typedef struct {
    RasterEdge edge[3];
    int32_t left, top, right, bottom; /* pixels on the screen around it; right, bottom: behind */
} RasterTriangle;

/* A triangle cut by a plane in front of the camera and four guard planes. */
enum { RASTER_PIECES = 6 };

typedef struct {
    uint32_t width, height; /* pixels */
} RasterScreen;

/* False: seen edge-on, it has no area. */
bool raster_find_planes(const SceneVertex corners[3], RasterScreen screen, RasterPlanes *planes);

/* 1 / w there. */
static inline double raster_nearness(const RasterPlanes *planes, double x, double y)
{
    return planes->nearness.a * x + planes->nearness.b * y + planes->nearness.c;
}

TexturePoint raster_point(const RasterPlanes *planes, double x, double y);

/* Number of pieces on the screen. */
uint32_t raster_clip(const SceneVertex corners[3], RasterScreen screen,
                     RasterTriangle pieces[RASTER_PIECES]);

/* The triangle with corners in 1/256 pixels, in either winding. False: nothing of it is on the
 * screen. */
bool raster_find_edges(const int64_t corners[3][2], RasterScreen screen, RasterTriangle *triangle);
