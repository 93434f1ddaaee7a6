/* Which points a process has still to run, and in which order. */
#pragma once

#include "scenarios/program/study/records/record_set.h"

/* Point i belongs to the shard if i modulo `count` is `index`. */
typedef struct {
    guint index, count;
} Shard;

/* "0/4"; the error says what is allowed. */
bool shard_parse(const char *text, Shard *shard, GError **error);

typedef struct PointQueue PointQueue;

/* The shard's points, each key once. Processes with different seeds begin at different places. The
 * manifest must outlive it. */
PointQueue *point_queue_new(const Manifest *manifest, Shard shard, guint32 seed);
void point_queue_free(PointQueue *queue);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PointQueue, point_queue_free)

/* Takes out what is recorded; what failed stays in if it is to be run again. */
void point_queue_drop(PointQueue *queue, const RecordSet *records, bool keep_failed);

/* Takes out the next point; false: there is none. */
bool point_queue_take(PointQueue *queue, guint *point);
guint point_queue_size(const PointQueue *queue);
