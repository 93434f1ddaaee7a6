/* What is recorded of a study's points, from all its segments. Reading again reads only what was
 * added. */
#pragma once

#include "scenarios/program/study/records/segment.h"

/* The best record of a key: one that is done, else one that every run ends with, else any. */
typedef struct {
    char key[KEY_LENGTH + 1];
    PointStatus status;
    char *message; /* NULL: done */
} Recorded;

typedef struct {
    guint segments, records;
    guint torn, damaged; /* lines that are left out */
    double wall_s;       /* of all records */
    gint64 last_write;   /* of the newest segment, s of the epoch; 0: nothing is written */
    guint active;        /* segments that somebody writes to, as far as their age tells */
    double rate;         /* records a second of those */
} RecordTotals;

typedef struct RecordSet RecordSet;

/* Empty at first. The manifest must outlive it. */
RecordSet *record_set_new(const char *directory, const Manifest *manifest);
void record_set_free(RecordSet *set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RecordSet, record_set_free)

/* Reads what is new. Fails when a segment cannot be read or belongs to another manifest. */
bool record_set_update(RecordSet *set, GError **error);

/* A record that was appended by this process. It is harmless to read it again from its segment. */
void record_set_add(RecordSet *set, const Record *record);

/* NULL: nothing is recorded of the key. */
const Recorded *record_set_find(const RecordSet *set, const char *key);

/* `now` is in s of the epoch. */
RecordTotals record_set_totals(const RecordSet *set, gint64 now);
