#include "kit/occupancy.h"

#include "kit/param.h"

static uint64_t registers_of(const OccupancyLimits *limits, const Kernel *kernel)
{
    const uint64_t warp = (uint64_t)kernel->registers_per_thread * WARP_LANES;
    const uint64_t granularity = limits->register_granularity;
    const uint64_t rounded = (warp + granularity - 1) / granularity * granularity;
    return rounded * kernel_warps(kernel);
}

static uint64_t count_ctas(const OccupancyLimits *limits, const Kernel *kernel)
{
    uint64_t ctas = MIN(limits->ctas, limits->threads / kernel->threads_per_cta);
    ctas = MIN(ctas, limits->warps / kernel_warps(kernel));
    const uint64_t registers = registers_of(limits, kernel);
    if (registers) ctas = MIN(ctas, limits->registers / registers);
    if (kernel->shared_bytes_per_cta)
        ctas = MIN(ctas, limits->shared_bytes / kernel->shared_bytes_per_cta);
    return ctas;
}

uint64_t occupancy_ctas(const OccupancyLimits *limits, const Kernel *kernel, GError **error)
{
    const uint64_t ctas = count_ctas(limits, kernel);
    if (ctas) return ctas;
    g_set_error(error, PARAM_ERROR, 0,
                "kernel %s: one CTA of %u threads, %u registers a thread and %" G_GUINT64_FORMAT
                " B of shared memory does not fit on an SM",
                kernel->name, kernel->threads_per_cta, kernel->registers_per_thread,
                kernel->shared_bytes_per_cta);
    return 0;
}
