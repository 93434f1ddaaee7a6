/* Messages that SimGrid carries itself: each is one SimGrid communication from a host to another,
 * and SimGrid's solver decides when it ends. All units are on one tile then, without windows: what
 * is due at a time is handled when SimGrid's clock has got there. */
#pragma once

#include "kit/engine/simgrid/outside.h"
#include "kit/engine/tile.h"

typedef struct Flow Flow;

/* `concurrency`: communications that a link carries at once, 0: any number share its bandwidth. */
Flow *flow_new(Common *common, uint32_t concurrency);
void flow_free(Flow *flow);

/* A host of the platform by name, for the calls below; it is looked for when the run begins. */
uint32_t flow_add_host(Flow *flow, const char *name);

/* As SimGrid wants to have it; -1: no limit. */
int flow_concurrency(const Flow *flow);

/* A lane: messages that leave one host for an input of `unit` that no channel feeds. At most
 * `limit` (0: all) are under way at once, the others follow in order, each as soon as SimGrid has
 * carried one before it. Called in setup. */
uint32_t unit_add_lane(Unit *unit, const Port *arrivals, uint32_t host, uint32_t limit);

typedef struct {
    Message *message;
    uint32_t lane;
    uint32_t to;  /* host */
    double bytes; /* what SimGrid carries */
    Time further; /* what the way takes besides */
} Carriage;

/* Leaves at the time of the unit's step. It ends at the picosecond nearest to what SimGrid says
 * and is due in the lane's port at the unit's next clock edge, `further` later. Of messages that
 * are due together those of the first port come first, and of one port those sent first. */
void unit_carry(Unit *unit, const Carriage *carriage);

/* Runs the one tile along SimGrid's clock. */
bool flow_run(Flow *flow, Tiles *tiles, Outside *outside, GError **error);
