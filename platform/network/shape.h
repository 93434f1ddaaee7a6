/* What the files of named topologies share: an end is an SM or a slice in one network, a stop a
 * switch that ends stand at. Text of the platform comes zone by zone; SimGrid wants what there is
 * in a zone before its routes. */
#pragma once

#include "platform/network/shapes.h"

typedef struct {
    bool source, is_sm;
    uint32_t number, stop;
    NetworkLink link; /* its own, into the network or out of it */
} ShapeEnd;

typedef struct {
    const char *name; /* "request", "reply" */
    const NetworkParams *params;
    NetworkLink link; /* between switches, each way */
    NetworkLink far;  /* ... of two groups of a dragonfly */
    ShapeEnd *end;
    uint32_t ends, stops;
    uint32_t columns, rows, layers; /* of a mesh or torus */
    uint32_t groups;                /* of a dragonfly */
} Shape;

/* --- shape_text.c ----------------------------------------------------------------------------- */

typedef struct {
    GString *xml, *routes;
} Zone;

Zone zone_open(GString *xml, const char *routing, const char *name);
void zone_close(Zone *zone);

void zone_add_host(Zone *zone, const char *name);
void zone_add_router(Zone *zone, const char *name);
void zone_add_link(Zone *zone, const char *name, const NetworkLink *link);
/* Of one link or of several, with a blank between them. */
void zone_add_route(Zone *zone, const char *from, const char *to, const char *links);
/* From a zone inside to another, and the hosts or routers at which it leaves and enters. */
typedef struct {
    const char *zone, *gateway;
} ZoneDoor;
void zone_add_way(Zone *zone, ZoneDoor from, ZoneDoor to, const char *link);

/* Newly allocated. */
char *shape_end_name(const Shape *shape, const ShapeEnd *end);
char *shape_stop_name(const Shape *shape, uint32_t stop);
/* Its host, its link, and the way between it and a router or host of the same zone. */
void shape_add_end(const Shape *shape, Zone *zone, const ShapeEnd *end, const char *stop);
/* A link from a router to another of the same zone, and the way. */
void shape_add_hop(const Shape *shape, Zone *zone, uint32_t from, uint32_t to);

/* --- the shapes ------------------------------------------------------------------------------- */

/* shape_stars.c */
void shape_append_ring(const Shape *shape, GString *xml);
void shape_append_hierarchy(const Shape *shape, GString *xml);
void shape_append_dies(const Shape *shape, GString *xml);
void shape_append_dragonfly(const Shape *shape, GString *xml);

/* shape_clusters.c */
void shape_append_mesh(const Shape *shape, GString *xml);
void shape_append_torus(const Shape *shape, GString *xml);
void shape_append_tree(const Shape *shape, GString *xml);
