/* What the files that make a plan share. */
#pragma once

#include "scenarios/program/language/resolve.h"
#include "scenarios/program/language/sets.h"
#include "scenarios/program/study/dimensions/axis.h"
#include "scenarios/program/study/dimensions/design.h"
#include "scenarios/program/study/dimensions/where.h"
#include "scenarios/program/study/perfect/perfect.h"
#include "scenarios/program/study/plan/plan.h"
#include "scenarios/program/study/plan/point_key.h"

typedef struct {
    const Setting *setting; /* the scenario's, in [study]; its key is the dimension's name */
    char *group, *key;      /* NULL: the dimension is `variant` */
    bool structural;
    Axis *axis;
} PlanDimension;

typedef struct {
    Base *base; /* the manifest's */
    guint index;
    guint64 seed;
    GPtrArray *values;   /* of ResolvedValue; of a file, the hash of what is in it */
    GHashTable *by_name; /* "group.key" -> its text in `values` */
    PointKey *key;
} PlanBase;

typedef struct {
    const char *path;
    const char *const *sets;
    Scenario *scenario;
    StudySettings settings;
    GPtrArray *dimensions; /* of PlanDimension */
    bool names_dimensions; /* they are its own, and nobody has asked for each */
    GPtrArray *references; /* of GPtrArray of ResolvedValue: what the study's variants know */
    GPtrArray *derived;    /* of formulas.c: results made of parameters alone */
    Where *where;          /* NULL: no condition */
    GPtrArray *bases;      /* of PlanBase */
    GHashTable *base_of;   /* structural values, joined -> PlanBase */
    GHashTable *digests;   /* path -> SHA-256 of the file */
    Manifest *manifest;
} Plan;

/* "group.key", newly allocated. */
static inline char *plan_name(const ResolvedValue *value)
{
    return g_strconcat(value->group, ".", value->key, NULL);
}

/* Without points yet; `path` and `sets` must outlive it. */
Plan plan_begin(const char *path, const char *const *sets);
void plan_finish(Plan *plan);

void plan_dimension_free(gpointer dimension);
void plan_base_free(gpointer base);

/* Fills dimensions and references. */
bool plan_read_dimensions(Plan *plan, GError **error);

/* All that may stand in a condition; with `own`, all that may stand in [study]. NULL-terminated. */
GPtrArray *plan_list_names(const Plan *plan, bool own);
/* Of the first of the study's variants that has such a parameter; NULL: none has. */
const ResolvedValue *plan_find_value(const Plan *plan, const char *group, const char *key);

/* plan/formulas.c. Whether a key of [study] says something of a result of its own. */
bool plan_is_derived(const char *key);
/* Fills the manifest's derived results, then `derived` and `where`. */
bool plan_read_formulas(Plan *plan, GError **error);
void plan_derived_free(gpointer derived);
/* False with error when a condition cannot be judged. A row that the model rejects meets those that
 * ask for its machine. */
bool plan_meets_where(const Plan *plan, const PlanBase *base, char *const *values, GError **error);

/* plan/stored.c. Results that are known before a row runs: "storage_bits", "area_mm2". */
extern const char *const plan_stored_names[];
/* Of a row; zeroed at first. A machine that cannot be built is rejected, and stores nothing. */
typedef struct {
    enum { STORED_UNKNOWN, STORED_KNOWN, STORED_REJECTED } state;
    char bits[G_ASCII_DTOSTR_BUF_SIZE], area[G_ASCII_DTOSTR_BUF_SIZE];
} PlanStored;
const char *plan_stored_text(PlanStored *stored, const Plan *plan, const PlanBase *base,
                             char *const *values, const char *name);

/* plan/doubling.c. Puts into the study, as dimensions, what of its first variant can be doubled. */
void plan_name_doublings(const Plan *plan);

/* plan/perfect.c. Design `perfect`: the components become a dimension of their own. */
bool plan_add_perfect(Plan *plan, GError **error);

/* Takes the configuration and returns it with the component perfect; NULL without error when there
 * is nothing to make perfect. */
Configuration *plan_make_perfect(Configuration *configuration, const char *component,
                                 GError **error);

/* The base for a row of the design, one value a dimension; made when it is first asked for. NULL
 * with error, or without where a component has nothing to be perfect in. */
PlanBase *plan_find_base(Plan *plan, char *const *values, GError **error);

/* A base of its own for a configuration, which it takes over. NULL with error. */
PlanBase *plan_add_base(Plan *plan, Configuration *configuration, char *const *values,
                        GError **error);

/* A point for each replication, without asking for `where`. */
void plan_add_points(Plan *plan, const PlanBase *base, char *const *values, const char *role);

/* Puts into the base's files what the parameter's file has with it (a list of traces: the traces);
 * file names are absolute. Returns one hash over all of them, newly allocated; NULL with error. */
char *plan_add_files(const Plan *plan, Base *base, const Setting *setting, GError **error);

/* Puts points to the model, as far as that is quick. Fails when it takes none of them. */
bool plan_check_points(const Manifest *manifest, PlanReport *report, GError **error);
