/* What the router's own files share. */
#pragma once

#include "kit/engine/unit.h"
#include "kit/gpu/message_list.h"
#include "kit/gpu/network.h"
#include "kit/gpu/transaction.h"
#include "parts/sm/coalescer.h"

enum { WORD = 64, NONE = UINT32_MAX };

typedef enum { OLDEST_FIRST, ROUND_ROBIN } Arbitration;

/* What a link leads into: a buffer of another router, or a destination. */
typedef struct {
    uint64_t *asking; /* inputs with a packet for it, a bit each */
    uint32_t waiting; /* their number */
    uint32_t turn;    /* the input that comes first in the next choice */
    uint8_t role;
    bool blocked; /* since its last packet the next buffer was found full */
    bool kept;    /* since its last packet one place was not enough for the oldest */
    Time kept_until;
} Output;

/* A link of its own, or a destination that has none. */
typedef struct {
    uint32_t first, end; /* outputs that share it */
    uint32_t turn;       /* the one that comes first in the next choice */
    uint32_t waiting;    /* inputs that ask for them */
    Time free_at;
    double per_cycle; /* bytes; 0: it takes no time */
    Time ahead;       /* what only packets get that enter the network here */
    Server *server;   /* of `links` or of `exits`; NULL: nobody occupies it */
} Line;

typedef struct {
    double per_cycle; /* bytes; 0: it takes no time */
    Time free_at;     /* it has carried what came so far */
    Server *server;
} Entry;

typedef struct {
    Unit unit;
    PortArray inputs;
    ChannelArray outputs;
    const NetworkRoutes *networks;
    const LineShape *line;

    uint64_t header_bytes;
    uint32_t arbitration;

    uint64_t packets, delivered, hops, waited, blocked, bubbles_kept;
    uint64_t link_packets, link_bytes;
    uint64_t busy_links, busy_exits, busy_sources;
    Level queued;

    ServerArray source_links, links, exits;

    PacketFormat format;
    const RouterNetwork *network;
    const RouterStop *stop;
    bool ideal[NETWORKS];
    Time delay; /* from input to link */
    Time patience;
    uint32_t words;    /* of a set of inputs */
    Entry *entry;      /* from each source */
    MessageList *lane; /* packets of one input for one output: input x outputs + output */
    Output *output;
    Line *way; /* links, then destinations */
    uint32_t ways;
    Time wake;
} Router;

/* Its first outputs lead to other routers. */
static inline bool router_is_link(const Router *self, uint32_t output)
{
    return output < self->stop->link_outputs;
}

static inline uint32_t router_packet_bytes(const Router *self, uint8_t role,
                                           const Transaction *packet)
{
    return network_packet_bytes((NetworkRole)role, packet, &self->format);
}

static inline Time router_occupancy(const Router *self, uint8_t role, const Transaction *packet,
                                    double per_cycle)
{
    if (self->ideal[role] || per_cycle <= 0) return 0;
    return clock_cycles(self->unit.clock,
                        network_link_cycles(router_packet_bytes(self, role, packet), per_cycle));
}

/* output.c: whoever may leave by this line, leaves. `wake` becomes when it has to be looked at
 * again. */
void router_serve(Router *self, Line *line, Time now);
