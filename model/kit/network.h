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
    uint32_t flit_bytes; /* packets are whole flits; 0: of any size */
} NetworkRoutes;

typedef enum { NETWORK_REQUEST, NETWORK_REPLY, NETWORKS } NetworkRole;
