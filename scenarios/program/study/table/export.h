/* A study as text for other programs: a row a point in the plan's order. It holds nothing of how,
 * where and when points were run, and numbers are written as the runs wrote them, so that it is the
 * same to the byte however the study was run. */
#pragma once

#include <sqlite3.h>
#include <stdio.h>

#include "scenarios/program/study/plan/manifest.h"

enum { EXPORT_SCHEMA_VERSION = 1 };

/* `database` is database_open_as_written()'s. False with error; ferror(out) says whether all was
 * written. */
typedef bool (*ExportWriter)(sqlite3 *database, FILE *out, GError **error);

/* RFC 4180 with a line of names. */
bool export_csv(sqlite3 *database, FILE *out, GError **error);
/* As CSV, a row for each point and request class, in fs. */
bool export_stages_csv(sqlite3 *database, FILE *out, GError **error);
/* All of both, and what the columns are. */
bool export_json(sqlite3 *database, FILE *out, GError **error);
