/* What results of several kernels have in `kernels`, of results that have it elsewhere. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdbool.h>

/* Where some of the results tell of several kernels, one of a single kernel, or group that runs
 * together, gets an entry of that. `one_by_one`: kernels are told apart by their numbers, so that
 * launches with a row and no more get an entry of what the row has; that is also so where only some
 * of a list ran. Those of further names get a summary with their time. */
void kernels_complete(const GPtrArray *results, bool one_by_one);
