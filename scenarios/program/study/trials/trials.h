/* Runs of an open plan's points, several at a time; what was run before is taken from the store. */
#pragma once

#include "scenarios/program/study/plan/open.h"
#include "scenarios/program/study/points/worker.h"

/* What is kept of a run: a text, and what is read from that. */
typedef struct {
    const char *name; /* of the folder in the user's cache */
    PointFunction simulate;
    void *(*parse)(const char *payload); /* NULL: it is no such text */
    GDestroyNotify free;                 /* also of NULL */
} TrialForm;

/* The text of a run that failed, newly allocated: {"problem": its message}, with "rejected": true
 * if its input was bad. */
char *trial_problem(const char *message, bool rejected);

typedef struct {
    guint processes; /* at a time */
    guint most;      /* points, the known ones too; more are not tried */
    double time_s;   /* of wall time, for all; 0: no limit */
    bool progress;   /* a line on stderr */
} TrialSettings;

/* Why points were not tried. */
typedef enum { TRIALS_GO_ON, TRIALS_ENOUGH, TRIALS_LATE, TRIALS_INTERRUPTED } TrialsEnd;

typedef struct Trials Trials;

/* The plan and the form must outlive it. Signals are those that interrupts_watch (points/run.h)
 * watches. */
Trials *trials_new(const OpenPlan *plan, const TrialForm *form, const TrialSettings *settings);
void trials_free(Trials *trials);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Trials, trials_free)

/* Tries points, of guint, the first ones first. False with error when no process can be started. */
bool trials_run(Trials *trials, const char *what, const GArray *points, GError **error);

/* What the form read of the point; NULL: it was not tried. */
const void *trials_find(const Trials *trials, guint point);

TrialsEnd trials_end(const Trials *trials);
/* How many points were tried. */
guint trials_count(const Trials *trials);
