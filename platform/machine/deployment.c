#include "platform/machine/deployment.h"

#include "kit/gpu/network.h"

static bool carries_requests(const Unit *unit)
{
    return unit->number % NETWORKS == NETWORK_REQUEST;
}

/* Cores with the reply network, memory with the request network: every request and every reply
 * crosses exactly once. */
static uint32_t tile_in_two(const Unit *unit)
{
    switch (unit->class->place) {
    case PLACE_DISPATCHER:
    case PLACE_SHARED:
    case PLACE_CORE: return 0;
    case PLACE_NETWORK: return carries_requests(unit);
    case PLACE_MEMORY: return 1;
    }
    g_error("%s does not say where it is placed", unit->class->name);
}

/* Tile 0: dispatcher and networks; then one an SM, then one a partition. */
static uint32_t tile_by_part(const Unit *unit, uint32_t sms, uint64_t slices_per_partition)
{
    switch (unit->class->place) {
    case PLACE_DISPATCHER:
    case PLACE_SHARED:
    case PLACE_NETWORK: return 0;
    case PLACE_CORE: return 1 + unit->number;
    case PLACE_MEMORY: return 1 + sms + (uint32_t)(unit->number / slices_per_partition);
    }
    g_error("%s does not say where it is placed", unit->class->name);
}

static uint32_t count_cores(const Simulation *simulation)
{
    uint32_t count = 0;
    for (guint i = 0; i < simulation_unit_count(simulation); i++) {
        const Unit *unit = simulation_unit(simulation, i);
        if (unit->class->place == PLACE_CORE) count = MAX(count, unit->number + 1);
    }
    return count;
}

uint32_t *deployment_lay_out(const Simulation *simulation, Deployment deployment,
                             uint64_t slices_per_partition, uint32_t *tiles)
{
    const guint units = simulation_unit_count(simulation);
    const uint32_t sms = count_cores(simulation);
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
