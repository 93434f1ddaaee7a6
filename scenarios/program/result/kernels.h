/* What a result tells of single kernels, where several are measured. */
#pragma once

#include "scenarios/program/result/result.h"

/* `kernels`, `kernel_names`, `kernel_rows` and `kernel_rest` of the object being built; nothing
 * where one kernel, or one group that runs together, is all that is measured. */
void result_put_kernels(JsonBuilder *json, const Run *run);
