#include "parts/sm/lane_groups.h"

enum { WORD_BYTES = 4, LANES = 64 };

/* Lanes `first` to the end of its block of `size`. */
static uint64_t rest_of_block(uint32_t first, uint32_t size)
{
    const uint32_t end = first / size * size + size;
    const uint64_t below = UINT64_MAX << first;
    return end >= LANES ? below : below & ~(UINT64_MAX << end);
}

static bool are_neighbours(const uint64_t *address, uint64_t lanes, uint32_t width)
{
    const uint32_t first = (uint32_t)__builtin_ctzll(lanes);
    for (uint64_t rest = lanes & (lanes - 1); rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        if (address[lane] - address[first] != (uint64_t)(lane - first) * width) return false;
    }
    return true;
}

static bool are_one(const uint64_t *address, uint64_t lanes)
{
    const uint64_t first = address[__builtin_ctzll(lanes)];
    for (uint64_t rest = lanes & (lanes - 1); rest; rest &= rest - 1)
        if (address[__builtin_ctzll(rest)] != first) return false;
    return true;
}

uint64_t lane_group(const LaneRates *rates, const uint64_t *address, uint64_t mask, uint32_t width,
                    uint32_t first)
{
    const uint32_t start = first / rates->coalesced * rates->coalesced;
    const uint64_t block = mask & rest_of_block(start, rates->coalesced);
    if (width <= WORD_BYTES && (are_neighbours(address, block, width) || are_one(address, block)))
        return block & (UINT64_MAX << first);
    return mask & rest_of_block(first, rates->scattered);
}

static CoalescedLine *find_line(CoalescedLine *lines, uint32_t *count, uint64_t line)
{
    for (uint32_t i = *count; i-- > 0;)
        if (lines[i].line == line) return &lines[i];
    lines[*count] = (CoalescedLine){.line = line};
    return &lines[(*count)++];
}

uint32_t lane_group_lines(const LineShape *shape, const uint64_t *address, uint64_t lanes,
                          uint32_t width, CoalescedLine lines[COALESCER_LINES])
{
    uint32_t count = 0;
    for (uint64_t rest = lanes; rest; rest &= rest - 1) {
        uint64_t at = address[__builtin_ctzll(rest)];
        for (const uint64_t end = at + width; at < end;) {
            const uint32_t offset = (uint32_t)(at & (shape->line_bytes - 1));
            const uint32_t here = (uint32_t)MIN(end - at, shape->line_bytes - offset);
            CoalescedLine *line = find_line(lines, &count, at - offset);
            line->bytes += here;
            line->sectors |= (uint16_t)((2u << ((offset + here - 1) / shape->sector_bytes))
                                        - (1u << (offset / shape->sector_bytes)));
            at += here;
        }
    }
    return count;
}
