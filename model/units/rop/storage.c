/* What a ROP keeps: its cache, and requests that wait or are operated on. */
#include "parts/bits.h"
#include "units/rop/private.h"

static uint32_t line_address(const StorageMachine *machine)
{
    return storage_address_bits(STORAGE_PHYSICAL, machine->l2.line_bytes);
}

/* A line's atomics: operands of the lanes, and the word that each of them wants. */
static uint64_t request_bits(const StorageMachine *machine)
{
    const uint64_t words = machine->l2.line_bytes / 4;
    return line_address(machine) + STORAGE_ASKER + machine->lanes * (1 + 32 + bits_for(words));
}

static StorageSize size_cache(const Unit *unit, const StorageMachine *machine)
{
    return (StorageSize){.entries = ((const Rop *)unit)->cache_entries,
                         .bits = 8 * (uint64_t)machine->l2.line_bytes};
}

static StorageSize size_tags(const Unit *unit, const StorageMachine *machine)
{
    const Rop *self = (const Rop *)unit;
    return storage_tags(self->cache_entries, self->ways, line_address(machine),
                        2 * storage_sectors(&machine->l2) + bits_for(self->ways));
}

double rop_energy_of_operation(const Unit *unit, const EnergyFigures *figures)
{
    (void)unit;
    return energy_logic(figures, figures->integer);
}

/* Of the ROP cache; without one there is nothing to read or write but L2. */
double rop_energy_of_byte(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize cache = size_cache(unit, &figures->machine);
    return energy_array(figures, &cache, 8);
}

double rop_energy_of_exchange(const Unit *unit, const EnergyFigures *figures)
{
    return 2 * WORD_BYTES * rop_energy_of_byte(unit, figures);
}

double rop_energy_of_request(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize tags = size_tags(unit, &figures->machine);
    return energy_tags(figures, &tags, ((const Rop *)unit)->ways);
}

static StorageSize size_pending(const Unit *unit, const StorageMachine *machine)
{
    const Rop *self = (const Rop *)unit;
    return (StorageSize){.entries = self->pending_entries,
                         .bits = 1 + line_address(machine) + storage_sectors(&machine->l2)
                                 + (1 + self->pending_merges)
                                       * bits_for(self->pending_entries * self->pending_merges),
                         .compared = self->pending_entries * line_address(machine)};
}

static StorageSize size_pipeline(const Unit *unit, const StorageMachine *machine)
{
    return (StorageSize){.entries = ((const Rop *)unit)->pipeline_entries,
                         .bits = request_bits(machine)};
}

/* Two bits a tile: not, half, a quarter; fully associative. */
static StorageSize size_metadata(const Unit *unit, const StorageMachine *machine)
{
    const Rop *self = (const Rop *)unit;
    const uint64_t tag = storage_address_bits(STORAGE_PHYSICAL, machine->l2.sector_bytes);
    return (StorageSize){.entries = self->compression ? self->metadata_entries : 0,
                         .bits = 2 + tag + 8 * (uint64_t)machine->l2.sector_bytes,
                         .compared = self->metadata_entries * tag};
}

static StorageSize size_input(const Unit *unit, const StorageMachine *machine)
{
    (void)unit;
    return (StorageSize){.entries = 1, .bits = request_bits(machine)};
}

const StorageRow rop_storage[] = {
    STORAGE("cache_bits", size_cache, "ROP cache's data"),
    STORAGE("tag_bits", size_tags, "ROP cache's tags", .places = "set_room"),
    STORAGE("pending_bits", size_pending, "pending entries: line, and who waits",
            .places = "fetching merge_room"),
    STORAGE("pipeline_bits", size_pipeline, "requests in the pipeline, with their operands",
            .places = "operating"),
    STORAGE("metadata_bits", size_metadata, "metadata cache, where surfaces are compressed"),
    STORAGE("input_bits", size_input, "atomics in front of the ROP", .input = "from_l2"),
    STORAGE_END};
