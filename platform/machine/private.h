/* What the machine's own files share: the inside of a machine. */
#pragma once

#include "kit/gpu/line_request.h"
#include "parts/address/address_map.h"
#include "parts/address/frames.h"
#include "parts/address/paging.h"
#include "parts/dram/timing.h"
#include "parts/sm/coalescer.h"
#include "platform/cost/area.h"
#include "platform/cost/energy.h"
#include "platform/machine/channels.h"
#include "platform/machine/first_level.h"
#include "platform/machine/host_link.h"
#include "platform/machine/machine.h"
#include "platform/network/described.h"
#include "platform/network/flow/platform.h"
#include "platform/network/links/halves.h"
#include "platform/network/links/places.h"
#include "platform/network/platform.h"

struct Machine {
    MachineParams params;
    SimulationParams run;
    NetworkParams network;
    LinkChanges links;
    ChannelParams channels;
    AddressMap address_map;
    DramTiming dram;
    FirstLevel first_level;
    HostLink host_link;
    EnergyFigures energy; /* its parameters */
    AreaFigures area;
    Frames pages;
    Paging paging;
    LineShape l1_line, line; /* of caches in SMs; of L2, and of all that travels */
    LineFit fit;
    NetworkRoutes routes[NETWORKS];
    HalvesLinks halves;
    FlowPlatform flow;   /* where timing is flow */
    NetworkGraph *graph; /* where routers may stand; NULL: crossbars, or a flow */
    LaunchList *launches;
    LaunchRecord *record;
    GArray *kernel_times;
    Simulation *simulation;
    const Clock *clock[CLOCKS];
    GPtrArray *instances; /* GPtrArrays of units, in the order of machine_unit_classes */
};

static inline bool machine_has_flow(const Machine *machine)
{
    return machine->network.timing == TIMING_FLOW;
}

static inline bool machine_has_routers(const Machine *machine)
{
    return machine->graph && !machine->graph->star;
}

/* shared_groups.c: lines of L2, and of all that travels. */
LineShape lines_of_l2(const MachineParams *params);
/* Lines of SMs' caches and of L2, and how they fit, from the machine's parameters. */
bool lines_setup(Machine *machine, GError **error);
/* facts.c */
uint64_t machine_channels_of_partition(const MachineParams *params);
/* Peak of all channels, bytes a second. */
double machine_bandwidth_of(const MachineParams *params, const DramTiming *dram);
ParamClock machine_stated_clock(const Machine *machine, UnitClock clock);

/* extent.c: the run is of a part of the machine that has this unit, of so many of its class. */
bool machine_has_unit(const Machine *machine, const UnitClass *unit_class, uint32_t number);

/* platform.c: routes, and graph or flow. */
bool machine_read_platform(Machine *machine, const Configuration *configuration, GError **error);
/* Starts SimGrid on it, with so many tiles. */
bool machine_start_engine(Machine *machine, uint32_t tiles, GError **error);

/* wiring.c: what leads from one half of L2 to the other, by the parameters. */
void machine_join_halves(Machine *machine);

/* wiring.c: connects all units; before simulation_setup. */
void machine_wire(Machine *machine);

/* wiring.c: there are such units, and they are not off. */
bool machine_has_units(const GPtrArray *units);

/* Of an SM: the first unit that says some. */
OccupancyLimits machine_limits(const Machine *machine);

/* plausible.c: numbers of units, and the bandwidth that is stated. */
bool machine_check_plausible(const Machine *machine, GError **error);

/* machine/plausible.c: arrays that do not fit into DRAM are an error. Beyond its end DRAM's rows
 * would begin anew, which would pass for more memory than there is. */
bool machine_check_footprints(const Machine *machine, GError **error);

/* timeline_selection.c: what would have no effect, and a time that ends before it begins. */
bool machine_check_timeline(const SimulationParams *run, const Configuration *configuration,
                            GError **error);

/* What units need of each other's parameters. */
bool machine_check_needs(const Machine *machine, GError **error);
