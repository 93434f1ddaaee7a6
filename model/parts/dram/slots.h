/* The cycles in which a channel's next command of each kind may go: what the commands of all its
 * banks share, that is the gaps between activates, the gaps between columns, and the command buses.
 *
 * HBM has two command buses, one for activates and precharges, one for columns. GDDR5, GDDR5X and
 * GDDR6 have one: a cycle of it holds an activate, a precharge or a column. */
#pragma once

#include "parts/dram/slot_ring.h"
#include "parts/dram/timing.h"

/* Maps of the ring: columns that read, by group, that write, activates, precharges. */
static inline uint32_t dram_slots_column(const DramTiming *timing, bool write, uint64_t group)
{
    return write * timing->group_maps + (uint32_t)group;
}

static inline uint32_t dram_slots_activate(const DramTiming *timing, uint64_t group)
{
    return 2 * timing->group_maps + (uint32_t)group;
}

static inline uint32_t dram_slots_precharge(const DramTiming *timing)
{
    return 3 * timing->group_maps;
}

void dram_slots_init(SlotRing *slots, const DramTiming *timing, uint64_t cycles);

/* Where an activate or a precharge would go. As time passes and more is booked, `free` never
 * becomes earlier; `at` may, where the command before it has been forgotten. */
typedef struct {
    uint64_t free; /* the first cycle that is */
    uint64_t at;   /* the first one for it */
} DramRowSlot;

/* For an activate or a precharge (`map`), not before `from`. */
DramRowSlot dram_slots_find_row(const SlotRing *slots, const DramTiming *timing, uint32_t map,
                                uint64_t from);

/* Of a column, what it needs of a command bus that rows have too; of a row command, the gaps as
 * well. */
void dram_slots_book_precharge(SlotRing *slots, const DramTiming *timing, uint64_t cycle);
void dram_slots_book_activate(SlotRing *slots, const DramTiming *timing, uint64_t group,
                              uint64_t cycle);
void dram_slots_book_column(SlotRing *slots, const DramTiming *timing, uint64_t cycle);

/* No command of this map may start less than `before` cycles ahead of `at`, or less than `after`
 * behind it. */
static inline void dram_slots_keep_clear(SlotRing *slots, uint32_t map, uint64_t at,
                                         uint64_t before, uint64_t after)
{
    slot_ring_take(slots, map, at - MIN(at, before - 1), at + after);
}

/* Of these maps, which are whole blocks. */
static inline void dram_slots_keep_all_clear(SlotRing *slots, uint32_t map, uint32_t maps,
                                             uint64_t at, uint64_t before, uint64_t after)
{
    slot_ring_take_all(slots, map, maps, at - MIN(at, before - 1), at + after);
}
