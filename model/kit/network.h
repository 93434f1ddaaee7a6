/* What a network unit knows of its SimGrid zone: read back from SimGrid's platform once,
 * immutable during a run. */
#pragma once

#include "kit/time.h"

typedef struct {
    double bandwidth; /* bytes a nanosecond */
    double latency;   /* ns */
} NetworkLink;

/* A star: every route from source i to destination j is up[i], down[j]. */
typedef struct {
    NetworkLink *up, *down;
    uint32_t sources, destinations;
} NetworkRoutes;

typedef enum { NETWORK_REQUEST, NETWORK_REPLY, NETWORKS } NetworkRole;

/* `flow`: what a unit must know of a way that SimGrid times. */
typedef struct {
    double bandwidth; /* of the narrowest link, bytes a nanosecond */
    Time wire; /* of the latency, what the channels into and out of the network do not take */
} FlowRoute;

typedef struct {
    uint32_t *source, *destination; /* hosts, as simulation_add_flow_host numbers them */
    FlowRoute *route;               /* source x destinations + destination */
    uint32_t sources, destinations;
} FlowRoutes;
