/* Bounds in layers, where `why` has measured them. */
#include "scenarios/program/why/why.h"

#include <math.h>

#include "scenarios/program/report/run/page.h"
#include "scenarios/program/result/result.h"

/* Less is not drawn. */
static const double SHOWN = 0.001;

static JsonArray *list_of(JsonNode *node, const char *member)
{
    JsonNode *found = result_member(node, member);
    return found ? json_node_get_array(found) : NULL;
}

static guint count_of(JsonArray *list)
{
    return result_length(list);
}

static void add_layer(Figure *figure, JsonNode *layer, guint number)
{
    JsonNode *best = why_best_step(layer);
    g_autofree char *part = why_part(layer), *together = why_together(layer);
    g_autofree char *sets = best ? why_sets(best, "set") : NULL;
    figure_row(figure);
    figure_integer(figure, number);
    figure_number(figure, result_number(layer, "time_ns"));
    figure_text(figure, result_text(layer, "bound.perfect"));
    figure_number(figure, 100 * result_number(layer, "bound.gain"));
    figure_text(figure, part);
    figure_text(figure, together);
    figure_text(figure, sets ? sets + 1 : NULL);
    figure_number(figure, best ? 100 * result_number(best, "gain") : NAN);
    figure_number(figure, best ? 100 * result_number(best, "gain_a_mm2") : NAN);
    figure_number(figure, best ? 100 * result_number(best, "gain_a_w") : NAN);
}

static Figure *layers_table(JsonNode *why)
{
    Figure *figure = figure_new("why_layers", NULL);
    figure_column(figure, "layer", NULL);
    figure_column(figure, "time", "ns");
    figure_column(figure, "bound", NULL);
    figure_column(figure, "perfect gains", "%");
    figure_column(figure, "what was full", NULL);
    figure_column(figure, "together", NULL);
    figure_column(figure, "best step", NULL);
    figure_column(figure, "it gains", "%");
    figure_column(figure, "a mm2 of SRAM", "%");
    figure_column(figure, "a watt", "%");
    JsonArray *layers = list_of(why, "layers");
    for (guint i = 0; i < count_of(layers); i++)
        add_layer(figure, json_array_get_element(layers, i), i + 1);
    if (g_strcmp0(result_text(why, "end"), "complete") != 0)
        figure_note(figure, "Not everything was tried: see not_tried in result.json.");
    return figure;
}

/* A figure for what of a layer was tried in one way. */
typedef struct {
    const char *member, *figure, *column;
    const char *name; /* of what was tried */
    bool chosen;      /* there are several of a name, with what it becomes */
} Tried;

static void add_tried(Document *document, JsonNode *layer, guint number, const Tried *way)
{
    g_autofree char *qualifier = g_strdup_printf("layer %u", number);
    Figure *figure = figure_new(way->figure, qualifier);
    figure_column(figure, way->column, NULL);
    figure_column(figure, "share of the time", "%");
    JsonArray *tried = list_of(layer, way->member);
    for (guint i = 0; i < count_of(tried); i++) {
        JsonNode *one = json_array_get_element(tried, i);
        const char *name = result_text(one, way->name);
        g_autofree char *chosen =
            way->chosen ? g_strdup_printf("%s = %s", name, result_text(one, "to")) : NULL;
        const double gain = result_number(one, "gain");
        if (!(fabs(gain) >= SHOWN)) continue;
        figure_row(figure);
        figure_text(figure, chosen ? chosen : name);
        figure_number(figure, 100 * gain);
    }
    document_add(document, figure);
}

void run_why(Document *document, JsonNode *result)
{
    JsonNode *why = result_member(result, "why");
    if (!why) return;
    document_section(
        document, "why", "Why: bounds in layers",
        "Each gain is that of a run of its own. With the bound of a layer perfect, the "
        "next layer is asked.");
    document_add(document, layers_table(why));
    JsonArray *layers = list_of(why, "layers");
    static const Tried ways[] = {
        {"perfect", "why_perfect", "perfect component", "perfect", false},
        {"doublings", "why_doublings", "twice as large or fast", "parameter", false},
        {"choices", "why_choices", "another design", "parameter", true}};
    for (guint i = 0; i < count_of(layers); i++)
        for (guint k = 0; k < G_N_ELEMENTS(ways); k++)
            add_tried(document, json_array_get_element(layers, i), i + 1, &ways[k]);
}
