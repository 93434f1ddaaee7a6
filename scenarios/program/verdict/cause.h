/* What makes a resource full, where that is not the resource itself. */
#pragma once

#include <json-glib/json-glib.h>

#include "scenarios/program/verdict/pressure.h"

/* The perfect component that takes its work away, said in `words`; NULL: `end`'s own relieves it
 * most. `list`: of pressure.h. */
const char *cause_behind(JsonNode *result, const GPtrArray *list, const Pressure *end,
                         GString *words);
