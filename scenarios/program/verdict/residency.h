/* How many warps and CTAs a core has, and whether more of them would be there. */
#pragma once

#include <json-glib/json-glib.h>

#include "scenarios/program/verdict/pressure.h"

/* `list`: of pressure.h. What an SM has resident: "warps", "CTAs". NULL: nothing tells. */
const Pressure *residency_find(const GPtrArray *list, const char *unit);

/* Perfect occupancy has many more warps. */
gboolean residency_is_few(const GPtrArray *list);

/* The grid has more CTAs than have room at once, and what perfect occupancy has more of is full for
 * so much of the time. */
gboolean residency_keeps_out(JsonNode *result, const GPtrArray *list, double share);

/* All CTAs of each launch have room at once. */
gboolean residency_holds_grid(JsonNode *result, const GPtrArray *list);
