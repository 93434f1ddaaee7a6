/* Networks of routers: which stops there are, which units stand where, which way packets go; as
 * SimGrid zones, and as wires. */
#pragma once

#include "kit/engine/simulation.h"
#include "platform/network/platform.h"

typedef struct {
    TopologyKind kind;
    uint32_t stops, columns;     /* columns: of a mesh */
    uint32_t directions;         /* of a ring */
    uint32_t *stop_of[NETWORKS]; /* by the number of a source of that network */
    RouterNetwork network[NETWORKS];
} Topology;

/* Sets `routers` of the routes as well, but for a crossbar. `clock` is the network's. */
bool topology_init(Topology *topology, const NetworkParams *params, NetworkRoutes routes[NETWORKS],
                   const Clock *clock, GError **error);
void topology_finish(Topology *topology);

/* The zone of one network of routers, and what SimGrid then says of its links. */
void topology_append_zone(GString *xml, const char *zone, const NetworkRoutes *routes);
bool topology_read_back(NetworkRoutes *routes, const char *zone, GError **error);

/* Where a source or destination of a network stands. */
uint32_t topology_stop_of(const Topology *topology, NetworkRole role, bool source, uint32_t number);

/* The unit of a network that a source or destination is connected to, and its input or output
 * there. A crossbar is one stop without links. */
typedef struct {
    uint32_t stop, port;
} NetworkEnd;
NetworkEnd topology_end(const Topology *topology, NetworkRole role, bool source, uint32_t number);

/* Sizes the ports of the routers, one a stop, and connects neighbours. */
void topology_connect(const RouterNetwork *network, const GPtrArray *routers, uint32_t buffer);

/* A link's latency in whole cycles, as a time. */
Time topology_latency(const NetworkLink *link, const Clock *clock);
