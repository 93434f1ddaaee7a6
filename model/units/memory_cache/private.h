/* What the files of the memory-side cache share; nobody else includes this. */
#pragma once

#include "kit/cost/energy.h"
#include "kit/engine/unit.h"
#include "kit/gpu/message_list.h"
#include "kit/gpu/transaction.h"
#include "parts/cache/evicted_tags.h"
#include "parts/cache/slice_cache.h"

/* Which requests of L2 bring a line that is not there. Only `writes`: what L2 gives up, so that it
 * is a victim cache of written data. */
typedef enum { ALLOCATE_ALL, ALLOCATE_READS, ALLOCATE_WRITES } Allocate;

/* Of an entry of the table. */
typedef struct {
    MessageList waiting; /* L2's own lists go through its requests' `merged` */
    Time began;
    Time filled_since; /* its line; 0: by another entry */
} CacheFetch;

typedef struct {
    Unit unit;
    Port from_dram, from_l2;
    Channel to_l2, to_scheduler;
    const LineShape *line;
    const AddressMap *address_map;

    uint64_t capacity, ways, candidates;
    uint64_t hit_latency, miss_latency, lookup_interval, lookups_per_interval, data_bandwidth,
        data_ports, pending_entries;
    uint32_t replacement, allocate;

    uint64_t accesses, reads, writes, hits, read_hits, misses, merged, passed;
    uint64_t fetches, fills, write_backs, brought, brought_back;
    uint64_t refused_pending, refused_set, refused_scheduler, refused_port;
    uint64_t bytes_read, bytes_forwarded, bytes_filled, bytes_unkept, bytes_written, bytes_passed,
        bytes_written_back, bytes_replaced, read_busy, write_busy;
    Level pending, set_fills, waiting, writes_outstanding;
    Server look_ups, read_port, write_port;

    SliceCache cache;
    EvictedTags evicted;
    CacheFetch *fetch;              /* by entry of the table */
    MessageList data, acknowledged; /* on their way to L2, each in the order of `entered` */
    Time free_at;                   /* of look-ups: of several at once, on average */
    Time read_free, write_free;     /* of the array's ports, likewise */
    uint64_t lines;
    uint32_t line_shift;
    bool refused; /* the head was, and is looked at again when something has come back */
    bool counted; /* ... and it was said so */
} MemoryCache;

extern const Param memory_cache_params[];
extern const Stat memory_cache_stats[];
extern const ResourceRow memory_cache_resources[];
extern const StorageRow memory_cache_storage[];
extern const PortRow memory_cache_ports[];

/* memory_cache/storage.c */
double memory_cache_energy_of_look_up(const Unit *unit, const EnergyFigures *figures);
double memory_cache_energy_of_byte(const Unit *unit, const EnergyFigures *figures);
double memory_cache_energy_of_fetch(const Unit *unit, const EnergyFigures *figures);

/* memory_cache/request.c: as many as the tags are free for. */
void memory_cache_serve_heads(MemoryCache *self, Time now);
/* What is written waits in the pipeline, no longer than a look-up takes. */
bool memory_cache_write_port_ready(MemoryCache *self, Time now);
/* The array's write port takes `sectors`, from `ready` on at the earliest. */
void memory_cache_use_write_port(MemoryCache *self, Time ready, uint16_t sectors);
/* From now on the read waits for the fetch. */
void memory_cache_wait_for(MemoryCache *self, Transaction *read, uint32_t fetch, Time now);
/* Those whose time in the cache is over. */
void memory_cache_release(MemoryCache *self, Time now);
void memory_cache_reply(MemoryCache *self, Transaction *done, Time now);

/* memory_cache/fill.c */
void memory_cache_take_from_dram(MemoryCache *self, Time now);
