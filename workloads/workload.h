/* Workloads: parameter tables and generators that turn a scenario's `[workload]` (and `[kernel
 * NAME]`) into launches. */
#pragma once

#include "kit/describe/configuration.h"
#include "kit/gpu/kernel.h"

/* A key that one group's text declares and no table knows. */
typedef struct {
    char *name, *default_text;
} WorkloadKey;

/* What a kernel depends on beside its parameters. */
typedef struct {
    const char
        *directory;      /* the folder of the scenario file: paths in settings are relative to it */
    uint64_t seed;       /* the run's */
    uint32_t warp_lanes; /* the machine's; the following are known only where there is one */
    uint64_t sms, slices, line_bytes, sector_bytes;
    uint64_t core_clock, dram_clock, dram_bandwidth; /* Hz; its peak, bytes a second */
} WorkloadContext;

/* One pattern. Its object is filled from its own table; keys stand in the same group as
 * `pattern`. */
typedef struct {
    const char *name; /* value of `pattern`, file name, docs page */
    const char *summary;
    size_t size;
    const Param *params;
    unsigned uses; /* of Use: what its kernels may have */
    /* Appends one kernel (for traces: as many launches as the trace has) to the list. Fails with
     * the user's error. */
    bool (*build)(const void *object, const WorkloadContext *context, LaunchList *list,
                  GError **error);
    /* In place of `build`, for a pattern with keys of its own in the group beside its table's; the
     * error has its place already, or is one of workload_reject. */
    bool (*build_group)(const Configuration *configuration, const char *group, const void *object,
                        const WorkloadContext *context, LaunchList *list, GError **error);
    /* These keys, of WorkloadKey, newly allocated. */
    GPtrArray *(*own_keys)(const Configuration *configuration, const char *group);
    /* The files that its kernels are read from, appended to `files`, of char *; NULL: none. */
    bool (*list_files)(const void *object, const WorkloadContext *context, GPtrArray *files,
                       GError **error);
} WorkloadClass;

/* Keys common to all patterns, group `workload` / `kernel NAME`. */
typedef struct {
    char *pattern;
    char *sequence; /* kernels in launch order, "warm_up, main"; empty: the group itself */
    char *kernels, *kernel_name; /* of [workload]: launches that run; empty: all */
    uint64_t launches;
    uint64_t warm_up_launches; /* of these, the first that are not measured */
    bool measure;
    bool keep_l1, concurrent;
    uint32_t caches; /* CacheState */
} WorkloadCommon;

extern const ParamGroup workload_group; /* common keys */

/* All patterns, NULL-terminated, in the order of meson.build's list. */
const WorkloadClass *const *workload_classes(void);
const WorkloadClass *workload_find(const char *name);

/* Builds the launches of a configuration. The error names file:line, value and the nearest valid
 * pattern. */
LaunchList *workload_build(const Configuration *configuration, const WorkloadContext *context,
                           GError **error);

/* What a machine has no room for (KERNEL_ERROR) gains the place of what asks for it. Returns
 * false. */
bool workload_locate_error(const Configuration *configuration, GError **error);

/* Fails on keys of `[workload]` / `[kernel NAME]` that neither the common table nor the chosen
 * pattern knows. */
bool workload_check(const Configuration *configuration, GError **error);

/* Appends to `files`, of char *, what the kernels of a group are read from. */
bool workload_list_files(const Configuration *configuration, const char *group,
                         const WorkloadContext *context, GPtrArray *files, GError **error);
