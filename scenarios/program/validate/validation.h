/* The model against published curves: which points are run, and how far off each is. */
#pragma once

#include <stdio.h>

#include "scenarios/program/study/trials/trials.h"
#include "scenarios/program/validate/published.h"

typedef struct {
    const PublishedPoint *published;
    guint point;         /* of the plan */
    double model, error; /* NaN: it was not run, or `problem` says why there is none; relative */
    const char *problem;
} ValidatedPoint;

typedef struct {
    const PublishedCurve *published;
    GArray *points; /* of ValidatedPoint */
    guint done;
    double mean, bias;           /* of the points that are done: mean size of error, mean error */
    const ValidatedPoint *worst; /* NULL: none is done */
} ValidatedCurve;

typedef struct {
    GPtrArray *published; /* of GPtrArray of PublishedCurve */
    GPtrArray *scenarios; /* of Scenario; the plan rests on the first */
    GPtrArray *curves;    /* of ValidatedCurve */
    OpenPlan *plan;
    Trials *trials;
    guint points, done, failed;
    double mean; /* over all points that are done */
} Validation;

typedef struct {
    char *const *presets; /* NULL-terminated; empty: all */
    const char *curve;    /* only those whose name begins so; NULL: all */
    guint most;           /* points of a curve, spread evenly with both ends; 0: all */
    char *const *sets;    /* settings over all others; NULL: none */
} ValidationChoice;

/* Lays the points out. `validation` is zeroed. */
bool validation_prepare(Validation *validation, const ValidationChoice *choice, GError **error);
bool validation_run(Validation *validation, const TrialSettings *settings, GError **error);
void validation_finish(Validation *validation);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Validation, validation_finish)

/* print.c: a line for each curve, with `details` for each point. */
void validation_print(const Validation *validation, bool details, FILE *out);
void validation_print_json(const Validation *validation, FILE *out);
