/* The machine: builds and wires the units that a configuration describes, and runs launches on
 * them. */
#pragma once

#include "kit/describe/configuration.h"
#include "kit/engine/simulation.h"
#include "kit/gpu/network.h"
#include "parts/dram/timing.h"

typedef enum { DEPLOY_AUTO, DEPLOY_SM, DEPLOY_UNIT } Deployment;

/* `[simulation]`: how to run; nothing here changes a result except the seed. */
typedef struct {
    uint32_t deployment;
    uint64_t threads;
    uint64_t quantum; /* fs; 0: the lookahead */
    uint64_t seed;
    uint64_t timeline; /* requests */
    uint32_t timeline_keep;
    uint64_t timeline_one_in, timeline_from, timeline_until; /* fs; 0: no end */
    uint32_t profile;                                        /* RegionCollects */
} SimulationParams;

/* `[machine]` */
typedef struct {
    char *name;
    uint64_t sms, request_coalescers;
    uint64_t partitions, slices_per_partition, channels_per_partition, l2_halves;
    bool memory_caches;
    uint64_t core_clock, network_clock, l2_clock, dram_clock; /* Hz */
    uint64_t line_bytes, sector_bytes;                        /* of caches in SMs */
    uint64_t l2_line_bytes, l2_sector_bytes;                  /* 0: the same */
    uint64_t warp_lanes;
    /* as the data sheet states it, checked against width x clock; 0: not stated */
    uint64_t peak_bandwidth_gbps;
} MachineParams;

extern const ParamGroup simulation_group, machine_group;

/* Every table a configuration may use besides the workload's: simulation, machine, shared
 * groups, every unit class. NULL-terminated. */
const ParamGroup *const *machine_groups(void);

/* Every unit class, NULL-terminated, in the order of meson.build's list; and by name. */
const UnitClass *const *machine_unit_classes(void);

typedef struct Machine Machine;

/* Kernels run on it; else traffic goes into a part of it, and only that part is there. */
bool machine_is_whole(const Machine *machine);

/* Builds and wires all units; takes over `launches`. Errors are the user's: file:line, value,
 * range. Does not start SimGrid. */
Machine *machine_new(const Configuration *configuration, LaunchList *launches, GError **error);
void machine_free(Machine *machine);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Machine, machine_free)

/* What workloads are built for. */
typedef struct {
    uint32_t warp_lanes;                            /* 32 or 64 */
    uint64_t sms, slices, line_bytes, sector_bytes; /* lines of L2 */
    uint64_t core_clock, dram_clock;                /* Hz */
    uint64_t dram_bandwidth;                        /* peak, bytes a second */
} MachineOutline;
bool machine_outline(const Configuration *configuration, MachineOutline *outline, GError **error);

/* Sets all units up, as a run does before its first event; that is all that it is good for then. */
bool machine_try(Machine *machine, GError **error);

/* machine_new without launches and machine_try. */
bool machine_check(const Configuration *configuration, GError **error);

/* Warnings about plausible but unlikely values (a port smaller than rate x round trip); one
 * string each, newly allocated. */
GPtrArray *machine_warnings(const Machine *machine);

/* Which links groups of the configuration change; one string each, newly allocated. */
GPtrArray *machine_link_notes(const Machine *machine);

typedef struct {
    const Unit *unit;
    LinkPlace place;
    uint32_t index;
} LinkCounter;

/* A link of SimGrid's in a network, as packets see it. `from` and `to`: "SM 3", "L2 slice 5",
 * "l2_half[0]", or the path of a crossbar or router; where SimGrid's solver times packets
 * "switch[request][2]". */
typedef struct {
    const char *network; /* "request", "reply", "shared"; of halves "l2_request", "l2_reply" */
    const char *name, *from, *to;
    NetworkLink link;
    /* who counts it, among its links of that place: a crossbar or router; where SimGrid's solver
     * times packets both networks may; without a unit: nobody else */
    LinkCounter counter[NETWORKS];
} MachineLink;
typedef void (*MachineLinkVisit)(const MachineLink *link, void *user);
/* Network by network: those into it, those between routers, those out of it. Links that nobody
 * occupies are left out. */
void machine_visit_links(const Machine *machine, MachineLinkVisit visit, void *user);

/* Why a setting means nothing to this machine, behind "has no effect"; newly allocated. NULL: units
 * or channels that are there, or the network, read it. */
char *machine_ignores(const Machine *machine, const Setting *setting);

/* As param_qualify, of a row of this group; where it names an output, the unit behind it. */
char *machine_condition(const char *group, const char *condition);

Simulation *machine_simulation(Machine *machine);
/* All units of a class, by number; our mistake: there is no such class. */
const GPtrArray *machine_instances(const Machine *machine, const char *unit_class);
const MachineParams *machine_params(const Machine *machine);
const Clock *machine_clock(const Machine *machine, const char *name); /* core, network, l2, dram */

/* Of each DRAM channel. */
const DramTiming *machine_dram(const Machine *machine);

uint64_t machine_channels(const MachineParams *params);

/* Peak DRAM bandwidth in bytes a second: channels x width x data rate, INFINITY where dram.ideal =
 * bandwidth. */
double machine_peak_dram_bandwidth(const Machine *machine);
/* What the DRAM channels' buses need for so many bytes, at least. */
Time machine_dram_time(const Machine *machine, uint64_t bytes);

bool machine_run(Machine *machine, RunReport *report, GError **error);
/* Whether SimGrid is told more than what platform there is: what links are to be otherwise, or what
 * it times itself. */
bool machine_tells_engine(const Machine *machine);
/* Whether the text of its platform may depend on settings of a group. */
bool machine_platform_reads(const char *group);

/* What the CTA dispatcher recorded of each launch. */
typedef struct {
    const Launch *launch;
    Time start;  /* first CTA sent out */
    Time issued; /* last CTA known to be complete: its warps have ended */
    Time end;    /* ... and all that it has stored and reduced known to be acknowledged */
    CtaSpread spread;
} KernelTime;
const GArray *machine_kernel_times(const Machine *machine);

/* Of a copy between the host's memory and the GPU's. */
Time machine_copy_time(const Machine *machine, uint64_t bytes);

/* Which requests are reported one by one. */
TimelineSelection machine_timeline_selection(const Machine *machine);

/* When at least one measured launch ran, from the first CTA of those that began with it; of the
 * list's those that `launches` says, NULL: all. */
Time machine_measured_span(const Machine *machine, const bool *launches);
