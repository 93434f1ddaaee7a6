/* The wires between routers. */
#include "platform/network/graph.h"

#include "kit/engine/wiring.h"

uint32_t network_graph_networks(const NetworkGraph *graph)
{
    return graph->shared ? 1 : NETWORKS;
}

bool network_graph_has_stop(const NetworkGraph *graph, uint32_t number)
{
    const uint32_t n = number % NETWORKS;
    return !graph->star && n < network_graph_networks(graph)
           && number / NETWORKS < graph->network[n].stops;
}

uint32_t network_graph_numbers(const NetworkGraph *graph)
{
    return NETWORKS * MAX(graph->network[0].stops, graph->network[1].stops);
}

uint64_t network_latency_cycles(double latency, const Clock *clock)
{
    return (uint64_t)(latency / time_to_ns(clock->period) + 0.5);
}

/* Of a link's latency a part may be its router's pipeline. */
uint64_t network_wire_cycles(const RouterLink *link, uint64_t router_delay, const Clock *clock)
{
    const uint64_t all = network_latency_cycles(link->link.latency, clock);
    return all > router_delay ? all - router_delay : 1;
}

static void connect_link(const RouterNetwork *network, const RouterLink *link, Unit *from, Unit *to,
                         uint32_t buffer)
{
    const uint64_t wire = network_wire_cycles(link, network->router_delay, from->clock);
    const Time delay = clock_cycles(from->clock, wire - link->ahead),
               credit = clock_cycles(from->clock, wire);
    for (uint32_t c = 0; c < (uint32_t)link->channels[0] + link->channels[1]; c++)
        wire_connect(&(Wire){from, "outputs", link->output + c, to, "inputs", link->input + c,
                             buffer, delay, credit, CHANNEL_TELLS});
}

Unit *network_graph_router(const GPtrArray *routers, uint32_t number)
{
    for (guint i = 0; i < routers->len; i++)
        if (((Unit *)routers->pdata[i])->number == number) return routers->pdata[i];
    g_error("there is no router %u", number);
}

void network_graph_connect(const NetworkGraph *graph, uint32_t network, const GPtrArray *routers,
                           uint32_t buffer)
{
    const RouterNetwork *own = &graph->network[network];
    for (uint32_t s = 0; s < own->stops; s++) {
        Unit *router = network_graph_router(routers, s * NETWORKS + network);
        const RouterStop *stop = &own->stop[s];
        unit_size_ports(router, "inputs", stop->link_inputs + stop->sources);
        unit_size_ports(router, "outputs", stop->link_outputs + stop->destinations);
    }
    for (uint32_t k = 0; k < own->links; k++) {
        const RouterLink *link = &own->link[k];
        connect_link(own, link, network_graph_router(routers, link->from * NETWORKS + network),
                     network_graph_router(routers, link->to * NETWORKS + network), buffer);
    }
}

uint64_t network_graph_round_trip(const NetworkGraph *graph, const Clock *clock)
{
    uint64_t longest = 0;
    for (uint32_t n = 0; n < network_graph_networks(graph); n++) {
        const RouterNetwork *network = &graph->network[n];
        for (uint32_t k = 0; k < network->links; k++) {
            const uint64_t wire =
                network_wire_cycles(&network->link[k], network->router_delay, clock);
            longest = MAX(longest, 2 * wire + network->router_delay);
        }
    }
    return longest;
}

/* Sources, or destinations. */
static void write_side(const NetworkGraph *graph, NetworkRole role, bool source,
                       NetworkRoutes *routes)
{
    for (uint32_t i = 0; i < (source ? routes->sources : routes->destinations); i++) {
        (source ? routes->up : routes->down)[i] = graph->link[role][source][i];
        (source ? routes->up_name : routes->down_name)[i] = graph->name[role][source][i];
    }
}

void network_graph_write_ends(const NetworkGraph *graph, NetworkRoutes routes[NETWORKS])
{
    for (NetworkRole n = 0; n < NETWORKS; n++) {
        write_side(graph, n, true, &routes[n]);
        write_side(graph, n, false, &routes[n]);
        routes[n].routers = graph->star ? NULL : &graph->network[graph->shared ? 0 : n];
    }
}
