#include "platform/network/nodes.h"

#include "kit/describe/param.h"

static bool fail(const Nodes *nodes, GError **error, const char *format, ...) G_GNUC_PRINTF(3, 4);
static bool fail(const Nodes *nodes, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, PARAM_ERROR, 0, "%s: %s", platform_name(nodes->question), text);
    return false;
}

/* "'sm0' to 'slice3'", newly allocated. */
static char *nodes_describe(const Nodes *nodes, NetworkRole role, uint32_t route)
{
    const uint32_t destinations = platform_destinations(nodes->question, role);
    g_autofree char *from = platform_host(nodes->question, role, true, route / destinations);
    g_autofree char *to = platform_host(nodes->question, role, false, route % destinations);
    return g_strdup_printf("'%s' to '%s'", from, to);
}

static uint32_t route_count(const Nodes *nodes)
{
    return nodes->question->sms * nodes->question->slices;
}

static const char *link_name(const Nodes *nodes, uint32_t link)
{
    return nodes->routes->link[link].name;
}

/* --- which ends are one ----------------------------------------------------------------------- */

static uint32_t find(const Nodes *nodes, uint32_t end)
{
    uint32_t *parent = nodes->parent;
    while (parent[end] != end) end = parent[end] = parent[parent[end]];
    return end;
}

static void join(const Nodes *nodes, uint32_t a, uint32_t b)
{
    nodes->parent[find(nodes, a)] = find(nodes, b);
}

uint32_t node_of_link(const Nodes *nodes, uint32_t link, bool end)
{
    return find(nodes, 2 * link + end);
}

/* In a file of the user's an SM's host is the same for requests and replies. */
static uint32_t end_of_host(const Nodes *nodes, NetworkRole role, bool source, uint32_t i)
{
    const uint32_t sms = nodes->question->sms, slices = nodes->question->slices;
    const bool sm = (role == NETWORK_REQUEST) == source;
    const uint32_t set = nodes->question->file || role == NETWORK_REQUEST ? 0 : sms + slices;
    return 2 * nodes->routes->links + set + (sm ? 0 : sms) + i;
}

uint32_t node_of_host(const Nodes *nodes, NetworkRole role, bool source, uint32_t i)
{
    return find(nodes, end_of_host(nodes, role, source, i));
}

void nodes_way(const Nodes *nodes, NetworkRole role, uint32_t route, Way *way)
{
    const PlatformRoutes *routes = nodes->routes;
    way->length = 0;
    for (uint32_t k = routes->first[role][route]; k < routes->first[role][route + 1]; k++)
        if (!nodes->joint[routes->hop[role][k]]) way->hop[way->length++] = routes->hop[role][k];
}

/* --- what SimGrid says, one by one ------------------------------------------------------------ */

#define SECOND "one SimGrid second is a nanosecond: \"20s\" are 20 ns, \"40Bps\" are 40 GB/s"

/* Of a file in which a second is one, latencies are too small and bandwidths too large by far. What
 * only joins two switches may be as wide as one likes. */
static bool check_link(const Nodes *nodes, uint32_t index, GError **error)
{
    const NetworkLink *link = &nodes->routes->link[index].link;
    const bool own = nodes->question->file, joins = link->wide && link->latency <= 0;
    const double least_ns = own ? 1e-3 : 0, most_gbps = own && !joins ? 1e7 : 1e15;
    if (!(link->bandwidth > 0))
        return fail(nodes, error, "link '%s' has no bandwidth (%g GB/s)", link_name(nodes, index),
                    link->bandwidth);
    if (link->bandwidth > most_gbps)
        return fail(nodes, error, "link '%s' has %g GB/s; up to %g are possible; " SECOND,
                    link_name(nodes, index), link->bandwidth, most_gbps);
    const bool possible = link->latency >= 0 && link->latency <= 1e9;
    if (!possible || (link->latency > 0 && link->latency < least_ns))
        return fail(nodes, error,
                    "link '%s' has a latency of %g ns; 0 and %g to 1e9 are possible; " SECOND,
                    link_name(nodes, index), link->latency, least_ns);
    return true;
}

bool nodes_check_links(const PlatformQuestion *question, const PlatformRoutes *routes,
                       GError **error)
{
    const Nodes nodes = {.question = question, .routes = routes};
    for (uint32_t k = 0; k < routes->links; k++)
        if (!check_link(&nodes, k, error)) return false;
    return true;
}

static bool check_lengths(const Nodes *nodes, GError **error)
{
    for (uint32_t n = 0; n < NETWORKS; n++) {
        const uint32_t *first = nodes->routes->first[n];
        for (uint32_t r = 0; r < route_count(nodes); r++) {
            const uint32_t length = first[r + 1] - first[r];
            if (length && length <= G_N_ELEMENTS(((Way *)NULL)->hop)) continue;
            g_autofree char *route = nodes_describe(nodes, (NetworkRole)n, r);
            return length
                       ? fail(nodes, error, "the route from %s has %u links, more than %zu", route,
                              length, G_N_ELEMENTS(((Way *)NULL)->hop))
                       : fail(nodes, error,
                              "there is no route from %s, or it has no link; give it one", route);
        }
    }
    return true;
}

static void find_joints(Nodes *nodes)
{
    const PlatformRoutes *routes = nodes->routes;
    double widest = 0;
    for (uint32_t k = 0; k < routes->links; k++)
        if (!routes->link[k].link.wide) widest = MAX(widest, routes->link[k].link.bandwidth);
    for (uint32_t k = 0; k < routes->links; k++) {
        const NetworkLink *link = &routes->link[k].link;
        nodes->joint[k] = link->wide && link->latency <= 0 && link->bandwidth >= widest;
        if (nodes->joint[k]) join(nodes, 2 * k, 2 * k + 1);
    }
}

static void join_route(const Nodes *nodes, NetworkRole role, uint32_t r)
{
    const uint32_t *hop = nodes->routes->hop[role],
                   destinations = platform_destinations(nodes->question, role);
    const uint32_t begin = nodes->routes->first[role][r], end = nodes->routes->first[role][r + 1];
    join(nodes, end_of_host(nodes, role, true, r / destinations), 2 * hop[begin]);
    for (uint32_t k = begin + 1; k < end; k++) join(nodes, 2 * hop[k - 1] + 1, 2 * hop[k]);
    join(nodes, 2 * hop[end - 1] + 1, end_of_host(nodes, role, false, r % destinations));
}

/* --- contradictions --------------------------------------------------------------------------- */

/* The first of a network's routes that takes the link; NULL: none. */
static char *find_route(const Nodes *nodes, NetworkRole role, uint32_t link)
{
    const uint32_t *first = nodes->routes->first[role], *hop = nodes->routes->hop[role];
    for (uint32_t r = 0; r < route_count(nodes); r++)
        for (uint32_t k = first[r]; k < first[r + 1]; k++)
            if (hop[k] == link) return nodes_describe(nodes, role, r);
    return NULL;
}

/* A link that begins where it ends, by what follows what in all routes. */
static bool reject_link(const Nodes *nodes, uint32_t link, GError **error)
{
    g_autofree char *there = find_route(nodes, NETWORK_REQUEST, link),
                    *back = find_route(nodes, NETWORK_REPLY, link);
    if (there && back)
        return fail(nodes, error,
                    "link '%s' goes both ways, in the route from %s and in that from %s; a link "
                    "goes one way, sharing_policy=\"SPLITDUPLEX\" makes two of it",
                    link_name(nodes, link), there, back);
    return fail(nodes, error,
                "link '%s' begins and ends at one switch, by what follows what on the route from "
                "%s and on others; give each way a link of its own",
                link_name(nodes, link), there ? there : back);
}

static bool check_one_way(const Nodes *nodes, GError **error)
{
    for (uint32_t k = 0; k < nodes->routes->links; k++)
        if (!nodes->joint[k] && node_of_link(nodes, k, false) == node_of_link(nodes, k, true))
            return reject_link(nodes, k, error);
    return true;
}

/* No route comes to one node twice. */
static bool check_straight(const Nodes *nodes, GError **error)
{
    g_autofree uint32_t *seen = g_new0(uint32_t, nodes->count);
    uint32_t stamp = 0;
    for (uint32_t n = 0; n < NETWORKS; n++) {
        for (uint32_t r = 0; r < route_count(nodes); r++) {
            Way way;
            nodes_way(nodes, (NetworkRole)n, r, &way);
            stamp++;
            for (uint32_t k = 0; k < way.length; k++) {
                const uint32_t node = node_of_link(nodes, way.hop[k], false);
                if (seen[node] == stamp) {
                    g_autofree char *route = nodes_describe(nodes, (NetworkRole)n, r);
                    return fail(
                        nodes, error,
                        "the route from %s meets itself: where link '%s' begins it has been "
                        "before",
                        route, link_name(nodes, way.hop[k]));
                }
                seen[node] = stamp;
            }
        }
    }
    return true;
}

/* --- switches --------------------------------------------------------------------------------- */

/* The only link at a host, or another: then it stands at a switch. */
static void note_end(const Nodes *nodes, uint32_t *only, uint32_t host, uint32_t link, bool single)
{
    if (only[host] == NO_NODE) only[host] = link;
    if (only[host] != link || single) nodes->is_switch[find(nodes, host)] = true;
}

/* Where a link follows another is a switch. */
static void find_switches_on(const Nodes *nodes, NetworkRole role, uint32_t r, uint32_t *first,
                             uint32_t *last)
{
    const uint32_t destinations = platform_destinations(nodes->question, role);
    const uint32_t from = end_of_host(nodes, role, true, r / destinations),
                   to = end_of_host(nodes, role, false, r % destinations);
    const uint32_t *begin = nodes->routes->first[role] + r;
    uint32_t start = NO_NODE, end = NO_NODE;
    for (uint32_t k = begin[0]; k < begin[1]; k++) {
        const uint32_t link = nodes->routes->hop[role][k];
        if (nodes->joint[link]) continue;
        if (start == NO_NODE)
            start = link;
        else
            nodes->is_switch[node_of_link(nodes, link, false)] = true;
        end = link;
    }
    if (start == NO_NODE) {
        nodes->is_switch[find(nodes, from)] = true;
        return;
    }
    note_end(nodes, first, from, start, start == end);
    note_end(nodes, last, to, end, start == end);
}

static void find_shared_ends(const Nodes *nodes)
{
    g_autofree uint32_t *host = g_new(uint32_t, nodes->count);
    for (uint32_t k = 0; k < nodes->count; k++) host[k] = NO_NODE;
    for (uint32_t h = 2 * nodes->routes->links; h < nodes->count; h++) {
        const uint32_t node = find(nodes, h);
        if (host[node] != NO_NODE) nodes->is_switch[node] = true;
        host[node] = h;
    }
}

/* Of the routes of these networks. */
static void find_switches(const Nodes *nodes, NetworkRole from, NetworkRole until)
{
    g_autofree uint32_t *first = g_new(uint32_t, nodes->count),
                        *last = g_new(uint32_t, nodes->count);
    for (uint32_t k = 0; k < nodes->count; k++) first[k] = last[k] = NO_NODE;
    for (NetworkRole n = from; n < until; n++)
        for (uint32_t r = 0; r < route_count(nodes); r++)
            find_switches_on(nodes, n, r, first, last);
    find_shared_ends(nodes);
}

static void begin(Nodes *nodes, const PlatformQuestion *question, const PlatformRoutes *routes)
{
    *nodes = (Nodes){.question = question, .routes = routes};
    nodes->count = 2 * (routes->links + question->sms + question->slices);
    nodes->parent = g_new(uint32_t, nodes->count);
    nodes->is_switch = g_new0(uint8_t, nodes->count);
    nodes->joint = g_new0(uint8_t, routes->links);
    for (uint32_t k = 0; k < nodes->count; k++) nodes->parent[k] = k;
}

static void join_routes(Nodes *nodes, NetworkRole from, NetworkRole until)
{
    find_joints(nodes);
    for (NetworkRole n = from; n < until; n++)
        for (uint32_t r = 0; r < route_count(nodes); r++) join_route(nodes, n, r);
}

bool nodes_init(Nodes *nodes, const PlatformQuestion *question, const PlatformRoutes *routes,
                GError **error)
{
    begin(nodes, question, routes);
    if (!nodes_check_links(question, routes, error) || !check_lengths(nodes, error)) return false;
    join_routes(nodes, 0, NETWORKS);
    if (!check_one_way(nodes, error) || !check_straight(nodes, error)) return false;
    find_switches(nodes, 0, NETWORKS);
    return true;
}

void nodes_init_one(Nodes *nodes, const PlatformQuestion *question, const PlatformRoutes *routes,
                    NetworkRole role)
{
    begin(nodes, question, routes);
    join_routes(nodes, role, role + 1);
    find_switches(nodes, role, role + 1);
}

void nodes_finish(Nodes *nodes)
{
    g_free(nodes->parent);
    g_free(nodes->is_switch);
    g_free(nodes->joint);
}
