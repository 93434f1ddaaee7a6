/* What a network unit knows of its SimGrid zone: read back from SimGrid's platform once,
 * immutable during a run. */
#pragma once

#include "kit/gpu/transaction.h"

typedef struct {
    double bandwidth; /* bytes a nanosecond */
    double latency;   /* ns */
} NetworkLink;

/* A network of routers, one a stop. The first ROUTER_LINKS inputs and outputs of a router are its
 * links, by the direction in which packets travel; those behind them belong to the sources and the
 * destinations at its stop. A ring goes round to the east, and back to the west. */
typedef enum { LINK_EAST, LINK_WEST, LINK_NORTH, LINK_SOUTH, ROUTER_LINKS } RouterLink;

typedef struct {
    uint32_t neighbour[ROUTER_LINKS]; /* its stop; UINT32_MAX: there is none */
    NetworkLink link[ROUTER_LINKS];   /* to it */
    uint32_t *source, *destination;   /* their numbers in the network */
    uint32_t sources, destinations;
    uint8_t *output; /* that a packet takes, by the number of its destination */
} RouterStop;

typedef struct {
    RouterStop *stop;
    uint32_t stops;
    uint64_t router_delay; /* cycles from a router's input to its link */
    bool ring;
} RouterNetwork;

/* Into the network and out of it. A star: every route from source i to destination j is up[i],
 * down[j]. Else there are routers in between. */
typedef struct {
    NetworkLink *up, *down;
    uint32_t sources, destinations;
    uint32_t flit_bytes;    /* packets are whole flits; 0: of any size */
    bool ideal;             /* any number of packets are on a link at once, and occupy none */
    RouterNetwork *routers; /* NULL: a star */
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
    uint32_t flit_bytes; /* as in NetworkRoutes */
} FlowRoutes;

/* --- packets ---------------------------------------------------------------------------------- */

typedef struct {
    uint32_t header_bytes, sector_bytes;
    uint32_t flit_bytes; /* packets are whole flits; 0: of any size */
} PacketFormat;

/* The header, and the sectors of a request that brings data or of a reply that does. */
static inline uint32_t network_packet_bytes(NetworkRole role, const Transaction *packet,
                                            const PacketFormat *format)
{
    const bool data = role == NETWORK_REQUEST ? packet->type != TRANSACTION_READ
                                              : transaction_reply_has_data(packet);
    const uint32_t sectors = data ? (uint32_t)__builtin_popcount(packet->sectors) : 0;
    const uint32_t bytes = format->header_bytes + sectors * format->sector_bytes;
    const uint32_t flit = format->flit_bytes;
    return flit ? (MAX(bytes, 1) + flit - 1) / flit * flit : bytes;
}

/* The number of the destination, an L2 slice or an SM. */
static inline uint32_t network_destination(NetworkRole role, const Transaction *packet)
{
    return role == NETWORK_REQUEST ? packet->slice : packet->source;
}

/* How long a packet occupies a link of so many bytes a cycle: whole cycles, one at least. */
static inline uint64_t network_link_cycles(uint32_t bytes, double per_cycle)
{
    const uint64_t cycles = (uint64_t)((double)bytes / per_cycle + 0.999999);
    return MAX(cycles, 1);
}
