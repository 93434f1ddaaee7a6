#include "platform/network/flow/platform.h"

#include <math.h>
#include <simgrid/link.h>
#include <stdlib.h>

#include "kit/describe/decimal.h"
#include "kit/engine/simgrid/flow.h"
#include "platform/network/flow/links.h"
#include "platform/network/nodes.h"

/* --- settings --------------------------------------------------------------------------------- */

bool flow_check_settings(const NetworkParams *params, const Configuration *configuration,
                         GError **error)
{
    const Setting *deployment = configuration_find(configuration, "simulation", "deployment"),
                  *quantum = configuration_find(configuration, "simulation", "quantum"),
                  *threads = configuration_find(configuration, "simulation", "threads"),
                  *ideal = configuration_find(configuration, "network", "ideal"),
                  *topology = configuration_find(configuration, "network", "topology");
    if (*params->platform && params->topology != TOPOLOGY_CROSSBAR)
        return setting_reject(topology, error,
                              "network.platform says how SMs and slices are joined");
    if (params->timing == TIMING_PACKET) return true;
    if (deployment && !g_str_equal(deployment->value, "auto"))
        return setting_reject(deployment, error,
                              "network.timing = flow runs all units on one tile; leave it auto");
    double length;
    if (quantum && decimal_read(quantum->value, &length) && length > 0)
        return setting_reject(quantum, error,
                              "network.timing = flow has no windows; leave it 0 ns");
    if (threads && !g_str_equal(threads->value, "1"))
        return setting_reject(
            threads, error, "network.timing = flow has SimGrid's clock, which is one; leave it 1");
    if (params->ideal != IDEAL_NONE)
        return setting_reject(ideal, error,
                              "network.timing = flow leaves no network to be ideal; packet does");
    return true;
}

/* --- hosts and routes ------------------------------------------------------------------------- */

static uint32_t *add_hosts(Simulation *simulation, const PlatformQuestion *question,
                           NetworkRole role, bool source, uint32_t count)
{
    uint32_t *hosts = g_new(uint32_t, count);
    for (uint32_t i = 0; i < count; i++) {
        g_autofree char *name = platform_host(question, role, source, i);
        hosts[i] = simulation_add_flow_host(simulation, name);
    }
    return hosts;
}

static uint64_t to_cycles(double ns, const Clock *clock)
{
    return (uint64_t)(ns / time_to_ns(clock->period) + 0.5);
}

/* The way out of the network is what the nearest source needs besides its way in. */
static void divide_latency(FlowRoutes *flow, const double *latency, NetworkRoutes *network,
                           const Clock *clock)
{
    for (uint32_t j = 0; j < flow->destinations; j++) {
        double least = INFINITY;
        for (uint32_t i = 0; i < flow->sources; i++)
            least = MIN(least, latency[i * flow->destinations + j] - network->up[i].latency);
        network->down[j].latency = MAX(least, 0);
        for (uint32_t i = 0; i < flow->sources; i++) {
            const uint32_t k = i * flow->destinations + j;
            const uint64_t in = MAX(to_cycles(network->up[i].latency, clock), 1),
                           out = MAX(to_cycles(network->down[j].latency, clock), 1),
                           all = to_cycles(latency[k], clock);
            flow->route[k].wire = clock_cycles(clock, all > in + out ? all - in - out : 0);
        }
    }
}

/* What SimGrid says of a route's links: their latencies add up, the narrowest has its bandwidth. */
static double read_route(const PlatformRoutes *platform, NetworkRole role, uint32_t k,
                         double *bandwidth)
{
    double latency = 0;
    *bandwidth = INFINITY;
    for (uint32_t h = platform->first[role][k]; h < platform->first[role][k + 1]; h++) {
        const NetworkLink *link = &platform->link[platform->hop[role][h]].link;
        latency += link->latency;
        *bandwidth = MIN(*bandwidth, link->bandwidth);
    }
    return latency;
}

static bool reject_route(const PlatformQuestion *question, NetworkRole role, uint32_t k,
                         GError **error)
{
    const uint32_t destinations = platform_destinations(question, role);
    g_autofree char *from = platform_host(question, role, true, k / destinations),
                    *to = platform_host(question, role, false, k % destinations);
    g_set_error(error, PARAM_ERROR, 0, "%s: the route from '%s' to '%s' has no link",
                platform_name(question), from, to);
    return false;
}

/* A source's way into the network is the shortest of the links that its routes begin with. */
static bool read_network(FlowRoutes *flow, const PlatformQuestion *question,
                         const PlatformRoutes *platform, NetworkRole role, NetworkRoutes *network,
                         const Clock *clock, GError **error)
{
    const uint32_t count = flow->sources * flow->destinations;
    const uint32_t *first = platform->first[role], *hop = platform->hop[role];
    g_autofree double *latency = g_new(double, count);
    for (uint32_t k = 0; k < count; k++) {
        if (first[k] == first[k + 1]) return reject_route(question, role, k, error);
        latency[k] = read_route(platform, role, k, &flow->route[k].bandwidth);
        if (network->wires.wire)
            latency[k] += network->wires
                              .wire[network_wire(&network->wires, k / flow->destinations,
                                                 k % flow->destinations)]
                              .latency;
        NetworkLink *up = &network->up[k / flow->destinations];
        const double in = platform->link[hop[first[k]]].link.latency;
        up->latency = k % flow->destinations ? MIN(up->latency, in) : in;
    }
    divide_latency(flow, latency, network, clock);
    return true;
}

static bool init_network(FlowRoutes *flow, Simulation *simulation, const PlatformQuestion *question,
                         const PlatformRoutes *platform, NetworkRole role, NetworkRoutes *network,
                         const Clock *clock, GError **error)
{
    *flow = (FlowRoutes){.sources = network->sources,
                         .destinations = network->destinations,
                         .flit_bytes = network->flit_bytes};
    flow->source = add_hosts(simulation, question, role, true, flow->sources);
    flow->destination = add_hosts(simulation, question, role, false, flow->destinations);
    flow->route = g_new0(FlowRoute, (gsize)flow->sources * flow->destinations);
    if (!read_network(flow, question, platform, role, network, clock, error)) return false;
    flow_links_read(flow, question, platform, role);
    return true;
}

bool flow_platform_init(FlowPlatform *flow, Simulation *simulation, const NetworkSettings *settings,
                        NetworkRoutes routes[NETWORKS], GError **error)
{
    flow->changes = network_has_graph(settings->params) ? settings->changes : NULL;
    if (!network_platform_init(&flow->platform, settings, routes, error)) return false;
    const PlatformQuestion question = network_platform_question(&flow->platform, settings, routes);
    const PlatformRoutes *platform = platform_routes_ask(&question, error);
    if (!platform || !nodes_check_links(&question, platform, error)) return false;
    simulation_use_flow(simulation, (uint32_t)settings->params->concurrency);
    for (uint32_t n = 0; n < NETWORKS; n++) {
        if (!init_network(&flow->routes[n], simulation, &question, platform, n, &routes[n],
                          settings->clock, error))
            return false;
        flow->routes[n].one_packet = settings->params->concurrency == 1;
    }
    network_platform_note(&question);
    return true;
}

void flow_platform_finish(FlowPlatform *flow)
{
    for (uint32_t n = 0; n < NETWORKS; n++) {
        g_free(flow->routes[n].source);
        g_free(flow->routes[n].destination);
        g_free(flow->routes[n].route);
        flow_links_finish(&flow->routes[n]);
    }
    network_platform_finish(&flow->platform);
}

/* --- the engine ------------------------------------------------------------------------------- */

void flow_platform_take_latencies_out(void)
{
    sg_link_t *links = sg_link_list();
    for (size_t i = 0; i < sg_link_count(); i++) sg_link_set_latency(links[i], 0);
    free(links);
}

bool flow_platform_start(const FlowPlatform *flow, Simulation *simulation, GError **error)
{
    const NetworkPlatform *platform = &flow->platform;
    const bool started = platform->text
                             ? simulation_start_engine_on(simulation, platform->text, error)
                             : simulation_start_engine(simulation, platform->file, error);
    return started && (!flow->changes || link_changes_tell(flow->changes, error));
}
