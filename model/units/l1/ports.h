/* Turns at L1's tags, and ports of its array: one of each a cycle, or several. */
#pragma once

#include "units/l1/private.h"

/* --- turns --- */

/* Until the tags take the next, and how long they are at work for this one. */
typedef struct {
    Time next, work;
} TagTurn;

TagTurn l1_turn_of_several(L1 *self, bool shared, Time now);

/* By a pass of shared memory, or a look-up. */
static inline TagTurn l1_turn(L1 *self, bool shared, Time now)
{
    if (self->several) return l1_turn_of_several(self, shared, now);
    const Time turn =
        shared ? self->unit.clock->period : clock_cycles(self->unit.clock, self->lookup_interval);
    return (TagTurn){turn, turn};
}

/* --- the way out: of several in an interval each has its share of it --- */

static inline Time l1_miss_share(const L1 *self)
{
    return time_share(clock_cycles(self->unit.clock, self->miss_interval),
                      self->misses_per_interval);
}

static inline uint64_t l1_miss_cycles(const L1 *self, uint32_t misses)
{
    const uint64_t at_once = self->misses_per_interval;
    return (misses * self->miss_interval + at_once - 1) / at_once;
}

/* The cycle of what may leave from then on. */
static inline Time l1_miss_turn(const L1 *self, Time from)
{
    return self->misses_per_interval == 1 ? from : clock_floor(self->unit.clock, from);
}

static inline void l1_book_miss(const L1 *self, Server *port, Time now)
{
    const Time share = l1_miss_share(self);
    server_book_known(port, now, share * self->misses_per_interval, share);
}

/* --- the array --- */

/* Lanes that want the same word have it from one read. */
static inline uint64_t l1_wanted_bytes(const L1 *self, const AccessLine *line)
{
    return MIN(line->bytes, sector_bytes_of(self, line->sectors));
}

/* A row has been read for so many bytes that lanes want. */
static inline void l1_count_row(L1 *self, uint64_t bytes)
{
    self->array_reads++;
    self->bytes_array_read += MIN(bytes, self->line->line_bytes);
}

/* It is behind the tags by more than its backlog. */
static inline bool l1_array_lags(const L1 *self, Time now)
{
    return self->data_array.until > now + self->array_backlog;
}

/* When it begins the next passes that are booked. */
static inline Time l1_array_begins(const L1 *self, Time now)
{
    const Time free = self->data_array.until;
    if (free <= now) return now;
    return self->several ? clock_floor(self->unit.clock, free) : free;
}

Time l1_book_side_by_side(L1 *self, uint32_t passes, Time now);

/* Books `passes` from now on, one a cycle; returns when the last one is read. */
static inline Time l1_book_data(L1 *self, uint32_t passes, Time now)
{
    if (self->several) return l1_book_side_by_side(self, passes, now);
    const Time start = MAX(now, self->data_array.until), cycle = self->unit.clock->period;
    self->data_passes += passes;
    server_book(&self->data_array, now, passes * cycle);
    return passes ? start + (passes - 1) * cycle : start;
}

/* The same of data from L2 that is at `place`, or passes L1 by. */
static inline Time l1_book_arrived(L1 *self, uint32_t place, uint32_t passes, Time now)
{
    const bool beside = place == TAG_NONE && self->passing_data == PASSING_BESIDE;
    return beside ? now : l1_book_data(self, passes, now);
}

Time l1_book_write_port(L1 *self, uint32_t passes, Time now);
bool l1_write_port_is_free(const L1 *self, Time now);

/* The same of passes that write; returns when the last one is written. */
static inline Time l1_book_write(L1 *self, uint32_t passes, Time now)
{
    return self->array_ports == ARRAY_UNBOUNDED ? now : l1_book_write_port(self, passes, now);
}

/* May a fill write it now? */
static inline bool l1_may_write(const L1 *self, Time now)
{
    return self->array_ports == ARRAY_UNBOUNDED || l1_write_port_is_free(self, now);
}
