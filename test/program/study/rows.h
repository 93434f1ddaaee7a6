/* A study's database in memory, with rows as the tests want them (study/table/database.h). */
#pragma once

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/program/study/records/number.h"
#include "scenarios/program/study/table/study_data.h"

enum { STUDY_MOST = 8 };

typedef struct {
    sqlite3 *database;
    const char *dimensions[STUDY_MOST + 1];
    guint points;
} StudyRows;

static inline void rows_execute(const StudyRows *rows, const char *sql)
{
    char *message = NULL;
    ck_assert_msg(sqlite3_exec(rows->database, sql, NULL, NULL, &message) == SQLITE_OK, "%s: %s",
                  sql, message);
}

G_GNUC_PRINTF(2, 3)
static inline void rows_do(const StudyRows *rows, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *sql = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    rows_execute(rows, sql);
}

/* `names` are of dimensions, NULL-terminated, each with its own value after "=". */
static inline StudyRows study_rows(const char *design, const char *const *names)
{
    StudyRows rows = {0};
    ck_assert_int_eq(sqlite3_open(":memory:", &rows.database), SQLITE_OK);
    rows_execute(&rows,
                 "CREATE TABLE study(name TEXT PRIMARY KEY, value TEXT);"
                 "CREATE TABLE dimensions(position INTEGER PRIMARY KEY, name TEXT, unit TEXT,"
                 " baseline TEXT, baseline_number REAL);"
                 "CREATE TABLE points(point INTEGER PRIMARY KEY, key TEXT, variant TEXT,"
                 " replication INTEGER, seed INTEGER, role TEXT, status TEXT, message TEXT);"
                 "CREATE TABLE parameters(point INTEGER, name TEXT, value TEXT, number REAL,"
                 " PRIMARY KEY (point, name));"
                 "CREATE TABLE results(point INTEGER PRIMARY KEY, time_ns REAL, requested_gbps "
                 "REAL, verdict TEXT);"
                 "CREATE TABLE result_columns(position INTEGER PRIMARY KEY, name TEXT, unit TEXT,"
                 " better TEXT, summary TEXT);"
                 "INSERT INTO result_columns VALUES (0, 'time_ns', 'ns', 'lower', 'time'),"
                 " (1, 'requested_gbps', 'GB/s', 'higher', 'bandwidth'),"
                 " (2, 'verdict', 'text', 'neither', 'what bound it')");
    rows_do(&rows, "INSERT INTO study VALUES ('title', 'A study'), ('design', '%s')", design);
    for (guint i = 0; names[i]; i++) {
        const char *own = strchr(names[i], '=');
        g_autofree char *name = g_strndup(names[i], (gsize)(own - names[i]));
        rows.dimensions[i] = g_intern_string(name);
        rows_do(&rows, "INSERT INTO dimensions VALUES (%u, '%s', '', '%s', NULL)", i, name,
                own + 1);
    }
    return rows;
}

static inline void study_rows_finish(StudyRows *rows)
{
    sqlite3_close(rows->database);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(StudyRows, study_rows_finish)

/* A point of whatever status; `values` are divided by spaces, one a dimension. */
typedef struct {
    const char *values, *role, *status;
    guint replication;
} RowPoint;

static inline guint rows_add(StudyRows *rows, const RowPoint *point)
{
    const guint number = rows->points++;
    g_auto(GStrv) values = g_strsplit(point->values, " ", -1);
    rows_do(rows, "INSERT INTO points VALUES (%u, 'k%u', 'baseline', %u, 1, '%s', '%s', '')",
            number, number, point->replication, point->role ? point->role : "",
            point->status ? point->status : "done");
    for (guint i = 0; values[i]; i++) {
        double value;
        if (number_read(values[i], &value, NULL))
            rows_do(rows, "INSERT INTO parameters VALUES (%u, '%s', '%s', %.17g)", number,
                    rows->dimensions[i], values[i], value);
        else
            rows_do(rows, "INSERT INTO parameters VALUES (%u, '%s', '%s', NULL)", number,
                    rows->dimensions[i], values[i]);
    }
    return number;
}

/* A point that is done, with both of its results; NaN: it has none. */
static inline void rows_done(StudyRows *rows, RowPoint point, double time, double bandwidth)
{
    const guint number = rows_add(rows, &point);
    rows_do(rows, "INSERT INTO results VALUES (%u, NULL, NULL, 'DRAM')", number);
    if (!isnan(time))
        rows_do(rows, "UPDATE results SET time_ns = %.17g WHERE point = %u", time, number);
    if (!isnan(bandwidth))
        rows_do(rows, "UPDATE results SET requested_gbps = %.17g WHERE point = %u", bandwidth,
                number);
}

static inline StudyData *rows_read(const StudyRows *rows)
{
    GError *error = NULL;
    StudyData *data = study_data_read(rows->database, &error);
    ck_assert_msg(data != NULL, "%s", error ? error->message : "");
    return data;
}
