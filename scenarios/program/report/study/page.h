/* The sections of a study's report, and what all of them look at. */
#pragma once

#include "scenarios/program/report/document/document.h"
#include "scenarios/program/study/answers/effects.h"
#include "scenarios/program/study/plan/manifest.h"

/* A point as the database has it. */
typedef struct {
    const char *status, *message; /* "" without message */
    const char *bound;            /* what bound the run; NULL: not known */
    const Run *run;               /* NULL: it is not done */
} PointState;

/* The unit in which a factor's or a result's numbers are shown. */
typedef struct {
    const char *unit;
    double scale; /* shown = number * scale */
} ShownUnit;

typedef struct {
    const char *directory;
    Manifest *manifest;
    sqlite3 *database;
    StudyData *data;
    GStringChunk *texts;
    GArray *points;     /* of PointState */
    StudySlice all;     /* every sample */
    int measure;        /* the result that points are ranked by; -1: no point has one */
    Effects *effects;   /* on it; NULL: there is none */
    GArray *ranking;    /* of guint: factors, the strongest first; without `perfect` */
    ShownUnit *factors; /* one a factor; of numbers */
    bool loads;         /* traffic at a set rate: what matters is the latency of a probe */
    bool perfect;       /* the design `perfect`, whose dimension is no parameter */
} StudyView;

/* False with the error of the verbs that analyse a study. */
bool study_view_open(StudyView *view, const char *directory, GError **error);
void study_view_close(StudyView *view);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(StudyView, study_view_close)

const Factor *view_factor(const StudyView *view, guint index);
ShownUnit measure_shown_unit(const Measure *measure);
/* A level as a number of its shown unit, or as its text: "96". Newly allocated. */
char *view_level_text(const StudyView *view, guint factor, guint level);
double view_level_number(const StudyView *view, guint factor, guint level);
/* A cell with a factor's value: whole numbers without a point. */
void figure_value(Figure *figure, double number);
/* The positions of the named results that some point has, of guint. `names` ends with NULL. */
GArray *view_measures(const StudyView *view, const char *const *names);
/* What the study names beside the usual results: statistics, and results of its own; of char *. */
GPtrArray *view_own_results(const StudyView *view);
/* Whether the factor has several values in points that are done. */
bool view_factor_varies(const StudyView *view, guint factor);
/* "l1.prt_entries = 16, variant = chase": the values of the factors that vary, one at a time only
 * those that are not the scenario's own; newly allocated. */
char *view_describe_levels(const StudyView *view, const guint *levels);
/* How many combinations with their labels a figure has room for: a page has several of them. */
guint view_room(const StudyView *view);
/* How a figure's points were left out, when not all are done. */
void view_note_state(const StudyView *view, Figure *figure);
/* What means over the other dimensions are of, where the grid lacks points. */
void view_note_holes(const StudyView *view, Figure *figure);

/* Whether a factor's values make a curve in this design. */
bool view_has_curves(const StudyView *view);

/* Each adds a section, or nothing where the study has none of it. The lead begins with the state,
 * unless all points are done; then comes what a perfect component or the load says, then the rest.
 */
void study_show_state(Document *document, const StudyView *view);
void study_show_lead(Document *document, const StudyView *view);
void study_show_perfect(Document *document, const StudyView *view);
void study_show_loads(Document *document, const StudyView *view);
void study_show_effects(Document *document, const StudyView *view);
void study_show_knees(Document *document, const StudyView *view);
void study_show_sweeps(Document *document, const StudyView *view);
void study_show_heat(Document *document, const StudyView *view);
void study_show_fronts(Document *document, const StudyView *view);
void study_show_spread(Document *document, const StudyView *view);
void study_show_points(Document *document, const StudyView *view);
void study_show_failures(Document *document, const StudyView *view);
void study_show_settings(Document *document, const StudyView *view);
