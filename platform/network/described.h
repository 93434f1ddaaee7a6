/* Which platform a machine's network is, by its parameters. */
#pragma once

#include "kit/describe/configuration.h"
#include "platform/network/graph.h"
#include "platform/network/platform.h"

/* The file of `platform`, which is written as seen from the place where the setting stands; newly
 * allocated, NULL: none is set. */
char *network_platform_file(const Configuration *configuration);

/* Whether it is another platform than the crossbars' stars. */
bool network_has_graph(const NetworkParams *params);

/* The text of the platform that the parameters describe, newly allocated; NULL with an error that
 * names the key. */
char *network_describe(const NetworkParams *params, const NetworkRoutes routes[NETWORKS],
                       const Clock *clock, GError **error);

/* Its graph, generated or from the file; the links of its ends, and its routers if it has some, go
 * into `routes`. NULL with an error that names the key, or the file and what is wrong with it. */
NetworkGraph *network_graph_of(const NetworkParams *params, const Configuration *configuration,
                               NetworkRoutes routes[NETWORKS], const Clock *clock, GError **error);
