/* A measure over the values of a factor, and its knee: what `study knees` prints. */
#pragma once

#include "scenarios/program/study/answers/effects.h"
#include "scenarios/program/study/answers/knee.h"

/* The curve of a measure over a factor, where the study has points. */
typedef struct {
    const StudySlice *slice;
    guint factor, measure;
    GArray *x, *y;    /* of double */
    GArray *position; /* of guint: the factor's levels */
    Knee knee;
} FactorCurve;

/* Of a factor of numbers. `share` of the gain is enough, such as 0.95. */
FactorCurve factor_curve(const StudySlice *slice, guint factor, guint measure, double share);
void factor_curve_finish(FactorCurve *curve);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FactorCurve, factor_curve_finish)

/* The factor's value at a position of the curve. */
const char *factor_curve_text(const FactorCurve *curve, guint index);
/* "the knee has 90 % of the gain; log axis, ...", or why there is none; newly allocated. */
char *factor_curve_remark(const FactorCurve *curve);

bool knee_has_gain(const Knee *knee);
const char *knee_shape_name(Shape shape); /* "not monotone" */
