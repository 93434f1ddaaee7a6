/* What a network unit knows of its SimGrid zone: read back from SimGrid's platform once,
 * immutable during a run. */
#pragma once

#include "kit/describe/resource.h"
#include "kit/gpu/transaction.h"

typedef enum { NETWORK_REQUEST, NETWORK_REPLY, NETWORKS } NetworkRole;

typedef struct {
    double bandwidth; /* bytes a nanosecond */
    double latency;   /* ns */
    bool wide;        /* any number of packets are on it at once, each with all its bandwidth */
} NetworkLink;

/* From a router to another: a channel for each of its buffers, those of requests first. */
typedef struct {
    const char *name; /* SimGrid's */
    NetworkLink link;
    uint32_t from, to;      /* routers */
    uint32_t output, input; /* of the first channel, there */
    uint8_t channels[NETWORKS];
    uint8_t ahead; /* cycles that packets may gain on it which enter the network before it */
} RouterLink;

/* A source or a destination at a router. */
typedef struct {
    NetworkRole role;
    uint32_t number;
    NetworkLink link;
    const char *name; /* SimGrid's of the link */
    bool has_link;    /* its own; else it stands at the router itself */
} RouterEnd;

/* The first inputs and outputs of a router are channels of its links, link by link; those behind
 * them belong to the sources and the destinations. */
typedef struct {
    uint32_t *in, *out; /* numbers of links */
    uint32_t ins, outs;
    uint32_t link_inputs, link_outputs; /* channels of them all */
    RouterEnd *source, *destination;
    uint32_t sources, destinations;
} RouterStop;

/* From a source to a destination. */
typedef struct {
    uint32_t first; /* in RouterNetwork.output */
    uint8_t ahead;  /* cycles that the ends take and the first link gives back */
} RouterRoute;

/* A network of routers, or the network for both requests and replies. */
typedef struct {
    RouterStop *stop;
    RouterLink *link;
    uint32_t stops, links;
    RouterRoute *route[NETWORKS]; /* source x destinations + destination; NULL: not this network */
    uint16_t *output;             /* that packets take, route by route: one a router on the way */
    uint64_t router_delay;        /* cycles from a router's input to its link */
    bool ring;
} RouterNetwork;

/* Where sources and destinations of a star lie, and the wire from each place to each: what a packet
 * takes besides the links of its ends. No places: nothing. */
typedef struct {
    uint32_t *source_place, *destination_place; /* by number */
    uint32_t source_places, destination_places;
    NetworkLink *wire; /* a source's place x destination_places + a destination's */
} NetworkWires;

/* Of the wire from a source to a destination; there are places. */
static inline uint32_t network_wire(const NetworkWires *wires, uint32_t source,
                                    uint32_t destination)
{
    return wires->source_place[source] * wires->destination_places
           + wires->destination_place[destination];
}

/* Into the network and out of it. A star: every route from source i to destination j is up[i],
 * down[j]. Else there are routers in between. */
typedef struct {
    NetworkLink *up, *down;
    uint32_t sources, destinations;
    uint32_t flit_bytes;          /* packets are whole flits; 0: of any size */
    bool ideal;                   /* any number of packets are on a link at once, and occupy none */
    const RouterNetwork *routers; /* NULL: a star */
    NetworkWires wires;
    const char **up_name, **down_name; /* SimGrid's of these links; NULL: it has none */
    GStringChunk *names;               /* where they are, of a star that is not a file's */
} NetworkRoutes;

/* From a half of L2 to another, for all slices of the one. */
typedef struct {
    const char *name; /* SimGrid's */
    NetworkLink link;
    uint32_t from, to; /* halves */
} HalvesLink;

/* Between the halves of L2, of which there may be more than two: each slice's own link, and one
 * from each half to each other, for requests and for what comes back. */
typedef struct {
    NetworkLink *own[NETWORKS];    /* by slice */
    HalvesLink *between[NETWORKS]; /* halves x (halves - 1), as halves_link numbers them */
    uint32_t slices, halves;       /* no slices: there are no halves */
    GStringChunk *names;
} HalvesLinks;

/* Of the link from a half to another. */
static inline uint32_t halves_link(const HalvesLinks *halves, uint32_t from, uint32_t to)
{
    return from * (halves->halves - 1) + (to + halves->halves - from) % halves->halves - 1;
}

/* `flow`: what a unit must know of a way that SimGrid times. */
typedef struct {
    double bandwidth; /* of the narrowest link, bytes a nanosecond */
    Time wire; /* of the latency, what the channels into and out of the network do not take */
    uint32_t first, end; /* its links, in FlowRoutes.hop */
} FlowRoute;

/* A link that SimGrid shares out. Into the network it leads from a source to a switch, out of it
 * from a switch to a destination. */
typedef struct {
    const char *name; /* SimGrid's */
    NetworkLink link;
    LinkPlace place;
    uint32_t index; /* among those of its place */
    uint32_t from, to;
} FlowLink;

typedef struct {
    uint32_t *source, *destination; /* hosts, as simulation_add_flow_host numbers them */
    FlowRoute *route;               /* source x destinations + destination */
    uint32_t sources, destinations;
    uint32_t flit_bytes; /* as in NetworkRoutes */
    FlowLink *link;      /* by name */
    uint32_t links;
    uint32_t *hop;   /* links, route by route */
    bool one_packet; /* a link carries one packet at a time */
} FlowRoutes;

/* --- packets ---------------------------------------------------------------------------------- */

typedef struct {
    uint32_t header_bytes, sector_bytes;
    uint32_t flit_bytes; /* packets are whole flits; 0: of any size */
} PacketFormat;

/* Of a request that brings data or of a reply that does. */
static inline uint32_t network_packet_sectors(NetworkRole role, const Transaction *packet)
{
    const bool data = role == NETWORK_REQUEST ? packet->type != TRANSACTION_READ
                                              : transaction_reply_has_data(packet);
    return data ? (uint32_t)__builtin_popcount(packet->sectors) : 0;
}

/* The header, and so many sectors. */
static inline uint32_t network_format_bytes(const PacketFormat *format, uint32_t sectors)
{
    const uint32_t bytes = format->header_bytes + sectors * format->sector_bytes;
    const uint32_t flit = format->flit_bytes;
    return flit ? (MAX(bytes, 1) + flit - 1) / flit * flit : bytes;
}

static inline uint32_t network_packet_bytes(NetworkRole role, const Transaction *packet,
                                            const PacketFormat *format)
{
    return network_format_bytes(format, network_packet_sectors(role, packet));
}

/* The number of the destination, an L2 slice or an SM. */
static inline uint32_t network_destination(NetworkRole role, const Transaction *packet)
{
    return role == NETWORK_REQUEST ? packet->slice : packet->source;
}

/* The number of the source, an SM or an L2 slice. */
static inline uint32_t network_source(NetworkRole role, const Transaction *packet)
{
    return role == NETWORK_REQUEST ? packet->source : packet->slice;
}

/* How long a packet occupies a link of so many bytes a cycle: whole cycles, one at least. */
static inline uint64_t network_link_cycles(uint32_t bytes, double per_cycle)
{
    const uint64_t cycles = (uint64_t)((double)bytes / per_cycle + 0.999999);
    return MAX(cycles, 1);
}
