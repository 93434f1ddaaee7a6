/* Keys of points: SHA-256 of all that a run depends on. It is taken group by group, so that
 * another value costs no more than its own group. */
#pragma once

#include "scenarios/program/study/plan/manifest.h"

typedef struct PointKey PointKey;

/* `program` is "warpmem VERSION"; `values` are of ResolvedValue, all of a base; `names`
 * ("group.key", NULL-terminated) those of them that points change. Of [simulation] only the seed
 * counts. */
PointKey *point_key_new(const char *program, const GPtrArray *values, const char *const *names);
void point_key_free(PointKey *key);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PointKey, point_key_free)

/* `changed` has a value for each of `names`. */
void point_key_compute(const PointKey *key, const char *const *changed, guint64 seed,
                       char text[KEY_LENGTH + 1]);
