/* What SimGrid says of a platform: the links of the route between each source and each destination
 * of both networks. */
#pragma once

#include <glib.h>

#include "platform/network/links/changes.h"

/* Which platform, and what its hosts are called: `sm0`, `slice0` in a file of the user's, where
 * both networks share them; `request-source-0`, `request-destination-0`, `reply-source-0`,
 * `reply-destination-0` in a generated one. */
typedef struct {
    const char *file; /* NULL: generated */
    const char *text; /* of a generated one; of a file's if it is not to be as it stands there */
    uint32_t sms, slices;
    const LinkChanges *changes; /* SimGrid is told of; NULL: none */
} PlatformQuestion;

typedef struct {
    char *name;
    NetworkLink link;
} PlatformLink;

typedef struct {
    PlatformLink *link;
    uint32_t links;
    /* by source x destinations + destination, and one more: where its links begin in `hop` */
    uint32_t *first[NETWORKS];
    uint32_t *hop[NETWORKS];
} PlatformRoutes;

/* Asked in a process of its own: SimGrid ends the one in which it finds a mistake, some zones
 * answer only once an actor runs, and a process can load one platform only, while units are wired
 * and checked before that. Asked once a process for each platform, and never to be freed. NULL with
 * an error that names the file, and the line or the hosts. */
const PlatformRoutes *platform_routes_ask(const PlatformQuestion *question, GError **error);

/* The text of a file of the user's. */
bool platform_read(const char *file, char **text, GError **error);

uint32_t platform_sources(const PlatformQuestion *question, NetworkRole role);
uint32_t platform_destinations(const PlatformQuestion *question, NetworkRole role);

#define GENERATED_PLATFORM "the generated platform"

/* A host's name, newly allocated; and the platform's, for messages. */
char *platform_host(const PlatformQuestion *question, NetworkRole role, bool source, uint32_t i);
const char *platform_name(const PlatformQuestion *question);
