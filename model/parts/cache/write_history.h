/* Who wrote what last: for each line ever written the last write of each sector, found by a hash
 * of the line. Nothing is ever forgotten, and nothing depends on the order in the hash. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t at;     /* fs */
    uint16_t writer; /* SM */
    bool written, partial, atomic;
    bool in_texture_unit; /* passed its cache */
    /* a later one, which an SM's L1 keeps and nobody else has */
    bool kept;
    uint16_t keeper;
    uint64_t kept_at;
} SectorWrite;

/* What is counted about a line, since `epoch`. */
typedef struct {
    uint64_t line;
    uint64_t epoch;
    uint64_t stale_hits, conflicts;
} WrittenLine;

typedef struct {
    WrittenLine *lines;
    SectorWrite *sectors; /* sectors_per_line a line */
    uint32_t *bucket;     /* index into lines + 1; 0: free */
    uint32_t count, room, sectors_per_line, bucket_bits;
} WriteHistory;

enum { WRITE_HISTORY_NONE = UINT32_MAX };

void write_history_init(WriteHistory *history, uint32_t sectors_per_line);
void write_history_finish(WriteHistory *history);

/* The line's index, WRITE_HISTORY_NONE when nobody has written it. */
uint32_t write_history_find(const WriteHistory *history, uint64_t line);

/* The same, and a new line without writes where there is none. The history's pointers may move. */
uint32_t write_history_find_or_add(WriteHistory *history, uint64_t line);

static inline SectorWrite *write_history_sector(const WriteHistory *history, uint32_t index,
                                                uint32_t sector)
{
    return &history->sectors[(uint64_t)index * history->sectors_per_line + sector];
}
