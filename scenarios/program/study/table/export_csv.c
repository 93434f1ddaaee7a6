/* Studies as comma-separated values, RFC 4180. */
#include <string.h>

#include "kit/describe/decimal.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/study/table/export.h"

/* --- cells ------------------------------------------------------------------------------------ */

static void put_separator(GString *row)
{
    if (row->len) g_string_append_c(row, ',');
}

static void put_text(GString *row, const char *text)
{
    put_separator(row);
    text_append_csv(row, text);
}

static void put_count(GString *row, guint64 count)
{
    put_separator(row);
    decimal_append_count(row, count);
}

static void put_end(GString *row, FILE *out)
{
    g_string_append(row, "\r\n");
    fwrite(row->str, 1, row->len, out);
    g_string_truncate(row, 0);
}

/* --- points ----------------------------------------------------------------------------------- */

typedef struct {
    const MergedStudy *study;
    const StudyColumns *columns;
    GString *row;
    ParsedOutcome parsed;
} Exporter;

static const Dimension *dimension_at(const Exporter *exporter, guint index)
{
    return exporter->study->manifest->dimensions->pdata[index];
}

/* The point's variant has a column of its own. */
static bool is_shown(const Dimension *dimension)
{
    return strcmp(dimension->name, "variant") != 0;
}

static void put_header(const Exporter *exporter)
{
    static const char *const first[] = {"point", "key",  "variant", "replication",
                                        "seed",  "role", "status",  "message"};
    for (unsigned i = 0; i < G_N_ELEMENTS(first); i++) put_text(exporter->row, first[i]);
    for (guint i = 0; i < exporter->study->manifest->dimensions->len; i++) {
        const char *name = dimension_at(exporter, i)->name;
        const char *unit = exporter->columns->units[i];
        if (!is_shown(dimension_at(exporter, i))) continue;
        put_text(exporter->row, name);
        if (!exporter->columns->scaled[i]) continue;
        g_autofree char *number = g_strdup_printf("%s [%s]", name, *unit ? unit : "1");
        put_text(exporter->row, number);
    }
    const GArray *results = exporter->columns->results;
    for (guint i = 0; i < results->len; i++)
        put_text(exporter->row, g_array_index(results, ResultColumn, i).name);
}

static void put_values(const Exporter *exporter, const Point *point)
{
    double number;
    for (guint i = 0; i < exporter->study->manifest->dimensions->len; i++) {
        if (!is_shown(dimension_at(exporter, i))) continue;
        put_text(exporter->row, point->values[i]);
        if (!exporter->columns->scaled[i]) continue;
        put_separator(exporter->row);
        if (dimension_number(point->values[i], exporter->columns->units[i], &number))
            decimal_append(exporter->row, number);
    }
}

static void put_point(const Exporter *exporter, guint number)
{
    const Manifest *manifest = exporter->study->manifest;
    const Point *point = manifest->points->pdata[number];
    const PointOutcome *outcome = merged_study_outcome(exporter->study, number);
    const char *message = point_outcome_message(outcome);
    put_count(exporter->row, number);
    put_text(exporter->row, point->key);
    put_text(exporter->row, ((const Base *)manifest->bases->pdata[point->base])->variant);
    put_count(exporter->row, point->replication);
    put_count(exporter->row, point->seed);
    put_text(exporter->row, point->role);
    put_text(exporter->row, point_outcome_status(outcome));
    put_text(exporter->row, message ? message : "");
    put_values(exporter, point);
}

static bool put_results(Exporter *exporter, guint number, GError **error)
{
    const PointOutcome *outcome = merged_study_outcome(exporter->study, number);
    const bool done = point_outcome_is_done(outcome);
    if (done && !merged_study_parse(exporter->study, outcome, &exporter->parsed, error))
        return false;
    for (guint i = 0; i < exporter->columns->results->len; i++) {
        const OutcomeValue *value =
            done ? &g_array_index(exporter->parsed.values, OutcomeValue, i) : NULL;
        put_text(exporter->row, value && value->kind != OUTCOME_ABSENT ? value->text : "");
    }
    return true;
}

bool export_csv(const MergedStudy *study, FILE *out, GError **error)
{
    g_autoptr(StudyColumns) columns = study_columns_new(study->manifest);
    g_autoptr(GString) row = g_string_new(NULL);
    Exporter exporter = {.study = study, .columns = columns, .row = row};
    put_header(&exporter);
    put_end(row, out);
    bool good = true;
    for (guint i = 0; i < study->manifest->points->len && good; i++) {
        put_point(&exporter, i);
        good = put_results(&exporter, i, error);
        put_end(row, out);
    }
    parsed_outcome_finish(&exporter.parsed);
    return good;
}

/* --- stages ----------------------------------------------------------------------------------- */

static void put_stage_header(GString *row)
{
    static const char *const first[] = {"point", "key", "class", "count", "latency"};
    for (unsigned i = 0; i < G_N_ELEMENTS(first); i++) put_text(row, first[i]);
    for (unsigned i = 0; i < STAGE_COUNT; i++) put_text(row, stage_name((Stage)i));
}

static void put_class(GString *row, const OutcomeStages *stages)
{
    put_text(row, stages->request_class);
    put_count(row, stages->count);
    put_count(row, outcome_latency(stages));
    for (unsigned i = 0; i < STAGE_COUNT; i++) put_count(row, stages->sums[i]);
}

static bool put_classes(Exporter *exporter, guint number, FILE *out, GError **error)
{
    const Point *point = exporter->study->manifest->points->pdata[number];
    const PointOutcome *outcome = merged_study_outcome(exporter->study, number);
    if (!point_outcome_is_done(outcome)) return true;
    if (!merged_study_parse(exporter->study, outcome, &exporter->parsed, error)) return false;
    for (guint i = 0; i < exporter->parsed.stages->len; i++) {
        put_count(exporter->row, number);
        put_text(exporter->row, point->key);
        put_class(exporter->row, &g_array_index(exporter->parsed.stages, OutcomeStages, i));
        put_end(exporter->row, out);
    }
    return true;
}

bool export_stages_csv(const MergedStudy *study, FILE *out, GError **error)
{
    g_autoptr(GString) row = g_string_new(NULL);
    Exporter exporter = {.study = study, .row = row};
    put_stage_header(row);
    put_end(row, out);
    bool good = true;
    for (guint i = 0; i < study->manifest->points->len && good; i++)
        good = put_classes(&exporter, i, out, error);
    parsed_outcome_finish(&exporter.parsed);
    return good;
}
