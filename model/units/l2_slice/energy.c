/* What an L2 slice's events cost. */
#include "units/l2_slice/private.h"

double l2_slice_energy_of_look_up(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize size = l2_slice_tag_size(unit, &figures->machine);
    return energy_tags(figures, &size, ((const L2Slice *)unit)->ways);
}

double l2_slice_energy_of_byte(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize size = l2_slice_data_size(unit, &figures->machine);
    return energy_array(figures, &size, 8);
}

double l2_slice_energy_of_fetch(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize size = l2_slice_pending_size(unit, &figures->machine);
    return 2 * energy_array(figures, &size, 64) + energy_search(figures, (double)size.compared);
}

/* Where there is no store queue these are of nothing. */
double l2_slice_energy_of_queue_search(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize size = l2_slice_store_address_size(unit, &figures->machine);
    return energy_search(figures, (double)size.compared);
}

/* Its address, into the queue and out of it. */
double l2_slice_energy_of_queued_line(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize size = l2_slice_store_address_size(unit, &figures->machine);
    return 2 * energy_array(figures, &size, (double)size.bits);
}

double l2_slice_energy_of_queued_byte(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize size = l2_slice_store_data_size(unit, &figures->machine);
    return 2 * energy_array(figures, &size, 8);
}
