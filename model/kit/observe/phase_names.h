/* What phases are called, and which launches run together. */
#pragma once

#include "kit/gpu/kernel.h"

/* "often + rare", "often x 3"; newly allocated. */
char *phase_name_new(const LaunchList *list, guint first, guint launches);
/* The same of their names. */
char *phase_name_join(const char *const *names, guint launches);

/* Of launches that start together. */
bool phase_group_is_measured(const LaunchList *list, guint first, guint launches);
/* It is not measured and starts together with one that is: what it does until that ends is counted,
 * since no unit knows whose requests it has. */
bool phase_launch_is_beside(const LaunchList *list, guint index);

/* Of char *: so many names at most, those of the most threads that are launched, in order of their
 * first launch. */
GPtrArray *phase_names_choose(const LaunchList *list, guint most);
