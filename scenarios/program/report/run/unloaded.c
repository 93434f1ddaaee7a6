/* Latency as it is, against that of a request which is alone. */
#include "scenarios/program/report/run/page.h"

#include "kit/describe/stage.h"
#include "scenarios/program/result/result.h"

static void add_class(Figure *figure, const char *name, JsonNode *sums)
{
    const double count = result_number(sums, "count");
    if (!(count > 0)) return;
    double of[2] = {0, 0}; /* by StageKind */
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++) {
        JsonNode *sum = result_member(sums, stage_name(stage));
        if (sum) of[stage_kind(stage)] += json_node_get_double(sum);
    }
    figure_row(figure);
    figure_text(figure, name);
    figure_number(figure, of[STAGE_WAY] / count * 1e-6);
    figure_number(figure, of[STAGE_WAIT] / count * 1e-6);
}

Figure *run_unloaded(JsonNode *result)
{
    Figure *figure = figure_new("unloaded_latency", NULL);
    figure_column(figure, "requests", NULL);
    figure_column(figure, "way", "ns");
    figure_column(figure, "waiting", "ns");
    JsonNode *stages = result_member(result, "stages");
    if (!stages || !JSON_NODE_HOLDS_OBJECT(stages)) return figure;
    g_autoptr(GList) names = json_object_get_members(json_node_get_object(stages));
    for (const GList *name = names; name; name = name->next)
        add_class(figure, name->data,
                  json_object_get_member(json_node_get_object(stages), name->data));
    return figure;
}
