#include "parts/sm/coalescer.h"

#include "parts/bits.h"

enum { WORD_BYTES = 64 };

typedef struct {
    const LineShape *shape;
    CoalescedLine *lines;
    uint64_t covered[COALESCER_LINES][COALESCER_MASK_WORDS]; /* bytes of each line */
    uint64_t seen; /* a bit of a hash of each line: most lanes of a gather have one of their own */
    uint32_t count, words, shift; /* of a line's mask; of its bytes */
} Coalescing;

static uint64_t low_bytes(uint32_t bytes)
{
    return UINT64_MAX >> (WORD_BYTES - bytes);
}

static void cover(uint64_t *words, uint32_t first, uint32_t bytes)
{
    for (const uint32_t end = first + bytes; first < end;) {
        const uint32_t here = MIN(end - first, WORD_BYTES - first % WORD_BYTES);
        words[first / WORD_BYTES] |= low_bytes(here) << first % WORD_BYTES;
        first += here;
    }
}

static uint32_t find_line(Coalescing *c, uint64_t line)
{
    const uint64_t bit = UINT64_C(1) << ((line >> c->shift) * GOLDEN_STEP >> 58);
    if (c->seen & bit)
        for (uint32_t i = c->count; i-- > 0;)
            if (c->lines[i].line == line) return i;
    c->seen |= bit;
    c->lines[c->count] = (CoalescedLine){.line = line};
    for (uint32_t w = 0; w < c->words; w++) c->covered[c->count][w] = 0;
    return c->count++;
}

static void add_lane(Coalescing *c, uint64_t address, uint32_t width)
{
    while (width) {
        const uint32_t offset = (uint32_t)(address & (c->shape->line_bytes - 1));
        const uint32_t here = MIN(width, c->shape->line_bytes - offset);
        const uint32_t i = find_line(c, address - offset);
        c->lines[i].bytes += here;
        cover(c->covered[i], offset, here);
        address += here;
        width -= here;
    }
}

/* A sector has whole words of the mask, or lies in one. */
static void find_sector(CoalescedLine *line, const uint64_t *words, uint32_t sector, uint32_t bytes)
{
    const uint32_t step = MIN(bytes, WORD_BYTES), first = sector * bytes;
    uint64_t any = 0, all = UINT64_MAX;
    for (uint32_t at = first; at < first + bytes; at += step) {
        const uint64_t part = words[at / WORD_BYTES] >> at % WORD_BYTES & low_bytes(step);
        any |= part;
        all &= part;
    }
    if (any) line->sectors |= (uint16_t)(1u << sector);
    if (any && all != low_bytes(step)) line->partial |= (uint16_t)(1u << sector);
}

static void find_sectors(const Coalescing *c)
{
    const uint32_t bytes = c->shape->sector_bytes, sectors = c->shape->line_bytes / bytes;
    for (uint32_t i = 0; i < c->count; i++) {
        CoalescedLine *line = &c->lines[i];
        for (uint32_t s = 0; s < sectors; s++) find_sector(line, c->covered[i], s, bytes);
        for (uint32_t w = 0; w < c->words; w++)
            line->covered += (uint32_t)__builtin_popcountll(c->covered[i][w]);
    }
}

uint32_t coalesce_addresses(const LineShape *shape, const uint64_t *address, uint32_t count,
                            uint32_t width, CoalescedLine lines[COALESCER_LINES])
{
    Coalescing c; /* `covered` is cleared line by line */
    c.shape = shape;
    c.lines = lines;
    c.seen = 0;
    c.count = 0;
    c.words = (shape->line_bytes + WORD_BYTES - 1) / WORD_BYTES;
    c.shift = (uint32_t)__builtin_ctz(shape->line_bytes);
    for (uint32_t i = 0; i < count; i++) add_lane(&c, address[i], width);
    find_sectors(&c);
    return c.count;
}

/* All lanes next to each other without gaps: the usual case, without byte masks. */
static uint32_t coalesce_run(const LineShape *shape, uint64_t first, uint64_t end,
                             CoalescedLine *lines)
{
    uint32_t count = 0;
    while (first < end) {
        const uint64_t line = first & ~(uint64_t)(shape->line_bytes - 1);
        const uint64_t stop = MIN(end, line + shape->line_bytes);
        const uint32_t from = (uint32_t)(first - line), to = (uint32_t)(stop - line);
        const uint32_t low = from / shape->sector_bytes, high = (to - 1) / shape->sector_bytes;
        CoalescedLine result = {.line = line, .bytes = to - from, .covered = to - from};
        result.sectors = (uint16_t)((2u << high) - (1u << low));
        if (from % shape->sector_bytes) result.partial |= (uint16_t)(1u << low);
        if (to % shape->sector_bytes) result.partial |= (uint16_t)(1u << high);
        lines[count++] = result;
        first = stop;
    }
    return count;
}

/* All lanes at one address. */
static uint32_t coalesce_broadcast(const LineShape *shape, uint64_t address, uint32_t width,
                                   uint32_t lanes, CoalescedLine *lines)
{
    const uint32_t count = coalesce_run(shape, address, address + width, lines);
    for (uint32_t i = 0; i < count; i++) lines[i].bytes *= lanes;
    return count;
}

static bool is_run(uint64_t mask)
{
    const uint64_t shifted = mask >> __builtin_ctzll(mask);
    return !(shifted & (shifted + 1));
}

uint32_t coalesce_affine(const LineShape *shape, uint64_t base, int64_t stride, uint64_t mask,
                         uint32_t width, CoalescedLine lines[COALESCER_LINES])
{
    if (!mask) return 0;
    const uint32_t lanes = (uint32_t)__builtin_popcountll(mask),
                   first = (uint32_t)__builtin_ctzll(mask);
    if (stride == 0) return coalesce_broadcast(shape, base, width, lanes, lines);
    if (stride == (int64_t)width && is_run(mask)) {
        const uint64_t start = base + (uint64_t)first * width;
        return coalesce_run(shape, start, start + (uint64_t)lanes * width, lines);
    }
    uint64_t address[COALESCER_LANES];
    uint32_t count = 0;
    for (uint64_t rest = mask; rest; rest &= rest - 1)
        address[count++] = base + (uint64_t)((int64_t)__builtin_ctzll(rest) * stride);
    return coalesce_addresses(shape, address, count, width, lines);
}
