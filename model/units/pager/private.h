/* What the files of the pager share; nobody else includes this. */
#pragma once

#include "kit/engine/unit.h"
#include "kit/gpu/kernel.h"
#include "kit/gpu/translation.h"
#include "parts/address/paging.h"
#include "parts/cache/word_table.h"

/* What comes with a page that is wanted. */
typedef enum { PREFETCH_NONE, PREFETCH_TREE, PREFETCH_BLOCK } Prefetch;

/* What of a block that is evicted goes over the link. */
typedef enum { WRITE_BACK_WRITTEN, WRITE_BACK_ALL } WriteBack;

enum { NO_BLOCK = UINT32_MAX };

/* Of a page: absent, or one of the three. */
typedef struct {
    uint64_t number;
    uint64_t coming;  /* wanted, or under way */
    uint64_t here;    /* slices may use them */
    uint64_t leaving; /* slices are asked to leave them, or the link writes them back */
    uint64_t written, unused;
    uint32_t answers;              /* of slices, that are still to come */
    uint32_t older, newer;         /* of those with pages here, by when the last of them came */
    uint32_t next_out;             /* of those that wait for the link */
    uint64_t move;                 /* the last one of its pages */
    Time came[PAGES_IN_BLOCK_MAX]; /* when each got its frame */
} Block;

typedef struct {
    uint32_t block;
    uint64_t pages;
    Time came;
} Fault;

/* Pages of a block that cross the link together. */
typedef struct {
    uint32_t block;
    uint64_t pages, unasked;
    Time came; /* its first fault */
} Move;

typedef struct {
    Unit unit;
    PortArray from_l2;
    ChannelArray to_l2;
    const Paging *shape;
    const uint64_t *link_gbps;
    const LaunchList *launches;

    uint64_t fault_latency, batch_faults, move_latency;
    uint32_t prefetch, write_back;

    uint64_t faults, merged, batches, moves_in, moves_out, pages_in, pages_out, pages_dropped;
    uint64_t prefetched, prefetched_used, evictions, bytes_in, bytes_out;
    Level faults_waiting, frames;
    Server handler, link_in, link_out;
    uint64_t frame_count;
    Histogram latency_seen;

    WordTable place; /* by number of block: its place in `blocks`, plus 1 */
    GArray *blocks;
    Fault *fault;  /* ring */
    Move *move;    /* ring: those that have not crossed */
    uint64_t room; /* of either ring */
    uint64_t first_fault, fault_count;
    uint64_t first_move, end_move; /* numbers */
    uint64_t batch;                /* faults in the handler's hands */
    uint64_t waiting_pages;        /* of moves that have no frames yet */
    uint64_t free_frames, leaving_pages;
    Time batch_done, in_done, out_done; /* TIME_NEVER: nothing is under way */
    uint32_t oldest, newest, first_out, last_out;
} Pager;

static inline Block *pager_block(Pager *self, uint32_t place)
{
    return &g_array_index(self->blocks, Block, place);
}

static inline uint64_t pager_count(uint64_t pages)
{
    return (uint64_t)__builtin_popcountll(pages);
}

/* Over the link in one direction, which has nothing else to do; when it is done. */
Time pager_cross(Pager *self, Server *link, uint64_t pages, Time now);
/* To all slices. */
void pager_tell(Pager *self, PageNews news, const Block *block, uint64_t pages, uint64_t marked,
                Time now);

/* pager/fault.c */

void pager_take(Pager *self, PageNotice *notice, Time now);
void pager_end_batch(Pager *self, Time now);
void pager_start_batch(Pager *self, Time now);

/* pager/move.c */

/* Pages of the block are to come; it is in no move of those since `from`, or in the last one. */
void pager_want(Pager *self, const Fault *fault, uint64_t from);
/* What comes with those. */
void pager_prefetch(Pager *self, Move *move);
void pager_end_move(Pager *self, Time now);
void pager_start_move(Pager *self, Time now);

/* pager/evict.c */

/* Blocks go until there will be frames for all that waits, or none can go. */
void pager_make_room(Pager *self, Time now);
/* The block has pages that are the last ones to have come. */
void pager_note_newest(Pager *self, uint32_t place);
/* A slice has left the pages. */
void pager_take_left(Pager *self, uint32_t place, uint64_t written, Time now);
void pager_end_write(Pager *self, Time now);
void pager_start_write(Pager *self, Time now);
