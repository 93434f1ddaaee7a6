#include "scenarios/program/verdict/slots.h"

#include <math.h>

#include "platform/machine/machine.h"
#include "scenarios/program/result/result.h"

static double read_time(JsonNode *result, const UnitClass *class, const Stat *stat)
{
    g_autofree char *path = g_strdup_printf("units.%s.total.%s", class->name, stat->name);
    const double time = result_number(result, path);
    return isfinite(time) ? time : 0; /* what is 0 may be left out */
}

gboolean slots_read(JsonNode *result, SlotShares *shares)
{
    double sum = 0;
    *shares = (SlotShares){.share = {0}};
    for (const UnitClass *const *class = machine_unit_classes(); *class; class ++)
        for (const Stat *stat = (*class)->stats; stat && stat->name; stat++) {
            if (stat->slots == SLOTS_NONE) continue;
            const double time = read_time(result, *class, stat);
            shares->share[stat->slots] += time;
            sum += time;
        }
    for (guint kind = 0; sum > 0 && kind < SLOTS_KINDS; kind++) shares->share[kind] /= sum;
    return sum > 0;
}

double slots_active(const SlotShares *shares)
{
    const double idle =
        shares->share[SLOTS_LAUNCH] + shares->share[SLOTS_TAIL] + shares->share[SLOTS_OUTSIDE];
    return fmax(1 - idle, 1e-6);
}
