/* The keys of `[study]` that are the study's own; keys with a point in them, and `variant`, are
 * dimensions. */
#pragma once

#include "kit/describe/configuration.h"

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
    char *statistics; /* "l1.refused_prt, l2_slice.evictions" */
    char *where;      /* one condition a line */
} StudySettings;

/* `[study]` as a table: for parsing, explain, list, reference. */
extern const ParamGroup study_group;
extern const char *const design_names[];
