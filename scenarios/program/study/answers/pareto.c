#include "scenarios/program/study/answers/pareto.h"

#include <math.h>

static gint compare_points(gconstpointer left, gconstpointer right)
{
    const ParetoPoint *a = left, *b = right;
    if (a->first != b->first) return a->first < b->first ? -1 : 1;
    if (a->second != b->second) return a->second < b->second ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* In the order of `first`, a point is on the front when its second number is less than that of all
 * before it, or when it is equal to the last of the front. */
GArray *pareto_front(GArray *points)
{
    GArray *front = g_array_new(FALSE, FALSE, sizeof(guint));
    const ParetoPoint *last = NULL;
    g_array_sort(points, compare_points);
    for (guint i = 0; i < points->len; i++) {
        const ParetoPoint *point = &g_array_index(points, ParetoPoint, i);
        const bool equal = last && point->first == last->first && point->second == last->second;
        if (last && point->second >= last->second && !equal) continue;
        g_array_append_val(front, i);
        last = point;
    }
    return front;
}
