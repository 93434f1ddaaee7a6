#include "parts/cache/store_queue.h"

#include <string.h>

void store_queue_init(StoreQueue *queue, uint32_t capacity, uint32_t data_capacity)
{
    *queue = (StoreQueue){.entries = g_new0(StoreEntry, capacity),
                          .capacity = capacity,
                          .data_capacity = data_capacity,
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

static bool take_data(StoreQueue *queue, uint16_t sectors)
{
    const uint32_t more = (uint32_t)__builtin_popcount(sectors);
    if (queue->data_used + more > queue->data_capacity) return false;
    queue->data_used += more;
    return true;
}

static void add_entry(StoreQueue *queue, const StoreEntry *evicted)
{
    const uint32_t index = queue->free;
    StoreEntry *entry = &queue->entries[index];
    queue->free = entry->next;
    *entry = *evicted;
    entry->data_came = evicted->came * (uint64_t)__builtin_popcount(evicted->sectors);
    entry->next = STORE_QUEUE_NONE;
    entry->used = true;
    entry->sent = false;
    queue->used++;
    append(queue, index);
}

StoreQueued store_queue_put(StoreQueue *queue, const StoreEntry *evicted)
{
    StoreEntry *waiting = find_waiting(queue, evicted->line);
    const uint16_t more = evicted->sectors & (uint16_t) ~(waiting ? waiting->sectors : 0);
    if (!waiting && queue->free == STORE_QUEUE_NONE) return STORE_LACKS_ENTRY;
    if (!take_data(queue, more)) return STORE_LACKS_DATA;
    if (!waiting) {
        add_entry(queue, evicted);
        return STORE_QUEUED;
    }
    waiting->data_came += evicted->came * (uint64_t)__builtin_popcount(more);
    join(waiting, evicted);
    return STORE_JOINED;
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
    queue->data_used -= (uint32_t)__builtin_popcount(entry->sectors);
}
