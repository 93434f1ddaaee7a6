/* The signals of `run`: SIGINT, SIGTERM and SIGHUP end it with what it has so far, SIGUSR1 asks how
 * far it is. They may come at any time after signals_watch; what is early is remembered. One that
 * was ignored when the program started, as SIGINT is in background jobs, stays ignored. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "scenarios/program/run/progress.h"

void signals_watch(void);
bool signals_interrupted(void);

/* Children at a time. */
enum { SIGNALS_CHILDREN_MAX = 256 };

/* fork: from then on the parent hands its signals to the child, until signals_child_ended. */
pid_t signals_fork(void);
void signals_child_ended(pid_t child);

/* In the child: who is told; NULL and NULL: nobody any more. */
void signals_attach(Simulation *simulation, Progress *progress);
