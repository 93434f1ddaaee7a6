/* What relieves a resource that is full, where that is not the resource itself. */
#pragma once

#include <json-glib/json-glib.h>

#include "scenarios/program/verdict/pressure.h"

/* The perfect component that gains most of what ends a way: one that makes it shorter, one that
 * includes its own, said in `words`, or one that takes its work away, said too; or its own. `list`:
 * of pressure.h. */
const char *cause_relief(JsonNode *result, const GPtrArray *list, const Pressure *end,
                         GString *words);
