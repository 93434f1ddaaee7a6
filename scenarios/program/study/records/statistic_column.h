/* Statistics that a study names as results of its own. */
#pragma once

#include "platform/machine/machine.h"
#include "scenarios/program/study/records/outcome.h"

typedef struct {
    const UnitClass *unit;
    const Stat *stat;
    const char *member; /* of what result.json has of it; NULL: it is a number itself */
    const char *measured_in;
} StatisticColumn;

/* False with error: outcome_check_statistic. */
bool statistic_column_find(const char *name, StatisticColumn *column, GError **error);
