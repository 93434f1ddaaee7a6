/* Which file a name means: a scenario asked for, what one extends, a preset. */
#pragma once

#include <stdbool.h>

#include <glib.h>

/* Whether `name` is written as a file's: with a folder, or with `.ini`. */
bool find_is_path(const char *name);

/* Paths are newly allocated; errors name the nearest there is. */

/* The file of what a command is asked for. */
char *find_scenario(const char *name, GError **error);

/* What `file` (NULL: the command line) extends, a preset or a file: a path is relative to it; a
 * shipped scenario may be named from anywhere. */
char *find_base(const char *file, const char *name, GError **error);
/* The same, by which two are known to be one: a preset's name, or a file's full path. */
char *find_machine_name(const char *file, const char *name, GError **error);
