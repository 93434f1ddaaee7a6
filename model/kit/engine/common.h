/* What all units of a run have in common and may change: where messages come from, which boundaries
 * are announced, what is kept, and that the run has to stop. None of it says how units are grouped,
 * nor can one unit learn of another through it. All actors are on one thread, and a step is never
 * interrupted; where a tile has threads, they have pools and shares of their own, and boundaries
 * are announced by units that have no other beside them. So only stopping is locked. */
#pragma once

#include "kit/engine/boundaries.h"
#include "kit/engine/outbox.h"
#include "kit/gpu/message.h"
#include "kit/observe/region.h"

typedef enum {
    RUN_FINISHED,
    RUN_DEADLOCK,    /* work left, nothing can move: status 1 */
    RUN_FAILED,      /* a broken invariant: status 1 */
    RUN_BAD_INPUT,   /* a trace broke in mid-run: status 2 */
    RUN_INTERRUPTED, /* SIGINT: stopped at a window, results are partial: status 130 */
} RunOutcome;

typedef struct Common {
    _Atomic bool stop; /* tiles look at it before every visit of a group */
    GMutex stopping;
    Time now; /* time of the last step; the units' common past */
    RunOutcome outcome;
    GError *error;
    Pools pools;
    BundleStore bundles;
    Boundaries boundaries;
    Region region;
    struct Flow *flow; /* flow.h's; NULL: nothing is carried by SimGrid itself */
} Common;

void common_init(Common *common);
void common_finish(Common *common);

/* What was first said stays: all that follows may be its consequence. `error` is taken over. Of
 * threads any may say it. */
void common_stop(Common *common, RunOutcome outcome, GError *error);
