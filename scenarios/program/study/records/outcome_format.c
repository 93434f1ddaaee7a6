/* The text of a run's outcome. */
#include <math.h>
#include <string.h>

#include "kit/describe/decimal.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/study/records/outcome.h"
#include "scenarios/program/study/records/statistic_column.h"
#include "scenarios/program/verdict/headlines.h"
#include "scenarios/program/verdict/verdict.h"

static void append_number(GString *text, double value)
{
    if (isfinite(value))
        json_append_real(text, value);
    else
        g_string_append_c(text, '-');
}

/* Whole numbers stay whole, whatever their size. */
static void append_member(GString *text, JsonNode *node)
{
    const bool holds = node && JSON_NODE_HOLDS_VALUE(node);
    if (holds && json_node_get_value_type(node) != G_TYPE_DOUBLE)
        json_append_value(text, node);
    else
        append_number(text, holds ? json_node_get_double(node) : NAN);
}

static void append_resource(GString *text, const GArray *resources, const char *column)
{
    double utilisation = NAN;
    for (guint i = 0; i < resources->len; i++) {
        const Headline *resource = &g_array_index(resources, Headline, i);
        if (!strcmp(resource->column, column)) utilisation = resource->utilisation;
    }
    append_number(text, utilisation);
}

static void append_bound(GString *text, JsonNode *result, GPtrArray *list)
{
    g_autoptr(Verdict) verdict = verdict_new_with(result, list);
    json_append_string(text, verdict->bound);
}

static void append_columns(GString *text, JsonNode *result, GPtrArray *list, bool peak_power)
{
    g_autoptr(GArray) resources = headlines_of(list);
    for (const ResultColumn *column = result_columns(); column->name; column++) {
        if (column != result_columns()) g_string_append_c(text, ' ');
        if (result_column_is_peak(column) && !peak_power)
            append_number(text, NAN);
        else if (column->path)
            append_member(text, result_member(result, column->path));
        else if (!strcmp(column->name, "bound"))
            append_bound(text, result, list);
        else
            append_resource(text, resources, column->name);
    }
}

static double histogram_mean(JsonNode *histogram)
{
    return result_number(histogram, "sum_fs") / result_number(histogram, "count");
}

/* A machine without units of the class has none. */
static void append_statistic(GString *text, JsonNode *result, const char *name)
{
    StatisticColumn column;
    if (!statistic_column_find(name, &column, NULL)) {
        append_number(text, NAN);
        return;
    }
    g_autofree char *path =
        g_strdup_printf("units.%s.total.%s", column.unit->name, column.stat->name);
    JsonNode *total = result_member(result, path);
    if (column.stat->type == STAT_HISTOGRAM && !strcmp(column.member, "mean"))
        append_number(text, total ? histogram_mean(total) : NAN);
    else
        append_member(text, total && column.member ? result_member(total, column.member) : total);
}

static void append_stages(GString *text, const char *request_class, JsonNode *sums)
{
    JsonObject *object = json_node_get_object(sums);
    const gint64 count = json_object_get_int_member_with_default(object, "count", 0);
    if (!count) return;
    g_string_append_printf(text, " | %s %" G_GINT64_FORMAT, request_class, count);
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++) {
        g_string_append_c(text, ' ');
        decimal_append_count(text, (guint64)json_object_get_int_member_with_default(
                                       object, stage_name((Stage)stage), 0));
    }
}

static void visit_stages(JsonObject *stages, const char *request_class, JsonNode *sums,
                         gpointer text)
{
    (void)stages;
    append_stages(text, request_class, sums);
}

char *outcome_format(JsonNode *result, GPtrArray *resources, const Manifest *manifest)
{
    GString *text = g_string_new(NULL);
    JsonNode *stages = result_member(result, "stages");
    append_columns(text, result, resources, manifest->peak_power);
    for (guint i = 0; i < manifest->statistics->len; i++) {
        g_string_append_c(text, ' ');
        append_statistic(text, result, manifest->statistics->pdata[i]);
    }
    if (stages && JSON_NODE_HOLDS_OBJECT(stages))
        json_object_foreach_member(json_node_get_object(stages), visit_stages, text);
    return g_string_free(text, FALSE);
}
