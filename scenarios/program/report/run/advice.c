#include "scenarios/program/report/run/advice.h"

#include <string.h>

#include "platform/machine/shared_groups.h"
#include "scenarios/program/origin/rests_on.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/study/perfect/doubling.h"

enum { KEYS_MOST = 5 };

static const struct {
    const char *bound, *sentence;
} sentences[] = {
    {"cta_launch",
     "Thread blocks are too short for the rate at which they start: make each do more."},
    {"issue", "The SMs issue all they can: fewer instructions for each byte, or more SMs."},
    {"register_file",
     "Units wait for their operands: registers of an instruction in different banks, or banks "
     "that read more."},
    {"texture_bandwidth",
     "The texture units are busy all the time: cheaper filtering, or more quads at once."},
    {"l1_bandwidth",
     "L1 is busy: instructions whose lanes touch fewer lines, or tags that look up more."},
    {"shared_l1",
     "The cache that SMs share is busy: more hits in L1, fewer SMs a cache, or one that looks up "
     "or reads more."},
    {"bank_conflicts",
     "L1's data array is busy: an order of accesses with fewer bank conflicts, or wider "
     "banks."},
    {"request_network",
     "The way from the SMs to L2 is full, as a rule of what is stored: fewer or fuller stores, "
     "or wider links."},
    {"l2_bandwidth", "The ports of L2's data arrays are busy: more slices, or wider ports."},
    {"dram_bandwidth",
     "DRAM moves almost all that it can: move fewer bytes (a larger L2, denser accesses), or "
     "faster DRAM."},
    {"dram_timing",
     "DRAM's banks open rows most of the time: an order of accesses that stays in rows, more "
     "banks, or faster ones."},
    {"reply_network", "The way from L2 to the SMs is full: more hits in L1, or wider links."},
    {"pending_request_table",
     "L1 had no room for further misses: more entries, or a shorter way to wait for."},
    {"l1_capacity",
     "All ways of a set were being filled: more ways, or a set index that spreads lines."},
    {"shared_l1_capacity",
     "The cache that SMs share evicts what is wanted again: a larger one, or fewer SMs a cache."},
    {"l2_capacity",
     "L2 evicts what is wanted again: a larger one, or an order of accesses that comes back "
     "sooner."},
    {"l2_pending", "The L2 slices had no room for further fetches: more entries, or faster DRAM."},
    {"memory_cache_capacity",
     "Memory-side caches evict what is wanted again: larger ones, or an order of accesses that "
     "comes back sooner."},
    {"memory_cache_bandwidth",
     "The ports of memory-side caches are busy: wider ports, more of them (DRAM channels), or "
     "more hits in L2."},
    {"memory_cache_pending",
     "Memory-side caches had no room for further fetches: more entries, or faster DRAM."},
    {"translation",
     "Addresses are translated too slowly: larger pages, more entries or ports of the TLBs."},
    {"paging",
     "Pages come from the host all the time: more DRAM, fewer arrays at once, or accesses that "
     "stay in pages that are there."},
    {"fragment_fifo", "Texels on their way filled the texture units' queues: longer ones."},
    {"rop_atomics",
     "The ROPs are busy: fewer atomics (sums in shared memory first), or more words at once."},
    {"arithmetic_latency",
     "Instructions wait for those before them: more warps, or independent ones in a warp."},
    {"unlike kernels",
     "What one kernel gains, others do not: look at the longest ones by themselves (--kernel)."},
    {"tail of CTAs",
     "SMs are idle at the end: a grid that fills whole waves, smaller CTAs, or evener ones."},
    {"barriers", "Warps wait for each other: evener work for those of a CTA, or fewer barriers."},
    {"occupancy", "Nothing is full, requests just take their time: more of them at once (warps, or "
                  "independent loads in a warp), or a shorter way."},
};

const char *advice_find(const char *bound)
{
    for (guint i = 0; bound && i < G_N_ELEMENTS(sentences); i++)
        if (!strcmp(sentences[i].bound, bound)) return sentences[i].sentence;
    return NULL;
}

/* How busy a link between stops is depends on where it is. */
static bool has_neighbours(const UnitClass *class)
{
    for (const ChannelRow *row = machine_channel_rows(); row->to; row++)
        if (row->mapping == CHANNEL_NEIGHBOURS && !strcmp(row->from, class->name)) return true;
    return false;
}

static bool is_spread(const char *component)
{
    const PerfectComponent *found = component ? perfect_find(component) : NULL;
    bool spread = false;
    for (const Param *param = address_map_group.params; found && param->name; param++)
        spread |= perfect_has_design(found, param);
    return spread;
}

/* Addresses are spread over its instances, and badly. */
static bool is_camped_on(const Pressure *bound)
{
    return bound && bound->row && bound->class->place >= PLACE_NETWORK && pressure_is_uneven(bound)
           && !has_neighbours(bound->class) && is_spread(pressure_component(bound));
}

const char *advice_of(const Pressure *bound)
{
    if (!is_camped_on(bound)) return NULL;
    return "One of them has the work of many: spread addresses over all of them.";
}

/* --- what to vary ----------------------------------------------------------------------------- */

static bool has_units(const char *class, gconstpointer result)
{
    g_autofree char *path = g_strconcat("units.", class, NULL);
    return result_member((JsonNode *)(uintptr_t)result, path);
}

static bool is_there(const char *name, JsonNode *result)
{
    g_auto(GStrv) words = g_strsplit(name, ".", 2);
    return result_parameter(result, name)
           && machine_concerns(words[0], words[1], has_units, result);
}

/* Once, and as many as anybody would read. */
static void add_key(GPtrArray *keys, const char *name, JsonNode *result)
{
    if (keys->len < KEYS_MOST && (!result || is_there(name, result))
        && !g_ptr_array_find_with_equal_func(keys, name, g_str_equal, NULL))
        g_ptr_array_add(keys, g_strdup(name));
}

static void add_name(GPtrArray *keys, const ParamGroup *group, const Param *param, JsonNode *result)
{
    g_autofree char *name = g_strconcat(group->name, ".", param->name, NULL);
    add_key(keys, name, result);
}

static void add_rests(GPtrArray *keys, const Pressure *bound, JsonNode *result)
{
    g_autoptr(GPtrArray) names = rests_on_names(bound);
    for (guint i = 0; i < names->len; i++) add_key(keys, names->pdata[i], result);
}

typedef bool (*IsStep)(const PerfectComponent *component, const char *group, const Param *param);

/* Where all slices have as much to do another hash changes nothing. */
static bool is_design(const PerfectComponent *component, const char *group, const Param *param)
{
    return strcmp(group, address_map_group.name) && perfect_has_design(component, param);
}

static bool is_part(const PerfectComponent *component, const char *group, const Param *param)
{
    (void)group;
    return param->doubling && perfect_has_part(component, param);
}

static bool is_doubling(const PerfectComponent *component, const char *group, const Param *param)
{
    return param->doubling && perfect_is_relieved(component, group, param);
}

/* Where it is part of the component the machine must be such that it is. */
static bool has_effect(const PerfectComponent *component, const char *name, JsonNode *result)
{
    bool listed = false, holds = false;
    for (guint i = 0; result && i < component->settings->len; i++) {
        const PerfectSetting *setting = &g_array_index(component->settings, PerfectSetting, i);
        const bool own = !strcmp(setting->name, name);
        listed |= own;
        holds |= own && perfect_holds(setting->only_if, result_parameter, result);
    }
    return holds || !listed;
}

static void add_steps(GPtrArray *keys, const PerfectComponent *component, IsStep is_step,
                      JsonNode *result)
{
    for (const ParamGroup *const *group = machine_groups(); *group; group++)
        for (const Param *param = (*group)->params; param && param->name; param++) {
            g_autofree char *name = g_strconcat((*group)->name, ".", param->name, NULL);
            if (is_step(component, (*group)->name, param) && has_effect(component, name, result))
                add_key(keys, name, result);
        }
}

char *advice_keys(const char *component, const Pressure *bound, JsonNode *result)
{
    g_autoptr(GPtrArray) keys = g_ptr_array_new_with_free_func(g_free);
    const PerfectComponent *found = component ? perfect_find(component) : NULL;
    for (const Param *param = address_map_group.params; is_camped_on(bound) && param->name; param++)
        add_name(keys, &address_map_group, param, result);
    if (bound) add_rests(keys, bound, result);
    if (found && bound) add_steps(keys, found, is_design, result);
    if (found) add_steps(keys, found, is_part, result);
    if (found) add_steps(keys, found, is_doubling, result);
    g_ptr_array_add(keys, NULL);
    return g_strjoinv(", ", (char **)keys->pdata);
}
