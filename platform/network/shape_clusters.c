/* Topologies that are SimGrid's clusters. Their nodes are the stops; each end is a zone beside the
 * cluster, joined to a node by its own link, and a Floyd zone around all of them puts the parts of
 * a way together. */
#include "platform/network/shape.h"

/* A cluster of so many nodes; `parameters` are those of SimGrid's topology. */
static void add_cluster(const Shape *shape, Zone *zone, const char *topology, uint32_t nodes,
                        const char *parameters)
{
    char bandwidth[G_ASCII_DTOSTR_BUF_SIZE], latency[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_dtostr(bandwidth, sizeof bandwidth, shape->link.bandwidth);
    g_ascii_dtostr(latency, sizeof latency, shape->link.latency);
    g_string_append_printf(
        zone->xml,
        "<cluster id=\"%s-stops\" prefix=\"%s-stop-\" suffix=\"\" radical=\"0-%u\" speed=\"1f\" "
        "bw=\"%sBps\" lat=\"%ss\" topology=\"%s\" topo_parameters=\"%s\" "
        "sharing_policy=\"SPLITDUPLEX\"/>\n",
        shape->name, shape->name, nodes - 1, bandwidth, latency, topology, parameters);
}

static void add_end(const Shape *shape, Zone *zone, const ShapeEnd *end, uint32_t node)
{
    g_autofree char *host = shape_end_name(shape, end), *stop = shape_stop_name(shape, node);
    g_autofree char *own = g_strdup_printf("%s-zone", host),
                    *stops = g_strdup_printf("%s-stops", shape->name),
                    *link = g_strdup_printf("%s-link", host);
    Zone alone = zone_open(zone->xml, "Full", own);
    zone_add_host(&alone, host);
    zone_close(&alone);
    zone_add_link(zone, link, &end->link);
    const ZoneDoor here = {own, host}, there = {stops, stop};
    zone_add_way(zone, end->source ? here : there, end->source ? there : here, link);
}

/* --- grids ------------------------------------------------------------------------------------ */

/* "9,8": SimGrid has no use for dimensions of one. */
static char *describe_grid(uint32_t columns, uint32_t rows, uint32_t layers)
{
    const uint32_t size[] = {columns, rows, layers};
    g_autoptr(GString) text = g_string_new(NULL);
    for (uint32_t i = 0; i < G_N_ELEMENTS(size); i++)
        if (size[i] > 1) g_string_append_printf(text, "%s%u", text->len ? "," : "", size[i]);
    return g_strdup(text->str);
}

/* SimGrid goes along the rows first, and the shorter way round. */
void shape_append_torus(const Shape *shape, GString *xml)
{
    g_autofree char *grid = describe_grid(shape->columns, shape->rows, shape->layers);
    Zone zone = zone_open(xml, "Floyd", shape->name);
    add_cluster(shape, &zone, "TORUS", shape->stops, grid);
    for (uint32_t i = 0; i < shape->ends; i++)
        add_end(shape, &zone, &shape->end[i], shape->end[i].stop);
    zone_close(&zone);
}

/* The corner of a torus so large that going round is never shorter. */
void shape_append_mesh(const Shape *shape, GString *xml)
{
    const uint32_t columns = 2 * shape->columns - 1, rows = 2 * shape->rows - 1;
    g_autofree char *grid = describe_grid(columns, rows, 1);
    Zone zone = zone_open(xml, "Floyd", shape->name);
    add_cluster(shape, &zone, "TORUS", columns * rows, grid);
    for (uint32_t i = 0; i < shape->ends; i++) {
        const uint32_t stop = shape->end[i].stop;
        add_end(shape, &zone, &shape->end[i],
                stop / shape->columns * columns + stop % shape->columns);
    }
    zone_close(&zone);
}

/* --- fat tree --------------------------------------------------------------------------------- */

/* As many levels of switches as the stops need; the last has as many children as are left. Each
 * stop has one cable to a switch of the first level. */
void shape_append_tree(const Shape *shape, GString *xml)
{
    const uint64_t children = shape->params->tree_children,
                   parents = shape->params->tree_parents ? shape->params->tree_parents : children;
    g_autoptr(GString) down = g_string_new(NULL), up = g_string_new("1"),
                       cables = g_string_new("1");
    uint64_t left = shape->stops, nodes = 1;
    uint32_t levels = 1;
    for (; left > children; left = (left + children - 1) / children, levels++, nodes *= children) {
        g_string_append_printf(down, "%" G_GUINT64_FORMAT ",", children);
        g_string_append_printf(up, ",%" G_GUINT64_FORMAT, parents);
        g_string_append(cables, ",1");
    }
    g_string_append_printf(down, "%" G_GUINT64_FORMAT, left);
    g_autofree char *tree = g_strdup_printf("%u;%s;%s;%s", levels, down->str, up->str, cables->str);
    Zone zone = zone_open(xml, "Floyd", shape->name);
    add_cluster(shape, &zone, "FAT_TREE", (uint32_t)(nodes * left), tree);
    for (uint32_t i = 0; i < shape->ends; i++)
        add_end(shape, &zone, &shape->end[i], shape->end[i].stop);
    zone_close(&zone);
}
