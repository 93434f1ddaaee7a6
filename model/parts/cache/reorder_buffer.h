/* Lets what is done in any order leave in the order in which it came: a ring of bounded size. A
 * slot's number is how its owner finds it again. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    void *item; /* the owner's */
    uint64_t came, ready;
    bool done;
} ReorderSlot;

typedef struct {
    ReorderSlot *slots;
    uint32_t capacity, first, used;
} ReorderBuffer;

void reorder_buffer_init(ReorderBuffer *buffer, uint32_t capacity);

/* Also of one that was never initialised (zeroed). */
void reorder_buffer_finish(ReorderBuffer *buffer);

static inline bool reorder_buffer_is_full(const ReorderBuffer *buffer)
{
    return buffer->used == buffer->capacity;
}

/* Takes a slot behind all others; there is one. */
uint32_t reorder_buffer_add(ReorderBuffer *buffer, void *item, uint64_t came);

/* Gives the slot that was added last back. */
void reorder_buffer_retract(ReorderBuffer *buffer);

/* The slot's item may leave from `ready` on, when it is its turn. */
void reorder_buffer_complete(ReorderBuffer *buffer, uint32_t slot, uint64_t ready);

/* Whose turn it is, NULL when it is not done or nobody is there; and its leaving. */
const ReorderSlot *reorder_buffer_head(const ReorderBuffer *buffer);
void reorder_buffer_pop(ReorderBuffer *buffer);
