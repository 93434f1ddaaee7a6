/* From a scenario with `[study]` to a manifest. */
#pragma once

#include "scenarios/program/language/scenario.h"
#include "scenarios/program/say/unread.h"
#include "scenarios/program/study/plan/manifest.h"

/* What is worth saying of a plan and does not stand in its manifest. */
typedef struct {
    guint distinct; /* runs: points with the same key are one */
    guint excluded; /* rows of the design that do not satisfy `where` */
    guint skipped;  /* design perfect: what the machines have no use for */
    guint checked;  /* points that were put to the model ... */
    guint rejected; /* ... and that it does not take */
    guint first_rejected;
    char *reason;    /* of the first one; NULL: none */
    GPtrArray *axes; /* for each dimension what values it takes, as text; of char * */
    Unread *unread;  /* borrowed: notes of the checked points what varies; NULL: nobody asks */
} PlanReport;

void plan_report_finish(PlanReport *report);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PlanReport, plan_report_finish)

/* Reads the scenario with `sets` ("group.key=value", NULL-terminated or NULL) over it and lays out
 * its points; nothing is written. Points that the model does not take stay in the plan, unless they
 * all are such; that is looked up for as many points as take a second or two. The error says
 * file:line and the nearest valid name. `report` is zeroed, or NULL. */
Manifest *plan_new(const char *path, const char *const *sets, PlanReport *report, GError **error);

/* "grid of 3 dimensions, 24 points", newly allocated. */
char *plan_describe(const Manifest *manifest);
