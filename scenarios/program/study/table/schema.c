/* The tables of a study's database, empty. */
#include <string.h>

#include "scenarios/program/study/dimensions/where_sql.h"
#include "scenarios/program/study/table/columns.h"
#include "scenarios/program/study/table/database.h"

static const char schema[] =
    "CREATE TABLE study(name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
    "CREATE TABLE dimensions(position INTEGER PRIMARY KEY, name TEXT, unit TEXT, baseline TEXT,"
    " baseline_number REAL);"
    "CREATE TABLE points(point INTEGER PRIMARY KEY, key TEXT, variant TEXT, replication INTEGER,"
    " seed INTEGER, role TEXT, status TEXT, message TEXT);"
    "CREATE TABLE parameters(point INTEGER, name TEXT, value TEXT, number REAL,"
    " PRIMARY KEY (point, name)) WITHOUT ROWID;"
    "CREATE TABLE result_columns(position INTEGER PRIMARY KEY, name TEXT, unit TEXT, better TEXT,"
    " summary TEXT);"
    "CREATE TABLE attempts(key TEXT, status TEXT, segment TEXT, line INTEGER, host TEXT,"
    " wall_s REAL, cpu_s REAL, peak_rss_bytes INTEGER);"
    "CREATE TABLE segments(name TEXT PRIMARY KEY, bytes INTEGER, records INTEGER,"
    " damaged INTEGER, torn INTEGER) WITHOUT ROWID;";

static void append_results(GString *sql, const GArray *results, bool as_written)
{
    g_string_append(sql, "CREATE TABLE results(point INTEGER PRIMARY KEY");
    for (guint i = 0; i < results->len; i++) {
        const ResultColumn *column = &g_array_index(results, ResultColumn, i);
        sql_append(sql, ", \"%w\" %s", column->name,
                   result_column_is_text(column) ? "TEXT"
                   : as_written                  ? "BLOB"
                                                 : "REAL");
    }
    g_string_append(sql, ");");
}

/* A column for each dimension and result; points have their variant already. */
static void append_runs(GString *sql, const Manifest *manifest, const GArray *results)
{
    g_string_append(sql, "CREATE VIEW runs AS SELECT point, key, variant, replication, status");
    for (guint i = 0; i < manifest->dimensions->len; i++) {
        const char *name = ((const Dimension *)manifest->dimensions->pdata[i])->name;
        if (strcmp(name, "variant") != 0)
            sql_append(sql,
                       ", (SELECT coalesce(number, value) FROM parameters"
                       " WHERE point = points.point AND name = %Q) AS \"%w\"",
                       name, name);
    }
    for (guint i = 0; i < results->len; i++)
        sql_append(sql, ", results.\"%w\"", g_array_index(results, ResultColumn, i).name);
    g_string_append(sql, " FROM points LEFT JOIN results USING (point);");
}

static void append_stages(GString *sql)
{
    g_string_append(sql, "CREATE TABLE stages(point INTEGER, class TEXT, count INTEGER,"
                         " latency INTEGER");
    for (unsigned i = 0; i < STAGE_COUNT; i++)
        sql_append(sql, ", %s INTEGER", stage_name((Stage)i));
    g_string_append(sql, ", PRIMARY KEY (point, class)); CREATE VIEW stage_sums AS");
    for (unsigned i = 0; i < STAGE_COUNT; i++)
        sql_append(sql, "%s SELECT point, class, %Q AS stage, %s AS fs FROM stages",
                   i ? " UNION ALL" : "", stage_name((Stage)i), stage_name((Stage)i));
    g_string_append_c(sql, ';');
}

bool database_create(sqlite3 *database, const Manifest *manifest, const GArray *results,
                     bool as_written)
{
    g_autoptr(GString) sql = g_string_new(schema);
    append_results(sql, results, as_written);
    append_runs(sql, manifest, results);
    append_stages(sql);
    sql_append(sql, "PRAGMA user_version = %d;", DATABASE_SCHEMA_VERSION);
    return sqlite3_exec(database, sql->str, NULL, NULL, NULL) == SQLITE_OK;
}
