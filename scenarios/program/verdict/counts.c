#include "scenarios/program/verdict/counts.h"

#include <math.h>

#include "kit/describe/role.h"
#include "platform/machine/machine.h"
#include "scenarios/program/result/result.h"

double counts_of(JsonNode *result, StatMeaning meaning)
{
    for (const UnitClass *const *class = machine_unit_classes(); *class; class ++) {
        const Stat *stat = stat_that_means((*class)->stats, meaning);
        if (!stat) continue;
        g_autofree char *path = g_strconcat("units.", (*class)->name, ".total.", stat->name, NULL);
        return result_number(result, path);
    }
    return NAN;
}
