#include "parts/dram/map.h"

#include "parts/bits.h"

static uint32_t mask_of(uint32_t bits)
{
    return (1u << bits) - 1;
}

/* Rows that are a multiple of the banks apart (several arrays, a column of a matrix) meet in one
 * bank unless the row takes part in the choice. */
static uint32_t hash_bank_set(const DramMap *map, uint32_t bank_set, uint32_t row)
{
    if (!map->bank_hash) return bank_set;
    uint32_t folded = 0;
    for (uint32_t rest = row; rest; rest >>= map->set_bits) folded ^= rest;
    return (bank_set ^ folded) & map->set_mask;
}

static uint8_t bank_of(const DramMap *map, uint32_t bank_set, uint32_t low_group)
{
    return (uint8_t)(map->first_bank[bank_set] | low_group << map->bank_bits);
}

static uint8_t first_bank(const DramMap *map, uint32_t bank_set)
{
    const uint32_t high_group = bank_set & mask_of(map->high_group_bits);
    return (uint8_t)(high_group << map->low_group_bits << map->bank_bits
                     | bank_set >> map->high_group_bits);
}

void dram_map_setup(DramMap *map, const DramTiming *timing)
{
    const uint32_t burst_shift = bits_for(timing->burst_bytes);
    *map = (DramMap){.burst_shift = burst_shift,
                     .piece_bits = bits_for(timing->group_interleave) - burst_shift,
                     .low_group_bits = bits_for(timing->interleaved_groups),
                     .high_group_bits = bits_for(timing->bank_groups / timing->interleaved_groups),
                     .bank_bits = bits_for(timing->banks_per_group),
                     .row_mask = (uint32_t)timing->rows - 1};
    const uint32_t high_column_bits = bits_for(timing->row_bytes / timing->group_interleave);
    map->high_column_mask = mask_of(high_column_bits);
    map->stretch_bits = map->piece_bits + map->low_group_bits;
    map->stretch_mask = mask_of(map->stretch_bits);
    map->set_bits = map->high_group_bits + map->bank_bits;
    map->set_mask = mask_of(map->set_bits);
    map->bank_hash = timing->bank_hash && map->set_bits;
    map->set_shift = map->stretch_bits + high_column_bits;
    map->row_shift = map->set_shift + map->set_bits;
    for (uint32_t i = 0; i <= map->set_mask; i++) map->first_bank[i] = first_bank(map, i);
    for (uint32_t i = 0; i < DRAM_BURSTS_MAX; i += 1u << map->piece_bits)
        map->first_bursts |= 1u << i;
}

typedef struct {
    uint32_t row, bank_set, column;
    uint32_t start; /* its burst in the stretch of all groups */
} Split;

static Split split(const DramMap *map, uint64_t local)
{
    const uint64_t burst = local >> map->burst_shift;
    const uint32_t start = (uint32_t)burst & map->stretch_mask;
    const uint32_t high_column = (uint32_t)(burst >> map->stretch_bits) & map->high_column_mask;
    const uint32_t bank_set = (uint32_t)(burst >> map->set_shift) & map->set_mask;
    const uint32_t row = (uint32_t)(burst >> map->row_shift) & map->row_mask;
    return (Split){row, hash_bank_set(map, bank_set, row),
                   high_column << map->piece_bits | (start & mask_of(map->piece_bits)), start};
}

uint64_t dram_map_address(const DramMap *map, DramPlace place)
{
    const uint32_t group = place.bank >> map->bank_bits;
    const uint32_t bank = place.bank & mask_of(map->bank_bits);
    const uint32_t bank_set = bank << map->high_group_bits | group >> map->low_group_bits;
    const uint64_t low_group = group & mask_of(map->low_group_bits);
    const uint64_t high_column = place.column >> map->piece_bits;
    return ((uint64_t)place.row << map->row_shift
            | (uint64_t)hash_bank_set(map, bank_set, place.row) << map->set_shift
            | high_column << map->stretch_bits | low_group << map->piece_bits
            | (place.column & mask_of(map->piece_bits)))
           << map->burst_shift;
}

uint8_t dram_map_bank(const DramMap *map, uint32_t bank_set, uint32_t group)
{
    return bank_of(map, bank_set, group);
}

static uint8_t index_of_bank(DramAccess *access, uint8_t bank)
{
    for (uint8_t i = 0; i < access->banks; i++)
        if (access->bank[i] == bank) return i;
    access->bank[access->banks] = bank;
    return access->banks;
}

/* `burst` of the row's columns: within the piece, then group, then further columns. */
static void add_burst(const DramMap *map, DramArrangement *line, uint32_t burst)
{
    const uint32_t in_piece = mask_of(map->piece_bits);
    const uint32_t piece = burst >> map->piece_bits;
    const uint32_t low_group = piece & mask_of(map->low_group_bits);
    const uint32_t column = piece >> map->low_group_bits << map->piece_bits | (burst & in_piece);
    dram_access_add(&line->access, index_of_bank(&line->access, bank_of(map, 0, low_group)),
                    column - (line->start & in_piece));
}

/* The first bursts of all pieces, then the second ones: neighbours in time lie in different
 * groups. */
G_GNUC_NO_INLINE static void arrange(const DramMap *map, uint32_t wanted, uint32_t start,
                                     DramArrangement *line)
{
    *line = (DramArrangement){.wanted = wanted, .start = start, .access.in_turn = true};
    for (uint32_t first = 0; first < 1u << map->piece_bits; first++)
        for (uint32_t rest = wanted & map->first_bursts << first; rest; rest &= rest - 1)
            add_burst(map, line, start + (uint32_t)__builtin_ctz(rest));
}

void dram_map_access(DramMap *map, uint64_t local, uint32_t wanted, DramAccess *access)
{
    const Split at = split(map, local);
    DramArrangement *line = &map->arranged[wanted % DRAM_ARRANGEMENTS];
    if (line->wanted != wanted || line->start != at.start) arrange(map, wanted, at.start, line);
    const bool write = access->write;
    *access = line->access;
    access->write = write;
    access->row = at.row;
    access->bank_set = (uint8_t)at.bank_set;
    const uint8_t bank = map->first_bank[at.bank_set];
    for (uint32_t i = 0; i < DRAM_SPAN_MAX; i++) access->bank[i] = line->access.bank[i] | bank;
    access->column = (uint16_t)at.column;
}
