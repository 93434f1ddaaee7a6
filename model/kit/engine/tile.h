/* A tile: the units that one SimGrid actor runs, as a conservative window loop. Within [start, end)
 * of a window it handles every event of its units without looking up; what goes to other tiles is
 * collected and leaves as one bundle a tile.
 *
 * A window is one quantum long, and the quantum is never longer than the lookahead: the smallest
 * delay and credit delay of the channels that cross tiles, and the boundary delay. Whatever another
 * tile does in the window that this one runs is therefore due in a later one: a tile that has not
 * heard of it cannot miss it, and the order in which tiles run a window changes nothing. */
#pragma once

#include "kit/engine/common.h"
#include "kit/engine/grouping/team.h"
#include "kit/engine/unit.h"

enum { SECTIONS = 5 }; /* of a tile, at most */

/* What runs groups of a tile: the tile's actor, or one of so many threads that it has. Groups that
 * are visited side by side write to nobody else's memory: what they send to others waits in the
 * strand's outbox until all have come to the end of their stretch. */
typedef struct {
    _Alignas(HOST_LINE) RegionShare share;
    Outbox outbox; /* by strand */
    BundleStore bundles;
    Pools pools;     /* of a thread's units */
    uint32_t units;  /* that it runs */
    uint32_t steps;  /* in this stretch */
    uint64_t visits; /* of groups */
    Time now;        /* of its last step */
} Strand;

/* Sections between which nothing goes: with threads they run at the same time. */
typedef struct {
    uint32_t first, next; /* the sections */
    uint32_t steps;       /* in their last stretch */
} Tier;

typedef struct {
    Common *common;
    uint32_t number;
    uint32_t sections, tiers;
    Section section[SECTIONS];
    Tier tier[SECTIONS];
    /* From one to another, and between groups of one, by the shortest way: what is done at a time
     * in the first is not known in the second before so much later. */
    Time lookahead[SECTIONS][SECTIONS];
    bool joined[SECTIONS][SECTIONS]; /* groups of the one exchange something with the other's */
    Strand *strand;
    uint32_t strands;
    Team *team;         /* NULL: one thread */
    uint64_t stretches; /* that threads ran side by side */
    BoundaryCursor crossing;
    Time executed_until; /* end of the last window */
    GPtrArray *units;    /* in build order; and those of them whose class */
    GPtrArray *settlers; /* ... counts what passes without an event, */
    GPtrArray *crossers; /* ... does something at boundaries */
    Outbox outbox;       /* by tile */
    uint32_t coming;     /* bundles on their way to it */
    Time coming_due;     /* none of their parcels is due before */
} Tile;

/* All of a run, and how long their windows are. */
typedef struct {
    Common *common;
    Tile **tile;
    uint32_t count;
    Time quantum;
    uint64_t windows; /* that were run, by any tile */
} Tiles;

/* When its next event is; TIME_NEVER: it has none. */
Time tile_next(const Tile *tile);

/* Handles every event before `end`. */
void tile_run_window(Tile *tile, Time end);

/* Crosses the boundaries that are still ahead, at the end of a run. */
void tile_cross_boundaries(Tile *tile, Time until);

/* A window begins: phases that have ended by then are completed, so that few are open at once,
 * however long a tile sleeps. */
void tiles_complete_phases(Tiles *tiles, Time window);

/* The run ends before its kernels do. */
void tiles_stop(Tiles *tiles, Time at);

/* A bundle leaves for the tile; it has come. */
void tile_expect(Tile *tile, Time due);
void tile_received(Tile *tile);

/* The tile has events, and whatever any other has to do, or is about to receive, comes after the
 * window before that of its next one: it need not wait for anybody to run its window. */
bool tiles_alone(const Tiles *tiles, const Tile *tile);

/* Nothing will happen any more: nothing is waited for, and nothing is on its way. */
bool tiles_idle(const Tiles *tiles);
