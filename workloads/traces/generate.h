/* Traces of the project's own making, for `warpmem trace generate`: any pattern's instructions,
 * written as Accel-Sim's text. */
#pragma once

#include "workloads/traces/output.h"
#include "workloads/workload.h"

/* How the text is written; group `trace`. */
typedef struct {
    uint64_t tracer_version;
    uint32_t address_mode; /* TraceAddressMode */
    uint32_t compression;  /* Compression */
    bool line_info;
} TraceEncoding;

typedef enum {
    ADDRESSES_DENSEST,
    ADDRESSES_LISTED,
    ADDRESSES_STRIDED,
    ADDRESSES_DELTAS
} TraceAddressMode;

extern const ParamGroup trace_encoding_group;

/* A name for `trace generate`: a pattern of the workloads with some of its parameters set. */
typedef struct {
    const char *name, *summary, *pattern;
    const char *settings[8]; /* "key=value", NULL-terminated */
} TraceRecipe;

/* Ends with a recipe without name. */
const TraceRecipe *trace_recipes(void);

/* Writes kernelslist.g and kernel-<n>.traceg[.gz|.xz] into `directory`, which is created.
 * `settings` are "key=value" of the encoding or of the recipe's pattern, NULL-terminated or
 * NULL. Errors name the nearest recipe or key. */
bool trace_generate(const char *recipe, const char *const *settings, const char *directory,
                    GError **error);

/* Writes any launches in that form. Arithmetic instructions keep their unit and registers, not
 * their names. */
bool trace_write(const LaunchList *list, const TraceEncoding *encoding, const char *directory,
                 GError **error);
