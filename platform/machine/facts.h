/* What a machine is in a few numbers that follow from its parameters. */
#pragma once

#include "platform/machine/machine.h"

/* `unit` is "" of a plain number, "MHz", "B", "TFLOP/s" or "GB/s". */
typedef void (*FactVisit)(const char *name, double value, const char *unit, void *user);

/* SMs and their clock, what the units say of themselves, and DRAM. */
void machine_visit_facts(const Machine *machine, FactVisit visit, void *user);
