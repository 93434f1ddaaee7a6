#include "platform/network/topology.h"

enum { STOPS_MAX = 1024 };

/* --- stops ------------------------------------------------------------------------------------ */

static uint32_t divide_up(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

/* The smallest square that has room for all. */
static uint32_t square_side(uint32_t stops)
{
    uint32_t side = 1;
    while (side * side < stops) side++;
    return side;
}

static bool lay_out_stops(Topology *topology, const NetworkParams *params, uint32_t ends,
                          GError **error)
{
    const uint32_t wanted = divide_up(ends, (uint32_t)params->concentration);
    if (topology->kind == TOPOLOGY_RING && params->link_buffer < 2) {
        g_set_error(error, PARAM_ERROR, 0,
                    "network.link_buffer = %" G_GUINT64_FORMAT
                    ": a ring needs 2 packets at least, of which one stays free",
                    params->link_buffer);
        return false;
    }
    if (wanted > STOPS_MAX) {
        g_set_error(error, PARAM_ERROR, 0,
                    "network.concentration = %" G_GUINT64_FORMAT
                    ": %u SMs and slices need %u stops, at most %d are possible",
                    params->concentration, ends, wanted, STOPS_MAX);
        return false;
    }
    topology->stops = wanted;
    topology->directions = wanted > 2 ? (uint32_t)params->ring_directions : 1;
    if (topology->kind == TOPOLOGY_RING) return true;
    topology->columns = params->mesh_columns ? (uint32_t)params->mesh_columns : square_side(wanted);
    topology->stops = topology->columns * divide_up(wanted, topology->columns);
    return true;
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

static void place_ends(Topology *topology, uint32_t placement, const uint32_t count[2])
{
    const uint32_t ends = count[NETWORK_REQUEST] + count[NETWORK_REPLY];
    uint32_t placed[NETWORKS] = {0};
    for (uint32_t i = 0; i < ends; i++) {
        const NetworkRole role = slice_stands_at(placement, i, placed[NETWORK_REPLY], count)
                                     ? NETWORK_REPLY
                                     : NETWORK_REQUEST;
        topology->stop_of[role][placed[role]++] = (uint32_t)((uint64_t)i * topology->stops / ends);
    }
}

/* --- ways ------------------------------------------------------------------------------------- */

static uint32_t find_neighbour(const Topology *topology, uint32_t stop, RouterLink link)
{
    const uint32_t stops = topology->stops, columns = topology->columns;
    if (topology->kind == TOPOLOGY_RING) {
        if (link == LINK_EAST && stops > 1) return (stop + 1) % stops;
        if (link == LINK_WEST && topology->directions == 2) return (stop + stops - 1) % stops;
        return UINT32_MAX;
    }
    switch (link) {
    case LINK_EAST: return stop % columns + 1 < columns ? stop + 1 : UINT32_MAX;
    case LINK_WEST: return stop % columns ? stop - 1 : UINT32_MAX;
    case LINK_NORTH: return stop >= columns ? stop - columns : UINT32_MAX;
    case LINK_SOUTH: return stop + columns < stops ? stop + columns : UINT32_MAX;
    case ROUTER_LINKS: break;
    }
    g_assert_not_reached();
}

/* The shorter way round; of two equal ones even stops take the one, odd stops the other. */
static RouterLink go_round(const Topology *topology, uint32_t from, uint32_t to)
{
    const uint32_t east = (to + topology->stops - from) % topology->stops;
    if (topology->directions == 1 || 2 * east < topology->stops) return LINK_EAST;
    if (2 * east == topology->stops && from % 2 == 0) return LINK_EAST;
    return LINK_WEST;
}

/* Along the row first, then along the column. */
static RouterLink go_across(const Topology *topology, uint32_t from, uint32_t to)
{
    const uint32_t column = from % topology->columns, wanted = to % topology->columns;
    if (column != wanted) return column < wanted ? LINK_EAST : LINK_WEST;
    return from < to ? LINK_SOUTH : LINK_NORTH;
}

static void fill_outputs(const Topology *topology, RouterNetwork *network, uint32_t s,
                         const uint32_t *stop_of, uint32_t count)
{
    RouterStop *stop = &network->stop[s];
    stop->output = g_new0(uint8_t, count);
    stop->destination = g_new0(uint32_t, count);
    for (uint32_t j = 0; j < count; j++) {
        if (stop_of[j] == s) {
            stop->output[j] = (uint8_t)(ROUTER_LINKS + stop->destinations);
            stop->destination[stop->destinations++] = j;
        } else {
            stop->output[j] =
                (uint8_t)(topology->kind == TOPOLOGY_RING ? go_round(topology, s, stop_of[j])
                                                          : go_across(topology, s, stop_of[j]));
        }
    }
}

static void fill_sources(RouterStop *stop, uint32_t s, const uint32_t *stop_of, uint32_t count)
{
    stop->source = g_new0(uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        if (stop_of[i] == s) stop->source[stop->sources++] = i;
}

static void fill_network(Topology *topology, NetworkRole role, const uint32_t count[2],
                         NetworkLink link)
{
    const NetworkRole other = role == NETWORK_REQUEST ? NETWORK_REPLY : NETWORK_REQUEST;
    RouterNetwork *network = &topology->network[role];
    network->ring = topology->kind == TOPOLOGY_RING;
    network->stops = topology->stops;
    network->stop = g_new0(RouterStop, topology->stops);
    for (uint32_t s = 0; s < topology->stops; s++) {
        for (RouterLink d = 0; d < ROUTER_LINKS; d++) {
            network->stop[s].neighbour[d] = find_neighbour(topology, s, d);
            network->stop[s].link[d] = link;
        }
        fill_sources(&network->stop[s], s, topology->stop_of[role], count[role]);
        fill_outputs(topology, network, s, topology->stop_of[other], count[other]);
    }
}

bool topology_init(Topology *topology, const NetworkParams *params, NetworkRoutes routes[NETWORKS],
                   const Clock *clock, GError **error)
{
    const uint32_t count[NETWORKS] = {routes[NETWORK_REQUEST].sources,
                                      routes[NETWORK_REPLY].sources};
    const uint64_t bandwidth[NETWORKS] = {params->request_link_bandwidth,
                                          params->reply_link_bandwidth};
    const double ns = time_to_ns(clock->period);
    *topology = (Topology){.kind = (TopologyKind)params->topology};
    if (topology->kind == TOPOLOGY_CROSSBAR) return true;
    if (!lay_out_stops(topology, params, count[0] + count[1], error)) return false;
    for (uint32_t n = 0; n < NETWORKS; n++) topology->stop_of[n] = g_new0(uint32_t, count[n]);
    place_ends(topology, params->slice_placement, count);
    for (uint32_t n = 0; n < NETWORKS; n++) {
        fill_network(topology, (NetworkRole)n, count,
                     (NetworkLink){.bandwidth = (double)bandwidth[n] / ns,
                                   .latency = (double)params->link_latency * ns});
        topology->network[n].router_delay = params->router_delay;
        routes[n].routers = &topology->network[n];
    }
    return true;
}

void topology_finish(Topology *topology)
{
    for (uint32_t n = 0; n < NETWORKS; n++) {
        RouterNetwork *network = &topology->network[n];
        for (uint32_t s = 0; network->stop && s < network->stops; s++) {
            g_free(network->stop[s].source);
            g_free(network->stop[s].destination);
            g_free(network->stop[s].output);
        }
        g_clear_pointer(&network->stop, g_free);
        g_clear_pointer(&topology->stop_of[n], g_free);
    }
}

uint32_t topology_stop_of(const Topology *topology, NetworkRole role, bool source, uint32_t number)
{
    const NetworkRole other = role == NETWORK_REQUEST ? NETWORK_REPLY : NETWORK_REQUEST;
    return topology->stop_of[source ? role : other][number];
}

NetworkEnd topology_end(const Topology *topology, NetworkRole role, bool source, uint32_t number)
{
    if (topology->kind == TOPOLOGY_CROSSBAR) return (NetworkEnd){0, number};
    const uint32_t s = topology_stop_of(topology, role, source, number);
    const RouterStop *stop = &topology->network[role].stop[s];
    const uint32_t *ends = source ? stop->source : stop->destination;
    const uint32_t count = source ? stop->sources : stop->destinations;
    uint32_t k = 0;
    while (k < count && ends[k] != number) k++;
    g_assert(k < count);
    return (NetworkEnd){s, ROUTER_LINKS + k};
}

/* --- wires ------------------------------------------------------------------------------------ */

Time topology_latency(const NetworkLink *link, const Clock *clock)
{
    const double cycles = link->latency / time_to_ns(clock->period);
    return clock_cycles(clock, (uint64_t)(cycles + 0.5));
}

void topology_connect(const RouterNetwork *network, const GPtrArray *routers, uint32_t buffer)
{
    for (uint32_t s = 0; s < network->stops; s++) {
        unit_size_ports(routers->pdata[s], "inputs", ROUTER_LINKS + network->stop[s].sources);
        unit_size_ports(routers->pdata[s], "outputs", ROUTER_LINKS + network->stop[s].destinations);
    }
    for (uint32_t s = 0; s < network->stops; s++) {
        for (uint32_t d = 0; d < ROUTER_LINKS; d++) {
            const RouterStop *stop = &network->stop[s];
            if (stop->neighbour[d] == UINT32_MAX) continue;
            Unit *from = routers->pdata[s], *to = routers->pdata[stop->neighbour[d]];
            const Time delay = topology_latency(&stop->link[d], from->clock);
            wire_connect(
                &(Wire){from, "outputs", d, to, "inputs", d, buffer, delay, delay, CHANNEL_TELLS});
        }
    }
}
