/* Dependent loads along one random cycle through all nodes of a working set: latency against
 * size. The access is that of te42kyfo/gpu-benches' gpu-latency: 8-byte pointers 64 B apart, two
 * warps, all lanes at one address, both warps on the same chain.
 *
 * With `index_instructions` it is that of markdewing/AI_kernels, a chain of indices: each has to be
 * made an address.
 *
 * Not modelled: the loop's own instructions (one in 32 loads there). */
#include "workloads/generator.h"

enum { POINTER_BYTES = 8, UNROLLED_LOADS = 32 };
#define NODES_MAX (UINT64_C(1) << 28)

typedef struct {
    uint64_t working_set, node_pitch, loads, start_load, index_instructions, warps, active_lanes;
    uint64_t base, seed;
} PointerChase;

typedef struct {
    Kernel kernel;
    PointerChase params;
    uint64_t nodes;
    uint32_t *order; /* the nodes, as the chain visits them */
} ChaseKernel;

static const Param params[] = {
    PARAM_NUMBER(PointerChase, working_set, PARAM_BYTES, "16 KiB", 8, 0x1p40,
                 "bytes that the nodes span; the whole cycle is as many loads as there are nodes"),
    PARAM_NUMBER(PointerChase, node_pitch, PARAM_BYTES, "64 B", 8, 0x1p32, "from node to node"),
    PARAM_NUMBER(PointerChase, loads, PARAM_COUNT, "1024", 1, 1e12, "dependent loads of each warp"),
    PARAM_NUMBER(PointerChase, start_load, PARAM_COUNT, "0", 0, 1e12,
                 "place in the cycle of the first load, to go on where an earlier kernel ended"),
    PARAM_NUMBER(PointerChase, index_instructions, PARAM_COUNT, "0", 0, 16,
                 "dependent integer instructions from what a load brings to the next address"),
    PARAM_NUMBER(PointerChase, warps, PARAM_COUNT, "2", 1, 32, "warps, all on the same chain"),
    PARAM_NUMBER(PointerChase, active_lanes, PARAM_COUNT, "32", 1, LANES_MAX,
                 "lanes of each warp, all at one address"),
    PARAM_NUMBER(PointerChase, base, PARAM_BYTES, "0 B", 0, 0x1p48, "address of the first node"),
    PARAM_NUMBER(PointerChase, seed, PARAM_COUNT, "0", 0, 0x1p53, "mixed with the run's seed"),
    PARAM_END,
};

/* What was loaded becomes an address. */
static void fetch_index(const PointerChase *p, uint64_t position, Instruction *instruction)
{
    instruction_clear(instruction, 0x10 * (1 + position % UNROLLED_LOADS) + 8,
                      lowest_lanes(p->active_lanes));
    instruction_compute(instruction, EXECUTE_INT, p->index_instructions);
    instruction_reads(instruction, REGISTER_ADDRESS, registers_of(POINTER_BYTES));
    instruction_writes(instruction, REGISTER_ADDRESS, registers_of(POINTER_BYTES));
}

static void fetch(const Kernel *kernel, WarpCursor *cursor, Instruction *instruction)
{
    const ChaseKernel *self = (const ChaseKernel *)kernel;
    const PointerChase *p = &self->params;
    const uint64_t steps = p->index_instructions ? 2 : 1, step = cursor->position++;
    const uint64_t position = step / steps, mask = lowest_lanes(p->active_lanes);
    if (position >= p->loads) {
        instruction_clear(instruction, 0x10 * (1 + UNROLLED_LOADS), mask);
        instruction_exit(instruction);
        return;
    }
    if (step % steps) {
        fetch_index(p, position, instruction);
        return;
    }
    instruction_clear(instruction, 0x10 * (1 + position % UNROLLED_LOADS), mask);
    instruction_access(instruction, OPERATION_LOAD, POINTER_BYTES);
    instruction_writes(instruction, REGISTER_ADDRESS, registers_of(POINTER_BYTES));
    const uint64_t node = self->order[(p->start_load + position) % self->nodes];
    instruction->base = p->base + node * p->node_pitch;
}

static void free_kernel(Kernel *kernel)
{
    ChaseKernel *self = (ChaseKernel *)kernel;
    g_free(self->order);
    g_free(self);
}

static const KernelClass kernel_class = {.fetch = fetch, .free = free_kernel};

static bool build(const void *object, const WorkloadContext *context, LaunchList *list,
                  GError **error)
{
    const PointerChase *p = object;
    const uint64_t nodes = p->working_set / p->node_pitch;
    if (!workload_check_multiple(error, "node_pitch", p->node_pitch, POINTER_BYTES)
        || !workload_check_multiple(error, "base", p->base, POINTER_BYTES))
        return false;
    if (!nodes)
        return workload_reject(error, "working_set", "smaller than node_pitch (%" PRIu64 " B)",
                               p->node_pitch);
    if (nodes > NODES_MAX)
        return workload_reject(error, "working_set",
                               "has %" PRIu64 " nodes, at most %" PRIu64 " fit", nodes, NODES_MAX);
    if (p->active_lanes > context->warp_lanes)
        return workload_reject(error, "active_lanes", "a warp of this machine has %u lanes",
                               context->warp_lanes);
    ChaseKernel *kernel = g_new0(ChaseKernel, 1);
    kernel->kernel = (Kernel){
        .class = &kernel_class,
        .name = g_strdup("pointer_chase"),
        .ctas = 1,
        .threads_per_cta = (uint32_t)p->warps * context->warp_lanes,
        .warp_lanes = context->warp_lanes,
        .registers_per_thread = 16,
        .dependent_loads = p->loads,
        .footprint = (nodes - 1) * p->node_pitch + POINTER_BYTES,
    };
    kernel->params = *p;
    kernel->nodes = nodes;
    kernel->order = cycle_draw(nodes, mix64(mix64(context->seed) ^ p->seed));
    launch_list_add(list, &kernel->kernel);
    launch_list_add_array(list, "nodes", p->base, kernel->kernel.footprint);
    return true;
}

const WorkloadClass pointer_chase_workload = {
    .name = "pointer_chase",
    .summary = "dependent loads along one random cycle through a working set",
    .size = sizeof(PointerChase),
    .params = params,
    .build = build,
};
