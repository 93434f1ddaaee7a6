/* What bounds a list of kernels that have little in common. */
#pragma once

#include "scenarios/program/verdict/verdict.h"

/* Where what bounds all of them together bounds kernels of less than half of the time, the verdict
 * is of each: "reply network in gather (38 % of the time), bank conflicts in conflicts (21 %),
 * others (41 %)". */
void kernels_tell(JsonNode *result, Verdict *verdict);
