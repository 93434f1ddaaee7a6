#include "scenarios/program/verdict/latency.h"

#include <math.h>

#include "kit/describe/stage.h"
#include "scenarios/program/result/result.h"

/* So much of a wait is gained where there is none any more: the rest is waited elsewhere. */
static const double NOT_ELSEWHERE = 0.6;

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

char *latency_words(JsonNode *result, const Pressure *few)
{
    const double latency = result_number(result, "summary.load_latency_cycles.mean");
    if (latency_is_of_a_chain(result))
        return g_strdup("latency: one chain of dependent loads, nothing overlaps");
    if (isfinite(latency) && latency_is_of_one_cta(result))
        return g_strdup_printf("latency: one CTA alone cannot hide %.0f cycles a load", latency);
    if (isfinite(latency) && few)
        return g_strdup_printf(
            "latency: %.1f warps an SM of %.0f possible are too few to hide %.0f cycles a load",
            few->mean, few->capacity, latency);
    return g_strdup("latency: no resource is near its limit and no table is full");
}

/* --- its parts -------------------------------------------------------------------------------- */

/* What each stage's time can be taken for; NULL: nothing shortens it by itself. Of a wait how much
 * the busiest server has to do that is waited for; NAN: there is none. */
typedef struct {
    const char *of[STAGE_COUNT];
    double load[STAGE_COUNT];
} Components;

/* Of the component's busiest server; NAN: it has none. */
static double load_of(const GPtrArray *list, const char *component)
{
    double load = NAN;
    for (guint i = 0; i < list->len; i++) {
        const Pressure *pressure = list->pdata[i];
        if (pressure->server && !g_strcmp0(pressure_component(pressure), component))
            load = fmax(load, pressure->use);
    }
    return load;
}

/* A bus that is always free has no timings either: what waits in front of DRAM waits for the bus if
 * that has as much to do as what keeps them. */
static void count_for_the_bus(Components *components, const GPtrArray *list)
{
    const char *bus = stage_component(STAGE_DRAM_BUS),
               *timing = stage_component(STAGE_SCHEDULER_WAIT);
    const double load = load_of(list, bus);
    if (!(load > 0) || load < components->load[STAGE_SCHEDULER_WAIT]) return;
    for (guint s = 0; s < STAGE_COUNT; s++)
        if (!g_strcmp0(stage_component(s), timing)) components->of[s] = bus;
    components->load[STAGE_SCHEDULER_WAIT] = load;
}

/* Where servers did nothing, as for a replay without bank conflicts, nobody has waited for them,
 * but for what others had. */
static Components list_components(const GPtrArray *list)
{
    Components components;
    for (guint s = 0; s < STAGE_COUNT; s++) {
        const char *component = stage_component(s);
        const gboolean waits = component && stage_kind(s) == STAGE_WAIT;
        components.load[s] = waits ? load_of(list, component) : NAN;
        components.of[s] = components.load[s] == 0 ? NULL : component;
    }
    count_for_the_bus(&components, list);
    return components;
}

static gboolean is_store(const char *request_class)
{
    return g_str_has_suffix(request_class, "store");
}

typedef struct {
    double stage[STAGE_COUNT], latency;
    double all;                 /* with those that are behind others */
    double load_latency, loads; /* of lines of loads from global memory, whatever they wait for */
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

static void count_loads(LatencySums *sums, JsonNode *node)
{
    sums->load_latency += result_number(node, "latency");
    sums->loads += result_number(node, "count");
}

static LatencySums read_sums_of(JsonNode *result, const Components *components, gboolean stores)
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
        if (is_store(name) != stores) continue;
        if (g_str_has_prefix(name, "load_")) count_loads(&sums, node);
        sums.all += one.latency;
        if (!is_behind_others(&one, components)) add_up(&sums, &one);
    }
    return sums;
}

/* Nobody waits for a store, but a kernel that does nothing else ends with its last one. */
static LatencySums read_sums(JsonNode *result, const Components *components)
{
    const LatencySums waited_for = read_sums_of(result, components, FALSE);
    return waited_for.all > 0 ? waited_for : read_sums_of(result, components, TRUE);
}

/* How much longer a load takes than one of its lines on average; NAN: nothing tells. */
static double longer_than_a_line(const LatencySums *sums, JsonNode *result)
{
    const double load = result_core_cycle_ns(result) * 1e6 /* in fs */
                        * result_number(result, "summary.load_latency_cycles.mean");
    return load * sums->loads / sums->load_latency;
}

/* A load is done when the last of its lines is. All have the same way, and what that one takes
 * longer it waits behind others. */
static void wait_for_the_last(LatencySums *sums, JsonNode *result)
{
    const double more = (longer_than_a_line(sums, result) - 1) * sums->latency;
    double waits = 0;
    for (guint s = 0; s < STAGE_COUNT; s++)
        if (stage_kind(s) == STAGE_WAIT) waits += sums->stage[s];
    if (!(more > 0 && waits > 0)) return;
    for (guint s = 0; s < STAGE_COUNT; s++)
        if (stage_kind(s) == STAGE_WAIT) sums->stage[s] *= 1 + more / waits;
    sums->latency += more;
}

static gboolean has_most_work(const Components *components, Stage wait)
{
    for (guint s = 0; s < STAGE_COUNT; s++)
        if (s != wait && components->load[s] >= components->load[wait]) return FALSE;
    return components->load[wait] > 0;
}

/* What waits in front of the request network waits for L2 behind it if that has most work. */
static void count_for_l2(LatencySums *sums, const Components *components)
{
    if (!has_most_work(components, STAGE_L2_QUEUE)) return;
    sums->stage[STAGE_L2_QUEUE] += sums->stage[STAGE_REQUEST_QUEUE];
    sums->stage[STAGE_REQUEST_QUEUE] = 0;
}

/* `of_waits`: so much of what waits for it. */
static double time_of(const LatencySums *sums, const Components *components, const char *component,
                      double of_waits)
{
    double time = 0;
    for (guint s = 0; s < STAGE_COUNT; s++)
        if (!g_strcmp0(components->of[s], component))
            time += sums->stage[s] * (stage_kind(s) == STAGE_WAIT ? of_waits : 1);
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

/* What is shorter elsewhere waits the longer for a server, unless that has nothing to do. */
static double left_beside(const LatencySums *sums, const Components *components,
                          const char *component)
{
    double load = 0;
    for (guint s = 0; s < STAGE_COUNT; s++)
        if (sums->stage[s] > 0 && g_strcmp0(components->of[s], component) != 0)
            load = fmax(load, components->load[s]);
    return 1 - load;
}

LatencyPart latency_part(JsonNode *result, const GPtrArray *list)
{
    const Components components = list_components(list);
    LatencySums sums = read_sums(result, &components);
    count_for_l2(&sums, &components);
    wait_for_the_last(&sums, result);
    LatencyPart part = {.component = NULL};
    double most = 0;
    for (guint s = 0; s < STAGE_COUNT; s++) {
        const char *component = components.of[s];
        const double gained = component ? time_of(&sums, &components, component, NOT_ELSEWHERE) : 0,
                     gain = gained / sums.latency * left_beside(&sums, &components, component);
        if (!(gain > most)) continue;
        most = gain;
        part.component = component;
    }
    if (!part.component) return part;
    const double behind_others = time_of(&sums, &components, NULL, 1);
    part.share = time_of(&sums, &components, part.component, 1) / (sums.latency - behind_others);
    const Stage longest = longest_of(&sums, &components, part.component);
    part.stage = sums.stage[longest] / sums.latency;
    part.words = stage_words(longest);
    return part;
}
