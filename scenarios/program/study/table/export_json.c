/* Studies as JSON: readable, a line a point. */
#include <string.h>

#include "kit/describe/decimal.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/study/table/export.h"

/* --- members ---------------------------------------------------------------------------------- */

static void put_name(GString *line, const char *name)
{
    if (line->len && line->str[line->len - 1] != '{') g_string_append(line, ", ");
    json_append_string(line, name);
    g_string_append(line, ": ");
}

static void put_text(GString *line, const char *name, const char *text)
{
    put_name(line, name);
    if (text)
        json_append_string(line, text);
    else
        g_string_append(line, "null");
}

static void put_count(GString *line, const char *name, guint64 count)
{
    put_name(line, name);
    decimal_append_count(line, count);
}

static void put_number_of(GString *line, const char *name, const char *text, const char *unit)
{
    double number;
    put_name(line, name);
    if (dimension_number(text, unit, &number))
        decimal_append(line, number);
    else
        g_string_append(line, "null");
}

static void put_object(GString *line, const char *name)
{
    put_name(line, name);
    g_string_append_c(line, '{');
}

static void put_close(GString *line)
{
    g_string_append_c(line, '}');
}

/* An element of a list, on a line of its own. */
static void write_element(GString *line, bool last, FILE *out)
{
    fprintf(out, "    {%s}%s\n", line->str, last ? "" : ",");
    g_string_truncate(line, 0);
}

/* --- what the study is ------------------------------------------------------------------------ */

static void write_study(const Manifest *manifest, GString *line, FILE *out)
{
    put_text(line, "title", manifest->title);
    put_text(line, "scenario", manifest->scenario);
    put_text(line, "program", manifest->program);
    put_text(line, "design", manifest->design);
    put_count(line, "seed", manifest->seed);
    put_count(line, "replications", manifest->replications);
    fprintf(out, "  \"study\": {%s},\n", line->str);
    g_string_truncate(line, 0);
}

static void write_dimensions(const Manifest *manifest, const StudyColumns *columns, GString *line,
                             FILE *out)
{
    const guint count = manifest->dimensions->len;
    fputs("  \"dimensions\": [\n", out);
    for (guint i = 0; i < count; i++) {
        const Dimension *dimension = manifest->dimensions->pdata[i];
        put_text(line, "name", dimension->name);
        put_text(line, "unit", columns->units[i]);
        put_text(line, "baseline", dimension->baseline);
        put_number_of(line, "baseline_number", dimension->baseline, columns->units[i]);
        write_element(line, i + 1 == count, out);
    }
    fputs("  ],\n", out);
}

static void write_results(const StudyColumns *columns, GString *line, FILE *out)
{
    fputs("  \"results\": [\n", out);
    for (guint i = 0; i < columns->results->len; i++) {
        const ResultColumn *column = &g_array_index(columns->results, ResultColumn, i);
        put_text(line, "name", column->name);
        put_text(line, "unit", column->unit);
        put_text(line, "better", better_name(column->better));
        put_text(line, "summary", column->summary);
        write_element(line, i + 1 == columns->results->len, out);
    }
    fputs("  ],\n", out);
}

static void write_stages(GString *line, FILE *out)
{
    fputs("  \"stages\": [\n", out);
    for (unsigned i = 0; i < STAGE_COUNT; i++) {
        put_text(line, "name", stage_name((Stage)i));
        put_text(line, "unit", "fs");
        put_text(line, "summary", stage_summary((Stage)i));
        write_element(line, i + 1 == STAGE_COUNT, out);
    }
    fputs("  ],\n", out);
}

/* --- points ----------------------------------------------------------------------------------- */

typedef struct {
    const MergedStudy *study;
    const StudyColumns *columns;
    GString *line;
    ParsedOutcome parsed;
} Exporter;

static void put_point(const Exporter *exporter, guint number)
{
    const Manifest *manifest = exporter->study->manifest;
    const Point *point = manifest->points->pdata[number];
    const PointOutcome *outcome = merged_study_outcome(exporter->study, number);
    GString *line = exporter->line;
    put_count(line, "point", number);
    put_text(line, "key", point->key);
    put_text(line, "variant", ((const Base *)manifest->bases->pdata[point->base])->variant);
    put_count(line, "replication", point->replication);
    put_count(line, "seed", point->seed);
    put_text(line, "role", point->role);
    put_text(line, "status", point_outcome_status(outcome));
    put_text(line, "message", point_outcome_message(outcome));
}

static void put_values(const Exporter *exporter, const Point *point)
{
    const GPtrArray *dimensions = exporter->study->manifest->dimensions;
    GString *line = exporter->line;
    put_object(line, "parameters");
    for (guint i = 0; i < dimensions->len; i++)
        put_text(line, ((const Dimension *)dimensions->pdata[i])->name, point->values[i]);
    put_close(line);
    put_object(line, "numbers");
    for (guint i = 0; i < dimensions->len; i++)
        put_number_of(line, ((const Dimension *)dimensions->pdata[i])->name, point->values[i],
                      exporter->columns->units[i]);
    put_close(line);
}

/* A number is written as the run wrote it. */
static void put_result(GString *line, const char *name, const OutcomeValue *value)
{
    put_name(line, name);
    switch (value->kind) {
    case OUTCOME_ABSENT: g_string_append(line, "null"); break;
    case OUTCOME_NUMBER: g_string_append(line, value->text); break;
    case OUTCOME_TEXT: json_append_string(line, value->text); break;
    }
}

static void put_results(const Exporter *exporter)
{
    const GArray *columns = exporter->columns->results;
    put_object(exporter->line, "results");
    for (guint i = 0; i < columns->len; i++)
        put_result(exporter->line, g_array_index(columns, ResultColumn, i).name,
                   &g_array_index(exporter->parsed.values, OutcomeValue, i));
    put_close(exporter->line);
}

static void put_stages(const Exporter *exporter)
{
    GString *line = exporter->line;
    put_object(line, "stages");
    for (guint i = 0; i < exporter->parsed.stages->len; i++) {
        const OutcomeStages *stages = &g_array_index(exporter->parsed.stages, OutcomeStages, i);
        put_object(line, stages->request_class);
        put_count(line, "count", stages->count);
        put_count(line, "latency", outcome_latency(stages));
        for (unsigned s = 0; s < STAGE_COUNT; s++)
            put_count(line, stage_name((Stage)s), stages->sums[s]);
        put_close(line);
    }
    put_close(line);
}

static bool put_outcome(Exporter *exporter, guint number, GError **error)
{
    const PointOutcome *outcome = merged_study_outcome(exporter->study, number);
    if (!point_outcome_is_done(outcome)) {
        g_string_append(exporter->line, ", \"results\": null, \"stages\": null");
        return true;
    }
    if (!merged_study_parse(exporter->study, outcome, &exporter->parsed, error)) return false;
    put_results(exporter);
    put_stages(exporter);
    return true;
}

static bool write_points(Exporter *exporter, FILE *out, GError **error)
{
    const GPtrArray *points = exporter->study->manifest->points;
    bool good = true;
    fputs("  \"points\": [\n", out);
    for (guint i = 0; i < points->len && good; i++) {
        put_point(exporter, i);
        put_values(exporter, points->pdata[i]);
        good = put_outcome(exporter, i, error);
        write_element(exporter->line, i + 1 == points->len, out);
    }
    fputs("  ]\n", out);
    return good;
}

bool export_json(const MergedStudy *study, FILE *out, GError **error)
{
    g_autoptr(StudyColumns) columns = study_columns_new(study->manifest);
    g_autoptr(GString) line = g_string_new(NULL);
    Exporter exporter = {.study = study, .columns = columns, .line = line};
    fprintf(out, "{\n  \"schema_version\": %d,\n", EXPORT_SCHEMA_VERSION);
    write_study(study->manifest, line, out);
    write_dimensions(study->manifest, columns, line, out);
    write_results(columns, line, out);
    write_stages(line, out);
    const bool good = write_points(&exporter, out, error);
    fputs("}\n", out);
    parsed_outcome_finish(&exporter.parsed);
    return good;
}
