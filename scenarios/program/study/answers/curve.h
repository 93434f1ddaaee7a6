/* The loaded-latency curves of a study: offered load against latency and bandwidth. Points that
 * differ only in the load dimension (workload.load of pattern offered_load) are one curve. */
#pragma once

#include <json-glib/json-glib.h>
#include <sqlite3.h>
#include <stdio.h>

#include "kit/describe/configuration.h"

/* Means over all points of one load: replications, and what `by` leaves out. */
typedef struct {
    char *load; /* canonical value of the load dimension */
    double offered_gbps, achieved_gbps, peak_gbps;
    double mean, p95, p99, mean_ns; /* latency of the probe: core cycles; ns */
    guint points;
} CurvePoint;

typedef struct {
    char **values;     /* of the study's `by`, NULL-terminated */
    GArray *points;    /* of CurvePoint, by offered load */
    double unloaded;   /* cycles, at the lowest load */
    bool idle;         /* which is none at all */
    double saturation; /* the highest bandwidth, GB/s */
    double peak;       /* DRAM's, GB/s */
    double doubled;    /* offered GB/s at which the mean is twice `unloaded`; NAN: at none */
} Curve;

typedef struct {
    char *title;
    char *load;        /* dimension */
    GPtrArray *by;     /* of char *: dimensions whose values make a curve */
    GPtrArray *curves; /* of Curve, in the order of the points */
    guint points;
    guint missing; /* points that are not done */
    guint unpaced; /* points that are done and have no set rate, or no probe */
} CurveSet;

/* `by` (may be NULL) is the one dimension whose values are to have curves of their own; without it
 * all but the load have. NULL with error, which says how to make a study that has a curve. */
CurveSet *curve_set_new(sqlite3 *database, const char *by, GError **error);
void curve_set_free(CurveSet *set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CurveSet, curve_set_free)

/* "write_share 25 %, scenario.extends a100"; "" for the only one. Newly allocated. */
char *curve_label(const CurveSet *set, const Curve *curve);

void curve_set_print(const CurveSet *set, FILE *out);
void curve_set_print_csv(const CurveSet *set, FILE *out);
JsonNode *curve_set_json(const CurveSet *set);
