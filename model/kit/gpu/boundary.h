/* Boundaries: a kernel starts, or has ended. Caches are invalidated or written back then, copies
 * are accepted, statistics begin or are kept: things that happen everywhere at one time, which
 * no message could tell without taking time itself. Therefore the CTA dispatcher announces a
 * boundary ahead of its time, and every unit handles it at exactly `at`, before any event of
 * that time. */
#pragma once

#include "kit/describe/time.h"
#include "kit/gpu/kernel.h"

typedef enum { BOUNDARY_KERNEL_START, BOUNDARY_KERNEL_END } BoundaryKind;

typedef struct {
    Time at;
    Time announced; /* when a kernel that has ended did so */
    BoundaryKind kind;
    const Launch *launch;
    bool opens_region; /* set when it is announced: the first measured kernel starts */
} Boundary;

/* A measured kernel has ended: the last one, as far as is known. */
static inline bool boundary_closes_region(const Boundary *boundary)
{
    return boundary->kind == BOUNDARY_KERNEL_END && boundary->launch->measured;
}
