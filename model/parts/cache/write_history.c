#include "parts/cache/write_history.h"

#include <string.h>

#include "parts/bits.h"

enum { FIRST_ROOM = 1024, FIRST_BUCKET_BITS = 11 };

void write_history_init(WriteHistory *history, uint32_t sectors_per_line)
{
    *history = (WriteHistory){.lines = g_new(WrittenLine, FIRST_ROOM),
                              .sectors = g_new0(SectorWrite, (size_t)FIRST_ROOM * sectors_per_line),
                              .bucket = g_new0(uint32_t, 1u << FIRST_BUCKET_BITS),
                              .room = FIRST_ROOM,
                              .sectors_per_line = sectors_per_line,
                              .bucket_bits = FIRST_BUCKET_BITS};
}

void write_history_finish(WriteHistory *history)
{
    g_free(history->lines);
    g_free(history->sectors);
    g_free(history->bucket);
    memset(history, 0, sizeof *history);
}

/* The line's bucket, or the free one where it belongs. At most half of the buckets are taken. */
static uint32_t *bucket_of(const WriteHistory *history, uint64_t line)
{
    const uint32_t mask = (1u << history->bucket_bits) - 1;
    uint64_t at = (line * GOLDEN_STEP) >> (64 - history->bucket_bits);
    while (history->bucket[at] && history->lines[history->bucket[at] - 1].line != line)
        at = (at + 1) & mask;
    return &history->bucket[at];
}

uint32_t write_history_find(const WriteHistory *history, uint64_t line)
{
    return *bucket_of(history, line) - 1; /* 0 - 1: none */
}

static void grow(WriteHistory *history)
{
    const size_t sectors = (size_t)history->room * history->sectors_per_line;
    history->room *= 2;
    history->bucket_bits++;
    history->lines = g_renew(WrittenLine, history->lines, history->room);
    history->sectors = g_renew(SectorWrite, history->sectors, 2 * sectors);
    memset(&history->sectors[sectors], 0, sectors * sizeof *history->sectors);
    g_free(history->bucket);
    history->bucket = g_new0(uint32_t, 1u << history->bucket_bits);
    for (uint32_t i = 0; i < history->count; i++)
        *bucket_of(history, history->lines[i].line) = i + 1;
}

uint32_t write_history_find_or_add(WriteHistory *history, uint64_t line)
{
    const uint32_t index = write_history_find(history, line);
    if (index != WRITE_HISTORY_NONE) return index;
    if (history->count == history->room) grow(history);
    history->lines[history->count] = (WrittenLine){.line = line};
    *bucket_of(history, line) = ++history->count;
    return history->count - 1;
}
