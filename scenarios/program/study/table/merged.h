/* What is known of a study's points: its manifest and all records of its segments, with the best
 * record of each key. In memory; the database and the exports are made from it. */
#pragma once

#include "scenarios/program/study/records/outcome.h"
#include "scenarios/program/study/records/segment.h"

typedef struct {
    guint points, done, failed, missing; /* failed: every status but done */
    guint torn, damaged;                 /* lines of segments that were left out */
} MergeReport;

/* Of a record that was merged. */
typedef struct {
    guint segment; /* in `segments` */
    guint line;
    guint outcome; /* in `outcomes` */
    PointStatus status;
    RecordHost host; /* its name is the study's */
} Attempt;

/* Of the points with one key. */
typedef struct {
    guint point;   /* the first of them */
    guint attempt; /* whose it is, in `attempts` */
    PointStatus status;
    char *payload; /* NULL: there is no record */
} PointOutcome;

typedef struct {
    char *path;
    const char *name; /* of the file, without its folder */
    gint64 size;      /* of the file in bytes, before it was read */
    guint records, damaged;
    bool torn;
} SegmentSummary;

typedef struct {
    char *directory;
    Manifest *manifest;
    GArray *segments;      /* of SegmentSummary, in order of their names */
    GArray *attempts;      /* of Attempt, in order of segments and lines */
    GArray *outcomes;      /* of PointOutcome */
    guint *point_outcomes; /* of each point, the position in `outcomes` */
    GStringChunk *texts;
    MergeReport report;
} MergedStudy;

/* NULL with error: no manifest, a segment of another plan, or two records that say that one point
 * can end in two ways; the error names both places and what differs. */
MergedStudy *merged_study_read(const char *directory, GError **error);
void merged_study_free(MergedStudy *study);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MergedStudy, merged_study_free)

/* Of a point, by its position. */
const PointOutcome *merged_study_outcome(const MergedStudy *study, guint point);
bool point_outcome_is_done(const PointOutcome *outcome);
/* "done" ... or "missing". */
const char *point_outcome_status(const PointOutcome *outcome);
/* Why the point is not done; NULL: it is done or missing. */
const char *point_outcome_message(const PointOutcome *outcome);
/* Takes apart the payload of an outcome that is done. */
bool merged_study_parse(const MergedStudy *study, const PointOutcome *outcome,
                        ParsedOutcome *parsed, GError **error);

/* What the requests of a class took together, fs: the stages' sum. */
guint64 outcome_latency(const OutcomeStages *stages);

/* Columns of results: those of every study, then the manifest's statistics. */
guint merged_study_columns(const Manifest *manifest);

/* The name without the folder, in the path. */
const char *segment_basename(const char *path);
/* A segment's size on disk, -1 when it is not there. */
gint64 segment_size(const char *path);
