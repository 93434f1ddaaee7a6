#include "platform/network/graph.h"
#include "platform/network/shape.h"
#include "platform/network/topology.h"

/* More would take SimGrid seconds to join. */
enum { TREE_SWITCHES_MAX = 4096 };

static uint32_t divide_up(uint64_t a, uint64_t b)
{
    return (uint32_t)((a + b - 1) / b);
}

/* --- stops ------------------------------------------------------------------------------------ */

static void lay_out_grid(Shape *shape, uint32_t wanted)
{
    const NetworkParams *params = shape->params;
    shape->layers = params->topology == TOPOLOGY_TORUS ? (uint32_t)params->torus_layers : 1;
    const uint32_t layer = divide_up(wanted, shape->layers);
    shape->columns =
        params->mesh_columns ? (uint32_t)params->mesh_columns : topology_square_side(layer);
    shape->rows = divide_up(layer, shape->columns);
    shape->stops = shape->columns * shape->rows * shape->layers;
}

static void lay_out_stops(Shape *shape, uint32_t sms, uint32_t slices)
{
    const NetworkParams *params = shape->params;
    const uint32_t wanted = divide_up(sms + slices, params->concentration);
    switch ((TopologyKind)params->topology) {
    case TOPOLOGY_CROSSBAR: shape->stops = 1; return;
    case TOPOLOGY_RING:
    case TOPOLOGY_FAT_TREE: shape->stops = wanted; return;
    case TOPOLOGY_MESH:
    case TOPOLOGY_TORUS: lay_out_grid(shape, wanted); return;
    case TOPOLOGY_DRAGONFLY:
        shape->groups = divide_up(wanted, params->group_routers);
        shape->stops = shape->groups * (uint32_t)params->group_routers;
        return;
    case TOPOLOGY_HIERARCHICAL: shape->stops = divide_up(sms, params->concentration) + 1; return;
    case TOPOLOGY_DIES: shape->stops = (uint32_t)params->dies; return;
    }
    g_assert_not_reached();
}

/* --- where SMs and slices stand --------------------------------------------------------------- */

/* All SMs and slices in a row, which is then laid over the stops. Spread: a slice in the middle of
 * each of as many equal parts as there are slices. Edges: slices at both ends of the row. */
static bool slice_stands_at(const Shape *shape, uint32_t position, uint32_t placed, uint32_t slices)
{
    if (placed == slices) return false;
    if (shape->params->slice_placement == PLACEMENT_EDGES)
        return position < slices / 2 || position >= shape->ends - (slices - slices / 2);
    return position
           == (uint32_t)((2 * (uint64_t)placed + 1) * shape->ends / (2 * (uint64_t)slices));
}

/* `first_sm` and `first_slice`: of the ends, which are in the order of their numbers. */
static void place_in_a_row(Shape *shape, uint32_t first_sm, uint32_t first_slice, uint32_t slices)
{
    uint32_t sms = 0, placed = 0;
    for (uint32_t i = 0; i < shape->ends; i++) {
        const bool slice = slice_stands_at(shape, i, placed, slices);
        ShapeEnd *end = &shape->end[slice ? first_slice + placed++ : first_sm + sms++];
        end->stop = (uint32_t)((uint64_t)i * shape->stops / shape->ends);
    }
}

/* SMs in a row at the concentrators, slices in the middle. */
static void place_in_hierarchy(Shape *shape)
{
    for (uint32_t i = 0; i < shape->ends; i++)
        shape->end[i].stop = shape->end[i].is_sm
                                 ? shape->end[i].number / (uint32_t)shape->params->concentration
                                 : shape->stops - 1;
}

/* As many SMs and as many slices on each die, in a row: as the halves of L2 have them. */
static void place_on_dies(Shape *shape, uint32_t sms, uint32_t slices)
{
    for (uint32_t i = 0; i < shape->ends; i++)
        shape->end[i].stop = (uint32_t)((uint64_t)shape->end[i].number * shape->stops
                                        / (shape->end[i].is_sm ? sms : slices));
}

static void place(Shape *shape, NetworkRole role, uint32_t sms, uint32_t slices)
{
    const bool sms_first = role == NETWORK_REQUEST;
    switch ((TopologyKind)shape->params->topology) {
    case TOPOLOGY_CROSSBAR: return;
    case TOPOLOGY_HIERARCHICAL: place_in_hierarchy(shape); return;
    case TOPOLOGY_DIES: place_on_dies(shape, sms, slices); return;
    case TOPOLOGY_RING:
    case TOPOLOGY_MESH:
    case TOPOLOGY_TORUS:
    case TOPOLOGY_FAT_TREE:
    case TOPOLOGY_DRAGONFLY:
        place_in_a_row(shape, sms_first ? 0 : slices, sms_first ? sms : 0, slices);
        return;
    }
    g_assert_not_reached();
}

static void list_ends(Shape *shape, NetworkRole role, const NetworkRoutes *routes)
{
    const bool request = role == NETWORK_REQUEST;
    shape->ends = routes->sources + routes->destinations;
    shape->end = g_new0(ShapeEnd, shape->ends);
    for (uint32_t i = 0; i < routes->sources; i++)
        shape->end[i] =
            (ShapeEnd){.source = true, .is_sm = request, .number = i, .link = routes->up[i]};
    for (uint32_t j = 0; j < routes->destinations; j++)
        shape->end[routes->sources + j] =
            (ShapeEnd){.is_sm = !request, .number = j, .link = routes->down[j]};
}

/* --- zones ------------------------------------------------------------------------------------ */

static void append_shape(const Shape *shape, GString *xml)
{
    switch ((TopologyKind)shape->params->topology) {
    case TOPOLOGY_CROSSBAR: break;
    case TOPOLOGY_RING: shape_append_ring(shape, xml); return;
    case TOPOLOGY_MESH: shape_append_mesh(shape, xml); return;
    case TOPOLOGY_TORUS: shape_append_torus(shape, xml); return;
    case TOPOLOGY_FAT_TREE: shape_append_tree(shape, xml); return;
    case TOPOLOGY_DRAGONFLY: shape_append_dragonfly(shape, xml); return;
    case TOPOLOGY_HIERARCHICAL: shape_append_hierarchy(shape, xml); return;
    case TOPOLOGY_DIES: shape_append_dies(shape, xml); return;
    }
    g_assert_not_reached();
}

static void append_zone(GString *xml, const NetworkParams *params, NetworkRole role,
                        const NetworkRoutes *routes, const Clock *clock)
{
    const bool request = role == NETWORK_REQUEST;
    const uint32_t sms = request ? routes->sources : routes->destinations,
                   slices = request ? routes->destinations : routes->sources;
    const double ns = time_to_ns(clock->period),
                 width = (double)(request ? params->request_link_bandwidth
                                          : params->reply_link_bandwidth)
                         / ns;
    Shape shape = {
        .name = request ? "request" : "reply",
        .params = params,
        .link = {width, (double)(params->link_latency + params->router_delay) * ns},
        .far = {width, (double)(params->global_link_latency + params->router_delay) * ns}};
    list_ends(&shape, role, routes);
    lay_out_stops(&shape, sms, slices);
    place(&shape, role, sms, slices);
    /* with one stop there is nothing between stops, whatever they would be joined by */
    if (shape.stops == 1)
        shape_append_dies(&shape, xml);
    else
        append_shape(&shape, xml);
    g_free(shape.end);
}

/* --- what cannot be --------------------------------------------------------------------------- */

static bool reject(GError **error, const char *key, uint64_t value, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

static bool reject(GError **error, const char *key, uint64_t value, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, PARAM_ERROR, 0, "network.%s = %" G_GUINT64_FORMAT ": %s", key, value,
                reason);
    return false;
}

/* Level by level: as many as the parents multiply, while the children divide. */
static uint64_t count_switches(const NetworkParams *params, uint64_t stops)
{
    const uint64_t children = params->tree_children,
                   parents = params->tree_parents ? params->tree_parents : children;
    uint64_t all = 0, side_by_side = 1, below = stops;
    for (;;) {
        below = (below + children - 1) / children;
        all += side_by_side * below;
        if (below == 1 || all > UINT32_MAX) return all;
        side_by_side *= parents;
    }
}

/* Of the largest Floyd zone: a cluster is one, and routers of a dragonfly have a zone each. */
static uint32_t count_nodes(const Shape *shape, uint32_t ends)
{
    switch ((TopologyKind)shape->params->topology) {
    case TOPOLOGY_CROSSBAR:
    case TOPOLOGY_DRAGONFLY: return 0;
    case TOPOLOGY_MESH:
    case TOPOLOGY_TORUS:
    case TOPOLOGY_FAT_TREE: return ends + 1;
    case TOPOLOGY_RING:
    case TOPOLOGY_HIERARCHICAL:
    case TOPOLOGY_DIES: return ends + shape->stops;
    }
    g_assert_not_reached();
}

static bool check(const NetworkParams *params, uint32_t sms, uint32_t slices, GError **error)
{
    Shape shape = {.params = params};
    lay_out_stops(&shape, sms, slices);
    if (params->topology == TOPOLOGY_DIES && params->dies > MIN(sms, slices))
        return reject(error, "dies", params->dies,
                      "each die has an SM and an L2 slice; there are %u (machine.sms) and %u "
                      "(machine.partitions, machine.slices_per_partition)",
                      sms, slices);
    if (!topology_check_stops(params, sms + slices, shape.stops, error)) return false;
    if (params->topology == TOPOLOGY_FAT_TREE
        && count_switches(params, shape.stops) > TREE_SWITCHES_MAX)
        return reject(error, "tree_parents", params->tree_parents,
                      "over %u stops (concentration), %" G_GUINT64_FORMAT
                      " at a switch (tree_children), the tree needs more than %d switches",
                      shape.stops, params->tree_children, TREE_SWITCHES_MAX);
    const uint32_t way = shape.columns / 2 + shape.rows / 2 + shape.layers / 2 + 2;
    if (params->topology == TOPOLOGY_TORUS && params->timing == TIMING_PACKET && way > WAY_LINKS)
        return reject(
            error, "mesh_columns", params->mesh_columns,
            "half way round %u x %u stops (concentration, torus_layers) a packet's way has "
            "%u links, at most %d are possible",
            shape.columns, shape.rows, way, WAY_LINKS);
    const uint32_t nodes = count_nodes(&shape, sms + slices);
    return topology_check_nodes(sms + slices, shape.stops, nodes, error);
}

char *shapes_describe(const NetworkParams *params, const NetworkRoutes routes[NETWORKS],
                      const Clock *clock, GError **error)
{
    if (!check(params, routes[NETWORK_REQUEST].sources, routes[NETWORK_REPLY].sources, error))
        return NULL;
    GString *xml = network_open_platform();
    for (uint32_t n = 0; n < NETWORKS; n++)
        append_zone(xml, params, (NetworkRole)n, &routes[n], clock);
    return network_close_platform(xml);
}
