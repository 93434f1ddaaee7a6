/* What L1 keeps: the array, its tags, and the tables of what is under way. */
#include "parts/bits.h"
#include "units/l1/private.h"

static uint64_t lines_of(const L1 *self, const StorageMachine *machine)
{
    return self->capacity / machine->l1.line_bytes;
}

static uint64_t ways_of(const L1 *self, const StorageMachine *machine)
{
    return l1_ways(self, lines_of(self, machine));
}

static uint32_t line_address(const StorageMachine *machine)
{
    return storage_address_bits(STORAGE_VIRTUAL, machine->l1.line_bytes);
}

/* Of writes that are not bounded as many as of reads. */
StorageSize l1_data_size(const Unit *unit, const StorageMachine *machine)
{
    const L1 *self = (const L1 *)unit;
    const uint64_t bytes = machine->array ? machine->array : self->capacity;
    const uint32_t ports = (uint32_t)self->data_ports;
    const bool shared = self->array_ports == ARRAY_1RW;
    return (StorageSize){.entries = bytes / self->data_bank_bytes,
                         .bits = 8 * self->data_bank_bytes,
                         .banks = (uint32_t)self->data_banks,
                         .reads = shared ? 0 : ports,
                         .writes = shared                            ? 0
                                   : self->array_ports == ARRAY_1R1W ? 1
                                                                     : ports,
                         .either = shared ? ports : 0};
}

/* Where shared memory is; that it has an array of its own, the SM says. */
StorageSize l1_shared_size(const Unit *unit, const StorageMachine *machine)
{
    const L1 *self = (const L1 *)unit;
    StorageSize size = l1_data_size(unit, machine);
    if (machine->array) return size;
    size.entries = machine->shared / self->shared_bank_bytes;
    size.bits = 8 * self->shared_bank_bytes;
    size.banks = (uint32_t)self->shared_banks;
    return size;
}

/* Valid and dirty are of a sector. Lines that are looked up together lie in banks of their own. */
StorageSize l1_tag_size(const Unit *unit, const StorageMachine *machine)
{
    const L1 *self = (const L1 *)unit;
    const uint64_t ways = ways_of(self, machine);
    const uint64_t at_once =
        (self->lookups_per_interval + self->lookup_interval - 1) / self->lookup_interval;
    StorageSize size = storage_tags(self->sets * ways, ways, line_address(machine),
                                    2 * storage_sectors(&machine->l1));
    size.banks = (uint32_t)self->tag_banks;
    size.reads = (uint32_t)at_once;
    size.writes = 1;
    size.compared *= at_once * self->tag_banks;
    return size;
}

static StorageSize size_replacement(const Unit *unit, const StorageMachine *machine)
{
    const L1 *self = (const L1 *)unit;
    return (StorageSize){
        .entries = self->sets,
        .bits = replacement_set_bits((ReplacementPolicy)self->replacement, ways_of(self, machine))};
}

StorageSize l1_prt_size(const Unit *unit, const StorageMachine *machine)
{
    const L1 *self = (const L1 *)unit;
    const uint32_t line = line_address(machine);
    return (StorageSize){.entries = self->prt_entries,
                         .bits = 1 + line + storage_sectors(&machine->l1)
                                 + bits_for(self->sets * ways_of(self, machine))
                                 + (1 + self->prt_merges) * STORAGE_WAITER,
                         .compared = self->prt_entries * line};
}

/* The lanes that are not served yet; its addresses are computed again. */
StorageSize l1_instruction_buffer_size(const Unit *unit, const StorageMachine *machine)
{
    const L1 *self = (const L1 *)unit;
    return (StorageSize){.entries = self->replay_entries,
                         .bits = STORAGE_INSTRUCTION + STORAGE_WAITER + machine->lanes};
}

/* With overlap a pass a cycle may wait, with where its lanes' values lie. */
static StorageSize size_backlog(const Unit *unit, const StorageMachine *machine)
{
    const L1 *self = (const L1 *)unit;
    const StorageSize data = l1_data_size(unit, machine);
    const uint64_t place = bits_for(data.entries * data.bits / 8);
    return (StorageSize){.entries = self->overlap ? self->data_backlog : 0,
                         .bits = STORAGE_WAITER + machine->lanes * (1 + place)};
}

/* Which bytes a store has brought, where that is not all of a sector. */
static StorageSize size_bytes(const Unit *unit, const StorageMachine *machine)
{
    const L1 *self = (const L1 *)unit;
    return (StorageSize){.entries = l1_keeps_bytes(self) ? lines_of(self, machine) : 0,
                         .bits = machine->l1.line_bytes};
}

StorageSize l1_write_buffer_size(const Unit *unit, const StorageMachine *machine)
{
    const L1 *self = (const L1 *)unit;
    const uint32_t line = line_address(machine);
    return (StorageSize){.entries = self->write_buffer_entries,
                         .bits = line + storage_line_bits(&machine->l1),
                         .compared = self->write_buffer_entries * line};
}

StorageSize l1_tlb_size(const Unit *unit, const StorageMachine *machine)
{
    (void)machine;
    const L1 *self = (const L1 *)unit;
    return storage_tlb(self->tlb_entries, self->tlb_ways, self->tlb_entry_bytes);
}

static StorageSize size_translating(const Unit *unit, const StorageMachine *machine)
{
    const L1 *self = (const L1 *)unit;
    return (StorageSize){.entries = self->tlb_pending,
                         .bits = line_address(machine) + bits_for(self->prt_entries)};
}

static StorageSize size_access(const Unit *unit, const StorageMachine *machine)
{
    (void)unit;
    return (StorageSize){.entries = 1, .bits = storage_access_bits(machine)};
}

static StorageSize size_texture_line(const Unit *unit, const StorageMachine *machine)
{
    (void)unit;
    return (StorageSize){.entries = 1,
                         .bits = line_address(machine) + storage_sectors(&machine->l1)
                                 + STORAGE_WAITER};
}

/* Stores of the texture unit pass by L1 with their data. */
static StorageSize size_texture_request(const Unit *unit, const StorageMachine *machine)
{
    StorageSize size = size_texture_line(unit, machine);
    size.bits += storage_line_bits(&machine->l1);
    return size;
}

const StorageRow l1_storage[] = {
    STORAGE("data_bits", l1_data_size,
            "data array: of L1, and of shared memory where they divide one ([first_level])"),
    STORAGE("tag_bits", l1_tag_size, "tags: address, valid and dirty sectors"),
    STORAGE("written_bits", size_bytes,
            "mask of the bytes that global stores have brought, where these have places"),
    STORAGE("replacement_bits", size_replacement, "what tells which line of a set goes next"),
    STORAGE(
        "prt_bits", l1_prt_size,
        "pending request table: line, sectors, place, and who waits, of each as many as may merge",
        .places = "prt merge_room"),
    STORAGE("instruction_buffer_bits", l1_instruction_buffer_size,
            "instruction buffer: what is replayed; without bound it is not counted",
            .places = "replay_room"),
    STORAGE("backlog_bits", size_backlog, "passes that wait for the array, where overlap = yes"),
    STORAGE("write_buffer_bits", l1_write_buffer_size,
            "write data buffer: line, data and byte mask", .places = "write_room"),
    STORAGE("tlb_bits", l1_tlb_size, "L1 TLB"),
    STORAGE("translating_bits", size_translating, "lines that wait for a translation",
            .places = "translating"),
    STORAGE("input_bits", size_access, "accesses in front of L1, with their addresses",
            .input = "from_load_store"),
    STORAGE("texture_input_bits", size_texture_line, "lines that the texture unit reads here",
            .input = "from_texture"),
    STORAGE("texture_request_bits", size_texture_request,
            "requests of the texture unit's own cache", .input = "from_texture_misses"),
    STORAGE_END};
