#include "scenarios/program/verdict/units.h"

#include "scenarios/program/verdict/flow.h"
#include "scenarios/program/verdict/slots.h"

/* It has a part in the time of units, and is none itself. */
static gboolean holds_up_units(const GPtrArray *list, const Pressure *pressure)
{
    for (guint i = 0; i < list->len; i++)
        if (flow_executes(list->pdata[i]) && pressure_refuses(pressure, list->pdata[i]))
            return TRUE;
    return FALSE;
}

static gboolean is_unit(const GPtrArray *list, const Pressure *pressure)
{
    return flow_executes(pressure) && !holds_up_units(list, pressure);
}

const Pressure *units_most_strained(const GPtrArray *list, gboolean of_units)
{
    const Pressure *most = NULL;
    for (guint i = 0; i < list->len; i++) {
        const Pressure *pressure = list->pdata[i];
        if (!(of_units ? is_unit(list, pressure) : flow_issues(list, pressure))) continue;
        if (!most || pressure_strain(pressure) > pressure_strain(most)) most = pressure;
    }
    return most;
}

const Pressure *units_find_behind(JsonNode *result, const GPtrArray *list, const Pressure *unit,
                                  double full)
{
    for (guint i = 0; i < list->len; i++) {
        const Pressure *other = list->pdata[i];
        if (pressure_refuses(other, unit) && slots_of(result, other->title) > full / 2)
            return other;
    }
    return NULL;
}
