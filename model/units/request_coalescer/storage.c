/* What a request coalescer keeps, and what its cache's events cost. */
#include "units/request_coalescer/private.h"

static const RequestCoalescer *coalescer_of(const Unit *unit)
{
    return (const RequestCoalescer *)unit;
}

static uint32_t line_address(const StorageMachine *machine)
{
    return storage_address_bits(STORAGE_PHYSICAL, machine->l2.line_bytes);
}

static StorageSize size_table(const Unit *unit, const StorageMachine *machine)
{
    const RequestCoalescer *self = coalescer_of(unit);
    const uint32_t line = line_address(machine);
    return (StorageSize){.entries = self->entries,
                         .bits = 1 + line + storage_sectors(&machine->l2) + STORAGE_ASKER,
                         .compared = self->entries * line};
}

static StorageSize size_data(const Unit *unit, const StorageMachine *machine)
{
    return storage_data(coalescer_of(unit)->capacity, &machine->l2);
}

static StorageSize size_tags(const Unit *unit, const StorageMachine *machine)
{
    const RequestCoalescer *self = coalescer_of(unit);
    return storage_tags(self->capacity / machine->l2.line_bytes, self->ways, line_address(machine),
                        storage_sectors(&machine->l2));
}

static StorageSize size_replacement(const Unit *unit, const StorageMachine *machine)
{
    const RequestCoalescer *self = coalescer_of(unit);
    return (StorageSize){
        .entries = storage_sets(self->capacity / machine->l2.line_bytes, self->ways),
        .bits = replacement_set_bits((ReplacementPolicy)self->replacement, self->ways)};
}

static StorageSize size_input(const Unit *unit, const StorageMachine *machine)
{
    (void)unit;
    return (StorageSize){.entries = 1,
                         .bits = line_address(machine) + storage_line_bits(&machine->l2)
                                 + STORAGE_ASKER};
}

const StorageRow request_coalescer_storage[] = {
    STORAGE("table_bits", size_table, "reads under way: line, sectors, and who waits"),
    STORAGE("data_bits", size_data, "data array of its cache"),
    STORAGE("tag_bits", size_tags, "tags of its cache: address and valid sectors"),
    STORAGE("replacement_bits", size_replacement, "what tells which line of a set goes next"),
    STORAGE("input_bits", size_input, "requests of SMs in front of it", .input = "from_l1"),
    STORAGE_END};

double coalescer_energy_of_look_up(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize size = size_tags(unit, &figures->machine);
    return energy_tags(figures, &size, coalescer_of(unit)->ways);
}

double coalescer_energy_of_byte(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize size = size_data(unit, &figures->machine);
    return energy_array(figures, &size, 8);
}
