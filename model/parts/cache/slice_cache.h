/* What an L2 slice holds of its share of memory, and what it is fetching: a sectored write-back
 * cache that fetches aligned groups of sectors.
 *
 * A line is its address within the slice's share divided by line_bytes; a place is an index of the
 * tag array, TAG_NONE for a line that is not there; sectors are masks, bit 0 = lowest address. */
#pragma once

#include "parts/address/address_map.h"
#include "parts/cache/pending_request_table.h"
#include "parts/cache/tag_array.h"
#include "parts/sm/coalescer.h"

typedef struct {
    uint64_t capacity, ways; /* bytes; the sets follow */
    uint64_t fill_bytes;     /* fetched together */
    uint64_t pending_entries;
    bool byte_masks; /* sectors may be valid in part */
    ReplacementPolicy replacement;
    uint64_t candidates, seed; /* as in TagArrayShape */
    const LineShape *line;
    const AddressMap *map;
    uint32_t slice;
    bool of_channel; /* `slice` is a DRAM channel, and addresses are those in it */
} SliceCacheShape;

typedef struct {
    TagArray tags;
    PendingRequestTable table;
    uint32_t sector_bytes;
    uint32_t group;  /* sectors fetched together: a power of two */
    uint16_t firsts; /* a bit for the first of each group */
    uint64_t *bytes; /* of each place, of sectors that are not valid: bytes that were written */
    uint32_t words;  /* ... in so many words a line; 0: no masks */
    SliceCacheShape shape;
} SliceCache;

/* False with error where the parameters make no whole number of sets, or of groups in a line. */
bool slice_cache_init(SliceCache *cache, const SliceCacheShape *shape, GError **error);

/* Also after an init that failed or never was. */
void slice_cache_finish(SliceCache *cache);

static inline uint32_t slice_cache_bytes(const SliceCache *cache, uint16_t sectors)
{
    return (uint32_t)__builtin_popcount(sectors) * cache->sector_bytes;
}

/* Of `wanted`, the sectors that are not valid at `place`. */
static inline uint16_t slice_cache_lacks(const SliceCache *cache, uint32_t place, uint16_t wanted)
{
    return place == TAG_NONE ? wanted : wanted & (uint16_t)~cache->tags.lines[place].valid;
}

/* The sectors of the line at `place` that fetches will bring. */
static inline uint16_t slice_cache_under_way(const SliceCache *cache, uint32_t place)
{
    if (place == TAG_NONE || !cache->tags.lines[place].fetching) return 0;
    return pending_request_table_sectors(&cache->table, cache->tags.lines[place].line);
}

/* The physical address of what lies at `local` in the slice's share. */
static inline uint64_t slice_cache_address(const SliceCache *cache, uint64_t local)
{
    AddressPlace place = {cache->shape.slice, local};
    if (cache->shape.of_channel) place = address_map_slice(cache->shape.map, place);
    return address_map_global(cache->shape.map, place.slice, place.local);
}

/* Whole groups of which any sector is wanted. */
uint16_t slice_cache_widen(const SliceCache *cache, uint16_t sectors);

/* A hit: the line was used; sectors written whole are valid and dirty. */
static inline void slice_cache_use(SliceCache *cache, uint32_t place, uint16_t written)
{
    tag_array_touch(&cache->tags, place);
    cache->tags.lines[place].valid |= written;
    cache->tags.lines[place].dirty |= written;
}

/* Gives the victim's place to a line that a request of class `owner` brings. */
static inline void slice_cache_replace(SliceCache *cache, uint32_t place, uint64_t line,
                                       uint8_t owner)
{
    tag_array_replace(&cache->tags, place, line);
    cache->tags.lines[place].owner = owner;
    for (uint32_t i = 0; i < cache->words; i++)
        cache->bytes[(uint64_t)place * cache->words + i] = 0;
}

/* Of a cache with byte masks: sectors are dirty, and valid once all their bytes were written. */
void slice_cache_write_bytes(SliceCache *cache, uint32_t place, uint16_t sectors,
                             const uint64_t *written);

/* A fetch of all groups of which `place` lacks a sector of `wanted`, without what is under way
 * already: its entry of the table, which has room. The entry's sectors are those to be fetched; who
 * waits for it is the owner's matter. */
uint32_t slice_cache_begin_fetch(SliceCache *cache, uint64_t line, uint32_t place, uint16_t wanted);

/* The entry's sectors are valid, the entry is free. */
void slice_cache_end_fetch(SliceCache *cache, uint32_t entry);

/* Forgets all lines, written data too. What is under way serves those who wait for it and fills
 * nothing: its entry has no place and no sectors from now on, so that nobody joins it. */
void slice_cache_empty(SliceCache *cache);

/* A copy into memory that passes through the caches: the slice's sectors of it are there, clean
 * where they were not dirty. Returns how many written bytes it replaced: those are gone. */
uint64_t slice_cache_accept_copy(SliceCache *cache, uint64_t address, uint64_t bytes);
