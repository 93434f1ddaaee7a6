/* "A .. B" and how it is divided: of numbers of a parameter, or of factors of its own value. */
#pragma once

#include "scenarios/program/study/dimensions/amount.h"

typedef enum {
    RANGE_LINEAR, /* A .. B: continuous */
    RANGE_LOG,    /* A .. B log: continuous */
    RANGE_STEP,   /* A .. B step S */
    RANGE_TIMES,  /* A .. B times F */
    RANGE_IN,     /* A .. B in N */
    RANGE_LOG_IN, /* A .. B log N */
} RangeForm;

enum { AXIS_VALUES_MAX = 1000000 };

typedef struct {
    RangeForm form;
    bool relative; /* the ends and the step are factors */
    Fixed first, last, step, precision;
    guint size; /* values; 0: continuous */
} Range;

/* Errors say the text and what is wrong with it, without the place. */
bool range_read(const Param *param, const char *text, Range *range, GError **error);

/* Value `index` of a range that is not continuous, as precise as its ends are written. */
Fixed range_value(const Range *range, guint index);
/* At a share of a continuous range, 0..1, rounded so. */
Fixed range_at(const Range *range, double share);

/* "x0.5", a factor. */
bool factor_is_written(const char *text);
bool factor_read(const char *text, Amount *factor, GError **error);
