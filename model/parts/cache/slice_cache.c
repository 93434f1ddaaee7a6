#include "parts/cache/slice_cache.h"

#include "parts/cache/byte_mask.h"
#include "parts/sparse.h"

static bool check_shape(const SliceCacheShape *shape, GError **error)
{
    const GQuark domain = g_quark_from_static_string("warpmem-parameter");
    const uint64_t line_bytes = shape->line->line_bytes, lines = shape->capacity / line_bytes;
    if (shape->capacity % line_bytes || lines % shape->ways || !lines) {
        g_set_error(error, domain, 0,
                    "capacity = %" G_GUINT64_FORMAT
                    " B: not a whole number of sets of %" G_GUINT64_FORMAT
                    " ways of lines of %u B (machine.l2_line_bytes or machine.line_bytes)",
                    shape->capacity, shape->ways, shape->line->line_bytes);
        return false;
    }
    if (shape->fill_bytes % shape->line->sector_bytes || line_bytes % shape->fill_bytes) {
        g_set_error(error, domain, 0,
                    "fill_bytes = %" G_GUINT64_FORMAT
                    " B: must be a multiple of the sector (%u B, machine.l2_sector_bytes or "
                    "machine.sector_bytes) that divides the line (%u B, machine.l2_line_bytes or "
                    "machine.line_bytes)",
                    shape->fill_bytes, shape->line->sector_bytes, shape->line->line_bytes);
        return false;
    }
    return true;
}

bool slice_cache_init(SliceCache *cache, const SliceCacheShape *shape, GError **error)
{
    if (!check_shape(shape, error)) return false;
    const uint64_t lines = shape->capacity / shape->line->line_bytes;
    cache->shape = *shape;
    cache->sector_bytes = shape->line->sector_bytes;
    cache->group = (uint32_t)shape->fill_bytes / shape->line->sector_bytes;
    cache->firsts = (uint16_t)(UINT16_MAX / ((1u << cache->group) - 1));
    tag_array_init(&cache->tags, &(TagArrayShape){.sets = lines / shape->ways,
                                                  .ways = shape->ways,
                                                  .replacement = shape->replacement,
                                                  .candidates = shape->candidates,
                                                  .seed = shape->seed});
    pending_request_table_init(&cache->table, (uint32_t)shape->pending_entries);
    cache->table.low = 0;
    if (shape->byte_masks) {
        cache->words = (shape->line->line_bytes + 63) / 64;
        cache->bytes = SPARSE_ARRAY(uint64_t, lines * cache->words);
    }
    return true;
}

void slice_cache_finish(SliceCache *cache)
{
    if (!cache->tags.lines) return;
    tag_array_finish(&cache->tags);
    pending_request_table_finish(&cache->table);
    g_clear_pointer(&cache->bytes, sparse_free);
}

uint16_t slice_cache_widen(const SliceCache *cache, uint16_t sectors)
{
    uint32_t any = sectors; /* of a group, in the bit of its first sector */
    for (uint32_t half = cache->group / 2; half; half /= 2) any |= any >> half;
    return (uint16_t)((any & cache->firsts) * ((1u << cache->group) - 1));
}

uint32_t slice_cache_begin_fetch(SliceCache *cache, uint64_t line, uint32_t place, uint16_t wanted)
{
    const uint16_t missing = slice_cache_lacks(cache, place, slice_cache_widen(cache, wanted))
                             & (uint16_t)~slice_cache_under_way(cache, place);
    const uint32_t index = pending_request_table_allocate(&cache->table, line, missing);
    cache->table.entries[index].place = place;
    cache->tags.lines[place].fetching++;
    return index;
}

void slice_cache_end_fetch(SliceCache *cache, uint32_t entry)
{
    const PendingRequest *done = &cache->table.entries[entry];
    if (done->place != TAG_NONE) {
        TagLine *line = &cache->tags.lines[done->place];
        line->valid |= done->sectors;
        line->fetching--;
    }
    pending_request_table_release(&cache->table, entry);
}

void slice_cache_empty(SliceCache *cache)
{
    for (uint32_t i = 0; cache->table.used && i < cache->table.capacity; i++) {
        cache->table.entries[i].place = TAG_NONE;
        cache->table.entries[i].sectors = 0;
    }
    tag_array_invalidate(&cache->tags);
}

void slice_cache_write_bytes(SliceCache *cache, uint32_t place, uint16_t sectors,
                             const uint64_t *written)
{
    uint64_t *bytes = &cache->bytes[(uint64_t)place * cache->words];
    TagLine *line = &cache->tags.lines[place];
    for (uint32_t i = 0; i < cache->words; i++) bytes[i] |= written[i];
    line->valid |= byte_mask_whole(bytes, sectors, cache->shape.line->sector_bytes);
    line->dirty |= sectors;
}

static uint32_t install(SliceCache *cache, uint64_t line, uint16_t sectors)
{
    uint32_t replaced = 0, place = tag_array_find(&cache->tags, line);
    if (place == TAG_NONE) {
        place = tag_array_victim(&cache->tags, line);
        if (place == TAG_NONE) return 0;
        replaced = slice_cache_bytes(cache, cache->tags.lines[place].dirty);
        slice_cache_replace(cache, place, line, 0);
    }
    tag_array_touch(&cache->tags, place);
    cache->tags.lines[place].valid |= sectors;
    return replaced;
}

/* Slices, or DRAM channels. */
static uint64_t count_caches(const SliceCache *cache)
{
    const AddressMap *map = cache->shape.map;
    const bool apart = cache->shape.of_channel && address_map_channels_apart(map);
    return apart ? map->slices * map->channels_here / map->slices_here : map->slices;
}

/* Of the line of this number, the sectors that bytes `first` to `last` touch. */
static uint16_t touched(const LineShape *shape, uint64_t line, uint64_t first, uint64_t last)
{
    const uint64_t begin = line * shape->line_bytes, end = begin + (shape->line_bytes - 1);
    const uint32_t from = (uint32_t)(MAX(first, begin) - begin) / shape->sector_bytes,
                   to = (uint32_t)(MIN(last, end) - begin) / shape->sector_bytes;
    return (uint16_t)((2u << to) - (1u << from));
}

/* Of a long copy only the last part can still be there. */
uint64_t slice_cache_accept_copy(SliceCache *cache, uint64_t address, uint64_t bytes)
{
    const AddressMap *map = cache->shape.map;
    const LineShape *shape = cache->shape.line;
    const uint64_t line_bytes = shape->line_bytes,
                   kept = 2 * cache->shape.capacity * count_caches(cache);
    uint64_t replaced = 0;
    if (!bytes) return 0;
    const uint64_t last = address + (bytes - 1), first = last - (MIN(bytes, kept) - 1);
    for (uint64_t line = first / line_bytes; line <= last / line_bytes; line++) {
        AddressPlace place = address_map_place(map, line * line_bytes);
        if (cache->shape.of_channel) place = address_map_channel(map, place);
        if (place.slice == cache->shape.slice)
            replaced += install(cache, place.local / line_bytes, touched(shape, line, first, last));
    }
    return replaced;
}
