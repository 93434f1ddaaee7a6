#include "parts/cache/array_ports.h"

#include <stdbool.h>
#include <stddef.h>

const char *const array_port_names[] = {"1RW", "1R1W", "2R1W", NULL};

static uint64_t occupy(uint64_t *free_at, uint64_t ready, uint64_t duration)
{
    const uint64_t start = *free_at > ready ? *free_at : ready;
    *free_at = start + duration;
    return start;
}

uint64_t array_ports_read(ArrayPorts *ports, uint64_t ready, uint64_t duration)
{
    const int port =
        ports->count == ARRAY_PORTS_2R1W && ports->read_free[1] < ports->read_free[0] ? 1 : 0;
    return occupy(&ports->read_free[port], ready, duration);
}

uint64_t array_ports_write(ArrayPorts *ports, uint64_t ready, uint64_t duration)
{
    const bool shared = ports->count == ARRAY_PORTS_1RW;
    return occupy(shared ? &ports->read_free[0] : &ports->write_free, ready, duration);
}

uint64_t array_ports_write_free(const ArrayPorts *ports)
{
    return ports->count == ARRAY_PORTS_1RW ? ports->read_free[0] : ports->write_free;
}
