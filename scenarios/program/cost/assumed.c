#include "scenarios/program/cost/assumed.h"

#include <math.h>
#include <string.h>

#include "platform/cost/energy.h"
#include "scenarios/program/origin/place.h"
#include "scenarios/program/result/result.h"

/* Where the value is the program's own, its text says it. */
static bool is_assumed(JsonNode *result, const Param *param)
{
    g_autofree char *path = g_strconcat("origins.energy.", param->name, NULL);
    const char *origin = result_text(result, path);
    if (!origin) return false;
    if (strcmp(origin, "default") != 0) return g_str_has_suffix(origin, PLACE_ASSUMED);
    return strstr(param->summary, "assumed") || strstr(param->summary, "not checked");
}

/* uJ that would not be without the figure. */
static double uj_of(JsonNode *result, const Param *param)
{
    g_autofree char *path = g_strconcat("consumption.figures.", param->name, NULL);
    const double uj = result_number(result, path);
    return isfinite(uj) ? uj : 0;
}

double energy_assumed_share(JsonNode *result, const char **most)
{
    const double events = result_number(result, "consumption.events_uj");
    double sum = 0, largest = 0;
    *most = NULL;
    if (!(events > 0)) return 0;
    for (const Param *param = energy_group.params; param->name; param++) {
        const double uj = is_assumed(result, param) ? uj_of(result, param) : 0;
        sum += uj;
        if (uj > largest) *most = param->name;
        largest = MAX(largest, uj);
    }
    return MIN(sum / events, 1);
}

char *energy_assumed_sentence(JsonNode *result)
{
    const char *most;
    const double share = energy_assumed_share(result, &most);
    return share > 0.5 ? g_strdup_printf("; of its events %.0f %% rest on assumed figures, most on "
                                         "energy.%s",
                                         100 * share, most)
                       : g_strdup("");
}
