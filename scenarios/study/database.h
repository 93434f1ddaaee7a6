/* The merged table of a study: DIRECTORY/study.sqlite, made from the manifest and all segments.
 *
 *   study(name TEXT PRIMARY KEY, value TEXT)       title, scenario, program, design, seed ...
 *   dimensions(position INTEGER PRIMARY KEY, name TEXT, unit TEXT, baseline TEXT,
 *              baseline_number REAL)
 *   points(point INTEGER PRIMARY KEY, key TEXT, variant TEXT, replication INTEGER, seed INTEGER,
 *          role TEXT, status TEXT, message TEXT)   status: as in segment.h, or "missing"
 *   parameters(point INTEGER, name TEXT, value TEXT, number REAL, PRIMARY KEY (point, name))
 *   results(point INTEGER PRIMARY KEY, COLUMN...)  of outcome.h, then the study's statistics;
 *                                                  a row for each point that is done
 *   result_columns(position INTEGER PRIMARY KEY, name TEXT, unit TEXT, better TEXT, summary TEXT)
 *   stages(point INTEGER, class TEXT, count INTEGER, latency INTEGER, STAGE INTEGER...,
 *          PRIMARY KEY (point, class))             sums in fs
 *   attempts(key TEXT, status TEXT, segment TEXT, line INTEGER, host TEXT, wall_s REAL,
 *            cpu_s REAL, peak_rss_bytes INTEGER)   every record; differs from run to run
 *
 * `number` is in the unit of `dimensions` (number.h); NULL where the value is no number. */
#pragma once

#include <sqlite3.h>

#include "scenarios/study/manifest.h"

typedef struct {
    guint points, done, failed, missing; /* failed: every status but done */
    guint torn, damaged;                 /* lines of segments that were left out */
} MergeReport;

/* Makes the database anew from the manifest and the segments; it appears complete or not at all.
 * Fails, naming both places, when one key has two payloads. */
bool database_merge(const char *directory, MergeReport *report, GError **error);

/* Opens the database for reading, merging first when a segment is newer. NULL with error. */
sqlite3 *database_open(const char *directory, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sqlite3, sqlite3_close)
