#include "scenarios/program/report/network/layout.h"

#include <math.h>
#include <string.h>

#include "scenarios/program/report/run/data.h"
#include "scenarios/program/result/result.h"

/* --- the graph -------------------------------------------------------------------------------- */

/* "request-3-x+", "reply-stop-3-to-4", "request-stops_link_from_3_to_4_UP": the stop that a link
 * leaves; down, the other one. */
static const char stop_pattern[] =
    "^(?:request|reply)-(?:(\\d+)-[xy][+-]|stop-(\\d+)-to-\\d+|"
    "stops_link_from_(\\d+)_to_\\d+_UP|stops_link_from_\\d+_to_(\\d+)_DOWN)$";

typedef struct {
    LinkMap *map;
    GHashTable *by_name; /* node's name -> its place and one */
    GRegex *stop;
    gboolean numbered; /* all switches have the number of their stop */
} Builder;

static guint find_node(Builder *builder, const char *name)
{
    const guint known = GPOINTER_TO_UINT(g_hash_table_lookup(builder->by_name, name));
    if (known) return known - 1;
    const MapNode node = {.name = g_strdup(name),
                          .is_end = !strchr(name, '['),
                          .is_sm = g_str_has_prefix(name, "SM "),
                          .number = G_MAXUINT};
    g_array_append_val(builder->map->nodes, node);
    const guint count = builder->map->nodes->len;
    g_hash_table_insert(builder->by_name, node.name, GUINT_TO_POINTER(count));
    return count - 1;
}

static void read_stop(const Builder *builder, const char *link, guint *stop)
{
    g_autoptr(GMatchInfo) match = NULL;
    if (!g_regex_match(builder->stop, link, 0, &match)) return;
    for (int group = 1; group <= 4; group++) {
        g_autofree char *number = g_match_info_fetch(match, group);
        if (number && *number) *stop = (guint)g_ascii_strtoull(number, NULL, 10);
    }
}

static void add_link(JsonArray *links, guint i, JsonNode *link, gpointer user)
{
    Builder *builder = user;
    (void)links, (void)i;
    const MapEdge edge = {find_node(builder, data_word(link, "from")),
                          find_node(builder, data_word(link, "to"))};
    MapNode *from = link_map_node(builder->map, edge.from);
    if (!from->is_end) read_stop(builder, data_word(link, "name"), &from->number);
    g_array_append_val(builder->map->edges, edge);
}

/* Ends know their switch; switches without a stop's number have one in the order of the links. */
static void finish_graph(Builder *builder)
{
    LinkMap *map = builder->map;
    for (guint i = 0; i < map->edges->len; i++) {
        const MapEdge *edge = &g_array_index(map->edges, MapEdge, i);
        MapNode *from = link_map_node(map, edge->from), *to = link_map_node(map, edge->to);
        if (from->is_end) from->attached = edge->to;
        if (to->is_end) to->attached = edge->from;
    }
    builder->numbered = TRUE;
    for (guint i = 0; i < map->nodes->len; i++) {
        MapNode *node = link_map_node(map, i);
        if (node->is_end) node->place = link_map_node(map, node->attached)->ends++;
        builder->numbered &= node->is_end || node->number != G_MAXUINT;
    }
    guint next = 0;
    for (guint i = 0; !builder->numbered && i < map->nodes->len; i++)
        if (!link_map_node(map, i)->is_end) link_map_node(map, i)->number = next++;
}

static guint count_switches(const LinkMap *map)
{
    guint count = 0;
    for (guint i = 0; i < map->nodes->len; i++) count += !link_map_node(map, i)->is_end;
    return count;
}

/* --- a circle, rows --------------------------------------------------------------------------- */

/* The shorter the arc between two switches, the closer stand the ends of each. */
static void place_in_circle(LinkMap *map)
{
    const double step = 2 * G_PI / MAX(1, count_switches(map));
    for (guint i = 0; i < map->nodes->len; i++) {
        MapNode *node = link_map_node(map, i);
        const MapNode *stop = node->is_end ? link_map_node(map, node->attached) : node;
        const double aside = node->is_end ? 0.7 * ((node->place + 0.5) / stop->ends - 0.5) : 0,
                     angle = step * (stop->number + aside);
        const double radius = node->is_end ? 1.3 : 1;
        node->x = radius * sin(angle);
        node->y = -radius * cos(angle);
    }
}

static guint columns_of(JsonNode *result, guint stops, guint *layers)
{
    const char *said = result_text(result, "parameters.network.mesh_columns"),
               *deep = result_text(result, "parameters.network.torus_layers"),
               *topology = result_text(result, "parameters.network.topology");
    const guint columns = said ? (guint)g_ascii_strtoull(said, NULL, 10) : 0;
    *layers = deep && !g_strcmp0(topology, "torus") ? (guint)g_ascii_strtoull(deep, NULL, 10) : 1;
    *layers = MAX(*layers, 1);
    const guint layer = (stops + *layers - 1) / *layers;
    return columns ? columns : (guint)ceil(sqrt(layer));
}

/* SimGrid's solver has a mesh as the corner of a torus, whose numbers its stops have. */
static guint stop_in_rows(JsonNode *result, guint number, guint columns)
{
    const bool corner = !g_strcmp0(result_text(result, "parameters.network.topology"), "mesh")
                        && !g_strcmp0(result_text(result, "parameters.network.timing"), "flow");
    const guint row = corner ? 2 * columns - 1 : columns;
    return number / row * columns + number % row;
}

/* Layers beside each other; an SM or slice below its stop, on the right. */
static void place_in_rows(LinkMap *map, JsonNode *result)
{
    guint layers;
    const guint stops = count_switches(map), columns = columns_of(result, stops, &layers),
                layer = MAX(1, (stops + layers - 1) / layers);
    for (guint i = 0; i < map->nodes->len; i++) {
        MapNode *node = link_map_node(map, i);
        const MapNode *at = node->is_end ? link_map_node(map, node->attached) : node;
        const guint stop = stop_in_rows(result, at->number, columns);
        node->x = stop % layer % columns + stop / layer * (columns + 0.5);
        node->y = stop % layer / columns;
        if (!node->is_end) continue;
        const double angle = G_PI / 4 + 0.5 * (node->place - (at->ends - 1) / 2.0);
        node->x += 0.33 * cos(angle);
        node->y += 0.33 * sin(angle);
    }
}

/* --- levels ----------------------------------------------------------------------------------- */

/* Of switches that SMs stand at 0, of their neighbours 1, and so on. */
static guint find_levels(LinkMap *map)
{
    guint last = 0;
    for (guint i = 0; i < map->nodes->len; i++) link_map_node(map, i)->level = G_MAXUINT;
    for (guint i = 0; i < map->nodes->len; i++) {
        const MapNode *node = link_map_node(map, i);
        if (node->is_sm) link_map_node(map, node->attached)->level = 0;
    }
    for (gboolean found = TRUE; found;) {
        found = FALSE;
        for (guint i = 0; i < map->edges->len; i++) {
            const MapEdge *edge = &g_array_index(map->edges, MapEdge, i);
            MapNode *a = link_map_node(map, edge->from), *b = link_map_node(map, edge->to);
            if (a->is_end || b->is_end || MIN(a->level, b->level) == G_MAXUINT) continue;
            if (MAX(a->level, b->level) <= MIN(a->level, b->level) + 1) continue;
            MapNode *far = a->level < b->level ? b : a;
            far->level = MIN(a->level, b->level) + 1;
            last = MAX(last, far->level);
            found = TRUE;
        }
    }
    for (guint i = 0; i < map->nodes->len; i++)
        if (link_map_node(map, i)->level == G_MAXUINT) link_map_node(map, i)->level = last;
    return last;
}

static guint count_of_level(const LinkMap *map, guint level)
{
    guint count = 0;
    for (guint i = 0; i < map->nodes->len; i++) {
        const MapNode *node = link_map_node(map, i);
        count += !node->is_end && node->level == level;
    }
    return count;
}

/* SMs or slices in a column. */
static void place_ends(LinkMap *map, gboolean sms, double x)
{
    guint count = 0, place = 0;
    for (guint i = 0; i < map->nodes->len; i++)
        count += link_map_node(map, i)->is_end && link_map_node(map, i)->is_sm == sms;
    for (guint i = 0; i < map->nodes->len; i++) {
        MapNode *node = link_map_node(map, i);
        if (!node->is_end || node->is_sm != sms) continue;
        node->x = x;
        node->y = (place++ + 0.5) / count;
    }
}

static void place_in_levels(LinkMap *map)
{
    const guint last = find_levels(map);
    for (guint level = 0; level <= last; level++) {
        const guint count = count_of_level(map, level);
        guint place = 0;
        for (guint i = 0; i < map->nodes->len; i++) {
            MapNode *node = link_map_node(map, i);
            if (node->is_end || node->level != level) continue;
            node->x = level;
            node->y = (place++ + 0.5) / count;
        }
    }
    place_ends(map, TRUE, -1);
    place_ends(map, FALSE, last + 1.0);
}

/* --- all -------------------------------------------------------------------------------------- */

static gboolean is_one_of(const char *word, const char *const *words)
{
    return word && g_strv_contains(words, word);
}

LinkMap *link_map_new(JsonNode *result, JsonArray *links)
{
    static const char *const circles[] = {"ring", "dies", "dragonfly", NULL}, *const rows[] = {
                                                                                  "mesh", "torus",
                                                                                  NULL};
    const char *topology = result_text(result, "parameters.network.topology");
    LinkMap *map = g_new0(LinkMap, 1);
    map->nodes = g_array_new(FALSE, TRUE, sizeof(MapNode));
    map->edges = g_array_new(FALSE, TRUE, sizeof(MapEdge));
    g_autoptr(GHashTable) by_name = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GRegex) stop = g_regex_new(stop_pattern, 0, 0, NULL);
    Builder builder = {.map = map, .by_name = by_name, .stop = stop};
    json_array_foreach_element(links, add_link, &builder);
    finish_graph(&builder);
    if (builder.numbered && is_one_of(topology, circles))
        place_in_circle(map);
    else if (builder.numbered && is_one_of(topology, rows))
        place_in_rows(map, result);
    else
        place_in_levels(map);
    return map;
}

void link_map_free(LinkMap *map)
{
    if (!map) return;
    for (guint i = 0; i < map->nodes->len; i++) g_free(link_map_node(map, i)->name);
    g_array_unref(map->nodes);
    g_array_unref(map->edges);
    g_free(map);
}
