/* Results of which only some kernels are looked at. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdbool.h>

#include "scenarios/program/language/sets.h"

/* Rows of the options of commands that read results. */
/* clang-format off */
#define KERNEL_OPTIONS_OF_RESULTS(choice)                                                          \
    {"kernels", 0, 0, G_OPTION_ARG_STRING, &(choice).kernels,                                      \
     "show only these kernels, '3-7,9'; of one alone everything that there is", "LIST"},           \
    {"kernel", 0, 0, G_OPTION_ARG_STRING, &(choice).name,                                          \
     "show only kernels of this name, in which * stands for anything", "NAME"}
/* clang-format on */

/* Takes the others out of `kernels`, `kernel_names` and `summary.kernels` of each result, of
 * JsonNode. Names stay where no numbers are asked for: they are sums of launches. If one kernel, or
 * one name, is left of each, the results become those of that kernel or name alone,
 * "baseline/gemm", with the launches of the name in `kernels`, and `run_variant` and `run_kernels`
 * or `run_kernel` for who asks again. Else a member `shown` says what was chosen, because all other
 * members are of the whole. False with error: a result has none of them, or tells of them in rows
 * only. */
bool kernels_choose(const GPtrArray *results, const KernelChoice *choice, GError **error);

/* The result of one kernel alone, or of a name: of an entry of its `kernels` or `kernel_names`.
 * NULL: the entry is a line and no more. */
JsonNode *kernel_alone(JsonNode *result, JsonNode *entry);
