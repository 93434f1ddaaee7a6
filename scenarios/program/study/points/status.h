/* How far a study is: what is recorded of its points. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdio.h>

#include "scenarios/program/study/points/queue.h"

/* Points that ended with the same message. */
typedef struct {
    const char *message; /* the record's */
    PointStatus status;
    guint count;
    guint point; /* the first of them */
} FailureGroup;

typedef struct {
    guint points;
    guint by_status[POINT_STATUS_COUNT];
    guint failed, missing; /* failed: recorded with another status than done */
    GPtrArray *failures;   /* of FailureGroup, in the order of their first points */
} StudyStatus;

/* Of a shard's points. Refers to the records. */
StudyStatus study_status(const Manifest *manifest, const RecordSet *records, Shard shard);
void study_status_clear(StudyStatus *status);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(StudyStatus, study_status_clear)

/* "point 17 (l1.ways = 4, workload.loads = 100)"; newly allocated. */
char *study_describe_point(const Manifest *manifest, guint point);

/* "timeout: over the time limit of 1 s", how often, and the first such point; at most `limit`
 * groups. */
void study_print_failures(const Manifest *manifest, const StudyStatus *status, guint limit,
                          FILE *out);

/* Members of the object being built: points, done, failed, missing, by_status, failures. */
void study_put_status(JsonBuilder *json, const Manifest *manifest, const StudyStatus *status);

/* "4 min 40 s"; newly allocated. */
char *study_describe_time(double seconds);
