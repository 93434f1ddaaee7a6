/* Boundaries: a kernel starts, or has ended. Caches are invalidated or written back then, copies
 * are accepted, statistics begin or are kept: things that happen everywhere at one time, which
 * no message could tell without taking time itself. Therefore the CTA dispatcher announces a
 * boundary ahead of its time, and every unit handles it at exactly `at`, before any event of
 * that time. */
#pragma once

#include "kit/describe/time.h"
#include "kit/gpu/kernel.h"

#include <stdint.h>

/* The last: the run was stopped; nobody announces it, and only what counts without events hears. */
typedef enum { BOUNDARY_KERNEL_START, BOUNDARY_KERNEL_END, BOUNDARY_STOP } BoundaryKind;

/* What is counted is divided at boundaries: observe/phases.h. */
typedef enum { PHASE_GOES_ON, PHASE_BEGINS, PHASE_ENDS } PhaseEdge;

/* What a unit without events has counted at a boundary: statistics whose rows say `.at_rest`, and
 * nothing else, or anything. */
typedef enum { COUNTED_NOTHING, COUNTED_AT_REST, COUNTED_ANYTHING } Counted;

typedef struct {
    Time at;
    Time announced; /* when a kernel that has ended did so */
    Time issued;    /* ... when its last CTA had ended */
    Time began;     /* ... and when the first CTA of those that ran with it was launched */
    BoundaryKind kind;
    const Launch *launch;
    /* set when it is announced */
    bool opens_region;  /* the first measured kernel starts */
    bool closes_region; /* a measured kernel has ended: the last one, as far as is known */
    bool last;          /* ... and it is known */
    PhaseEdge edge;     /* of a kernel's phase, when phases are told apart */
} Boundary;

/* What lies between two kernels ends: what passes without an event has been counted up to here. */
static inline bool boundary_settles(const Boundary *boundary)
{
    return boundary->edge == PHASE_BEGINS && !boundary->opens_region;
}
