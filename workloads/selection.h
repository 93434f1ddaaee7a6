/* Which launches of a workload run: `kernels` and `kernel_name` of [workload]. */
#pragma once

#include "kit/describe/configuration.h"
#include "kit/gpu/kernel.h"

/* What is wrong, and how many there are. */
#define SELECTION_NONE                                                                             \
    "'%s' is none of the kernels 1 to %u; allowed are numbers and ranges, '3-7, 9'"

/* Marks those of `length` kernels that a list like "3-7, 9" names, from 1 on; NULL, or what of it
 * names none of them, newly allocated. */
char *selection_mark(const char *text, guint length, bool *chosen);

/* Stands behind a list of `kernels`, or for it: what comes before runs, too. */
#define SELECTION_IN_PLACE "in place"

/* Numbers all launches, and takes those out that are not to run, with what the host did before
 * them. In place these are only those behind the last one that is asked for and does not start
 * together with it; the others before it run unmeasured. One that prepares caches for one that
 * runs, runs too; if none of those that are asked for is measured, all are; one that was to start
 * together with one that does not run, starts alone. */
bool selection_apply(const Configuration *configuration, LaunchList *list, GError **error);
