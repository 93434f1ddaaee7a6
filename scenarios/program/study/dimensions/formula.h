/* Arithmetic over parameters and results: "l2_slice.capacity * 64 + 12 * l1.prt_entries". Names and
 * quantities are numbers of the units of number.h, and of results those of their columns; + - * /,
 * parentheses, min, max, abs. */
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef struct Formula Formula;

/* Of a name in the formula; NaN: it has no value. */
typedef double (*FormulaLookup)(void *user, const char *name);

/* NULL with error, without the place; `names` (NULL-terminated) are those that may stand in it. */
Formula *formula_new(const char *text, const char *const *names, GError **error);
void formula_free(Formula *formula);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Formula, formula_free)

/* The names in it, of char *; the formula's. */
const GPtrArray *formula_names(const Formula *formula);

/* NaN: a name has no value, or a division by 0. */
double formula_value(Formula *formula, FormulaLookup lookup, void *user);
