/* The parameter groups of a machine: its own two, and the list of all. */
#include "platform/cost/area.h"
#include "platform/cost/energy.h"
#include "platform/machine/channels.h"
#include "platform/machine/first_level.h"
#include "platform/machine/host_link.h"
#include "platform/machine/machine.h"
#include "platform/machine/shared_groups.h"
#include "platform/network/links/changes.h"
#include "platform/network/platform.h"

static const char *const deployments[] = {"auto", "sm", "unit", NULL};

/* In the order of TimelineKeep. */
static const char *const timeline_orders[] = {"first", "slowest", NULL};
static const char *const profiles[] = {"no", "power", "yes", NULL}; /* RegionCollects */

static const Param simulation_params[] = {
    PARAM_ONE_OF(
        SimulationParams, deployment, deployments, "auto",
        "which units share a SimGrid actor: all one tile, one an SM and a partition, one a unit"),
    PARAM_NUMBER(SimulationParams, quantum, PARAM_TIME, "0 ns", 0, 1e12,
                 "window of a tile; 0: as long as the lookahead allows"),
    PARAM_NUMBER(
        SimulationParams, threads, PARAM_COUNT, "1", 1, 64,
        "host threads that run SMs, slices and networks of the one tile side by side; while "
        "single requests are reported one runs all"),
    PARAM_NUMBER(SimulationParams, seed, PARAM_COUNT, "1", 0, 9e15, "seed of every random choice"),
    PARAM_NUMBER(SimulationParams, timeline, PARAM_COUNT, "0", 0, TIMELINE_MAX,
                 "at most so many requests are reported one by one, each with its stages; 0: none"),
    PARAM_ONE_OF(SimulationParams, timeline_keep, timeline_orders, "first",
                 "which of them, when there are more: those that began first, or the slowest"),
    PARAM_NUMBER(SimulationParams, timeline_one_in, PARAM_COUNT, "1", 1, TIMELINE_SPARSEST,
                 "report one request in so many, chosen by a hash of its number; 1: every one"),
    PARAM_NUMBER(SimulationParams, timeline_from, PARAM_TIME, "0 ns", 0, TIME_LATEST,
                 "report requests that begin at this simulated time or later"),
    PARAM_NUMBER(SimulationParams, timeline_until, PARAM_TIME, "0 ns", 0, TIME_LATEST,
                 "report requests that begin before this simulated time; 0: no end"),
    PARAM_ONE_OF(SimulationParams, profile, profiles, "yes",
                 "collect what reports draw: statistics over time, and latencies by size, "
                 "instruction and array; power: over time alone; no: result.json has no profile"),
    PARAM_END};

const ParamGroup simulation_group = {.name = "simulation",
                                     .summary = "how to run; only the seed changes results",
                                     .params = simulation_params};

static const Param machine_rows[] = {
    PARAM_STRING(MachineParams, name, "", "what the machine is called in reports"),
    PARAM_NUMBER(MachineParams, sms, PARAM_COUNT, "1", 1, 1024, "streaming multiprocessors",
                 .doubling = TWICE, .relieves = "issue occupancy cta_launch"),
    PARAM_NUMBER(
        MachineParams, request_coalescers, PARAM_COUNT, "0", 0, 1024,
        "parts of the SMs, each with an L2 request coalescer in front of the networks (H100: "
        "GPCs), no more than there are SMs; 0: none, SMs are at the networks themselves"),
    PARAM_NUMBER(MachineParams, partitions, PARAM_COUNT, "1", 1, 1024,
                 "memory partitions; any number", .doubling = TWICE,
                 .relieves = "l2_bandwidth dram_bandwidth dram_timing dram"),
    PARAM_NUMBER(MachineParams, slices_per_partition, PARAM_COUNT, "2", 1, 16,
                 "L2 slices of a partition"),
    PARAM_NUMBER(
        MachineParams, channels_per_partition, PARAM_COUNT, "0", 0, 64,
        "DRAM channels of a partition, each with a scheduler: a multiple of the slices, or "
        "a divisor; 0: one a slice"),
    PARAM_SWITCH(MachineParams, memory_caches, "no",
                 "a memory-side cache in front of each DRAM channel (AMD's Infinity Cache)"),
    PARAM_NUMBER(
        MachineParams, l2_halves, PARAM_COUNT, "1", 1, 8,
        "2: half of the SMs is near half of the partitions, and what it reads of the other "
        "half is copied into its own (A100, H100); more: so many parts, likewise"),
    PARAM_NUMBER(MachineParams, core_clock, PARAM_FREQUENCY, "1380 MHz", 1e6, 1e10,
                 "clock of SMs and L1", .doubling = TWICE,
                 .relieves = "issue arithmetic_latency l1_latency l1_bandwidth bank_conflicts"),
    PARAM_NUMBER(MachineParams, network_clock, PARAM_FREQUENCY, "1380 MHz", 1e6, 1e10,
                 "clock of the networks", .doubling = TWICE,
                 .relieves = "request_network reply_network network"),
    PARAM_NUMBER(MachineParams, l2_clock, PARAM_FREQUENCY, "1380 MHz", 1e6, 1e10,
                 "clock of the L2 slices", .doubling = TWICE,
                 .relieves = "l2_latency l2_bandwidth"),
    PARAM_NUMBER(MachineParams, dram_clock, PARAM_FREQUENCY, "877 MHz", 1e6, 1e10,
                 "DRAM command clock", .doubling = TWICE,
                 .relieves = "dram_bandwidth dram_timing dram_latency dram"),
    PARAM_NUMBER(MachineParams, line_bytes, PARAM_BYTES, "128 B", 32, 512,
                 "cache line of L1 and the texture unit"),
    PARAM_NUMBER(MachineParams, sector_bytes, PARAM_BYTES, "32 B", 16, 512,
                 "sector of a line: what is fetched and kept valid"),
    PARAM_NUMBER(MachineParams, l2_line_bytes, PARAM_BYTES, "0 B", 0, 512,
                 "cache line of L2, the ROP and what is behind them, at least as long as L1's; 0: "
                 "as line_bytes"),
    PARAM_NUMBER(MachineParams, l2_sector_bytes, PARAM_BYTES, "0 B", 0, 512,
                 "sector of a line of L2, no larger than one of L1; 0: as sector_bytes"),
    PARAM_NUMBER(MachineParams, warp_lanes, PARAM_COUNT, "32", 32, LANES_MAX,
                 "lanes of a warp: 32 (NVIDIA), 64 (AMD GCN and CDNA wavefronts)"),
    PARAM_NUMBER(
        MachineParams, peak_bandwidth_gbps, PARAM_COUNT, "0", 0, 100000,
        "DRAM bandwidth of the data sheet in GB/s, checked against width x clock within 2 %; 0: not stated"),
    PARAM_END};

const ParamGroup machine_group = {
    .name = "machine", .summary = "how many of what, and the clocks", .params = machine_rows};

static const ParamGroup *group_of(const UnitClass *class)
{
    ParamGroup *group = g_new(ParamGroup, 1);
    *group = (ParamGroup){.name = class->name, .summary = class->summary, .params = class->params};
    return group;
}

static const ParamGroup **list_groups(void)
{
    const ParamGroup *const own[] = {&machine_group,  &first_level_group, &address_map_group,
                                     &pages_group,    &network_group,     &link_group,
                                     &channels_group, &dram_group,        &host_link_group,
                                     &paging_group,   &energy_group,      &area_group};
    GPtrArray *groups = g_ptr_array_new();
    for (guint i = 0; i < G_N_ELEMENTS(own); i++)
        g_ptr_array_add(groups, (gpointer)(uintptr_t)own[i]);
    const UnitClass *const *classes = machine_unit_classes();
    for (guint i = 0; classes[i]; i++)
        g_ptr_array_add(groups, (gpointer)(uintptr_t)group_of(classes[i]));
    g_ptr_array_add(groups, (gpointer)(uintptr_t)&simulation_group);
    g_ptr_array_add(groups, NULL);
    return (const ParamGroup **)g_ptr_array_free(groups, FALSE);
}

const ParamGroup *const *machine_groups(void)
{
    static const ParamGroup **groups;
    if (!groups) groups = list_groups();
    return groups;
}
