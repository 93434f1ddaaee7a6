/* The loaded-latency curves of a study: offered load against latency and what is achieved, which is
 * bandwidth of DRAM or, of traffic into a network alone, packets a cycle of each source. Points
 * that differ only in the load dimension (workload.load of the patterns that have it) are one
 * curve. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdio.h>

#include "scenarios/program/study/table/study_data.h"

/* Means over all points of one load: replications, and what `by` leaves out. */
typedef struct {
    const char *load;               /* canonical value of the load dimension */
    double offered, achieved, peak; /* in the set's unit */
    double mean, p95, p99, mean_ns; /* latency of the probe, or of traffic: its cycles; ns */
    double pj_a_bit, dram_pj_a_bit; /* of what lanes asked for; that DRAM moved; NaN: not known */
    guint points;
} CurvePoint;

typedef struct {
    const guint *levels; /* of its first run */
    GArray *points;      /* of CurvePoint, by offered load */
    double unloaded;     /* cycles, at the lowest load */
    bool idle;           /* which is none at all */
    double saturation;   /* the highest that is achieved, where more is offered; NAN: nowhere */
    double peak;         /* what there is at most */
    double doubled;      /* offered, where the mean is twice `unloaded`; NAN: nowhere */
} Curve;

/* What loads are counted in. */
typedef struct {
    const char *words;  /* "GB/s" */
    const char *suffix; /* of columns and members: "gbps" */
    int decimals;
    const char *offered, *achieved, *peak; /* measures; a peak without one is 1 */
} CurveUnit;

typedef struct {
    const StudyData *data;
    const CurveUnit *unit; /* of the first point that has one */
    int load;              /* the factor */
    GArray *by;            /* of guint: factors whose values make a curve */
    GPtrArray *curves;     /* of Curve, in the order of the points */
    guint unpaced;         /* points that are done and have no set rate, or no probe */
} CurveSet;

/* `by` (may be NULL) is the one dimension whose values are to have curves of their own; without it
 * all but the load have. NULL with error, which says how to make a study that has a curve. */
CurveSet *curve_set_new(const StudyData *data, const char *by, GError **error);
void curve_set_free(CurveSet *set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CurveSet, curve_set_free)

static inline const Curve *curve_set_at(const CurveSet *set, guint index)
{
    return set->curves->pdata[index];
}

static inline const CurvePoint *curve_point(const Curve *curve, guint index)
{
    return &g_array_index(curve->points, CurvePoint, index);
}

/* The dimension that is the load; one of `by`, and its value on a curve. */
const char *curve_set_load(const CurveSet *set);
const char *curve_set_by(const CurveSet *set, guint index);
const char *curve_value(const CurveSet *set, const Curve *curve, guint index);

/* "achieved_gbps", newly allocated. */
char *curve_column(const CurveSet *set, const char *what);

/* "write_share 25 %, scenario.extends a100"; "" for the only one. Newly allocated. */
char *curve_label(const CurveSet *set, const Curve *curve);

void curve_set_print(const CurveSet *set, FILE *out);
void curve_set_print_csv(const CurveSet *set, FILE *out);
JsonNode *curve_set_json(const CurveSet *set);
