/* What the machine's own files share: the inside of a machine. */
#pragma once

#include "parts/address_map.h"
#include "parts/coalescer.h"
#include "parts/dram_timing.h"
#include "parts/frames.h"
#include "platform/channels.h"
#include "platform/first_level.h"
#include "platform/machine.h"
#include "platform/network_platform.h"

struct Machine {
    MachineParams params;
    SimulationParams run;
    NetworkParams network;
    ChannelParams channels;
    AddressMap address_map;
    DramTiming dram;
    FirstLevel first_level;
    Frames pages;
    LineShape line;
    NetworkRoutes routes[NETWORKS];
    LaunchList *launches;
    LaunchRecord *record;
    GArray *kernel_times;
    Simulation *simulation;
    const Clock *core, *network_clock, *l2, *dram_clock;
    Unit *dispatcher, *crossbar[NETWORKS], *mmu, *monitor;
    GPtrArray *sm, *load_store, *l1, *slice, *rop, *scheduler, *channel;
};

/* wiring.c: connects all units; before simulation_setup. */
void machine_wire(Machine *machine);
