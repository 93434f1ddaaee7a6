/* What the files of the L2 slice share; nobody else includes this. */
#pragma once

#include "kit/unit.h"
#include "parts/slice_cache.h"
#include "parts/word_table.h"

typedef struct {
    Unit unit;
    Port from_network, from_dram, from_rop;
    Channel to_reply_network, to_scheduler, to_monitor, to_rop, to_rop_data;
    const LineShape *line;
    const AddressMap *address_map;

    uint64_t capacity, ways, hit_latency, miss_latency, fill_latency, lookup_interval,
        data_bandwidth;
    uint64_t fill_bytes, pending_entries, pending_merges, candidates;
    uint32_t replacement;

    uint64_t accesses, reads, writes, atomics, hits, misses, merged, load_hits, partial_writes,
        fills, write_backs;
    uint64_t refused_set, refused_pending, refused_merge, refused_scheduler, refused_reply,
        refused_rop, refused_line;
    uint64_t bytes_read, bytes_written, bytes_filled, bytes_written_back, replies;
    uint64_t data_busy, rop_requests, recalls;
    Level queue, pending, write_backs_outstanding;
    Histogram fill_latency_seen;

    SliceCache cache;
    Time free_at, data_free_at;
    bool refused;     /* the head waits for a fill */
    uint32_t seen;    /* requests in the port whose arrival has been noted */
    WordTable at_rop; /* by line number: what l2_slice_rop.c knows of it */
    uint32_t atomics_at_rop;
    const Transaction *waits_for_line; /* the head, for the ROP to give its line back */
} L2Slice;

static inline uint64_t l2_slice_line_number(const L2Slice *self, const Transaction *transaction)
{
    return transaction->local / self->line->line_bytes;
}

/* l2_slice_memory.c: replies to SMs, and the side of DRAM. */

/* The reply network has room; if not, the slice is stepped again when it has. */
bool l2_slice_reply_ready(L2Slice *self, Time now);

/* Occupies the data port for the sectors; the reply leaves as its first one is read. */
void l2_slice_reply(L2Slice *self, Transaction *transaction, Time ready);

void l2_slice_take_from_dram(L2Slice *self, Time now);

/* A request of the slice's own for sectors of a line. */
Transaction *l2_slice_new_memory_request(L2Slice *self, TransactionType type, uint64_t line,
                                         uint16_t sectors);
void l2_slice_send_to_scheduler(L2Slice *self, Transaction *request, Time now);
void l2_slice_write_back(L2Slice *self, TagLine *victim, Time now);
bool l2_slice_scheduler_ready(L2Slice *self, Time now);

/* l2_slice_request.c: false when the request stays at the head of its port. */
bool l2_slice_handle(L2Slice *self, Transaction *transaction, Time now);
/* Of a load or store, or of the ROP's fetch or write-back. */
bool l2_slice_look_up(L2Slice *self, Transaction *transaction, Time now);

/* l2_slice_rop.c */

bool l2_slice_hand_to_rop(L2Slice *self, Transaction *atomic, Time now);
/* False: the ROP has the line, or atomics on it; the slice is stepped when that changes. */
bool l2_slice_has_line(L2Slice *self, const Transaction *transaction, Time now);
/* The sectors that the ROP fetched can be sent at `ready`, or what it wrote back is written. */
void l2_slice_answer_rop(L2Slice *self, Transaction *request, Time ready);
void l2_slice_take_from_rop(L2Slice *self, Time now);
