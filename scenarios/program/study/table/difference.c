#include "scenarios/program/study/table/difference.h"

#include <string.h>

static const char *text_of(const OutcomeValue *value)
{
    return value->kind == OUTCOME_ABSENT ? "none" : value->text;
}

static char *describe(const char *what, const char *first, const char *second)
{
    if (!strcmp(first, second)) return NULL;
    return g_strdup_printf("%s is %s in the first and %s in the second", what, first, second);
}

static char *describe_columns(const Manifest *manifest, const GArray *first, const GArray *second)
{
    char *text = NULL;
    for (guint i = 0; i < first->len && !text; i++)
        text = describe(merged_study_column(manifest, i),
                        text_of(&g_array_index(first, OutcomeValue, i)),
                        text_of(&g_array_index(second, OutcomeValue, i)));
    return text;
}

static char *describe_sum(const char *of, const char *what, guint64 first, guint64 second)
{
    if (first == second) return NULL;
    return g_strdup_printf("%s of %s is %" G_GUINT64_FORMAT " in the first and %" G_GUINT64_FORMAT
                           " in the second",
                           what, of, first, second);
}

static char *describe_class(const OutcomeStages *first, const OutcomeStages *second)
{
    const char *name = first->request_class;
    char *text = describe("a request class", name, second->request_class);
    if (!text) text = describe_sum(name, "count", first->count, second->count);
    for (unsigned i = 0; i < STAGE_COUNT && !text; i++)
        text = describe_sum(name, stage_name((Stage)i), first->sums[i], second->sums[i]);
    return text;
}

static char *describe_stages(const GArray *first, const GArray *second)
{
    char *text = NULL;
    for (guint i = 0; i < MIN(first->len, second->len) && !text; i++)
        text = describe_class(&g_array_index(first, OutcomeStages, i),
                              &g_array_index(second, OutcomeStages, i));
    return text ? text : describe_sum("requests", "number of classes", first->len, second->len);
}

static char *describe_outcomes(const Manifest *manifest, const char *first, const char *second)
{
    const guint columns = merged_study_columns(manifest);
    g_auto(ParsedOutcome) a = {0}, b = {0};
    if (!outcome_parse(first, columns, &a, NULL) || !outcome_parse(second, columns, &b, NULL))
        return NULL;
    char *text = describe_columns(manifest, a.values, b.values);
    return text ? text : describe_stages(a.stages, b.stages);
}

/* "done", or "failed: MESSAGE". */
static char *describe_end(const PointOutcome *outcome)
{
    const char *status = point_status_name(outcome->status);
    if (outcome->status == POINT_DONE) return g_strdup(status);
    return g_strdup_printf("%s (%s)", status, outcome->payload);
}

char *outcome_difference(const Manifest *manifest, const PointOutcome *first,
                         const PointOutcome *second)
{
    char *text = NULL;
    if (first->status == POINT_DONE && second->status == POINT_DONE)
        text = describe_outcomes(manifest, first->payload, second->payload);
    if (text) return text;
    g_autofree char *one = describe_end(first);
    g_autofree char *other = describe_end(second);
    text = describe("it", one, other);
    return text ? text : g_strdup("the texts of the outcomes are not the same");
}
