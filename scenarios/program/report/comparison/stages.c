/* The stages of each request class, a bar for each result. */
#include "kit/describe/stage.h"
#include "scenarios/program/compare/attribution.h"
#include "scenarios/program/report/comparison/comparison.h"
#include "scenarios/program/report/run/data.h"
#include "scenarios/program/result/result.h"

static JsonNode *sums_of(JsonNode *result, const char *request_class)
{
    g_autofree char *path = g_strdup_printf("stages.%s", request_class);
    return result_member(result, path);
}

static void add_bar(Figure *figure, const char *label, JsonNode *sums)
{
    const double count = sums ? result_number(sums, "count") : 0;
    if (!(count > 0)) return;
    figure_row(figure);
    figure_text(figure, label);
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++) {
        const double time = result_number(sums, stage_name(stage));
        figure_number(figure, (isnan(time) && stage_if_any(stage) ? 0 : time) / count * NS_OF_FS);
    }
}

static Figure *stages_of(const Comparison *comparison, const char *request_class)
{
    Figure *figure = figure_new("comparison_stages", request_class);
    figure_column(figure, "result", NULL);
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
        figure_column(figure, stage_name(stage), "ns");
    for (guint i = 0; i < comparison_drawn(comparison); i++)
        add_bar(figure, compare_label(comparison, i),
                sums_of(comparison->results[i], request_class));
    comparison_note_left_out(figure, comparison);
    return figure;
}

/* A class with less than a hundredth of the latency in every result is not worth a figure. */
static gboolean matters(const Comparison *comparison, const char *request_class)
{
    for (guint i = 0; i < comparison_drawn(comparison); i++) {
        JsonNode *sums = sums_of(comparison->results[i], request_class);
        const double latency = sums ? result_number(sums, "latency") : 0;
        if (latency > 0.01 * (double)attribution_total(comparison->results[i])) return TRUE;
    }
    return FALSE;
}

/* Of char *: every class that one of the results has. */
static GPtrArray *classes_of(const Comparison *comparison)
{
    GPtrArray *classes = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < comparison_drawn(comparison); i++) {
        g_autoptr(GList) names = data_names(comparison->results[i], "stages");
        for (const GList *name = names; name; name = name->next)
            if (!g_ptr_array_find_with_equal_func(classes, name->data, g_str_equal, NULL))
                g_ptr_array_add(classes, g_strdup(name->data));
    }
    return classes;
}

void comparison_add_stages(Document *document, const Comparison *comparison)
{
    g_autoptr(GPtrArray) classes = classes_of(comparison);
    for (guint i = 0; i < classes->len; i++)
        if (matters(comparison, classes->pdata[i]))
            document_add(document, stages_of(comparison, classes->pdata[i]));
}
