/* A network of routers as a SimGrid zone: a host for each stop and each end, a link and a route of
 * one link between neighbours. Longer routes are not asked of SimGrid: its zones that compute them
 * (Floyd, Dijkstra) do so when the engine runs, which is after the units are wired, and go by
 * length alone, which does not say that a row comes before a column. */
#include "platform/network/topology.h"

#include <simgrid/host.h>
#include <simgrid/link.h>
#include <xbt/dynar.h>

static char *name_stop(const char *zone, uint32_t stop)
{
    return g_strdup_printf("%s-stop-%u", zone, stop);
}

static char *name_end(const char *zone, const char *end, uint32_t i)
{
    return g_strdup_printf("%s-%s-%u", zone, end, i);
}

static void append_host(GString *xml, const char *name)
{
    g_string_append_printf(xml, "<host id=\"%s\" speed=\"1f\"/>\n", name);
}

static void append_hosts(GString *xml, const char *zone, const NetworkRoutes *routes)
{
    for (uint32_t s = 0; s < routes->routers->stops; s++) {
        g_autofree char *name = name_stop(zone, s);
        append_host(xml, name);
    }
    for (uint32_t i = 0; i < routes->sources; i++) {
        g_autofree char *name = name_end(zone, "source", i);
        append_host(xml, name);
    }
    for (uint32_t j = 0; j < routes->destinations; j++) {
        g_autofree char *name = name_end(zone, "destination", j);
        append_host(xml, name);
    }
}

/* What is done with each link of a network: written, or read back. */
typedef bool (*LinkVisit)(const char *from, const char *to, NetworkLink *link, void *user,
                          GError **error);

static bool visit_stop(const NetworkRoutes *routes, uint32_t s, const char *zone, LinkVisit visit,
                       void *user, GError **error)
{
    RouterStop *stop = &routes->routers->stop[s];
    g_autofree char *here = name_stop(zone, s);
    for (uint32_t d = 0; d < ROUTER_LINKS; d++) {
        if (stop->neighbour[d] == UINT32_MAX) continue;
        g_autofree char *there = name_stop(zone, stop->neighbour[d]);
        if (!visit(here, there, &stop->link[d], user, error)) return false;
    }
    for (uint32_t i = 0; i < stop->sources; i++) {
        g_autofree char *source = name_end(zone, "source", stop->source[i]);
        if (!visit(source, here, &routes->up[stop->source[i]], user, error)) return false;
    }
    for (uint32_t j = 0; j < stop->destinations; j++) {
        g_autofree char *destination = name_end(zone, "destination", stop->destination[j]);
        if (!visit(here, destination, &routes->down[stop->destination[j]], user, error))
            return false;
    }
    return true;
}

static bool write_link(const char *from, const char *to, NetworkLink *link, void *user,
                       GError **error)
{
    (void)error;
    char bandwidth[G_ASCII_DTOSTR_BUF_SIZE], latency[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_dtostr(bandwidth, sizeof bandwidth, link->bandwidth);
    g_ascii_dtostr(latency, sizeof latency, link->latency);
    g_string_append_printf(user, "<link id=\"%s-to-%s\" bandwidth=\"%sBps\" latency=\"%ss\"/>\n",
                           from, to, bandwidth, latency);
    return true;
}

static bool write_route(const char *from, const char *to, NetworkLink *link, void *user,
                        GError **error)
{
    (void)link, (void)error;
    g_string_append_printf(
        user,
        "<route src=\"%s\" dst=\"%s\" symmetrical=\"NO\"><link_ctn id=\"%s-to-%s\"/></route>\n",
        from, to, from, to);
    return true;
}

static bool visit_all(const NetworkRoutes *routes, const char *zone, LinkVisit visit, void *user,
                      GError **error)
{
    for (uint32_t s = 0; s < routes->routers->stops; s++)
        if (!visit_stop(routes, s, zone, visit, user, error)) return false;
    return true;
}

/* SimGrid wants all links of a zone before its routes. */
void topology_append_zone(GString *xml, const char *zone, const NetworkRoutes *routes)
{
    g_string_append_printf(xml, "<zone id=\"%s\" routing=\"Full\">\n", zone);
    append_hosts(xml, zone, routes);
    visit_all(routes, zone, write_link, xml, NULL);
    visit_all(routes, zone, write_route, xml, NULL);
    g_string_append(xml, "</zone>\n");
}

static bool read_link(const char *from, const char *to, NetworkLink *link, void *user,
                      GError **error)
{
    (void)user;
    sg_host_t source = sg_host_by_name(from), destination = sg_host_by_name(to);
    if (!source || !destination) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "the SimGrid platform lacks host %s",
                    source ? to : from);
        return false;
    }
    xbt_dynar_t links = xbt_dynar_new(sizeof(sg_link_t), NULL);
    sg_host_get_route(source, destination, links);
    const bool single = xbt_dynar_length(links) == 1;
    if (single) {
        sg_link_t first = xbt_dynar_get_as(links, 0, sg_link_t);
        *link = (NetworkLink){sg_link_get_bandwidth(first), sg_link_get_latency(first)};
    } else {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                    "the route from %s to %s is not one link, as neighbours need", from, to);
    }
    xbt_dynar_free(&links);
    return single;
}

bool topology_read_back(NetworkRoutes *routes, const char *zone, GError **error)
{
    return visit_all(routes, zone, read_link, NULL, error);
}
