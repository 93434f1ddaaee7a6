#include "scenarios/program/verdict/latency.h"

#include <math.h>
#include <string.h>

#include "kit/describe/stage.h"
#include "scenarios/program/result/result.h"

gboolean latency_is_of_a_chain(JsonNode *result)
{
    return isfinite(result_number(result, "summary.cycles_per_load"));
}

gboolean latency_is_of_one_cta(JsonNode *result)
{
    JsonNode *kernels = result_member(result, "summary.kernels");
    JsonArray *array = kernels ? json_node_get_array(kernels) : NULL;
    for (guint i = 0; i < result_length(array); i++) {
        JsonNode *kernel = json_array_get_element(array, i);
        if (result_flag(kernel, "measured", true) && result_number(kernel, "ctas") > 1)
            return latency_is_of_a_chain(result);
    }
    return array || latency_is_of_a_chain(result);
}

/* --- its parts -------------------------------------------------------------------------------- */

/* What each stage's time can be taken for; NULL: nothing shortens it by itself. */
typedef struct {
    const char *of[STAGE_COUNT];
} Components;

/* Servers of the component did nothing: nobody has waited for them. */
static gboolean is_idle(const GPtrArray *list, const char *component)
{
    gboolean found = FALSE;
    for (guint i = 0; i < list->len; i++) {
        const Pressure *pressure = list->pdata[i];
        if (!pressure->server || g_strcmp0(pressure_component(pressure), component) != 0) continue;
        if (pressure->use > 0) return FALSE;
        found = TRUE;
    }
    return found;
}

/* A replay without bank conflicts was refused, and waited for what others had. */
static Components list_components(const GPtrArray *list)
{
    Components components;
    for (guint s = 0; s < STAGE_COUNT; s++) {
        const char *component = stage_component(s);
        const gboolean none = component && stage_kind(s) == STAGE_WAIT && is_idle(list, component);
        components.of[s] = none ? NULL : component;
    }
    return components;
}

/* Nobody waits for a store. */
static gboolean is_waited_for(const char *request_class)
{
    return strcmp(request_class, "store") != 0;
}

typedef struct {
    double stage[STAGE_COUNT], latency;
} LatencySums;

static void add_up(LatencySums *sums, const LatencySums *one)
{
    for (guint s = 0; s < STAGE_COUNT; s++) sums->stage[s] += one->stage[s];
    sums->latency += one->latency;
}

static LatencySums read_class(JsonNode *node)
{
    LatencySums sums = {.latency = result_number(node, "latency")};
    for (guint s = 0; s < STAGE_COUNT; s++) {
        const double time = result_number(node, stage_name(s));
        sums.stage[s] = isfinite(time) ? time : 0;
    }
    return sums;
}

/* Most of its time it is behind others, and theirs tells what that waits for. */
static gboolean is_behind_others(const LatencySums *sums, const Components *components)
{
    double behind = 0;
    for (guint s = 0; s < STAGE_COUNT; s++)
        if (stage_kind(s) == STAGE_WAIT && !components->of[s]) behind += sums->stage[s];
    return behind > sums->latency / 2;
}

static LatencySums read_sums(JsonNode *result, const Components *components)
{
    LatencySums sums = {.latency = 0};
    JsonNode *all = result_member(result, "stages");
    if (!all || !JSON_NODE_HOLDS_OBJECT(all)) return sums;
    JsonObjectIter iter;
    const char *name;
    JsonNode *node;
    json_object_iter_init_ordered(&iter, json_node_get_object(all));
    while (json_object_iter_next_ordered(&iter, &name, &node)) {
        const LatencySums one = read_class(node);
        if (is_waited_for(name) && !is_behind_others(&one, components)) add_up(&sums, &one);
    }
    return sums;
}

static double time_of(const LatencySums *sums, const Components *components, const char *component)
{
    double time = 0;
    for (guint s = 0; s < STAGE_COUNT; s++)
        if (!g_strcmp0(components->of[s], component)) time += sums->stage[s];
    return time;
}

static Stage longest_of(const LatencySums *sums, const Components *components,
                        const char *component)
{
    guint longest = STAGE_COUNT;
    for (guint s = 0; s < STAGE_COUNT; s++)
        if (!g_strcmp0(components->of[s], component)
            && (longest == STAGE_COUNT || sums->stage[s] > sums->stage[longest]))
            longest = s;
    return longest;
}

LatencyPart latency_part(JsonNode *result, const GPtrArray *list)
{
    const Components components = list_components(list);
    const LatencySums sums = read_sums(result, &components);
    LatencyPart part = {NULL, 0, NULL};
    for (guint s = 0; s < STAGE_COUNT; s++) {
        const char *component = components.of[s];
        const double share = component ? time_of(&sums, &components, component) / sums.latency : 0;
        if (share > part.share) part = (LatencyPart){component, share, NULL};
    }
    if (part.component) part.words = stage_summary(longest_of(&sums, &components, part.component));
    return part;
}
