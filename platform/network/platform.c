#include "platform/network/platform.h"

#include <simgrid/host.h>
#include <simgrid/link.h>
#include <xbt/dynar.h>

#include "platform/network/links/places.h"

#define LINK_BANDWIDTH(field, fallback, text, ...)                                                 \
    PARAM_NUMBER(NetworkParams, field, PARAM_BANDWIDTH, fallback, 1, 65536, text, __VA_ARGS__)
#define LINK_LATENCY(field, fallback, text, ...)                                                   \
    PARAM_NUMBER(NetworkParams, field, PARAM_CYCLES, fallback, 1, 100000, text, __VA_ARGS__)

static const char *const timings[] = {"packet", "flow", NULL};
static const char *const topologies[] = {"crossbar",  "ring",         "mesh", "torus", "fat_tree",
                                         "dragonfly", "hierarchical", "dies", NULL};
static const char *const ideals[] = {"no", "requests", "replies", "both", NULL};
static const char *const placements[] = {"spread", "edges", NULL};

static const Param network_params[] = {
    PARAM_ONE_OF(
        NetworkParams, timing, timings, "packet",
        "who decides when a packet arrives: crossbars or routers, link by link, or SimGrid's solver",
        .perfect = PERFECT(IN("network", "packet"))),
    PARAM_STRING(NetworkParams, platform, "",
                 "SimGrid platform file with hosts sm0, sm1, ... and slice0, slice1, ..., in which "
                 "a second is a nanosecond (20s are 20 ns, 40Bps are 40 GB/s), relative to the "
                 "scenario's folder; none: the links below",
                 .perfect = PERFECT(IN("network", NULL))),
    PARAM_NUMBER(NetworkParams, concurrency, PARAM_COUNT, "1", 0, 65536,
                 "flow: packets that a link carries at once; 0: any number share its bandwidth"),
    LINK_BANDWIDTH(request_source_bandwidth, "40 B/cycle",
                   "link from an SM into the request network", .doubling = TWICE,
                   .relieves = "request_network network"),
    LINK_LATENCY(request_source_latency, "50 cycles",
                 "wire and pipeline from an SM to the request crossbar",
                 .perfect = PERFECT(IN("request_network", "1 cycle"), IN("network", "1 cycle")),
                 .doubling = HALF),
    LINK_BANDWIDTH(request_destination_bandwidth, "40 B/cycle",
                   "link from the request network to an L2 slice", .doubling = TWICE,
                   .relieves = "request_network network"),
    LINK_LATENCY(request_destination_latency, "24 cycles",
                 "from the request crossbar to an L2 slice",
                 .perfect = PERFECT(IN("request_network", "1 cycle"), IN("network", "1 cycle")),
                 .doubling = HALF),
    LINK_BANDWIDTH(reply_source_bandwidth, "40 B/cycle",
                   "link from an L2 slice into the reply network", .doubling = TWICE,
                   .relieves = "reply_network network"),
    LINK_LATENCY(reply_source_latency, "50 cycles", "from an L2 slice to the reply crossbar",
                 .perfect = PERFECT(IN("reply_network", "1 cycle"), IN("network", "1 cycle")),
                 .doubling = HALF),
    LINK_BANDWIDTH(reply_destination_bandwidth, "40 B/cycle",
                   "link from the reply network to an SM", .doubling = TWICE,
                   .relieves = "reply_network network"),
    LINK_LATENCY(reply_destination_latency, "24 cycles", "from the reply crossbar to an SM",
                 .perfect = PERFECT(IN("reply_network", "1 cycle"), IN("network", "1 cycle")),
                 .doubling = HALF),
    PARAM_STRING(NetworkParams, sm_places, "",
                 "crossbar: where the SMs lie along the die, as the times that a wire takes from "
                 "one end of it, '0 cycles, 13 cycles': SMs in order, of each half of L2 as many "
                 "at each place; none: all wires are as long",
                 .perfect = PERFECT(IN("network", NULL))),
    PARAM_STRING(NetworkParams, slice_places, "",
                 "crossbar: the same of L2 slices; a packet takes the wire from its SM's place to "
                 "its slice's, or back, besides the links of both",
                 .perfect = PERFECT(IN("network", NULL))),
    PARAM_NUMBER(NetworkParams, input_buffer, PARAM_COUNT, "512", 1, 65536,
                 "packets an input queue of a crossbar holds", .doubling = TWICE,
                 .relieves = "request_network reply_network network"),
    PARAM_NUMBER(NetworkParams, l2_input_buffer, PARAM_COUNT, "64", 1, 65536,
                 "requests an L2 slice's input queue holds",
                 .perfect = PERFECT(IN("l2_pending", ">= 4096")), .doubling = TWICE),
    PARAM_NUMBER(NetworkParams, flit_bytes, PARAM_BYTES, "0 B", 0, 4096,
                 "packets are rounded up to whole flits of this size; 0: they are not; how many "
                 "bytes a cycle a link carries say the *_bandwidth of network"),
    PARAM_ONE_OF(
        NetworkParams, ideal, ideals, "no",
        "no hardware, a bound: any number of packets are on a link of that network at "
        "once, and take nothing but its latency; not with timing = flow",
        .perfect = PERFECT(
            IN("request_network", "requests", .only_if = "ideal = no", .needs = "timing = packet"),
            IN("request_network", "both", .only_if = "ideal = replies"),
            IN("reply_network", "replies", .only_if = "ideal = no", .needs = "timing = packet"),
            IN("reply_network", "both", .only_if = "ideal = requests"), IN("network", "both"))),
    PARAM_ONE_OF(
        NetworkParams, topology, topologies, "crossbar",
        "how SMs and slices are joined: one crossbar; routers in a ring, a mesh (a "
        "concentrated one where concentration > 1), a torus, under a fat tree, in groups "
        "of a dragonfly; SMs behind concentrators of a crossbar; dies with a crossbar each"),
    PARAM_ONE_OF(NetworkParams, slice_placement, placements, "spread",
                 "ring, mesh, torus, fat_tree, dragonfly: slices evenly among the SMs, or on both "
                 "sides of all SMs"),
    PARAM_NUMBER(NetworkParams, concentration, PARAM_COUNT, "2", 1, 32,
                 "ring, mesh, torus, fat_tree, dragonfly: SMs and slices at a stop, at most; "
                 "hierarchical: SMs at a concentrator, a TPC's or a GPC's"),
    PARAM_NUMBER(NetworkParams, ring_directions, PARAM_COUNT, "2", 1, 2,
                 "ring: 2 goes both ways round, 1 only one"),
    PARAM_NUMBER(NetworkParams, mesh_columns, PARAM_COUNT, "0", 0, 1024,
                 "mesh, torus: routers in a row; 0: as many as make it a square, or nearly so"),
    PARAM_NUMBER(NetworkParams, torus_layers, PARAM_COUNT, "1", 1, 64,
                 "torus: squares of rows and columns, joined in a third dimension"),
    PARAM_NUMBER(NetworkParams, tree_children, PARAM_COUNT, "8", 2, 64,
                 "fat_tree: stops below a switch, or switches below one of the next level"),
    PARAM_NUMBER(NetworkParams, tree_parents, PARAM_COUNT, "0", 0, 64,
                 "fat_tree: switches above a switch; 0: as many as children, so that no level is "
                 "narrower than the one below; half as many: half the bandwidth"),
    PARAM_NUMBER(NetworkParams, group_routers, PARAM_COUNT, "4", 1, 64,
                 "dragonfly: routers of a group, each with a link to every other; a group has one "
                 "link to each other group"),
    PARAM_NUMBER(NetworkParams, dies, PARAM_COUNT, "2", 1, 16,
                 "dies: each with its part of the SMs and slices, and a link to every other"),
    LINK_BANDWIDTH(request_link_bandwidth, "40 B/cycle",
                   "all but crossbar: each way between routers or dies of the request network",
                   .doubling = TWICE, .relieves = "request_network network"),
    LINK_BANDWIDTH(reply_link_bandwidth, "40 B/cycle",
                   "all but crossbar: each way between routers or dies of the reply network",
                   .doubling = TWICE, .relieves = "reply_network network"),
    LINK_LATENCY(link_latency, "1 cycles", "all but crossbar: wire between routers or dies",
                 .perfect = PERFECT(IN("network", "1 cycle", .only_if = "topology != crossbar")),
                 .doubling = HALF),
    LINK_LATENCY(global_link_latency, "7 cycles", "dragonfly: wire between two groups",
                 .perfect = PERFECT(IN("network", "1 cycle", .only_if = "topology = dragonfly")),
                 .doubling = HALF),
    PARAM_NUMBER(NetworkParams, router_delay, PARAM_CYCLES, "1 cycles", 0, 1000,
                 "all but crossbar: pipeline of a router, from its input to its link",
                 .perfect = PERFECT(IN("network", "0 cycles", .only_if = "topology != crossbar")),
                 .doubling = HALF),
    PARAM_NUMBER(
        NetworkParams, link_buffer, PARAM_COUNT, "16", 1, 65536,
        "packets that a router buffers from each neighbour, in each virtual channel; a ring needs 2",
        .perfect = PERFECT(IN("network", ">= 4096", .only_if = "topology != crossbar")),
        .doubling = TWICE),
    PARAM_NUMBER(NetworkParams, virtual_channels, PARAM_COUNT, "4", 1, 16,
                 "buffers that a link between routers may lead into, so that packets wait for each "
                 "other in no circle; 1: there must be none"),
    PARAM_END};

const ParamGroup network_group = {
    .name = "network",
    .summary = "links of the request and reply networks (a SimGrid platform)",
    .params = network_params};

static const char *const zone_names[NETWORKS] = {"request", "reply"};

void network_routes_init(NetworkRoutes routes[NETWORKS], uint32_t sms, uint32_t slices)
{
    for (uint32_t n = 0; n < NETWORKS; n++) {
        routes[n].routers = NULL;
        routes[n].wires = (NetworkWires){0};
        routes[n].sources = n == NETWORK_REQUEST ? sms : slices;
        routes[n].destinations = n == NETWORK_REQUEST ? slices : sms;
        routes[n].up = g_new0(NetworkLink, routes[n].sources);
        routes[n].down = g_new0(NetworkLink, routes[n].destinations);
        routes[n].up_name = g_new0(const char *, routes[n].sources);
        routes[n].down_name = g_new0(const char *, routes[n].destinations);
        routes[n].names = NULL;
    }
}

void network_routes_finish(NetworkRoutes routes[NETWORKS])
{
    for (uint32_t n = 0; n < NETWORKS; n++) {
        g_clear_pointer(&routes[n].up, g_free);
        g_clear_pointer(&routes[n].down, g_free);
        g_clear_pointer(&routes[n].up_name, g_free);
        g_clear_pointer(&routes[n].down_name, g_free);
        g_clear_pointer(&routes[n].names, g_string_chunk_free);
        places_finish(&routes[n].wires);
    }
}

static void plan_links(NetworkLink *links, uint32_t count, uint64_t bandwidth, uint64_t latency,
                       const Clock *clock)
{
    const double ns = time_to_ns(clock->period);
    for (uint32_t i = 0; i < count; i++)
        links[i] =
            (NetworkLink){.bandwidth = (double)bandwidth / ns, .latency = (double)latency * ns};
}

char *network_star_link(NetworkRole role, bool source, uint32_t i)
{
    return g_strdup_printf("%s-%s-link-%u", zone_names[role], source ? "source" : "destination", i);
}

static void name_links(NetworkRoutes *routes, NetworkRole role)
{
    if (!routes->names) routes->names = g_string_chunk_new(1024);
    for (uint32_t source = 0; source < 2; source++)
        for (uint32_t i = 0; i < (source ? routes->sources : routes->destinations); i++) {
            g_autofree char *name = network_star_link(role, source, i);
            (source ? routes->up_name : routes->down_name)[i] =
                g_string_chunk_insert(routes->names, name);
        }
}

void network_routes_plan(NetworkRoutes routes[NETWORKS], const NetworkParams *params,
                         const Clock *clock)
{
    NetworkRoutes *request = &routes[NETWORK_REQUEST], *reply = &routes[NETWORK_REPLY];
    request->ideal = params->ideal == IDEAL_REQUESTS || params->ideal == IDEAL_BOTH;
    reply->ideal = params->ideal == IDEAL_REPLIES || params->ideal == IDEAL_BOTH;
    request->flit_bytes = reply->flit_bytes = (uint32_t)params->flit_bytes;
    plan_links(request->up, request->sources, params->request_source_bandwidth,
               params->request_source_latency, clock);
    plan_links(request->down, request->destinations, params->request_destination_bandwidth,
               params->request_destination_latency, clock);
    plan_links(reply->up, reply->sources, params->reply_source_bandwidth,
               params->reply_source_latency, clock);
    plan_links(reply->down, reply->destinations, params->reply_destination_bandwidth,
               params->reply_destination_latency, clock);
    for (NetworkRole n = 0; n < NETWORKS; n++) name_links(&routes[n], n);
}

char *network_link_figures(double bandwidth, double latency)
{
    char bytes[G_ASCII_DTOSTR_BUF_SIZE], seconds[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_dtostr(bytes, sizeof bytes, bandwidth);
    g_ascii_dtostr(seconds, sizeof seconds, latency);
    return g_strdup_printf("bandwidth=\"%sBps\" latency=\"%ss\"", bytes, seconds);
}

static void append_host(GString *xml, NetworkRole role, bool source, uint32_t i,
                        const char *figures)
{
    g_autofree char *name = network_star_link(role, source, i);
    const char *zone = zone_names[role], *end = source ? "source" : "destination";
    g_string_append_printf(xml,
                           "<host id=\"%s-%s-%u\" speed=\"1f\"/><link id=\"%s\" %s/>"
                           "<host_link id=\"%s-%s-%u\" up=\"%s\" down=\"%s\"/>\n",
                           zone, end, i, name, figures, zone, end, i, name, name);
}

/* Figures take as long as the rest, and mostly are those of the link before. */
static void append_hosts(GString *xml, NetworkRole role, bool source, const NetworkLink *link,
                         uint32_t count)
{
    g_autofree char *figures = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const bool known = i && link[i].bandwidth == link[i - 1].bandwidth
                           && link[i].latency == link[i - 1].latency;
        if (!known) {
            g_free(figures);
            figures = network_link_figures(link[i].bandwidth, link[i].latency);
        }
        append_host(xml, role, source, i, figures);
    }
}

static void append_network(GString *xml, NetworkRole role, const NetworkRoutes *routes)
{
    g_string_append_printf(xml, "<zone id=\"%s\" routing=\"Cluster\">\n", zone_names[role]);
    append_hosts(xml, role, true, routes->up, routes->sources);
    append_hosts(xml, role, false, routes->down, routes->destinations);
    g_string_append(xml, "</zone>\n");
}

static void append_transport(GString *xml, uint32_t tiles)
{
    g_string_append(xml, "<zone id=\"transport\" routing=\"Cluster\">\n");
    for (uint32_t i = 0; i < tiles; i++)
        g_string_append_printf(
            xml,
            "<host id=\"tile%u\" speed=\"1f\"/><link id=\"transport-%u\" bandwidth=\"1Bps\" latency=\"0s\" "
            "sharing_policy=\"FATPIPE\"/><host_link id=\"tile%u\" up=\"transport-%u\" down=\"transport-%u\"/>\n",
            i, i, i, i, i);
    g_string_append(xml, "</zone>\n");
}

GString *network_open_platform(void)
{
    return g_string_new("<?xml version='1.0'?>\n"
                        "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                        "<platform version=\"4.1\"><zone id=\"warpmem\" routing=\"Full\">\n");
}

char *network_close_platform(GString *xml)
{
    g_string_append(xml, "</zone></platform>\n");
    return g_string_free(xml, FALSE);
}

GString *network_reopen_platform(char *text)
{
    GString *xml = g_string_new_len(text, g_strrstr(text, "</zone>") - text);
    g_free(text);
    return xml;
}

char *network_describe_stars(const NetworkRoutes routes[NETWORKS], uint32_t tiles)
{
    GString *xml = network_open_platform();
    for (NetworkRole n = 0; routes && n < NETWORKS; n++)
        if (routes[n].sources) append_network(xml, n, &routes[n]);
    if (tiles) append_transport(xml, tiles);
    return network_close_platform(xml);
}

static sg_host_t find_host(const char *zone, const char *end, uint32_t i)
{
    g_autofree char *name = g_strdup_printf("%s-%s-%u", zone, end, i);
    return sg_host_by_name(name);
}

/* The two links between source i and destination j. */
static bool read_route(const char *zone, uint32_t i, uint32_t j, NetworkLink *up, NetworkLink *down,
                       GError **error)
{
    sg_host_t source = find_host(zone, "source", i),
              destination = find_host(zone, "destination", j);
    if (!source || !destination) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                    "the SimGrid platform lacks host %s-%s-%u", zone,
                    source ? "destination" : "source", source ? j : i);
        return false;
    }
    xbt_dynar_t links = xbt_dynar_new(sizeof(sg_link_t), NULL);
    sg_host_get_route(source, destination, links);
    const bool star = xbt_dynar_length(links) == 2;
    for (unsigned k = 0; star && k < 2; k++) {
        sg_link_t link = xbt_dynar_get_as(links, k, sg_link_t);
        *(k ? down : up) = (NetworkLink){.bandwidth = sg_link_get_bandwidth(link),
                                         .latency = sg_link_get_latency(link)};
    }
    xbt_dynar_free(&links);
    if (!star)
        g_set_error(
            error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
            "the route from %s-source-%u to %s-destination-%u is not two links, as a crossbar needs",
            zone, i, zone, j);
    return star;
}

static bool read_star(const char *zone, NetworkRoutes *network, GError **error)
{
    NetworkLink other;
    for (uint32_t i = 0; i < network->sources; i++)
        if (!read_route(zone, i, 0, &network->up[i], &other, error)) return false;
    for (uint32_t j = 0; j < network->destinations; j++)
        if (!read_route(zone, 0, j, &other, &network->down[j], error)) return false;
    return true;
}

bool network_routes_read_back(NetworkRoutes routes[NETWORKS], GError **error)
{
    for (uint32_t n = 0; n < NETWORKS; n++)
        if (!read_star(zone_names[n], &routes[n], error)) return false;
    return true;
}
