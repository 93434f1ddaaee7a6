/* Which keys of `[network]` mean something for which topology and timing. */
#include "platform/network/platform.h"

#define OF(topology) (1 << TOPOLOGY_##topology)

enum {
    ALL = ~0,
    WITH_LINKS = OF(RING) | OF(MESH) | OF(TORUS) | OF(FAT_TREE) | OF(DRAGONFLY) | OF(HIERARCHICAL)
                 | OF(DIES),
    WITH_STOPS = OF(RING) | OF(MESH) | OF(TORUS) | OF(FAT_TREE) | OF(DRAGONFLY)
};

/* They say what the generated platform is. Keys that are not here mean something everywhere. */
static const struct {
    const char *key;
    int topologies;
} shape_keys[] = {{"sm_places", OF(CROSSBAR)},
                  {"slice_places", OF(CROSSBAR)},
                  {"slice_placement", WITH_STOPS},
                  {"concentration", WITH_STOPS | OF(HIERARCHICAL)},
                  {"ring_directions", OF(RING)},
                  {"mesh_columns", OF(MESH) | OF(TORUS)},
                  {"torus_layers", OF(TORUS)},
                  {"tree_children", OF(FAT_TREE)},
                  {"tree_parents", OF(FAT_TREE)},
                  {"group_routers", OF(DRAGONFLY)},
                  {"dies", OF(DIES)},
                  {"request_source_bandwidth", ALL},
                  {"request_source_latency", ALL},
                  {"request_destination_bandwidth", ALL},
                  {"request_destination_latency", ALL},
                  {"reply_source_bandwidth", ALL},
                  {"reply_source_latency", ALL},
                  {"reply_destination_bandwidth", ALL},
                  {"reply_destination_latency", ALL},
                  {"request_link_bandwidth", WITH_LINKS},
                  {"reply_link_bandwidth", WITH_LINKS},
                  {"link_latency", WITH_LINKS},
                  {"router_delay", WITH_LINKS},
                  {"global_link_latency", OF(DRAGONFLY)}};

static bool has_routers(const NetworkParams *params)
{
    return params->timing == TIMING_PACKET
           && (*params->platform || params->topology != TOPOLOGY_CROSSBAR);
}

bool network_reads(const NetworkParams *params, const char *key)
{
    if (g_str_equal(key, "concurrency")) return params->timing == TIMING_FLOW;
    if (g_str_equal(key, "link_buffer") || g_str_equal(key, "virtual_channels"))
        return has_routers(params);
    for (guint i = 0; i < G_N_ELEMENTS(shape_keys); i++)
        if (g_str_equal(key, shape_keys[i].key))
            return !*params->platform && (uint32_t)shape_keys[i].topologies >> params->topology & 1;
    return true;
}
