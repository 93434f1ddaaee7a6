/* Where the map of links has SMs, slices and what they are joined by: the same for the same
 * network. */
#pragma once

#include <json-glib/json-glib.h>

typedef struct {
    char *name;
    gboolean is_end, is_sm; /* an SM or L2 slice; else a switch */
    guint number;           /* of a switch: its stop, by the names of links, or in their order */
    guint level;            /* switches between it and SMs */
    guint attached;         /* of an end: the switch's place in the list */
    guint place, ends;      /* of an end among its switch's; how many a switch has */
    double x, y;
} MapNode;

typedef struct {
    guint from, to; /* nodes */
} MapEdge;

typedef struct {
    GArray *nodes; /* of MapNode */
    GArray *edges; /* of MapEdge, in the order of the links */
} LinkMap;

/* Of a network of a result's `links`. Rings, dies and dragonflies stand in a circle, meshes and
 * tori in rows; of others SMs stand on the left, then switches, level by level, slices on the
 * right. */
LinkMap *link_map_new(JsonNode *result, JsonArray *links);
void link_map_free(LinkMap *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LinkMap, link_map_free)

static inline MapNode *link_map_node(const LinkMap *layout, guint i)
{
    return &g_array_index(layout->nodes, MapNode, i);
}
