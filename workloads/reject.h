/* What is wrong with a setting of a kernel, with its place. */
#pragma once

#include "workloads/workload.h"

/* What stands first in the group; NULL: there is none. */
const Setting *reject_find_group(const Configuration *configuration, const char *group);

/* "file:line: group.key = value: reason"; for a default, with the place of the pattern that has
 * it, or of its group. */
void reject_key(const Configuration *configuration, const char *group, const char *key,
                const char *value, const char *reason, GError **error);
