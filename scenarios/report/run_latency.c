/* Where the latency of requests went. */
#include "scenarios/report/run_page.h"

#include "kit/stage.h"
#include "scenarios/result.h"

static void add_class(Figure *figure, const char *name, JsonNode *sums)
{
    const double count = result_number(sums, "count");
    if (!(count > 0)) return;
    figure_row(figure);
    figure_text(figure, name);
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
        figure_number(figure, result_number(sums, stage_name(stage)) / count / 1e6);
}

static Figure *stage_breakdown(JsonNode *result)
{
    Figure *figure = figure_new("stage_breakdown", NULL);
    figure_column(figure, "requests", NULL);
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
        figure_column(figure, stage_name(stage), "ns");
    JsonObject *stages = json_node_get_object(result_member(result, "stages"));
    g_autoptr(GList) names = json_object_get_members(stages);
    for (GList *name = names; name; name = name->next)
        add_class(figure, name->data, json_object_get_member(stages, name->data));
    return figure;
}

void run_latency(Document *document, JsonNode *result)
{
    document_section(document, "latency", "Latency", NULL);
    document_add(document, stage_breakdown(result));
}
