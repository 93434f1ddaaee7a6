/* From where on more of a parameter gains little. */
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef enum {
    SHAPE_KNEE,
    SHAPE_LINEAR,       /* no point is far from the straight line between the ends */
    SHAPE_FLAT,         /* y changes by no more than the threshold */
    SHAPE_NOT_MONOTONE, /* it goes back by more than a part of what is gained */
    SHAPE_ACCELERATING, /* the gain grows towards the end */
    SHAPE_FEW,          /* fewer than four values */
} Shape;

typedef struct {
    double share; /* of the total gain that is enough, such as 0.95 */
    double flat;  /* the least change of y that is one */
    int better;   /* -1: less of y is better, 1: more is, 0: the gain is what y changes by */
} KneeRule;

typedef struct {
    Shape shape;
    bool logarithmic; /* the values are spaced by a factor */
    bool rising;      /* the gain comes with greater values */
    guint count;
    guint knee;      /* the value's position; where there is a knee */
    guint enough;    /* of the first one, in the direction of the gain, with the share of it */
    double distance; /* of the knee above the straight line, in the unit square */
    double gain;     /* between the ends, of y, positive */
    double at_knee;  /* the share of the gain that the knee has */
} Knee;

/* The knee of the points (x, y), x ascending. The knee is the point that lies furthest
 * above the straight line between the ends, both axes scaled to 0..1, x logarithmically where its
 * values are spaced so (Satopaa, Albrecht, Irwin, Raghavan 2011, "Finding a 'Kneedle' in a Haystack", ICDCS
 * workshops). `enough` is there for knees, straight lines and accelerating gains. */
Knee knee_find(const double *x, const double *y, guint count, const KneeRule *rule);

/* The whole percents of the gain that the knee has: no more than make it `enough`. */
double knee_percent(const Knee *knee);

/* Whether ascending numbers are further from even steps than from even factors. */
bool spaced_by_factor(const double *x, guint count);
