#include "scenarios/program/verdict/residency.h"

#include <math.h>

#include "kit/describe/decimal.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/study/perfect/perfect.h"
#include "scenarios/program/verdict/flow.h"
#include "scenarios/program/verdict/slots.h"

/* With more of the warps that a core may have it is not them that are missing. */
static const double MANY = 0.75;
/* Means of two rows are rounded, each for itself. */
static const double ROUNDED = 0.01;

const Pressure *residency_find(const GPtrArray *list, const char *unit)
{
    for (guint i = 0; i < list->len; i++) {
        const Pressure *pressure = list->pdata[i];
        if (flow_holds_ctas(pressure) && !g_strcmp0(pressure->row->unit, unit)) return pressure;
    }
    return NULL;
}

/* How many a core has where occupancy is perfect: no fewer than it has room for as it is. INFINITY:
 * no number says. */
static double perfect_room(const Pressure *place)
{
    const Param *param = class_find_capacity(place->class, place->row);
    for (const PerfectRole *role = param ? param->perfect : NULL; role && role->component; role++) {
        double least = 0;
        const char *text = perfect_least(role->value),
                   *end = text ? decimal_read(text, &least) : NULL;
        if (end && !*end) return fmax(place->capacity, least);
    }
    return INFINITY;
}

gboolean residency_is_few(const GPtrArray *list)
{
    const Pressure *warps = residency_find(list, "warps");
    return warps && warps->mean < MANY * perfect_room(warps);
}

/* The parameter that is its capacity, or the first that it rests on. */
static const Param *find_param(const Pressure *place)
{
    const Param *capacity = class_find_capacity(place->class, place->row);
    if (capacity || !place->row->rests_on) return capacity;
    const char *rests_on = place->row->rests_on;
    const size_t length = strcspn(rests_on, " ");
    for (const Param *param = place->class->params; param->name; param++)
        if (strlen(param->name) == length && !strncmp(param->name, rests_on, length)) return param;
    return NULL;
}

/* Perfect occupancy leaves shared memory that is part of L1's array as it is. */
static gboolean may_grow(JsonNode *result, const Pressure *place)
{
    if (!result_member(result, "parameters")) return TRUE;
    const Param *param = find_param(place);
    for (const PerfectRole *role = param ? param->perfect : NULL; role && role->component; role++)
        if (!perfect_holds(role->only_if, result_parameter, result)) return FALSE;
    return TRUE;
}

/* Of CTAs as they are, where the place has `capacity`. */
static double ctas_in(const Pressure *ctas, const Pressure *place, double capacity)
{
    return floor(ctas->mean * capacity / place->mean + ROUNDED);
}

/* Where all places are as large as perfect occupancy has them no more may be there. */
static gboolean others_hold_more(const GPtrArray *list, const Pressure *ctas, double room)
{
    for (guint i = 0; i < list->len; i++) {
        const Pressure *place = list->pdata[i];
        if (flow_holds_ctas(place) && ctas_in(ctas, place, perfect_room(place)) <= room)
            return FALSE;
    }
    return TRUE;
}

/* A grid of which all CTAs have room at once has none to come. */
static gboolean keeps_out(JsonNode *result, const GPtrArray *list, const Pressure *place,
                          double share)
{
    const Pressure *ctas = residency_find(list, "CTAs");
    if (!flow_holds_ctas(place) || place->full < share || !may_grow(result, place)) return FALSE;
    if (!ctas) return TRUE;
    const double room = ctas_in(ctas, place, place->capacity);
    return !slots_fit_at_once(result, room) && others_hold_more(list, ctas, room);
}

gboolean residency_keeps_out(JsonNode *result, const GPtrArray *list, double share)
{
    for (guint i = 0; i < list->len; i++)
        if (keeps_out(result, list, list->pdata[i], share)) return TRUE;
    return FALSE;
}

gboolean residency_holds_grid(JsonNode *result, const GPtrArray *list)
{
    const Pressure *ctas = residency_find(list, "CTAs");
    for (guint i = 0; ctas && i < list->len; i++) {
        const Pressure *place = list->pdata[i];
        if (flow_holds_ctas(place)
            && !slots_fit_at_once(result, ctas_in(ctas, place, place->capacity)))
            return FALSE;
    }
    return ctas != NULL;
}
