/* Where the entries of a page table lie: of each level an array of 8-byte entries, beyond all that
 * programs use. The last level has an entry a page. What a TLB's entry covers is read together, as
 * far as it lies in a line. */
#pragma once

#include <stdint.h>

typedef struct {
    uint64_t page_bytes, tlb_entry_bytes; /* powers of two */
    uint64_t directory_entry_bytes; /* of the level above the last; further up 2^fanout_bits more */
    uint64_t fanout_bits;
    uint32_t line_bytes, sector_bytes;
} PageTable;

typedef struct {
    uint64_t line;    /* physical address */
    uint16_t sectors; /* that have what is wanted of it */
} PageTablePlace;

/* Of the entry for `address`; level 0: the last one. */
PageTablePlace page_table_place(const PageTable *table, uint32_t level, uint64_t address);
