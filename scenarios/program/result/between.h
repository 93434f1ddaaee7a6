/* What a list has between its kernels, and what stands in it that the model leaves out. */
#pragma once

#include "scenarios/program/result/result.h"

/* Member `between_kernels`; nothing where one kernel was all. */
void result_put_between(JsonBuilder *json, const Run *run);

/* Member `input`; nothing where all of it was understood. */
void result_put_input(JsonBuilder *json, const Run *run);
