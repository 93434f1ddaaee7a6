/* The designs that draw their points. */
#pragma once

#include "scenarios/program/study/dimensions/design.h"

/* So many points that each axis, divided into as many equal strata, has one point in each.
 * McKay, Beckman, Conover: A Comparison of Three Methods for Selecting Values of Input Variables
 * (Technometrics 21, 1979). Newly allocated, a share for each axis of a point: points x axes. */
double *latin_hypercube_shares(guint64 seed, guint points, guint axes);

/* Trajectories of axes + 1 points each; every step changes one axis, which no other step of the
 * trajectory does, by levels / (2 (levels - 1)) of its range. `levels` is even. Morris: Factorial
 * Sampling Plans for Preliminary Computational Experiments (Technometrics 33, 1991). Shares as
 * above, (trajectories x (axes + 1)) x axes. */
double *morris_shares(guint64 seed, guint trajectories, guint axes, guint levels);
