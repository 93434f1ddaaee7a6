/* Which platform a machine's network is, by its parameters. */
#include "platform/network/described.h"

#include "platform/network/shapes.h"
#include "platform/network/topology.h"

char *network_platform_file(const Configuration *configuration)
{
    const Setting *setting = configuration_find(configuration, "network", "platform");
    if (!setting || !*setting->value) return NULL;
    if (!setting->file || g_path_is_absolute(setting->value)) return g_strdup(setting->value);
    g_autofree char *folder = g_path_get_dirname(setting->file);
    return g_build_filename(folder, setting->value, NULL);
}

bool network_has_graph(const NetworkParams *params)
{
    return *params->platform || params->topology != TOPOLOGY_CROSSBAR;
}

/* SimGrid's solver would take the joints of rings and meshes for links of one packet. */
static bool is_topology(const NetworkParams *params)
{
    return params->timing == TIMING_PACKET
           && (params->topology == TOPOLOGY_RING || params->topology == TOPOLOGY_MESH);
}

char *network_describe(const NetworkParams *params, const NetworkRoutes routes[NETWORKS],
                       const Clock *clock, GError **error)
{
    const uint32_t sms = routes[NETWORK_REQUEST].sources, slices = routes[NETWORK_REPLY].sources;
    if (params->topology == TOPOLOGY_CROSSBAR) return network_describe_stars(routes, 0);
    return is_topology(params) ? topology_describe(params, sms, slices, clock, error)
                               : shapes_describe(params, routes, clock, error);
}

NetworkGraph *network_graph_of(const NetworkParams *params, const Configuration *configuration,
                               NetworkRoutes routes[NETWORKS], const Clock *clock, GError **error)
{
    const uint32_t sms = routes[NETWORK_REQUEST].sources, slices = routes[NETWORK_REPLY].sources;
    g_autofree char *file = network_platform_file(configuration);
    g_autofree char *text = file ? NULL : network_describe(params, routes, clock, error);
    if (!file && !text) return NULL;
    /* a file's latencies are all there is */
    const GraphPlan plan = {.question = {file, text, sms, slices},
                            .ring = !file && params->topology == TOPOLOGY_RING,
                            .router_delay = file ? 0 : params->router_delay,
                            .most_channels = params->virtual_channels,
                            .clock = clock};
    NetworkGraph *graph = network_graph_new(&plan, error);
    if (graph) network_graph_write_ends(graph, routes);
    return graph;
}
