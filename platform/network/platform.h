/* The SimGrid platform that warpmem generates, and what is read back from it.
 *
 * Zones: `request` and `reply` (the modelled network), stars of one link a host, and
 * `transport`, the fat pipe that carries bundles between tiles. SimGrid's second is a
 * nanosecond, so bandwidths are bytes a nanosecond. */
#pragma once

#include "kit/describe/param.h"
#include "kit/engine/simulation.h"
#include "kit/gpu/network.h"

/* Hosts, routers and zones side by side in a Floyd zone of SimGrid's, which searches all ways in a
 * time that grows with the cube: 10 s for so many. */
enum { FLOYD_MAX = 2048 };

typedef enum { TIMING_PACKET, TIMING_FLOW } NetworkTiming;
typedef enum {
    TOPOLOGY_CROSSBAR,
    TOPOLOGY_RING,
    TOPOLOGY_MESH,
    TOPOLOGY_TORUS,
    TOPOLOGY_FAT_TREE,
    TOPOLOGY_DRAGONFLY,
    TOPOLOGY_HIERARCHICAL,
    TOPOLOGY_DIES
} TopologyKind;
typedef enum { IDEAL_NONE, IDEAL_REQUESTS, IDEAL_REPLIES, IDEAL_BOTH } IdealNetwork;
typedef enum { PLACEMENT_SPREAD, PLACEMENT_EDGES } SlicePlacement;

/* `[network]`: the links of the two networks; per cycle of the network clock. */
typedef struct {
    uint64_t request_source_bandwidth, request_source_latency;
    uint64_t request_destination_bandwidth, request_destination_latency;
    uint64_t reply_source_bandwidth, reply_source_latency;
    uint64_t reply_destination_bandwidth, reply_destination_latency;
    uint64_t input_buffer, l2_input_buffer;
    uint64_t flit_bytes;
    uint32_t ideal; /* IdealNetwork */
    /* flow/platform.h */
    uint32_t timing;
    uint64_t concurrency;
    char *platform;
    /* the crossbar */
    char *sm_places, *slice_places;
    /* all but the crossbar */
    uint32_t topology, slice_placement;
    uint64_t concentration, ring_directions, mesh_columns, torus_layers;
    uint64_t tree_children, tree_parents, group_routers, dies;
    uint64_t request_link_bandwidth, reply_link_bandwidth;
    uint64_t link_latency, global_link_latency, link_buffer, router_delay;
    uint64_t virtual_channels;
} NetworkParams;

extern const ParamGroup network_group;

/* Whether a key of the group means something with the topology and timing there are. */
bool network_reads(const NetworkParams *params, const char *key);

void network_routes_init(NetworkRoutes routes[NETWORKS], uint32_t sms, uint32_t slices);
void network_routes_finish(NetworkRoutes routes[NETWORKS]);

/* What the parameters want of the links of SMs and slices: a generated platform is written from it.
 * A run's are what SimGrid says of the platform then; a crossbar that is only checked has these. */
void network_routes_plan(NetworkRoutes routes[NETWORKS], const NetworkParams *params,
                         const Clock *clock);

/* The text of a platform of stars that have these routes, if any, and of so many tiles. */
char *network_describe_stars(const NetworkRoutes routes[NETWORKS], uint32_t tiles);
/* The name of a link in it, newly allocated: of a network's source or destination. */
char *network_star_link(NetworkRole role, bool source, uint32_t i);
/* "bandwidth=... latency=...", newly allocated. */
char *network_link_figures(double bandwidth, double latency);
/* Around zones that are appended in between. */
GString *network_open_platform(void);
char *network_close_platform(GString *xml);
/* Takes over a whole text, to append more zones. */
GString *network_reopen_platform(char *text);

/* Asks SimGrid for the routes of both zones. Fails unless they are what was written. */
bool network_routes_read_back(NetworkRoutes routes[NETWORKS], GError **error);
