#include "parts/dram/slot_ring.h"

void slot_ring_take_long(SlotRing *ring, uint32_t map, uint32_t maps, uint64_t from, uint64_t to)
{
    for (; from < to; from += 64)
        for (uint32_t i = map; i < map + maps; i++)
            slot_ring_take(ring, i, from, MIN(from + 64, to));
}
