/* The points that no other point beats in two numbers at once. */
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef struct {
    double first, second; /* less is better in both */
    guint index;          /* the caller's */
} ParetoPoint;

/* Sorts `points` and returns those of the front in that order, by `first`, as their positions in
 * the sorted array, of guint. A point is dominated by one that is no worse in either number and
 * better in one; equal points dominate neither. */
GArray *pareto_front(GArray *points);
