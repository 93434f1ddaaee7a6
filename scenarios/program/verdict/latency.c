#include "scenarios/program/verdict/latency.h"

#include <math.h>
#include <string.h>

#include "kit/describe/stage.h"
#include "scenarios/program/result/result.h"

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
static gboolean is_behind_others(const LatencySums *sums)
{
    double behind = 0;
    for (guint s = 0; s < STAGE_COUNT; s++)
        if (stage_kind(s) == STAGE_WAIT && !stage_component(s)) behind += sums->stage[s];
    return behind > sums->latency / 2;
}

static LatencySums read_sums(JsonNode *result)
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
        if (is_waited_for(name) && !is_behind_others(&one)) add_up(&sums, &one);
    }
    return sums;
}

static double time_of(const LatencySums *sums, const char *component)
{
    double time = 0;
    for (guint s = 0; s < STAGE_COUNT; s++)
        if (!g_strcmp0(stage_component(s), component)) time += sums->stage[s];
    return time;
}

static Stage longest_of(const LatencySums *sums, const char *component)
{
    guint longest = 0;
    for (guint s = 0; s < STAGE_COUNT; s++)
        if (!g_strcmp0(stage_component(s), component)
            && (g_strcmp0(stage_component(longest), component)
                || sums->stage[s] > sums->stage[longest]))
            longest = s;
    return longest;
}

LatencyPart latency_part(JsonNode *result)
{
    const LatencySums sums = read_sums(result);
    LatencyPart part = {NULL, 0, NULL};
    for (guint s = 0; s < STAGE_COUNT; s++) {
        const char *component = stage_component(s);
        const double share = component ? time_of(&sums, component) / sums.latency : 0;
        if (share > part.share) part = (LatencyPart){component, share, NULL};
    }
    if (part.component) part.words = stage_summary(longest_of(&sums, part.component));
    return part;
}
