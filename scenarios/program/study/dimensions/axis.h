/* What one line of `[study]` says a parameter's values are. */
#pragma once

#include "kit/describe/configuration.h"

/* What is known of the parameter before its values are read. */
typedef struct {
    const Setting *setting;   /* of `[study]`: key, text, place */
    const Param *param;       /* its row; NULL: a name (variant, preset), or a workload's own key */
    const char *baseline;     /* the scenario's own value, canonical */
    const char *const *names; /* for names: the allowed ones, NULL-terminated; NULL: anything */
} AxisSource;

typedef struct Axis Axis;

/* Lists, "A .. B step S", "A .. B in N", "A .. B log N", "A .. B times F", "x0.5, x2", and the
 * continuous "A .. B" and "A .. B log". Errors have the place, the value, and what is allowed. */
Axis *axis_new(const AxisSource *source, GError **error);
void axis_free(Axis *axis);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Axis, axis_free)

const char *axis_name(const Axis *axis);
/* "file:line: study.NAME = VALUES: ", for messages. */
const char *axis_place(const Axis *axis);
/* NULL: the scenario does not say it. */
const char *axis_baseline(const Axis *axis);
/* Its values are cycles and the scenario's own is a time, or the reverse: nobody knows which
 * is longer. */
bool axis_mixes_units(const Axis *axis);

/* Its values, canonical text; 0: the axis is a continuous range, which only designs that sample
 * know how to use. */
guint axis_size(const Axis *axis);
const char *axis_value(const Axis *axis, guint index);

/* The value at a share of the axis, 0 <= share <= 1, canonical text, newly allocated: of a
 * continuous range linearly or logarithmically between its ends, of a list one of its items, each
 * for an equal part of 0..1. */
char *axis_at(const Axis *axis, double share);
