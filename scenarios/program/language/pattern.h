/* A kernel's pattern: what was said of another one says nothing about it. */
#pragma once

#include "kit/describe/configuration.h"

/* Takes out of `configuration` keys of patterns that `changes` replaces, unless the new ones have
 * them, too. */
void pattern_void_by(Configuration *configuration, const Configuration *changes);
