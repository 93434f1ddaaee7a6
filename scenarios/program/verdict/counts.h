/* What units have counted, by what it means. */
#pragma once

#include <json-glib/json-glib.h>

#include "kit/describe/meaning.h"

/* Of all units of the first class that counts it; NAN: nothing tells. */
double counts_of(JsonNode *result, StatMeaning meaning);
