/* `[link NAME]`: what is to be otherwise with links of a SimGrid platform. SimGrid is told before
 * anybody asks it: a link's bandwidth and latency when it has loaded the platform, and a link that
 * is removed stands not in what it loads. */
#pragma once

#include "kit/describe/configuration.h"
#include "kit/gpu/network.h"

typedef struct {
    double bandwidth_scale;
    uint64_t added_latency; /* fs */
    bool removed;
} LinkFigures;

extern const ParamGroup link_group;

/* One group. */
typedef struct {
    char *pattern; /* of names of SimGrid's */
    char *said;    /* "FILE:LINE: link NAME.KEY = VALUE", for messages */
    LinkFigures figures;
    bool beside;      /* it takes a link beside the networks, between halves of L2 */
    GPtrArray *taken; /* names of the links that it takes, of those on the ways of packets */
} LinkChange;

typedef struct {
    LinkChange *change;
    uint32_t count;
    GHashTable *gone; /* names of the links that a text has been written without (without.h) */
} LinkChanges;

/* All groups of a configuration, in its order. `changes` is zeroed. */
bool link_changes_init(LinkChanges *changes, const Configuration *configuration, GError **error);
void link_changes_finish(LinkChanges *changes);

/* Notes a link on the way of packets, for link_change_describe. */
void link_changes_note(const LinkChanges *changes, const char *name);
/* "link NAME takes 12 links: a, b, ...", newly allocated. */
char *link_change_describe(const LinkChange *change);
/* The first that removes the link of this name, or any; NULL: none. */
const LinkChange *link_changes_removal(const LinkChanges *changes, const char *name);

/* What answers of SimGrid's depend on; newly allocated, without `said`. */
char *link_changes_key(const LinkChanges *changes);

/* Tells SimGrid, which has loaded the platform. An error: no link has such a name, or it cannot be
 * removed. */
bool link_changes_tell(const LinkChanges *changes, GError **error);

/* The same with the links that a crossbar's platform is going to have. */
bool link_changes_tell_star(const LinkChanges *changes, NetworkRoutes routes[NETWORKS],
                            GError **error);

/* A link that is going to stand beside the networks, and SimGrid's once it does. An error: it
 * cannot be removed. */
bool link_changes_expect(LinkChanges *changes, const char *name, GError **error);
void link_changes_tell_link(const LinkChanges *changes, const char *name);

/* An error that says where the group stands; nobody has to say more. */
#define LINK_ERROR (g_quark_from_static_string("warpmem-link"))
