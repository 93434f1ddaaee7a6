/* Numbers of a parameter, "A .. B" and how it is divided: of values, or of factors of the
 * parameter's own value. */
#pragma once

#include "kit/describe/param.h"

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
    bool relative;            /* the ends and the step are factors */
    double first, last, step; /* in the parameter's stored unit */
    guint size;               /* values; 0: continuous */
} Range;

/* A parameter that is a number: COUNT to RATIO. */
bool number_is(const Param *param);
/* In the stored unit; the error is param_parse's: value, reason, what is allowed. */
bool number_parse(const Param *param, const char *text, double *number, GError **error);
/* Canonical text of the nearest value, ratios to nine decimals, newly allocated; NULL with error
 * when it is out of the parameter's range. */
char *number_write(const Param *param, double number, GError **error);
/* Computed frequencies are whole MHz, and times whole ps. */
double number_round(const Param *param, double number);

/* Errors say the text and what is wrong with it, without the place. */
bool range_read(const Param *param, const char *text, Range *range, GError **error);

/* Value `index` of a range that is not continuous. */
double range_value(const Range *range, guint index);
/* At a share of a continuous range, 0..1. */
double range_at(const Range *range, double share);

/* "x0.5", a factor. */
bool factor_is_written(const char *text);
bool factor_read(const char *text, double *factor, GError **error);
