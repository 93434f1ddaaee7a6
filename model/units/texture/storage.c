/* What a texture unit keeps: a cache of its own, if any, and what lies between tags and data. */
#include "parts/bits.h"
#include "units/texture/private.h"

static const TextureUnit *texture_of(const Unit *unit)
{
    return (const TextureUnit *)unit;
}

static uint64_t own(const TextureUnit *self, uint64_t entries)
{
    return self->cache == TEXTURE_CACHE_OWN ? entries : 0;
}

static uint64_t lines_of(const TextureUnit *self, const StorageMachine *machine)
{
    return self->capacity / machine->l1.line_bytes;
}

static uint64_t ways_of(const TextureUnit *self, const StorageMachine *machine)
{
    return MAX(lines_of(self, machine) / self->sets / self->caches, 1);
}

static StorageSize size_data(const Unit *unit, const StorageMachine *machine)
{
    const TextureUnit *self = texture_of(unit);
    StorageSize size = storage_data(own(self, self->capacity), &machine->l1);
    size.banks = (uint32_t)self->data_lines;
    return size;
}

static StorageSize size_tags(const Unit *unit, const StorageMachine *machine)
{
    const TextureUnit *self = texture_of(unit);
    const uint64_t tag =
        storage_address_bits(STORAGE_VIRTUAL, machine->l1.line_bytes) - bits_for(self->sets);
    return (StorageSize){.entries = own(self, lines_of(self, machine)),
                         .bits = tag + storage_sectors(&machine->l1),
                         .banks = (uint32_t)self->tag_lines,
                         .compared = self->tag_lines * ways_of(self, machine) * tag};
}

static StorageSize size_replacement(const Unit *unit, const StorageMachine *machine)
{
    const TextureUnit *self = texture_of(unit);
    return (StorageSize){
        .entries = own(self, self->sets * self->caches),
        .bits = replacement_set_bits((ReplacementPolicy)self->replacement, ways_of(self, machine))};
}

/* Where each texel of a step lies, a line in the data array and a place in it; of a bilinear step
 * two weights. */
static StorageSize size_fragments(const Unit *unit, const StorageMachine *machine)
{
    const TextureUnit *self = texture_of(unit);
    const uint64_t place = bits_for(lines_of(self, machine)) + bits_for(machine->l1.line_bytes / 4);
    return (StorageSize){.entries = self->fragment_fifo,
                         .bits = STORAGE_WAITER + QUAD_ELEMENTS * place + QUAD_LANES * 2 * 8};
}

static StorageSize size_misses(const Unit *unit, const StorageMachine *machine)
{
    const TextureUnit *self = texture_of(unit);
    return (StorageSize){.entries = own(self, self->miss_fifo),
                         .bits = storage_address_bits(STORAGE_VIRTUAL, machine->l1.line_bytes)
                                 + storage_sectors(&machine->l1)};
}

/* A miss has a line's room for what has come before its turn. */
static StorageSize size_reorder(const Unit *unit, const StorageMachine *machine)
{
    const TextureUnit *self = texture_of(unit);
    return (StorageSize){.entries = own(self, self->reorder_entries),
                         .bits = 1 + bits_for(lines_of(self, machine))
                                 + storage_sectors(&machine->l1)
                                 + 8 * (uint64_t)machine->l1.line_bytes};
}

/* Into the fragment FIFO and out of it. */
double texture_energy_of_fragment(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize fifo = size_fragments(unit, &figures->machine);
    return 2 * energy_array(figures, &fifo, (double)fifo.bits);
}

/* Of its own cache; where L1 is its cache, L1 counts it. */
double texture_energy_of_look_up(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize tags = size_tags(unit, &figures->machine);
    return energy_tags(figures, &tags, ways_of(texture_of(unit), &figures->machine));
}

double texture_energy_of_byte(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize data = size_data(unit, &figures->machine);
    return energy_array(figures, &data, 8);
}

/* Into the miss request FIFO and out of it. */
double texture_energy_of_request(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize fifo = size_misses(unit, &figures->machine);
    return 2 * energy_array(figures, &fifo, (double)fifo.bits);
}

/* Into the reorder buffer and out of it. */
double texture_energy_of_reply_byte(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize reorder = size_reorder(unit, &figures->machine);
    return 2 * energy_array(figures, &reorder, 8);
}

/* Of a byte between the array and the lanes, as far as from L1's. */
double texture_energy_of_way(const Unit *unit, const EnergyFigures *figures)
{
    (void)unit;
    return energy_wire(figures, 8, figures->l1_mm);
}

double texture_energy_of_return(const Unit *unit, const EnergyFigures *figures)
{
    return (double)texture_of(unit)->return_bytes * texture_energy_of_way(unit, figures);
}

/* Weighed and summed in four colours. */
double texture_energy_of_texel(const Unit *unit, const EnergyFigures *figures)
{
    (void)unit;
    return energy_logic(figures, 4 * figures->fp32);
}

/* Two coordinates and a level of detail a lane. */
static StorageSize size_samples(const Unit *unit, const StorageMachine *machine)
{
    (void)unit;
    return (StorageSize){.entries = 1, .bits = STORAGE_INSTRUCTION + machine->lanes * (1 + 3 * 32)};
}

static StorageSize size_access(const Unit *unit, const StorageMachine *machine)
{
    (void)unit;
    return (StorageSize){.entries = 1, .bits = storage_access_bits(machine)};
}

const StorageRow texture_storage[] = {
    STORAGE("data_bits", size_data, "texture cache's data, where it has an array of its own"),
    STORAGE("tag_bits", size_tags, "texture cache's tags"),
    STORAGE("replacement_bits", size_replacement,
            "what tells which line of a set of the texture cache goes next"),
    STORAGE("fragment_fifo_bits", size_fragments,
            "fragment FIFO: where the texels lie, and weights", .places = "fragment_room"),
    STORAGE("miss_fifo_bits", size_misses, "miss request FIFO", .places = "miss_room"),
    STORAGE("reorder_bits", size_reorder, "reorder buffer, with its lines",
            .places = "reorder_room"),
    STORAGE("sample_input_bits", size_samples, "texture instructions, with their coordinates",
            .input = "from_sm"),
    STORAGE("input_bits", size_access, "memory instructions, with their addresses",
            .input = "from_load_store"),
    STORAGE_END};
