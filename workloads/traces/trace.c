/* Kernels recorded on a real GPU, in Accel-Sim's format: see docs/learn/traces.md. */
#include "workloads/generator.h"
#include "workloads/traces/reader.h"

typedef struct {
    char *file;
    uint64_t max_kernels;
    bool memory_copies, concurrent_streams;
} Trace;

static const Param params[] = {
    PARAM_STRING(Trace, file, "",
                 "kernelslist.g (or a folder with one, or one .traceg file), "
                 "relative to the scenario's folder"),
    PARAM_NUMBER(Trace, max_kernels, PARAM_COUNT, "0", 0, 1e9, "only the first so many; 0: all"),
    PARAM_SWITCH(Trace, memory_copies, "yes",
                 "bytes that the host copied before a kernel are in L2 when it starts"),
    PARAM_SWITCH(Trace, concurrent_streams, "no",
                 "kernels of different streams that follow each other, with nothing between them, "
                 "start together; a list does not say which of them waits for which"),
    PARAM_END,
};

static void drop_copies(LaunchList *list, guint first_launch, guint first_copy)
{
    for (guint i = first_launch; i < list->launches->len; i++)
        g_array_index(list->launches, Launch, i).copy_count = 0;
    g_array_set_size(list->copies, first_copy);
}

/* Grids that a GPU has resident at once: CUDA C programming guide, compute capability 7.0 on. */
enum { CONCURRENT_MAX = 128 };

/* Is it of a stream that none of those from `first` on is of? Stream 0 waits for all others. */
static bool may_join(const LaunchList *list, guint first, guint index)
{
    const uint64_t stream = g_array_index(list->launches, Launch, index).stream;
    if (!stream || index - first >= CONCURRENT_MAX) return false;
    for (guint i = first; i < index; i++) {
        const uint64_t other = g_array_index(list->launches, Launch, i).stream;
        if (!other || other == stream) return false;
    }
    return true;
}

/* `command` goes on to the first that is not before an earlier launch. */
static bool follows_command(const LaunchList *list, guint index, guint *command)
{
    const GArray *commands = list->commands;
    while (*command < commands->len
           && g_array_index(commands, HostCommand, *command).before < index)
        (*command)++;
    return *command < commands->len
           && g_array_index(commands, HostCommand, *command).before == index;
}

static void join_streams(LaunchList *list, guint first)
{
    guint command = 0;
    for (guint i = first + 1; i < list->launches->len; i++) {
        Launch *launch = &g_array_index(list->launches, Launch, i);
        launch->concurrent = !follows_command(list, i, &command) && may_join(list, first, i);
        if (!launch->concurrent) first = i;
    }
}

/* NULL with error when there is nothing of that name. */
static char *find_path(const Trace *p, const WorkloadContext *context, GError **error)
{
    g_autofree char *path = context->directory && !g_path_is_absolute(p->file)
                                ? g_build_filename(context->directory, p->file, NULL)
                                : g_strdup(p->file);
    g_autofree char *found = trace_input_find(path);
    if (found || g_file_test(path, G_FILE_TEST_IS_DIR)) return g_steal_pointer(&path);
    workload_reject_file(error, path);
    return NULL;
}

static bool build(const void *object, const WorkloadContext *context, LaunchList *list,
                  GError **error)
{
    const Trace *p = object;
    if (context->warp_lanes != TRACE_LANES)
        return workload_reject(error, "pattern",
                               "a trace has warps of %d lanes, the machine's have %u "
                               "(machine.warp_lanes)",
                               TRACE_LANES, context->warp_lanes);
    if (!*p->file) return workload_reject(error, "file", "a trace needs its kernelslist.g");
    const guint launches = list->launches->len, copies = list->copies->len;
    g_autofree char *path = find_path(p, context, error);
    if (!path) return false;
    if (!trace_list_read(path, p->max_kernels, list, error)) return false;
    if (p->concurrent_streams) join_streams(list, launches);
    if (!p->memory_copies) drop_copies(list, launches, copies);
    return true;
}

static bool list_files(const void *object, const WorkloadContext *context, GPtrArray *files,
                       GError **error)
{
    const Trace *p = object;
    if (!*p->file) return true;
    g_autofree char *path = find_path(p, context, error);
    return path && trace_list_files(path, p->max_kernels, files, error);
}

const WorkloadClass trace_workload = {
    .name = "trace",
    .summary = "kernels recorded on a real GPU, from Accel-Sim's .traceg files",
    .size = sizeof(Trace),
    .params = params,
    .uses = USE_TEXTURES | USE_ATOMICS,
    .build = build,
    .list_files = list_files,
};
