#include "scenarios/program/study/table/columns.h"

#include <string.h>

#include "scenarios/program/study/records/number.h"

bool result_column_is_text(const ResultColumn *column)
{
    return !strcmp(column->unit, "text");
}

bool dimension_number(const char *text, const char *unit, double *number)
{
    const char *own;
    return unit && text && number_read(text, number, &own) && !strcmp(own, unit);
}

/* The unit of the first value that is a number. */
static const char *find_unit(const Manifest *manifest, guint dimension)
{
    double number;
    const char *unit;
    for (guint i = 0; i < manifest->points->len; i++) {
        const Point *point = manifest->points->pdata[i];
        if (number_read(point->values[dimension], &number, &unit)) return unit;
    }
    return NULL;
}

static void add_statistics(GArray *columns, const GPtrArray *names)
{
    for (guint i = 0; i < names->len; i++) {
        ResultColumn column = {names->pdata[i], "", NULL, BETTER_NEITHER, ""};
        outcome_check_statistic(column.name, &column, NULL);
        g_array_append_val(columns, column);
    }
}

static Better better_of(const char *name)
{
    Better better = BETTER_LOWER;
    while (better != BETTER_NEITHER && strcmp(better_name(better), name)) better++;
    return better;
}

static void add_derived(GArray *columns, const GPtrArray *results)
{
    for (guint i = 0; i < results->len; i++) {
        const Derived *result = results->pdata[i];
        const ResultColumn column = {result->name, result->unit, NULL, better_of(result->better),
                                     result->summary};
        g_array_append_val(columns, column);
    }
}

StudyColumns *study_columns_new(const Manifest *manifest)
{
    StudyColumns *columns = g_new0(StudyColumns, 1);
    columns->results = g_array_new(FALSE, FALSE, sizeof(ResultColumn));
    g_array_append_vals(columns->results, result_columns(), result_column_count());
    add_statistics(columns->results, manifest->statistics);
    add_derived(columns->results, manifest->derived);
    columns->units = g_new0(const char *, manifest->dimensions->len);
    for (guint i = 0; i < manifest->dimensions->len; i++)
        columns->units[i] = find_unit(manifest, i);
    return columns;
}

void study_columns_free(StudyColumns *columns)
{
    if (!columns) return;
    g_array_unref(columns->results);
    g_free(columns->units);
    g_free(columns);
}
