/* The registers' side of L1: values come by its ports, each in the cycle that was booked when what
 * brings it was accepted. */
#include "units/l1/private.h"

static uint64_t cycle_of(const L1 *self, const Values *values)
{
    return clock_ceil(self->unit.clock, values->ready + values->channel->delay)
           / self->unit.clock->period;
}

/* The bus is busy when it is booked, a cycle for each pass. */
static void book(L1 *self, uint64_t cycle, Time now)
{
    const Time period = self->unit.clock->period;
    write_port_book(&self->write_port, cycle, now / period);
    server_book_share(&self->result_bus, now, period, self->register_ports);
    self->register_writes++;
}

/* In the step in which it was booked. */
static void cancel(L1 *self, uint64_t cycle)
{
    const Time period = self->unit.clock->period;
    write_port_cancel(&self->write_port, cycle);
    self->result_bus.busy -= period;
    self->result_bus.until -= period / self->register_ports;
    self->register_writes--;
    self->cancelled_writes++;
}

/* Comes when they do, or as soon as the port may be free. */
static void try_later(L1 *self, WarpAccess *access, Time at, Time now)
{
    AccessState *state = state_of(access);
    Transaction *back = state->first_back;
    self->refused_registers++;
    if (state->refused_at == TIME_NEVER) state->refused_at = now;
    if (back)
        back->entered = at;
    else
        state->replay_at = at;
}

bool l1_book_registers(L1 *self, WarpAccess *access, const Values *values, Time now)
{
    if (!self->register_ports) return true;
    const uint64_t first = cycle_of(self, values);
    for (uint32_t i = 0; i < values->passes; i++) {
        const uint64_t next = write_port_next(&self->write_port, first + i);
        if (next == first + i) continue;
        try_later(self, access, now + (next - first - i) * self->unit.clock->period, now);
        return false;
    }
    for (uint32_t i = 0; i < values->passes; i++) book(self, first + i, now);
    return true;
}

void l1_cancel_registers(L1 *self, const Values *values, uint32_t passes)
{
    if (!self->register_ports) return;
    const uint64_t first = cycle_of(self, values);
    for (uint32_t i = passes; i < values->passes; i++) cancel(self, first + i);
}

Time l1_find_registers(L1 *self, const Values *values, uint32_t booked, Time now)
{
    const Time period = self->unit.clock->period;
    if (!self->register_ports) return values->ready + (MAX(values->passes, 1) - 1) * period;
    const uint64_t first = cycle_of(self, values);
    uint64_t last = first + MAX(booked, 1) - 1;
    for (uint32_t i = booked; i < values->passes; i++) {
        last = write_port_next(&self->write_port, MAX(first + i, last + (i > 0)));
        book(self, last, now);
    }
    return values->ready + (last - first) * period;
}

void l1_count_lanes(L1 *self, const Instruction *instruction)
{
    const uint32_t registers = MAX(instruction->width / 4u, 1u);
    self->register_lanes += (uint64_t)registers * count_lanes(instruction->mask);
}
