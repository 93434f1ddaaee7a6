#include "kit/gpu/occupancy.h"

#include "kit/describe/param.h"

static uint64_t round_up(uint64_t value, uint64_t granularity)
{
    const uint64_t step = MAX(granularity, 1);
    return (value + step - 1) / step * step;
}

static uint64_t asked_by_warp(const Kernel *kernel)
{
    return (uint64_t)kernel->registers_per_thread * kernel->warp_lanes;
}

static uint64_t registers_of_warp(const OccupancyLimits *limits, const Kernel *kernel)
{
    return limits->registers_per_warp
               ? 0
               : round_up(asked_by_warp(kernel), limits->register_granularity);
}

uint64_t occupancy_shared_bytes(const OccupancyLimits *limits, const Kernel *kernel)
{
    return round_up(kernel->shared_bytes_per_cta + limits->shared_reserved,
                    limits->shared_granularity);
}

static OccupancyUse use_of(const OccupancyLimits *limits, const Kernel *kernel)
{
    const uint64_t warps = kernel_warps(kernel);
    return (OccupancyUse){.ctas = 1,
                          .threads = kernel->threads_per_cta,
                          .warps = warps,
                          .registers = warps * registers_of_warp(limits, kernel),
                          .shared_bytes = occupancy_shared_bytes(limits, kernel)};
}

/* Warps that have their registers at once: what a partition has left over helps none. */
static uint64_t warps_with_registers(const OccupancyLimits *limits, uint64_t registers)
{
    const uint64_t partitions = MAX(limits->register_partitions, 1);
    return limits->registers / partitions / registers * partitions;
}

static uint64_t count_by_registers(const OccupancyLimits *limits, const Kernel *kernel)
{
    const uint64_t registers = registers_of_warp(limits, kernel);
    if (registers) return warps_with_registers(limits, registers) / kernel_warps(kernel);
    return asked_by_warp(kernel) <= limits->registers_per_warp ? OCCUPANCY_ANY : 0;
}

OccupancyCounts occupancy_counts(const OccupancyLimits *limits, const Kernel *kernel)
{
    const OccupancyUse one = use_of(limits, kernel);
    return (OccupancyCounts){.ctas = limits->ctas,
                             .warps = MIN(limits->warps / one.warps, limits->threads / one.threads),
                             .registers = count_by_registers(limits, kernel),
                             .shared = one.shared_bytes ? limits->shared_bytes / one.shared_bytes
                                                        : OCCUPANCY_ANY};
}

uint64_t occupancy_least(const OccupancyCounts *counts)
{
    return MIN(MIN(counts->ctas, counts->warps), MIN(counts->registers, counts->shared));
}

static OccupancyBound occupancy_bound(const OccupancyCounts *counts)
{
    const uint64_t least = occupancy_least(counts);
    return (OccupancyBound){.ctas = counts->ctas == least,
                            .warps = counts->warps == least,
                            .registers = counts->registers == least,
                            .shared = counts->shared == least};
}

static void add_words(GString *text, uint64_t number, const char *words)
{
    g_string_append_printf(text, "%s%" G_GUINT64_FORMAT "%s", text->len ? " and " : "", number,
                           words);
}

/* "65536 registers and 98304 B of shared memory", of those that let in no CTA; newly allocated. */
static char *describe_lacking(const OccupancyLimits *limits, const OccupancyCounts *counts)
{
    GString *text = g_string_new(NULL);
    const uint64_t shared = MAX(limits->shared_bytes, limits->shared_reserved);
    if (!counts->warps) {
        add_words(text, limits->warps, " warps (sm.max_warps)");
        add_words(text, limits->threads, " threads (sm.max_threads)");
    }
    if (!counts->registers && limits->registers_per_warp)
        add_words(text, limits->registers_per_warp,
                  " registers a warp (sm.registers / sm.max_warps)");
    else if (!counts->registers)
        add_words(text, limits->registers, " registers (sm.registers)");
    if (!counts->shared)
        add_words(text, shared - limits->shared_reserved,
                  " B of shared memory (sm.shared_memory, first_level.carve_outs)");
    return g_string_free(text, FALSE);
}

uint64_t occupancy_ctas(const OccupancyLimits *limits, const Kernel *kernel, OccupancyBound *bound,
                        GError **error)
{
    const OccupancyCounts counts = occupancy_counts(limits, kernel);
    const uint64_t ctas = occupancy_least(&counts);
    if (bound) *bound = occupancy_bound(&counts);
    if (ctas) return ctas;
    g_autofree char *lacking = describe_lacking(limits, &counts);
    kernel_reject(kernel, error,
                  !counts.warps       ? KERNEL_TOO_MANY_THREADS
                  : !counts.registers ? KERNEL_TOO_MANY_REGISTERS
                                      : KERNEL_TOO_MUCH_SHARED_MEMORY,
                  "kernel %s: one CTA of %u threads, %u registers a thread and "
                  "%" G_GUINT64_FORMAT " B of shared memory does not fit on an SM, which "
                  "has %s",
                  kernel->name, kernel->threads_per_cta, kernel->registers_per_thread,
                  kernel->shared_bytes_per_cta, lacking);
    return 0;
}

/* Where warps of another size are resident, what these leave over is taken to be in one piece. */
static bool has_registers_left(const OccupancyLimits *limits, const OccupancyUse *use,
                               const Kernel *kernel)
{
    const uint64_t each = registers_of_warp(limits, kernel),
                   warps = use->warps + kernel_warps(kernel);
    if (each && use->registers == use->warps * each)
        return warps <= warps_with_registers(limits, each);
    return use->registers + kernel_warps(kernel) * each <= limits->registers;
}

bool occupancy_fits(const OccupancyLimits *limits, const OccupancyUse *use, const Kernel *kernel)
{
    const OccupancyUse one = use_of(limits, kernel);
    return use->ctas < limits->ctas && use->threads + one.threads <= limits->threads
           && use->warps + one.warps <= limits->warps && has_registers_left(limits, use, kernel)
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
