/* The Pareto front of results or parameters of a study. */
#pragma once

#include "scenarios/program/study/table/study_data.h"

enum { MOST_OBJECTIVES = 8 };

typedef struct {
    double values[MOST_OBJECTIVES]; /* less is better in all; those that are not used are equal */
    guint index;                    /* the caller's */
} ParetoPoint;

/* The points that no other point beats in all numbers at once. Sorts `points` and returns those of
 * the front in that order, by the first number, then the second one ..., as their positions in the
 * sorted array, of guint. A point is dominated by one that is no worse in any number and better in
 * one; equal points do not dominate each other. */
GArray *pareto_front(GArray *points);

/* What is to be small or great: a measure, or a factor of numbers. */
typedef struct {
    const char *name;
    const Measure *measure; /* NULL: a factor */
    guint index;
    int sign;         /* 1: less is better */
    bool logarithmic; /* a factor whose values are spaced so: its axis in the picture */
} Objective;

typedef struct {
    const StudyData *data;
    Objective objectives[MOST_OBJECTIVES];
    guint count;    /* of objectives */
    GArray *points; /* of ParetoPoint, sorted; index is the sample's */
    GArray *front;  /* of guint */
} Front;

/* Whether a factor of numbers is spaced by a factor. */
bool factor_is_logarithmic(const Factor *factor);

/* False: the study has no such result, and no such dimension of numbers. Leaves `sign` at 0. */
bool objective_find(const StudyData *data, const char *name, Objective *objective);
/* Of the sample `index`. */
double objective_value(const Front *front, const Objective *objective, guint index);
char *objective_text(const Front *front, const Objective *objective, guint index);

/* `data`, `objectives` and `count` are the caller's; fills the rest. */
void front_find(Front *front);
void front_finish(Front *front);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Front, front_finish)

/* Of a place on the front: the sample. */
guint front_sample(const Front *front, guint place);
/* The place that is nearest to the best of each objective, measured in what the front has between
 * its best and worst of it. The front has one. */
guint front_nearest(const Front *front);
/* Factors with one value tell nothing; the objectives have their own columns. */
bool front_shows(const Front *front, guint index);
