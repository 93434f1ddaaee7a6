/* What of a run goes into a study's table: its outcome, as the text of a record's payload.
 *
 *     VALUE VALUE ... | CLASS COUNT SUM SUM ... | CLASS ...
 *
 * One VALUE for each column of result_columns and then for each of the manifest's statistics: a
 * number, a JSON string, or '-' where the run has none. Then, for each request class that has
 * requests, how many there were and the time they spent in each stage, in fs, in the order of the
 * stages (kit/describe/stage.h); it adds up to their latency. */
#pragma once

#include <json-glib/json-glib.h>

#include "kit/describe/stage.h"
#include "scenarios/program/study/plan/manifest.h"

typedef enum { BETTER_LOWER, BETTER_HIGHER, BETTER_NEITHER } Better;

typedef struct {
    const char *name; /* of the column, in the database and in exports */
    const char *unit; /* "ns"; "": a plain number; "text" */
    const char *path; /* of the member in result.json; NULL: computed */
    Better better;
    const char *summary; /* one line */
} ResultColumn;

/* Ends with a row without name. */
const ResultColumn *result_columns(void);
guint result_column_count(void);
/* The position of a column, or -1. */
int result_column_find(const char *name);
/* Whether only points of studies with peak_power = yes have it. */
bool result_column_is_peak(const ResultColumn *column);

/* "lower", "higher", "neither" */
const char *better_name(Better better);

/* The column of a statistic's total over all units of its class: "l1.refused_prt". Of a level or a
 * distribution it is the mean; UNIT.STATISTIC.MEMBER is another member that result.json has of it,
 * "l1.prt_occupancy.max", "sm.load_latency.p99_fs". False with an error that names the nearest
 * statistic or the members; `column` may be NULL, and its name is the one that was given. */
bool outcome_check_statistic(const char *name, ResultColumn *column, GError **error);

/* The payload of a run, newly allocated; `result` is its result.json or less of it, `resources` a
 * list of pressure.h. */
char *outcome_format(JsonNode *result, GPtrArray *resources, const Manifest *manifest);

/* --- reading ---------------------------------------------------------------------------------- */

typedef enum { OUTCOME_ABSENT, OUTCOME_NUMBER, OUTCOME_TEXT } OutcomeKind;

typedef struct {
    OutcomeKind kind;
    double number;
    const char *text; /* of a text its content, of a number as it is written; NULL: absent */
} OutcomeValue;

typedef struct {
    const char *request_class;
    guint64 count;
    guint64 sums[STAGE_COUNT]; /* fs */
} OutcomeStages;

/* A payload taken apart. Zeroed before its first use; the next outcome_parse uses its memory
 * again. */
typedef struct {
    GArray *values; /* of OutcomeValue: the columns, then the statistics */
    GArray *stages; /* of OutcomeStages */
    char *text;     /* what the others point into */
    gsize room;
} ParsedOutcome;

/* `values` is how many there are to be. The error says where the text is malformed. */
bool outcome_parse(const char *payload, guint values, ParsedOutcome *outcome, GError **error);
void parsed_outcome_finish(ParsedOutcome *outcome);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ParsedOutcome, parsed_outcome_finish)
