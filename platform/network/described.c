/* Which platform a machine's network is, by its parameters. */
#include "platform/network/described.h"

#include "platform/network/links/without.h"
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

/* Without links that are removed. */
static bool take_links_out(NetworkPlatform *platform, const NetworkSettings *settings,
                           GError **error)
{
    g_autofree char *whole = platform->text;
    platform->text = NULL;
    if (!whole && !platform_read(platform->file, &whole, error)) return false;
    platform->text = platform_without(platform->file ? platform->file : GENERATED_PLATFORM, whole,
                                      settings->changes, error);
    return platform->text;
}

bool network_platform_init(NetworkPlatform *platform, const NetworkSettings *settings,
                           const NetworkRoutes routes[NETWORKS], GError **error)
{
    *platform = (NetworkPlatform){.file = network_platform_file(settings->configuration)};
    if (!platform->file) {
        platform->text = network_describe(settings->params, routes, settings->clock, error);
        if (!platform->text) return false;
    }
    const bool removes =
        network_has_graph(settings->params) && link_changes_removal(settings->changes, NULL);
    return !removes || take_links_out(platform, settings, error);
}

void network_platform_finish(NetworkPlatform *platform)
{
    g_clear_pointer(&platform->file, g_free);
    g_clear_pointer(&platform->text, g_free);
}

/* A crossbar's links have been told already. */
PlatformQuestion network_platform_question(const NetworkPlatform *platform,
                                           const NetworkSettings *settings,
                                           const NetworkRoutes routes[NETWORKS])
{
    return (PlatformQuestion){platform->file, platform->text, routes[NETWORK_REQUEST].sources,
                              routes[NETWORK_REPLY].sources,
                              network_has_graph(settings->params) ? settings->changes : NULL};
}

void network_platform_note(const PlatformQuestion *question)
{
    const PlatformRoutes *routes = question->changes ? platform_routes_ask(question, NULL) : NULL;
    for (uint32_t k = 0; routes && k < routes->links; k++)
        link_changes_note(question->changes, routes->link[k].name);
}

static NetworkGraph *make_graph(const NetworkPlatform *platform, const NetworkSettings *settings,
                                NetworkRoutes routes[NETWORKS], GError **error)
{
    const NetworkParams *params = settings->params;
    /* a file's latencies are all there is */
    const GraphPlan plan = {
        .question = network_platform_question(platform, settings, routes),
        .ring = !platform->file && params->topology == TOPOLOGY_RING,
        .router_delay = platform->file ? 0 : params->router_delay,
        .most_channels = params->virtual_channels,
        .clock = settings->clock,
    };
    NetworkGraph *graph = network_graph_new(&plan, error);
    if (!graph) return NULL;
    network_graph_write_ends(graph, routes);
    network_platform_note(&plan.question);
    return graph;
}

NetworkGraph *network_graph_of(const NetworkSettings *settings, NetworkRoutes routes[NETWORKS],
                               GError **error)
{
    NetworkPlatform platform;
    NetworkGraph *graph = NULL;
    if (network_platform_init(&platform, settings, routes, error))
        graph = make_graph(&platform, settings, routes, error);
    network_platform_finish(&platform);
    return graph;
}
