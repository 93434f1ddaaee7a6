/* DRAM parts: files of platform/dram (or a path that ends in .ini) with the geometry and the timing
 * of one channel, in [dram], and the command clock they hold for, machine.dram_clock.
 *
 * `dram.part = NAME` takes one. It replaces everything that was said about DRAM before, in the
 * preset or in an earlier layer: all of [dram] but the bank hash, which is the controller's choice,
 * the command clock, and the bandwidth that was stated for another part. What stands beside `part`,
 * or comes later, goes over the part. */
#pragma once

#include <stdbool.h>

#include "kit/describe/configuration.h"

/* Is this `dram.part`? */
bool dram_part_is_key(const char *group, const char *key);

/* Takes out of `configuration` what a part replaces. */
void dram_part_void(Configuration *configuration);

/* Replaces it by what the part says. `file` and `line` are the place of `dram.part = name`. */
bool dram_part_select(Configuration *configuration, const char *name, const char *file, int line,
                      GError **error);
