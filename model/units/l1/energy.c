/* What L1's events cost. */
#include "units/l1/energy.h"
#include "units/l1/private.h"

/* Each bank has a decoder of its own: an access takes what the words that it moves do. */
double l1_energy_of_byte(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize size = l1_data_size(unit, &figures->machine);
    return energy_array(figures, &size, 8);
}

double l1_energy_of_shared_byte(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize size = l1_shared_size(unit, &figures->machine);
    return energy_array(figures, &size, 8);
}

/* Control: which banks and which lanes take part. */
double l1_energy_of_pass(const Unit *unit, const EnergyFigures *figures)
{
    const double bits = (double)(((const L1 *)unit)->data_banks + figures->machine.lanes);
    return energy_wire(figures, bits, figures->l1_mm);
}

/* Of a byte over the data crossbar, between array and lanes. */
double l1_energy_of_way(const Unit *unit, const EnergyFigures *figures)
{
    (void)unit;
    return energy_wire(figures, 8, figures->l1_mm);
}

double l1_energy_of_register(const Unit *unit, const EnergyFigures *figures)
{
    return 4 * l1_energy_of_way(unit, figures);
}

double l1_energy_of_look_up(const Unit *unit, const EnergyFigures *figures)
{
    const L1 *self = (const L1 *)unit;
    const StorageSize size = l1_tag_size(unit, &figures->machine);
    return energy_tags(figures, &size, size.entries / self->sets);
}

/* An entry is found by its line: when it is written, and when it is read because the line is
 * there. */
double l1_energy_of_entry(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize size = l1_prt_size(unit, &figures->machine);
    return energy_array(figures, &size, (double)size.bits)
           + energy_search(figures, (double)size.compared);
}

/* One that waits, written or read. */
double l1_energy_of_waiter(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize size = l1_prt_size(unit, &figures->machine);
    return energy_array(figures, &size, STORAGE_WAITER);
}

double l1_energy_of_merge(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize size = l1_prt_size(unit, &figures->machine);
    return l1_energy_of_waiter(unit, figures) + energy_search(figures, (double)size.compared);
}

/* Of what is written into the write data buffer, and read. */
static double energy_of_buffered(const Unit *unit, const EnergyFigures *figures, double bits)
{
    const StorageSize size = l1_write_buffer_size(unit, &figures->machine);
    return 2 * energy_array(figures, &size, bits);
}

/* A line's address, which is searched for. */
double l1_energy_of_buffered_line(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize size = l1_write_buffer_size(unit, &figures->machine);
    const double line = (double)(size.bits - storage_line_bits(&figures->machine.l1));
    return energy_of_buffered(unit, figures, line) + energy_search(figures, (double)size.compared);
}

/* With a bit of mask. */
double l1_energy_of_buffered_byte(const Unit *unit, const EnergyFigures *figures)
{
    return energy_of_buffered(unit, figures, 8 + 1);
}

double l1_energy_of_write_back(const Unit *unit, const EnergyFigures *figures)
{
    return l1_energy_of_buffered_line(unit, figures)
           + energy_of_buffered(unit, figures, storage_line_bits(&figures->machine.l1));
}

/* Written into the instruction buffer, read, decoded and its addresses computed anew. A buffer
 * without bound has been as large as it had to be. */
double l1_energy_of_replay(const Unit *unit, const EnergyFigures *figures)
{
    const L1 *self = (const L1 *)unit;
    StorageSize size = l1_instruction_buffer_size(unit, &figures->machine);
    if (!size.entries) size.entries = MAX(self->replay_room.maximum, 1);
    return 2 * energy_array(figures, &size, (double)size.bits)
           + energy_logic(figures,
                          figures->instruction + 2 * figures->integer * figures->machine.lanes);
}

double l1_energy_of_translation(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize size = l1_tlb_size(unit, &figures->machine);
    return energy_search(figures, (double)size.compared)
           + energy_array(figures, &size, (double)size.bits);
}
