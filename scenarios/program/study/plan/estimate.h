/* How long a study will take, from a few of its points that are simulated and thrown away. */
#pragma once

#include "scenarios/program/study/plan/manifest.h"

typedef struct {
    guint probed;
    double least_s, mean_s, most_s; /* of host time, a point */
    guint failed;                   /* of the probed ones: they are no measure */
    bool cut_short;                 /* a point was not done when the time was over */
} Estimate;

/* Simulates points spread over the plan, each in a process of its own, for no longer than
 * `seconds` altogether. */
Estimate estimate_points(const Manifest *manifest, double seconds);
