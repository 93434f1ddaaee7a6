/* What a run has to do with the world outside: it can be interrupted, and it says how far it is.
 * Both between windows only, when every tile is at a time of its own and no step is in progress. */
#pragma once

#include "kit/engine/common.h"

#include <signal.h>

/* Called at most a few times a second of host time, at window ends, with the simulated time. */
typedef void (*SimulationProgress)(void *user, Time now);

typedef struct {
    volatile sig_atomic_t interrupted; /* written by a signal handler */
    SimulationProgress progress;
    void *progress_user;
    gint64 progress_at; /* host time of the next progress call, us */
} Outside;

/* `windows`: how many the run has had. Ends a run that has come to TIME_LATEST. */
void outside_look(Outside *outside, Common *common, uint64_t windows);
