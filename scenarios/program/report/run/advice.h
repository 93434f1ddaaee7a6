/* What to try next when something bounds a run. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

/* What to change, a sentence; `bound` is the perfect component that removes it, or its name if no
 * part of the machine does. NULL: this page has no better words than the keys. */
const char *advice_find(const char *bound);

/* Parameters to vary, with commas, newly allocated: those that have an effect in the machine of a
 * result, or, if it is NULL, in any. */
char *advice_keys(const char *component, JsonNode *result);
