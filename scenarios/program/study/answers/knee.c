#include "scenarios/program/study/answers/knee.h"

#include <math.h>

/* Chosen: shares of the unit square. A curve that stays within NEAR of the straight line is called
 * straight; one that goes back by more than BACK of its range is not monotone. */
static const double NEAR = 0.1, BACK = 0.05;

/* A share that only the rounding of doubles keeps from being reached is reached. */
static const double ROUNDING = 1e-12;

enum { LEAST_POINTS = 4 };

/* How unequal the steps are: their standard deviation over their mean. */
static double unevenness(const double *x, guint count, double (*scale)(double))
{
    double sum = 0, squares = 0;
    for (guint i = 1; i < count; i++) {
        const double step = scale(x[i]) - scale(x[i - 1]);
        sum += step;
        squares += step * step;
    }
    const double mean = sum / (count - 1);
    return sqrt(fmax(0, squares / (count - 1) - mean * mean)) / mean;
}

static double identity(double x)
{
    return x;
}

bool spaced_by_factor(const double *x, guint count)
{
    return count > 2 && x[0] > 0 && unevenness(x, count, log) < unevenness(x, count, identity);
}

static double range_of(const double *y, guint count)
{
    double low = y[0], high = y[0];
    for (guint i = 1; i < count; i++) {
        low = fmin(low, y[i]);
        high = fmax(high, y[i]);
    }
    return high - low;
}

/* Whether y goes one way, but for steps back that are small beside its range. */
static bool is_monotone(const double *y, guint count)
{
    const double way = y[count - 1] < y[0] ? -1 : 1;
    double best = way * y[0];
    for (guint i = 1; i < count; i++) {
        if (way * y[i] < best - BACK * range_of(y, count)) return false;
        best = fmax(best, way * y[i]);
    }
    return true;
}

/* The curve in the direction of its gain, in the unit square. */
typedef struct {
    const double *x, *y;
    guint count;
    double (*scale)(double);
    bool rising;
} Curve;

static guint position(const Curve *curve, guint step)
{
    return curve->rising ? step : curve->count - 1 - step;
}

static double part(double value, double first, double last)
{
    return (value - first) / (last - first);
}

static double way_at(const Curve *curve, guint step)
{
    const guint first = position(curve, 0), last = position(curve, curve->count - 1);
    return part(curve->scale(curve->x[position(curve, step)]), curve->scale(curve->x[first]),
                curve->scale(curve->x[last]));
}

static double gain_at(const Curve *curve, guint step)
{
    const guint first = position(curve, 0), last = position(curve, curve->count - 1);
    return part(curve->y[position(curve, step)], curve->y[first], curve->y[last]);
}

static void measure_curve(const Curve *curve, double share, Knee *knee)
{
    double above = 0, below = 0;
    guint furthest = 0, enough = curve->count - 1;
    for (guint i = 0; i < curve->count; i++) {
        const double distance = gain_at(curve, i) - way_at(curve, i);
        if (distance > above) furthest = i;
        above = fmax(above, distance);
        below = fmin(below, distance);
    }
    while (enough && gain_at(curve, enough - 1) >= share - ROUNDING) enough--;
    knee->knee = position(curve, furthest);
    knee->enough = position(curve, enough);
    knee->distance = above;
    knee->at_knee = gain_at(curve, furthest);
    knee->shape = above >= NEAR ? SHAPE_KNEE : below <= -NEAR ? SHAPE_ACCELERATING : SHAPE_LINEAR;
}

double knee_percent(const Knee *knee)
{
    return floor(100 * (knee->at_knee + ROUNDING));
}

Knee knee_find(const double *x, const double *y, guint count, const KneeRule *rule)
{
    const double change = count ? y[count - 1] - y[0] : 0;
    Knee knee = {.shape = SHAPE_FEW,
                 .count = count,
                 .gain = fabs(change),
                 .rising = rule->better == 0 || change * rule->better > 0};
    if (count < LEAST_POINTS) return knee;
    knee.logarithmic = spaced_by_factor(x, count);
    const double range = range_of(y, count);
    if (range == 0 || range <= rule->flat) {
        knee.shape = SHAPE_FLAT;
    } else if (!is_monotone(y, count)) {
        knee.shape = SHAPE_NOT_MONOTONE;
    } else {
        const Curve curve = {x, y, count, knee.logarithmic ? log : identity, knee.rising};
        measure_curve(&curve, rule->share, &knee);
    }
    return knee;
}
