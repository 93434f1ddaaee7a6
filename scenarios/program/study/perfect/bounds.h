/* What each perfect component made of a study's runs: the bound that the real one puts on them. */
#pragma once

#include "scenarios/program/study/perfect/perfect.h"
#include "scenarios/program/study/plan/manifest.h"
#include "scenarios/program/study/records/outcome.h"

#include <sqlite3.h>

/* Beside the result in question. */
enum { BOUND_TIME, BOUND_LATENCY, BOUND_BANDWIDTH, BOUND_RESULTS };
extern const char *const bound_results[BOUND_RESULTS]; /* columns of outcome.h */

typedef struct {
    char *component;
    double value;                 /* of the result, mean over replications; NaN: no run is done */
    double others[BOUND_RESULTS]; /* NaN: the run has none */
    double speedup;               /* above 1: better than the baseline; NaN */
    double share;                 /* of the baseline's value that the component costs at most */
    char *problem;                /* of the first run that is not done: "timeout: ..."; NULL */
} Bound;

/* The runs of one combination of the other dimensions' values. */
typedef struct {
    char **values; /* of the dimensions but `perfect`, in their order */
    Bound baseline;
    GPtrArray *bounds;  /* of Bound: the greatest effect first, then what has no run */
    GPtrArray *skipped; /* of char *: components without a run ... */
    GPtrArray *reasons; /* ... and why: "it needs mmu.enabled = yes" */
} BoundGroup;

/* Of BoundGroup, in the order of the points. NULL with error when the study has no dimension
 * `perfect` or the result has no better direction. */
GPtrArray *perfect_bounds(const Manifest *manifest, sqlite3 *database, const ResultColumn *on,
                          GError **error);

/* Is the effect too small to speak of? */
bool bound_is_negligible(const Bound *bound);
/* Is it known and not that? */
bool bound_is_shown(const Bound *bound);
