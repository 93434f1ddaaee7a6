/* Two results kernel by kernel: launches matched by name and number, or where that
 * pairs more by order, or of long lists names. */
#pragma once

#include "scenarios/program/compare/compare.h"
#include "scenarios/program/compare/fail_over.h"

/* Entries of the results' `kernels` or `kernel_names`; of a result of one kernel the whole. */
typedef struct {
    const char *name;
    guint number;             /* in the list of the first one; 0: a name */
    JsonNode *before, *after; /* NULL: only the other has it */
} KernelPair;

/* Of KernelPair, in the first one's order, what only the second has last; empty: they do not tell
 * kernels apart. */
GArray *kernel_pairs(JsonNode *before, JsonNode *after);

/* Of the whole results' change of time. */
double kernel_pair_share(const KernelPair *pair, JsonNode *before, JsonNode *after);

/* A table for each result but the first; nothing where neither tells kernels apart. */
void kernel_changes_print(const Comparison *comparison, FILE *out);

/* A member "kernels" of the object being built: the pairs. */
void kernel_changes_put(JsonBuilder *json, JsonNode *before, JsonNode *after);

/* fail_over_find for each pair of kernels. */
bool kernel_changes_fail_over(const GArray *limits, const Comparison *comparison, GPtrArray *lines,
                              GError **error);
