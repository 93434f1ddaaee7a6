#include "scenarios/program/compare/fail_over.h"

#include <math.h>
#include <string.h>

#include "kit/describe/decimal.h"
#include "kit/describe/nearest.h"
#include "scenarios/program/complain.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/study/table/columns.h"
#include "scenarios/program/verdict/headlines.h"

static const ResultColumn *reject_name(const char *text, const char *name, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (const ResultColumn *column = result_columns(); column->name; column++)
        if (!result_column_is_text(column)) g_ptr_array_add(names, (char *)column->name);
    g_ptr_array_add(names, NULL);
    const char *near = nearest_name(name, (const char *const *)names->pdata);
    if (near)
        g_set_error(
            error, RESULT_ERROR, 0,
            "--fail-over %s: there is no number of a result called '%s'; did you mean '%s'?", text,
            name, near);
    else
        g_set_error(error, RESULT_ERROR, 0,
                    "--fail-over %s: there is no number of a result called '%s'; 'list results' "
                    "names them",
                    text, name);
    return NULL;
}

static const ResultColumn *find_column(const char *text, const char *name, GError **error)
{
    const int found = result_column_find(name);
    if (found < 0 || result_column_is_text(&result_columns()[found]))
        return reject_name(text, name, error);
    return &result_columns()[found];
}

static bool read_percent(const char *text, double *percent)
{
    g_autofree char *number = g_strstrip(g_strdup(text));
    const gsize length = strlen(number);
    if (length && number[length - 1] == '%') number[length - 1] = '\0';
    g_strchomp(number);
    const char *end = decimal_read(number, percent);
    return g_ascii_isdigit(*number) && end && !*end;
}

static bool read_limit(const char *text, FailOver *limit, GError **error)
{
    const char *equals = strchr(text, '=');
    g_autofree char *name =
        equals ? g_strstrip(g_strndup(text, (gsize)(equals - text))) : g_strdup("time_ns");
    limit->column = find_column(text, name, error);
    if (!limit->column) return false;
    if (read_percent(equals ? equals + 1 : text, &limit->percent)) return true;
    g_set_error(
        error, RESULT_ERROR, 0,
        "--fail-over %s: allowed: a number of percent from 0 on, as 2%%, or one for another "
        "result, as dram_gbps=2%%",
        text);
    return false;
}

GArray *fail_over_read(char **texts, GError **error)
{
    g_autoptr(GArray) limits = g_array_new(FALSE, FALSE, sizeof(FailOver));
    for (char **text = texts; text && *text; text++) {
        FailOver limit;
        if (!read_limit(*text, &limit, error)) return NULL;
        g_array_append_val(limits, limit);
    }
    return g_steal_pointer(&limits);
}

static double value_of(JsonNode *result, const ResultColumn *column)
{
    if (!result_is_measured(result)) return NAN;
    if (column->path) return result_number(result, column->path);
    g_autoptr(GArray) resources = headlines_read(result);
    for (guint i = 0; i < resources->len; i++) {
        const Headline *resource = &g_array_index(resources, Headline, i);
        if (!strcmp(resource->column, column->name)) return resource->utilisation;
    }
    return NAN;
}

static const char *judge(const ResultColumn *column, double change)
{
    switch (column->better) {
    case BETTER_LOWER: return change > 0 ? ", worse" : ", better";
    case BETTER_HIGHER: return change > 0 ? ", better" : ", worse";
    case BETTER_NEITHER: return "";
    }
    g_assert_not_reached();
}

static void append_value(GString *line, const ResultColumn *column, double value)
{
    if (!isfinite(value)) {
        g_string_append(line, "none");
        return;
    }
    decimal_append(line, value);
    if (*column->unit) g_string_append_printf(line, " %s", column->unit);
}

/* Whether the value moved further than it may; then the line says so. */
static bool moved(const FailOver *limit, double before, double after, GString *line)
{
    if (!isfinite(before) && !isfinite(after)) return false;
    const double percent = before == after ? 0 : (after - before) / fabs(before) * 100;
    if (fabs(percent) <= limit->percent) return false;
    g_string_append_printf(line, "%s: ", limit->column->name);
    append_value(line, limit->column, before);
    g_string_append(line, " -> ");
    append_value(line, limit->column, after);
    if (isfinite(percent))
        g_string_append_printf(line, " (%+.4g %%%s); ", percent, judge(limit->column, percent));
    else
        g_string_append(line, "; ");
    g_string_append_printf(line, "more than the %g %% of --fail-over", limit->percent);
    return true;
}

static bool check_limit(const FailOver *limit, const Comparison *comparison, GPtrArray *lines)
{
    const double first = value_of(comparison->results[0], limit->column);
    bool present = isfinite(first);
    for (guint i = 1; i < comparison->count; i++) {
        const double value = value_of(comparison->results[i], limit->column);
        GString *line = g_string_new(NULL);
        g_string_append_printf(line, "%s against %s: ", compare_label(comparison, i),
                               compare_label(comparison, 0));
        present = present || isfinite(value);
        const bool failed = moved(limit, first, value, line);
        char *text = g_string_free(line, FALSE);
        if (failed)
            g_ptr_array_add(lines, text);
        else
            g_free(text);
    }
    return present;
}

bool fail_over_find(const GArray *limits, const Comparison *comparison, GPtrArray *lines,
                    GError **error)
{
    const FailOver *missing = NULL;
    for (guint i = 0; i < limits->len; i++) {
        const FailOver *limit = &g_array_index(limits, FailOver, i);
        if (!check_limit(limit, comparison, lines) && !missing) missing = limit;
    }
    if (!missing) return true;
    g_set_error(error, RESULT_ERROR, 0, "--fail-over %s=%g%%: none of the results has it",
                missing->column->name, missing->percent);
    return false;
}
