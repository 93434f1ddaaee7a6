#include "workloads/traffic/kernel.h"

#include "workloads/traces/input.h"

typedef struct {
    Kernel kernel;
    Traffic traffic;
    KernelFact offered;
} TrafficKernel;

static void free_kernel(Kernel *kernel)
{
    TrafficKernel *self = (TrafficKernel *)kernel;
    g_free(self->traffic.matrix);
    g_free(self->traffic.requests);
    g_free(self);
}

static const KernelClass kernel_class = {.free = free_kernel};

void traffic_launch(LaunchList *list, const char *name, const Traffic *traffic, double offered)
{
    TrafficKernel *self = g_new0(TrafficKernel, 1);
    self->traffic = *traffic;
    self->offered = (KernelFact){"offered_gbps", offered / 1e9};
    self->kernel = (Kernel){.class = &kernel_class,
                            .name = g_strdup(name),
                            .warp_lanes = LANES_MAX,
                            .traffic = &self->traffic,
                            .footprint = traffic->array_bytes,
                            .facts = &self->offered,
                            .fact_count = offered > 0};
    launch_list_add(list, &self->kernel);
}

bool traffic_check_machine(const WorkloadContext *context, GError **error)
{
    return context->slices
           || workload_reject(error, "pattern",
                              "traffic goes into a part of a machine, and there "
                              "is no machine here");
}

bool traffic_check_bytes(uint64_t bytes, const char *key, const WorkloadContext *context,
                         GError **error)
{
    if (bytes && bytes % context->sector_bytes == 0 && bytes <= context->line_bytes) return true;
    return workload_reject(error, key,
                           "not whole sectors of %" PRIu64 " B, up to a line of %" PRIu64 " B",
                           context->sector_bytes, context->line_bytes);
}

char *traffic_find_file(const char *name, const WorkloadContext *context, GError **error)
{
    g_autofree char *path = context->directory && !g_path_is_absolute(name)
                                ? g_build_filename(context->directory, name, NULL)
                                : g_strdup(name);
    char *found = trace_input_find(path);
    if (!found) workload_reject_file(error, path);
    return found;
}

bool traffic_list_file(const char *name, const WorkloadContext *context, GPtrArray *files,
                       GError **error)
{
    char *path = *name ? traffic_find_file(name, context, error) : NULL;
    if (path) g_ptr_array_add(files, path);
    return path || !*name;
}
