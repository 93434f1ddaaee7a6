/* Named topologies as zones of the SimGrid platform: hosts ZONE-source-I and ZONE-destination-J, a
 * link of its own for each of them, switches and the links between these. What SimGrid has a zone
 * for is that zone; SimGrid finds the ways.
 *
 *   ring              routers with links to their neighbours
 *   torus, fat tree   SimGrid's clusters of these names, whose nodes are the stops
 *   mesh              the corner of a torus that is too large to go round in
 *   dragonfly         a zone a group, in it each router joined to every other; between two groups
 *                     one link, at a router of each. SimGrid's own cluster fails with more groups
 *                     than routers in a chassis, and has one latency for all
 *   hierarchical      SMs behind concentrators, these and the slices at a crossbar
 *   dies              a crossbar a die, and a link each way between any two dies
 *
 * Ends are joined in Floyd zones: SimGrid answers for them once its engine runs. */
#pragma once

#include "platform/network/platform.h"

/* The text of the platform, newly allocated, with the links of `routes` into both networks and out
 * of them. A link between switches has its wire's latency and its router's delay. NULL with an
 * error where so many SMs and slices cannot be joined in the way that is wanted. */
char *shapes_describe(const NetworkParams *params, const NetworkRoutes routes[NETWORKS],
                      const Clock *clock, GError **error);
