/* One process that simulates one point, and what it hands over. */
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

/* Forks. The caller must not have started SimGrid, and have one thread. */
bool worker_start(Worker *worker, PointFunction simulate, const PointRequest *request,
                  GError **error);
bool worker_runs(const Worker *worker);

/* Its other end closes when the process ends. */
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

/* Waits for a process that ends. */
WorkerEnd worker_finish(Worker *worker);

/* The first lines of what a process said that broke off, as one, without process numbers and
 * addresses, which differ from run to run; newly allocated, "" when nothing was said. */
char *complaint_clean(const char *text);
