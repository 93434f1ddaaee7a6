/* Settings from the command line: "group.key=value". */
#pragma once

#include "kit/describe/configuration.h"

/* Divides "kernel timed.loads" at its last point. False when there is none. */
bool setting_name_split(const char *name, char **group, char **key);

/* Puts `sets` (NULL-terminated or NULL) into `over`, and those that begin with "study." into
 * `study`. `upper` (may be NULL) has settings with places that go over them. A DRAM part goes
 * before all else, which goes over it. */
bool sets_apply(const char *const *sets, const Configuration *upper, Configuration *over,
                Configuration *study, GError **error);
