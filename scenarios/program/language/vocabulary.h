/* Every name that the tables define, and where it stands: for `list` and `explain`. */
#pragma once

#include "platform/machine/machine.h"
#include "scenarios/program/language/house_words.h"
#include "scenarios/program/report/document/figure.h"
#include "scenarios/program/study/records/outcome.h"
#include "workloads/workload.h"

typedef enum {
    WORD_UNIT,
    WORD_GROUP, /* parameters that are not one unit's */
    WORD_PATTERN,
    WORD_PARAMETER,
    WORD_STATISTIC,
    WORD_CLASS, /* of requests */
    WORD_STAGE,
    WORD_RESULT, /* of a run, in a study's table */
    WORD_PRESET,
    WORD_PART, /* of DRAM */
    WORD_SCENARIO,
    WORD_FIGURE, /* of a report */
    WORD_CHANNEL,
    WORD_STORAGE,  /* bits that a unit declares */
    WORD_RESOURCE, /* that a unit declares; bounded channels are resources as well */
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
    bool named;       /* a parameter of [link NAME] and the like */
    bool of_workload; /* a parameter of [workload] or [kernel NAME] */
    const Stat *stat;
    const ResultColumn *result;
    const FigureTopic *figure;
    const ChannelRow *channel;
    const ResourceRow *resource;
    const StorageRow *storage;
} Word;

/* Whether `name` means the word: its name, what stands after the point in it, or a key as a
 * scenario writes it: "workload.KEY", "kernel NAME.KEY", "link NAME.KEY". */
bool word_is_called(const Word *word, const char *name);

/* How a scenario and --set write a parameter, newly allocated: "workload.array_bytes" of
 * "stream.array_bytes", "link NAME.removed". */
char *word_key(const Word *word);

/* The key of a name that begins with "workload." or "kernel NAME."; NULL for others. */
const char *vocabulary_workload_key(const char *name);

/* Of Word: units, groups, patterns, parameters, statistics, classes of requests, stages,
 * results, presets, DRAM parts, scenarios, figures, resources, storage, channels. */
GPtrArray *vocabulary_new(void);

/* ">= 4 MiB, where first_level.array = 0 B": what a component's perfect form sets the parameter to,
 * or "unset"; newly allocated. */
char *perfect_role_text(const PerfectRole *role);
/* "twice", "half", "": what a what-if makes of the value that doubles the part. */
const char *doubling_name(Doubling doubling);

/* "count", "occupancy over time" ... */
const char *stat_type_name(StatType type);
/* "" or what it says of a statistic that is also collected over time. */
const char *stat_series_note(const Stat *stat);

/* "in", "out, several". */
const char *port_direction(PortKind kind);
/* "sm.to_load_store, door.to_l1": what the port is connected to, newly allocated. */
char *port_ends(const UnitClass *unit, const PortRow *port);

/* "l1.prt_entries", "derived" or "1": what it holds, or can do at once; newly allocated. */
char *resource_capacity(const UnitClass *unit, const ResourceRow *row);
