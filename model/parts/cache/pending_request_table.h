/* The pending request table (PRT), a GPU's MSHRs: outstanding misses by line, each with the
 * requests that wait for it. By an entry's index a fill finds its waiters. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { PRT_NONE = UINT32_MAX };

/* A line of the host's cache. */
typedef struct {
    _Alignas(64) uint64_t line;
    void *first, *last; /* requests that joined, in order of arrival; linked by the owner */
    union {
        void *reply; /* the primary, back from L2 */
        uint64_t id; /* the owner's, of a primary that fetches by itself: its own id, ... */
    };
    uint64_t joined; /* the owner's: sum of the times since which those besides the first wait */
    uint32_t chain;  /* next of the same bucket or of those released, its index + 1; 0: none */
    uint32_t place;  /* tag array index that will be filled */
    uint32_t merged; /* requests that wait besides the first */
    union {
        uint32_t younger; /* the entry asked for next, where misses return in order */
        uint32_t asked;   /* ... the entry of who asked for it ... */
    };
    uint16_t sectors; /* asked for */
    union {
        uint16_t wanted;  /* ... and the sectors of those that it wants */
        uint16_t awaited; /* the owner's: sectors of other entries that those here want as well */
    };
    bool used;
} PendingRequest;

typedef struct {
    PendingRequest *entries;
    uint32_t capacity, used;
    uint32_t *spare, spares; /* those that were released, the last one last */
    uint32_t fresh;          /* from here on none was ever used */
    uint32_t *bucket;        /* its first entry's index + 1; 0: none */
    uint32_t bucket_shift;
    uint32_t low; /* bit from which on neighbouring lines differ; as addresses of 128 B do, unless
                     the owner, who knows lines by numbers, says 0 */
} PendingRequestTable;

void pending_request_table_init(PendingRequestTable *table, uint32_t capacity);
void pending_request_table_finish(PendingRequestTable *table);

/* What a look-up of the line touches is fetched, and the release of an entry; and what a new entry
 * for it does. */
void pending_request_table_foresee_look_up(const PendingRequestTable *table, uint64_t line);
void pending_request_table_foresee(const PendingRequestTable *table, uint64_t line);

/* An entry for `line` that has all of `sectors` under way, or PRT_NONE. */
uint32_t pending_request_table_find(const PendingRequestTable *table, uint64_t line,
                                    uint16_t sectors);

/* An entry for `line` that has any of `sectors` under way, or PRT_NONE; and all that is. */
uint32_t pending_request_table_find_any(const PendingRequestTable *table, uint64_t line,
                                        uint16_t sectors);
uint16_t pending_request_table_sectors(const PendingRequestTable *table, uint64_t line);

/* Of the entries for `line`, the youngest first, the one behind `after`; PRT_NONE: the first of
 * them, and that there is none. */
uint32_t pending_request_table_next(const PendingRequestTable *table, uint64_t line,
                                    uint32_t after);

/* Another entry for the same line and the same place, or PRT_NONE. */
uint32_t pending_request_table_find_other(const PendingRequestTable *table, uint32_t index);

/* PRT_NONE when the table is full. */
uint32_t pending_request_table_allocate(PendingRequestTable *table, uint64_t line,
                                        uint16_t sectors);
void pending_request_table_release(PendingRequestTable *table, uint32_t index);
