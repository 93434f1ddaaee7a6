#include "parts/address/page_table.h"

#include <glib.h>

enum { ENTRY_BYTES = 8, LEVEL_SHIFT = 44 };

/* No array is here, and DRAM's rows have begun anew. */
static const uint64_t table_base = UINT64_C(1) << 48;

/* Bytes that one entry covers; `first` is where those begin that are read with it. */
static uint64_t reach_of(const PageTable *table, uint32_t level, uint64_t *first)
{
    if (!level) {
        *first &= ~(MAX(table->tlb_entry_bytes, table->page_bytes) - 1);
        return table->page_bytes;
    }
    const uint64_t shift = (level - 1) * table->fanout_bits;
    const uint64_t entry = table->directory_entry_bytes;
    return (uint64_t)__builtin_clzll(entry) > shift ? entry << shift : UINT64_C(1) << 63;
}

static uint16_t sectors_of(const PageTable *table, uint64_t offset, uint64_t bytes)
{
    const uint64_t end = MIN(offset + bytes, table->line_bytes);
    const uint64_t first = offset / table->sector_bytes, last = (end - 1) / table->sector_bytes;
    return (uint16_t)((UINT32_C(2) << last) - (UINT32_C(1) << first));
}

PageTablePlace page_table_place(const PageTable *table, uint32_t level, uint64_t address)
{
    const uint64_t reach = reach_of(table, level, &address);
    const uint64_t entries = level ? 1 : MAX(table->tlb_entry_bytes / table->page_bytes, 1);
    const uint64_t at =
        table_base + ((uint64_t)level << LEVEL_SHIFT) + address / reach * ENTRY_BYTES;
    const uint64_t offset = at % table->line_bytes;
    return (PageTablePlace){at - offset, sectors_of(table, offset, entries * ENTRY_BYTES)};
}
