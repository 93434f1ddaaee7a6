#include "parts/address/paging.h"

#include "parts/bits.h"
#include "parts/dram/timing.h"

static bool reject(GError **error, const char *key, uint64_t value, const char *reason)
{
    g_set_error(error, g_quark_from_static_string("warpmem-parameter"), 0,
                "paging.%s = %" G_GUINT64_FORMAT " B: %s", key, value, reason);
    return false;
}

bool paging_setup(Paging *paging, uint64_t dram_bytes, GError **error)
{
    const uint64_t page = paging->page_bytes, block = paging->block_bytes;
    const uint64_t memory = paging->memory_bytes ? paging->memory_bytes : dram_bytes;
    if (paging->mode != PAGING_DEMAND) return true;
    if (!is_power_of_two(page)) return reject(error, "page_bytes", page, "must be a power of two");
    if (!is_power_of_two(block) || block < page || block / page > PAGES_IN_BLOCK_MAX)
        return reject(error, "block_bytes", block,
                      "must be a power of two and 1 to 64 pages (page_bytes)");
    if (memory > dram_bytes)
        return reject(error, "memory_bytes", memory,
                      "more than the DRAM channels hold (" DRAM_BYTES_KEYS ")");
    if (memory / block < 2)
        return reject(error, "memory_bytes", memory, "less than two blocks (block_bytes)");
    paging->pages = memory / page;
    paging->page_shift = bits_for(page);
    paging->block_shift = bits_for(block);
    paging->pages_in_block = (uint32_t)(block / page);
    return true;
}

uint64_t paging_neighbours(const Paging *paging, uint64_t present, uint64_t page)
{
    const uint32_t number = (uint32_t)__builtin_ctzll(page);
    uint64_t found = page;
    for (uint32_t size = 2; size <= paging->pages_in_block; size *= 2) {
        const uint64_t part = (UINT64_MAX >> (PAGES_IN_BLOCK_MAX - size)) << (number & -size);
        if (2 * (uint32_t)__builtin_popcountll(present & part) > size) found = part;
    }
    return found;
}
