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
    JsonNode *best = why_best_doubling(layer);
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

static void add_tried(Document *document, JsonNode *layer, guint number, const char *member)
{
    const bool doubled = g_str_equal(member, "doublings");
    g_autofree char *qualifier = g_strdup_printf("layer %u", number);
    Figure *figure = figure_new(doubled ? "why_doublings" : "why_perfect", qualifier);
    figure_column(figure, doubled ? "twice as large or fast" : "perfect component", NULL);
    figure_column(figure, "share of the time", "%");
    JsonArray *tried = list_of(layer, member);
    for (guint i = 0; i < count_of(tried); i++) {
        JsonNode *one = json_array_get_element(tried, i);
        const double gain = result_number(one, "gain");
        if (!(fabs(gain) >= SHOWN)) continue;
        figure_row(figure);
        figure_text(figure, result_text(one, doubled ? "parameter" : "perfect"));
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
    for (guint i = 0; i < count_of(layers); i++) {
        add_tried(document, json_array_get_element(layers, i), i + 1, "perfect");
        add_tried(document, json_array_get_element(layers, i), i + 1, "doublings");
    }
}
