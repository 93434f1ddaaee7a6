/* SimGrid's zones find shortest ways, by the number of links alone. A mesh's row comes before its
 * column, and of two equal ways round a ring each stop has its own choice; so each stop is two
 * routers, one a dimension or direction, and what leads from one to the other (a turn) or makes one
 * way longer (a tie) is a link without latency or limit, which is no place (graph.h). */
#include "platform/network/topology.h"

#include "platform/network/graph.h"

enum { STOPS_MAX = 1024 };

#define SMS_AND_SLICES                                                                             \
    "%u SMs and slices (machine.sms, machine.partitions, machine.slices_per_partition)"

/* --- stops ------------------------------------------------------------------------------------ */

static uint32_t divide_up(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

uint32_t topology_square_side(uint32_t stops)
{
    uint32_t side = 1;
    while (side * side < stops) side++;
    return side;
}

static void lay_out_grid(TopologyPlan *plan, const NetworkParams *params)
{
    plan->columns =
        params->mesh_columns ? (uint32_t)params->mesh_columns : topology_square_side(plan->stops);
    plan->stops = plan->columns * divide_up(plan->stops, plan->columns);
}

bool topology_check_stops(const NetworkParams *params, uint32_t ends, uint32_t stops,
                          GError **error)
{
    if (stops <= STOPS_MAX) return true;
    g_set_error(error, PARAM_ERROR, 0,
                "network.concentration = %" G_GUINT64_FORMAT ": " SMS_AND_SLICES
                " need %u stops, at most %d are possible",
                params->concentration, ends, stops, STOPS_MAX);
    return false;
}

bool topology_check_nodes(uint32_t ends, uint32_t stops, uint32_t nodes, GError **error)
{
    if (nodes <= FLOYD_MAX) return true;
    g_set_error(error, PARAM_ERROR, 0,
                "network.topology: " SMS_AND_SLICES
                " at %u stops (concentration, dies) make %u nodes "
                "that SimGrid has to find all ways between, at most %d are possible",
                ends, stops, nodes, FLOYD_MAX);
    return false;
}

/* The ends' own links, and those between stops: half of a ring, or but one where it has one way. */
static bool check_ring(const TopologyPlan *plan, const NetworkParams *params, uint32_t ends,
                       GError **error)
{
    const uint32_t between = WAY_LINKS - 2,
                   most = plan->directions == 2 ? 2 * between + 1 : between + 1;
    if (plan->stops <= most) return true;
    g_set_error(error, PARAM_ERROR, 0,
                "network.concentration = %" G_GUINT64_FORMAT ": " SMS_AND_SLICES
                " need %u stops, at most %u are possible in a ring %s "
                "(ring_directions): a packet's way has %d links at most",
                params->concentration, ends, plan->stops, most,
                plan->directions == 2 ? "both ways round" : "one way round", WAY_LINKS);
    return false;
}

/* From corner to corner. Only rows that are set can be so long. */
static bool check_mesh(const TopologyPlan *plan, const NetworkParams *params, GError **error)
{
    const uint32_t rows = plan->stops / plan->columns, way = plan->columns + rows;
    if (way <= WAY_LINKS) return true;
    g_set_error(
        error, PARAM_ERROR, 0,
        "network.mesh_columns = %" G_GUINT64_FORMAT
        ": from corner to corner of %u x %u stops (concentration) a packet's way has %u links, at "
        "most %d are possible",
        params->mesh_columns, plan->columns, rows, way, WAY_LINKS);
    return false;
}

static bool lay_out_stops(TopologyPlan *plan, const NetworkParams *params, uint32_t ends,
                          GError **error)
{
    const uint32_t wanted = divide_up(ends, (uint32_t)params->concentration);
    if (params->topology == TOPOLOGY_RING && params->link_buffer < 2) {
        g_set_error(error, PARAM_ERROR, 0,
                    "network.link_buffer = %" G_GUINT64_FORMAT
                    ": a ring needs 2 packets at least, of which one stays free",
                    params->link_buffer);
        return false;
    }
    if (!topology_check_stops(params, ends, wanted, error)) return false;
    plan->stops = wanted;
    plan->directions = wanted > 2 ? (uint32_t)params->ring_directions : 1;
    if (params->topology == TOPOLOGY_MESH) lay_out_grid(plan, params);
    const uint32_t rails = params->topology == TOPOLOGY_MESH ? 2 : plan->directions;
    if (!topology_check_nodes(ends, plan->stops, ends + rails * plan->stops, error)) return false;
    return params->topology == TOPOLOGY_MESH ? check_mesh(plan, params, error)
                                             : check_ring(plan, params, ends, error);
}

/* All SMs and slices in a row, which is then laid over the stops. Spread: a slice in the middle of
 * each of as many equal parts as there are slices. Edges: slices at both ends of the row. */
static bool slice_stands_at(uint32_t placement, uint32_t position, uint32_t placed,
                            const uint32_t count[2])
{
    const uint32_t slices = count[NETWORK_REPLY], ends = slices + count[NETWORK_REQUEST];
    if (placed == slices) return false;
    if (placement == PLACEMENT_EDGES)
        return position < slices / 2 || position >= ends - (slices - slices / 2);
    return position == (uint32_t)((2 * (uint64_t)placed + 1) * ends / (2 * (uint64_t)slices));
}

static void place_ends(TopologyPlan *plan, uint32_t placement, const uint32_t count[2])
{
    const uint32_t ends = count[NETWORK_REQUEST] + count[NETWORK_REPLY];
    uint32_t placed[NETWORKS] = {0};
    for (uint32_t i = 0; i < ends; i++) {
        const NetworkRole role = slice_stands_at(placement, i, placed[NETWORK_REPLY], count)
                                     ? NETWORK_REPLY
                                     : NETWORK_REQUEST;
        plan->stop_of[role][placed[role]++] = (uint32_t)((uint64_t)i * plan->stops / ends);
    }
}

bool topology_plan_init(TopologyPlan *plan, const NetworkParams *params, uint32_t sms,
                        uint32_t slices, GError **error)
{
    const uint32_t count[NETWORKS] = {sms, slices};
    *plan = (TopologyPlan){0};
    if (!lay_out_stops(plan, params, sms + slices, error)) return false;
    for (uint32_t n = 0; n < NETWORKS; n++) plan->stop_of[n] = g_new0(uint32_t, count[n]);
    place_ends(plan, params->slice_placement, count);
    return true;
}

void topology_plan_finish(TopologyPlan *plan)
{
    for (uint32_t n = 0; n < NETWORKS; n++) g_free(plan->stop_of[n]);
}

/* --- the platform ----------------------------------------------------------------------------- */

/* One network. SimGrid wants all links of a zone before its routes. */
typedef struct {
    const TopologyPlan *plan;
    const NetworkParams *params;
    const Clock *clock;
    NetworkRole role;
    const char *zone;
    bool ring;
    GString *links, *routes;
} Zone;

/* The routers of a stop: on a ring round and back, on a mesh along rows and along columns. */
enum { FIRST, SECOND };

static void append_router(GString *text, const Zone *zone, uint32_t stop, uint32_t rail)
{
    g_string_append_printf(text, "%s-%u-%s", zone->zone, stop, rail == FIRST ? "first" : "second");
}

static uint32_t rails(const Zone *zone)
{
    return !zone->ring || zone->plan->directions == 2 ? 2 : 1;
}

static void append_quantity(GString *text, const char *key, double value, const char *unit)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_dtostr(number, sizeof number, value);
    g_string_append_printf(text, " %s=\"%s%s\"", key, number, unit);
}

static void write_link(const Zone *zone, const char *name, uint64_t bandwidth, uint64_t cycles)
{
    const double ns = time_to_ns(zone->clock->period);
    g_string_append_printf(zone->links, "<link id=\"%s\"", name);
    append_quantity(zone->links, "bandwidth", (double)bandwidth / ns, "Bps");
    append_quantity(zone->links, "latency", (double)cycles * ns, "s");
    g_string_append(zone->links, "/>\n");
}

static void write_joint(const Zone *zone, uint32_t stop)
{
    g_string_append_printf(zone->links,
                           "<link id=\"%s-%u-joint\" bandwidth=\"1e12Bps\" latency=\"0s\" "
                           "sharing_policy=\"FATPIPE\"/>\n",
                           zone->zone, stop);
}

static void open_route(const Zone *zone)
{
    g_string_append(zone->routes, "<route symmetrical=\"NO\" src=\"");
}

static void close_route(const Zone *zone, const char *link, uint32_t joint)
{
    g_string_append(zone->routes, "\">");
    if (link) g_string_append_printf(zone->routes, "<link_ctn id=\"%s\"/>", link);
    if (joint != UINT32_MAX)
        g_string_append_printf(zone->routes, "<link_ctn id=\"%s-%u-joint\"/>", zone->zone, joint);
    g_string_append(zone->routes, "</route>\n");
}

static void write_route(const Zone *zone, uint32_t from, uint32_t from_rail, uint32_t to,
                        uint32_t to_rail, const char *link, uint32_t joint)
{
    open_route(zone);
    append_router(zone->routes, zone, from, from_rail);
    g_string_append(zone->routes, "\" dst=\"");
    append_router(zone->routes, zone, to, to_rail);
    close_route(zone, link, joint);
}

static void join_stops(const Zone *zone, uint32_t from, uint32_t to, uint32_t rail,
                       const char *direction)
{
    const NetworkParams *params = zone->params;
    g_autofree char *name = g_strdup_printf("%s-%u-%s", zone->zone, from, direction);
    write_link(zone, name,
               zone->role == NETWORK_REQUEST ? params->request_link_bandwidth
                                             : params->reply_link_bandwidth,
               params->link_latency + params->router_delay);
    write_route(zone, from, rail, to, rail, name, UINT32_MAX);
}

static void join_ring(const Zone *zone, uint32_t s)
{
    const uint32_t stops = zone->plan->stops;
    write_joint(zone, s);
    if (stops == 1) return;
    join_stops(zone, s, (s + 1) % stops, FIRST, "x+");
    if (zone->plan->directions == 2) join_stops(zone, s, (s + stops - 1) % stops, SECOND, "x-");
}

static void join_mesh(const Zone *zone, uint32_t s)
{
    const uint32_t columns = zone->plan->columns, stops = zone->plan->stops;
    write_joint(zone, s);
    write_route(zone, s, FIRST, s, SECOND, NULL, s);
    write_route(zone, s, SECOND, s, FIRST, NULL, s); /* round a link that is removed */
    if (s % columns + 1 < columns) join_stops(zone, s, s + 1, FIRST, "x+");
    if (s % columns) join_stops(zone, s, s - 1, FIRST, "x-");
    if (s >= columns) join_stops(zone, s, s - columns, SECOND, "y+");
    if (s + columns < stops) join_stops(zone, s, s + columns, SECOND, "y-");
}

/* The shorter way round; of two equal ones even stops take the one, odd stops the other. */
static bool is_longer(const Zone *zone, uint32_t stop, uint32_t rail)
{
    return zone->ring && rails(zone) == 2 && zone->plan->stops % 2 == 0
           && stop % 2 != (rail == SECOND);
}

static void enter_stop(const Zone *zone, const char *host, uint32_t stop, const char *link)
{
    for (uint32_t rail = FIRST; rail < (zone->ring ? rails(zone) : 1); rail++) {
        open_route(zone);
        g_string_append_printf(zone->routes, "%s\" dst=\"", host);
        append_router(zone->routes, zone, stop, rail);
        close_route(zone, link, is_longer(zone, stop, rail) ? stop : UINT32_MAX);
    }
}

static void leave_stop(const Zone *zone, const char *host, uint32_t stop, const char *link)
{
    for (uint32_t rail = zone->ring ? FIRST : SECOND; rail < rails(zone); rail++) {
        open_route(zone);
        append_router(zone->routes, zone, stop, rail);
        g_string_append_printf(zone->routes, "\" dst=\"%s", host);
        close_route(zone, link, UINT32_MAX);
    }
}

static void write_end(const Zone *zone, GString *xml, bool source, uint32_t i)
{
    const NetworkParams *params = zone->params;
    const bool request = zone->role == NETWORK_REQUEST;
    const uint32_t stop = zone->plan->stop_of[request == source ? 0 : 1][i];
    g_autofree char *host =
        g_strdup_printf("%s-%s-%u", zone->zone, source ? "source" : "destination", i);
    g_autofree char *link = g_strdup_printf("%s-%u-%s-%u", zone->zone, stop,
                                            source ? "from-source" : "to-destination", i);
    g_string_append_printf(xml, "<host id=\"%s\" speed=\"1f\"/>\n", host);
    if (source) {
        write_link(zone, link,
                   request ? params->request_source_bandwidth : params->reply_source_bandwidth,
                   request ? params->request_source_latency : params->reply_source_latency);
        enter_stop(zone, host, stop, link);
    } else {
        write_link(
            zone, link,
            request ? params->request_destination_bandwidth : params->reply_destination_bandwidth,
            request ? params->request_destination_latency : params->reply_destination_latency);
        leave_stop(zone, host, stop, link);
    }
}

static void write_zone(const Zone *zone, GString *xml, uint32_t sources, uint32_t destinations)
{
    g_string_append_printf(xml, "<zone id=\"%s\" routing=\"Floyd\">\n", zone->zone);
    for (uint32_t i = 0; i < sources; i++) write_end(zone, xml, true, i);
    for (uint32_t j = 0; j < destinations; j++) write_end(zone, xml, false, j);
    for (uint32_t s = 0; s < zone->plan->stops; s++) {
        for (uint32_t rail = FIRST; rail < rails(zone); rail++) {
            g_string_append(xml, "<router id=\"");
            append_router(xml, zone, s, rail);
            g_string_append(xml, "\"/>\n");
        }
        if (zone->ring)
            join_ring(zone, s);
        else
            join_mesh(zone, s);
    }
    g_string_append(xml, zone->links->str);
    g_string_append(xml, zone->routes->str);
    g_string_append(xml, "</zone>\n");
}

char *topology_describe(const NetworkParams *params, uint32_t sms, uint32_t slices,
                        const Clock *clock, GError **error)
{
    static const char *const zones[NETWORKS] = {"request", "reply"};
    const uint32_t sources[NETWORKS] = {sms, slices};
    TopologyPlan plan;
    if (!topology_plan_init(&plan, params, sms, slices, error)) return NULL;
    GString *xml =
        g_string_new("<?xml version='1.0'?>\n"
                     "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                     "<platform version=\"4.1\"><zone id=\"warpmem\" routing=\"Full\">\n");
    for (NetworkRole n = 0; n < NETWORKS; n++) {
        g_autoptr(GString) links = g_string_new(NULL);
        g_autoptr(GString) routes = g_string_new(NULL);
        write_zone(&(Zone){&plan, params, clock, n, zones[n], params->topology == TOPOLOGY_RING,
                           links, routes},
                   xml, sources[n], sources[1 - n]);
    }
    g_string_append(xml, "</zone></platform>\n");
    topology_plan_finish(&plan);
    return g_string_free(xml, FALSE);
}
