#include "platform/machine/deployment.h"

#include "kit/gpu/network.h"

typedef enum {
    PLACE_DISPATCHER,
    PLACE_SHARED, /* near all cores */
    PLACE_CORE,
    PLACE_REQUEST_NETWORK,
    PLACE_REPLY_NETWORK,
    PLACE_MEMORY
} Place;

static Place place_of(const Unit *unit)
{
    const char *name = unit->class->name;
    if (g_str_equal(name, "cta_dispatcher")) return PLACE_DISPATCHER;
    if (g_str_equal(name, "mmu") || g_str_equal(name, "coherence_monitor")) return PLACE_SHARED;
    if (g_str_equal(name, "crossbar") || g_str_equal(name, "flow_network"))
        return unit->number == NETWORK_REQUEST ? PLACE_REQUEST_NETWORK : PLACE_REPLY_NETWORK;
    if (g_str_equal(name, "router"))
        return unit->number % NETWORKS == NETWORK_REQUEST ? PLACE_REQUEST_NETWORK
                                                          : PLACE_REPLY_NETWORK;
    if (g_str_equal(name, "sm") || g_str_equal(name, "load_store") || g_str_equal(name, "l1")
        || g_str_equal(name, "texture"))
        return PLACE_CORE;
    return PLACE_MEMORY;
}

/* Cores with the reply network, memory with the request network: every request and every reply
 * crosses exactly once. */
static uint32_t tile_in_two(const Unit *unit)
{
    switch (place_of(unit)) {
    case PLACE_DISPATCHER:
    case PLACE_SHARED:
    case PLACE_CORE:
    case PLACE_REPLY_NETWORK: return 0;
    case PLACE_REQUEST_NETWORK:
    case PLACE_MEMORY: return 1;
    }
    g_assert_not_reached();
}

/* Tile 0: dispatcher and networks; then one an SM, then one a partition. */
static uint32_t tile_by_part(const Unit *unit, uint32_t sms, uint64_t slices_per_partition)
{
    switch (place_of(unit)) {
    case PLACE_DISPATCHER:
    case PLACE_SHARED:
    case PLACE_REQUEST_NETWORK:
    case PLACE_REPLY_NETWORK: return 0;
    case PLACE_CORE: return 1 + unit->number;
    case PLACE_MEMORY: return 1 + sms + (uint32_t)(unit->number / slices_per_partition);
    }
    g_assert_not_reached();
}

static uint32_t count_sms(const Simulation *simulation)
{
    uint32_t count = 0;
    for (guint i = 0; i < simulation_unit_count(simulation); i++)
        count += g_str_equal(simulation_unit(simulation, i)->class->name, "sm");
    return count;
}

uint32_t *deployment_lay_out(const Simulation *simulation, Deployment deployment,
                             uint64_t slices_per_partition, uint32_t *tiles)
{
    const guint units = simulation_unit_count(simulation);
    const uint32_t sms = count_sms(simulation);
    uint32_t *tile_of = g_new0(uint32_t, units);
    *tiles = 0;
    for (guint i = 0; i < units; i++) {
        const Unit *unit = simulation_unit(simulation, i);
        switch (deployment) {
        case DEPLOY_AUTO: tile_of[i] = tile_in_two(unit); break;
        case DEPLOY_SM: tile_of[i] = tile_by_part(unit, sms, slices_per_partition); break;
        case DEPLOY_UNIT: tile_of[i] = i; break;
        }
        *tiles = MAX(*tiles, tile_of[i] + 1);
    }
    return tile_of;
}
