#include "parts/cache/pending_request_table.h"

#include <string.h>

#include "parts/bits.h"

void pending_request_table_init(PendingRequestTable *table, uint32_t capacity)
{
    uint32_t bits = 4;
    while ((1u << bits) < 2 * capacity) bits++;
    *table = (PendingRequestTable){
        .entries = g_aligned_alloc0(capacity, sizeof(PendingRequest), _Alignof(PendingRequest)),
        .capacity = capacity,
        .bucket = g_new(uint32_t, 1u << bits),
        .bucket_shift = 64 - bits};
    memset(table->bucket, 0xff, sizeof *table->bucket << bits);
    for (uint32_t i = 0; i < capacity; i++)
        table->entries[i].chain = i + 1 < capacity ? i + 1 : PRT_NONE;
    table->free = capacity ? 0 : PRT_NONE;
}

void pending_request_table_finish(PendingRequestTable *table)
{
    g_aligned_free(table->entries);
    g_free(table->bucket);
    memset(table, 0, sizeof *table);
}

static inline uint32_t *bucket_of(const PendingRequestTable *table, uint64_t line)
{
    return &table->bucket[(line * GOLDEN_STEP) >> table->bucket_shift];
}

uint32_t pending_request_table_find(const PendingRequestTable *table, uint64_t line,
                                    uint16_t sectors)
{
    uint32_t index = *bucket_of(table, line);
    while (index != PRT_NONE) {
        const PendingRequest *entry = &table->entries[index];
        if (entry->line == line && !(sectors & ~entry->sectors)) break;
        index = entry->chain;
    }
    return index;
}

uint32_t pending_request_table_find_any(const PendingRequestTable *table, uint64_t line,
                                        uint16_t sectors)
{
    uint32_t index = *bucket_of(table, line);
    while (index != PRT_NONE) {
        const PendingRequest *entry = &table->entries[index];
        if (entry->line == line && (sectors & entry->sectors)) break;
        index = entry->chain;
    }
    return index;
}

uint16_t pending_request_table_sectors(const PendingRequestTable *table, uint64_t line)
{
    uint16_t sectors = 0;
    for (uint32_t i = *bucket_of(table, line); i != PRT_NONE; i = table->entries[i].chain)
        if (table->entries[i].line == line) sectors |= table->entries[i].sectors;
    return sectors;
}

uint32_t pending_request_table_allocate(PendingRequestTable *table, uint64_t line, uint16_t sectors)
{
    const uint32_t index = table->free;
    if (index == PRT_NONE) return PRT_NONE;
    PendingRequest *entry = &table->entries[index];
    table->free = entry->chain;
    uint32_t *bucket = bucket_of(table, line);
    *entry = (PendingRequest){.line = line, .chain = *bucket, .sectors = sectors, .used = true};
    *bucket = index;
    table->used++;
    return index;
}

void pending_request_table_release(PendingRequestTable *table, uint32_t index)
{
    PendingRequest *entry = &table->entries[index];
    uint32_t *at = bucket_of(table, entry->line);
    while (*at != index) at = &table->entries[*at].chain;
    *at = entry->chain;
    entry->used = false;
    entry->chain = table->free;
    table->free = index;
    table->used--;
}
