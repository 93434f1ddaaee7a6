/* What an L2 slice keeps: the array, its tags, and the queues of what is under way. */
#include "parts/bits.h"
#include "units/l2_slice/private.h"

static const L2Slice *slice_of(const Unit *unit)
{
    return (const L2Slice *)unit;
}

static uint32_t line_address(const L2Slice *self, const StorageMachine *machine)
{
    return storage_address_bits((uint32_t)self->address_bits, machine->l2.line_bytes);
}

/* A line that waits with its data, and for whom. */
static uint64_t request_bits(const L2Slice *self, const StorageMachine *machine)
{
    return line_address(self, machine) + storage_sectors(&machine->l2) + STORAGE_ASKER
           + storage_line_bits(&machine->l2);
}

static uint64_t lines_of(const L2Slice *self, const StorageMachine *machine)
{
    return self->capacity / machine->l2.line_bytes;
}

StorageSize l2_slice_data_size(const Unit *unit, const StorageMachine *machine)
{
    const L2Slice *self = slice_of(unit);
    const bool shared = self->array_ports == ARRAY_PORTS_1RW;
    StorageSize size = storage_data(self->capacity, &machine->l2);
    const uint32_t ports = (uint32_t)self->data_ports;
    size.reads = shared ? 0 : self->array_ports == ARRAY_PORTS_2R1W ? 2 * ports : ports;
    size.writes = shared ? 0 : ports;
    size.either = shared ? ports : 0;
    return size;
}

/* Which other halves may have a copy of the line: one bit each. */
static uint64_t copy_bits(const StorageMachine *machine)
{
    return machine->halves > 1 ? machine->halves - 1 : 0;
}

/* Valid and dirty are of a sector; a mask, where there is one, of each byte. */
StorageSize l2_slice_tag_size(const Unit *unit, const StorageMachine *machine)
{
    const L2Slice *self = slice_of(unit);
    const uint64_t mask = self->partial_write == PARTIAL_MASK ? machine->l2.line_bytes : 0;
    const uint64_t at_once =
        (self->lookups_per_interval + self->lookup_interval - 1) / self->lookup_interval;
    StorageSize size =
        storage_tags(lines_of(self, machine), self->ways, line_address(self, machine),
                     2 * storage_sectors(&machine->l2) + mask + copy_bits(machine));
    size.reads = (uint32_t)at_once;
    size.writes = 1;
    size.compared *= at_once;
    return size;
}

static StorageSize size_replacement(const Unit *unit, const StorageMachine *machine)
{
    const L2Slice *self = slice_of(unit);
    return (StorageSize){
        .entries = storage_sets(lines_of(self, machine), self->ways),
        .bits = replacement_set_bits((ReplacementPolicy)self->replacement, self->ways)};
}

StorageSize l2_slice_pending_size(const Unit *unit, const StorageMachine *machine)
{
    const L2Slice *self = slice_of(unit);
    const uint64_t entries = self->completion == COMPLETION_BLOCKING ? 1 : self->pending_entries;
    const uint32_t line = line_address(self, machine);
    return (StorageSize){
        .entries = entries,
        .bits = 1 + line + storage_sectors(&machine->l2) + bits_for(lines_of(self, machine))
                + (1 + self->pending_merges) * (STORAGE_ASKER + storage_sectors(&machine->l2)),
        .compared = entries * line};
}

static StorageSize size_load_queue(const Unit *unit, const StorageMachine *machine)
{
    const L2Slice *self = slice_of(unit);
    return (StorageSize){.entries = self->load_queue_entries,
                         .bits = bits_for(self->pending_entries) + line_address(self, machine)};
}

static bool has_store_queue(const L2Slice *self)
{
    return self->written_data == WRITTEN_STORE_QUEUE;
}

StorageSize l2_slice_store_address_size(const Unit *unit, const StorageMachine *machine)
{
    const L2Slice *self = slice_of(unit);
    const uint32_t line = line_address(self, machine);
    const uint64_t entries = has_store_queue(self) ? self->store_queue_entries : 0;
    return (StorageSize){.entries = entries, .bits = line, .compared = entries * line};
}

StorageSize l2_slice_store_data_size(const Unit *unit, const StorageMachine *machine)
{
    const L2Slice *self = slice_of(unit);
    const uint64_t whole = self->store_queue_entries * storage_sectors(&machine->l2);
    const uint64_t sectors = self->store_data_sectors ? self->store_data_sectors : whole;
    return (StorageSize){.entries = has_store_queue(self) ? sectors : 0,
                         .bits = 8 * (uint64_t)machine->l2.sector_bytes};
}

/* The line's address stands for its row's. */
static StorageSize size_clean_rows(const Unit *unit, const StorageMachine *machine)
{
    const L2Slice *self = slice_of(unit);
    const uint32_t line = line_address(self, machine);
    const uint64_t entries = self->clean_ahead == CLEAN_ROW ? self->clean_rows : 0;
    return (StorageSize){.entries = entries, .bits = line, .compared = entries * line};
}

static StorageSize size_unclean_sets(const Unit *unit, const StorageMachine *machine)
{
    const L2Slice *self = slice_of(unit);
    const uint64_t sets = storage_sets(lines_of(self, machine), self->ways);
    return (StorageSize){.entries = self->written_data == WRITTEN_LINE ? sets : 0, .bits = 1};
}

static StorageSize size_replies(const Unit *unit, const StorageMachine *machine)
{
    const L2Slice *self = slice_of(unit);
    const bool in_order = self->completion == COMPLETION_IN_ORDER;
    return (StorageSize){.entries = in_order ? self->reply_entries : 0,
                         .bits = request_bits(self, machine)};
}

static StorageSize size_write_buffer(const Unit *unit, const StorageMachine *machine)
{
    const L2Slice *self = slice_of(unit);
    return (StorageSize){.entries = self->write_buffer, .bits = storage_line_bits(&machine->l2)};
}

/* Fetches of lines of other halves wait in a table of their own. */
static StorageSize size_far_fetches(const Unit *unit, const StorageMachine *machine)
{
    StorageSize size = l2_slice_pending_size(unit, machine);
    if (machine->halves < 2) size.entries = 0;
    return size;
}

static StorageSize size_crossing(const Unit *unit, const StorageMachine *machine)
{
    const L2Slice *self = slice_of(unit);
    return (StorageSize){.entries = machine->halves > 1 ? 2 * self->cross_entries : 0,
                         .bits = line_address(self, machine) + STORAGE_ASKER};
}

static StorageSize size_input(const Unit *unit, const StorageMachine *machine)
{
    return (StorageSize){.entries = 1, .bits = request_bits(slice_of(unit), machine)};
}

const StorageRow l2_slice_storage[] = {
    STORAGE("data_bits", l2_slice_data_size, "data array"),
    STORAGE(
        "tag_bits", l2_slice_tag_size,
        "tags: address, valid and dirty sectors, byte masks where partial_write = mask, and who "
        "has copies where there are halves",
        .places = "set_fills set_writes"),
    STORAGE("replacement_bits", size_replacement, "what tells which line of a set goes next"),
    STORAGE(
        "pending_bits", l2_slice_pending_size,
        "pending request table: line, sectors, place, and who waits, of each as many as may merge",
        .places = "pending merge_room"),
    STORAGE("load_queue_bits", size_load_queue, "load queue", .places = "load_queue"),
    STORAGE("store_address_bits", l2_slice_store_address_size, "store queue: addresses",
            .places = "store_queue"),
    STORAGE("store_data_bits", l2_slice_store_data_size, "store data queue",
            .places = "store_data"),
    STORAGE("clean_row_bits", size_clean_rows, "rows of DRAM that are to be cleaned"),
    STORAGE("unclean_set_bits", size_unclean_sets, "sets that have to write a line"),
    STORAGE("reply_queue_bits", size_replies, "reply queue, where replies leave in order",
            .places = "reply_queue"),
    STORAGE("write_buffer_bits", size_write_buffer, "data of stores that wait for the write port"),
    STORAGE("far_fetch_bits", size_far_fetches, "fetches from other halves",
            .places = "far_fetches"),
    STORAGE("crossing_bits", size_crossing,
            "stores and atomics at other halves, and as many invalidations",
            .places = "far_forwards far_recalls"),
    STORAGE("input_bits", size_input, "requests in front of the slice", .input = "from_network"),
    STORAGE("far_input_bits", size_input, "requests of other halves", .input = "from_far_requests"),
    STORAGE("rop_input_bits", size_input, "results, fetches and write-backs of the ROP",
            .input = "from_rop"),
    STORAGE_END};
