/* Processes that simulate points, a few at a time. A point that crashes or grows takes nothing else
 * with it; small points that need the same SimGrid platform follow each other in a process. */
#pragma once

#include <signal.h>

#include "scenarios/program/study/points/worker.h"

typedef struct {
    const Manifest *manifest;
    PointFunction simulate;
    guint processes;
    PointLimits limits; /* of a point; resident memory is looked at ten times a second */
    bool keep_results;  /* points hand over result.json and host.json too */
} PoolSettings;

/* A point that has ended. */
typedef struct {
    guint point;
    WorkerEnd end;
} PoolEnd;

typedef struct Pool Pool;

/* Fails when the system does not allow so many processes their descriptors. */
Pool *pool_new(const PoolSettings *settings, GError **error);
/* Processes that run are killed. */
void pool_free(Pool *pool);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Pool, pool_free)

guint pool_running(const Pool *pool);
bool pool_is_full(const Pool *pool);

/* The pool is not full. */
bool pool_start(Pool *pool, guint point, GError **error);

/* Waits until a point ends, a signal comes that `mask` lets through, or `until` (monotonic time;
 * G_MAXINT64: never) has passed. Appends to `ends`, a GArray of PoolEnd, what has ended. */
void pool_wait(Pool *pool, gint64 until, const sigset_t *mask, GArray *ends);
