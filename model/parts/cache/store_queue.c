#include "parts/cache/store_queue.h"

#include <string.h>

void store_queue_init(StoreQueue *queue, uint32_t capacity)
{
    *queue = (StoreQueue){.entries = g_new0(StoreEntry, capacity),
                          .capacity = capacity,
                          .oldest = STORE_QUEUE_NONE,
                          .youngest = STORE_QUEUE_NONE,
                          .free = capacity ? 0 : STORE_QUEUE_NONE};
    for (uint32_t i = 0; i < capacity; i++)
        queue->entries[i].next = i + 1 < capacity ? i + 1 : STORE_QUEUE_NONE;
}

void store_queue_finish(StoreQueue *queue)
{
    g_free(queue->entries);
    memset(queue, 0, sizeof *queue);
}

static StoreEntry *find_waiting(const StoreQueue *queue, uint64_t line)
{
    for (uint32_t i = queue->oldest; i != STORE_QUEUE_NONE; i = queue->entries[i].next)
        if (queue->entries[i].line == line) return &queue->entries[i];
    return NULL;
}

/* What either holds whole is whole. */
static void join(StoreEntry *entry, const StoreEntry *evicted)
{
    const uint16_t whole = (entry->sectors & (uint16_t)~entry->partial)
                           | (evicted->sectors & (uint16_t)~evicted->partial);
    entry->sectors |= evicted->sectors;
    entry->partial = entry->sectors & (uint16_t)~whole;
}

static void append(StoreQueue *queue, uint32_t index)
{
    if (queue->youngest == STORE_QUEUE_NONE)
        queue->oldest = index;
    else
        queue->entries[queue->youngest].next = index;
    queue->youngest = index;
    queue->waiting++;
}

bool store_queue_put(StoreQueue *queue, const StoreEntry *evicted, bool *joined)
{
    StoreEntry *waiting = find_waiting(queue, evicted->line);
    *joined = waiting != NULL;
    if (waiting) {
        join(waiting, evicted);
        return true;
    }
    const uint32_t index = queue->free;
    if (index == STORE_QUEUE_NONE) return false;
    StoreEntry *entry = &queue->entries[index];
    queue->free = entry->next;
    *entry = *evicted;
    entry->next = STORE_QUEUE_NONE;
    entry->used = true;
    entry->sent = false;
    queue->used++;
    append(queue, index);
    return true;
}

uint16_t store_queue_sectors(const StoreQueue *queue, uint64_t line)
{
    uint16_t sectors = 0;
    for (uint32_t i = 0, left = queue->used; left; i++) {
        const StoreEntry *entry = &queue->entries[i];
        if (!entry->used) continue;
        left--;
        if (entry->line == line) sectors |= entry->sectors & (uint16_t)~entry->partial;
    }
    return sectors;
}

uint32_t store_queue_send(StoreQueue *queue)
{
    const uint32_t index = queue->oldest;
    if (index == STORE_QUEUE_NONE) return index;
    StoreEntry *entry = &queue->entries[index];
    queue->oldest = entry->next;
    if (queue->oldest == STORE_QUEUE_NONE) queue->youngest = STORE_QUEUE_NONE;
    entry->sent = true;
    queue->waiting--;
    return index;
}

void store_queue_release(StoreQueue *queue, uint32_t index)
{
    StoreEntry *entry = &queue->entries[index];
    g_assert(entry->used && entry->sent);
    entry->used = false;
    entry->next = queue->free;
    queue->free = index;
    queue->used--;
}
