/* What is drawn: triangles in clip space, each of which can be had without those before it. */
#pragma once

#include "workloads/generator.h"

typedef enum {
    SCENE_QUAD,  /* a rectangle that fills the screen */
    SCENE_FLOOR, /* a plane below the camera, out to a horizon */
    SCENE_SOUP,  /* unrelated triangles parallel to the screen, each at its own depth */
    SCENE_MESH,  /* a wavy surface of quads that fills the screen */
} SceneKind;
extern const char *const scene_names[];

/* It is seen at pixel ((w + x) / 2w x screen width, (w - y) / 2w x screen height); w is its
 * distance along the line of sight. u and v count whole textures. */
typedef struct {
    double x, y, w, u, v;
} SceneVertex;

typedef struct {
    SceneKind kind;
    double screen_width, screen_height;   /* pixels */
    double texture_width, texture_height; /* texels */
    uint64_t salt;
    double texels_per_pixel; /* quad, soup */
    /* floor: lengths in sides of the texture, angles in degrees */
    double camera_height, camera_pitch, camera_yaw, field_of_view, view_distance;
    uint64_t triangles; /* soup */
    double triangle_area;
    uint64_t mesh_columns, mesh_rows;
    double mesh_repeats, waves, wave_height;
} Scene;

uint64_t scene_count_triangles(const Scene *scene);
void scene_find_triangle(const Scene *scene, uint64_t index, SceneVertex corners[3]);

typedef enum { DRAW_AS_BUILT, DRAW_RANDOM, DRAW_FRONT_TO_BACK, DRAW_BACK_TO_FRONT } DrawOrder;
extern const char *const draw_order_names[];

/* Indices of the scene's triangles in this order, newly allocated. Depth is that of the centre. */
uint32_t *scene_order(const Scene *scene, DrawOrder order);
