/* A study as text for other programs: a row a point in the plan's order. It holds nothing of how,
 * where and when points were run, and numbers are written as the runs wrote them, so that it is the
 * same to the byte however the study was run. */
#pragma once

#include <stdio.h>

#include "scenarios/program/study/table/columns.h"
#include "scenarios/program/study/table/merged.h"

enum { EXPORT_SCHEMA_VERSION = 1 };

/* False with error when a record cannot be read; ferror(out) says whether all was written. */
typedef bool (*ExportWriter)(const MergedStudy *study, FILE *out, GError **error);

/* RFC 4180 with a line of names. */
bool export_csv(const MergedStudy *study, FILE *out, GError **error);
/* As CSV, a row for each point and request class, in fs. */
bool export_stages_csv(const MergedStudy *study, FILE *out, GError **error);
/* All of both, and what the columns are. */
bool export_json(const MergedStudy *study, FILE *out, GError **error);
