/* Values of parameters as numbers, for axes, sorting and formulas. */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "kit/describe/quantity.h"

/* "96 KiB" -> 98304, "B". Units: B, Hz, ns, cycles, B/cycle, and "" for plain numbers, ratios and
 * percentages (75 % is 0.75). False for other text; `unit` may be NULL. */
bool number_read(const char *text, double *number, const char **unit);

/* The unit of quantities of a type, and how many of it so many stored ones are. */
const char *number_unit(ParamType type);
double number_of_stored(ParamType type, double stored);

/* The same as a number alone, and a switch as 1 or 0; NaN for other text and NULL. */
double number_or_switch(const char *text);

/* The nearest unit to a mistyped one, or NULL. */
const char *number_nearest_unit(const char *word);
