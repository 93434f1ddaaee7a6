#include "parts/texture/timed_fifo.h"

#include <string.h>

#include "parts/sparse.h"

static inline TimedEntry *entry_of(const TimedFifo *fifo, uint64_t number)
{
    return &fifo->entry[number & (fifo->size - 1)];
}

void timed_fifo_init(TimedFifo *fifo, uint64_t capacity)
{
    *fifo = (TimedFifo){.size = 2, .capacity = capacity};
    while (fifo->size < 2 * capacity) fifo->size *= 2;
    fifo->entry = SPARSE_ARRAY(TimedEntry, fifo->size);
}

void timed_fifo_finish(TimedFifo *fifo)
{
    sparse_free(fifo->entry);
    memset(fifo, 0, sizeof *fifo);
}

static void grow(TimedFifo *fifo)
{
    const TimedFifo old = *fifo;
    fifo->size *= 2;
    fifo->entry = SPARSE_ARRAY(TimedEntry, fifo->size);
    for (uint64_t i = old.in - old.size; i != old.in; i++) *entry_of(fifo, i) = *entry_of(&old, i);
    sparse_free(old.entry);
}

uint64_t timed_fifo_free_at(const TimedFifo *fifo)
{
    if (fifo->in < fifo->capacity) return 0;
    const uint64_t before = fifo->in - fifo->capacity;
    return before < fifo->out ? entry_of(fifo, before)->left : TIMED_FIFO_UNKNOWN;
}

void timed_fifo_enter(TimedFifo *fifo, uint64_t at)
{
    const uint64_t oldest = MIN(fifo->read_out, fifo->in - MIN(fifo->in, fifo->capacity));
    if (fifo->in - oldest == fifo->size) grow(fifo);
    *entry_of(fifo, fifo->in++) = (TimedEntry){at, TIMED_FIFO_UNKNOWN};
}

void timed_fifo_leave(TimedFifo *fifo, uint64_t at)
{
    entry_of(fifo, fifo->out++)->left = at;
}

uint64_t timed_fifo_last_left(const TimedFifo *fifo)
{
    return fifo->out ? entry_of(fifo, fifo->out - 1)->left : 0;
}

bool timed_fifo_read(TimedFifo *fifo, uint64_t until, TimedChange *change)
{
    const bool comes = fifo->read_in < fifo->in, leaves = fifo->read_out < fifo->out;
    if (!comes && !leaves) return false;
    const uint64_t coming = comes ? entry_of(fifo, fifo->read_in)->came : TIMED_FIFO_UNKNOWN;
    const TimedEntry *first = entry_of(fifo, fifo->read_out);
    const bool goes = leaves && fifo->read_out < fifo->read_in && first->left <= coming;
    if (goes ? first->left > until : !comes || coming > until) return false;
    *change =
        goes ? (TimedChange){first->left, first->came, true} : (TimedChange){coming, coming, false};
    *(goes ? &fifo->read_out : &fifo->read_in) += 1;
    return true;
}
