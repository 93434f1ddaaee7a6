#include "scenarios/program/verdict/cause.h"

#include <math.h>

#include "scenarios/program/verdict/counts.h"

/* Less that comes again is no gain worth a word. */
static const double LEAST = 0.05;

/* A cache of which lines come back that it had evicted. Of those that SMs have each has its share
 * of all lines that come to them; a ROP's cache of these and its own. */
typedef struct {
    const char *component, *name;
    StatMeaning back, all[3];
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
/* ... and itself, since it is behind no other. */
static const char *const behind_rop[] = {BEHIND_L2, "l2_bandwidth", "rop_atomics", NULL};
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
    {"rop_atomics",
     "a ROP's cache",
     MEANS_ROP_LINES_BROUGHT_BACK,
     {MEANS_ROP_LINES_BROUGHT, MEANS_L1_LINES_BROUGHT, MEANS_TEXTURE_LINES_BROUGHT},
     behind_rop},
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

/* Lines that come; 0: the machine has none of them, or no line came. */
static double lines_to(JsonNode *result, const Cache *cache)
{
    double lines = 0;
    for (guint i = 0; i < G_N_ELEMENTS(cache->all); i++) lines += known(result, cache->all[i]);
    return lines;
}

static gboolean is_in_front(const Cache *cache, const char *component)
{
    return g_strv_contains(cache->behind, component);
}

/* Of the lines that come; of a sample, so that it may be more than all. */
static double share_back(JsonNode *result, const Cache *cache)
{
    const double all = lines_to(result, cache);
    return all > 0 ? fmin(known(result, cache->back) / all, 1) : 0;
}

/* What comes to the one may go on to the other: all that is behind that is behind this. */
static gboolean leads_to(const Cache *cache, const Cache *other)
{
    if (other->behind == cache->behind) return FALSE;
    for (const char *const *component = other->behind; *component; component++)
        if (!is_in_front(cache, *component)) return FALSE;
    return TRUE;
}

/* What comes again to it goes on to the component only if it comes again to all caches between,
 * too: at most so much of the lines, to some of which stores give places without bringing them. */
static double share_that_goes_on(JsonNode *result, const Cache *cache, const char *component)
{
    double all = lines_to(result, cache), back = known(result, cache->back);
    for (const Cache *other = caches; other < caches + G_N_ELEMENTS(caches); other++) {
        if (!leads_to(cache, other) || !is_in_front(other, component)) continue;
        if (!(lines_to(result, other) > 0)) continue;
        all = fmin(all, lines_to(result, other));
        back = fmin(back, known(result, other->back));
    }
    return all > 0 ? fmin(back / all, 1) : 0;
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
    const double least = component ? fmax(LEAST, 1 - work_elsewhere(list, end)) : 1;
    const Cache *most = NULL;
    double again = 0;
    for (guint i = 0; component && i < G_N_ELEMENTS(caches); i++) {
        const Cache *cache = &caches[i];
        const double share = share_back(result, cache);
        if (share <= again || !is_in_front(cache, component)
            || share_that_goes_on(result, cache, component) < least)
            continue;
        most = cache;
        again = share;
    }
    if (!most) return NULL;
    g_string_append_printf(words, "; %.0f %% of the lines that came to %s it had evicted",
                           again * 100, most->name);
    return most->component;
}
