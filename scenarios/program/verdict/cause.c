#include "scenarios/program/verdict/cause.h"

#include <math.h>

#include "scenarios/program/verdict/counts.h"

/* Less that comes again is no gain worth a word. */
static const double LEAST = 0.05;

/* Only misses of L2 come there. */
static gboolean serves_misses(const Pressure *pressure)
{
    static const char *const components[] = {"dram_bandwidth", "dram_timing", "scheduler_queue",
                                             "l2_pending", NULL};
    const char *component = pressure_component(pressure);
    return component && g_strv_contains(components, component);
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

/* A larger L2 would take as much away from all that is behind it as comes again. */
const char *cause_behind(JsonNode *result, const GPtrArray *list, const Pressure *end,
                         GString *words)
{
    const double again = serves_misses(end) ? counts_brought_back(result) : 0;
    if (again < LEAST || again < 1 - work_elsewhere(list, end)) return NULL;
    g_string_append_printf(words, "; %.0f %% of the lines that came to L2 it had evicted",
                           again * 100);
    return "l2_capacity";
}
