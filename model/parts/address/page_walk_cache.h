/* What the page walkers keep of the page table: entries of its last level, which name a page, and
 * of the levels above, which name a part of the table. A walk begins below the lowest level that
 * is found here. */
#pragma once

#include "parts/address/tlb.h"

enum { WALK_LEVELS_MAX = 8 };

typedef struct {
    uint64_t levels;      /* of the page table, 1 to WALK_LEVELS_MAX */
    TlbShape last;        /* of the last level */
    TlbShape upper;       /* of each level above; entry_bytes is that of the first above the last */
    uint64_t fanout_bits; /* an entry of a level covers 2^fanout_bits of the level below */
} PageWalkShape;

typedef struct {
    uint32_t levels;
    Tlb level[WALK_LEVELS_MAX]; /* 0: the last one */
} PageWalkCache;

/* The errors are about mmu.walk_cache_... and mmu.directory_... */
bool page_walk_cache_init(PageWalkCache *cache, const PageWalkShape *shape, GError **error);
void page_walk_cache_finish(PageWalkCache *cache);

/* Levels that a walk has to read from memory: 0 when the last one's entry is here. What was found
 * becomes the most recently used. */
uint32_t page_walk_cache_look_up(PageWalkCache *cache, uint64_t address);

/* A walk has read all levels. */
void page_walk_cache_fill(PageWalkCache *cache, uint64_t address);
