#include "scenarios/program/report/run/advice.h"

#include <string.h>

#include "scenarios/program/result/result.h"
#include "scenarios/program/study/perfect/perfect.h"

enum { KEYS_MOST = 4 };

const char *advice_find(const char *bound)
{
    static const struct {
        const char *bound, *sentence;
    } table[] = {
        {"cta_launch",
         "Thread blocks are too short for the rate at which they start: make each do more."},
        {"issue", "The SMs issue all they can: fewer instructions for each byte, or more SMs."},
        {"texture_bandwidth",
         "The texture units are busy all the time: cheaper filtering, or more quads at once."},
        {"l1_bandwidth",
         "L1 is busy: instructions whose lanes touch fewer lines, or tags that look up more."},
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
        {"l2_capacity",
         "L2 evicts what is wanted again: a larger one, or an order of accesses that comes back "
         "sooner."},
        {"l2_pending",
         "The L2 slices had no room for further fetches: more entries, or faster DRAM."},
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
        {"tail of CTAs",
         "SMs are idle at the end: a grid that fills whole waves, smaller CTAs, or evener ones."},
        {"barriers",
         "Warps wait for each other: evener work for those of a CTA, or fewer barriers."},
        {"occupancy",
         "Nothing is full, requests just take their time: more of them at once (warps, or "
         "independent loads in a warp), or a shorter way."},
    };
    for (guint i = 0; bound && i < G_N_ELEMENTS(table); i++)
        if (!strcmp(table[i].bound, bound)) return table[i].sentence;
    return NULL;
}

static const char *value_of(gconstpointer result, const char *name)
{
    g_autofree char *path = g_strconcat("parameters.", name, NULL);
    return result_text((JsonNode *)(uintptr_t)result, path);
}

/* A parameter may stand in a component for several values. */
char *advice_keys(const char *component, JsonNode *result)
{
    g_autoptr(GPtrArray) keys = g_ptr_array_new();
    const PerfectComponent *found = perfect_find(component);
    for (guint i = 0; found && i < found->settings->len && keys->len < KEYS_MOST; i++) {
        const PerfectSetting *setting = &g_array_index(found->settings, PerfectSetting, i);
        if ((!result || perfect_holds(setting->only_if, value_of, result))
            && !g_ptr_array_find_with_equal_func(keys, setting->name, g_str_equal, NULL))
            g_ptr_array_add(keys, setting->name);
    }
    g_ptr_array_add(keys, NULL);
    return g_strjoinv(", ", (char **)keys->pdata);
}
