/* Traffic without a GPU: what goes into one part of the machine alone, its networks or its memory.
 * Made by a workload, kept by its kernel, immutable during a run. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "kit/traffic/destinations.h"

typedef enum { TRAFFIC_INTO_NETWORK, TRAFFIC_INTO_MEMORY } TrafficPart;

/* Requests go from SMs to slices and replies back. A round trip is a request, and the reply that
 * its slice sends when it has come. */
typedef enum { WAY_REQUESTS, WAY_REPLIES, WAY_ROUND_TRIP } TrafficWay;

typedef enum { WALK_SEQUENTIAL, WALK_RANDOM } TrafficWalk;

/* Of a list. */
typedef struct {
    uint64_t cycle; /* of the DRAM clock, from the list's beginning on */
    uint64_t address : 63;
    uint64_t write : 1;
} TrafficRequest;

typedef struct Traffic {
    TrafficPart part;
    uint64_t seed;
    double load; /* network: packets a cycle and source; memory: share of the peak bandwidth */
    double write_share;
    uint64_t bytes;       /* data of a packet or request */
    uint64_t outstanding; /* of a source; 0: any number */
    /* cycles of the part's clock; what is made in `duration` is measured. 0: a list's, all of it */
    uint64_t warm_up, duration;
    uint64_t expected; /* about how many are measured, for who waits for them */

    /* network */
    TrafficWay way;
    DestinationRule rule;
    uint32_t hotspot;
    double hotspot_share;
    double *matrix; /* sources x destinations: of `load`, what goes there; or NULL */

    /* memory */
    TrafficWalk walk;
    uint64_t array_bytes;
    TrafficRequest *requests; /* a list; or NULL */
    size_t request_count;
} Traffic;
