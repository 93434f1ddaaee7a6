/* A study in memory, as the analyses want it: what varied, what was measured, and the points with
 * their replications put together. Read from the database with SQL alone (database.h). */
#pragma once

#include <sqlite3.h>

#include "scenarios/program/study/dimensions/design.h"
#include "scenarios/program/study/records/outcome.h"

/* One value of a factor. */
typedef struct {
    char *text;    /* this and the other texts are StudyData's */
    double number; /* NaN: no number */
} FactorLevel;

/* A dimension of the study, with the values that its points have. */
typedef struct {
    char *name, *unit, *baseline;
    GArray *levels; /* of FactorLevel; by number, or in the order of the points */
    bool numeric;   /* every value is a number */
} Factor;

/* A column of results that holds numbers. */
typedef struct {
    char *name, *unit, *summary;
    Better better;
    bool known; /* some point has a value */
} Measure;

/* One simulated point: the position of each factor's level, and a value of each measure. */
typedef struct {
    guint point; /* its number */
    guint *levels;
    double *values; /* NaN: the run has none */
    guint replication;
    const char *role;
} Run;

/* The runs of one combination of values, which differ in their replication. */
typedef struct {
    const guint *levels; /* of the first run */
    const char *role;
    guint runs;
    double *mean, *low, *high; /* of each measure; NaN: no run has a value */
} Sample;

typedef struct {
    GStringChunk *texts;
    const char *title;
    Design design;
    guint points, done, failed, missing;
    GPtrArray *factors, *measures; /* of Factor, Measure */
    GPtrArray *runs, *samples;     /* of Run, Sample, in the order of the points */
} StudyData;

StudyData *study_data_read(sqlite3 *database, GError **error);
void study_data_free(StudyData *data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(StudyData, study_data_free)

const Factor *study_factor(const StudyData *data, guint index);
const Measure *study_measure(const StudyData *data, guint index);
const FactorLevel *factor_level(const Factor *factor, guint index);

/* The position, or -1. */
int study_find_factor(const StudyData *data, const char *name);
int study_find_measure(const StudyData *data, const char *name);
