/* Where links meet: the ends of links and hosts that routes join. The inside of graph.c and
 * flow/links.c. */
#pragma once

#include "platform/network/graph.h"

enum { NO_NODE = UINT32_MAX };

typedef struct {
    const PlatformQuestion *question;
    const PlatformRoutes *routes;
    uint32_t *parent;   /* of each end: of link k 2 k and 2 k + 1, behind them those of hosts */
    uint8_t *is_switch; /* by node: something passes it, or several links or hosts share it */
    uint8_t *joint;     /* by link: it joins two switches into one */
    uint32_t count;
} Nodes;

/* A route without the joints. */
typedef struct {
    uint32_t hop[WAY_LINKS];
    uint32_t length;
} Way;

/* Whether each link is one of a GPU's network; `nodes_init` asks as well. */
bool nodes_check_links(const PlatformQuestion *question, const PlatformRoutes *routes,
                       GError **error);

bool nodes_init(Nodes *nodes, const PlatformQuestion *question, const PlatformRoutes *routes,
                GError **error);
/* Of one network alone, whatever its routes are. A link that they take both ways begins where it
 * ends. */
void nodes_init_one(Nodes *nodes, const PlatformQuestion *question, const PlatformRoutes *routes,
                    NetworkRole role);
void nodes_finish(Nodes *nodes);

uint32_t node_of_link(const Nodes *nodes, uint32_t link, bool end);
uint32_t node_of_host(const Nodes *nodes, NetworkRole role, bool source, uint32_t i);

/* The links of a route. */
void nodes_way(const Nodes *nodes, NetworkRole role, uint32_t route, Way *way);
