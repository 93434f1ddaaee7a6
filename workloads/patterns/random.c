/* Uniformly random elements of a footprint, by lane or by warp. The address is a hash of the
 * place in the program, so any instruction can be computed without those before it. */
#include "workloads/patterns/access_loop.h"

typedef enum { GRAIN_LANE, GRAIN_WARP } Grain;

typedef struct {
    AccessLoop loop;
    uint64_t seed;
    uint32_t grain;
} Random;

typedef struct {
    Kernel kernel;
    Random params;
    uint64_t salt, elements;
} RandomKernel;

static const char *const grain_names[] = {"lane", "warp", NULL};

static const Param params[] = {
    ACCESS_LOOP_ROWS("64 MiB", 1, "the data from which elements are drawn"),
    PARAM_ONE_OF(
        Random, grain, grain_names, "lane",
        "lane: every lane draws its own element; warp: the lanes read one aligned block of "
        "neighbouring elements"),
    PARAM_NUMBER(Random, seed, PARAM_COUNT, "0", 0, 0x1p53, "mixed with the run's seed"),
    PARAM_END,
};

static uint64_t draw(const RandomKernel *kernel, const WarpCursor *cursor, uint64_t iteration)
{
    return mix64(mix64(mix64(kernel->salt ^ cursor->cta) ^ cursor->warp) ^ iteration);
}

static void draw_lanes(const RandomKernel *kernel, WarpCursor *cursor, uint64_t key,
                       Instruction *out)
{
    const AccessLoop *loop = &kernel->params.loop;
    uint32_t n = 0;
    for (uint32_t lane = 0; lane < kernel->kernel.warp_lanes; lane++) {
        if (!(out->mask >> lane & 1)) continue;
        const uint64_t element = scale64(mix64(key ^ lane), kernel->elements);
        cursor->addresses[n++] = loop->base + element * loop->element_bytes;
    }
    out->addresses = cursor->addresses;
}

static void fetch(const Kernel *kernel, WarpCursor *cursor, Instruction *instruction)
{
    const RandomKernel *self = (const RandomKernel *)kernel;
    const AccessLoop *loop = &self->params.loop;
    uint64_t iteration;
    if (!access_loop_fetch(loop, kernel, cursor, instruction, &iteration)) return;
    const uint64_t key = draw(self, cursor, iteration);
    if (self->params.grain == GRAIN_LANE) {
        draw_lanes(self, cursor, key, instruction);
        return;
    }
    const uint64_t block = kernel->warp_lanes * loop->element_bytes;
    instruction->base = loop->base + scale64(key, self->elements / kernel->warp_lanes) * block;
    instruction->stride = (int64_t)loop->element_bytes;
}

static const KernelClass kernel_class = {.fetch = fetch};

static bool build(const void *object, const WorkloadContext *context, LaunchList *list,
                  GError **error)
{
    const Random *p = object;
    if (!access_loop_check(&p->loop, error)) return false;
    if (p->grain == GRAIN_WARP && p->loop.footprint < context->warp_lanes * p->loop.element_bytes)
        return workload_reject(error, "footprint", "smaller than one warp's block of %u elements",
                               context->warp_lanes);
    RandomKernel *kernel = g_new0(RandomKernel, 1);
    kernel->kernel.class = &kernel_class;
    kernel->params = *p;
    kernel->salt = mix64(mix64(context->seed) ^ p->seed);
    kernel->elements = p->loop.footprint / p->loop.element_bytes;
    access_loop_describe(&p->loop, context->warp_lanes, &kernel->kernel, "random");
    launch_list_add(list, &kernel->kernel);
    launch_list_add_array(list, "data", p->loop.base, kernel->kernel.footprint);
    return true;
}

const WorkloadClass random_workload = {
    .name = "random",
    .summary = "accesses to random elements of a footprint, by lane or by warp",
    .size = sizeof(Random),
    .params = params,
    .uses = USE_ATOMICS,
    .build = build,
};
