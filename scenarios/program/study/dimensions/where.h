/* Conditions on points: "l2_slice.capacity * machine.partitions >= 1 MiB". Names are parameters,
 * quantities carry units and are compared with their like; and, or, not, in, between, arithmetic,
 * min, max, abs, mod. */
#pragma once

#include "kit/describe/configuration.h"

typedef struct Where Where;

/* The value of a parameter by name for the point that is tested, canonical text; NULL: there is no
 * such parameter. */
typedef const char *(*WhereLookup)(void *user, const char *name);

/* `setting` is `[study] where`; `names` (NULL-terminated) are all parameters that there are, for
 * the nearest one to a mistyped name. */
Where *where_new(const Setting *setting, const char *const *names, GError **error);
void where_free(Where *where);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Where, where_free)

/* Whether the point satisfies all conditions; false with error when one cannot be evaluated. */
bool where_test(Where *where, WhereLookup lookup, void *user, GError **error);
