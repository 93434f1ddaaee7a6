#include "scenarios/program/study/table/database.h"

#include <math.h>
#include <string.h>

#include "kit/describe/output_file.h"
#include "scenarios/program/study/records/own_results.h"

static const char FILE_NAME[] = "study.sqlite";

/* Nobody else has the file while it is made, and nobody changes it afterwards: no locks, which a
 * network file system may not have. */
static const char NO_LOCKS[] = "unix-none";

char *database_path(const char *directory)
{
    return g_build_filename(directory, FILE_NAME, NULL);
}

/* --- merging ---------------------------------------------------------------------------------- */

static bool reject(const char *path, const char *reason, GError **error)
{
    g_set_error(error, STUDY_ERROR, 0, "%s: cannot be written: %s", path, reason);
    return false;
}

static bool execute(sqlite3 *database, const char *sql)
{
    return sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK;
}

/* One transaction without a journal: what fails is thrown away whole. */
static bool fill(sqlite3 *database, const MergedStudy *study, bool as_written, GError **error)
{
    return execute(database, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
                             "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536;"
                             "BEGIN")
           && database_fill(database, study, as_written, error) && execute(database, "COMMIT");
}

/* Makes and fills the database `name`; `path` is for messages. NULL with error. */
static sqlite3 *make_database(const char *name, const MergedStudy *study, const char *path,
                              bool as_written, GError **error)
{
    g_autoptr(sqlite3) database = NULL;
    GError *cause = NULL;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(name, &database, flags, NO_LOCKS) == SQLITE_OK
        && fill(database, study, as_written, &cause))
        return g_steal_pointer(&database);
    if (cause)
        g_propagate_error(error, cause);
    else
        reject(path, sqlite3_errmsg(database), error);
    return NULL;
}

/* The database under the name of a temporary file. */
static bool write_database(const char *temporary, const MergedStudy *study, const char *path,
                           GError **error)
{
    g_autoptr(sqlite3) database = make_database(temporary, study, path, false, error);
    return database != NULL;
}

static bool write_study(const MergedStudy *study, GError **error)
{
    int code = 0;
    g_autofree char *path = database_path(study->directory);
    g_autoptr(OutputFile) file = output_file_open(path, &code);
    if (!file) return reject(path, g_strerror(code), error);
    if (!write_database(output_file_place(file), study, path, error)) return false;
    code = output_file_finish(file);
    if (!code) code = output_file_publish(file);
    return !code || reject(path, g_strerror(code), error);
}

bool database_merge(const char *directory, MergeReport *report, GError **error)
{
    g_autoptr(MergedStudy) study = merged_study_read(directory, error);
    if (!study || !write_study(study, error)) return false;
    *report = study->report;
    return true;
}

/* --- opening ---------------------------------------------------------------------------------- */

static void reject_query(sqlite3 *database, GError **error)
{
    g_set_error(error, STUDY_ERROR, 0, "the study's database: %s", sqlite3_errmsg(database));
}

Query *database_query(sqlite3 *database, const char *sql, GError **error)
{
    Query *query = NULL;
    if (sqlite3_prepare_v2(database, sql, -1, &query, NULL) == SQLITE_OK) return query;
    reject_query(database, error);
    return NULL;
}

bool query_is_done(Query *query, GError **error)
{
    sqlite3 *database = sqlite3_db_handle(query);
    if (sqlite3_errcode(database) == SQLITE_DONE) return true;
    reject_query(database, error);
    return false;
}

const char *query_text(Query *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);
    return text ? text : "";
}

double query_number(Query *row, int column)
{
    const int type = sqlite3_column_type(row, column);
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT ? sqlite3_column_double(row, column)
                                                          : NAN;
}

/* NULL with error. */
static sqlite3 *open_for_reading(const char *path, GError **error)
{
    g_autoptr(sqlite3) database = NULL;
    if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NO_LOCKS)
        == SQLITE_OK)
        return g_steal_pointer(&database);
    g_set_error(error, STUDY_ERROR, 0, "%s: cannot be read: %s", path, sqlite3_errmsg(database));
    return NULL;
}

/* What the query's only column has in its first row, newly allocated; NULL: nothing. */
static char *look_up(sqlite3 *database, const char *sql)
{
    g_autoptr(Query) query = database_query(database, sql, NULL);
    if (!query || sqlite3_step(query) != SQLITE_ROW) return NULL;
    return g_strdup((const char *)sqlite3_column_text(query, 0));
}

static bool has_schema(sqlite3 *database)
{
    g_autofree char *version = look_up(database, "PRAGMA user_version");
    return version && g_ascii_strtoull(version, NULL, 10) == DATABASE_SCHEMA_VERSION;
}

static bool has_manifest(sqlite3 *database, const char *directory)
{
    g_autofree char *known = look_up(database, "SELECT value FROM study WHERE name = 'manifest'");
    g_autofree char *now = manifest_identity(directory);
    return known && now && !strcmp(known, now);
}

static bool has_own_results(sqlite3 *database, const char *directory)
{
    g_autofree char *known =
        look_up(database, "SELECT value FROM study WHERE name = 'own_results'");
    g_autofree char *now = own_results_identity(directory);
    return !strcmp(known ? known : "", now);
}

/* A segment only grows, so its size says whether it has been read to its end. */
static bool has_segments(sqlite3 *database, const char *directory)
{
    g_autoptr(GPtrArray) now = segment_list(directory, NULL, NULL);
    g_autoptr(Query) query =
        database_query(database, "SELECT name, bytes FROM segments ORDER BY name", NULL);
    if (!now || !query) return false;
    for (guint i = 0; i < now->len; i++) {
        const char *path = ((const SegmentPosition *)now->pdata[i])->path;
        if (sqlite3_step(query) != SQLITE_ROW) return false;
        if (strcmp(query_text(query, 0), segment_basename(path)) != 0) return false;
        if (sqlite3_column_int64(query, 1) != segment_size(path)) return false;
    }
    return sqlite3_step(query) == SQLITE_DONE;
}

static bool is_current(const char *path, const char *directory)
{
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) return false;
    g_autoptr(sqlite3) database = open_for_reading(path, NULL);
    return database && has_schema(database) && has_manifest(database, directory)
           && has_own_results(database, directory) && has_segments(database, directory);
}

/* Where the study's folder cannot be written, or has no room. */
static sqlite3 *merge_in_memory(const MergedStudy *study, const char *path, GError **error)
{
    sqlite3 *database = make_database(":memory:", study, path, false, error);
    if (database) execute(database, "PRAGMA query_only = ON");
    return database;
}

sqlite3 *database_open(const char *directory, GError **error)
{
    g_autofree char *path = database_path(directory);
    if (is_current(path, directory)) return open_for_reading(path, error);
    g_autoptr(MergedStudy) study = merged_study_read(directory, error);
    if (!study) return NULL;
    return write_study(study, NULL) ? open_for_reading(path, error)
                                    : merge_in_memory(study, path, error);
}

sqlite3 *database_open_as_written(const char *directory, GError **error)
{
    g_autoptr(MergedStudy) study = merged_study_read(directory, error);
    return study ? make_database("", study, directory, true, error) : NULL;
}
