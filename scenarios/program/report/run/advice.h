/* What to try next when something bounds a run. */
#pragma once

#include <glib.h>

/* What to change, a sentence; `component` is a perfect one that removes the bound. NULL: this page
 * has no better words than the keys. */
const char *advice_find(const char *component);

/* Parameters to vary, with commas, newly allocated. */
char *advice_keys(const char *component);
