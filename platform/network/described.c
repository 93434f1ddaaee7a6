/* Which platform a machine's network is, by its parameters. */
#include "platform/network/described.h"

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

NetworkGraph *network_graph_of(const NetworkParams *params, const Configuration *configuration,
                               NetworkRoutes routes[NETWORKS], const Clock *clock, GError **error)
{
    const uint32_t sms = routes[NETWORK_REQUEST].sources, slices = routes[NETWORK_REPLY].sources;
    g_autofree char *file = network_platform_file(configuration);
    g_autofree char *text = file ? NULL : topology_describe(params, sms, slices, clock, error);
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
