#include "scenarios/program/run/brief.h"

#include "scenarios/program/result/result.h"

/* What is sealed is the text of more than a value. */
static void copy_figure(G_GNUC_UNUSED JsonObject *kernel, const char *name, JsonNode *value,
                        gpointer into)
{
    if (JSON_NODE_HOLDS_VALUE(value) && !json_node_is_immutable(value))
        json_object_set_member(into, name, json_node_copy(value));
}

static JsonNode *new_figures(JsonNode *kernel)
{
    JsonNode *figures = json_node_new(JSON_NODE_OBJECT);
    json_node_take_object(figures, json_object_new());
    json_object_foreach_member(json_node_get_object(kernel), copy_figure,
                               json_node_get_object(figures));
    return figures;
}

static JsonNode *new_figures_of_all(JsonNode *kernels, const char *member)
{
    JsonArray *all = result_array(kernels, member), *array = json_array_new();
    for (guint i = 0; i < result_length(all); i++)
        json_array_add_element(array, new_figures(json_array_get_element(all, i)));
    JsonNode *node = json_node_new(JSON_NODE_ARRAY);
    json_node_take_array(node, array);
    return node;
}

static JsonNode *new_rest(JsonNode *kernels)
{
    JsonNode *others = result_member(kernels, "kernel_rest.others"),
             *rest = json_node_new(JSON_NODE_OBJECT);
    json_node_take_object(rest, json_object_new());
    if (others) json_object_set_member(json_node_get_object(rest), "others", new_figures(others));
    return rest;
}

JsonNode *brief_kernels_new(JsonNode *kernels)
{
    static const char *const members[] = {"kernels", "kernel_names"};
    if (!kernels) return NULL;
    JsonNode *shown = json_node_new(JSON_NODE_OBJECT);
    json_node_take_object(shown, json_object_new());
    for (guint i = 0; i < G_N_ELEMENTS(members); i++)
        json_object_set_member(json_node_get_object(shown), members[i],
                               new_figures_of_all(kernels, members[i]));
    json_object_set_member(json_node_get_object(shown), "kernel_rest", new_rest(kernels));
    return shown;
}
