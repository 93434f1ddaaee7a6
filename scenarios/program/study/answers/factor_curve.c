#include "scenarios/program/study/answers/factor_curve.h"

#include <math.h>

/* Less than this of a result, relative to its greatest value, is no gain. */
static const double FLAT = 0.01;

void factor_curve_finish(FactorCurve *curve)
{
    g_array_unref(curve->x);
    g_array_unref(curve->y);
    g_array_unref(curve->position);
}

static double greatest(const GArray *y)
{
    double most = 0;
    for (guint i = 0; i < y->len; i++) most = fmax(most, fabs(g_array_index(y, double, i)));
    return most;
}

static double spread_of(const StudySlice *slice, guint measure)
{
    g_autofree Effects *effects = effects_new(slice, measure);
    return effects->spread;
}

FactorCurve factor_curve(const StudySlice *slice, guint factor, guint measure, double share)
{
    FactorCurve curve = {.slice = slice,
                         .factor = factor,
                         .measure = measure,
                         .x = g_array_new(FALSE, FALSE, sizeof(double)),
                         .y = g_array_new(FALSE, FALSE, sizeof(double)),
                         .position = g_array_new(FALSE, FALSE, sizeof(guint))};
    g_autoptr(GArray) means = slice_levels(slice, factor, measure);
    for (guint i = 0; i < means->len; i++) {
        const double mean = g_array_index(means, double, i);
        if (!isfinite(mean)) continue;
        const double number = factor_level(study_factor(slice->data, factor), i)->number;
        g_array_append_val(curve.x, number);
        g_array_append_val(curve.y, mean);
        g_array_append_val(curve.position, i);
    }
    const Better better = study_measure(slice->data, measure)->better;
    const KneeRule rule = {share, fmax(FLAT * greatest(curve.y), spread_of(slice, measure)),
                           better == BETTER_LOWER    ? -1
                           : better == BETTER_HIGHER ? 1
                                                     : 0};
    curve.knee = knee_find((double *)curve.x->data, (double *)curve.y->data, curve.x->len, &rule);
    return curve;
}

const char *factor_curve_text(const FactorCurve *curve, guint index)
{
    const Factor *factor = study_factor(curve->slice->data, curve->factor);
    return factor_level(factor, g_array_index(curve->position, guint, index))->text;
}

bool knee_has_gain(const Knee *knee)
{
    return knee->shape == SHAPE_KNEE || knee->shape == SHAPE_LINEAR
           || knee->shape == SHAPE_ACCELERATING;
}

const char *knee_shape_name(Shape shape)
{
    switch (shape) {
    case SHAPE_KNEE: return "knee";
    case SHAPE_LINEAR: return "linear";
    case SHAPE_FLAT: return "flat";
    case SHAPE_NOT_MONOTONE: return "not monotone";
    case SHAPE_ACCELERATING: return "accelerating";
    case SHAPE_FEW: return "few values";
    }
    return "";
}

char *factor_curve_remark(const FactorCurve *curve)
{
    const Knee *knee = &curve->knee;
    const char *scale = knee->logarithmic ? "log" : "linear";
    switch (knee->shape) {
    case SHAPE_KNEE:
        return g_strdup_printf("the knee has %.0f %% of the gain; %s axis, %.2f off the straight "
                               "line",
                               knee_percent(knee), scale, knee->distance);
    case SHAPE_LINEAR: return g_strdup_printf("no knee: the gain is even (%s axis)", scale);
    case SHAPE_FLAT: return g_strdup("no knee: the result hardly changes");
    case SHAPE_NOT_MONOTONE: return g_strdup("no knee: the result rises and falls");
    case SHAPE_ACCELERATING:
        return g_strdup_printf("no knee: the gain grows towards the end (%s axis)", scale);
    case SHAPE_FEW: return g_strdup("not judged: fewer than four values with points");
    }
    return NULL;
}
