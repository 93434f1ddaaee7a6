#include "scenarios/program/study/dimensions/sample.h"

#include "parts/bits.h"

/* 0 .. bound - 1 */
static guint draw_below(uint64_t *random, guint bound)
{
    return (guint)scale64(random_next(random), bound);
}

/* 0 <= share < 1, a multiple of 2^-53 */
static double draw_share(uint64_t *random)
{
    return (double)(random_next(random) >> 11) * 0x1p-53;
}

/* Numbers of its own for each stream: a new axis leaves what the others draw as it is. */
static uint64_t random_stream(guint64 seed, guint stream)
{
    return mix64(mix64(seed) + stream);
}

/* Durstenfeld's shuffle of 0 .. count - 1; newly allocated. */
static guint *draw_order(uint64_t *random, guint count)
{
    guint *order = g_new(guint, count);
    for (guint i = 0; i < count; i++) {
        const guint other = draw_below(random, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    return order;
}

double *latin_hypercube_shares(guint64 seed, guint points, guint axes)
{
    double *shares = g_new(double, (gsize)points *axes);
    for (guint axis = 0; axis < axes; axis++) {
        uint64_t random = random_stream(seed, axis);
        g_autofree guint *strata = draw_order(&random, points);
        for (guint point = 0; point < points; point++)
            shares[(gsize)point * axes + axis] = (strata[point] + draw_share(&random)) / points;
    }
    return shares;
}

/* The jump of p / 2 levels is p / (2 (p - 1)) of the range: from each level it leads to one other.
 * Each axis starts on a level of the lower half and goes up, or of the upper half and goes down;
 * both are equally likely. */
static void draw_trajectory(uint64_t *random, double *shares, guint axes, guint levels)
{
    const guint jump = levels / 2;
    g_autofree guint *start = g_new(guint, axes);
    g_autofree guint *order = draw_order(random, axes);
    for (guint axis = 0; axis < axes; axis++) start[axis] = draw_below(random, levels);
    for (guint step = 0; step <= axes; step++) {
        for (guint axis = 0; axis < axes; axis++)
            shares[(gsize)step * axes + axis] = (double)start[axis] / (levels - 1);
        if (step == axes) break;
        guint *moved = &start[order[step]];
        *moved = *moved < jump ? *moved + jump : *moved - jump;
    }
}

double *morris_shares(guint64 seed, guint trajectories, guint axes, guint levels)
{
    const gsize size = (gsize)(axes + 1) * axes;
    double *shares = g_new(double, trajectories *size);
    for (guint i = 0; i < trajectories; i++) {
        uint64_t random = random_stream(seed, i);
        draw_trajectory(&random, shares + i * size, axes, levels);
    }
    return shares;
}
