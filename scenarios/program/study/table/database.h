/* The merged table of a study: DIRECTORY/study.sqlite, made from the manifest and all segments.
 *
 *   study(name TEXT PRIMARY KEY, value TEXT)       title, scenario, program, build, design, seed,
 *                                                  replications, manifest, own_results
 *   dimensions(position INTEGER PRIMARY KEY, name TEXT, unit TEXT, baseline TEXT,
 *              baseline_number REAL)
 *   points(point INTEGER PRIMARY KEY, key TEXT, variant TEXT, replication INTEGER, seed INTEGER,
 *          role TEXT, status TEXT, message TEXT)   status: as in segment.h, or "missing"
 *   parameters(point INTEGER, name TEXT, value TEXT, number REAL, PRIMARY KEY (point, name))
 *   results(point INTEGER PRIMARY KEY, COLUMN...)  of outcome.h, the study's statistics, its own;
 *                                                  REAL, or TEXT where the unit is "text";
 *                                                  a row for each point that is done
 *   result_columns(position INTEGER PRIMARY KEY, name TEXT, unit TEXT, better TEXT, summary TEXT)
 *                                                  better: "lower", "higher", "neither"
 *   stages(point INTEGER, class TEXT, count INTEGER, latency INTEGER, STAGE INTEGER...,
 *          PRIMARY KEY (point, class))             sums in fs
 *   attempts(key TEXT, status TEXT, segment TEXT, line INTEGER, host TEXT, wall_s REAL,
 *            cpu_s REAL, peak_rss_bytes INTEGER)   every record; differs from run to run
 *   segments(name TEXT PRIMARY KEY, bytes INTEGER, records INTEGER, damaged INTEGER,
 *            torn INTEGER)                         what was read; differs from run to run
 *
 * and views of them:
 *
 *   runs(point, key, variant, replication, status, DIMENSION..., COLUMN...)
 *                                                  a row a point; a dimension's number, else its
 *                                                  text
 *   stage_sums(point, class, stage, fs)            `stages` with a row a stage
 *
 * `number` is in the unit of `dimensions` (number.h); NULL where the value is no number, or one of
 * another unit. Points and positions count from 0. */
#pragma once

#include <sqlite3.h>

#include "scenarios/program/study/table/merged.h"

/* PRAGMA user_version; a database of another one is made anew. */
enum { DATABASE_SCHEMA_VERSION = 1 };

/* Makes the database anew from the manifest and the segments; it appears complete or not at all.
 * Fails, naming both places, when one key has two payloads. */
bool database_merge(const char *directory, MergeReport *report, GError **error);

/* Opens the database for reading, merging first when it is not of the segments and the manifest
 * that are there now; in memory, where it cannot be written. NULL with error. */
sqlite3 *database_open(const char *directory, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sqlite3, sqlite3_close)

/* A database of its own in which numbers of results are blobs, as the runs wrote them; it is in no
 * file that has a name. NULL with error. */
sqlite3 *database_open_as_written(const char *directory, GError **error);

/* A query that is prepared, and steps to its rows with sqlite3_step; NULL with error. */
typedef struct sqlite3_stmt Query;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Query, sqlite3_finalize)
Query *database_query(sqlite3 *database, const char *sql, GError **error);
/* Behind the last row: false with error when that was not the end. */
bool query_is_done(Query *query, GError **error);
/* Of a row: "" and NaN where there is none. */
const char *query_text(Query *row, int column);
double query_number(Query *row, int column);

/* DIRECTORY/study.sqlite, newly allocated. */
char *database_path(const char *directory);

/* Makes the tables and views; `results` is of ResultColumn. False: SQLite knows why. */
bool database_create(sqlite3 *database, const Manifest *manifest, const GArray *results,
                     bool as_written);

/* Makes and fills all tables of an empty database. False when one row could not be written: SQLite
 * knows why (sqlite3_errmsg), or `error` says what is wrong with the study. */
bool database_fill(sqlite3 *database, const MergedStudy *study, bool as_written, GError **error);
