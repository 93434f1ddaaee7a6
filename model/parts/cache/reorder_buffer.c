#include "parts/cache/reorder_buffer.h"
#include "parts/sparse.h"

#include <string.h>

void reorder_buffer_init(ReorderBuffer *buffer, uint32_t capacity)
{
    *buffer = (ReorderBuffer){.slots = SPARSE_ARRAY(ReorderSlot, capacity), .capacity = capacity};
}

void reorder_buffer_finish(ReorderBuffer *buffer)
{
    sparse_free(buffer->slots);
    memset(buffer, 0, sizeof *buffer);
}

uint32_t reorder_buffer_add(ReorderBuffer *buffer, void *item, uint64_t came)
{
    const uint32_t slot = (buffer->first + buffer->used++) % buffer->capacity;
    buffer->slots[slot] = (ReorderSlot){.item = item, .came = came};
    return slot;
}

void reorder_buffer_retract(ReorderBuffer *buffer)
{
    buffer->used--;
}

void reorder_buffer_complete(ReorderBuffer *buffer, uint32_t slot, uint64_t ready)
{
    buffer->slots[slot].ready = ready;
    buffer->slots[slot].done = true;
}

const ReorderSlot *reorder_buffer_head(const ReorderBuffer *buffer)
{
    if (!buffer->used || !buffer->slots[buffer->first].done) return NULL;
    return &buffer->slots[buffer->first];
}

void reorder_buffer_pop(ReorderBuffer *buffer)
{
    buffer->first = (buffer->first + 1) % buffer->capacity;
    buffer->used--;
}
