/* What the files of the MMU share; nobody else includes this. */
#pragma once

#include "kit/engine/unit.h"
#include "kit/gpu/message_list.h"
#include "kit/gpu/transaction.h"
#include "kit/gpu/translation.h"
#include "parts/address/address_map.h"
#include "parts/address/frames.h"
#include "parts/address/page_table.h"
#include "parts/address/page_walk_cache.h"
#include "parts/cache/pending_request_table.h"
#include "parts/sm/coalescer.h"

typedef struct {
    Time missed, began;
    Time done;     /* the walk or, while `unread`, all of a level but its read; TIME_NEVER: that */
    uint32_t miss; /* entry of the table, PRT_NONE: idle */
    uint32_t unread; /* levels to be read from L2 */
    uint32_t slice;  /* that is asked */
} Walker;

typedef struct {
    Unit unit;
    PortArray from_l1, from_l2;
    ChannelArray to_l1, to_l2;
    const LineShape *line;
    const AddressMap *address_map;
    const Frames *pages;

    bool enabled, walks_read_l2;
    uint64_t tlb_entries, tlb_ways, tlb_entry_bytes, hit_latency, lookups_per_cycle, miss_entries;
    uint64_t walkers, walk_levels, walk_level_latency, walk_hit_latency;
    uint64_t walk_cache_entries, walk_cache_ways, walk_cache_entry_bytes;
    uint64_t directory_entries, directory_entry_bytes, directory_fanout_bits;
    uint64_t active_window, window_switch_latency;

    uint64_t requests, replies, hits, misses, merged, refused_misses;
    uint64_t walks, walk_cache_hits, levels_read, window_switches, table_reads, table_replies;
    Level queue, walks_waiting, walkers_busy;
    Server tlb_ports;
    Level miss_room;

    Tlb tlb;
    PageWalkCache walk_cache;
    PageTable page_table;
    PendingRequestTable table; /* misses, by what an entry of the TLB covers */
    Walker *walker;
    uint32_t *waiting; /* ring of misses without a walker */
    uint32_t waiting_head, waiting_count;
    MessageList *walked_for; /* by entry of the table: who waits for its walk */
    MessageList arrived;     /* requests in the ports, in order of arrival */
    uint32_t *seen;          /* by port: requests that are in that list */
    uint64_t window;         /* of the page table that is active; UINT64_MAX: none yet */
    bool refused;            /* the first request waits for a walk to end */

    /* large, and touched now and then: behind what every event touches */
    Histogram latency_seen, read_latency_seen;
} Mmu;

extern const StorageRow mmu_storage[];
double mmu_energy_of_request(const Unit *unit, const EnergyFigures *figures);

/* mmu/mmu.c: behind what has been sent to the same L1 before. */
void mmu_answer(Mmu *self, Translation *request, Time when);

/* --- mmu/walk.c --- */

/* Replies of L2. */
void mmu_take_levels(Mmu *self, Port *port, Time now);

/* Ends walks, and levels, that are done. */
void mmu_end_walks(Mmu *self, Time now);

/* Begins with misses that wait; asks to be woken for the next that is to be done. */
void mmu_start_walks(Mmu *self, Time now);
