/* What an SM keeps: registers, and what it knows of its warps and CTAs. */
#include "parts/bits.h"
#include "units/sm/private.h"

StorageSize sm_register_size(const Unit *unit, const StorageMachine *machine)
{
    (void)machine;
    const SM *self = (const SM *)unit;
    const uint64_t banks = MAX(self->register_banks, 1) * sm_parts(self);
    return (StorageSize){.entries = self->registers,
                         .bits = 32,
                         .banks = (uint32_t)banks,
                         .reads = (uint32_t)self->register_bank_reads,
                         .writes = (uint32_t)MAX(self->register_bank_writes, 1)};
}

/* Where its registers begin and how many there are; a result that is awaited is a register, and
 * whether it is of memory. */
static StorageSize size_warps(const Unit *unit, const StorageMachine *machine)
{
    const SM *self = (const SM *)unit;
    const uint32_t base = bits_for(self->registers / machine->lanes);
    return (StorageSize){.entries = self->max_warps,
                         .bits = STORAGE_PC + machine->lanes + base + STORAGE_REGISTER
                                 + SCOREBOARD_RESULTS * (STORAGE_REGISTER + 1)
                                 + bits_for(self->max_ctas)};
}

/* Three coordinates, and at a barrier how many of its warps have come, of how many. */
static StorageSize size_ctas(const Unit *unit, const StorageMachine *machine)
{
    (void)machine;
    const SM *self = (const SM *)unit;
    return (StorageSize){.entries = self->max_ctas,
                         .bits = 3 * 32 + 2 * bits_for(self->max_warps + 1)};
}

static StorageSize size_shared_memory(const Unit *unit, const StorageMachine *machine)
{
    const SM *self = (const SM *)unit;
    return (StorageSize){.entries = machine->array ? 0 : self->shared_memory / 4,
                         .bits = 32,
                         .banks = machine->lanes};
}

const StorageRow sm_storage[] = {
    STORAGE("register_bits", sm_register_size, "register file", .places = "registers_allocated"),
    STORAGE("warp_bits", size_warps,
            "warps: program counter, active lanes, base and number of the registers, scoreboard",
            .places = "resident_warps"),
    STORAGE("cta_bits", size_ctas, "CTAs: which of the grid, and the state of their barrier",
            .places = "resident_ctas"),
    STORAGE("shared_memory_bits", size_shared_memory,
            "shared memory, where it has an array of its own; else it is in that of L1",
            .places = "shared_allocated"),
    STORAGE_END};
