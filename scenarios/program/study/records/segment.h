/* Records of points that were run, in DIRECTORY/segments. Each process that runs points creates a
 * segment of its own and appends a line a point; nobody else writes to it. There are no locks, so
 * this works on a network file system, and a process may be killed at any time: a line that is not
 * complete, or whose CRC is wrong, is as if it had not been written.
 *
 *     CRC-32 KEY STATUS PAYLOAD HOST
 *
 * separated by tabs; the CRC (8 hexadecimal digits, of what follows it) covers the line. The first
 * line says which manifest the segment belongs to. What is in PAYLOAD is the same in every run of
 * the point; HOST is not. */
#pragma once

#include "scenarios/program/study/plan/manifest.h"

typedef enum {
    POINT_DONE,     /* the payload is the outcome's text (outcome.h) */
    POINT_REJECTED, /* bad input; from here on the payload is a message */
    POINT_FAILED,   /* deadlock, a broken invariant */
    POINT_TIMEOUT,  /* over the time limit; from here on another attempt may end otherwise */
    POINT_MEMORY,   /* over the memory limit */
    POINT_KILLED,   /* ended by a signal */
} PointStatus;

enum { POINT_STATUS_COUNT = POINT_KILLED + 1 };

/* "done", "rejected" ... */
const char *point_status_name(PointStatus status);
/* Every run of the point ends like this. */
bool point_status_is_final(PointStatus status);

/* What it cost, where. */
typedef struct {
    double wall_s, cpu_s;
    guint64 peak_rss_bytes;
    char *name; /* of the host */
} RecordHost;

typedef struct {
    char key[KEY_LENGTH + 1];
    PointStatus status;
    char *payload; /* one line of UTF-8 without tabs */
    RecordHost host;
} Record;

/* --- writing ---------------------------------------------------------------------------------- */

typedef struct SegmentWriter SegmentWriter;

/* A new file in DIRECTORY/segments, created exclusively; it appears with its first record.
 * `label` is a part of its name, in which letters, digits, '-' and '.' stay as they are. */
SegmentWriter *segment_create(const char *directory, const Manifest *manifest, const char *label,
                              GError **error);
/* In one write(2). What the record's texts hold of tabs and newlines becomes spaces, and what is
 * not UTF-8 a replacement character. */
bool segment_append(SegmentWriter *writer, const Record *record, GError **error);
/* Brings what was appended to the disk; an error also where the file has been removed. */
bool segment_sync(SegmentWriter *writer, GError **error);
const char *segment_name(const SegmentWriter *writer);
void segment_close(SegmentWriter *writer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SegmentWriter, segment_close)

/* --- reading ---------------------------------------------------------------------------------- */

/* How far a segment has been read. */
typedef struct {
    char *path;
    goffset offset; /* behind the last complete line */
    guint line;
    guint damaged; /* lines whose CRC is wrong */
    bool torn;     /* what follows `offset` is not a complete line (yet) */
} SegmentPosition;

/* Called for each record, in the order of the lines; the record is the reader's. False stops. */
typedef bool (*RecordVisitor)(void *user, const Record *record, const SegmentPosition *position);

/* Reads on from `position`. Fails when the file cannot be read or belongs to another manifest;
 * false without error: the visitor stopped. */
bool segment_read(SegmentPosition *position, const Manifest *manifest, RecordVisitor visit,
                  void *user, GError **error);

#define SEGMENT_SUFFIX ".segment"

/* DIRECTORY/segments, newly allocated. */
char *segment_folder(const char *directory);

/* The segments of a study in order of their names, of SegmentPosition; NULL with error when the
 * folder is there and cannot be read. `known` (may be NULL) are positions from before: they are
 * moved into the list, so that only what is new is read. Takes over `known`. */
GPtrArray *segment_list(const char *directory, GPtrArray *known, GError **error);
