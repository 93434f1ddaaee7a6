/* What a result tells of single kernels, where several are measured. */
#pragma once

#include "scenarios/program/result/result.h"

/* An object of `kernels`, `kernel_names`, `kernel_rest` and, of a whole result, `kernel_rows`; NULL
 * where one kernel, or one group that runs together, is all that is measured. */
JsonNode *result_kernels(const Run *run, ResultExtent extent);
