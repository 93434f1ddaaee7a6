/* Results that a study makes of others and of parameters, for each point that is done. */
#pragma once

#include "scenarios/program/study/table/columns.h"

typedef struct DerivedResults DerivedResults;

/* NULL with error when the manifest is of a program with other names. Both must outlive it. */
DerivedResults *derived_results_new(const Manifest *manifest, const StudyColumns *columns,
                                    GError **error);
void derived_results_free(DerivedResults *results);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DerivedResults, derived_results_free)

/* One for each of the manifest's; `values` (of OutcomeValue) are those that the run wrote. Good
 * until the next call. */
const OutcomeValue *derived_results_of(DerivedResults *results, const Point *point,
                                       const GArray *values);
