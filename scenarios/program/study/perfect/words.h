/* What a study of perfect components says, in words. All texts are newly allocated. */
#pragma once

#include <stdio.h>

#include "scenarios/program/study/perfect/bounds.h"

/* What makes it perfect, a line each. */
void perfect_print_settings(const PerfectComponent *component, FILE *out);

/* "48.2 us", "812.4 GB/s". */
char *result_value_text(const ResultColumn *column, double value);
/* "variant = stream, scenario.extends = v100"; "" without such dimensions. */
char *bound_group_name(const Manifest *manifest, const BoundGroup *group);
/* The sentence that comes first: what the strongest component costs. */
char *bound_group_verdict(const ResultColumn *on, const BoundGroup *group);
