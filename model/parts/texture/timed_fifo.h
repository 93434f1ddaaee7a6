/* A bounded FIFO whose entries come and go at computed times, which may lie in the future: its
 * owner need not act when one leaves.
 *
 * An entry comes in when the place that it takes is free, which is when the entry `capacity` before
 * it has left; nobody knows when that is until it has been told. What happened until some time is
 * read back in order of time, for statistics. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define TIMED_FIFO_UNKNOWN UINT64_MAX

typedef struct {
    uint64_t came, left;
} TimedEntry;

typedef struct {
    TimedEntry *entry; /* ring: `size`, a power of two, grows to what is not yet read back */
    uint64_t size, capacity;
    uint64_t in, out;           /* entries that came; of these, the first `out` have a leaving */
    uint64_t read_in, read_out; /* comings and leavings that were read back */
} TimedFifo;

/* A coming, or the leaving of one that came at `came`. */
typedef struct {
    uint64_t at, came;
    bool leaves;
} TimedChange;

void timed_fifo_init(TimedFifo *fifo, uint64_t capacity);

/* Also of one that was never initialised (zeroed). */
void timed_fifo_finish(TimedFifo *fifo);

/* When the next entry may come: TIMED_FIFO_UNKNOWN until a leaving is told. */
uint64_t timed_fifo_free_at(const TimedFifo *fifo);

/* Never before timed_fifo_free_at, never before the entry ahead came. */
void timed_fifo_enter(TimedFifo *fifo, uint64_t at);

/* The first entry without a leaving leaves at `at`; never before the one ahead of it. */
void timed_fifo_leave(TimedFifo *fifo, uint64_t at);

/* The last leaving that was told, or that of nobody: 0. */
uint64_t timed_fifo_last_left(const TimedFifo *fifo);

/* The first change until `until` that has not been read back; false: none. One that was never
 * initialised (zeroed) has none. */
bool timed_fifo_read(TimedFifo *fifo, uint64_t until, TimedChange *change);
