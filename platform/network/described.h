/* Which platform a machine's network is, by its parameters. */
#pragma once

#include "kit/describe/configuration.h"
#include "platform/network/graph.h"
#include "platform/network/platform.h"

/* All that says which platform it is. */
typedef struct {
    const NetworkParams *params;
    const Configuration *configuration;
    const LinkChanges *changes;
    const Clock *clock; /* the network's */
} NetworkSettings;

/* What SimGrid is to load. */
typedef struct {
    char *file; /* of the user's; NULL: it is generated */
    char *text; /* of a generated one, or of the user's without links that are removed */
} NetworkPlatform;

/* An error: what cannot be laid out, no such file, a link that cannot be removed. */
bool network_platform_init(NetworkPlatform *platform, const NetworkSettings *settings,
                           const NetworkRoutes routes[NETWORKS], GError **error);
void network_platform_finish(NetworkPlatform *platform);

/* What is asked about it. */
PlatformQuestion network_platform_question(const NetworkPlatform *platform,
                                           const NetworkSettings *settings,
                                           const NetworkRoutes routes[NETWORKS]);

/* Notes which links its changes take; it has been answered. */
void network_platform_note(const PlatformQuestion *question);

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
NetworkGraph *network_graph_of(const NetworkSettings *settings, NetworkRoutes routes[NETWORKS],
                               GError **error);
