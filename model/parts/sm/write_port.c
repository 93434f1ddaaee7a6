#include "parts/sm/write_port.h"

#include <glib.h>
#include <stdbool.h>

enum { SLOTS_AT_FIRST = 256 }; /* a power of two */

static WriteSlot *slot_of(const WritePort *port, uint64_t cycle)
{
    return &port->slot[cycle & (port->slots - 1)];
}

void write_port_init(WritePort *port, uint32_t ports)
{
    *port = (WritePort){g_new0(WriteSlot, SLOTS_AT_FIRST), SLOTS_AT_FIRST, ports};
}

void write_port_finish(WritePort *port)
{
    g_clear_pointer(&port->slot, g_free);
}

uint64_t write_port_next(const WritePort *port, uint64_t cycle)
{
    while (slot_of(port, cycle)->cycle == cycle && slot_of(port, cycle)->booked >= port->ports)
        cycle++;
    return cycle;
}

/* Twice as many slots, until the cycle has one of its own. */
static void spread(WritePort *port, uint64_t now)
{
    const WritePort old = *port;
    port->slots *= 2;
    port->slot = g_new0(WriteSlot, port->slots);
    for (uint64_t i = 0; i < old.slots; i++)
        if (old.slot[i].booked && old.slot[i].cycle >= now)
            *slot_of(port, old.slot[i].cycle) = old.slot[i];
    g_free(old.slot);
}

static bool is_of_another(const WriteSlot *slot, uint64_t cycle, uint64_t now)
{
    return slot->booked && slot->cycle != cycle && slot->cycle >= now;
}

void write_port_book(WritePort *port, uint64_t cycle, uint64_t now)
{
    while (is_of_another(slot_of(port, cycle), cycle, now)) spread(port, now);
    WriteSlot *slot = slot_of(port, cycle);
    if (slot->cycle != cycle) *slot = (WriteSlot){.cycle = cycle};
    slot->booked++;
}

void write_port_cancel(WritePort *port, uint64_t cycle)
{
    slot_of(port, cycle)->booked--;
}
