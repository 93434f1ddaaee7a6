/* Every name that the tables define, and where it stands: for `list` and `explain`. */
#pragma once

#include "platform/machine.h"
#include "workloads/workload.h"

typedef enum {
    WORD_UNIT,
    WORD_GROUP, /* parameters that are not one unit's */
    WORD_PATTERN,
    WORD_PARAMETER,
    WORD_STATISTIC,
    WORD_STAGE,
} WordKind;

typedef struct {
    WordKind kind;
    char *name;             /* "l1.ways", "l1", "stream", "dram_bus" */
    const char *short_name; /* "ways": what stands after the point, or the name */
    const char *summary;
    const UnitClass *unit;
    const WorkloadClass *pattern;
    const ParamGroup *group;
    const Param *param;
    const Stat *stat;
} Word;

/* Of Word: units, groups, patterns, parameters, statistics, stages. */
GPtrArray *vocabulary_new(void);

/* "count", "occupancy over time" ... */
const char *stat_type_name(StatType type);
