/* Rings and meshes: where SMs and slices stand, and the SimGrid platform that says so. */
#pragma once

#include "kit/gpu/network.h"
#include "platform/network/platform.h"

/* Of an SM or a slice. */
typedef struct {
    uint32_t stops, columns; /* columns: of a mesh */
    uint32_t directions;     /* of a ring */
    uint32_t *stop_of[NETWORKS];
} TopologyPlan;

/* An error: what cannot be laid out. `topology` is a ring or a mesh. */
bool topology_plan_init(TopologyPlan *plan, const NetworkParams *params, uint32_t sms,
                        uint32_t slices, GError **error);
void topology_plan_finish(TopologyPlan *plan);

/* Of the smallest square that has room for all. */
uint32_t topology_square_side(uint32_t stops);

/* An error: more stops than a network may have. */
bool topology_check_stops(const NetworkParams *params, uint32_t ends, uint32_t stops,
                          GError **error);

/* An error: SimGrid would take too long to find the ways between so many nodes of a zone. */
bool topology_check_nodes(uint32_t ends, uint32_t stops, uint32_t nodes, GError **error);

/* The text of the platform, newly allocated; NULL: it cannot be laid out. Zones `request` and
 * `reply`, hosts `request-source-0`, `request-destination-0` and so on. `clock`: the network's. */
char *topology_describe(const NetworkParams *params, uint32_t sms, uint32_t slices,
                        const Clock *clock, GError **error);
