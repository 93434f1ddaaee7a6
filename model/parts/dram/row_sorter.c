#include "parts/dram/row_sorter.h"

#include "parts/dram/state.h"
#include "parts/sparse.h"

_Static_assert(sizeof(RowRequest) == 64 && sizeof(SortedBanks) == 64,
               "each is a line of the host's cache");

void row_sorter_init(RowSorter *sorter, uint32_t sets, uint32_t ways, uint32_t entries)
{
    *sorter = (RowSorter){.sets = sets, .ways = ways, .entries = entries};
    sorter->fresh = 1;
    sorter->table = SPARSE_ARRAY(SortedRow, (sets + 1) * ways);
    sorter->key = SPARSE_ARRAY(uint64_t, (sets + 1) * ways);
    sorter->store = SPARSE_ARRAY(RowRequest, entries + 2);
    for (uint32_t i = 0; i < DRAM_BANKS_MAX; i++) sorter->open_row[i] = DRAM_NO_ROW;
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
    return ((uint32_t)((uint64_t)mixed * sorter->sets >> 32) + 1) * sorter->ways;
}

/* Keys lie side by side, eight in a line of the host's cache: most of what is looked for is not
 * there. */
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

static uint32_t place_of_row(const RowSorter *sorter, const SortedRow *entry)
{
    return (uint32_t)(entry - sorter->table);
}

static uint16_t place_of(const RowSorter *sorter, const RowRequest *request)
{
    return request ? (uint16_t)(request - sorter->store) : 0;
}

/* The rows of the bank set, or the first request of one of them, have changed. */
static void find_next(RowSorter *sorter, uint32_t bank_set)
{
    SortedBanks *banks = &sorter->bank_set[bank_set];
    const uint64_t bit = UINT64_C(1) << bank_set;
    const SortedRow *next = banks->open ? banks->open : banks->first;
    RowRequest *request = next ? row_sorter_at(sorter, next->first) : NULL;
    if (banks->next != request) sorter->changed |= bit;
    banks->next = request;
    sorter->waiting = next ? sorter->waiting | bit : sorter->waiting & ~bit;
    sorter->hitting = banks->open ? sorter->hitting | bit : sorter->hitting & ~bit;
}

/* Behind the other rows of its bank set. */
static void link_last(RowSorter *sorter, SortedRow *entry)
{
    SortedBanks *banks = &sorter->bank_set[entry->bank_set];
    entry->next = 0;
    if (banks->last) {
        entry->previous = place_of_row(sorter, banks->last);
        banks->last->next = place_of_row(sorter, entry);
    } else {
        entry->previous = 0;
        banks->first = entry;
    }
    banks->last = entry;
}

static SortedRow *row_at(const RowSorter *sorter, uint32_t place)
{
    return place ? &sorter->table[place] : NULL;
}

static void unlink_row(RowSorter *sorter, const SortedRow *entry)
{
    SortedBanks *banks = &sorter->bank_set[entry->bank_set];
    if (entry->next)
        sorter->table[entry->next].previous = entry->previous;
    else
        banks->last = row_at(sorter, entry->previous);
    if (entry->previous)
        sorter->table[entry->previous].next = entry->next;
    else
        banks->first = row_at(sorter, entry->next);
}

static void append_row(RowSorter *sorter, SortedRow *entry, const DramAccess *access)
{
    const uint32_t b = access->bank_set;
    *entry = (SortedRow){.row = access->row, .bank_set = access->bank_set};
    sorter->key[place_of_row(sorter, entry)] = key_of(b, access->row);
    link_last(sorter, entry);
    if (sorter->open_row[b] == access->row) sorter->bank_set[b].open = entry;
}

static void append_request(RowSorter *sorter, SortedRow *entry, RowRequest *request)
{
    const uint16_t place = place_of(sorter, request);
    request->row = place_of_row(sorter, entry);
    request->next = request->newer = 0;
    if (entry->first)
        sorter->store[entry->last].next = place;
    else
        entry->first = place;
    entry->last = place;
    request->older = place_of(sorter, sorter->newest);
    if (sorter->newest)
        sorter->newest->newer = place;
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
    if (sorter->bank_set[bank_set].open && sorter->open_row[bank_set] == row)
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
    RowRequest *request = &sorter->store[sorter->free ? sorter->free : sorter->fresh++];
    sorter->free = request->next;
    if (access != &request->access) request->access = *access;
    append_request(sorter, entry, request);
    if (!known) find_next(sorter, access->bank_set);
    return request;
}

static void remove_row(RowSorter *sorter, SortedRow *entry)
{
    const uint32_t b = entry->bank_set;
    unlink_row(sorter, entry);
    sorter->key[place_of_row(sorter, entry)] = 0;
    if (sorter->bank_set[b].open == entry) sorter->bank_set[b].open = NULL;
    find_next(sorter, b);
}

/* Its first request has gone, and rows have their turns as before. */
static void go_on(RowSorter *sorter, const SortedRow *entry, const RowRequest *gone)
{
    SortedBanks *banks = &sorter->bank_set[entry->bank_set];
    if (banks->next != gone) return;
    banks->next = &sorter->store[entry->first];
    sorter->changed |= UINT64_C(1) << entry->bank_set;
}

void row_sorter_remove(RowSorter *sorter, RowRequest *request)
{
    SortedRow *entry = row_sorter_row(sorter, request);
    const uint16_t place = place_of(sorter, request);
    g_assert(entry->first == place);
    entry->first = request->next;
    if (entry->first)
        go_on(sorter, entry, request);
    else
        remove_row(sorter, entry);
    if (request->newer)
        sorter->store[request->newer].older = request->older;
    else
        sorter->newest = row_sorter_at(sorter, request->older);
    if (request->older)
        sorter->store[request->older].newer = request->newer;
    else
        sorter->oldest = row_sorter_at(sorter, request->newer);
    request->next = (uint16_t)sorter->free;
    sorter->free = place;
    sorter->count--;
}

/* What is opened is mostly the row of the request that is served. */
static SortedRow *find_open(const RowSorter *sorter, uint32_t bank_set, uint32_t row)
{
    const RowRequest *next = sorter->bank_set[bank_set].next;
    if (row == DRAM_NO_ROW) return NULL;
    return next->access.row == row ? row_sorter_row(sorter, next) : find(sorter, bank_set, row);
}

void row_sorter_open_another(RowSorter *sorter, uint32_t bank_set, uint32_t row)
{
    sorter->open_row[bank_set] = row;
    if (!(sorter->waiting >> bank_set & 1)) return;
    sorter->bank_set[bank_set].open = find_open(sorter, bank_set, row);
    find_next(sorter, bank_set);
}

const RowRequest *row_sorter_find(const RowSorter *sorter, uint32_t bank_set, uint32_t row)
{
    if (!(sorter->waiting >> bank_set & 1)) return NULL;
    const SortedRow *entry = find(sorter, bank_set, row);
    return entry ? row_sorter_at(sorter, entry->first) : NULL;
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
