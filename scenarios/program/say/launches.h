/* Launches in a terminal, with the numbers that they have in their list. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdio.h>

#include "platform/machine/residency.h"

/* A line of each launch, or of several alike that follow each other; of many only the first:
 * "kernels 1-3, triad: 2 CTAs an SM, ...". Newly allocated, of char *. */
GPtrArray *launches_describe(const Machine *machine, const LaunchList *launches);

/* Of "chosen", a member of `node`: "kernels 3-7 of 12: the others did not run, ...", a line; nothing
 * if all of the list ran. */
void launches_print_chosen(JsonNode *node, FILE *out);

/* Of `launch` in a result: "registers, warps"; newly allocated. */
char *launches_limits(JsonNode *launch);

/* Of a result's kernels: what limits their CTAs on an SM, and how these were spread. Prints nothing
 * where it has none of it. */
void launches_print(JsonNode *result, FILE *out);
