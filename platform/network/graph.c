/* Routers from nodes: numbers, ports, routes, virtual channels; and their wires. Everything is
 * numbered by the names of links, so that a platform gives the same routers however SimGrid keeps
 * them. */
#include "platform/network/graph.h"

#include <stdlib.h>
#include <string.h>

#include "kit/describe/param.h"
#include "platform/network/circles.h"
#include "platform/network/nodes.h"

#define DIGITS "0123456789"

/* One of the networks while it is made. */
typedef struct {
    const GraphPlan *plan;
    const PlatformRoutes *routes;
    const Nodes *nodes;
    const uint32_t *by_name, *by_kind; /* all links */
    NetworkGraph *graph;
    RouterNetwork *network;
    NetworkRole from, until; /* whose packets it carries */
    uint8_t *used;           /* by link */
    uint32_t *number;        /* of a link between routers, by link */
    uint32_t *stop;          /* by node */
    GArray *outputs;
} Builder;

static uint32_t route_count(const Builder *builder)
{
    return builder->plan->question.sms * builder->plan->question.slices;
}

static bool joins_switches(const Builder *builder, uint32_t link)
{
    return builder->nodes->is_switch[node_of_link(builder->nodes, link, false)]
           && builder->nodes->is_switch[node_of_link(builder->nodes, link, true)];
}

/* --- numbers ---------------------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b, void *user)
{
    const PlatformRoutes *routes = user;
    return strverscmp(routes->link[*(const uint32_t *)a].name,
                      routes->link[*(const uint32_t *)b].name);
}

/* The names without their numbers: links that lead the same way stand together. */
static int compare_kinds(const void *a, const void *b, void *user)
{
    const PlatformRoutes *routes = user;
    const char *left = routes->link[*(const uint32_t *)a].name,
               *right = routes->link[*(const uint32_t *)b].name;
    for (;; left++, right++) {
        left += strspn(left, DIGITS);
        right += strspn(right, DIGITS);
        if (*left != *right) return *(const guchar *)left - *(const guchar *)right;
        if (!*left) return compare_names(a, b, user);
    }
}

static uint32_t *order_links(const PlatformRoutes *routes, GCompareDataFunc compare)
{
    uint32_t *order = g_new(uint32_t, routes->links);
    for (uint32_t k = 0; k < routes->links; k++) order[k] = k;
    g_qsort_with_data(order, (gint)routes->links, sizeof *order, compare, (void *)routes);
    return order;
}

static void find_used(const Builder *builder)
{
    for (NetworkRole n = builder->from; n < builder->until; n++) {
        for (uint32_t r = 0; r < route_count(builder); r++) {
            Way way;
            nodes_way(builder->nodes, n, r, &way);
            for (uint32_t k = 0; k < way.length; k++) builder->used[way.hop[k]] = true;
        }
    }
}

static void number_switch(const Builder *builder, uint32_t node)
{
    if (!builder->nodes->is_switch[node] || builder->stop[node] != NO_NODE) return;
    builder->stop[node] = builder->network->stops++;
}

/* A switch by the first link that begins there; then those where links only end, or only hosts
 * are. */
static void number_switches(const Builder *builder)
{
    for (uint32_t end = 0; end < 2; end++)
        for (uint32_t k = 0; k < builder->routes->links; k++)
            if (builder->used[builder->by_name[k]])
                number_switch(builder, node_of_link(builder->nodes, builder->by_name[k], end));
    for (NetworkRole n = builder->from; n < builder->until; n++)
        for (uint32_t i = 0; i < platform_sources(&builder->plan->question, n); i++)
            number_switch(builder, node_of_host(builder->nodes, n, true, i));
    builder->network->stop = g_new0(RouterStop, builder->network->stops);
}

static void append(uint32_t **list, uint32_t *count, uint32_t value)
{
    *list = g_renew(uint32_t, *list, *count + 1);
    (*list)[(*count)++] = value;
}

static void number_links(const Builder *builder)
{
    RouterNetwork *network = builder->network;
    network->link = g_new0(RouterLink, builder->routes->links);
    for (uint32_t k = 0; k < builder->routes->links; k++) {
        const uint32_t own = builder->by_kind[k];
        if (!builder->used[own] || !joins_switches(builder, own)) continue;
        const PlatformLink *said = &builder->routes->link[own];
        RouterLink *link = &network->link[network->links];
        *link = (RouterLink){.name = said->name,
                             .link = said->link,
                             .from = builder->stop[node_of_link(builder->nodes, own, false)],
                             .to = builder->stop[node_of_link(builder->nodes, own, true)]};
        append(&network->stop[link->from].out, &network->stop[link->from].outs, network->links);
        append(&network->stop[link->to].in, &network->stop[link->to].ins, network->links);
        builder->number[own] = network->links++;
    }
}

/* --- virtual channels ------------------------------------------------------------------------- */

/* Of a role's routes the links between routers. */
typedef struct {
    GArray *first, *hop;
    uint8_t *channel;
} Hops;

static Hops hops_of(const Builder *builder, NetworkRole role)
{
    Hops hops = {g_array_new(FALSE, TRUE, sizeof(uint32_t)),
                 g_array_new(FALSE, TRUE, sizeof(uint32_t)), NULL};
    for (uint32_t r = 0; r < route_count(builder); r++) {
        Way way;
        g_array_append_val(hops.first, hops.hop->len);
        nodes_way(builder->nodes, role, r, &way);
        for (uint32_t k = 0; k < way.length; k++)
            if (builder->number[way.hop[k]] != NO_NODE)
                g_array_append_val(hops.hop, builder->number[way.hop[k]]);
    }
    g_array_append_val(hops.first, hops.hop->len);
    hops.channel = g_new0(uint8_t, hops.hop->len + 1);
    return hops;
}

static void hops_finish(Hops *hops)
{
    g_array_unref(hops->first);
    g_array_unref(hops->hop);
    g_free(hops->channel);
}

static const uint32_t *numbers_in(const GArray *array)
{
    return (const uint32_t *)(const void *)array->data;
}

enum { CIRCLE_NAMES = 12 };

static bool reject_circle(const Builder *builder, uint32_t channels, const GArray *circle,
                          GError **error)
{
    g_autoptr(GString) names = g_string_new(NULL);
    for (guint k = 0; k < circle->len && k < CIRCLE_NAMES; k++)
        g_string_append_printf(names, "'%s', ", builder->network->link[numbers_in(circle)[k]].name);
    if (circle->len > CIRCLE_NAMES) g_string_append(names, "..., ");
    g_set_error(error, PARAM_ERROR, 0,
                "network.virtual_channels = %" G_GUINT64_FORMAT
                ": of %s (network.platform, topology) packets would wait for each other in a "
                "circle: over links %s'%s' again; its routes need %u",
                builder->plan->most_channels, platform_name(&builder->plan->question), names->str,
                builder->network->link[numbers_in(circle)[0]].name, channels);
    return false;
}

/* A ring keeps a place free instead. */
static bool assign_channels(const Builder *builder, NetworkRole role, Hops *hops, GError **error)
{
    g_autoptr(GArray) circle = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    const LinkRoutes routes = {numbers_in(hops->first), numbers_in(hops->hop), route_count(builder),
                               builder->network->links};
    if (!builder->plan->ring) {
        const uint32_t channels = circles_break(&routes, hops->channel, circle);
        if (channels > builder->plan->most_channels)
            return reject_circle(builder, channels, circle, error);
    }
    for (guint k = 0; k < hops->hop->len; k++) {
        uint8_t *count = &builder->network->link[routes.hop[k]].channels[role];
        *count = (uint8_t)MAX(*count, hops->channel[k] + 1);
    }
    return true;
}

static void number_ports(const RouterNetwork *network)
{
    for (uint32_t s = 0; s < network->stops; s++) {
        RouterStop *stop = &network->stop[s];
        for (uint32_t k = 0; k < stop->outs; k++) {
            RouterLink *link = &network->link[stop->out[k]];
            link->output = stop->link_outputs;
            stop->link_outputs += link->channels[0] + link->channels[1];
        }
        for (uint32_t k = 0; k < stop->ins; k++) {
            RouterLink *link = &network->link[stop->in[k]];
            link->input = stop->link_inputs;
            stop->link_inputs += link->channels[0] + link->channels[1];
        }
    }
}

/* --- ends ------------------------------------------------------------------------------------- */

/* The link by which a host that stands at no switch is connected. */
static uint32_t own_link(const Builder *builder, NetworkRole role, bool source, uint32_t i)
{
    Way way;
    const uint32_t destinations = platform_destinations(&builder->plan->question, role);
    nodes_way(builder->nodes, role, source ? i * destinations : i, &way);
    return way.hop[source ? 0 : way.length - 1];
}

static void place_end(const Builder *builder, NetworkRole role, bool source, uint32_t i)
{
    static const NetworkLink none = {.bandwidth = 0, .latency = 0, .wide = true};
    const Nodes *nodes = builder->nodes;
    uint32_t node = node_of_host(nodes, role, source, i);
    RouterEnd end = {.role = role, .number = i, .link = none};
    if (!nodes->is_switch[node]) {
        const uint32_t link = own_link(builder, role, source, i);
        end.link = builder->routes->link[link].link;
        end.name = builder->routes->link[link].name;
        end.has_link = true;
        node = node_of_link(nodes, link, source);
    }
    RouterStop *stop = &builder->network->stop[builder->stop[node]];
    RouterEnd **list = source ? &stop->source : &stop->destination;
    uint32_t *count = source ? &stop->sources : &stop->destinations;
    *list = g_renew(RouterEnd, *list, *count + 1);
    (*list)[*count] = end;
    builder->graph->link[role][source][i] = end.link;
    builder->graph->name[role][source][i] = end.name;
    builder->graph->end[role][source][i] = (NetworkEnd){
        builder->stop[node], (source ? stop->link_inputs : stop->link_outputs) + (*count)++};
}

static void place_ends(const Builder *builder)
{
    for (uint32_t source = 0; source < 2; source++) {
        for (NetworkRole n = builder->from; n < builder->until; n++) {
            const uint32_t count = source ? platform_sources(&builder->plan->question, n)
                                          : platform_destinations(&builder->plan->question, n);
            builder->graph->end[n][source] = g_new0(NetworkEnd, count);
            builder->graph->link[n][source] = g_new0(NetworkLink, count);
            builder->graph->name[n][source] = g_new0(const char *, count);
            for (uint32_t i = 0; i < count; i++) place_end(builder, n, source, i);
        }
    }
}

/* --- routes ----------------------------------------------------------------------------------- */

/* An end at a switch takes a cycle that is not in SimGrid's route. */
static uint8_t cycles_of_ends(const Builder *builder, NetworkRole role, uint32_t route)
{
    const uint32_t destinations = platform_destinations(&builder->plan->question, role);
    const NetworkGraph *graph = builder->graph;
    return (uint8_t)((graph->link[role][1][route / destinations].bandwidth <= 0)
                     + (graph->link[role][0][route % destinations].bandwidth <= 0));
}

static void find_ahead(const Builder *builder, NetworkRole role, const Hops *hops)
{
    const uint32_t *first = numbers_in(hops->first), *hop = numbers_in(hops->hop);
    for (uint32_t r = 0; r < route_count(builder); r++) {
        if (first[r] == first[r + 1]) continue;
        RouterLink *link = &builder->network->link[hop[first[r]]];
        const uint64_t most =
            network_wire_cycles(link, builder->plan->router_delay, builder->plan->clock) - 1;
        const uint8_t wanted = cycles_of_ends(builder, role, r);
        link->ahead = (uint8_t)MAX(link->ahead, MIN(wanted, most));
    }
}

static void write_routes(const Builder *builder, NetworkRole role, const Hops *hops)
{
    const uint32_t *first = numbers_in(hops->first), *hop = numbers_in(hops->hop);
    const uint32_t destinations = platform_destinations(&builder->plan->question, role);
    RouterRoute *routes = builder->network->route[role] = g_new0(RouterRoute, route_count(builder));
    for (uint32_t r = 0; r < route_count(builder); r++) {
        routes[r].first = builder->outputs->len;
        if (first[r] < first[r + 1])
            routes[r].ahead =
                MIN(cycles_of_ends(builder, role, r), builder->network->link[hop[first[r]]].ahead);
        for (uint32_t k = first[r]; k < first[r + 1]; k++) {
            const RouterLink *link = &builder->network->link[hop[k]];
            const uint32_t before = role == NETWORK_REPLY ? link->channels[NETWORK_REQUEST] : 0;
            g_array_append_val(builder->outputs,
                               ((uint16_t){(uint16_t)(link->output + before + hops->channel[k])}));
        }
        const uint16_t exit = (uint16_t)builder->graph->end[role][0][r % destinations].port;
        g_array_append_val(builder->outputs, exit);
    }
}

static bool build(const Builder *builder, GError **error)
{
    Hops hops[NETWORKS] = {{NULL}};
    bool good = true;
    find_used(builder);
    number_switches(builder);
    number_links(builder);
    for (NetworkRole n = builder->from; n < builder->until; n++) {
        hops[n] = hops_of(builder, n);
        good = good && assign_channels(builder, n, &hops[n], error);
    }
    if (good) {
        number_ports(builder->network);
        place_ends(builder);
        for (NetworkRole n = builder->from; n < builder->until; n++)
            find_ahead(builder, n, &hops[n]);
        for (NetworkRole n = builder->from; n < builder->until; n++)
            write_routes(builder, n, &hops[n]);
    }
    for (NetworkRole n = builder->from; n < builder->until; n++) hops_finish(&hops[n]);
    return good;
}

/* Requests only, replies only, or both. */
static bool build_network(NetworkGraph *graph, const GraphPlan *plan, const Nodes *nodes,
                          NetworkRole role, GError **error)
{
    const PlatformRoutes *routes = nodes->routes;
    g_autofree uint32_t *by_name = order_links(routes, compare_names),
                        *by_kind = order_links(routes, compare_kinds);
    g_autofree uint8_t *used = g_new0(uint8_t, routes->links);
    g_autofree uint32_t *number = g_new(uint32_t, routes->links),
                        *stop = g_new(uint32_t, nodes->count);
    for (uint32_t k = 0; k < routes->links; k++) number[k] = NO_NODE;
    for (uint32_t k = 0; k < nodes->count; k++) stop[k] = NO_NODE;
    RouterNetwork *network = &graph->network[role];
    network->ring = plan->ring;
    network->router_delay = plan->router_delay;
    const Builder builder = {.plan = plan,
                             .routes = routes,
                             .nodes = nodes,
                             .by_name = by_name,
                             .by_kind = by_kind,
                             .graph = graph,
                             .network = network,
                             .from = role,
                             .until = graph->shared ? NETWORKS : role + 1,
                             .used = used,
                             .number = number,
                             .stop = stop,
                             .outputs = g_array_new(FALSE, FALSE, sizeof(uint16_t))};
    const bool good = build(&builder, error);
    network->output = (uint16_t *)(void *)g_array_free(builder.outputs, FALSE);
    return good;
}

/* --- all of it -------------------------------------------------------------------------------- */

static bool is_shared(const Nodes *nodes, uint32_t routes)
{
    g_autofree uint8_t *used = g_new0(uint8_t, nodes->routes->links);
    for (uint32_t n = 0; n < NETWORKS; n++) {
        for (uint32_t r = 0; r < routes; r++) {
            Way way;
            nodes_way(nodes, (NetworkRole)n, r, &way);
            for (uint32_t k = 0; k < way.length; k++) used[way.hop[k]] |= (uint8_t)(1 << n);
        }
    }
    for (uint32_t k = 0; k < nodes->routes->links; k++)
        if (used[k] == 3) return true;
    return false;
}

static bool is_star(const NetworkGraph *graph, const PlatformQuestion *question)
{
    for (uint32_t n = 0; n < NETWORKS; n++) {
        if (graph->shared || graph->network[n].stops != 1) return false;
        for (uint32_t i = 0; i < platform_sources(question, (NetworkRole)n); i++)
            if (graph->link[n][1][i].wide) return false;
        for (uint32_t j = 0; j < platform_destinations(question, (NetworkRole)n); j++)
            if (graph->link[n][0][j].wide) return false;
    }
    return true;
}

NetworkGraph *network_graph_new(const GraphPlan *plan, GError **error)
{
    const PlatformRoutes *routes = platform_routes_ask(&plan->question, error);
    if (!routes) return NULL;
    Nodes nodes;
    NetworkGraph *graph = g_new0(NetworkGraph, 1);
    bool good = nodes_init(&nodes, &plan->question, routes, error);
    if (good) {
        graph->shared = is_shared(&nodes, plan->question.sms * plan->question.slices);
        for (NetworkRole n = 0; good && n < network_graph_networks(graph); n++)
            good = build_network(graph, plan, &nodes, n, error);
    }
    nodes_finish(&nodes);
    if (good) graph->star = plan->question.file && is_star(graph, &plan->question);
    if (!good) g_clear_pointer(&graph, network_graph_free);
    return graph;
}

static void free_network(RouterNetwork *network)
{
    for (uint32_t s = 0; network->stop && s < network->stops; s++) {
        g_free(network->stop[s].in);
        g_free(network->stop[s].out);
        g_free(network->stop[s].source);
        g_free(network->stop[s].destination);
    }
    g_free(network->stop);
    g_free(network->link);
    g_free(network->output);
    for (uint32_t n = 0; n < NETWORKS; n++) g_free(network->route[n]);
}

void network_graph_free(NetworkGraph *graph)
{
    if (!graph) return;
    for (uint32_t n = 0; n < NETWORKS; n++) {
        free_network(&graph->network[n]);
        for (uint32_t source = 0; source < 2; source++) {
            g_free(graph->end[n][source]);
            g_free(graph->link[n][source]);
            g_free(graph->name[n][source]);
        }
    }
    g_free(graph);
}
