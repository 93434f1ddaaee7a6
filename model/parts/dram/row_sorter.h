/* The request sorter and the request store of a memory access scheduler: which requests wait for
 * which row.
 *
 * The sorter is a set-associative table found by (bank set, row); an entry points to the list of
 * that row's requests in the store. A request that finds no way for its row, or no place in the
 * store, is refused. */
#pragma once

#include "parts/dram/map.h"

typedef struct RowRequest {
    _Alignas(64) DramAccess access;   /* with `sectors` in a line of the host's cache */
    uint32_t sectors;                 /* the caller's: what of the line is wanted */
    struct RowRequest *next;          /* of its row, in order of arrival; or of the free list */
    struct RowRequest *older, *newer; /* of all */
    struct SortedRow *row;
    void *owner;       /* the caller's */
    uint64_t sequence; /* the caller's order of arrival */
    uint64_t came;     /* the caller's time of arrival */
    uint64_t line;     /* the caller's */
} RowRequest;

typedef struct SortedRow {
    RowRequest *first, *last;          /* NULL: the way is free */
    struct SortedRow *next, *previous; /* of its bank set, in order of their turns */
    uint64_t came;                     /* the caller's time of arrival of the row's first request */
    uint32_t row;
    uint8_t bank_set;
} SortedRow;

typedef struct {
    uint32_t sets, ways, entries, count;
    uint32_t fresh;   /* entries of the store from here on never were used */
    SortedRow *table; /* [sets][ways] */
    uint64_t *key;    /* of each: its row and bank set, without what else is known; 0: free */
    RowRequest *store, *free; /* those that were left last first */
    RowRequest *oldest, *newest;
    uint64_t waiting; /* bit b: bank set b has requests ... */
    uint64_t hitting; /* ... of the row that is open */
    uint64_t changed; /* ... that has another next request, or open row, than the caller knows */
    struct {
        RowRequest *next; /* to be served; NULL: none waits */
        SortedRow *first, *last;
        SortedRow *open; /* the requests of the row that is open, or NULL */
        uint32_t open_row;
    } bank_set[DRAM_BANKS_MAX];
} RowSorter;

void row_sorter_init(RowSorter *sorter, uint32_t sets, uint32_t ways, uint32_t entries);
void row_sorter_finish(RowSorter *sorter);

/* The request that the caller fills in further, or NULL when the store or the row's set is full. */
RowRequest *row_sorter_add(RowSorter *sorter, const DramAccess *access);

/* The only request of its row. */
static inline bool row_sorter_is_alone(const RowRequest *request)
{
    return request->row->first == request->row->last;
}

/* Takes a request out, which is the first of its row. */
void row_sorter_remove(RowSorter *sorter, RowRequest *request);

/* From now on this row is the open one of the bank set. */
void row_sorter_open(RowSorter *sorter, uint32_t bank_set, uint32_t row);

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
    return sorter->bank_set[request->access.bank_set].open == request->row;
}
