/* Parameter tables: one row a parameter, over a plain struct. Parsing, defaults, validation,
 * `explain`, `show` and the reference pages all come from the rows; the field's name is the key in
 * a scenario. */
#pragma once

#include "kit/describe/quantity.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a component may only be there for: where no pattern of the workload uses it, and no
 * parameter turns it on, the component costs nothing. */
typedef enum { USE_TEXTURES = 1, USE_ATOMICS = 2 } Use;

/* A condition is "GROUP.KEY = VALUE", or "!="; of the own group "KEY = VALUE". With its group, newly
 * allocated; NULL of NULL. */
char *param_qualify(const char *group, const char *condition);

/* What the parameter is set to where a component of the machine is perfect: costs nothing that it
 * need not. */
typedef struct {
    const char *component;
    const char *value;   /* ">= X": at least so much, a larger one stays; NULL: it is unsaid */
    const char *only_if; /* else this setting is left out; NULL: never */
    const char *needs;   /* else the component is no part of the machine; one of its rows says it */
    Use serves;          /* 0: anything; again said by one row */
} PerfectRole;

/* X of a role's ">= X"; NULL: the value is another. */
const char *perfect_least(const char *value);

/* The components that a row is part of: `.perfect = PERFECT(IN("dram_latency", "1 cycle"),
 * IN("dram", "1 cycle"))`; `.only_if` and the like stand behind the value. */
/* clang-format off */
#define PERFECT(...) ((const PerfectRole[]){__VA_ARGS__, {.component = NULL}})
#define IN(name, best, ...) {.component = name, .value = best, __VA_ARGS__}
/* clang-format on */

/* How a what-if makes the part twice as large or as fast. */
typedef enum { DOUBLING_NONE, TWICE, HALF } Doubling;

typedef struct {
    const char *name;
    ParamType type;
    size_t offset;
    const char *default_text; /* as a scenario would write it */
    double minimum,
        maximum; /* inclusive, in the field's stored unit; ignored for BOOL, CHOICE, TEXT */
    const char *const *choices; /* NULL-terminated, for CHOICE */
    const char *summary;        /* one line */
    const PerfectRole *perfect; /* ends with a row without component; NULL: part of none */
    Doubling doubling;
    /* components that its doubling relieves, "issue occupancy"; NULL: those that it makes perfect,
     * or else those of its group. Of choices: that another one may relieve, since it is another
     * design of the part, which a what-if tries; NULL: none */
    const char *relieves;
    Use turns_on; /* at any value but the default */
    /* A condition, else it means nothing; NULL: none. "OUTPUT.KEY" is of the unit it leads to. */
    const char *only_if;
    bool longest; /* of a duration: it must not be longer, and a time is rounded down */
} Param;

/* Offset of a field whose C type is checked at compile time. */
#define PARAM_FIELD(Type, field, ctype)                                                            \
    (offsetof(Type, field) + 0 * sizeof(char[_Generic(((Type *)0)->field, ctype : 1)]))

/* clang-format off */
/* A row's roles stand behind its text: `.doubling = HALF`. */
#define PARAM_NUMBER(Type, field, kind, fallback, lowest, highest, text, ...)                      \
    { .name = #field, .type = kind, .offset = PARAM_FIELD(Type, field, uint64_t),                  \
     .default_text = fallback, .minimum = lowest, .maximum = highest, .summary = text, \
     __VA_ARGS__ }
#define PARAM_REAL(Type, field, fallback, lowest, highest, text, ...)                              \
    { .name = #field, .type = PARAM_RATIO, .offset = PARAM_FIELD(Type, field, double),             \
     .default_text = fallback, .minimum = lowest, .maximum = highest, .summary = text, \
     __VA_ARGS__ }
#define PARAM_SWITCH(Type, field, fallback, text, ...)                                             \
    { .name = #field, .type = PARAM_BOOL, .offset = PARAM_FIELD(Type, field, bool),                \
     .default_text = fallback, .summary = text, __VA_ARGS__ }
#define PARAM_ONE_OF(Type, field, names, fallback, text, ...)                                      \
    { .name = #field, .type = PARAM_CHOICE, .offset = PARAM_FIELD(Type, field, uint32_t),          \
     .default_text = fallback, .choices = names, .summary = text, __VA_ARGS__ }
#define PARAM_STRING(Type, field, fallback, text, ...)                                             \
    { .name = #field, .type = PARAM_TEXT, .offset = PARAM_FIELD(Type, field, char *),              \
     .default_text = fallback, .summary = text, __VA_ARGS__ }
#define PARAM_END { .name = NULL }
/* clang-format on */

/* A table with the name of its group in a scenario, `[name]`. */
typedef struct {
    const char *name;
    const char *summary;
    const Param *params; /* ends with PARAM_END */
    bool named;          /* there may be any number of such groups, each with a name of its own */
} ParamGroup;

/* Whether settings of this group are the table's; of a named one "link" has none, "link x" has. */
bool param_group_holds(const ParamGroup *group, const char *name);

/* What the group of this name is of: "x" of "link x"; "": of nothing. */
const char *param_group_name_of(const ParamGroup *group, const char *name);

#define PARAM_ERROR (g_quark_from_static_string("warpmem-parameter"))

/* Parses `text` into the field of `object`. The error says the value, what is wanted and the
 * allowed range. */
bool param_parse(const Param *param, const char *text, void *object, GError **error);

/* A clock, by the parameter that says it: "machine.dram_clock". */
typedef struct {
    const char *name;
    uint64_t hertz;
} ParamClock;

/* Makes cycles of a duration that was given as a time; nothing of any other. The error says the
 * value, what it is in cycles of that clock, and the allowed range. */
bool param_settle(const Param *param, void *object, ParamClock clock, GError **error);

/* The field's value as a scenario would write it, canonical ("6 MiB", "30 cycles"); newly
 * allocated. */
char *param_format(const Param *param, const void *object);

/* The value, as it was formatted, for a part that is twice as large or as fast, newly allocated;
 * NULL: it cannot be, as the row says or because the range ends. */
char *param_double(const Param *param, const char *value);

/* The other values of a row that has a choice, as they would be formatted; newly allocated. Of any
 * other row there are none. */
GStrv param_others(const Param *param, const char *value);

/* What the value must look like, with the range: "bytes from 1 KiB to 64 MiB"; newly allocated. */
char *param_describe_range(const Param *param);

/* Sets the field to its default; `object` is zeroed memory, or has had a value of the row's. */
void param_set_default(const Param *param, void *object);
/* The same of every row. */
void param_set_defaults(const Param *params, void *object);

/* The same values for another object, which has none yet. */
void param_copy(const Param *params, void *to, const void *from);

/* Frees what TEXT fields own. */
void param_clear(const Param *params, void *object);
