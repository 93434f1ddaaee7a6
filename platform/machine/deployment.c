#include "platform/machine/deployment.h"

#include "kit/gpu/network.h"

static bool carries_requests(const Unit *unit)
{
    return unit->number % NETWORKS == NETWORK_REQUEST;
}

/* Of the tile, in the order in which they are run. What a network has done is known to those at
 * its outputs a link's latency later: they have come twice as far when it is its turn again. */
enum { SECTION_REPLIES, SECTION_REQUESTS, SECTION_CORES, SECTION_MEMORY, SECTION_DISPATCHER };

/* How many there are of what seats are given by. */
typedef struct {
    uint32_t cores, slices, channels;
    uint64_t slices_per_partition;
    bool switches; /* between slices and DRAM channels */
} Parts;

static uint32_t partition_of(const Unit *unit, const Parts *parts)
{
    if (unit->class->per == PER_SWITCH) return unit->number;
    const bool of_channel = unit->class->per == PER_CHANNEL || unit->class->per == PER_MEMORY_CACHE;
    const bool apart = of_channel && parts->slices;
    const uint64_t each = apart ? parts->slices_per_partition * parts->channels / parts->slices
                                : parts->slices_per_partition;
    return (uint32_t)(unit->number / each);
}

/* A slice with its channel; all that is behind a switch. */
static uint32_t group_in_memory(const Unit *unit, const Parts *parts)
{
    return parts->switches ? partition_of(unit, parts) : unit->number;
}

/* One tile: whatever crossed between two would cost dates of SimGrid's, more than the model takes
 * for a dependent load. An SM is a group and a slice, each with what belongs to it; what SMs share
 * stands beside them, and routers are near each other. */
static Seat seat_in_one(const Unit *unit, const Parts *parts)
{
    /* a cycle from where replies leave the network */
    if (unit->class->per == PER_COALESCER) return (Seat){0, SECTION_REPLIES, 0};
    switch (unit->class->place) {
    case PLACE_DISPATCHER: return (Seat){0, SECTION_DISPATCHER, 0};
    case PLACE_SHARED: return (Seat){0, SECTION_CORES, parts->cores};
    case PLACE_CORE: return (Seat){0, SECTION_CORES, unit->number};
    case PLACE_NETWORK:
        return (Seat){0, carries_requests(unit) ? SECTION_REQUESTS : SECTION_REPLIES, 0};
    case PLACE_MEMORY: return (Seat){0, SECTION_MEMORY, group_in_memory(unit, parts)};
    }
    g_error("%s does not say where it is placed", unit->class->name);
}

/* Tile 0: dispatcher and networks; then one an SM, then one a partition. */
static uint32_t tile_by_part(const Unit *unit, const Parts *parts)
{
    switch (unit->class->place) {
    case PLACE_DISPATCHER:
    case PLACE_SHARED:
    case PLACE_NETWORK: return 0;
    case PLACE_CORE: return 1 + unit->number;
    case PLACE_MEMORY: return 1 + parts->cores + partition_of(unit, parts);
    }
    g_error("%s does not say where it is placed", unit->class->name);
}

static Parts count_parts(const Simulation *simulation, uint64_t slices_per_partition)
{
    Parts parts = {.slices_per_partition = slices_per_partition};
    for (guint i = 0; i < simulation_unit_count(simulation); i++) {
        const Unit *unit = simulation_unit(simulation, i);
        const uint32_t count = unit->number + 1;
        if (unit->class->place == PLACE_CORE) parts.cores = MAX(parts.cores, count);
        if (unit->class->per == PER_SLICE) parts.slices = MAX(parts.slices, count);
        if (unit->class->per == PER_CHANNEL) parts.channels = MAX(parts.channels, count);
        parts.switches = parts.switches || unit->class->per == PER_SWITCH;
    }
    return parts;
}

Seat *deployment_lay_out(const Simulation *simulation, Deployment deployment,
                         uint64_t slices_per_partition, uint32_t *tiles)
{
    const guint units = simulation_unit_count(simulation);
    const Parts parts = count_parts(simulation, slices_per_partition);
    Seat *seat = g_new0(Seat, units);
    *tiles = 0;
    for (guint i = 0; i < units; i++) {
        const Unit *unit = simulation_unit(simulation, i);
        switch (deployment) {
        case DEPLOY_AUTO: seat[i] = seat_in_one(unit, &parts); break;
        case DEPLOY_SM: seat[i].tile = tile_by_part(unit, &parts); break;
        case DEPLOY_UNIT: seat[i].tile = i; break;
        }
        *tiles = MAX(*tiles, seat[i].tile + 1);
    }
    return seat;
}
