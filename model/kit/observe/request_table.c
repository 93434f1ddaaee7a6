#include "kit/observe/request_table.h"

#include "parts/bits.h"
#include "parts/sparse.h"

#include <string.h>

enum { SLOTS_PER_ROW = 2 };

void request_table_init(RequestTable *table, uint32_t bound, uint32_t places)
{
    uint32_t slots = 1;
    while (slots < bound * SLOTS_PER_ROW) slots *= 2;
    *table = (RequestTable){.bound = bound, .places = places, .slot_mask = slots - 1};
    table->slot = g_new0(uint16_t, slots);
    table->row = sparse_new(bound * sizeof *table->row);
}

void request_table_finish(RequestTable *table)
{
    g_free(table->slot);
    sparse_free(table->row);
    g_free(table->others);
}

void request_table_clear(RequestTable *table)
{
    if (!table->used) return;
    memset(table->slot, 0, (table->slot_mask + 1) * sizeof *table->slot);
    memset(table->row, 0, table->used * sizeof *table->row);
    table->used = 0;
    g_clear_pointer(&table->others, g_free);
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* What the key has besides its PC, in two words. */
static inline uint64_t code_of(const RequestKey *key)
{
    return (uint64_t)key->operation << 40 | (uint64_t)key->space << 32 | key->source_line;
}

int request_key_compare(const RequestKey *a, const RequestKey *b)
{
    const int orders[] = {compare(a->kernel, b->kernel), compare(a->pc, b->pc),
                          compare(code_of(a), code_of(b)), compare(a->array, b->array)};
    for (unsigned i = 0; i < G_N_ELEMENTS(orders); i++)
        if (orders[i]) return orders[i];
    return 0;
}

static inline bool is_equal(const RequestKey *a, const RequestKey *b)
{
    return a->pc == b->pc && a->kernel == b->kernel && a->array == b->array
           && a->source_line == b->source_line && a->operation == b->operation
           && a->space == b->space;
}

static inline uint32_t first_slot(const RequestTable *table, const RequestKey *key)
{
    uint64_t hash = key->pc * GOLDEN_STEP;
    hash ^= code_of(key) * MIX_FIRST;
    hash ^= ((uint64_t)key->kernel << 32 | key->array) * MIX_SECOND;
    return (uint32_t)(hash ^ hash >> 32) & table->slot_mask;
}

/* The slot of the key, or the free one where it belongs. */
static inline uint32_t find_slot(const RequestTable *table, const RequestKey *key)
{
    uint32_t slot = first_slot(table, key);
    while (table->slot[slot] && !is_equal(&table->row[table->slot[slot] - 1].key, key))
        slot = (slot + 1) & table->slot_mask;
    return slot;
}

/* Those behind it that were displaced by it move up. */
static void free_slot(RequestTable *table, uint32_t hole)
{
    const uint32_t mask = table->slot_mask;
    for (uint32_t slot = (hole + 1) & mask; table->slot[slot]; slot = (slot + 1) & mask) {
        const uint32_t first = first_slot(table, &table->row[table->slot[slot] - 1].key);
        if (((slot - first) & mask) < ((slot - hole) & mask)) continue;
        table->slot[hole] = table->slot[slot];
        hole = slot;
    }
    table->slot[hole] = 0;
}

static void find_highest(RequestTable *table)
{
    table->highest = 0;
    for (uint32_t i = 1; i < table->used; i++)
        if (request_key_compare(&table->row[i].key, &table->row[table->highest].key) > 0)
            table->highest = i;
}

static RequestRow *others_of(RequestTable *table, uint32_t array)
{
    if (!table->others) table->others = g_new0(RequestRow, table->places);
    table->others[array].key.array = array;
    return &table->others[array];
}

void request_row_merge(RequestRow *into, const RequestRow *from)
{
    into->bytes += from->bytes;
    into->maximum = MAX(into->maximum, from->maximum);
    for (unsigned i = 0; i < REQUEST_TYPES; i++) into->type[i] += from->type[i];
    for (unsigned i = 0; i < REQUEST_SERVERS; i++) into->served_by[i] += from->served_by[i];
    stage_sums_merge(&into->sums, &from->sums);
}

/* The key takes the place of the highest one. */
static RequestRow *replace_highest(RequestTable *table, const RequestKey *key)
{
    RequestRow *row = &table->row[table->highest];
    const uint16_t number = (uint16_t)(table->highest + 1);
    request_row_merge(others_of(table, row->key.array), row);
    free_slot(table, find_slot(table, &row->key));
    *row = (RequestRow){.key = *key};
    table->slot[find_slot(table, key)] = number;
    find_highest(table);
    return row;
}

static RequestRow *add_row(RequestTable *table, const RequestKey *key, uint32_t slot)
{
    RequestRow *row = &table->row[table->used++];
    row->key = *key;
    table->slot[slot] = (uint16_t)table->used;
    if (table->used == table->bound) find_highest(table);
    return row;
}

G_GNUC_NO_INLINE static RequestRow *find_any(RequestTable *table, const RequestKey *key)
{
    const uint32_t slot = find_slot(table, key);
    if (table->slot[slot]) {
        const uint16_t row = (uint16_t)(table->slot[slot] - 1);
        table->recent[request_recent_place(key->pc)] = row;
        return &table->row[row];
    }
    if (table->used < table->bound) return add_row(table, key, slot);
    if (request_key_compare(key, &table->row[table->highest].key) < 0)
        return replace_highest(table, key);
    return others_of(table, key->array);
}

/* Warps come to the same few instructions in turn. */
RequestRow *request_table_find(RequestTable *table, const RequestKey *key)
{
    const uint16_t number = table->recent[request_recent_place(key->pc)];
    RequestRow *row = &table->row[number];
    return number < table->used && is_equal(&row->key, key) ? row : find_any(table, key);
}

void request_table_merge(RequestTable *into, const RequestTable *from)
{
    for (uint32_t i = 0; i < from->used; i++)
        request_row_merge(request_table_find(into, &from->row[i].key), &from->row[i]);
    for (uint32_t i = 0; from->others && i < from->places; i++)
        request_row_merge(others_of(into, i), &from->others[i]);
}
