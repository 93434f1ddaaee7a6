/* Every lane, iteration, warp and CTA has its stride: from fully coalesced to one line a lane. */
#include "workloads/patterns/access_loop.h"

typedef enum { LAYOUT_BLOCKED, LAYOUT_INTERLEAVED, LAYOUT_SHARED, LAYOUT_GIVEN } Layout;

typedef struct {
    AccessLoop loop;
    uint64_t lane_stride, iteration_stride, warp_stride, cta_stride;
    uint32_t layout;
} Strided;

typedef struct {
    Kernel kernel;
    Strided params;
} StridedKernel;

static const char *const layout_names[] = {"blocked", "interleaved", "shared", "given", NULL};

static const Param params[] = {
    ACCESS_LOOP_ROWS("0 B", 0, "offsets wrap around at this size; 0 B: they do not"),
    PARAM_NUMBER(Strided, lane_stride, PARAM_BYTES, "4 B", 0, 0x1p32, "from lane to lane"),
    PARAM_ONE_OF(
        Strided, layout, layout_names, "interleaved",
        "blocked: each warp walks its own block; interleaved: the grid walks side by side; "
        "shared: every CTA reads the same; given: by the three strides"),
    PARAM_NUMBER(Strided, iteration_stride, PARAM_BYTES, "0 B", 0, 0x1p40,
                 "from iteration to iteration, with layout = given"),
    PARAM_NUMBER(Strided, warp_stride, PARAM_BYTES, "0 B", 0, 0x1p40,
                 "from warp to warp of a CTA, with layout = given"),
    PARAM_NUMBER(Strided, cta_stride, PARAM_BYTES, "0 B", 0, 0x1p40,
                 "from CTA to CTA, with layout = given"),
    PARAM_END,
};

/* Lanes one by one when the warp's elements wrap around inside. */
static void wrap_lanes(const Strided *p, uint64_t offset, WarpCursor *cursor, Instruction *out)
{
    uint32_t n = 0;
    for (uint64_t rest = out->mask; rest; rest &= rest - 1) {
        const uint64_t lane = (uint64_t)__builtin_ctzll(rest);
        cursor->addresses[n++] =
            p->loop.base + (offset + lane * p->lane_stride) % p->loop.footprint;
    }
    out->addresses = cursor->addresses;
}

static void fetch(const Kernel *kernel, WarpCursor *cursor, Instruction *instruction)
{
    const Strided *p = &((const StridedKernel *)kernel)->params;
    uint64_t iteration;
    if (!access_loop_fetch(&p->loop, kernel, cursor, instruction, &iteration)) return;
    uint64_t offset = iteration * p->iteration_stride + cursor->warp * p->warp_stride
                      + cursor->cta * p->cta_stride;
    const uint64_t footprint = p->loop.footprint;
    if (footprint) offset %= footprint;
    instruction->base = p->loop.base + offset;
    instruction->stride = (int64_t)p->lane_stride;
    const uint64_t reach =
        offset + (kernel->warp_lanes - 1) * p->lane_stride + p->loop.element_bytes;
    if (footprint && reach > footprint) wrap_lanes(p, offset, cursor, instruction);
}

static const KernelClass kernel_class = {.fetch = fetch};

/* The strides with which the elements of neighbouring warps lie side by side. */
static void derive_strides(Strided *p, const Kernel *kernel)
{
    const uint64_t warps = kernel_warps(kernel), lanes = kernel->warp_lanes;
    const uint64_t block = p->lane_stride ? lanes * p->lane_stride : p->loop.element_bytes;
    switch ((Layout)p->layout) {
    case LAYOUT_BLOCKED:
        p->iteration_stride = block;
        p->warp_stride = p->loop.iterations * block;
        p->cta_stride = warps * p->warp_stride;
        break;
    case LAYOUT_INTERLEAVED:
        p->warp_stride = block;
        p->cta_stride = warps * block;
        p->iteration_stride = p->loop.ctas * p->cta_stride;
        break;
    case LAYOUT_SHARED:
        p->warp_stride = block;
        p->iteration_stride = warps * block;
        p->cta_stride = 0;
        break;
    case LAYOUT_GIVEN: break;
    }
}

static bool check_given(const Strided *p, const char *key, uint64_t stride, GError **error)
{
    if (p->layout != LAYOUT_GIVEN && stride)
        return workload_reject(error, key, "has an effect only with layout = given, not %s",
                               layout_names[p->layout]);
    return workload_check_multiple(error, key, stride, p->loop.element_bytes);
}

/* From the first byte to the last one of an array that does not wrap around; what is too large for
 * 64 bits is too large for any memory. */
static uint64_t measure_span(const Strided *p, const Kernel *kernel)
{
    const uint64_t warps = kernel_warps(kernel);
    const double span = (double)(p->loop.iterations - 1) * (double)p->iteration_stride
                        + (double)(warps - 1) * (double)p->warp_stride
                        + (double)(p->loop.ctas - 1) * (double)p->cta_stride
                        + (kernel->warp_lanes - 1) * (double)p->lane_stride
                        + (double)p->loop.element_bytes;
    return span < 0x1p62 ? (uint64_t)span : UINT64_C(1) << 62;
}

static bool build(const void *object, const WorkloadContext *context, LaunchList *list,
                  GError **error)
{
    const Strided *p = object;
    if (!access_loop_check(&p->loop, error)
        || !workload_check_multiple(error, "lane_stride", p->lane_stride, p->loop.element_bytes)
        || !check_given(p, "iteration_stride", p->iteration_stride, error)
        || !check_given(p, "warp_stride", p->warp_stride, error)
        || !check_given(p, "cta_stride", p->cta_stride, error))
        return false;
    StridedKernel *kernel = g_new0(StridedKernel, 1);
    kernel->kernel.class = &kernel_class;
    kernel->params = *p;
    access_loop_describe(&p->loop, context->warp_lanes, &kernel->kernel, "strided");
    derive_strides(&kernel->params, &kernel->kernel);
    if (!p->loop.footprint)
        kernel->kernel.footprint = measure_span(&kernel->params, &kernel->kernel);
    launch_list_add(list, &kernel->kernel);
    launch_list_add_array(list, "data", p->loop.base, kernel->kernel.footprint);
    return true;
}

const WorkloadClass strided_workload = {
    .name = "strided",
    .summary = "accesses at fixed strides from lane to lane, iteration, warp and CTA",
    .size = sizeof(Strided),
    .params = params,
    .uses = USE_ATOMICS,
    .build = build,
};
