/* A list of requests into memory alone, as simulators of DRAM read it: when each comes is said in
 * cycles of the DRAM clock, or it comes as soon as there is room. */
#include "workloads/traffic/kernel.h"
#include "workloads/traffic/requests.h"

typedef struct {
    char *file;
    uint32_t format;
    uint64_t request_bytes, outstanding;
} MemoryList;

static const Param params[] = {
    PARAM_STRING(MemoryList, file, "",
                 "the list, relative to the scenario's folder; it may be compressed with gzip or "
                 "xz"),
    PARAM_ONE_OF(MemoryList, format, request_formats, "plain",
                 "order of words: plain 'cycle address R|W', dramsim3 'address READ|WRITE cycle', "
                 "ramulator 'address R|W', dramsys 'cycle: read|write address'"),
    PARAM_NUMBER(MemoryList, request_bytes, PARAM_BYTES, "32 B", 1, 512,
                 "data of a request: whole sectors, up to a line"),
    PARAM_NUMBER(MemoryList, outstanding, PARAM_COUNT, "0", 0, 65536,
                 "requests of a channel under way at most; 0: any number"),
    PARAM_END,
};

static GArray *read_list(const MemoryList *p, const WorkloadContext *context, GError **error)
{
    if (!*p->file) {
        workload_reject(error, "file", "a list needs the name of its file");
        return NULL;
    }
    g_autofree char *path = traffic_find_file(p->file, context, error);
    if (!path) return NULL;
    return requests_read(path, (Format)p->format, p->request_bytes, context->line_bytes, error);
}

/* What the addresses span: DRAM must hold it. */
static uint64_t span_of(const GArray *requests)
{
    uint64_t span = 0;
    for (guint i = 0; i < requests->len; i++)
        span = MAX(span, g_array_index(requests, TrafficRequest, i).address + 1);
    return span;
}

static bool build(const void *object, const WorkloadContext *context, LaunchList *list,
                  GError **error)
{
    const MemoryList *p = object;
    if (!traffic_check_machine(context, error)
        || !traffic_check_bytes(p->request_bytes, "request_bytes", context, error))
        return false;
    g_autoptr(GArray) requests = read_list(p, context, error);
    if (!requests) return false;
    Traffic traffic = {.part = TRAFFIC_INTO_MEMORY,
                       .bytes = p->request_bytes,
                       .outstanding = p->outstanding,
                       .array_bytes = span_of(requests),
                       .expected = requests->len,
                       .request_count = requests->len};
    traffic.requests = (TrafficRequest *)(void *)g_array_free(g_steal_pointer(&requests), FALSE);
    traffic_launch(list, "memory_list", &traffic, 0);
    return true;
}

static bool list_files(const void *object, const WorkloadContext *context, GPtrArray *files,
                       GError **error)
{
    return traffic_list_file(((const MemoryList *)object)->file, context, files, error);
}

const WorkloadClass memory_list_workload = {
    .name = "memory_list",
    .summary = "a list of requests straight into the memory access schedulers, without a GPU",
    .size = sizeof(MemoryList),
    .params = params,
    .build = build,
    .list_files = list_files,
};
