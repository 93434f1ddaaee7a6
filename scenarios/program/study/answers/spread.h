/* An order in which the first few of many points lie far from each other: 0, 1/2, 1/4, 3/4, 1/8 ...
 * of the way. */
#pragma once

#include <glib.h>

/* How many numbers there are to count through, from 0; at least `points`. */
static inline guint spread_size(guint points)
{
    guint size = 1;
    while (size < points) size *= 2;
    return size;
}

/* Its bits in reverse: each of 0 .. size - 1 comes once. What is not below `points` is to be left
 * out. */
static inline guint spread_index(guint number, guint size)
{
    guint index = 0;
    for (guint bit = size / 2; bit; bit /= 2, number /= 2)
        if (number & 1) index |= bit;
    return index;
}
