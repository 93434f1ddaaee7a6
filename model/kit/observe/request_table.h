/* Sums of completed requests by what asked for them: a row for each instruction and array, found by
 * hashing. The table holds so many rows at most. What does not fit is counted by array in further
 * rows, without the instruction.
 *
 * Which rows those are does not depend on the order of requests, nor on how they are spread over
 * several tables that are merged: a full table keeps the lowest keys that it has seen. A key that
 * is among the lowest of all requests is among the lowest of any part of them, so that it has never
 * left a table, and its sums are complete; any other has left one at the latest in the merge. */
#pragma once

#include "kit/describe/stat.h"

#include <glib.h>

/* Ordered by kernel, then by PC, then by the rest. */
typedef struct {
    uint64_t pc;
    uint32_t kernel; /* UINT32_MAX: nobody said */
    uint32_t source_line;
    uint32_t array; /* which of the table's places the request is in */
    uint8_t operation, space;
} RequestKey;

enum { REQUEST_TYPES = 3, REQUEST_SERVERS = 6, REQUEST_RECENT = 16 };

typedef struct {
    RequestKey key;
    uint64_t bytes; /* asked for by lanes */
    Time maximum;
    uint64_t type[REQUEST_TYPES];        /* by TransactionType */
    uint64_t served_by[REQUEST_SERVERS]; /* by ServedBy */
    StageSums sums;
} RequestRow;

typedef struct {
    uint32_t bound, places;
    uint32_t used;
    uint32_t highest;                /* of a full table: the row with the highest key */
    uint32_t slot_mask;              /* ... of `slot` */
    uint16_t *slot;                  /* row + 1; 0: free */
    RequestRow *row;                 /* in no order */
    RequestRow *others;              /* by array; NULL: everything has fitted */
    uint16_t recent[REQUEST_RECENT]; /* by a hash of the PC, the row that was found last */
} RequestTable;

/* At most 32,000 rows; arrays are numbered below `places`. */
void request_table_init(RequestTable *table, uint32_t bound, uint32_t places);
void request_table_finish(RequestTable *table);

/* Forgets everything; what has not been used is not touched. */
void request_table_clear(RequestTable *table);

/* PCs are multiples of 16. */
static inline uint32_t request_recent_place(uint64_t pc)
{
    return (uint32_t)(pc >> 4) % REQUEST_RECENT;
}

/* A row in which a request of this PC has counted lately, or any other: if its key, with an
 * operation, is that of a request, the request counts there. */
static inline RequestRow *request_table_recent(const RequestTable *table, uint64_t pc)
{
    return &table->row[table->recent[request_recent_place(pc)]];
}

/* The row in which a request with this key counts. */
RequestRow *request_table_find(RequestTable *table, const RequestKey *key);

void request_row_merge(RequestRow *into, const RequestRow *from);
void request_table_merge(RequestTable *into, const RequestTable *from);

/* Negative: a is lower. */
int request_key_compare(const RequestKey *a, const RequestKey *b);
