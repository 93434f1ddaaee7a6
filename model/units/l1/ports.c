#include "units/l1/ports.h"

/* Of several in a cycle: what is left of turns from before, which nobody took, is no turn now. */
static void begin_anew(L1 *self)
{
    if (self->lookup_interval < self->lookups_per_interval) self->turn_rest[false] = 0;
    self->turn_rest[true] = 0;
}

/* On average interval / at_once cycles. */
G_GNUC_NO_INLINE TagTurn l1_turn_of_several(L1 *self, bool shared, Time now)
{
    const uint64_t interval = shared ? 1 : self->lookup_interval,
                   at_once = shared ? self->data_ports : self->lookups_per_interval;
    if (self->tag_free < now) begin_anew(self);
    const uint64_t sum = self->turn_rest[shared] + interval;
    self->rest_before = self->turn_rest[shared];
    self->turn_rest[shared] = sum % at_once;
    return (TagTurn){clock_cycles(self->unit.clock, sum / at_once),
                     clock_cycles(self->unit.clock, interval) / at_once};
}

/* In a cycle as many accesses begin as it has ports, whose time is one account. */
G_GNUC_NO_INLINE Time l1_book_side_by_side(L1 *self, uint32_t passes, Time now)
{
    const Time start = l1_array_begins(self, now), cycle = self->unit.clock->period,
               length = passes * cycle;
    const Time share = (length + self->data_ports - 1) / self->data_ports;
    self->data_passes += passes;
    server_book_known(&self->data_array, now, share * self->data_ports, share);
    return passes ? start + length - cycle : start;
}

Time l1_book_write_port(L1 *self, uint32_t passes, Time now)
{
    const Time cycle = self->unit.clock->period, start = MAX(now, self->array_write.until);
    switch ((ArrayPortsOfL1)self->array_ports) {
    case ARRAY_UNBOUNDED: return now;
    case ARRAY_1RW: return l1_book_data(self, passes, now) + cycle;
    case ARRAY_1R1W: break;
    }
    self->write_passes += passes;
    server_book(&self->array_write, now, passes * cycle);
    return start + passes * cycle;
}

bool l1_write_port_is_free(const L1 *self, Time now)
{
    switch ((ArrayPortsOfL1)self->array_ports) {
    case ARRAY_UNBOUNDED: return true;
    case ARRAY_1RW: return !l1_array_lags(self, now);
    case ARRAY_1R1W: return self->array_write.until <= now;
    }
    g_assert_not_reached();
}
