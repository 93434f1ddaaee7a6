/* What a memory access scheduler keeps: requests that wait, and lists of those of one row. */
#include "parts/bits.h"
#include "units/access_scheduler/private.h"

static uint64_t line_address(const StorageMachine *machine)
{
    return storage_address_bits(STORAGE_PHYSICAL, machine->l2.line_bytes);
}

/* Which line. A list is a pointer in each to the next. */
static uint64_t request_bits(const StorageMachine *machine)
{
    return line_address(machine) + storage_sectors(&machine->l2) + STORAGE_ASKER;
}

static StorageSize size_store(const StorageMachine *machine, uint64_t entries)
{
    return (StorageSize){.entries = entries, .bits = request_bits(machine) + bits_for(entries)};
}

static StorageSize size_reads(const Unit *unit, const StorageMachine *machine)
{
    return size_store(machine, ((const AccessScheduler *)unit)->read_entries);
}

static StorageSize size_writes(const Unit *unit, const StorageMachine *machine)
{
    StorageSize size = size_store(machine, ((const AccessScheduler *)unit)->write_entries);
    size.bits += machine->written_bits;
    return size;
}

/* A row's address is compared; its list has a first and a last one. */
static StorageSize size_sorter(uint64_t sets, uint64_t ways, uint64_t entries, uint64_t row_bytes)
{
    const uint64_t tag = storage_address_bits(STORAGE_PHYSICAL, row_bytes) - bits_for(sets);
    return (StorageSize){
        .entries = sets * ways, .bits = 1 + tag + 2 * bits_for(entries), .compared = ways * tag};
}

static StorageSize size_read_sorter(const Unit *unit, const StorageMachine *machine)
{
    const AccessScheduler *self = (const AccessScheduler *)unit;
    return size_sorter(self->read_sets, self->read_ways, self->read_entries, machine->row_bytes);
}

static StorageSize size_write_sorter(const Unit *unit, const StorageMachine *machine)
{
    const AccessScheduler *self = (const AccessScheduler *)unit;
    return size_sorter(self->write_sets, self->write_ways, self->write_entries, machine->row_bytes);
}

/* Written into its store and read, and its row looked for in the sorter. */
double access_scheduler_energy_of_read(const Unit *unit, const EnergyFigures *figures)
{
    const AccessScheduler *self = (const AccessScheduler *)unit;
    const StorageSize store = size_reads(unit, &figures->machine),
                      sorter = size_read_sorter(unit, &figures->machine);
    return 2 * energy_array(figures, &store, (double)store.bits)
           + energy_tags(figures, &sorter, self->read_ways);
}

double access_scheduler_energy_of_write(const Unit *unit, const EnergyFigures *figures)
{
    const AccessScheduler *self = (const AccessScheduler *)unit;
    const StorageSize store = size_writes(unit, &figures->machine),
                      sorter = size_write_sorter(unit, &figures->machine);
    const uint64_t data = figures->machine.written_bits;
    return 2 * energy_array(figures, &store, (double)(store.bits - data))
           + energy_tags(figures, &sorter, self->write_ways);
}

/* A byte into the write store, or out of it. */
static double energy_of_written(const Unit *unit, const EnergyFigures *figures, double bits)
{
    const StorageSize store = size_writes(unit, &figures->machine);
    return figures->machine.written_bits ? energy_array(figures, &store, bits) : 0;
}

double access_scheduler_energy_of_byte_written(const Unit *unit, const EnergyFigures *figures)
{
    return 2 * energy_of_written(unit, figures, 8 + 1);
}

double access_scheduler_energy_of_byte_forwarded(const Unit *unit, const EnergyFigures *figures)
{
    return energy_of_written(unit, figures, 8);
}

static StorageSize size_open_rows(const Unit *unit, const StorageMachine *machine)
{
    (void)unit;
    return (StorageSize){.entries = machine->banks, .bits = 1 + bits_for(machine->rows)};
}

/* The row that a bank had last is known: it is the open one, or was. */
static StorageSize size_history(const Unit *unit, const StorageMachine *machine)
{
    const bool counts = ((const AccessScheduler *)unit)->page_policy == PAGE_ADAPTIVE;
    return (StorageSize){.entries = counts ? machine->banks : 0, .bits = 2};
}

/* Writes whose rest is read first, and requests for codes. */
static StorageSize size_own(const Unit *unit, const StorageMachine *machine)
{
    return (StorageSize){.entries =
                             access_scheduler_own_most((const AccessScheduler *)unit, machine->ecc),
                         .bits = request_bits(machine) + machine->written_bits};
}

static StorageSize size_codes(const Unit *unit, const StorageMachine *machine)
{
    const AccessScheduler *self = (const AccessScheduler *)unit;
    if (!machine->code_bytes) return (StorageSize){.entries = 0};
    const uint64_t tag = storage_address_bits(STORAGE_PHYSICAL, machine->code_bytes);
    return (StorageSize){.entries = self->ecc_entries,
                         .bits = 2 + tag + UINT64_C(8) * machine->code_bytes,
                         .compared = self->ecc_entries * tag};
}

/* A line's codes are read, or changed. */
double access_scheduler_energy_of_codes(const Unit *unit, const EnergyFigures *figures)
{
    const AccessScheduler *self = (const AccessScheduler *)unit;
    const StorageMachine *machine = &figures->machine;
    if (!machine->code_bytes || !self->ecc_entries) return 0;
    const StorageSize codes = size_codes(unit, machine);
    return energy_tags(figures, &codes, self->ecc_entries)
           + energy_array(figures, &codes, 8.0 * machine->l2.line_bytes / machine->code_share);
}

static StorageSize size_input(const Unit *unit, const StorageMachine *machine)
{
    (void)unit;
    return (StorageSize){.entries = 1, .bits = request_bits(machine) + machine->written_bits};
}

const StorageRow access_scheduler_storage[] = {
    STORAGE("read_store_bits", size_reads, "read request store", .places = "reads_waiting"),
    STORAGE("write_store_bits", size_writes,
            "write request store: addresses, and the data unless it stays in L2",
            .places = "writes_waiting"),
    STORAGE("read_sorter_bits", size_read_sorter, "read request sorter: rows, and their lists",
            .places = "read_rows"),
    STORAGE("write_sorter_bits", size_write_sorter, "write request sorter: rows, and their lists",
            .places = "write_rows"),
    STORAGE("open_row_bits", size_open_rows, "the open row of each bank"),
    STORAGE("history_bits", size_history,
            "what tells whether rows stay open, where page_policy = adaptive"),
    STORAGE("own_bits", size_own,
            "writes whose rest is read first, and requests for codes, where DRAM has ECC"),
    STORAGE("ecc_bits", size_codes, "bursts of codes that are kept (dram.ecc = inline)"),
    STORAGE("input_bits", size_input, "requests in front of the scheduler", .input = "from_l2"),
    STORAGE_END};
