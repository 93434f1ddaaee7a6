/* Which launches of a workload run: `kernels` and `kernel_name` of [workload]. */
#pragma once

#include "kit/describe/configuration.h"
#include "kit/gpu/kernel.h"

/* Numbers all launches, and takes those out that are not to run, with what the host did before
 * them. One that prepares caches for one that runs, runs too; if none of those that run is
 * measured, all are; one that was to start together with one that does not run, starts alone. */
bool selection_apply(const Configuration *configuration, LaunchList *list, GError **error);
