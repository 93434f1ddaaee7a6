/* A tile: the units that one SimGrid actor runs, as a conservative window loop. Within [start,
 * end) of a window it handles every event of its units; what goes to other tiles is collected
 * and leaves as one bundle a tile. */
#pragma once

#include "kit/engine/calendar.h"

typedef struct {
    Time due;
    uint64_t key;
    Unit *to;
    Message *message; /* NULL: a wake-up of a sender that waits for a credit */
} Parcel;

typedef struct Bundle {
    struct Bundle *next;
    Parcel *parcel;
    uint32_t count, room;
} Bundle;

struct Tile {
    Simulation *simulation;
    uint32_t number;
    Calendar calendar;
    Unit *current;       /* whose step is in progress */
    GPtrArray *units;    /* in build order */
    Time executed_until; /* end of the last window */
    Time boundary_at;    /* of the next boundary this tile has not crossed */
    guint boundary_next;
    Profile *profile;             /* of requests since the last measured kernel; NULL: none */
    Bundle **outbox;              /* by tile; NULL: nothing to send */
    uint32_t *dirty, dirty_count; /* tiles with an outbox */
};

Tile *tile_new(Simulation *simulation, uint32_t number, uint32_t tiles);
void tile_free(Tile *tile);

/* Handles every event before `end`. */
void tile_run_window(Tile *tile, Time end);

/* Crosses the boundaries that are still ahead, at the end of a run. */
void tile_cross_boundaries(Tile *tile, Time until);

/* A message or wake-up for a unit of this tile. */
void unit_receive(Unit *unit, Time due, uint64_t key, Message *message);
void unit_receive_wake(Unit *unit, Time at);

/* A credit that the unit sleeps on can be used at `at`. Unlike the unit's own wake-up it is not
 * replaced by an earlier one. */
void unit_receive_credit(Unit *unit, Time at);

/* For another tile: leaves with the window's bundle. */
void tile_post(Tile *tile, const Parcel *parcel);
