/* The line that says how far a run is: on a terminal while it runs, and whenever SIGUSR1 asks for
 * it. */
#pragma once

#include "platform/machine/machine.h"
#include "scenarios/program/run/variant.h"

typedef struct Progress Progress;

/* Registers itself with the machine's simulation. All three must outlive it. */
Progress *progress_new(const RunRequest *request, Machine *machine, const LaunchList *launches);
void progress_free(Progress *progress);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Progress, progress_free)

/* How much of the work is done, from 0 to 1. */
double progress_share(Progress *progress);

/* Safe from a signal handler: a line of its own at the next look. */
void progress_request_line(Progress *progress);

/* Takes the line away. */
void progress_end(Progress *progress);
