/* What of virtual memory is in DRAM where not all of it is: pages that come from the host one by
 * one, in blocks whose pages come together and leave together. A block's pages are the bits of a
 * word, the lowest address in bit 0. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* UNLIMITED: everything is in DRAM, whatever its size. */
typedef enum { PAGING_NONE, PAGING_DEMAND, PAGING_UNLIMITED } PagingMode;

/* The group `[paging]`. */
typedef struct {
    uint32_t mode;                    /* PagingMode */
    uint64_t page_bytes, block_bytes; /* powers of two */
    uint64_t memory_bytes;            /* of DRAM, for pages; 0: what the channels hold */

    uint64_t pages; /* that have room in DRAM; the rest is derived by paging_setup, too */
    uint32_t page_shift, block_shift, pages_in_block;
} Paging;

enum { PAGES_IN_BLOCK_MAX = 64 };

/* `dram_bytes` is the capacity of all channels. */
bool paging_setup(Paging *paging, uint64_t dram_bytes, GError **error);

static inline uint64_t paging_block(const Paging *paging, uint64_t address)
{
    return address >> paging->block_shift;
}

/* Its bit in the block. */
static inline uint64_t paging_page(const Paging *paging, uint64_t address)
{
    return UINT64_C(1) << ((address >> paging->page_shift) & (paging->pages_in_block - 1));
}

/* All pages of a block. */
static inline uint64_t paging_all(const Paging *paging)
{
    return UINT64_MAX >> (PAGES_IN_BLOCK_MAX - paging->pages_in_block);
}

/* What the largest aligned half, quarter and so on of a block holds around `page`, of which more
 * than half is `present`; else that page alone: the neighbourhood that a tree of counts finds. */
uint64_t paging_neighbours(const Paging *paging, uint64_t present, uint64_t page);
