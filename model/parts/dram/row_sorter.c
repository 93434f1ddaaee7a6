#include "parts/dram/row_sorter.h"

#include "parts/dram/state.h"
#include "parts/sparse.h"

void row_sorter_init(RowSorter *sorter, uint32_t sets, uint32_t ways, uint32_t entries)
{
    *sorter = (RowSorter){.sets = sets, .ways = ways, .entries = entries};
    sorter->table = SPARSE_ARRAY(SortedRow, sets * ways);
    sorter->key = SPARSE_ARRAY(uint64_t, sets * ways);
    sorter->store = SPARSE_ARRAY(RowRequest, entries);
    for (uint32_t i = 0; i < DRAM_BANKS_MAX; i++) sorter->bank_set[i].open_row = DRAM_NO_ROW;
}

void row_sorter_finish(RowSorter *sorter)
{
    g_clear_pointer(&sorter->table, sparse_free);
    g_clear_pointer(&sorter->key, sparse_free);
    g_clear_pointer(&sorter->store, sparse_free);
}

static uint64_t key_of(uint32_t bank_set, uint32_t row)
{
    return (uint64_t)row << 8 | bank_set | UINT64_C(1) << 40;
}

static uint32_t set_of(const RowSorter *sorter, uint32_t bank_set, uint32_t row)
{
    const uint32_t mixed = (row * 64 + bank_set) * UINT32_C(0x9e3779b1);
    return (uint32_t)((uint64_t)mixed * sorter->sets >> 32) * sorter->ways;
}

/* Keys lie side by side: most of what is looked for is not there. */
static SortedRow *find(const RowSorter *sorter, uint32_t bank_set, uint32_t row)
{
    const uint64_t wanted = key_of(bank_set, row);
    const uint32_t set = set_of(sorter, bank_set, row);
    const uint64_t *key = &sorter->key[set], *end = key + sorter->ways;
    for (; key < end; key++)
        if (*key == wanted) return &sorter->table[key - sorter->key];
    return NULL;
}

static SortedRow *find_free_way(const RowSorter *sorter, uint32_t bank_set, uint32_t row)
{
    const uint32_t set = set_of(sorter, bank_set, row);
    for (uint32_t way = sorter->ways; way; way--)
        if (!sorter->key[set + way - 1]) return &sorter->table[set + way - 1];
    return NULL;
}

/* The rows of the bank set, or the first request of one of them, have changed. */
static void find_next(RowSorter *sorter, uint32_t bank_set)
{
    const uint64_t bit = UINT64_C(1) << bank_set;
    const SortedRow *open = sorter->bank_set[bank_set].open;
    const SortedRow *next = open ? open : sorter->bank_set[bank_set].first;
    RowRequest *request = next ? next->first : NULL;
    if (sorter->bank_set[bank_set].next != request) sorter->changed |= bit;
    sorter->bank_set[bank_set].next = request;
    sorter->waiting = next ? sorter->waiting | bit : sorter->waiting & ~bit;
    sorter->hitting = open ? sorter->hitting | bit : sorter->hitting & ~bit;
}

/* Behind the other rows of its bank set. */
static void link_last(RowSorter *sorter, SortedRow *entry)
{
    const uint32_t b = entry->bank_set;
    entry->previous = sorter->bank_set[b].last;
    entry->next = NULL;
    if (entry->previous)
        entry->previous->next = entry;
    else
        sorter->bank_set[b].first = entry;
    sorter->bank_set[b].last = entry;
}

static void unlink_row(RowSorter *sorter, const SortedRow *entry)
{
    const uint32_t b = entry->bank_set;
    if (entry->next)
        entry->next->previous = entry->previous;
    else
        sorter->bank_set[b].last = entry->previous;
    if (entry->previous)
        entry->previous->next = entry->next;
    else
        sorter->bank_set[b].first = entry->next;
}

static void append_row(RowSorter *sorter, SortedRow *entry, const DramAccess *access)
{
    const uint32_t b = access->bank_set;
    *entry = (SortedRow){.row = access->row, .bank_set = access->bank_set};
    sorter->key[entry - sorter->table] = key_of(b, access->row);
    link_last(sorter, entry);
    if (sorter->bank_set[b].open_row == access->row) sorter->bank_set[b].open = entry;
}

static void append_request(RowSorter *sorter, SortedRow *entry, RowRequest *request)
{
    request->row = entry;
    request->next = request->newer = NULL;
    if (entry->first)
        entry->last->next = request;
    else
        entry->first = request;
    entry->last = request;
    request->older = sorter->newest;
    if (sorter->newest)
        sorter->newest->newer = request;
    else
        sorter->oldest = request;
    sorter->newest = request;
    sorter->count++;
}

/* What comes now is mostly for the row that came last, or for the open one. */
static SortedRow *find_waiting(const RowSorter *sorter, uint32_t bank_set, uint32_t row)
{
    SortedRow *last = sorter->bank_set[bank_set].last;
    if (last && last->row == row) return last;
    if (sorter->bank_set[bank_set].open && sorter->bank_set[bank_set].open_row == row)
        return sorter->bank_set[bank_set].open;
    return find(sorter, bank_set, row);
}

RowRequest *row_sorter_add(RowSorter *sorter, const DramAccess *access)
{
    if (sorter->count == sorter->entries) return NULL;
    SortedRow *entry = find_waiting(sorter, access->bank_set, access->row);
    const bool known = entry;
    if (!known) {
        entry = find_free_way(sorter, access->bank_set, access->row);
        if (!entry) return NULL;
        append_row(sorter, entry, access);
    }
    RowRequest *request = sorter->free ? sorter->free : &sorter->store[sorter->fresh++];
    sorter->free = request->next;
    request->access = *access;
    append_request(sorter, entry, request);
    if (!known) find_next(sorter, access->bank_set);
    return request;
}

static void remove_row(RowSorter *sorter, SortedRow *entry)
{
    const uint32_t b = entry->bank_set;
    unlink_row(sorter, entry);
    sorter->key[entry - sorter->table] = 0;
    if (sorter->bank_set[b].open == entry) sorter->bank_set[b].open = NULL;
}

void row_sorter_remove(RowSorter *sorter, RowRequest *request)
{
    SortedRow *entry = request->row;
    g_assert(entry->first == request);
    entry->first = request->next;
    const uint32_t bank_set = entry->bank_set;
    if (!entry->first) remove_row(sorter, entry);
    find_next(sorter, bank_set);
    if (request->newer)
        request->newer->older = request->older;
    else
        sorter->newest = request->older;
    if (request->older)
        request->older->newer = request->newer;
    else
        sorter->oldest = request->newer;
    request->next = sorter->free;
    sorter->free = request;
    sorter->count--;
}

/* What is opened is mostly the row of the request that is served. */
static SortedRow *find_open(const RowSorter *sorter, uint32_t bank_set, uint32_t row)
{
    const RowRequest *next = sorter->bank_set[bank_set].next;
    if (!next || row == DRAM_NO_ROW) return NULL;
    return next->access.row == row ? next->row : find(sorter, bank_set, row);
}

void row_sorter_open(RowSorter *sorter, uint32_t bank_set, uint32_t row)
{
    sorter->changed |= UINT64_C(1) << bank_set; /* or open in another bank of the set */
    if (sorter->bank_set[bank_set].open_row == row) return;
    sorter->bank_set[bank_set].open_row = row;
    sorter->bank_set[bank_set].open = find_open(sorter, bank_set, row);
    find_next(sorter, bank_set);
}

const RowRequest *row_sorter_find(const RowSorter *sorter, uint32_t bank_set, uint32_t row)
{
    if (!(sorter->waiting >> bank_set & 1)) return NULL;
    const SortedRow *entry = find(sorter, bank_set, row);
    return entry ? entry->first : NULL;
}

void row_sorter_defer(RowSorter *sorter, SortedRow *entry)
{
    const uint32_t b = entry->bank_set;
    if (!entry->next && !entry->previous) return;
    if (sorter->bank_set[b].open == entry) sorter->bank_set[b].open = NULL;
    unlink_row(sorter, entry);
    link_last(sorter, entry);
    find_next(sorter, b);
}
