/* Topologies of routers with a way of one link between neighbours. Where the shortest way is the
 * only one it is SimGrid's Floyd zone that finds it. */
#include "platform/network/shape.h"

static void add_routers(const Shape *shape, Zone *zone)
{
    for (uint32_t s = 0; s < shape->stops; s++) {
        g_autofree char *name = shape_stop_name(shape, s);
        zone_add_router(zone, name);
    }
}

static void add_ends(const Shape *shape, Zone *zone)
{
    for (uint32_t i = 0; i < shape->ends; i++) {
        g_autofree char *stop = shape_stop_name(shape, shape->end[i].stop);
        shape_add_end(shape, zone, &shape->end[i], stop);
    }
}

/* --- ring ------------------------------------------------------------------------------------- */

/* Half way round both ways are equally long: from stops with an even number it is the one, from
 * others the other. Floyd leaves alone a route that is as short as what it finds. */
static void add_half_way(const Shape *shape, Zone *zone, const ShapeEnd *from, const ShapeEnd *to)
{
    const uint32_t stops = shape->stops, step = from->stop % 2 ? stops - 1 : 1;
    g_autofree char *source = shape_end_name(shape, from), *destination = shape_end_name(shape, to);
    g_autoptr(GString) links = g_string_new(NULL);
    g_string_append_printf(links, "%s-link", source);
    for (uint32_t s = from->stop; s != to->stop; s = (s + step) % stops)
        g_string_append_printf(links, " %s-stop-%u-to-%u", shape->name, s, (s + step) % stops);
    g_string_append_printf(links, " %s-link", destination);
    zone_add_route(zone, source, destination, links->str);
}

static void add_half_ways(const Shape *shape, Zone *zone)
{
    for (uint32_t i = 0; i < shape->ends; i++) {
        for (uint32_t j = 0; j < shape->ends; j++) {
            const ShapeEnd *from = &shape->end[i], *to = &shape->end[j];
            const uint32_t apart = (to->stop + shape->stops - from->stop) % shape->stops;
            if (from->source && !to->source && 2 * apart == shape->stops)
                add_half_way(shape, zone, from, to);
        }
    }
}

void shape_append_ring(const Shape *shape, GString *xml)
{
    const uint32_t stops = shape->stops;
    const bool back = shape->params->ring_directions == 2 && stops > 2;
    Zone zone = zone_open(xml, "Floyd", shape->name);
    add_routers(shape, &zone);
    add_ends(shape, &zone);
    for (uint32_t s = 0; stops > 1 && s < stops; s++) {
        shape_add_hop(shape, &zone, s, (s + 1) % stops);
        if (back) shape_add_hop(shape, &zone, s, (s + stops - 1) % stops);
    }
    if (back) add_half_ways(shape, &zone);
    zone_close(&zone);
}

/* --- hierarchical crossbar -------------------------------------------------------------------- */

/* The last stop is the crossbar in the middle. */
void shape_append_hierarchy(const Shape *shape, GString *xml)
{
    const uint32_t middle = shape->stops - 1;
    const bool to_sms = !shape->end[0].is_sm;
    Zone zone = zone_open(xml, "Floyd", shape->name);
    add_routers(shape, &zone);
    add_ends(shape, &zone);
    for (uint32_t s = 0; s < middle; s++)
        shape_add_hop(shape, &zone, to_sms ? middle : s, to_sms ? s : middle);
    zone_close(&zone);
}

/* --- dies ------------------------------------------------------------------------------------- */

void shape_append_dies(const Shape *shape, GString *xml)
{
    Zone zone = zone_open(xml, "Floyd", shape->name);
    add_routers(shape, &zone);
    add_ends(shape, &zone);
    for (uint32_t a = 0; a < shape->stops; a++)
        for (uint32_t b = 0; b < shape->stops; b++)
            if (a != b) shape_add_hop(shape, &zone, a, b);
    zone_close(&zone);
}

/* --- dragonfly -------------------------------------------------------------------------------- */

static char *router_zone(const Shape *shape, uint32_t stop)
{
    return g_strdup_printf("%s-router-%u", shape->name, stop);
}

static char *group_zone(const Shape *shape, uint32_t group)
{
    return g_strdup_printf("%s-group-%u", shape->name, group);
}

static void append_router(const Shape *shape, GString *xml, uint32_t stop)
{
    g_autofree char *name = router_zone(shape, stop), *router = shape_stop_name(shape, stop);
    Zone zone = zone_open(xml, "Floyd", name);
    zone_add_router(&zone, router);
    for (uint32_t i = 0; i < shape->ends; i++)
        if (shape->end[i].stop == stop) shape_add_end(shape, &zone, &shape->end[i], router);
    zone_close(&zone);
}

static void add_local_link(const Shape *shape, Zone *zone, uint32_t from, uint32_t to)
{
    g_autofree char *here = shape_stop_name(shape, from), *there = shape_stop_name(shape, to);
    g_autofree char *left = router_zone(shape, from), *entered = router_zone(shape, to);
    g_autofree char *link = g_strdup_printf("%s-to-%u", here, to);
    zone_add_link(zone, link, &shape->link);
    zone_add_way(zone, (ZoneDoor){left, here}, (ZoneDoor){entered, there}, link);
}

static void append_group(const Shape *shape, GString *xml, uint32_t group)
{
    const uint32_t routers = shape->stops / shape->groups, first = group * routers;
    g_autofree char *name = group_zone(shape, group);
    Zone zone = zone_open(xml, "Full", name);
    for (uint32_t r = first; r < first + routers; r++) append_router(shape, xml, r);
    for (uint32_t r = first; r < first + routers; r++)
        for (uint32_t q = first; q < first + routers; q++)
            if (r != q) add_local_link(shape, &zone, r, q);
    zone_close(&zone);
}

/* A group's links to the others lie at its routers in turn. */
static uint32_t router_towards(const Shape *shape, uint32_t group, uint32_t other)
{
    const uint32_t routers = shape->stops / shape->groups;
    const uint32_t turn = (other + shape->groups - group - 1) % shape->groups;
    return group * routers + turn % routers;
}

static void add_global_link(const Shape *shape, Zone *zone, uint32_t from, uint32_t to)
{
    g_autofree char *left = group_zone(shape, from), *entered = group_zone(shape, to);
    g_autofree char *here = shape_stop_name(shape, router_towards(shape, from, to)),
                    *there = shape_stop_name(shape, router_towards(shape, to, from));
    g_autofree char *link = g_strdup_printf("%s-to-group-%u", left, to);
    zone_add_link(zone, link, &shape->far);
    zone_add_way(zone, (ZoneDoor){left, here}, (ZoneDoor){entered, there}, link);
}

void shape_append_dragonfly(const Shape *shape, GString *xml)
{
    Zone zone = zone_open(xml, "Full", shape->name);
    for (uint32_t g = 0; g < shape->groups; g++) append_group(shape, xml, g);
    for (uint32_t g = 0; g < shape->groups; g++)
        for (uint32_t h = 0; h < shape->groups; h++)
            if (g != h) add_global_link(shape, &zone, g, h);
    zone_close(&zone);
}
