/* `[network] timing = flow`: the hosts and routes over which SimGrid carries packets, of a platform
 * that is generated or that the user gives.
 *
 * Latencies are SimGrid's, and taken out of it before packets leave: it would weight the flows of a
 * link by them. The channels into and out of the networks have what all routes share, a FlowRoute
 * the rest. */
#pragma once

#include "kit/describe/configuration.h"
#include "kit/engine/simulation.h"
#include "platform/network/described.h"

typedef struct {
    FlowRoutes routes[NETWORKS];
    NetworkPlatform platform;
    const LinkChanges *changes; /* of its links; NULL: it has them already */
} FlowPlatform;

/* Settings that go together. */
bool flow_check_settings(const NetworkParams *params, const Configuration *configuration,
                         GError **error);

/* Asks SimGrid for bandwidths and latencies of all routes; `routes` gets what the channels into and
 * out of the networks take, and says what the links of crossbars are. */
bool flow_platform_init(FlowPlatform *flow, Simulation *simulation, const NetworkSettings *settings,
                        NetworkRoutes routes[NETWORKS], GError **error);
void flow_platform_finish(FlowPlatform *flow);

/* Starts SimGrid on the platform; its latencies are to be taken out before packets leave. */
bool flow_platform_start(const FlowPlatform *flow, Simulation *simulation, GError **error);
void flow_platform_take_latencies_out(void);
