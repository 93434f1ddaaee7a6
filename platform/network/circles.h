/* Deadlock: packets wait for buffers, and a buffer of link a waits for one of link b if some route
 * goes from a to b. Where these dependencies have a circle, all of its buffers may be full of
 * packets for the next one (Dally and Seitz 1987). */
#pragma once

#include <glib.h>
#include <stdint.h>

/* Routes as lists of links. */
typedef struct {
    const uint32_t *first; /* of each route, and one more, in `hop` */
    const uint32_t *hop;
    uint32_t routes, links;
} LinkRoutes;

/* Breaks all circles: a depth-first search marks the dependencies that close one as datelines, and
 * on its way a packet's channel is the number of them it has crossed, written into `channel` for
 * each hop. A channel's dependencies have no circle then, and nothing leads back to a lower one.
 * Returns how many channels the worst route needs; links of a circle go into `circle`, in order. */
uint32_t circles_break(const LinkRoutes *routes, uint8_t *channel, GArray *circle);
