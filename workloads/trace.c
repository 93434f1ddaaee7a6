/* Kernels recorded on a real GPU, in Accel-Sim's format: see docs/traces.md. */
#include "workloads/generator.h"
#include "workloads/trace_reader.h"

typedef struct {
    char *file;
    uint64_t max_kernels;
    bool memory_copies;
} Trace;

static const Param params[] = {
    PARAM_STRING(Trace, file, "",
                 "kernelslist.g (or a folder with one, or one .traceg file), "
                 "relative to the scenario's folder"),
    PARAM_NUMBER(Trace, max_kernels, PARAM_COUNT, "0", 0, 1e9, "only the first so many; 0: all"),
    PARAM_SWITCH(Trace, memory_copies, "yes",
                 "bytes that the host copied before a kernel are in L2 when it starts"),
    PARAM_END,
};

static void drop_copies(LaunchList *list, guint first_launch, guint first_copy)
{
    for (guint i = first_launch; i < list->launches->len; i++)
        g_array_index(list->launches, Launch, i).copy_count = 0;
    g_array_set_size(list->copies, first_copy);
}

static bool build(const void *object, const WorkloadContext *context, LaunchList *list,
                  GError **error)
{
    const Trace *p = object;
    const char *directory = context->directory;
    if (context->warp_lanes != TRACE_LANES)
        return workload_reject(error, "pattern",
                               "a trace has warps of %d lanes, the machine's have %u "
                               "(machine.warp_lanes)",
                               TRACE_LANES, context->warp_lanes);
    if (!*p->file) return workload_reject(error, "file", "a trace needs its kernelslist.g");
    g_autofree char *path = directory && !g_path_is_absolute(p->file)
                                ? g_build_filename(directory, p->file, NULL)
                                : g_strdup(p->file);
    const guint launches = list->launches->len, copies = list->copies->len;
    g_autofree char *found = trace_input_find(path);
    if (!found && !g_file_test(path, G_FILE_TEST_IS_DIR))
        return workload_reject(error, "file", "there is no %s", path);
    if (!trace_list_read(path, p->max_kernels, list, error)) return false;
    if (!p->memory_copies) drop_copies(list, launches, copies);
    return true;
}

const WorkloadClass trace_workload = {
    .name = "trace",
    .summary = "kernels recorded on a real GPU, from Accel-Sim's .traceg files",
    .size = sizeof(Trace),
    .params = params,
    .build = build,
};
