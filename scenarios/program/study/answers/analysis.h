/* What the analyses of a study share: opening it, finding what was named, and words for values. */
#pragma once

#include "scenarios/program/complain.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/study/answers/effects.h"
#include "scenarios/program/study/table/sheet.h"

/* How an analysis is printed. */
typedef enum { FORM_TEXT, FORM_CSV, FORM_JSON } Form;

/* What a verb that answers a question begins with and ends with: its usual options, the study, and
 * a sheet for the forms that programs read. Zeroed at first. */
typedef struct {
    char **on, *by;
    gboolean csv, json;
    Form form;
    StudyData *data;
    int held;         /* the factor that `by` names; -1: none */
    GArray *measures; /* of guint: those that `on` names */
    Sheet *sheet;
} Answer;

#define ANSWER_ON(answer, text)                                                                    \
    {                                                                                              \
        "on", 0, 0, G_OPTION_ARG_STRING_ARRAY, &(answer).on, text, "RESULT"                        \
    }
#define ANSWER_BY(answer)                                                                          \
    {                                                                                              \
        "by", 0, 0, G_OPTION_ARG_STRING, &(answer).by, "a table for each value of a dimension",    \
            "DIMENSION"                                                                            \
    }
#define ANSWER_FORM(answer)                                                                        \
    {"csv", 0, 0, G_OPTION_ARG_NONE, &(answer).csv, "print as CSV", NULL},                         \
        {"json", 0, 0, G_OPTION_ARG_NONE, &(answer).json, "print as JSON", NULL},                  \
    {                                                                                              \
        NULL, 0, 0, 0, NULL, NULL, NULL                                                            \
    }

/* Both return false when the verb ends here, with *status; a message is on stderr. answer_begin
 * reads the options and a study that has a point that is done; answer_parse does without one. */
bool answer_parse(Answer *answer, const CommandLine *line, int *argc, char ***argv, Status *status);
bool answer_begin(Answer *answer, const CommandLine *line, int argc, char **argv, Status *status);
/* Finds the measures: the default ones that the study has if none is named, or all if there are no
 * defaults. False: the message is on stderr. */
bool answer_measures(Answer *answer, const char *const *defaults);
/* Prints the sheet, unless the form is text. */
Status answer_end(const Answer *answer);
void answer_finish(Answer *answer);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Answer, answer_finish)

/* Of guint: what every table is made for: each level of the factor `by`, or once, for -1. */
guint analysis_slices(const StudyData *data, int by);

/* "12 of 40 points are done (3 failed, 25 missing)": of a study that is not complete. */
void analysis_print_state(const StudyData *data);
/* What is to be known of a study's effects beside how they are told. */
void analysis_print_cautions(const StudyData *data);
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
