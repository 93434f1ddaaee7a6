#include "parts/address/page_walk_cache.h"

bool page_walk_cache_init(PageWalkCache *cache, const PageWalkShape *shape, GError **error)
{
    *cache = (PageWalkCache){.levels = (uint32_t)shape->levels};
    if (!tlb_init(&cache->level[0], "walk_cache", shape->last, error)) return false;
    TlbShape upper = shape->upper;
    for (uint32_t i = 1; i < cache->levels; i++) {
        if (!tlb_init(&cache->level[i], "directory", upper, error)) return false;
        /* one entry of such a level covers all there is */
        if (__builtin_clzll(upper.entry_bytes) <= (int)shape->fanout_bits)
            upper.entry_bytes = UINT64_C(1) << 63;
        else
            upper.entry_bytes <<= shape->fanout_bits;
    }
    return true;
}

void page_walk_cache_finish(PageWalkCache *cache)
{
    for (uint32_t i = 0; i < WALK_LEVELS_MAX; i++) tlb_finish(&cache->level[i]);
}

uint32_t page_walk_cache_look_up(PageWalkCache *cache, uint64_t address)
{
    uint32_t read = 0;
    while (read < cache->levels && !tlb_look_up(&cache->level[read], address)) read++;
    return read;
}

void page_walk_cache_fill(PageWalkCache *cache, uint64_t address)
{
    for (uint32_t i = 0; i < cache->levels; i++) tlb_fill(&cache->level[i], address);
}
