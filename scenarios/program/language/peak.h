/* The peak bandwidth that a machine states: it says nothing about other clocks and widths. */
#pragma once

#include "kit/describe/configuration.h"

/* `name` is "GROUP.KEY". */
bool peak_depends_on(const char *name);

/* The machine states none; the place is that of the setting that changes it. */
void peak_forget(Configuration *configuration, const char *file, int line);

/* The same where a later step changes what it depends on and states none. */
void peak_void_by(Configuration *configuration, const Configuration *changes);
