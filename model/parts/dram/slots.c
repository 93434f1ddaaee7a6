#include "parts/dram/slots.h"

void dram_slots_init(SlotRing *slots, const DramTiming *timing, uint64_t cycles)
{
    slot_ring_init(slots, cycles, dram_slots_precharge(timing) + 1);
}

/* A channel's share of a row bus makes every command `row_bus_sharers` times as long. Where that
 * bus is what limits activates, a gap that is no multiple of it, behind a command that is close,
 * would be lost to all later ones. */
DramRowSlot dram_slots_find_row(const SlotRing *slots, const DramTiming *timing, uint32_t map,
                                uint64_t from)
{
    const uint64_t free = slot_ring_first_free(slots, map, from);
    uint64_t at = free;
    while (timing->row_bus_tight) {
        const uint64_t gap = slot_ring_free_before(slots, dram_slots_precharge(timing), at);
        const uint64_t rest = gap & (timing->row_bus_sharers - 1);
        if (!rest || gap >= timing->activate_slots + timing->precharge_slots) break;
        at = slot_ring_first_free(slots, map, at + timing->row_bus_sharers - rest);
    }
    return (DramRowSlot){free, at};
}

/* No columns while a row command takes the only bus. */
static void keep_columns_clear(SlotRing *slots, const DramTiming *timing, uint64_t cycle,
                               uint64_t length)
{
    if (timing->command_buses == 1)
        dram_slots_keep_all_clear(slots, dram_slots_column(timing, false, 0),
                                  2 * timing->group_maps, cycle, 1, length);
}

/* No row command that would not have ended by `cycle` or starts before `cycle` + length. */
static void keep_rows_clear(SlotRing *slots, const DramTiming *timing, uint64_t cycle,
                            uint64_t length)
{
    dram_slots_keep_all_clear(slots, dram_slots_activate(timing, 0), timing->group_maps, cycle,
                              timing->activate_slots, length);
    dram_slots_keep_clear(slots, dram_slots_precharge(timing), cycle, timing->precharge_slots,
                          length);
}

void dram_slots_book_precharge(SlotRing *slots, const DramTiming *timing, uint64_t cycle)
{
    keep_rows_clear(slots, timing, cycle, timing->precharge_slots);
    keep_columns_clear(slots, timing, cycle, timing->precharge_slots);
}

/* One that is long, or near the past. */
static void book_long_activate(SlotRing *slots, const DramTiming *timing, uint64_t group,
                               uint64_t cycle)
{
    const uint64_t other = timing->activate_gap[0], own = timing->activate_gap[1];
    dram_slots_keep_all_clear(slots, dram_slots_activate(timing, 0), timing->group_maps, cycle,
                              other, other);
    dram_slots_keep_clear(slots, dram_slots_activate(timing, group), cycle, own, own);
    dram_slots_keep_clear(slots, dram_slots_precharge(timing), cycle, timing->precharge_slots,
                          timing->activate_slots);
}

void dram_slots_book_activate(SlotRing *slots, const DramTiming *timing, uint64_t group,
                              uint64_t cycle)
{
    const DramActivatePattern *pattern = &timing->activate_pattern;
    keep_columns_clear(slots, timing, cycle, timing->activate_slots);
    if (!pattern->fits || cycle < slot_ring_begin(slots) + pattern->ahead) {
        book_long_activate(slots, timing, group, cycle);
        return;
    }
    const uint32_t map = dram_slots_activate(timing, 0);
    const SlotView view = slot_ring_view(slots, map, cycle - pattern->ahead);
    slot_view_take_all(&view, timing->group_maps, pattern->kept_of_others);
    slot_view_take(&view, (uint32_t)group, pattern->kept);
    slot_view_take(&view, dram_slots_precharge(timing) - map, pattern->kept_of_precharges);
}

void dram_slots_book_column(SlotRing *slots, const DramTiming *timing, uint64_t cycle)
{
    keep_rows_clear(slots, timing, cycle, 1);
}
