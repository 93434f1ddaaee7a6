#include "scenarios/program/study/table/export.h"

#include <string.h>

#include "kit/describe/decimal.h"
#include "kit/describe/stage.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/study/dimensions/where_sql.h"
#include "scenarios/program/study/table/database.h"

static const char POINT_COLUMNS[] =
    "point, key, variant, replication, CAST(printf('%u', seed) AS BLOB) AS seed, role, status, "
    "message";

/* --- queries ---------------------------------------------------------------------------------- */

/* Adds what `sql` says for each row of `list`, which takes the place of its %s: SQL in SQL. */
static bool append_each(sqlite3 *database, const char *list, GString *sql, int *count,
                        GError **error)
{
    g_autoptr(Query) names = database_query(database, list, error);
    if (!names) return false;
    for (; sqlite3_step(names) == SQLITE_ROW; ++*count)
        g_string_append_printf(sql, ", %s", query_text(names, 0));
    return query_is_done(names, error);
}

/* SQL that makes SQL of a dimension's name; the column's name follows. */
#define VALUE                                                                                      \
    "printf('(SELECT value FROM parameters WHERE point = points.point AND name = %Q)"              \
    " AS \"%w\"', name, "
#define NUMBER                                                                                     \
    "printf('(SELECT number FROM parameters WHERE point = points.point AND name = %Q)"             \
    " AS \"%w\"', name, "

static const char VALUES[] = "SELECT " VALUE "name) FROM dimensions ORDER BY position";
static const char NUMBERS[] = "SELECT " NUMBER "name) FROM dimensions ORDER BY position";

/* "96 KiB", "75 %" have a column of their own as numbers; "16" and "back" do not. */
static const char CSV_VALUES[] =
    "SELECT " VALUE "name) || CASE WHEN EXISTS"
    " (SELECT 1 FROM parameters AS p WHERE p.name = dimensions.name AND number IS NOT NULL"
    " AND value GLOB '*[^-+.0-9eE]*') THEN ', ' || " NUMBER
    "name || ' [' || coalesce(nullif(unit, ''), '1') || ']') ELSE '' END"
    " FROM dimensions WHERE name <> 'variant' ORDER BY position";
static const char RESULTS[] =
    "SELECT printf('results.\"%w\"', name) FROM result_columns ORDER BY position";

/* --- CSV -------------------------------------------------------------------------------------- */

/* Numbers that stand as the run wrote them are blobs. */
static void put_number(GString *line, Query *row, int column)
{
    if (sqlite3_column_type(row, column) == SQLITE_FLOAT)
        decimal_append(line, sqlite3_column_double(row, column));
    else
        g_string_append_len(line, (const char *)sqlite3_column_blob(row, column),
                            sqlite3_column_bytes(row, column));
}

static void put_line(GString *line, FILE *out)
{
    g_string_append(line, "\r\n");
    fwrite(line->str, 1, line->len, out);
    g_string_truncate(line, 0);
}

static bool print_csv(sqlite3 *database, const char *sql, FILE *out, GError **error)
{
    g_autoptr(GString) line = g_string_new(NULL);
    g_autoptr(Query) row = database_query(database, sql, error);
    if (!row) return false;
    const int columns = sqlite3_column_count(row);
    for (int i = 0; i < columns; i++) {
        if (i) g_string_append_c(line, ',');
        text_append_csv(line, sqlite3_column_name(row, i));
    }
    put_line(line, out);
    for (; sqlite3_step(row) == SQLITE_ROW; put_line(line, out))
        for (int i = 0; i < columns; i++) {
            if (i) g_string_append_c(line, ',');
            if (sqlite3_column_type(row, i) == SQLITE_TEXT)
                text_append_csv(line, query_text(row, i));
            else
                put_number(line, row, i);
        }
    return query_is_done(row, error);
}

bool export_csv(sqlite3 *database, FILE *out, GError **error)
{
    g_autoptr(GString) sql = g_string_new("SELECT ");
    int count = 0;
    g_string_append(sql, POINT_COLUMNS);
    if (!append_each(database, CSV_VALUES, sql, &count, error)
        || !append_each(database, RESULTS, sql, &count, error))
        return false;
    g_string_append(sql, " FROM points LEFT JOIN results USING (point) ORDER BY point");
    return print_csv(database, sql->str, out, error);
}

bool export_stages_csv(sqlite3 *database, FILE *out, GError **error)
{
    g_autoptr(GString) sql = g_string_new("SELECT point, key, class, count, latency");
    for (unsigned i = 0; i < STAGE_COUNT; i++)
        g_string_append_printf(sql, ", %s", stage_name((Stage)i));
    g_string_append(sql, " FROM stages JOIN points USING (point) ORDER BY point, stages.rowid");
    return print_csv(database, sql->str, out, error);
}

/* --- JSON ------------------------------------------------------------------------------------- */

/* Columns of a row that make an object of their own. */
typedef struct {
    const char *name; /* NULL: members of the row itself */
    int count;
    bool if_done; /* else null */
} Group;

enum { STATUS_COLUMN = 6 };

static void put_name(GString *line, const char *name)
{
    if (line->len && line->str[line->len - 1] != '{') g_string_append(line, ", ");
    json_append_string(line, name);
    g_string_append(line, ": ");
}

static void put_member(GString *line, Query *row, int column)
{
    const int type = sqlite3_column_type(row, column);
    put_name(line, sqlite3_column_name(row, column));
    if (type == SQLITE_TEXT)
        json_append_string(line, query_text(row, column));
    else if (type == SQLITE_NULL)
        g_string_append(line, "null");
    else
        put_number(line, row, column);
}

static bool is_done(Query *row)
{
    return !strcmp(query_text(row, STATUS_COLUMN), "done");
}

/* The last group has no number of columns: all that are left belong to it. */
static void put_row(GString *line, Query *row, const Group *group)
{
    const int columns = sqlite3_column_count(row);
    g_string_append_c(line, '{');
    for (int column = 0; column < columns; group++) {
        const int end = group->count ? column + group->count : columns;
        const bool shown = !group->if_done || is_done(row);
        if (group->name) put_name(line, group->name);
        if (group->name) g_string_append(line, shown ? "{" : "null");
        for (; shown && column < end; column++) put_member(line, row, column);
        if (group->name && shown) g_string_append_c(line, '}');
        column = end;
    }
    g_string_append_c(line, '}');
}

/* `  "NAME": [`, an object a line, `  ]`. */
static bool print_list(sqlite3 *database, const char *name, const char *sql, const Group *groups,
                       FILE *out, GError **error)
{
    g_autoptr(GString) line = g_string_new(NULL);
    g_autoptr(Query) row = database_query(database, sql, error);
    if (!row) return false;
    fprintf(out, ",\n  \"%s\": [\n", name);
    int status = sqlite3_step(row);
    while (status == SQLITE_ROW) {
        g_string_truncate(line, 0);
        put_row(line, row, groups);
        status = sqlite3_step(row);
        fprintf(out, "    %s%s\n", line->str, status == SQLITE_ROW ? "," : "");
    }
    fputs("  ]", out);
    return query_is_done(row, error);
}

static bool print_study(sqlite3 *database, FILE *out, GError **error)
{
    static const char sql[] =
        "SELECT max(value) FILTER (WHERE name = 'title') AS title,"
        " max(value) FILTER (WHERE name = 'scenario') AS scenario,"
        " max(value) FILTER (WHERE name = 'program') AS program,"
        " max(value) FILTER (WHERE name = 'design') AS design,"
        " CAST(max(value) FILTER (WHERE name = 'seed') AS BLOB) AS seed,"
        " CAST(max(value) FILTER (WHERE name = 'replications') AS BLOB) AS replications FROM study";
    const Group all = {NULL, 0, false};
    g_autoptr(GString) line = g_string_new(NULL);
    g_autoptr(Query) row = database_query(database, sql, error);
    if (!row) return false;
    if (sqlite3_step(row) == SQLITE_ROW) put_row(line, row, &all);
    fprintf(out, "{\n  \"schema_version\": %d,\n  \"study\": %s", EXPORT_SCHEMA_VERSION, line->str);
    return true;
}

static bool print_stages(sqlite3 *database, FILE *out, GError **error)
{
    const Group all = {NULL, 0, false};
    g_autoptr(GString) sql = g_string_new(NULL);
    for (unsigned i = 0; i < STAGE_COUNT; i++)
        sql_append(sql, "%sSELECT %Q AS name, 'fs' AS unit, %Q AS summary", i ? " UNION ALL " : "",
                   stage_name((Stage)i), stage_summary((Stage)i));
    return print_list(database, "stages", sql->str, &all, out, error);
}

/* An object of objects, in the order of the record. */
static void append_stages(GString *sql)
{
    g_string_append(sql, ", CASE status WHEN 'done' THEN CAST((SELECT '{' || coalesce(group_concat("
                         "printf('\"%s\": {\"count\": %lld, \"latency\": %lld");
    for (unsigned i = 0; i < STAGE_COUNT; i++)
        g_string_append_printf(sql, ", \"%s\": %%lld", stage_name((Stage)i));
    g_string_append(sql, "}', class, count, latency");
    for (unsigned i = 0; i < STAGE_COUNT; i++)
        g_string_append_printf(sql, ", %s", stage_name((Stage)i));
    g_string_append(sql,
                    "), ', '), '') || '}' FROM (SELECT * FROM stages WHERE point = points.point"
                    " ORDER BY stages.rowid)) AS BLOB) END AS stages");
}

static bool print_points(sqlite3 *database, FILE *out, GError **error)
{
    g_autoptr(GString) sql = g_string_new("SELECT ");
    Group groups[] = {{NULL, 8, false},
                      {"parameters", 0, false},
                      {"numbers", 0, false},
                      {"results", 0, true},
                      {NULL, 0, false}};
    g_string_append(sql, POINT_COLUMNS);
    if (!append_each(database, VALUES, sql, &groups[1].count, error)
        || !append_each(database, NUMBERS, sql, &groups[2].count, error)
        || !append_each(database, RESULTS, sql, &groups[3].count, error))
        return false;
    append_stages(sql);
    g_string_append(sql, " FROM points LEFT JOIN results USING (point) ORDER BY point");
    return print_list(database, "points", sql->str, groups, out, error);
}

bool export_json(sqlite3 *database, FILE *out, GError **error)
{
    const Group all = {NULL, 0, false};
    const bool good = print_study(database, out, error)
                      && print_list(database, "dimensions",
                                    "SELECT name, unit, baseline, baseline_number FROM "
                                    "dimensions ORDER BY position",
                                    &all, out, error)
                      && print_list(database, "results",
                                    "SELECT name, unit, better, summary FROM result_columns "
                                    "ORDER BY position",
                                    &all, out, error)
                      && print_stages(database, out, error) && print_points(database, out, error);
    fputs("\n}\n", out);
    return good;
}
