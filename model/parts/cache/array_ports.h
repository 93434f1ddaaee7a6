/* The ports of a cache's data array, and until when each is occupied.
 *
 *   1RW   one port, which reads and writes share
 *   1R1W  a port to read and one to write: a fill and a read go on side by side
 *   2R1W  two ports to read and one to write
 *
 * Times are the owner's, in any unit. */
#pragma once

#include <stdint.h>

typedef enum { ARRAY_PORTS_1RW, ARRAY_PORTS_1R1W, ARRAY_PORTS_2R1W } ArrayPortCount;

/* By ArrayPortCount, as scenarios write them; NULL at the end. */
extern const char *const array_port_names[];

typedef struct {
    ArrayPortCount count;
    uint64_t read_free[2], write_free; /* with 1RW, read_free[0] is all there is */
} ArrayPorts;

/* Occupies the port that is free first, at `ready` at the earliest, for `duration`; returns from
 * when on. */
uint64_t array_ports_read(ArrayPorts *ports, uint64_t ready, uint64_t duration);
uint64_t array_ports_write(ArrayPorts *ports, uint64_t ready, uint64_t duration);

/* When a write could begin at the earliest. */
uint64_t array_ports_write_free(const ArrayPorts *ports);
