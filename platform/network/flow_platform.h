/* `[network] timing = flow`: the hosts and routes over which SimGrid carries packets, of the
 * generated platform or of one that the user gives.
 *
 * Latencies are taken out of SimGrid when the routes have been read: it would weight the flows
 * of a link by them. The channels into and out of the networks have what all routes share, a
 * FlowRoute the rest. */
#pragma once

#include "kit/describe/configuration.h"
#include "kit/engine/simulation.h"
#include "platform/network/platform.h"

typedef struct {
    FlowRoutes routes[NETWORKS];
    GPtrArray *names; /* of the simulation's hosts, by number; NULL: no flow */
    char *file;       /* the user's platform; NULL: the generated one */
} FlowPlatform;

/* Settings that go together. */
bool flow_check_settings(const NetworkParams *params, const Configuration *configuration,
                         GError **error);

/* Routes are as the generated platform will say, until they are read. */
void flow_platform_init(FlowPlatform *flow, Simulation *simulation, const NetworkParams *params,
                        const NetworkRoutes routes[NETWORKS], const Configuration *configuration);
void flow_platform_finish(FlowPlatform *flow);

/* Whether SimGrid can load the user's platform and it has all hosts and routes; asked in a process
 * of its own, because SimGrid ends the one in which it finds a mistake. True without such a file.
 */
bool flow_platform_check(const FlowPlatform *flow, Simulation *simulation, GError **error);

/* After SimGrid has been started: bandwidths and latencies of all routes; `routes` gets what the
 * channels into and out of the networks take. */
bool flow_platform_read(FlowPlatform *flow, NetworkRoutes routes[NETWORKS], const Clock *clock,
                        GError **error);
