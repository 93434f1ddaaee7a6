/* Which combinations of values a study runs. */
#pragma once

#include "scenarios/program/study/dimensions/axis.h"
#include "scenarios/program/study/dimensions/settings.h"

typedef struct {
    char **values; /* one an axis */
    char *role; /* "baseline"; the dimension that one_at_a_time varies; "trajectory 3 step 2"; "" */
} DesignRow;

enum { DESIGN_ROWS_MAX = 1000000 };

/* Of DesignRow, in the order of the points. `axes` is of Axis. `place` ("file:line: ") is where
 * the design is chosen. Not for DESIGN_PERFECT, which is no matter of axes. */
GPtrArray *design_rows(const StudySettings *settings, const GPtrArray *axes, const char *place,
                       GError **error);
