/* Parameters that changed nothing: points are compared that differ in one factor only. */
#pragma once

#include "scenarios/program/study/table/study_data.h"

typedef struct {
    guint64 pairs;  /* of runs that differ in this factor only; 0: not judged */
    double most;    /* the greatest difference of a measure, relative to the greater size */
    guint measure;  /* which one that is */
    guint64 differ; /* pairs in which some measure differs by more than the threshold */
} Inertia;

/* One a factor; `measures` is of guint. */
GArray *inertia_of(const StudyData *data, const GArray *measures, double threshold);
