#include "scenarios/program/verdict/cause.h"

#include <math.h>

#include "scenarios/program/verdict/counts.h"
#include "scenarios/program/verdict/words.h"

/* Less that comes again is no gain worth a word. */
static const double LEAST = 0.05;
/* Of what others leave a faster server gains so much: these are not busy all the time either. */
static const double IN_FACT = 0.65;
/* Of what another one may gain. */
static const double MOST = 0.8;

/* A cache of which lines come back that it had evicted. Of those that SMs have each has its share
 * of all lines that come to them; a ROP's cache of these and its own. */
typedef struct {
    const char *component, *name;
    StatMeaning back, all[3];
    const char *const *behind; /* components that serve its misses only, and stores */
    StatMeaning written;       /* bytes that a larger one would keep; NOTHING: it keeps none */
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
     behind_sms,
     MEANS_NOTHING},
    {"texture_cache",
     "a texture cache",
     MEANS_TEXTURE_LINES_BROUGHT_BACK,
     {MEANS_L1_LINES_BROUGHT, MEANS_TEXTURE_LINES_BROUGHT},
     behind_sms,
     MEANS_NOTHING},
    {"rop_atomics",
     "a ROP's cache",
     MEANS_ROP_LINES_BROUGHT_BACK,
     {MEANS_ROP_LINES_BROUGHT, MEANS_L1_LINES_BROUGHT, MEANS_TEXTURE_LINES_BROUGHT},
     behind_rop,
     MEANS_ROP_BYTES_WRITTEN_BACK},
    {"shared_l1_capacity",
     "a shared L1",
     MEANS_SHARED_L1_LINES_BROUGHT_BACK,
     {MEANS_SHARED_L1_LINES_BROUGHT},
     behind_shared_l1,
     MEANS_NOTHING},
    {"l2_capacity",
     "L2",
     MEANS_L2_LINES_BROUGHT_BACK,
     {MEANS_L2_LINES_BROUGHT},
     behind_l2,
     MEANS_BYTES_DIRTIED},
    {"memory_cache_capacity",
     "a memory-side cache",
     MEANS_MEMORY_CACHE_LINES_BROUGHT_BACK,
     {MEANS_MEMORY_CACHE_LINES_BROUGHT},
     behind_memory_cache,
     MEANS_BYTES_DIRTIED},
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

/* Of what DRAM carries what is written, and would be kept: of what becomes dirty in L2 as much as
 * the cache writes back itself. */
static double share_written(JsonNode *result, const Cache *cache, const char *component)
{
    const double to = known(result, MEANS_BYTES_TO_DRAM),
                 all = to + known(result, MEANS_BYTES_FROM_DRAM),
                 dirtied = known(result, MEANS_BYTES_DIRTIED);
    if (!(dirtied > 0) || !g_strv_contains(behind_memory_cache, component)) return 0;
    return to / all * fmin(known(result, cache->written) / dirtied, 1);
}

/* Of the component's work. */
static double share_saved(JsonNode *result, const Cache *cache, const char *component)
{
    const double written = share_written(result, cache, component);
    return written + (1 - written) * share_that_goes_on(result, cache, component);
}

/* Of the busiest server of none of these components: so much is left where they have no work. */
static double work_beside(const GPtrArray *list, const char *const *components)
{
    double work = 0;
    for (guint i = 0; i < list->len; i++) {
        const Pressure *other = list->pdata[i];
        const char *component = pressure_component(other);
        if (other->server && !(component && g_strv_contains(components, component)))
            work = fmax(work, pressure_strain(other));
    }
    return work;
}

static const Pressure *find_including(const GPtrArray *list, const char *component)
{
    for (guint i = 0; component && i < list->len; i++) {
        const Pressure *other = list->pdata[i];
        if (other->server && other->row && !g_strcmp0(other->row->includes, component))
            return other;
    }
    return NULL;
}

/* What leaves much less than the one that includes it. NULL: there is none, or it does not. */
static const Pressure *find_wider(const GPtrArray *list, const Pressure *end)
{
    const char *own = pressure_component(end);
    const Pressure *wider = find_including(list, own);
    if (!wider) return NULL;
    const char *const without[] = {own, NULL}, *const all[] = {own, pressure_component(wider),
                                                               NULL};
    const double gain = 1 - work_beside(list, without), of_wider = 1 - work_beside(list, all);
    return gain < MOST * of_wider ? wider : NULL;
}

static void say_saved(GString *words, JsonNode *result, const Cache *cache, const char *component)
{
    const double again = share_back(result, cache),
                 written = share_written(result, cache, component);
    if (again >= LEAST)
        g_string_append_printf(words, "; %.0f %% of the lines that came to %s it had evicted",
                               again * 100, cache->name);
    if (written >= LEAST)
        g_string_append_printf(words, "; %.0f %% of what DRAM carries %s had to write back",
                               written * 100, cache->name);
}

/* What comes again, and what it would keep, a larger cache takes away from all that is behind it;
 * what is in front of it has as much to do. */
static double gain_of(JsonNode *result, const GPtrArray *list, const Cache *cache,
                      const char *component)
{
    if (!is_in_front(cache, component) || !(lines_to(result, cache) > 0)) return 0;
    return fmin(share_saved(result, cache, component), 1 - work_beside(list, cache->behind));
}

/* Of several the first that gains nearly as much as any: it takes away from more. */
static const char *find_cache(JsonNode *result, const GPtrArray *list, const Pressure *end,
                              GString *words)
{
    const char *component = pressure_component(end);
    const char *const own[] = {component, end->row ? end->row->includes : NULL, NULL};
    if (!component) return NULL;
    double least = fmax(LEAST, IN_FACT * (1 - work_beside(list, own)));
    const Cache *first = NULL;
    for (const Cache *cache = caches + G_N_ELEMENTS(caches); cache-- > caches;) {
        const double gain = gain_of(result, list, cache, component);
        if (gain < least) continue;
        first = cache;
        least = fmax(least, MOST * gain);
    }
    if (first) say_saved(words, result, first, component);
    return first ? first->component : NULL;
}

/* What ends a way waits for nobody: a channel is long for its room. */
const char *cause_relief(JsonNode *result, const GPtrArray *list, const Pressure *end,
                         GString *words)
{
    const char *shorter = pressure_of_length(end);
    if (shorter) return shorter;
    const Pressure *wider = find_wider(list, end);
    if (wider) {
        g_string_append(words, "; behind it ");
        words_say_resource(words, list, wider);
        end = wider;
    }
    const char *cache = find_cache(result, list, end, words);
    return cache ? cache : pressure_component(end);
}
