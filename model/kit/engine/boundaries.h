/* The boundaries of a run, as they are announced, and how far each tile has come.
 *
 * A boundary is no message: units of all tiles handle it at its time without having been sent
 * anything. That is exact because it is announced ahead of its time by the boundary delay at least,
 * and that delay is part of the lookahead: no tile's window has reached the boundary's time when it
 * is announced, so each finds it in the list before it comes there. */
#pragma once

#include "kit/gpu/boundary.h"
#include "kit/observe/phases.h"

/* A tile's. */
typedef struct {
    Time at;    /* of the next boundary that it has not crossed; TIME_NEVER: none is announced */
    guint next; /* its number */
} BoundaryCursor;

typedef struct {
    GArray *announced;   /* of Boundary, in order of time */
    GPtrArray *cursors;  /* of BoundaryCursor, borrowed */
    Time delay;          /* smallest between an announcement and its boundary */
    bool measured;       /* a measured kernel's start has been announced */
    guint measured_left; /* measured kernels whose end is to come; 0: that is not known */
    Phases *phases;      /* NULL: they are not told apart */
} Boundaries;

void boundaries_init(Boundaries *boundaries);
void boundaries_finish(Boundaries *boundaries);

/* The cursor hears of all that is announced from now on. */
void boundaries_follow(Boundaries *boundaries, BoundaryCursor *cursor);

/* Announced at `now`, in order of time. */
void boundaries_announce(Boundaries *boundaries, const Boundary *boundary, Time now);

/* The boundary that comes next by `until`, which is crossed with this; false: there is none. */
bool boundaries_cross(const Boundaries *boundaries, BoundaryCursor *cursor, Time until,
                      Boundary *boundary);

/* Of the last one; 0: there has been none. */
Time boundaries_end(const Boundaries *boundaries);
