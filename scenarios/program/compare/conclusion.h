/* What a comparison says, in five lines at most. */
#pragma once

#include <stdio.h>

#include "scenarios/program/compare/compare.h"

/* Which one is fastest, by how much and why; then the others that have an effect; then those that
 * have none; and what of it rests on parameters that nobody has stated. */
void conclusion_print(const Comparison *comparison, FILE *out);

/* The last of these alone: "the bound of a100, h100 rests on mmu.lookups_per_cycle = 4, a default".
 * Newly allocated; NULL: all is stated. */
char *conclusion_doubts(const Comparison *comparison);
