/* The columns of a study's tables and exports, with their units. */
#pragma once

#include "scenarios/program/study/records/outcome.h"

typedef struct {
    GArray *results;    /* of ResultColumn: of every study, its statistics, its own */
    const char **units; /* of each dimension's numbers; NULL: its values are no numbers */
} StudyColumns;

StudyColumns *study_columns_new(const Manifest *manifest);
void study_columns_free(StudyColumns *columns);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(StudyColumns, study_columns_free)

bool result_column_is_text(const ResultColumn *column);

/* The value of a dimension as a number of its unit; false for other text, or without unit. */
bool dimension_number(const char *text, const char *unit, double *number);
