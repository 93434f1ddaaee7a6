/* What to try next when something bounds a run. */
#pragma once

#include "scenarios/program/verdict/pressure.h"

/* What to change, a sentence; `bound` is the perfect component that removes it, or its name if no
 * part of the machine does. NULL: this page has no better words than the keys. */
const char *advice_find(const char *bound);

/* The same of a resource that bounds a run by one instance of many; NULL: all are alike, or what
 * they do is not a matter of addresses. */
const char *advice_of(const Pressure *bound);

/* Parameters to vary, with commas, newly allocated: those that the bound rests on, other designs if
 * it can be full, parts of the component, and what else relieves it; of those that have an effect
 * in the machine of a result, or, if it is NULL, in any. `component`, `bound`: NULL if none is
 * known. */
char *advice_keys(const char *component, const Pressure *bound, JsonNode *result);
