/* Requests into memory alone, made at a set rate, from one address to the next or anywhere. */
#include "workloads/traffic/kernel.h"

typedef struct {
    double load, write_share;
    uint32_t order;
    uint64_t request_bytes, array_bytes, outstanding;
    uint64_t warm_up, duration, seed;
} MemoryTraffic;

static const char *const orders[] = {"sequential", "random", NULL};

static const Param params[] = {
    PARAM_REAL(MemoryTraffic, load, "50 %", 1e-6, 16,
               "traffic that is offered, as a share of DRAM's peak bandwidth; a channel gets one "
               "request a cycle of the DRAM clock at most"),
    PARAM_REAL(MemoryTraffic, write_share, "0 %", 0, 1, "share of the requests that write"),
    PARAM_ONE_OF(MemoryTraffic, order, orders, "sequential",
                 "in each channel from line to line, or to a line anywhere"),
    PARAM_NUMBER(MemoryTraffic, request_bytes, PARAM_BYTES, "128 B", 1, 512,
                 "data of a request: whole sectors, up to a line; the rest of the line is left "
                 "out"),
    PARAM_NUMBER(MemoryTraffic, array_bytes, PARAM_BYTES, "64 MiB", 1024, 0x1p48,
                 "what the requests of all channels together are spread over"),
    PARAM_NUMBER(MemoryTraffic, outstanding, PARAM_COUNT, "0", 0, 65536,
                 "requests of a channel under way at most; 0: any number"),
    PARAM_NUMBER(MemoryTraffic, warm_up, PARAM_CYCLES, "5000 cycles", 0, 1e9,
                 "traffic before the measured time, in cycles of the DRAM clock"),
    PARAM_NUMBER(MemoryTraffic, duration, PARAM_CYCLES, "50000 cycles", 1, 1e9,
                 "what is made in this time is measured; the run ends when all of it has come "
                 "back"),
    PARAM_NUMBER(MemoryTraffic, seed, PARAM_COUNT, "0", 0, 0x1p53, "mixed with the run's seed"),
    PARAM_END,
};

static bool check(const MemoryTraffic *p, const WorkloadContext *context, GError **error)
{
    if (!traffic_check_machine(context, error)
        || !traffic_check_bytes(p->request_bytes, "request_bytes", context, error))
        return false;
    const uint64_t least = context->slices * context->line_bytes;
    return p->array_bytes >= least
           || workload_reject(error, "array_bytes",
                              "less than a line for each of %" PRIu64 " channels, %" PRIu64 " B",
                              context->slices, least);
}

static bool build(const void *object, const WorkloadContext *context, LaunchList *list,
                  GError **error)
{
    const MemoryTraffic *p = object;
    if (!check(p, context, error)) return false;
    const double offered = p->load * (double)context->dram_bandwidth;
    const double cycles = (double)p->duration / (double)context->dram_clock;
    const Traffic traffic = {.part = TRAFFIC_INTO_MEMORY,
                             .seed = mix64(mix64(context->seed) ^ p->seed),
                             .load = p->load,
                             .write_share = p->write_share,
                             .bytes = p->request_bytes,
                             .outstanding = p->outstanding,
                             .warm_up = p->warm_up,
                             .duration = p->duration,
                             .expected = (uint64_t)(offered * cycles / (double)p->request_bytes),
                             .walk = (TrafficWalk)p->order,
                             .array_bytes = p->array_bytes};
    traffic_launch(list, "memory_traffic", &traffic, offered);
    return true;
}

const WorkloadClass memory_traffic_workload = {
    .name = "memory_traffic",
    .summary = "requests at a set rate straight into the memory access schedulers, without a GPU",
    .size = sizeof(MemoryTraffic),
    .params = params,
    .build = build,
};
