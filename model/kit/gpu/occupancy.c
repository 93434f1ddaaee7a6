#include "kit/gpu/occupancy.h"

#include "kit/describe/param.h"

static OccupancyUse use_of(const OccupancyLimits *limits, const Kernel *kernel)
{
    const uint64_t warps = kernel_warps(kernel);
    const uint64_t asked = (uint64_t)kernel->registers_per_thread * kernel->warp_lanes;
    const uint64_t granularity = limits->register_granularity;
    const uint64_t rounded = (asked + granularity - 1) / granularity * granularity;
    return (OccupancyUse){.ctas = 1,
                          .threads = kernel->threads_per_cta,
                          .warps = warps,
                          .registers = limits->registers_per_warp ? 0 : warps * rounded,
                          .shared_bytes = kernel->shared_bytes_per_cta};
}

static bool has_registers(const OccupancyLimits *limits, const Kernel *kernel)
{
    const uint64_t asked = (uint64_t)kernel->registers_per_thread * kernel->warp_lanes;
    return !limits->registers_per_warp || asked <= limits->registers_per_warp;
}

static OccupancyBound find_bound(const OccupancyLimits *limits, const OccupancyUse *one,
                                 uint64_t ctas)
{
    const uint64_t more = ctas + 1;
    return (OccupancyBound){.ctas = more > limits->ctas,
                            .warps = more * one->warps > limits->warps
                                     || more * one->threads > limits->threads,
                            .registers = more * one->registers > limits->registers,
                            .shared = more * one->shared_bytes > limits->shared_bytes};
}

static uint64_t count_ctas(const OccupancyLimits *limits, const OccupancyUse *one)
{
    uint64_t ctas = MIN(limits->ctas, limits->threads / one->threads);
    ctas = MIN(ctas, limits->warps / one->warps);
    if (one->registers) ctas = MIN(ctas, limits->registers / one->registers);
    if (one->shared_bytes) ctas = MIN(ctas, limits->shared_bytes / one->shared_bytes);
    return ctas;
}

uint64_t occupancy_ctas(const OccupancyLimits *limits, const Kernel *kernel, OccupancyBound *bound,
                        GError **error)
{
    const OccupancyUse one = use_of(limits, kernel);
    const uint64_t ctas = has_registers(limits, kernel) ? count_ctas(limits, &one) : 0;
    if (bound) *bound = find_bound(limits, &one, ctas);
    if (ctas) return ctas;
    g_set_error(error, PARAM_ERROR, 0,
                "kernel %s: one CTA of %u threads, %u registers a thread and %" G_GUINT64_FORMAT
                " B of shared memory does not fit on an SM",
                kernel->name, kernel->threads_per_cta, kernel->registers_per_thread,
                kernel->shared_bytes_per_cta);
    return 0;
}

bool occupancy_fits(const OccupancyLimits *limits, const OccupancyUse *use, const Kernel *kernel)
{
    const OccupancyUse one = use_of(limits, kernel);
    return use->ctas < limits->ctas && use->threads + one.threads <= limits->threads
           && use->warps + one.warps <= limits->warps
           && use->registers + one.registers <= limits->registers
           && use->shared_bytes + one.shared_bytes <= limits->shared_bytes;
}

void occupancy_add(const OccupancyLimits *limits, OccupancyUse *use, const Kernel *kernel)
{
    const OccupancyUse one = use_of(limits, kernel);
    use->ctas++;
    use->threads += one.threads;
    use->warps += one.warps;
    use->registers += one.registers;
    use->shared_bytes += one.shared_bytes;
}

void occupancy_remove(const OccupancyLimits *limits, OccupancyUse *use, const Kernel *kernel)
{
    const OccupancyUse one = use_of(limits, kernel);
    use->ctas--;
    use->threads -= one.threads;
    use->warps -= one.warps;
    use->registers -= one.registers;
    use->shared_bytes -= one.shared_bytes;
}
