/* The request sorter and the request store of a memory access scheduler: which requests wait for
 * which row.
 *
 * The sorter is a set-associative table found by (bank set, row); an entry points to the list of
 * that row's requests in the store. A request that finds no way for its row, or no place in the
 * store, is refused. */
#pragma once

#include "parts/dram/map.h"
#include "parts/fetch_ahead.h"

/* A line of the host's cache. Others are known by their places in the store, rows by theirs in the
 * table; 0: none. */
typedef struct {
    _Alignas(64) DramAccess access;
    uint32_t row;
    uint16_t next;         /* of its row, in order of arrival; or of the free list */
    uint16_t older, newer; /* of all */
    uint16_t purpose;      /* from here on it is the caller's */
    uint32_t sectors;      /* what of the line it has */
    uint32_t sequence;     /* its order of arrival, modulo 2^32 */
    union {
        void *owner;
        uint64_t line;
    };
    uint64_t came; /* its time of arrival */
} RowRequest;

typedef struct {
    uint16_t first, last;    /* 0: the way is free */
    uint32_t next, previous; /* of its bank set, in order of their turns */
    uint32_t row;
    uint64_t came; /* the caller's time of arrival of the row's first request */
    uint8_t bank_set;
} SortedRow;

/* Of a bank set: a line, too. */
typedef struct {
    _Alignas(64) RowRequest *next; /* to be served; NULL: none waits */
    SortedRow *first, *last;
    SortedRow *open; /* the requests of the row that is open, or NULL */
    /* the caller's, of `next` */
    uint64_t not_before, until;
    uint32_t sequence;
} SortedBanks;

typedef struct {
    uint32_t sets, ways, entries, count;
    uint32_t fresh;    /* entries of the store from here on never were used */
    SortedRow *table;  /* [sets][ways], from set 1 on */
    uint64_t *key;     /* of each: its row and bank set, without what else is known; 0: free */
    RowRequest *store; /* from 1 on */
    RowRequest *oldest, *newest;
    uint64_t waiting; /* bit b: bank set b has requests ... */
    uint64_t hitting; /* ... of the row that is open */
    uint64_t changed; /* ... that has another next request, or open row, than the caller knows */
    uint32_t free;    /* those that were left last first */
    uint32_t open_row[DRAM_BANKS_MAX];
    SortedBanks bank_set[DRAM_BANKS_MAX];
} RowSorter;

/* Entries are less than 2^16. */
void row_sorter_init(RowSorter *sorter, uint32_t sets, uint32_t ways, uint32_t entries);
void row_sorter_finish(RowSorter *sorter);

/* Where the access of the next one is to be, unless the store is full: who writes it there saves a
 * copy. It stays until one is added. */
static inline DramAccess *row_sorter_next_access(const RowSorter *sorter)
{
    return &sorter->store[sorter->free ? sorter->free : sorter->fresh].access;
}

/* What the next one to be added touches is fetched, and the oldest. */
static inline void row_sorter_foresee(const RowSorter *sorter)
{
    fetch_ahead(row_sorter_next_access(sorter));
    if (sorter->newest) fetch_ahead(sorter->newest);
    if (sorter->oldest) fetch_ahead(sorter->oldest);
}

/* The request that the caller fills in further, or NULL when the store or the row's set is full. */
RowRequest *row_sorter_add(RowSorter *sorter, const DramAccess *access);

static inline SortedRow *row_sorter_row(const RowSorter *sorter, const RowRequest *request)
{
    return &sorter->table[request->row];
}

/* Of a place in the store; NULL: none. */
static inline RowRequest *row_sorter_at(const RowSorter *sorter, uint32_t place)
{
    return place ? &sorter->store[place] : NULL;
}

/* The only request of its row. */
static inline bool row_sorter_is_alone(const RowSorter *sorter, const RowRequest *request)
{
    const SortedRow *row = row_sorter_row(sorter, request);
    return row->first == row->last;
}

/* The first of its row. */
static inline bool row_sorter_is_first(const RowSorter *sorter, const RowRequest *request)
{
    return &sorter->store[row_sorter_row(sorter, request)->first] == request;
}

/* Takes a request out, which is the first of its row. */
void row_sorter_remove(RowSorter *sorter, RowRequest *request);

void row_sorter_open_another(RowSorter *sorter, uint32_t bank_set, uint32_t row);

/* From now on this row is the open one of the bank set. */
static inline void row_sorter_open(RowSorter *sorter, uint32_t bank_set, uint32_t row)
{
    sorter->changed |= UINT64_C(1) << bank_set; /* or open in another bank of the set */
    if (sorter->open_row[bank_set] != row) row_sorter_open_another(sorter, bank_set, row);
}

/* The first request that waits for this row, or NULL. */
const RowRequest *row_sorter_find(const RowSorter *sorter, uint32_t bank_set, uint32_t row);

/* The other rows of the bank set have their turn before this one, open or not. */
void row_sorter_defer(RowSorter *sorter, SortedRow *entry);

/* The request a bank set should serve next: the oldest one of the open row, or of the row that has
 * waited longest. The bank set has requests. */
static inline RowRequest *row_sorter_next(const RowSorter *sorter, uint32_t bank_set)
{
    return sorter->bank_set[bank_set].next;
}

static inline bool row_sorter_is_open(const RowSorter *sorter, const RowRequest *request)
{
    return sorter->bank_set[request->access.bank_set].open == row_sorter_row(sorter, request);
}
