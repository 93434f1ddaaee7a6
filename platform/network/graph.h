/* A network as a graph, from the routes of a SimGrid platform: which links meet in one switch, and
 * what routers have to know of it.
 *
 * Links have no ends in SimGrid. That link b follows link a in a route says that a ends where b
 * begins, and all such ends joined are the switches. An SM or slice at which nothing passes and
 * whose routes all begin (end) with one link is connected by that link; any other stands at a
 * switch. A FATPIPE without latency as wide as the widest link is no link, but joins two
 * switches into one. */
#pragma once

#include "kit/engine/simulation.h"
#include "platform/network/platform_routes.h"

/* Of a route of packets, at most. */
enum { WAY_LINKS = 256 };

typedef struct {
    PlatformQuestion question;
    bool ring;              /* packets enter it as a ring's do (router.c) */
    uint64_t router_delay;  /* cycles of a link's latency that are its router's */
    uint64_t most_channels; /* virtual channels of a link, for each kind of packet */
    const Clock *clock;
} GraphPlan;

/* The unit of a network that a source or destination is connected to, and its input or output
 * there. */
typedef struct {
    uint32_t stop, port;
} NetworkEnd;

typedef struct {
    RouterNetwork network[NETWORKS];
    NetworkEnd *end[NETWORKS][2];   /* of destinations, of sources */
    NetworkLink *link[NETWORKS][2]; /* their own; without bandwidth: none */
    const char **name[NETWORKS][2]; /* SimGrid's of these */
    bool shared;                    /* by requests and replies: there is one network, the first */
    bool star; /* a file's may be: each route two links through one switch; no routers then */
} NetworkGraph;

/* Asks SimGrid. NULL with an error that says what is wrong with which route or link. */
NetworkGraph *network_graph_new(const GraphPlan *plan, GError **error);
void network_graph_free(NetworkGraph *graph);

/* Router `stop` of a network has the number stop x NETWORKS + network: whether there is such a
 * router, and how many numbers there are. */
bool network_graph_has_stop(const NetworkGraph *graph, uint32_t number);
uint32_t network_graph_numbers(const NetworkGraph *graph);
Unit *network_graph_router(const GPtrArray *routers, uint32_t number);

/* Sizes the ports of a network's routers, which are among these, and connects neighbours. */
void network_graph_connect(const NetworkGraph *graph, uint32_t network, const GPtrArray *routers,
                           uint32_t buffer);
uint32_t network_graph_networks(const NetworkGraph *graph);

/* What units know of it. */
void network_graph_write_ends(const NetworkGraph *graph, NetworkRoutes routes[NETWORKS]);

/* A latency in whole cycles; and what of a link's is wire, one at least. */
uint64_t network_latency_cycles(double latency, const Clock *clock);
uint64_t network_wire_cycles(const RouterLink *link, uint64_t router_delay, const Clock *clock);

/* Of the longest link between routers: for how many cycles a place is away from the sender. */
uint64_t network_graph_round_trip(const NetworkGraph *graph, const Clock *clock);
