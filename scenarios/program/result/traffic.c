/* What DRAM's buses carried for launches, and how long they have to do with what those wrote. */
#include "scenarios/program/result/result.h"

static const Phases *phases_of(const Run *run)
{
    return simulation_phases(machine_simulation(run->machine));
}

static uint64_t above(uint64_t a, uint64_t b)
{
    return a - MIN(a, b);
}

uint64_t result_kept_bytes(const Aggregate *aggregate)
{
    return above(aggregate_number(aggregate, MEANS_BYTES_DIRTIED)
                     + aggregate_number(aggregate, MEANS_BYTES_CAUGHT),
                 aggregate_number(aggregate, MEANS_BYTES_WRITTEN_BACK));
}

uint64_t result_unwritten_bytes(const Aggregate *aggregate)
{
    return above(aggregate_number(aggregate, MEANS_BYTES_DIRTIED),
                 aggregate_number(aggregate, MEANS_DATA_TO_DRAM)
                     + aggregate_number(aggregate, MEANS_BYTES_REPLACED));
}

typedef struct {
    uint64_t bytes, queued;
} Traffic;

static Traffic traffic_of_kernel(const KernelPhase *kernel)
{
    const PhaseFigures *figures = &kernel->figures;
    return (Traffic){figures->dram_bytes,
                     above(figures->written_back_bytes, figures->dram_written_bytes)};
}

static Traffic traffic_of_region(const Aggregate *aggregate)
{
    return (Traffic){
        aggregate_number(aggregate, MEANS_BYTES_FROM_DRAM)
            + aggregate_number(aggregate, MEANS_BYTES_TO_DRAM),
        above(aggregate_number(aggregate, MEANS_BYTES_WRITTEN_BACK),
              aggregate_number(aggregate, MEANS_BYTES_CAUGHT)
                  + aggregate_number(aggregate, MEANS_DATA_TO_DRAM)),
    };
}

uint64_t result_dram_bytes(const Run *run, const Aggregate *aggregate)
{
    const Phases *phases = phases_of(run);
    if (!phases) return traffic_of_region(aggregate).bytes;
    uint64_t bytes = 0;
    for (guint i = 0; i < phases_kernels(phases)->len; i++) {
        const KernelPhase *kernel = phases_kernel(phases, i);
        if (kernel->measured && aggregate_has_launch(aggregate, kernel->first))
            bytes += kernel->figures.dram_bytes;
    }
    return bytes;
}

/* The one in which the launch ran; they are in order. NULL: it is not among them. */
static const KernelPhase *find_kernel(const Phases *phases, guint launch)
{
    guint first = 0, last = phases_kernels(phases)->len;
    while (first < last) {
        const guint middle = (first + last) / 2;
        const KernelPhase *kernel = phases_kernel(phases, middle);
        if (launch >= kernel->first && launch < kernel->first + kernel->launches) return kernel;
        if (launch < kernel->first)
            last = middle;
        else
            first = middle + 1;
    }
    return NULL;
}

static Traffic traffic_of_launch(const Run *run, const Aggregate *aggregate, guint launch)
{
    const Phases *phases = phases_of(run);
    const KernelPhase *kernel = phases ? find_kernel(phases, launch) : NULL;
    if (kernel && kernel->measured && kernel->launches == 1) return traffic_of_kernel(kernel);
    if (!phases && launch_list_measured(run->launches) == 1
        && g_array_index(run->launches->launches, Launch, launch).measured)
        return traffic_of_region(aggregate);
    return (Traffic){0, 0};
}

Time result_counted_span(const Run *run, const Aggregate *aggregate, guint launch)
{
    const KernelTime *time = &g_array_index(machine_kernel_times(run->machine), KernelTime, launch);
    const Traffic traffic = traffic_of_launch(run, aggregate, launch);
    return result_dram_span(run, traffic.bytes, time->end - time->start)
           + machine_dram_time(run->machine, traffic.queued);
}
