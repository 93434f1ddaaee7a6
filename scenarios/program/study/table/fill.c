/* The rows of a study's database. */
#include <math.h>
#include <string.h>

#include "scenarios/program/study/table/columns.h"
#include "scenarios/program/study/table/database.h"
#include "scenarios/program/study/table/derived.h"

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

/* Binds a value for each letter of `types`: t a text or NULL, i a gint64, r a double that is NULL
 * when it is not a number. */
static void put(Row *row, const char *types, ...)
{
    va_list values;
    va_start(values, types);
    for (; *types; types++, row->next++)
        if (*types == 't')
            sqlite3_bind_text(row->statement, row->next, va_arg(values, const char *), -1,
                              SQLITE_STATIC);
        else if (*types == 'i')
            sqlite3_bind_int64(row->statement, row->next, va_arg(values, gint64));
        else
            sqlite3_bind_double(row->statement, row->next, va_arg(values, double));
    va_end(values);
}

static bool put_end(Row *row)
{
    row->next = 1;
    const bool good = sqlite3_step(row->statement) == SQLITE_DONE;
    return sqlite3_reset(row->statement) == SQLITE_OK && good;
}

/* --- what the study is ------------------------------------------------------------------------ */

static bool fill_study(sqlite3 *database, const Manifest *manifest)
{
    g_auto(Row) row = row_new(database, "study", 2);
    g_autofree char *seed = g_strdup_printf("%" G_GUINT64_FORMAT, manifest->seed);
    g_autofree char *replications = g_strdup_printf("%u", manifest->replications);
    const char *const pairs[][2] = {
        {"title", manifest->title},
        {"scenario", manifest->scenario},
        {"program", manifest->program},
        {"build", manifest->build},
        {"design", manifest->design},
        {"seed", seed},
        {"replications", replications},
        {"manifest", manifest->identity},
        {"own_results", manifest->own_identity},
    };
    bool good = true;
    for (guint i = 0; i < G_N_ELEMENTS(pairs) && good; i++) {
        put(&row, "tt", pairs[i][0], pairs[i][1]);
        good = put_end(&row);
    }
    return good;
}

static double number_of(const char *text, const char *unit)
{
    double number;
    return dimension_number(text, unit, &number) ? number : NAN;
}

static bool fill_dimensions(sqlite3 *database, const Manifest *manifest,
                            const StudyColumns *columns)
{
    g_auto(Row) row = row_new(database, "dimensions", 5);
    bool good = true;
    for (guint i = 0; i < manifest->dimensions->len && good; i++) {
        const Dimension *dimension = manifest->dimensions->pdata[i];
        put(&row, "itttr", (gint64)i, dimension->name, columns->units[i], dimension->baseline,
            number_of(dimension->baseline, columns->units[i]));
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
        put(&row, "itttt", (gint64)i, column->name, column->unit, better_name(column->better),
            column->summary);
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
        put(&row, "tiiii", segment->name, segment->size, (gint64)segment->records,
            (gint64)segment->damaged, (gint64)segment->torn);
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
        put(&row, "tttitrri", ((const Point *)study->manifest->points->pdata[point])->key,
            point_status_name(attempt->status),
            g_array_index(study->segments, SegmentSummary, attempt->segment).name,
            (gint64)attempt->line, attempt->host.name, attempt->host.wall_s, attempt->host.cpu_s,
            (gint64)attempt->host.peak_rss_bytes);
        good = put_end(&row);
    }
    return good;
}

/* --- points ----------------------------------------------------------------------------------- */

/* The statements that a point's rows go through. */
typedef struct {
    const MergedStudy *study;
    const StudyColumns *columns;
    DerivedResults *derived;
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
    derived_results_free(filler->derived);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Filler, filler_finish)

static bool fill_point(Filler *filler, guint number)
{
    const Manifest *manifest = filler->study->manifest;
    const Point *point = manifest->points->pdata[number];
    const PointOutcome *outcome = merged_study_outcome(filler->study, number);
    put(&filler->point, "ittiittt", (gint64)number, point->key,
        ((const Base *)manifest->bases->pdata[point->base])->variant, (gint64)point->replication,
        (gint64)point->seed, point->role ? point->role : "", point_outcome_status(outcome),
        point_outcome_message(outcome));
    return put_end(&filler->point);
}

static bool fill_parameters(Filler *filler, guint number)
{
    const Manifest *manifest = filler->study->manifest;
    const Point *point = manifest->points->pdata[number];
    bool good = true;
    for (guint i = 0; i < manifest->dimensions->len && good; i++) {
        put(&filler->parameter, "ittr", (gint64)number,
            ((const Dimension *)manifest->dimensions->pdata[i])->name, point->values[i],
            number_of(point->values[i], filler->columns->units[i]));
        good = put_end(&filler->parameter);
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
    if (value->kind == OUTCOME_NUMBER)
        put(row, "r", value->number);
    else
        put(row, "t", value->kind == OUTCOME_TEXT ? value->text : NULL);
}

static void put_derived(Filler *filler, guint number)
{
    const Manifest *manifest = filler->study->manifest;
    const OutcomeValue *values =
        derived_results_of(filler->derived, manifest->points->pdata[number], filler->parsed.values);
    for (guint i = 0; i < manifest->derived->len; i++)
        put_value(&filler->result, &values[i], filler->as_written);
}

static bool fill_result(Filler *filler, guint number)
{
    put(&filler->result, "i", (gint64)number);
    for (guint i = 0; i < filler->parsed.values->len; i++)
        put_value(&filler->result, &g_array_index(filler->parsed.values, OutcomeValue, i),
                  filler->as_written);
    put_derived(filler, number);
    return put_end(&filler->result);
}

static bool fill_stages(Filler *filler, guint number)
{
    bool good = true;
    for (guint i = 0; i < filler->parsed.stages->len && good; i++) {
        const OutcomeStages *stages = &g_array_index(filler->parsed.stages, OutcomeStages, i);
        put(&filler->stage, "itii", (gint64)number, stages->request_class, (gint64)stages->count,
            (gint64)outcome_latency(stages));
        for (unsigned s = 0; s < STAGE_COUNT; s++)
            put(&filler->stage, "i", (gint64)stages->sums[s]);
        good = put_end(&filler->stage);
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
        .derived = derived_results_new(study->manifest, columns, error),
        .as_written = as_written,
        .point = row_new(database, "points", 8),
        .parameter = row_new(database, "parameters", 4),
        .result = row_new(database, "results", 1 + columns->results->len),
        .stage = row_new(database, "stages", 4 + STAGE_COUNT),
    };
    if (!filler.derived) return false;
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
