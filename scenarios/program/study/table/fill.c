/* The rows of a study's database. */
#include <string.h>

#include "scenarios/program/study/records/number.h"
#include "scenarios/program/study/table/columns.h"
#include "scenarios/program/study/table/database.h"

/* An INSERT that is filled from the left and then stepped. */
typedef struct {
    sqlite3_stmt *statement;
    int next;
} Row;

static void row_finish(Row *row)
{
    sqlite3_finalize(row->statement);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Row, row_finish)

static Row row_new(sqlite3 *database, const char *table, guint columns)
{
    g_autoptr(GString) sql = g_string_new(NULL);
    g_string_printf(sql, "INSERT INTO %s VALUES (?", table);
    for (guint i = 1; i < columns; i++) g_string_append(sql, ", ?");
    g_string_append_c(sql, ')');
    Row row = {NULL, 1};
    sqlite3_prepare_v3(database, sql->str, -1, SQLITE_PREPARE_PERSISTENT, &row.statement, NULL);
    return row;
}

static void put_text(Row *row, const char *text)
{
    sqlite3_bind_text(row->statement, row->next++, text, -1, SQLITE_STATIC);
}

static void put_integer(Row *row, gint64 value)
{
    sqlite3_bind_int64(row->statement, row->next++, value);
}

static void put_real(Row *row, double value)
{
    sqlite3_bind_double(row->statement, row->next++, value);
}

static void put_null(Row *row)
{
    sqlite3_bind_null(row->statement, row->next++);
}

static bool put_end(Row *row)
{
    row->next = 1;
    const bool good = sqlite3_step(row->statement) == SQLITE_DONE;
    return sqlite3_reset(row->statement) == SQLITE_OK && good;
}

/* --- what the study is ------------------------------------------------------------------------ */

static bool add_pair(Row *row, const char *name, const char *value)
{
    put_text(row, name);
    put_text(row, value);
    return put_end(row);
}

static bool fill_study(sqlite3 *database, const Manifest *manifest)
{
    g_auto(Row) row = row_new(database, "study", 2);
    g_autofree char *seed = g_strdup_printf("%" G_GUINT64_FORMAT, manifest->seed);
    g_autofree char *replications = g_strdup_printf("%u", manifest->replications);
    return add_pair(&row, "title", manifest->title)
           && add_pair(&row, "scenario", manifest->scenario)
           && add_pair(&row, "program", manifest->program)
           && add_pair(&row, "build", manifest->build) && add_pair(&row, "design", manifest->design)
           && add_pair(&row, "seed", seed) && add_pair(&row, "replications", replications)
           && add_pair(&row, "manifest", manifest->identity);
}

static void put_number_of(Row *row, const char *text, const char *unit)
{
    double number;
    if (dimension_number(text, unit, &number))
        put_real(row, number);
    else
        put_null(row);
}

static bool fill_dimensions(sqlite3 *database, const Manifest *manifest,
                            const StudyColumns *columns)
{
    g_auto(Row) row = row_new(database, "dimensions", 5);
    bool good = true;
    for (guint i = 0; i < manifest->dimensions->len && good; i++) {
        const Dimension *dimension = manifest->dimensions->pdata[i];
        put_integer(&row, i);
        put_text(&row, dimension->name);
        put_text(&row, columns->units[i]);
        put_text(&row, dimension->baseline);
        put_number_of(&row, dimension->baseline, columns->units[i]);
        good = put_end(&row);
    }
    return good;
}

static bool fill_result_columns(sqlite3 *database, const StudyColumns *columns)
{
    g_auto(Row) row = row_new(database, "result_columns", 5);
    bool good = true;
    for (guint i = 0; i < columns->results->len && good; i++) {
        const ResultColumn *column = &g_array_index(columns->results, ResultColumn, i);
        put_integer(&row, i);
        put_text(&row, column->name);
        put_text(&row, column->unit);
        put_text(&row, better_name(column->better));
        put_text(&row, column->summary);
        good = put_end(&row);
    }
    return good;
}

static bool fill_segments(sqlite3 *database, const MergedStudy *study)
{
    g_auto(Row) row = row_new(database, "segments", 5);
    bool good = true;
    for (guint i = 0; i < study->segments->len && good; i++) {
        const SegmentSummary *segment = &g_array_index(study->segments, SegmentSummary, i);
        put_text(&row, segment->name);
        put_integer(&row, segment->size);
        put_integer(&row, segment->records);
        put_integer(&row, segment->damaged);
        put_integer(&row, segment->torn);
        good = put_end(&row);
    }
    return good;
}

static bool fill_attempts(sqlite3 *database, const MergedStudy *study)
{
    g_auto(Row) row = row_new(database, "attempts", 8);
    bool good = true;
    for (guint i = 0; i < study->attempts->len && good; i++) {
        const Attempt *attempt = &g_array_index(study->attempts, Attempt, i);
        const guint point = g_array_index(study->outcomes, PointOutcome, attempt->outcome).point;
        put_text(&row, ((const Point *)study->manifest->points->pdata[point])->key);
        put_text(&row, point_status_name(attempt->status));
        put_text(&row, g_array_index(study->segments, SegmentSummary, attempt->segment).name);
        put_integer(&row, attempt->line);
        put_text(&row, attempt->host.name);
        put_real(&row, attempt->host.wall_s);
        put_real(&row, attempt->host.cpu_s);
        put_integer(&row, (gint64)attempt->host.peak_rss_bytes);
        good = put_end(&row);
    }
    return good;
}

/* --- points ----------------------------------------------------------------------------------- */

/* The statements that a point's rows go through. */
typedef struct {
    const MergedStudy *study;
    const StudyColumns *columns;
    bool as_written;
    Row point, parameter, result, stage;
    ParsedOutcome parsed;
} Filler;

static void filler_finish(Filler *filler)
{
    row_finish(&filler->point);
    row_finish(&filler->parameter);
    row_finish(&filler->result);
    row_finish(&filler->stage);
    parsed_outcome_finish(&filler->parsed);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Filler, filler_finish)

static bool fill_point(Filler *filler, guint number)
{
    Row *row = &filler->point;
    const Manifest *manifest = filler->study->manifest;
    const Point *point = manifest->points->pdata[number];
    const PointOutcome *outcome = merged_study_outcome(filler->study, number);
    put_integer(row, number);
    put_text(row, point->key);
    put_text(row, ((const Base *)manifest->bases->pdata[point->base])->variant);
    put_integer(row, point->replication);
    put_integer(row, (gint64)point->seed);
    put_text(row, point->role ? point->role : "");
    put_text(row, point_outcome_status(outcome));
    put_text(row, point_outcome_message(outcome));
    return put_end(row);
}

static bool fill_parameters(Filler *filler, guint number)
{
    Row *row = &filler->parameter;
    const Manifest *manifest = filler->study->manifest;
    const Point *point = manifest->points->pdata[number];
    bool good = true;
    for (guint i = 0; i < manifest->dimensions->len && good; i++) {
        put_integer(row, number);
        put_text(row, ((const Dimension *)manifest->dimensions->pdata[i])->name);
        put_text(row, point->values[i]);
        put_number_of(row, point->values[i], filler->columns->units[i]);
        good = put_end(row);
    }
    return good;
}

/* A number as it is written is a blob, which SQLite leaves as it is. */
static void put_value(Row *row, const OutcomeValue *value, bool as_written)
{
    if (as_written && value->kind == OUTCOME_NUMBER) {
        sqlite3_bind_blob(row->statement, row->next++, value->text, (int)strlen(value->text),
                          SQLITE_STATIC);
        return;
    }
    switch (value->kind) {
    case OUTCOME_ABSENT: put_null(row); break;
    case OUTCOME_NUMBER: put_real(row, value->number); break;
    case OUTCOME_TEXT: put_text(row, value->text); break;
    }
}

static bool fill_result(Filler *filler, guint number)
{
    Row *row = &filler->result;
    put_integer(row, number);
    for (guint i = 0; i < filler->parsed.values->len; i++)
        put_value(row, &g_array_index(filler->parsed.values, OutcomeValue, i), filler->as_written);
    return put_end(row);
}

static bool fill_stages(Filler *filler, guint number)
{
    Row *row = &filler->stage;
    bool good = true;
    for (guint i = 0; i < filler->parsed.stages->len && good; i++) {
        const OutcomeStages *stages = &g_array_index(filler->parsed.stages, OutcomeStages, i);
        put_integer(row, number);
        put_text(row, stages->request_class);
        put_integer(row, (gint64)stages->count);
        put_integer(row, (gint64)outcome_latency(stages));
        for (unsigned s = 0; s < STAGE_COUNT; s++) put_integer(row, (gint64)stages->sums[s]);
        good = put_end(row);
    }
    return good;
}

static bool fill_outcome(Filler *filler, guint number, GError **error)
{
    const PointOutcome *outcome = merged_study_outcome(filler->study, number);
    if (!point_outcome_is_done(outcome)) return true;
    return merged_study_parse(filler->study, outcome, &filler->parsed, error)
           && fill_result(filler, number) && fill_stages(filler, number);
}

static bool fill_points(sqlite3 *database, const MergedStudy *study, const StudyColumns *columns,
                        bool as_written, GError **error)
{
    g_auto(Filler) filler = {
        .study = study,
        .columns = columns,
        .as_written = as_written,
        .point = row_new(database, "points", 8),
        .parameter = row_new(database, "parameters", 4),
        .result = row_new(database, "results", 1 + columns->results->len),
        .stage = row_new(database, "stages", 4 + STAGE_COUNT),
    };
    for (guint i = 0; i < study->manifest->points->len; i++)
        if (!fill_point(&filler, i) || !fill_parameters(&filler, i)
            || !fill_outcome(&filler, i, error))
            return false;
    return true;
}

bool database_fill(sqlite3 *database, const MergedStudy *study, bool as_written, GError **error)
{
    const Manifest *manifest = study->manifest;
    g_autoptr(StudyColumns) columns = study_columns_new(manifest);
    return database_create(database, manifest, columns->results, as_written)
           && fill_study(database, manifest) && fill_dimensions(database, manifest, columns)
           && fill_result_columns(database, columns) && fill_segments(database, study)
           && fill_attempts(database, study)
           && fill_points(database, study, columns, as_written, error);
}
