/* One process that simulates points, one after the other, and what it hands over. */
#pragma once

#include <sys/types.h>

#include "scenarios/program/study/points/limits.h"
#include "scenarios/program/study/points/point.h"
#include "scenarios/program/study/records/segment.h"

/* Runs in the process; point_simulate, or a test's. */
typedef Status (*PointFunction)(const PointRequest *request, PointAnswer *answer);

/* How a point ended. */
typedef struct {
    PointStatus status;
    char *payload;
    char *result, *host; /* when they were asked for */
    RecordHost cost;
} WorkerEnd;
void worker_end_clear(WorkerEnd *end);

typedef struct Worker Worker;

/* NULL with error when the system has no descriptors left. */
Worker *worker_new(GError **error);
/* A process that runs is killed, and waited for. */
void worker_free(Worker *worker);

/* Forks, or hands the point to a process that is there. The caller must not have started SimGrid,
 * and have one thread. Requests of a worker differ in the point only, and what they point to stays
 * as it was at the first. */
bool worker_start(Worker *worker, PointFunction simulate, const PointRequest *request,
                  GError **error);
/* Ends its process, so that the next point has a new one. */
void worker_dismiss(Worker *worker);
/* It has a point. */
bool worker_runs(const Worker *worker);

/* Something is to be read when its point has ended; -1: it has none. */
int worker_descriptor(const Worker *worker);
/* When it was started, g_get_monotonic_time. */
gint64 worker_began(const Worker *worker);
/* Microseconds that do not count as its time. */
void worker_forgive(Worker *worker, gint64 time);
/* Resident memory; 0 when the process is gone. */
guint64 worker_memory(const Worker *worker);

/* Kills it; its point ends with this status and message. */
void worker_kill(Worker *worker, PointStatus status, const char *message);
bool worker_is_killed(const Worker *worker);

/* When its descriptor says so. False: the point has begun anew, in a process of its own. */
bool worker_finish(Worker *worker, WorkerEnd *end);
