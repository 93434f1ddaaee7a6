#include "platform/network/shape.h"

Zone zone_open(GString *xml, const char *routing, const char *name)
{
    g_string_append_printf(xml, "<zone id=\"%s\" routing=\"%s\">\n", name, routing);
    return (Zone){xml, g_string_new(NULL)};
}

void zone_close(Zone *zone)
{
    g_string_append_len(zone->xml, zone->routes->str, (gssize)zone->routes->len);
    g_string_append(zone->xml, "</zone>\n");
    g_string_free(zone->routes, TRUE);
}

void zone_add_host(Zone *zone, const char *name)
{
    g_string_append_printf(zone->xml, "<host id=\"%s\" speed=\"1f\"/>\n", name);
}

void zone_add_router(Zone *zone, const char *name)
{
    g_string_append_printf(zone->xml, "<router id=\"%s\"/>\n", name);
}

void zone_add_link(Zone *zone, const char *name, const NetworkLink *link)
{
    char bandwidth[G_ASCII_DTOSTR_BUF_SIZE], latency[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_dtostr(bandwidth, sizeof bandwidth, link->bandwidth);
    g_ascii_dtostr(latency, sizeof latency, link->latency);
    g_string_append_printf(zone->xml, "<link id=\"%s\" bandwidth=\"%sBps\" latency=\"%ss\"/>\n",
                           name, bandwidth, latency);
}

void zone_add_route(Zone *zone, const char *from, const char *to, const char *links)
{
    g_auto(GStrv) list = g_strsplit(links, " ", -1);
    g_string_append_printf(zone->routes, "<route src=\"%s\" dst=\"%s\" symmetrical=\"NO\">", from,
                           to);
    for (char **link = list; *link; link++)
        g_string_append_printf(zone->routes, "<link_ctn id=\"%s\"/>", *link);
    g_string_append(zone->routes, "</route>\n");
}

void zone_add_way(Zone *zone, ZoneDoor from, ZoneDoor to, const char *link)
{
    g_string_append_printf(
        zone->routes,
        "<zoneRoute src=\"%s\" dst=\"%s\" gw_src=\"%s\" gw_dst=\"%s\" symmetrical=\"NO\">"
        "<link_ctn id=\"%s\"/></zoneRoute>\n",
        from.zone, to.zone, from.gateway, to.gateway, link);
}

char *shape_end_name(const Shape *shape, const ShapeEnd *end)
{
    return g_strdup_printf("%s-%s-%u", shape->name, end->source ? "source" : "destination",
                           end->number);
}

char *shape_stop_name(const Shape *shape, uint32_t stop)
{
    return g_strdup_printf("%s-stop-%u", shape->name, stop);
}

void shape_add_end(const Shape *shape, Zone *zone, const ShapeEnd *end, const char *stop)
{
    g_autofree char *host = shape_end_name(shape, end);
    g_autofree char *link = g_strdup_printf("%s-link", host);
    zone_add_host(zone, host);
    zone_add_link(zone, link, &end->link);
    zone_add_route(zone, end->source ? host : stop, end->source ? stop : host, link);
}

void shape_add_hop(const Shape *shape, Zone *zone, uint32_t from, uint32_t to)
{
    g_autofree char *here = shape_stop_name(shape, from), *there = shape_stop_name(shape, to);
    g_autofree char *link = g_strdup_printf("%s-to-%u", here, to);
    zone_add_link(zone, link, &shape->link);
    zone_add_route(zone, here, there, link);
}
