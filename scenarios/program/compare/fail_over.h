/* How far results may move before a comparison fails: what `compare --fail-over` takes. */
#pragma once

#include <stdbool.h>

#include "scenarios/program/compare/compare.h"
#include "scenarios/program/study/records/outcome.h"

typedef struct {
    const ResultColumn *column;
    double percent; /* of the first result's value, up or down */
} FailOver;

/* Of FailOver. Each text is "PERCENT", for the measured time, or "RESULT=PERCENT", where RESULT is
 * what `list results` names; the percent sign may be left out. `texts` may be NULL. NULL with the
 * error, which is the user's. */
GArray *fail_over_read(char **texts, GError **error);

/* Appends a line (newly allocated) for each value that moved further. A value that only one of two
 * results has counts as moved. False with error: no result has the value. */
bool fail_over_find(const GArray *limits, const Comparison *comparison, GPtrArray *lines,
                    GError **error);
