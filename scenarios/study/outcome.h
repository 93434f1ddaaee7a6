/* What of a run goes into a study's table: its outcome, as the text of a record's payload.
 *
 *     VALUE VALUE ... | CLASS COUNT SUM SUM ... | CLASS ...
 *
 * One VALUE for each column of result_columns and then for each of the manifest's statistics: a
 * number, a JSON string, or '-' where the run has none. Then, for each request class that has
 * requests, how many there were and the time they spent in each stage, in fs, in the order of the
 * stages (kit/stage.h); it adds up to their latency. */
#pragma once

#include <json-glib/json-glib.h>

#include "kit/stage.h"
#include "scenarios/study/manifest.h"

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
