/* What the MMU keeps: translations, and walks that are wanted or go on. */
#include "parts/bits.h"
#include "units/mmu/private.h"

static StorageSize size_tlb(const Unit *unit, const StorageMachine *machine)
{
    (void)machine;
    const Mmu *self = (const Mmu *)unit;
    StorageSize size = storage_tlb(self->tlb_entries, self->tlb_ways, self->tlb_entry_bytes);
    size.reads = (uint32_t)self->lookups_per_cycle;
    size.writes = 1;
    size.compared *= self->lookups_per_cycle;
    return size;
}

double mmu_energy_of_request(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize tlb = size_tlb(unit, &figures->machine);
    const double ports = (double)((const Mmu *)unit)->lookups_per_cycle;
    return energy_search(figures, (double)tlb.compared / ports)
           + energy_array(figures, &tlb, (double)tlb.bits);
}

/* A waiter is an SM and its request. As many wait for a walk as there are misses. */
static StorageSize size_misses(const Unit *unit, const StorageMachine *machine)
{
    (void)machine;
    const Mmu *self = (const Mmu *)unit;
    const uint64_t page = storage_address_bits(STORAGE_VIRTUAL, self->tlb_entry_bytes);
    return (StorageSize){.entries = self->miss_entries,
                         .bits = 1 + page + STORAGE_ASKER + bits_for(self->miss_entries),
                         .compared = self->miss_entries * page};
}

/* Which miss, which level, and where its table lies. */
static StorageSize size_walkers(const Unit *unit, const StorageMachine *machine)
{
    (void)machine;
    const Mmu *self = (const Mmu *)unit;
    return (StorageSize){.entries = self->walkers,
                         .bits = 1 + bits_for(self->miss_entries) + bits_for(self->walk_levels)
                                 + STORAGE_PHYSICAL};
}

static StorageSize size_walk_cache(const Unit *unit, const StorageMachine *machine)
{
    (void)machine;
    const Mmu *self = (const Mmu *)unit;
    return storage_tlb(self->walk_cache_entries, self->walk_cache_ways,
                       self->walk_cache_entry_bytes);
}

/* Of each level above the last; the first above it has the longest addresses. */
static StorageSize size_directory(const Unit *unit, const StorageMachine *machine)
{
    (void)machine;
    const Mmu *self = (const Mmu *)unit;
    const uint64_t levels = self->walk_levels - 1;
    StorageSize size = storage_tlb(self->directory_entries, 0, self->directory_entry_bytes);
    size.entries *= levels;
    size.compared *= levels;
    return size;
}

static StorageSize size_input(const Unit *unit, const StorageMachine *machine)
{
    (void)unit, (void)machine;
    return (StorageSize){.entries = 1, .bits = STORAGE_VIRTUAL + STORAGE_ASKER};
}

const StorageRow mmu_storage[] = {
    STORAGE("tlb_bits", size_tlb, "L2 TLB"),
    STORAGE("miss_bits", size_misses, "misses of the L2 TLB, and who waits for them",
            .places = "miss_room"),
    STORAGE("walker_bits", size_walkers, "page walkers", .places = "walkers_busy"),
    STORAGE("walk_cache_bits", size_walk_cache, "page-walk cache's last level"),
    STORAGE("directory_bits", size_directory, "page-walk cache's levels above"),
    STORAGE("input_bits", size_input, "translations wanted", .input = "from_l1"),
    STORAGE_END};
