/* The store queue of a write-back cache: addresses and data of evicted dirty lines, until memory
 * has taken them. It is two queues: an address is an entry, its data as many sectors of the store
 * data queue as the line has written ones.
 *
 * An entry waits until it is sent, in order of age, and is kept until its write is done, so that
 * later accesses find the data. Evicting a line again adds to an entry that still waits; one that
 * was sent stays as it is, and the line gets a second one. Searches are linear: it is short. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { STORE_QUEUE_NONE = UINT32_MAX };

typedef struct {
    uint64_t line, came; /* `came` is the owner's, as given */
    uint64_t data_came;  /* the sum of that over its sectors, some of which may be younger */
    uint16_t sectors;    /* written, bit 0 = lowest address */
    uint16_t partial;    /* of these, the ones that are not there whole */
    uint32_t next;       /* the next younger one that waits, or the next free one */
    bool used, sent;
} StoreEntry;

typedef struct {
    StoreEntry *entries;
    uint32_t capacity, used, waiting;
    uint32_t data_capacity, data_used; /* sectors */
    uint32_t oldest, youngest, free;   /* oldest, youngest: of those that wait */
} StoreQueue;

/* What became of an evicted line: has an entry of its own, is in that of its line which waits
 * already, or there was no room for its address, or for its data. */
typedef enum { STORE_QUEUED, STORE_JOINED, STORE_LACKS_ENTRY, STORE_LACKS_DATA } StoreQueued;

void store_queue_init(StoreQueue *queue, uint32_t capacity, uint32_t data_capacity);

/* Also of one that was never initialised (zeroed). */
void store_queue_finish(StoreQueue *queue);

/* Puts the sectors of an evicted line into the queue, in the entry of the line that still waits if
 * there is one. */
StoreQueued store_queue_put(StoreQueue *queue, const StoreEntry *evicted);

/* The sectors of a line that some entry holds whole. */
uint16_t store_queue_sectors(const StoreQueue *queue, uint64_t line);

/* Marks the oldest entry that waits as sent and returns it, or STORE_QUEUE_NONE. */
uint32_t store_queue_send(StoreQueue *queue);

/* The write of an entry that was sent is done. */
void store_queue_release(StoreQueue *queue, uint32_t index);
