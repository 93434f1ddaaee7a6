/* What a memory-side cache keeps, and what its events cost. */
#include "parts/bits.h"
#include "units/memory_cache/private.h"

/* A bank is as large as an L2 slice's array: a large array of SRAM is made of such. */
enum { BANK_BYTES = 256 * 1024 };

static const MemoryCache *cache_of(const Unit *unit)
{
    return (const MemoryCache *)unit;
}

static uint32_t banks_of(const MemoryCache *self)
{
    return (uint32_t)MAX(self->capacity / BANK_BYTES, 1);
}

static uint32_t line_address(const StorageMachine *machine)
{
    return storage_address_bits(STORAGE_PHYSICAL, machine->l2.line_bytes);
}

static uint64_t lines_of(const MemoryCache *self, const StorageMachine *machine)
{
    return self->capacity / machine->l2.line_bytes;
}

static StorageSize size_data(const Unit *unit, const StorageMachine *machine)
{
    const MemoryCache *self = cache_of(unit);
    StorageSize size = storage_data(self->capacity, &machine->l2);
    size.banks = banks_of(self);
    size.reads = size.writes = (uint32_t)self->data_ports;
    return size;
}

static StorageSize size_tags(const Unit *unit, const StorageMachine *machine)
{
    const MemoryCache *self = cache_of(unit);
    StorageSize size = storage_tags(lines_of(self, machine), self->ways, line_address(machine),
                                    2 * storage_sectors(&machine->l2));
    const uint64_t at_once =
        (self->lookups_per_interval + self->lookup_interval - 1) / self->lookup_interval;
    size.banks = banks_of(self);
    size.reads = (uint32_t)at_once;
    size.writes = 1;
    size.compared *= at_once;
    return size;
}

static StorageSize size_replacement(const Unit *unit, const StorageMachine *machine)
{
    const MemoryCache *self = cache_of(unit);
    return (StorageSize){
        .entries = storage_sets(lines_of(self, machine), self->ways),
        .bits = replacement_set_bits((ReplacementPolicy)self->replacement, self->ways)};
}

/* Who waits is known to L2: of each entry a list of L2's own entries is kept. */
static StorageSize size_pending(const Unit *unit, const StorageMachine *machine)
{
    const MemoryCache *self = cache_of(unit);
    const uint32_t line = line_address(machine);
    return (StorageSize){.entries = self->pending_entries,
                         .bits = 1 + line + storage_sectors(&machine->l2)
                                 + bits_for(lines_of(self, machine)) + STORAGE_ASKER,
                         .compared = self->pending_entries * line};
}

static StorageSize size_input(const Unit *unit, const StorageMachine *machine)
{
    (void)unit;
    return (StorageSize){.entries = 1,
                         .bits = line_address(machine) + storage_sectors(&machine->l2)
                                 + STORAGE_ASKER + storage_line_bits(&machine->l2)};
}

const StorageRow memory_cache_storage[] = {
    STORAGE("data_bits", size_data, "data array"),
    STORAGE("tag_bits", size_tags, "tags: address, valid and dirty sectors", .places = "set_fills"),
    STORAGE("replacement_bits", size_replacement, "what tells which line of a set goes next"),
    STORAGE("pending_bits", size_pending,
            "pending request table: line, sectors, place, and who waits", .places = "pending"),
    STORAGE("input_bits", size_input, "requests in front of it", .input = "from_l2"),
    STORAGE_END};

double memory_cache_energy_of_look_up(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize size = size_tags(unit, &figures->machine);
    return energy_tags(figures, &size, cache_of(unit)->ways);
}

double memory_cache_energy_of_byte(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize size = size_data(unit, &figures->machine);
    return energy_array(figures, &size, 8);
}

double memory_cache_energy_of_fetch(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize size = size_pending(unit, &figures->machine);
    return 2 * energy_array(figures, &size, 64) + energy_search(figures, (double)size.compared);
}
