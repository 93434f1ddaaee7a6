/* What the files of the request coalescer share; nobody else includes this. */
#pragma once

#include "kit/engine/unit.h"
#include "kit/gpu/message_list.h"
#include "kit/gpu/transaction.h"
#include "parts/cache/evicted_tags.h"
#include "parts/cache/pending_request_table.h"
#include "parts/cache/tag_array.h"
#include "parts/sm/coalescer.h"

/* An SM's ways. */
typedef struct {
    Time output_free, path_free;
    uint32_t seen;   /* requests in its port whose arrival has been noted */
    bool refused;    /* the first of them has found the network full, */
    bool no_look_up; /* ... the cache's tags or its array taken */
} Ways;

typedef struct {
    Unit unit;
    PortArray from_l1, from_reply_network;
    ChannelArray to_request_network, to_l1;
    Channel to_monitor;
    const LineShape *line;

    uint64_t entries, requests_per_cycle, path_bandwidth;
    uint64_t capacity, ways, candidates, hit_latency, lookups, data_bandwidth;
    uint32_t set_index, replacement;

    uint64_t requests, reads, joined, overlooked, replies, refused_network, path_busy;
    Level under_way, waiting;
    ServerArray outputs, paths;
    uint64_t accesses, hits, merged, misses, tag_lookups, hit_bytes, fill_bytes, evictions, brought,
        brought_back, written_over, invalidations, refused_lookup;
    Level leaving;
    Server tag_ports, data_array;
    uint64_t ports_of_tags, arrays; /* that there are: 0 without a cache */

    PendingRequestTable table;
    Ways *way;        /* by SM */
    uint64_t *asking; /* SMs with a request in the port, a bit each */
    uint32_t words;
    /* of the cache, if there is one: `arrays` */
    uint32_t turn;          /* which SM is looked up for first */
    uint32_t looked_up;     /* in this step */
    uint32_t first_sm;      /* the number of the first port's */
    Time array_free;        /* when it has been read for all hits so far */
    MessageList hits_ahead; /* hits whose data has not left, by the time at which it does */
    TagArray tags;
    EvictedTags evicted; /* which lines have gone */
    Time *read_at;       /* at its slice, each sector of each line; NULL: nobody wants to know */
} RequestCoalescer;

extern const Param request_coalescer_params[];
extern const Stat request_coalescer_stats[];
extern const ResourceRow request_coalescer_resources[];
extern const StorageRow request_coalescer_storage[];

/* storage.c */
double coalescer_energy_of_look_up(const Unit *unit, const EnergyFigures *figures);
double coalescer_energy_of_byte(const Unit *unit, const EnergyFigures *figures);

static inline uint64_t coalescer_sets(const RequestCoalescer *self, uint32_t line_bytes)
{
    return self->capacity / line_bytes / self->ways;
}

/* cache.c */

/* False with error where the capacity is no whole number of sets. */
bool coalescer_cache_init(RequestCoalescer *self, GError **error);
/* Also after an init that failed. */
void coalescer_cache_finish(RequestCoalescer *self);

/* A load that is to go to L2 passes without a look-up. */
static inline bool coalescer_cache_concerns(const Transaction *request)
{
    return request->type != TRANSACTION_READ || request->hint != CACHE_L2_ONLY;
}

/* False: the tags or the array are taken, and the unit will be woken. */
bool coalescer_cache_ready(RequestCoalescer *self, Time now);

/* Of a read that has come to the front; where all of it is. TAG_NONE: something is not. */
uint32_t coalescer_cache_find(const RequestCoalescer *self, const Transaction *read);

/* The look-up of a request that goes: a hit, or anything else. */
void coalescer_cache_hit(RequestCoalescer *self, Transaction *read, uint32_t place, Time now);
void coalescer_cache_look_up(RequestCoalescer *self, Time now);

/* What a store or an atomic writes is no longer there. */
void coalescer_cache_write(RequestCoalescer *self, const Transaction *write);

/* Of what a reply brings, `sectors` stay. */
void coalescer_cache_fill(RequestCoalescer *self, const Transaction *reply, uint16_t sectors);

/* A kernel starts: all is forgotten. */
void coalescer_cache_empty(RequestCoalescer *self);
