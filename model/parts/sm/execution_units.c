#include "parts/sm/execution_units.h"

void execution_units_init(ExecutionUnits *units)
{
    *units = (ExecutionUnits){.pool[POOL_NONE].units = 1};
}

uint32_t execution_units_groups(UnitSharing sharing, uint32_t schedulers)
{
    switch (sharing) {
    case UNITS_PRIVATE: return schedulers;
    case UNITS_OF_HALF: return (schedulers + 1) / 2;
    case UNITS_OF_SM: return 1;
    }
    g_assert_not_reached();
}

bool execution_units_set(ExecutionUnits *units, ExecutionPool pool, const PoolShape *shape,
                         UnitSharing wiring, uint32_t schedulers, uint64_t cycle)
{
    const UnitSharing reach = MAX(shape->sharing, wiring);
    const uint32_t groups = execution_units_groups(reach, schedulers);
    if (shape->units > POOL_UNITS || shape->units % groups) return false;
    UnitPool *of = &units->pool[pool];
    *of = (UnitPool){.units = (uint32_t)shape->units / groups};
    const uint64_t passes = (shape->warp_lanes + shape->lanes - 1) / shape->lanes;
    of->occupancy = passes * cycle;
    units->schedulers = schedulers;
    if (of->units == 1 && groups == schedulers) units->alone |= 1u << pool;
    for (uint32_t s = 0; s < schedulers; s++) {
        const uint32_t group = groups == 1 ? 0 : groups == schedulers ? s : s / 2;
        of->group[s] = (uint8_t)group;
    }
    return true;
}

void execution_units_turn(ExecutionUnits *units, ExecutionPool pool, uint32_t group, uint64_t until)
{
    const UnitPool *of = &units->pool[pool];
    UnitTurns *turns = &units->turns[pool];
    uint64_t *free_at = &turns->free_at[group * of->units];
    const uint32_t turn = turns->next[group], next = turn + 1 < of->units ? turn + 1 : 0;
    free_at[turn] = until;
    turns->next[group] = (uint8_t)next;
    for (uint32_t s = 0; s < units->schedulers; s++)
        if (of->group[s] == group) units->free_at[s][pool] = free_at[next];
}
