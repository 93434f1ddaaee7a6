/* What an L2 slice knows of its twins in other halves; part of its private header. */
#pragma once

#include "kit/gpu/network.h"
#include "parts/cache/pending_request_table.h"

/* What a slice knows of its twins in other halves, of each by how many halves on it is, less one:
 * fetches of lines that are at home there, and its link to them all. */
typedef struct {
    PendingRequestTable fetches;
    /* what will come back: stores and atomics sent on; invalidations, which wait for nobody and so
     * must not wait for room that those hold */
    uint32_t forwards, recalls;
    Time *recall_began;         /* by place of the latter */
    uint16_t *given_back;       /* places that were taken before, and are not now: */
    uint32_t free_recalls;      /* as many */
    double per_cycle[NETWORKS]; /* bytes that the links take */
    Time link_free_at[NETWORKS], link_sent_at[NETWORKS]; /* of several links, on average; last */
    Time copy_ready; /* of the copy at the head: when its data may leave ... */
    bool copying,
        forwarding;   /* ... it is on the array's port; the first request gets it from there */
    bool refused;     /* another half's request waits, as L2Slice.refused says */
    bool goes_first;  /* in the next look-up: another half's request */
    bool awaits_room; /* a store from DRAM or the ROP, for dropping copies */
    uint32_t *seen_of, seen; /* of each other half, and of all */
    uint32_t turn;           /* of several that wait, whose goes first */
} FarHalf;

/* What a transaction does on the links between halves of L2: a fetch of a line whose home is
 * in another half, with data that may be kept or not; a store or atomic on its way to and from
 * its home; what makes another half drop its copy, and the same on its way back. */
typedef enum {
    CROSSING_NONE,
    CROSSING_FETCH,
    CROSSING_FETCH_ONCE,
    CROSSING_FORWARD,
    CROSSING_INVALIDATE,
    CROSSING_INVALIDATED,
    CROSSING_EVICT,
    CROSSING_EVICTED
} Crossing;
