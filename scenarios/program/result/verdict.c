#include "scenarios/program/result/verdict.h"

#include <math.h>
#include <string.h>

#include "kit/describe/decimal.h"
#include "scenarios/program/result/result.h"

/* Above this share of what is practically reachable a resource limits the run; queues are long
 * from there on. */
static const double BUSY = 0.75;
/* What refresh, activations and turns between reading and writing leave of a DRAM bus, about. */
static const double DRAM_REACHABLE = 0.9;
/* A run that had a table full for this share of its look-ups was held up by it. */
static const double OFTEN = 0.05;

const char *const *verdict_groups(void)
{
    static const char *const groups[] = {"cta_dispatcher", "dram", "l1", "sm", "texture", NULL};
    return groups;
}

/* The number in front of a parameter's unit. */
static double parameter(JsonNode *result, const char *path)
{
    const char *text = result_text(result, path);
    double number = 0;
    if (text) decimal_read(text, &number);
    return text ? number : NAN;
}

static double count_of(JsonNode *result, const char *unit_class)
{
    g_autofree char *path = g_strdup_printf("units.%s.count", unit_class);
    return result_number(result, path);
}

static double total_of(JsonNode *result, const char *statistic)
{
    const char *point = strchr(statistic, '.');
    g_autofree char *path =
        g_strdup_printf("units.%.*s.total%s", (int)(point - statistic), statistic, point);
    return result_number(result, path);
}

/* The share of a router's busiest link to a neighbour. */
static double busiest_link(JsonNode *router, double span_fs)
{
    static const char *const links[] = {"busy_east", "busy_west", "busy_north", "busy_south"};
    double most = 0;
    for (unsigned i = 0; i < G_N_ELEMENTS(links); i++)
        most = fmax(most, result_number(router, links[i]) / span_fs);
    return most;
}

static JsonArray *instances_of(JsonNode *result, const char *unit_class)
{
    g_autofree char *path = g_strdup_printf("units.%s.instances", unit_class);
    JsonNode *node = result_member(result, path);
    return node && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
}

/* Of the crossbar or flow network whose path contains `name`, busy time as a share of its
 * `outputs`; of routers that or, if it is more, the share of the busiest link between two. */
static double network_utilisation(JsonNode *result, const char *name, double outputs)
{
    const double span_fs = result_number(result, "summary.time_ns") * 1e6;
    JsonArray *crossbars = instances_of(result, "crossbar"),
              *routers = instances_of(result, "router");
    if (!crossbars) crossbars = instances_of(result, "flow_network");
    JsonArray *instances = crossbars ? crossbars : routers;
    double exits = NAN, links = NAN;
    for (guint i = 0; instances && i < json_array_get_length(instances); i++) {
        JsonNode *instance = json_array_get_element(instances, i);
        const char *path = result_text(instance, "path");
        if (!path || !strstr(path, name)) continue;
        if (crossbars) return result_number(instance, "busy") / (span_fs * outputs);
        exits = (isnan(exits) ? 0 : exits)
                + result_number(instance, "busy_exits") / (span_fs * outputs);
        links = fmax(links, busiest_link(instance, span_fs));
    }
    return fmax(exits, links);
}

static double lookup_utilisation(JsonNode *result, double cycles)
{
    const double lookups = total_of(result, "l1.wavefronts") + total_of(result, "l1.writes")
                           + total_of(result, "l1.shared_passes");
    return lookups * parameter(result, "parameters.l1.lookup_interval")
           / parameter(result, "parameters.l1.lookups_per_interval")
           / (cycles * count_of(result, "l1"));
}

static double filter_utilisation(JsonNode *result, double cycles)
{
    const double turns = total_of(result, "texture.filter_turns");
    if (!(turns > 0)) return NAN; /* nothing is sampled */
    return turns * parameter(result, "parameters.texture.quad_interval")
           / parameter(result, "parameters.texture.quads") / (cycles * count_of(result, "texture"));
}

/* A data bus without bound bounds nothing. */
static double dram_utilisation(JsonNode *result)
{
    if (!g_strcmp0(result_text(result, "parameters.dram.ideal"), "bandwidth")) return NAN;
    return result_number(result, "summary.dram.bandwidth_gbps")
           / result_number(result, "summary.dram.peak_gbps");
}

GArray *verdict_resources(JsonNode *result)
{
    const double cycles = result_number(result, "summary.core_cycles");
    const double span_fs = result_number(result, "summary.time_ns") * 1e6;
    const double sms = count_of(result, "sm"), slices = count_of(result, "l2_slice");
    const char *links = instances_of(result, "router") ? "of the time its busiest link was busy"
                                                       : "of the time its links were busy";
    const double launches = total_of(result, "cta_dispatcher.ctas");
    const Resource resources[] = {
        {"CTA launch", "busy_cta_launch",
         launches * parameter(result, "parameters.cta_dispatcher.launch_interval") / cycles,
         "of the time the dispatcher was launching"},
        {"SM issue", "busy_sm_issue", total_of(result, "sm.issue_cycles") / (cycles * sms),
         "of the cycles something was issued"},
        {"texture filter", "busy_texture_filter", filter_utilisation(result, cycles),
         "of the time texels were combined"},
        {"L1 look-up", "busy_l1_lookup", lookup_utilisation(result, cycles),
         "of the time the tags were busy"},
        {"L1 data", "busy_l1_data",
         total_of(result, "l1.data_passes") / (cycles * count_of(result, "l1")),
         "of the time the data array was busy"},
        {"request network", "busy_request_network", network_utilisation(result, "request", slices),
         links},
        {"L2 data", "busy_l2_data", total_of(result, "l2_slice.data_busy") / (span_fs * slices),
         "of the time its ports were busy"},
        {"DRAM bus", "busy_dram_bus", dram_utilisation(result), "of peak bandwidth was used"},
        {"reply network", "busy_reply_network", network_utilisation(result, "reply", sms), links},
    };
    GArray *array = g_array_new(FALSE, FALSE, sizeof(Resource));
    g_array_append_vals(array, resources, G_N_ELEMENTS(resources));
    return array;
}

static double pressure(const Resource *resource)
{
    return strcmp(resource->name, "DRAM bus") ? resource->utilisation
                                              : resource->utilisation / DRAM_REACHABLE;
}

static const Resource *find_busiest(const GArray *resources)
{
    const Resource *busiest = NULL;
    for (guint i = 0; i < resources->len; i++) {
        const Resource *resource = &g_array_index(resources, Resource, i);
        if (isfinite(resource->utilisation) && (!busiest || pressure(resource) > pressure(busiest)))
            busiest = resource;
    }
    return busiest;
}

/* How often a full table held requests up. */
typedef struct {
    const char *refused, *lookups, *name, *sentence;
} Table;

static const char *find_full_table(JsonNode *result, char **sentence)
{
    static const Table tables[] = {
        {"l1.refused_prt", "l1.accesses", "outstanding misses",
         "outstanding misses: the pending request tables of L1 were full"},
        {"l1.refused_set", "l1.accesses", "L1 sets",
         "L1 sets: every way of a set was being filled"},
        {"l2_slice.refused_pending", "l2_slice.accesses", "outstanding fetches",
         "outstanding fetches: the L2 slices' pending entries were full"},
    };
    const Table *worst = NULL;
    double most = OFTEN;
    for (unsigned i = 0; i < G_N_ELEMENTS(tables); i++) {
        const double share =
            total_of(result, tables[i].refused) / total_of(result, tables[i].lookups);
        if (!(share > most)) continue;
        most = share;
        worst = &tables[i];
    }
    if (worst) *sentence = g_strdup(worst->sentence);
    return worst ? worst->name : NULL;
}

/* For how long a full place of the texture units held look-ups up. */
typedef struct {
    const char *stalled, *name, *sentence;
} Place;

static const char *find_texture_wait(JsonNode *result, char **sentence)
{
    static const Place places[] = {
        {"texture.stalled_fragment_fifo", "fragment FIFO",
         "the fragment FIFO: texels on their way from memory had all of its places (more: "
         "texture.fragment_fifo)"},
        {"texture.stalled_reorder", "texture reorder buffer",
         "the texture reorder buffer: misses under way had all of its places (more: "
         "texture.reorder_entries)"},
        {"texture.stalled_miss_fifo", "texture miss request FIFO",
         "the texture miss request FIFO: misses come faster than they can leave for L2"},
        {"texture.stalled_blocking", "blocking texture cache",
         "a blocking texture cache: it waits for each miss (texture.run_ahead = no)"},
    };
    const double span_fs = result_number(result, "summary.time_ns") * 1e6;
    const double all = span_fs * count_of(result, "texture");
    const Place *worst = NULL;
    double most = OFTEN;
    for (unsigned i = 0; i < G_N_ELEMENTS(places); i++) {
        const double share = total_of(result, places[i].stalled) / all;
        if (!(share > most)) continue;
        most = share;
        worst = &places[i];
    }
    if (worst)
        *sentence = g_strdup_printf("%s; look-ups waited for it %.0f %% of the time",
                                    worst->sentence, 100 * most);
    return worst ? worst->name : NULL;
}

static char *describe_latency(JsonNode *result)
{
    const double latency = result_number(result, "summary.load_latency_cycles.mean");
    const double warps = result_number(result, "units.sm.total.resident_warps.mean");
    const double room = parameter(result, "parameters.sm.max_warps");
    if (isfinite(result_number(result, "summary.cycles_per_load")))
        return g_strdup("latency: one chain of dependent loads, nothing overlaps");
    if (isfinite(latency) && warps < 0.75 * room)
        return g_strdup_printf(
            "latency: %.1f warps an SM of %.0f possible are too few to hide %.0f cycles a load",
            warps, room, latency);
    return g_strdup("latency: no resource is near its limit and no table is full");
}

/* Both are given. */
static const char *find_bound(JsonNode *result, char **sentence)
{
    g_autoptr(GArray) resources = verdict_resources(result);
    const Resource *busiest = find_busiest(resources);
    if (busiest && pressure(busiest) >= BUSY) {
        *sentence = g_strdup_printf("%s: %.0f %% %s", busiest->name, busiest->utilisation * 100,
                                    busiest->measure);
        return busiest->name;
    }
    const char *cause = find_texture_wait(result, sentence);
    if (!cause) cause = find_full_table(result, sentence);
    if (cause) return cause;
    *sentence = describe_latency(result);
    return "latency";
}

const char *verdict_bound(JsonNode *result, char **sentence)
{
    g_autofree char *unwanted = NULL;
    return find_bound(result, sentence ? sentence : &unwanted);
}

char *verdict_sentence(JsonNode *result)
{
    char *sentence = NULL;
    verdict_bound(result, &sentence);
    return sentence;
}
