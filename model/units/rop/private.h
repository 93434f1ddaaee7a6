/* What the files of the ROP share; nobody else includes this. */
#pragma once

#include "kit/engine/unit.h"
#include "kit/gpu/atomic.h"
#include "kit/gpu/transaction.h"
#include "parts/address/address_map.h"
#include "parts/cache/evicted_tags.h"
#include "parts/cache/pending_request_table.h"
#include "parts/cache/tag_array.h"
#include "parts/cache/word_table.h"
#include "parts/sm/coalescer.h"

enum { WORD_BYTES = 4 };

/* How much of a surface's tile has to be moved. A tile is a line. */
typedef enum { TILE_RAW, TILE_HALF, TILE_QUARTER, TILE_CONSTANT } TileKind;

/* What lanes that want one word hold up. */
typedef enum { ROP_TURNS_WORD, ROP_TURNS_PIPELINE } RopTurns;

/* A request in the pipeline. */
typedef struct {
    Transaction *transaction;
    Time began, done;
    uint32_t place, entry; /* of its line in the cache; without one, its pending entry */
} Operating;

typedef struct {
    Unit unit;
    Port from_l2, data_from_l2;
    Channel to_l2;
    const LineShape *line;
    const AddressMap *address_map;

    uint64_t cache_entries, ways, interval, pipelines, lanes, combine, latency, pipeline_entries,
        pending_entries, pending_merges;
    uint32_t turns; /* RopTurns */
    double partial_interval;
    bool compression;
    uint64_t metadata_entries, metadata_tiles, metadata_base;

    uint64_t requests, blends, operations, exchanges, hits, misses, merged, fetches, write_backs,
        releases, recalls, same_address, same_address_runs, brought, brought_back;
    uint64_t refused_set, refused_pending, refused_merge, refused_pipeline, refused_output;
    uint64_t bytes_fetched, bytes_written_back, busy;
    uint64_t compressed_fetches, metadata_hits, metadata_misses, bytes_saved_fetches,
        bytes_saved_write_backs, bytes_extra;
    Level queue, pending, operating;

    Server look_ups, pipe, word_turns;
    Level fetching, merge_room, set_room;
    uint64_t merges_most;
    Time partial_turn; /* of a word of a sector of which others stay as they are */

    TagArray tags, metadata;
    EvictedTags evicted; /* which lines have gone */
    PendingRequestTable table;
    WordTable values;
    Time *word_free_at;               /* by place and word of the line */
    Time *fetched_since, *held_since; /* by pending entry; by place */
    uint8_t *tile;                    /* TileKind, by place */
    Operating *pipeline;
    uint32_t pipeline_first, pipeline_count;
    Time free_at; /* a pipeline takes the next request: of several, on average */
    uint32_t seen;
    uint64_t last_word;
    bool in_run;

    /* large, and touched now and then: behind what every event touches */
    Histogram fetch_latency_seen;
    HeavyHitters hottest;
} Rop;

extern const StorageRow rop_storage[];
double rop_energy_of_operation(const Unit *unit, const EnergyFigures *figures);
double rop_energy_of_exchange(const Unit *unit, const EnergyFigures *figures);
double rop_energy_of_byte(const Unit *unit, const EnergyFigures *figures);
double rop_energy_of_request(const Unit *unit, const EnergyFigures *figures);

static inline bool rop_has_cache(const Rop *self)
{
    return self->cache_entries != 0;
}

static inline uint64_t rop_line_number(const Rop *self, const Transaction *transaction)
{
    return transaction->local / self->line->line_bytes;
}

static inline uint32_t rop_bytes(const Rop *self, uint16_t sectors)
{
    return (uint32_t)__builtin_popcount(sectors) * self->line->sector_bytes;
}

/* A line that is fetched, or operated on, stays. */
static inline void rop_hold(Rop *self, uint32_t place, Time now)
{
    if (self->tags.lines[place].fetching++) return;
    self->held_since[place] = now;
    level_enter(&self->set_room, now);
}

static inline void rop_let_go(Rop *self, uint32_t place, Time now)
{
    if (--self->tags.lines[place].fetching) return;
    level_relent(&self->set_room, now);
    level_leave(&self->set_room, now, self->held_since[place]);
}

static inline bool rop_pipeline_full(const Rop *self)
{
    return self->pipeline_count == self->pipeline_entries;
}

/* The cycle in which the next request is taken. */
static inline Time rop_next_at(const Rop *self)
{
    return self->pipelines == 1 ? self->free_at : clock_floor(self->unit.clock, self->free_at);
}

/* rop/operate.c: the request enters the pipeline, which is not full; its values are exchanged. The
 * line at `place` has its sectors, or without a cache, they came for `entry`. */
void rop_operate(Rop *self, Transaction *transaction, uint32_t place, uint32_t entry, Time now);

/* Some word has its turns from `start` to `end`; others may have theirs until later. */
void rop_book_words(Rop *self, Time start, Time end);

/* rop/cache.c: false when the request stays at the head of its port. */
bool rop_handle(Rop *self, Transaction *transaction, Time now);

/* Results of what is done by now, with write-backs where there is no cache. */
void rop_complete(Rop *self, Time now);

void rop_take_data(Rop *self, Time now);
