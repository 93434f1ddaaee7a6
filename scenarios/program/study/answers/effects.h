/* How much each factor of a study changes a measure: the numbers of a tornado table.
 *
 * One at a time: the runs at the values of a factor while the others are as in the baseline run, or
 * at the own values of another preset or variant, if that is what the factor chooses.
 * Main effects (grid, zip): the mean over all runs at each of a factor's values, which averages
 * over what the others do (Saltelli et al. 2008, Global Sensitivity Analysis, 1.2); of a grid that
 * lacks points, from value to value over the pairs that differ in nothing else.
 * Rank regression (latin hypercube): standardised rank regression coefficients, signed, -1..1
 * (Iman and Conover 1979, Technometrics 21(4); Saltelli et al. 2008, 1.2.5); their squares add up
 * to `fit` where the factors are independent. A factor of names has no rank: its strength is the
 * correlation ratio, the root of the share of the ranks' variance that lies between its values.
 * Elementary effects (Morris 1991, Technometrics 33(2)): the change of the measure over each step
 * in which only this factor changes, towards higher values; mu their mean, sigma their standard
 * deviation, mu* the mean of their sizes (Campolongo, Cariboni, Saltelli 2007, Environmental
 * Modelling and Software 22(10)). Changes of names have no sign: they have mu* alone. */
#pragma once

#include "scenarios/program/study/table/study_data.h"

typedef enum {
    METHOD_ONE_AT_A_TIME,
    METHOD_MAIN_EFFECTS,
    METHOD_RANK_REGRESSION,
    METHOD_ELEMENTARY_EFFECTS,
} Method;

/* The samples of a study, or those with one value of a factor. */
typedef struct {
    const StudyData *data;
    GPtrArray *samples; /* borrowed, of Sample */
    int by;             /* the factor that is held; -1: none */
    guint level;        /* of it */
} StudySlice;

typedef struct {
    bool judged; /* false: the points do not tell; the numbers are NaN */
    guint count; /* of what was compared: values, or steps */
    /* of the measure at the lowest and the highest value of a factor of numbers; of names: the
     * least and the greatest. Elementary effects have none. */
    double low, high;
    guint low_level, high_level;
    /* what factors are ranked by: the greatest less the least, or the size of the coefficient, or
     * mu*; the others are in units of the measure */
    double strength;
    double swing; /* high - low; elementary effects: mu */
    double sigma; /* elementary effects only */
    bool noise;   /* no greater than what replications, or a regression's error, make of nothing */
} Effect;

typedef struct {
    Method method;
    double centre; /* what effects are relative to: the baseline run, or the mean */
    double spread; /* the most that replications of one point differ; 0: there are none */
    double fit;    /* rank regression: R squared; NaN: there is none */
    guint count;
    Effect effects[]; /* one a factor */
} Effects;

StudySlice study_slice(const StudyData *data, int by, guint level);
void study_slice_finish(StudySlice *slice);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(StudySlice, study_slice_finish)

/* The run that the others are compared with, or NULL: the one called so, or that has each factor's
 * own value. */
const Sample *slice_baseline(const StudySlice *slice);

/* Of the values of the factors that are not held. */
guint64 slice_combinations(const StudySlice *slice);

Method effects_method(const StudyData *data);

/* Free with g_free. */
Effects *effects_new(const StudySlice *slice, guint measure);

const char *method_name(Method method);     /* "main effects" */
const char *method_sentence(Method method); /* what is compared with what; of two lines */
/* What keeps the dimensions' effects from being told apart; NULL: nothing. */
const char *effects_caution(const StudyData *data);
/* "12 of the grid's 16 points are there: ...", newly allocated; NULL: all are. */
char *effects_holes(const StudyData *data);
/* "no effect", "noise", "linear" ...; "": nothing is to be said. */
const char *effect_word(const Effects *effects, const Effect *effect);

/* Of guint: the judged factors, the strongest first; then the others. */
GArray *effects_ranking(const Effects *effects);

/* The means of a measure at each level of a factor, NaN where there are none: over all samples of
 * the slice, of a grid that lacks points over those that are matched or, one at a time, of the
 * baseline's neighbours. Of double. */
GArray *slice_levels(const StudySlice *slice, guint factor, guint measure);
