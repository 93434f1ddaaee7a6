/* What a trace asks for, counted without simulating it: for `warpmem trace info`. */
#pragma once

#include "kit/gpu/kernel.h"

/* Appends a block for each kernel of the list, of which only a CTA at a time is in memory, and the
 * total. */
bool trace_describe(const char *path, GString *text, GError **error);
