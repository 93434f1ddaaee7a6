/* Which part of a machine a run is of. */
#include "kit/traffic/traffic.h"
#include "platform/machine/private.h"

static UnitRuns extent_of(const Machine *machine)
{
    const GPtrArray *kernels = machine->launches->kernels;
    const Traffic *traffic = kernels->len ? ((const Kernel *)kernels->pdata[0])->traffic : NULL;
    if (!traffic) return IN_WHOLE;
    return traffic->part == TRAFFIC_INTO_NETWORK ? IN_NETWORK_ALONE : IN_MEMORY_ALONE;
}

bool machine_is_whole(const Machine *machine)
{
    return extent_of(machine) == IN_WHOLE;
}

/* The two networks may have a different number of routers. */
bool machine_has_unit(const Machine *machine, const UnitClass *unit_class, uint32_t number)
{
    if (unit_class->paged && machine->paging.mode != PAGING_DEMAND) return false;
    return ((unit_class->runs ? unit_class->runs : IN_WHOLE) & extent_of(machine))
           && (unit_class->per != PER_STOP || network_graph_has_stop(machine->graph, number));
}
