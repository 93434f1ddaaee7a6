#include "parts/dram/map.h"

#include "parts/bits.h"

void dram_map_setup(DramMap *map, const DramTiming *timing)
{
    *map = (DramMap){.burst_shift = bits_for(timing->burst_bytes),
                     .piece_shift = bits_for(timing->group_interleave),
                     .low_group_bits = bits_for(timing->interleaved_groups),
                     .high_group_bits = bits_for(timing->bank_groups / timing->interleaved_groups),
                     .bank_bits = bits_for(timing->banks_per_group),
                     .high_column_bits = bits_for(timing->row_bytes / timing->group_interleave),
                     .row_mask = timing->rows - 1,
                     .bank_hash = timing->bank_hash};
    for (uint32_t i = 0; i < DRAM_BURSTS_MAX; i += 1u << (map->piece_shift - map->burst_shift))
        map->first_bursts |= 1u << i;
}

/* Takes the lowest bits off an address. */
static uint32_t take_bits(uint64_t *rest, uint32_t bits)
{
    const uint32_t value = (uint32_t)(*rest & ((UINT64_C(1) << bits) - 1));
    *rest >>= bits;
    return value;
}

/* Rows that are a multiple of the banks apart (several arrays, a column of a matrix) meet in one
 * bank unless the row takes part in the choice. */
static uint32_t hash_bank_set(const DramMap *map, uint32_t bank_set, uint32_t row)
{
    const uint32_t bits = map->high_group_bits + map->bank_bits;
    if (!map->bank_hash || !bits) return bank_set;
    uint32_t folded = 0;
    for (uint32_t rest = row; rest; rest >>= bits) folded ^= rest;
    return (bank_set ^ folded) & ((1u << bits) - 1);
}

static uint8_t bank_of(const DramMap *map, uint32_t bank_set, uint32_t low_group)
{
    const uint32_t high_group = bank_set & ((1u << map->high_group_bits) - 1);
    const uint32_t group = high_group << map->low_group_bits | low_group;
    return (uint8_t)(group << map->bank_bits | bank_set >> map->high_group_bits);
}

typedef struct {
    uint32_t row, bank_set, low_group, column;
} Split;

static Split split(const DramMap *map, uint64_t local)
{
    uint64_t rest = local >> map->burst_shift;
    const uint32_t low_column_bits = map->piece_shift - map->burst_shift;
    const uint32_t low_column = take_bits(&rest, low_column_bits);
    const uint32_t low_group = take_bits(&rest, map->low_group_bits);
    const uint32_t high_column = take_bits(&rest, map->high_column_bits);
    const uint32_t bank_set = take_bits(&rest, map->high_group_bits + map->bank_bits);
    const uint32_t row = (uint32_t)(rest & map->row_mask);
    return (Split){row, hash_bank_set(map, bank_set, row), low_group,
                   high_column << low_column_bits | low_column};
}

DramPlace dram_map_place(const DramMap *map, uint64_t local)
{
    const Split at = split(map, local);
    return (DramPlace){at.row, (uint16_t)at.column, bank_of(map, at.bank_set, at.low_group)};
}

uint64_t dram_map_address(const DramMap *map, DramPlace place)
{
    const uint32_t low_column_bits = map->piece_shift - map->burst_shift;
    const uint32_t group = place.bank >> map->bank_bits;
    const uint32_t low_group = group & ((1u << map->low_group_bits) - 1);
    const uint32_t bank = place.bank & ((1u << map->bank_bits) - 1);
    const uint32_t bank_set = bank << map->high_group_bits | group >> map->low_group_bits;
    uint64_t address = place.row;
    address = address << (map->high_group_bits + map->bank_bits)
              | hash_bank_set(map, bank_set, place.row);
    address = address << map->high_column_bits | place.column >> low_column_bits;
    address = address << map->low_group_bits | low_group;
    address = address << low_column_bits | (place.column & ((1u << low_column_bits) - 1));
    return address << map->burst_shift;
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
    const uint32_t per_piece_bits = map->piece_shift - map->burst_shift;
    const uint32_t in_piece = (1u << per_piece_bits) - 1;
    const uint32_t piece = burst >> per_piece_bits;
    const uint32_t low_group = piece & ((1u << map->low_group_bits) - 1);
    const uint32_t column = piece >> map->low_group_bits << per_piece_bits | (burst & in_piece);
    dram_access_add(&line->access, index_of_bank(&line->access, bank_of(map, 0, low_group)),
                    column - (line->start & in_piece));
}

/* The first bursts of all pieces, then the second ones: neighbours in time lie in different
 * groups. */
static void arrange(const DramMap *map, uint32_t wanted, uint32_t start, DramArrangement *line)
{
    const uint32_t per_piece_bits = map->piece_shift - map->burst_shift;
    *line = (DramArrangement){.wanted = wanted, .start = start, .access.in_turn = true};
    for (uint32_t first = 0; first < 1u << per_piece_bits; first++)
        for (uint32_t rest = wanted & map->first_bursts << first; rest; rest &= rest - 1)
            add_burst(map, line, start + (uint32_t)__builtin_ctz(rest));
}

void dram_map_access(DramMap *map, uint64_t local, uint32_t wanted, DramAccess *access)
{
    const uint32_t per_piece_bits = map->piece_shift - map->burst_shift;
    const Split at = split(map, local);
    const uint32_t in_piece = at.column & ((1u << per_piece_bits) - 1);
    const uint32_t start = at.low_group << per_piece_bits | in_piece;
    DramArrangement *line = &map->arranged[wanted % DRAM_ARRANGEMENTS];
    if (line->wanted != wanted || line->start != start) arrange(map, wanted, start, line);
    const bool write = access->write;
    *access = line->access;
    access->write = write;
    access->row = at.row;
    access->bank_set = (uint8_t)at.bank_set;
    const uint8_t bank = bank_of(map, at.bank_set, 0);
    for (uint32_t i = 0; i < DRAM_SPAN_MAX; i++) access->bank[i] = line->access.bank[i] | bank;
    access->column = (uint16_t)at.column;
}
