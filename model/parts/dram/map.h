/* Where a channel's local address lies: bank, row, column. From low to high address bits:
 *
 *     byte | burst of piece | interleaved groups | burst of row | other groups, banks | row
 *
 * Neighbouring pieces alternate between bank groups, so that a line's bursts need not wait for
 * tCCD_L. Beyond the capacity the rows begin anew. */
#pragma once

#include "parts/dram/timing.h"

typedef struct {
    uint32_t row;
    uint16_t column; /* burst of the row */
    uint8_t bank;    /* group x banks_per_group + bank in the group */
} DramPlace;

/* The bursts of one line, in the order of service: all in one row of the banks of one bank set. It
 * waits in stores: it is kept small. */
typedef struct {
    uint32_t row;
    bool write : 1;
    bool in_turn : 1; /* burst i is in bank i modulo `banks`, each in a group of its own */
    bool apart : 1;   /* the last burst is none of the line's */
    uint8_t bank_set; /* banks that differ in the interleaved groups only */
    uint8_t banks, bursts;
    uint8_t bank[DRAM_SPAN_MAX];
    uint16_t column;       /* of the line's first burst, wanted or not */
    uint16_t column_apart; /* of the last burst, if it is apart */
    uint32_t which;        /* of each burst two bits: index into `bank` */
    uint32_t behind[2];    /* ... four bits: its column, less `column` */
} DramAccess;

static inline uint8_t dram_access_which(const DramAccess *access, uint32_t burst)
{
    return access->which >> 2 * burst & (DRAM_SPAN_MAX - 1);
}

static inline uint16_t dram_access_column(const DramAccess *access, uint32_t burst)
{
    if (access->apart && burst + 1 == access->bursts) return access->column_apart;
    return (uint16_t)(access->column + (access->behind[burst / 8] >> 4 * (burst % 8) & 15));
}

/* Adds a burst in one of the access's banks, or (`which` = banks) in another one, so many columns
 * behind the line's first one. Of an access without bursts, `in_turn` says whether it is to be
 * known. */
static inline void dram_access_add(DramAccess *access, uint8_t which, uint32_t behind)
{
    const bool another = which == access->banks;
    const uint32_t burst = access->bursts++;
    const uint32_t turn = another ? burst : burst % access->banks;
    access->banks += another;
    access->in_turn = access->in_turn && which == turn;
    access->which |= (uint32_t)which << 2 * burst;
    access->behind[burst / 8] |= behind << 4 * (burst % 8);
}

/* Adds a last burst, in any column of the row. */
static inline void dram_access_add_apart(DramAccess *access, uint8_t which, uint16_t column)
{
    dram_access_add(access, which, 0);
    access->apart = true;
    access->column_apart = column;
}

/* Which bursts of a line are wanted tells how they lie, but for the row and where in it. */
typedef struct {
    uint32_t wanted, start; /* the line's first burst, in the stretch of all groups */
    DramAccess access;      /* of a line that begins with the row, in bank set 0 */
} DramArrangement;

enum { DRAM_ARRANGEMENTS = 8 };

typedef struct {
    /* of an address, from the lowest bit on; a stretch is a piece of each of the groups */
    uint32_t burst_shift, piece_bits, low_group_bits, high_group_bits, bank_bits;
    uint32_t stretch_bits, set_bits, set_shift, row_shift; /* shifts of a burst's number */
    uint32_t stretch_mask, high_column_mask, set_mask, row_mask;
    uint32_t first_bursts; /* of a line's bursts, the first one of each piece */
    bool bank_hash;
    uint8_t first_bank[DRAM_BANKS_MAX];          /* of each bank set, that in the first group */
    DramArrangement arranged[DRAM_ARRANGEMENTS]; /* by the lower bits of `wanted` */
} DramMap;

void dram_map_setup(DramMap *map, const DramTiming *timing);

/* The address of a burst's first byte. */
uint64_t dram_map_address(const DramMap *map, DramPlace place);

/* The bank of a bank set in one of the interleaved groups. */
uint8_t dram_map_bank(const DramMap *map, uint32_t bank_set, uint32_t group);

/* Makes the access for the bursts of a line whose bits are set in `wanted` (bit 0: the one at
 * `local`); `write` stays what it is. The line is aligned to its size, which is at most interleaved
 * groups x row. */
void dram_map_access(DramMap *map, uint64_t local, uint32_t wanted, DramAccess *access);
