/* `[array NAME]`: regions of memory that a scenario names, for workloads that do not know what
 * their addresses mean: traces above all. */
#pragma once

#include "kit/describe/configuration.h"
#include "kit/gpu/kernel.h"

#define ARRAY_PREFIX "array "

/* The keys of such a group, under the name "array". */
extern const ParamGroup array_group;

/* Adds the arrays to those that the workload has named. Fails on keys that are missing or unknown,
 * and on arrays that overlap, with file:line. */
bool array_groups_add(const Configuration *configuration, LaunchList *list, GError **error);
