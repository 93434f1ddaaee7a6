#include "scenarios/program/verdict/cause.h"

#include <math.h>

#include "scenarios/program/verdict/counts.h"

/* Less that comes again is no gain worth a word. */
static const double LEAST = 0.05;

/* A cache of which lines come back that it had evicted. Of those that SMs have each has its share
 * of all lines that come to them. */
typedef struct {
    const char *component, *name;
    StatMeaning back, all[2];
    const char *const *behind; /* components that serve its misses only, and stores */
} Cache;

#define BEHIND_MEMORY_CACHE                                                                        \
    "dram_bandwidth", "dram_timing", "scheduler_queue", "memory_cache_pending"
#define BEHIND_L2 BEHIND_MEMORY_CACHE, "l2_pending", "memory_cache_bandwidth"
#define BEHIND_SHARED_L1 BEHIND_L2, "request_network", "reply_network", "l2_halves", "l2_bandwidth"
#define BEHIND_SMS BEHIND_SHARED_L1, "shared_l1", "pending_request_table"

static const char *const behind_memory_cache[] = {BEHIND_MEMORY_CACHE, NULL};
static const char *const behind_l2[] = {BEHIND_L2, NULL};
static const char *const behind_shared_l1[] = {BEHIND_SHARED_L1, NULL};
static const char *const behind_sms[] = {BEHIND_SMS, NULL};
static const Cache caches[] = {
    {"l1_capacity",
     "an L1",
     MEANS_L1_LINES_BROUGHT_BACK,
     {MEANS_L1_LINES_BROUGHT, MEANS_TEXTURE_LINES_BROUGHT},
     behind_sms},
    {"texture_cache",
     "a texture cache",
     MEANS_TEXTURE_LINES_BROUGHT_BACK,
     {MEANS_L1_LINES_BROUGHT, MEANS_TEXTURE_LINES_BROUGHT},
     behind_sms},
    {"shared_l1_capacity",
     "a shared L1",
     MEANS_SHARED_L1_LINES_BROUGHT_BACK,
     {MEANS_SHARED_L1_LINES_BROUGHT},
     behind_shared_l1},
    {"l2_capacity", "L2", MEANS_L2_LINES_BROUGHT_BACK, {MEANS_L2_LINES_BROUGHT}, behind_l2},
    {"memory_cache_capacity",
     "a memory-side cache",
     MEANS_MEMORY_CACHE_LINES_BROUGHT_BACK,
     {MEANS_MEMORY_CACHE_LINES_BROUGHT},
     behind_memory_cache},
};

static double known(JsonNode *result, StatMeaning meaning)
{
    const double count = meaning == MEANS_NOTHING ? 0 : counts_of(result, meaning);
    return isfinite(count) ? count : 0;
}

/* Of the lines that come; of a sample, so that it may be more than all. */
static double share_back(JsonNode *result, const Cache *cache)
{
    const double all = known(result, cache->all[0]) + known(result, cache->all[1]);
    return all > 0 ? fmin(known(result, cache->back) / all, 1) : 0;
}

/* Of the busiest server of another component: a faster `end` gains no more than that leaves. */
static double work_elsewhere(const GPtrArray *list, const Pressure *end)
{
    double work = 0;
    for (guint i = 0; i < list->len; i++) {
        const Pressure *other = list->pdata[i];
        if (other->server && g_strcmp0(pressure_component(other), pressure_component(end)) != 0)
            work = fmax(work, pressure_strain(other));
    }
    return work;
}

/* A larger cache would take as much away from all that is behind it as comes again: of several the
 * one to which most does. */
const char *cause_behind(JsonNode *result, const GPtrArray *list, const Pressure *end,
                         GString *words)
{
    const char *component = pressure_component(end);
    const Cache *most = NULL;
    double again = 0;
    for (guint i = 0; component && i < G_N_ELEMENTS(caches); i++) {
        const double share = share_back(result, &caches[i]);
        if (share <= again || !g_strv_contains(caches[i].behind, component)) continue;
        most = &caches[i];
        again = share;
    }
    if (again < LEAST || again < 1 - work_elsewhere(list, end)) return NULL;
    g_string_append_printf(words, "; %.0f %% of the lines that came to %s it had evicted",
                           again * 100, most->name);
    return most->component;
}
