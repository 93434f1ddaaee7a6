/* Which combinations of values a study runs. */
#pragma once

#include "scenarios/program/study/dimensions/axis.h"

/* The keys of `[study]` that are the study's own; keys with a point in them, and `variant`, are
 * dimensions. */
typedef enum {
    DESIGN_GRID,
    DESIGN_ZIP,
    DESIGN_ONE_AT_A_TIME,
    DESIGN_LATIN_HYPERCUBE,
    DESIGN_MORRIS,
    DESIGN_PERFECT,
} Design;

typedef struct {
    uint32_t design; /* Design */
    uint64_t samples, trajectories, levels, seed, replications;
    bool peak_power;
    char *statistics; /* "l1.refused_prt, l2_slice.evictions" */
    char *where;      /* one condition a line */
} StudySettings;

/* `[study]` as a table: for parsing, explain, list, reference. */
extern const ParamGroup study_group;
extern const char *const design_names[];

typedef struct {
    char **values; /* one an axis */
    char *role; /* "baseline"; the dimension that one_at_a_time varies; "trajectory 3 step 2"; "" */
} DesignRow;

enum { DESIGN_ROWS_MAX = 1000000 };

/* Of DesignRow, in the order of the points. `axes` is of Axis. `place` ("file:line: ") is where
 * the design is chosen. Not for DESIGN_PERFECT, which is no matter of axes. */
GPtrArray *design_rows(const StudySettings *settings, const GPtrArray *axes, const char *place,
                       GError **error);
