/* What the analyses of a study share: opening it, finding what was named, and words for values. */
#pragma once

#include "scenarios/program/command.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/study/answers/effects.h"
#include "scenarios/program/study/table/sheet.h"

/* How an analysis is printed. */
typedef enum { FORM_TEXT, FORM_CSV, FORM_JSON } Form;

/* Reads a study that has a point that is done. NULL: the message is on stderr, and *status says
 * how to end. */
StudyData *analysis_open(const char *directory, Status *status);

/* False when both are set: the message is on stderr. */
bool analysis_form(gboolean json, gboolean csv, Form *form);

/* The named measures, or the default ones that the study has, with time first; of guint. NULL: the
 * message is on stderr. */
GArray *analysis_measures(const StudyData *data, char **names, const char *const *defaults);
/* The position of a factor by its name, or -1 and a message on stderr. */
int analysis_factor(const StudyData *data, const char *name);

/* Of guint: what every table is made for: each level of the factor `by`, or once, for -1. */
guint analysis_slices(const StudyData *data, int by);

/* "12 of 40 points are done (3 failed, 25 missing)": of a study that is not complete. */
void analysis_print_state(const StudyData *data);
/* The line above the table of a slice; nothing when there is only one. */
void analysis_print_slice(const StudySlice *slice);

/* Newly allocated: "48.2 us", "812.4 GB/s", "1,234". */
char *measure_text(const Measure *measure, double value);
/* "time_ns (simulated time of the measured kernels)" */
char *measure_name(const Measure *measure);
/* "+12.3 %" of a change relative to a whole; "0 %" is exactly nothing, "-": unknown. */
char *percent_text(double change, double whole);

/* "95%" or "0.95", from 0 to 1; else a message on stderr that names the option. */
bool analysis_share(const char *text, const char *option, double *share);
