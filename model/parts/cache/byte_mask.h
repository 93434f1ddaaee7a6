/* Masks of a line's bytes, bit 0 of the first word = lowest address, and the sectors of which all
 * are set. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Bytes `first` to `first + count` of which as many lie in this word. */
static inline uint64_t byte_mask_in_word(uint32_t word, uint32_t first, uint32_t count)
{
    const uint32_t begin = first > 64 * word ? first - 64 * word : 0,
                   end = first + count - 64 * word < 64 ? first + count - 64 * word : 64;
    return (end == 64 ? UINT64_MAX : (UINT64_C(1) << end) - 1) & UINT64_MAX << begin;
}

static inline bool byte_mask_has(const uint64_t *bytes, uint32_t first, uint32_t count)
{
    for (uint32_t word = first / 64; 64 * word < first + count; word++)
        if (~bytes[word] & byte_mask_in_word(word, first, count)) return false;
    return true;
}

static inline bool byte_mask_any(const uint64_t *bytes, uint32_t first, uint32_t count)
{
    uint64_t any = 0;
    for (uint32_t word = first / 64; 64 * word < first + count; word++)
        any |= bytes[word] & byte_mask_in_word(word, first, count);
    return any != 0;
}

static inline void byte_mask_add(uint64_t *bytes, uint32_t first, uint32_t count)
{
    for (uint32_t word = first / 64; 64 * word < first + count; word++)
        bytes[word] |= byte_mask_in_word(word, first, count);
}

static inline void byte_mask_add_sectors(uint64_t *bytes, uint32_t sectors, uint32_t sector_bytes)
{
    for (uint32_t left = sectors; left; left &= left - 1)
        byte_mask_add(bytes, (uint32_t)__builtin_ctz(left) * sector_bytes, sector_bytes);
}

/* Of `sectors`, those of which all bytes are set. */
static inline uint16_t byte_mask_whole(const uint64_t *bytes, uint32_t sectors,
                                       uint32_t sector_bytes)
{
    uint32_t whole = 0;
    for (uint32_t left = sectors; left; left &= left - 1)
        if (byte_mask_has(bytes, (uint32_t)__builtin_ctz(left) * sector_bytes, sector_bytes))
            whole |= left & -left;
    return (uint16_t)whole;
}
