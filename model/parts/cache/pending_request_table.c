#include "parts/cache/pending_request_table.h"

#include <string.h>

#include "parts/bits.h"
#include "parts/fetch_ahead.h"
#include "parts/sparse.h"

enum { LINE_BITS = 7 };

void pending_request_table_init(PendingRequestTable *table, uint32_t capacity)
{
    uint32_t bits = 4;
    while ((1u << bits) < 2 * capacity) bits++;
    *table = (PendingRequestTable){.entries = SPARSE_ARRAY(PendingRequest, capacity),
                                   .capacity = capacity,
                                   .bucket = SPARSE_ARRAY(uint32_t, 1u << bits),
                                   .spare = SPARSE_ARRAY(uint32_t, capacity),
                                   .bucket_shift = 64 - bits,
                                   .low = LINE_BITS};
}

void pending_request_table_finish(PendingRequestTable *table)
{
    sparse_free(table->entries);
    sparse_free(table->bucket);
    sparse_free(table->spare);
    memset(table, 0, sizeof *table);
}

static inline uint32_t *bucket_of(const PendingRequestTable *table, uint64_t line)
{
    return &table->bucket[hash_near(line, table->low, table->bucket_shift)];
}

void pending_request_table_foresee_look_up(const PendingRequestTable *table, uint64_t line)
{
    fetch_ahead(bucket_of(table, line));
}

/* Entries for this request and those that come with it. */
enum { FORESEEN = 4 };

void pending_request_table_foresee(const PendingRequestTable *table, uint64_t line)
{
    fetch_ahead(bucket_of(table, line));
    for (uint32_t i = 1; i <= MIN(table->spares, FORESEEN); i++)
        fetch_ahead(&table->entries[table->spare[table->spares - i]]);
}

uint32_t pending_request_table_find(const PendingRequestTable *table, uint64_t line,
                                    uint16_t sectors)
{
    uint32_t link = *bucket_of(table, line);
    while (link) {
        const PendingRequest *entry = &table->entries[link - 1];
        if (entry->line == line && !(sectors & ~entry->sectors)) break;
        link = entry->chain;
    }
    return link - 1;
}

uint32_t pending_request_table_find_any(const PendingRequestTable *table, uint64_t line,
                                        uint16_t sectors)
{
    uint32_t link = *bucket_of(table, line);
    while (link) {
        const PendingRequest *entry = &table->entries[link - 1];
        if (entry->line == line && (sectors & entry->sectors)) break;
        link = entry->chain;
    }
    return link - 1;
}

uint32_t pending_request_table_next(const PendingRequestTable *table, uint64_t line, uint32_t after)
{
    uint32_t link = after == PRT_NONE ? *bucket_of(table, line) : table->entries[after].chain;
    while (link && table->entries[link - 1].line != line) link = table->entries[link - 1].chain;
    return link - 1;
}

uint32_t pending_request_table_find_other(const PendingRequestTable *table, uint32_t index)
{
    const PendingRequest *known = &table->entries[index];
    uint32_t link = *bucket_of(table, known->line);
    while (link) {
        const PendingRequest *entry = &table->entries[link - 1];
        if (entry != known && entry->line == known->line && entry->place == known->place) break;
        link = entry->chain;
    }
    return link - 1;
}

uint16_t pending_request_table_sectors(const PendingRequestTable *table, uint64_t line)
{
    uint16_t sectors = 0;
    for (uint32_t link = *bucket_of(table, line); link; link = table->entries[link - 1].chain)
        if (table->entries[link - 1].line == line) sectors |= table->entries[link - 1].sectors;
    return sectors;
}

uint32_t pending_request_table_allocate(PendingRequestTable *table, uint64_t line, uint16_t sectors)
{
    if (!table->spares && table->fresh == table->capacity) return PRT_NONE;
    const uint32_t index = table->spares ? table->spare[--table->spares] : table->fresh++;
    PendingRequest *entry = &table->entries[index];
    uint32_t *bucket = bucket_of(table, line);
    *entry = (PendingRequest){.line = line, .chain = *bucket, .sectors = sectors, .used = true};
    *bucket = index + 1;
    table->used++;
    return index;
}

void pending_request_table_release(PendingRequestTable *table, uint32_t index)
{
    PendingRequest *entry = &table->entries[index];
    uint32_t *at = bucket_of(table, entry->line);
    while (*at != index + 1) at = &table->entries[*at - 1].chain;
    *at = entry->chain;
    entry->used = false;
    table->spare[table->spares++] = index;
    table->used--;
}
