/* The servers of a core: what executes instructions, what issues them, and what holds these up. */
#pragma once

#include <json-glib/json-glib.h>

#include "scenarios/program/verdict/pressure.h"

/* Of the units that execute, or else of what issues to them; NULL: there is none. */
const Pressure *units_most_strained(const GPtrArray *list, gboolean of_units);

/* What the unit itself waits for in most of the time in which schedulers find it full, which is
 * `full` of all; NULL: nothing. */
const Pressure *units_find_behind(JsonNode *result, const GPtrArray *list, const Pressure *unit,
                                  double full);
