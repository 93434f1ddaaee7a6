/* What differs between two records of one point: nondeterminism, or a file that was changed. */
#pragma once

#include "scenarios/program/study/table/merged.h"

/* "time_ns is 5 in the first and 6 in the second", newly allocated. */
char *outcome_difference(const Manifest *manifest, const PointOutcome *first,
                         const PointOutcome *second);
