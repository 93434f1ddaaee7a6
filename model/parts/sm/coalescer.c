#include "parts/sm/coalescer.h"

#include "parts/bits.h"

enum { WORD_BYTES = 64 };

/* Touched bytes of a line: those from `first` to `end`. */
typedef struct {
    uint32_t first, end;
} Run;

/* A line whose touched bytes are no run, and lie in its mask. */
static const Run PIECES = {UINT32_MAX, UINT32_MAX};

typedef struct {
    const LineShape *shape;
    CoalescedLine *lines;
    Run run[COALESCER_LINES];
    uint64_t covered[COALESCER_LINES][COALESCER_MASK_WORDS]; /* bytes of lines in pieces */
    uint64_t seen; /* a bit of a hash of each line: most lanes of a gather have one of their own */
    uint32_t count, words, shift; /* of a line's mask; of its bytes */
} Coalescing;

static uint64_t low_bytes(uint32_t bytes)
{
    return UINT64_MAX >> (WORD_BYTES - bytes);
}

static void cover(uint64_t *words, Run run)
{
    while (run.first < run.end) {
        const uint32_t here = MIN(run.end - run.first, WORD_BYTES - run.first % WORD_BYTES);
        words[run.first / WORD_BYTES] |= low_bytes(here) << run.first % WORD_BYTES;
        run.first += here;
    }
}

/* The place of a line; a new one has this run. */
static uint32_t find_line(Coalescing *c, uint64_t line, Run run)
{
    const uint64_t bit = UINT64_C(1) << ((line >> c->shift) * GOLDEN_STEP >> 58);
    if (c->seen & bit)
        for (uint32_t i = c->count; i-- > 0;)
            if (c->lines[i].line == line) return i;
    c->seen |= bit;
    c->lines[c->count] = (CoalescedLine){.line = line};
    c->run[c->count] = run;
    return c->count++;
}

/* What touches the run makes it longer. */
static void add_run(Coalescing *c, uint32_t i, Run more)
{
    Run *run = &c->run[i];
    if (more.first <= run->end && run->first <= more.end) {
        *run = (Run){MIN(run->first, more.first), MAX(run->end, more.end)};
        return;
    }
    if (run->end != PIECES.end) {
        for (uint32_t w = 0; w < c->words; w++) c->covered[i][w] = 0;
        cover(c->covered[i], *run);
        *run = PIECES;
    }
    cover(c->covered[i], more);
}

/* Of each line, since there are so many lanes that want these bytes. */
static inline void add_bytes(Coalescing *c, uint64_t address, uint32_t bytes, uint32_t lanes)
{
    while (bytes) {
        const uint32_t offset = (uint32_t)(address & (c->shape->line_bytes - 1));
        const uint32_t here = MIN(bytes, c->shape->line_bytes - offset);
        const Run run = {offset, offset + here};
        const uint32_t i = find_line(c, address - offset, run);
        c->lines[i].bytes += here * lanes;
        add_run(c, i, run);
        address += here;
        bytes -= here;
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

static void note_run(const LineShape *shape, CoalescedLine *line, Run run)
{
    const uint32_t shift = (uint32_t)__builtin_ctz(shape->sector_bytes);
    const uint32_t low = run.first >> shift, high = (run.end - 1) >> shift;
    const bool begins = run.first & (shape->sector_bytes - 1),
               ends = run.end & (shape->sector_bytes - 1);
    line->covered = run.end - run.first;
    line->sectors = (uint16_t)((2u << high) - (1u << low));
    line->partial = (uint16_t)((uint32_t)begins << low | (uint32_t)ends << high);
}

static void note_pieces(const LineShape *shape, CoalescedLine *line, const uint64_t *covered)
{
    const uint32_t bytes = shape->sector_bytes, sectors = shape->line_bytes / bytes;
    for (uint32_t s = 0; s < sectors; s++) find_sector(line, covered, s, bytes);
    for (uint32_t w = 0; w < (shape->line_bytes + WORD_BYTES - 1) / WORD_BYTES; w++)
        line->covered += (uint32_t)__builtin_popcountll(covered[w]);
}

static void find_sectors(const Coalescing *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->run[i].end == PIECES.end)
            note_pieces(c->shape, &c->lines[i], c->covered[i]);
        else
            note_run(c->shape, &c->lines[i], c->run[i]);
    }
}

static void begin(Coalescing *c, const LineShape *shape, CoalescedLine *lines)
{
    c->shape = shape;
    c->lines = lines;
    c->seen = 0;
    c->count = 0;
    c->words = (shape->line_bytes + WORD_BYTES - 1) / WORD_BYTES;
    c->shift = (uint32_t)__builtin_ctz(shape->line_bytes);
}

uint32_t coalesce_addresses(const LineShape *shape, const uint64_t *address, uint32_t count,
                            uint32_t width, CoalescedLine lines[COALESCER_LINES])
{
    Coalescing c;
    begin(&c, shape, lines);
    for (uint32_t i = 0; i < count; i++) add_bytes(&c, address[i], width, 1);
    find_sectors(&c);
    return c.count;
}

/* All lanes next to each other without gaps: the usual case, without byte masks. */
static inline uint32_t coalesce_run(const LineShape *shape, uint64_t first, uint64_t end,
                                    CoalescedLine *lines)
{
    uint32_t count = 0;
    while (first < end) {
        const uint64_t line = first & ~(uint64_t)(shape->line_bytes - 1);
        const uint64_t stop = MIN(end, line + shape->line_bytes);
        const Run run = {(uint32_t)(first - line), (uint32_t)(stop - line)};
        lines[count] = (CoalescedLine){.line = line, .bytes = run.end - run.first};
        note_run(shape, &lines[count++], run);
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

/* Without rows. */
static void add_steps(Coalescing *c, const LaneSteps *steps, uint32_t width)
{
    const uint32_t lanes = (uint32_t)__builtin_popcountll(steps->mask);
    if (!steps->stride) {
        add_bytes(c, steps->base, width, lanes);
    } else if (steps->stride == (int64_t)width && is_run(steps->mask)) {
        const uint64_t first = lane_address(steps, (uint32_t)__builtin_ctzll(steps->mask));
        add_bytes(c, first, lanes * width, 1);
    } else {
        for (uint64_t rest = steps->mask; rest; rest &= rest - 1)
            add_bytes(c, lane_address(steps, (uint32_t)__builtin_ctzll(rest)), width, 1);
    }
}

static void add_rows(Coalescing *c, const LaneSteps *steps, uint32_t width)
{
    LaneSteps row = {.base = steps->base, .stride = steps->stride};
    for (uint64_t rest = steps->mask; rest; rest >>= steps->row_lanes) {
        row.mask = rest & row_mask(steps);
        if (row.mask) add_steps(c, &row, width);
        row.base += (uint64_t)steps->row_stride;
    }
}

/* Lanes without rows that leave no gap; 0: they may. */
static inline uint32_t coalesce_gapless(const LineShape *shape, const LaneSteps *steps,
                                        uint32_t width, CoalescedLine *lines)
{
    const uint32_t lanes = (uint32_t)__builtin_popcountll(steps->mask);
    if (!steps->stride) return coalesce_broadcast(shape, steps->base, width, lanes, lines);
    if (steps->stride != (int64_t)width || !is_run(steps->mask)) return 0;
    const uint64_t first = lane_address(steps, (uint32_t)__builtin_ctzll(steps->mask));
    return coalesce_run(shape, first, first + (uint64_t)lanes * width, lines);
}

/* Rows that are all the same; 0: they are not. */
static uint32_t coalesce_equal_rows(const LineShape *shape, const LaneSteps *steps, uint32_t width,
                                    CoalescedLine *lines)
{
    const LaneSteps row = {
        .base = steps->base, .stride = steps->stride, .mask = steps->mask & row_mask(steps)};
    uint32_t rows = 0;
    for (uint64_t rest = steps->mask; rest; rest >>= steps->row_lanes, rows++)
        if ((rest & row_mask(steps)) != row.mask) return 0;
    const uint32_t count = coalesce_gapless(shape, &row, width, lines);
    for (uint32_t i = 0; i < count; i++) lines[i].bytes *= rows;
    return count;
}

/* Rows of which each begins behind the last line of the one before; 0: some do not. */
static uint32_t coalesce_rows_apart(const LineShape *shape, const LaneSteps *steps, uint32_t width,
                                    CoalescedLine *lines)
{
    LaneSteps row = {.base = steps->base, .stride = steps->stride};
    uint32_t count = 0;
    for (uint64_t rest = steps->mask; rest; rest >>= steps->row_lanes) {
        row.mask = rest & row_mask(steps);
        if (row.mask) {
            const uint32_t more = coalesce_gapless(shape, &row, width, &lines[count]);
            if (!more || (count && lines[count].line <= lines[count - 1].line)) return 0;
            count += more;
        }
        row.base += (uint64_t)steps->row_stride;
    }
    return count;
}

/* Most accesses; 0: their bytes have to be looked at. */
static uint32_t coalesce_plain(const LineShape *shape, const LaneSteps *steps, uint32_t width,
                               CoalescedLine *lines)
{
    if (!steps->row_lanes) return coalesce_gapless(shape, steps, width, lines);
    return (steps->row_stride ? coalesce_rows_apart : coalesce_equal_rows)(shape, steps, width,
                                                                           lines);
}

uint32_t coalesce_steps(const LineShape *shape, const LaneSteps *steps, uint32_t width,
                        CoalescedLine lines[COALESCER_LINES])
{
    if (!steps->mask) return 0;
    const uint32_t plain = coalesce_plain(shape, steps, width, lines);
    if (plain) return plain;
    Coalescing c;
    begin(&c, shape, lines);
    if (steps->row_lanes)
        add_rows(&c, steps, width);
    else
        add_steps(&c, steps, width);
    find_sectors(&c);
    return c.count;
}
