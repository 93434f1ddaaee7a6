#include "platform/machine/residency.h"

#include <math.h>

#include "platform/machine/private.h"

const ResidencyLimitName residency_limit_names[RESIDENCY_LIMITS] = {
    [LIMIT_REGISTERS] = {"registers", "registers"},
    [LIMIT_SHARED_MEMORY] = {"shared_memory", "shared memory"},
    [LIMIT_WARPS] = {"warps", "warps"},
    [LIMIT_CTAS] = {"ctas", "CTAs"},
    [LIMIT_GRID] = {"grid", "the grid"}};

/* The smallest shared memory that holds as many CTAs as the largest is chosen for the launch: what
 * limits them is the largest. */
static OccupancyLimits limits_of(const Machine *machine, const Launch *launch)
{
    OccupancyLimits limits = machine_limits(machine);
    if (launch->l1_capacity) limits.shared_bytes = launch->shared_most;
    return limits;
}

static uint64_t least_beyond(const Residency *residency, uint64_t lowest)
{
    uint64_t least = OCCUPANCY_ANY;
    for (ResidencyLimit i = 0; i < RESIDENCY_LIMITS; i++)
        if (residency->by[i] >= lowest) least = MIN(least, residency->by[i]);
    return least;
}

Residency machine_residency(const Machine *machine, const Launch *launch)
{
    const OccupancyLimits limits = limits_of(machine, launch);
    const OccupancyCounts counts = occupancy_counts(&limits, launch->kernel);
    const uint64_t sms = machine->params.sms, grid = launch->kernel->ctas;
    Residency residency = {.by = {[LIMIT_REGISTERS] = counts.registers,
                                  [LIMIT_SHARED_MEMORY] = counts.shared,
                                  [LIMIT_WARPS] = counts.warps,
                                  [LIMIT_CTAS] = counts.ctas,
                                  [LIMIT_GRID] = (grid + sms - 1) / sms},
                           .grid = grid,
                           .sms = sms,
                           .places = occupancy_least(&counts) * sms};
    residency.ctas = least_beyond(&residency, 0);
    residency.next = least_beyond(&residency, residency.ctas + 1);
    residency.waves = residency.places ? (double)grid / (double)residency.places : 0;
    return residency;
}

bool machine_check_residency(const Machine *machine, GError **error)
{
    const GArray *launches = machine->launches->launches;
    if (!machine_is_whole(machine)) return true;
    for (guint i = 0; i < launches->len; i++) {
        const Launch *launch = &g_array_index(launches, Launch, i);
        const OccupancyLimits limits = limits_of(machine, launch);
        if (!occupancy_ctas(&limits, launch->kernel, NULL, error)) return false;
    }
    return true;
}

bool residency_limited_by(const Residency *residency, ResidencyLimit limit)
{
    return residency->by[limit] == residency->ctas;
}

double residency_full_wave_gain(const Residency *residency)
{
    const double places = (double)(residency->ctas * residency->sms);
    const double waves = places > 0 ? (double)residency->grid / places : 0;
    return waves > 0 ? 1 - waves / ceil(waves) : 0;
}
