/* The ports by which values are written to a register file, and the cycles that are booked: a
 * value's cycle is known, and booked, when what brings it is accepted, and cancelled if it brings
 * nothing. Cycles are the owner's numbers. */
#pragma once

#include <stdint.h>

typedef struct {
    uint64_t cycle;
    uint32_t booked; /* of the ports, in that cycle */
} WriteSlot;

typedef struct {
    WriteSlot *slot; /* of a cycle: the cycle modulo their number */
    uint64_t slots;
    uint32_t ports;
} WritePort;

void write_port_init(WritePort *port, uint32_t ports);
void write_port_finish(WritePort *port);

/* The first cycle from `cycle` on in which a port is free. */
uint64_t write_port_next(const WritePort *port, uint64_t cycle);

/* In a cycle with a free port; what was booked before `now` is over. */
void write_port_book(WritePort *port, uint64_t cycle, uint64_t now);
void write_port_cancel(WritePort *port, uint64_t cycle);
