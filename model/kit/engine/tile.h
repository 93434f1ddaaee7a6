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
#include "kit/engine/unit.h"

enum { SECTIONS = 5 }; /* of a tile, at most */

typedef struct {
    Common *common;
    uint32_t number;
    uint32_t sections;
    Section section[SECTIONS];
    /* From one to another, and between groups of one: what is done at a time in the first is not
     * known in the second before so much later. */
    Time lookahead[SECTIONS][SECTIONS];
    uint64_t visits; /* of groups */
    BoundaryCursor crossing;
    Time executed_until; /* end of the last window */
    GPtrArray *units;    /* in build order */
    Outbox outbox;
    uint32_t coming; /* bundles on their way to it */
    Time coming_due; /* none of their parcels is due before */
    RegionShare share;
} Tile;

/* All of a run, and how long their windows are. */
typedef struct {
    Common *common;
    Tile **tile;
    uint32_t count;
    Time quantum;
    uint64_t windows; /* that were run, by any tile */
} Tiles;

void tiles_init(Tiles *tiles, Common *common, uint32_t count, Time quantum);
void tiles_finish(Tiles *tiles);

/* Where a unit is: the numbers of a tile's sections and of a section's groups are dense. */
typedef struct {
    uint32_t tile, section, group;
} Seat;

/* As many groups in each section; units come later. */
void tile_lay_out(Tile *tile, const uint32_t groups[SECTIONS]);

/* The unit is on this tile. */
void tile_add(Tile *tile, Unit *unit, const Seat *seat);

/* After all units: the channel leads from one group to another of the tile. */
void tile_join(Tile *tile, Channel *channel);

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
void tiles_stop_phases(Tiles *tiles, Time at);

/* A bundle leaves for the tile; it has come. */
void tile_expect(Tile *tile, Time due);
void tile_received(Tile *tile);

/* The tile has events, and whatever any other has to do, or is about to receive, comes after the
 * window before that of its next one: it need not wait for anybody to run its window. */
bool tiles_alone(const Tiles *tiles, const Tile *tile);

/* Nothing will happen any more: nothing is waited for, and nothing is on its way. */
bool tiles_idle(const Tiles *tiles);
