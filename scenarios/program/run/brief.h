/* What the process that simulates tells the one that prints of single kernels. */
#pragma once

#include <json-glib/json-glib.h>

/* Of result/kernels.h's `kernels` and `kernel_names` the figures and words of each, without what a
 * summary does not print: all that is passed on is read again. NULL: there are none. */
JsonNode *brief_kernels_new(JsonNode *kernels);
