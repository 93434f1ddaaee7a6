/* Effects in words. */
#include <math.h>

#include "scenarios/program/study/answers/effects.h"

const char *method_name(Method method)
{
    switch (method) {
    case METHOD_ONE_AT_A_TIME: return "one at a time";
    case METHOD_MAIN_EFFECTS: return "main effects";
    case METHOD_RANK_REGRESSION: return "rank regression";
    case METHOD_ELEMENTARY_EFFECTS: return "elementary effects";
    }
    return "";
}

const char *method_sentence(Method method)
{
    switch (method) {
    case METHOD_ONE_AT_A_TIME:
        return "One at a time: each dimension from its lowest to its highest value, the others as "
               "in the\nbaseline run; changes in percent of that run.";
    case METHOD_MAIN_EFFECTS:
        return "Main effects: the means over all points with a dimension's lowest and highest "
               "value;\nchanges in percent of the mean of all points.";
    case METHOD_RANK_REGRESSION:
        return "Rank regression: each dimension's coefficient, -1 to 1, in a linear regression of "
               "ranks; the means\nof the fifths of the points with its lowest and highest values, "
               "in percent of the mean of all.";
    case METHOD_ELEMENTARY_EFFECTS:
        return "Elementary effects (Morris 1991): changes over the steps in which only this "
               "dimension goes up:\ntheir mean size mu*, mean mu and deviation sigma, in percent "
               "of the mean of all points.";
    }
    return "";
}

const char *effects_caution(const StudyData *data)
{
    return data->design == DESIGN_ZIP ? "The design zip changes the dimensions together: their "
                                        "effects cannot be told apart."
                                      : NULL;
}

char *effects_holes(const StudyData *data)
{
    g_auto(StudySlice) all = study_slice(data, -1, 0);
    const guint64 combinations = slice_combinations(&all);
    if (data->design != DESIGN_GRID || data->samples->len == combinations) return NULL;
    return g_strdup_printf("%u of the grid's %" G_GUINT64_FORMAT " points are there: a value is "
                           "compared with the one before it\nover the pairs of points that differ "
                           "in nothing else.",
                           data->samples->len, combinations);
}

const char *effect_word(const Effects *effects, const Effect *effect)
{
    if (effect->strength == 0) return "no effect";
    if (effect->noise) return "noise";
    if (effects->method != METHOD_ELEMENTARY_EFFECTS || !isfinite(effect->sigma)) return "";
    return effect->sigma <= 0.1 * effect->strength ? "linear" : "non-linear or interacting";
}
