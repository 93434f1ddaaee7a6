/* Statistics over time, of the rows that a table marks or that take energy, and work of all
 * resources: what was added to them in each of at most 128 intervals. When the intervals are full,
 * neighbours are merged and the interval doubles, so that memory is bounded however long a run is.
 * Nothing here is an event: a unit's intervals are closed when it is next stepped, or a boundary is
 * crossed; until then nothing of it changes.
 *
 * What is kept is what was read at the ends of intervals: a reading is a line of the host's cache
 * for eight rows, and those of a unit lie side by side. Merging two intervals forgets the reading
 * between them, which is free for another. Closing comes long after the closing before it, so what
 * it looks at lies together. */
#pragma once

#include "kit/observe/meter.h"
#include "parts/fetch_ahead.h"

enum { SERIES_INTERVALS = 128, SERIES_READINGS = SERIES_INTERVALS + 1, SERIES_SIDE = 8 };

/* The interval that a series begins with: a run of 1 us has 64 of them. */
#define SERIES_FIRST_INTERVAL (16 * TIME_NS)

typedef struct {
    uint64_t row[SERIES_SIDE];
} SeriesLine;

typedef struct {
    Time start, interval;
    /* What was read at the start, and at the ends of `count` intervals, `blocks` lines each: line
     * b is of rows b x SERIES_SIDE and on. Counts, bytes, fs; of a level its integral, level x fs.
     * NULL: nothing was added to any. */
    SeriesLine *lines;
    uint64_t moved; /* a bit a line: something was added to its rows; else it is not written */
    uint32_t rows, count;
    uint32_t stride; /* readings that follow each other lie so many places apart, and round */
    uint32_t blocks;
} SeriesIntervals;

enum { SERIES_BLOCKS_MAX = 64 };

/* What was added to each row in each interval. */
typedef struct {
    Time start, interval;
    uint64_t *value; /* row by row, of as many intervals; where the readings were */
    uint64_t moved;
    uint32_t rows, count;
} SeriesKept;

typedef struct {
    uint32_t place;  /* of the statistic in its unit, or number of the resource's first meter */
    uint16_t meters; /* of the resource; 0: a statistic, or none at all */
    bool level;
} SeriesRow;

/* Where in the unit the rows of a line of statistics are: `run`, if they are numbers that lie side
 * by side; 0: they are not, and each has its own place, a level's with SERIES_LEVEL. */
typedef struct {
    uint32_t run, rows;
    uint32_t field[SERIES_SIDE];
} SeriesBlock;

enum { SERIES_LEVEL = 1 };

/* A meter, or as much of one as it takes to read it. */
typedef struct {
    const void *of;   /* the Server or Level, or else the Meter */
    uint32_t at_once; /* of a server */
    uint16_t row;
    uint8_t kind; /* MeterKind */
} SeriesSource;

typedef struct Series {
    SeriesIntervals open; /* in the making */
    uint32_t first;       /* blocks of rows that share lines: the first of resources */
    uint32_t sources;
    SeriesSource *source;
    /* behind what closing an interval always touches, which is a line of the host's cache */
    SeriesLine *begun; /* what was read of resources at the start; statistics were 0 */
    const Meter *meters;
    SeriesRow *row;  /* marked statistics, others that take energy, both in order; resources */
    SeriesKept kept; /* of the region of interest; the last interval may be shorter */
    Time kept_until;
    uint32_t statistics; /* rows; those of resources begin at a new line */
    SeriesBlock block[]; /* of statistics */
} Series;

/* Of a unit with these statistics and resources; NULL: no row is marked, and there are none. */
Series *series_new(const Stat *stats, const MeterList *meters);
void series_free(Series *series);

/* The row of a statistic that is marked, or takes energy and is not steady. */
uint32_t series_row(const Stat *stats, const Stat *stat);

/* The region of interest begins at `start`: the unit's statistics have just been reset. Returns
 * when series_close has to be called next. */
Time series_restart(Series *series, Time start);

/* Closes the intervals that end by `now`, before anything changes at `now`; they must be due.
 * Returns when it has to be called next. */
Time series_close(Series *series, const void *unit, Time now);

/* It will be called: what it always touches is fetched. */
static inline void series_foresee(const Series *series)
{
    fetch_ahead(series);
    fetch_ahead(&series->block[0]);
    fetch_ahead(&series->block[1]);
}

/* When the open interval began. */
static inline Time series_since(const Series *series)
{
    return series->open.start + series->open.count * series->open.interval;
}

/* When the one after the closed intervals ends. */
static inline Time series_next_end(const Series *series)
{
    return series_since(series) + series->open.interval;
}

/* Of a number that is known only when it is over: of what is being added to it some came before the
 * open interval, in the time between two times, of which none is in the future. */
void series_add_before(Series *series, uint32_t row, Time from, Time to);

/* Keeps the intervals until `end`, exactly as many as cover the time since the start, so that all
 * series of a region have the same ones. Those that end by then have been closed, and after that
 * the unit's levels settled; what is not in them yet goes into the last. Collecting goes on unless
 * this is the last time. */
void series_keep(Series *series, const void *unit, Time end, bool last);

/* Of merged intervals reading i is the one that was 2 i, and those forgotten, the odd ones, are
 * where the next ones come: 2 i in a ring of an odd number. */
static inline SeriesLine *series_reading(const SeriesIntervals *intervals, uint32_t index)
{
    const uint32_t place = index * intervals->stride % SERIES_READINGS;
    return &intervals->lines[(size_t)place * intervals->blocks];
}

/* Something was added to rows of the block. */
static inline bool series_moved_in(const SeriesIntervals *intervals, uint32_t block)
{
    return intervals->moved >> block & 1;
}

/* False: nothing was added to the row. */
static inline bool series_has(const SeriesKept *kept, uint32_t row)
{
    return kept->moved >> row / SERIES_SIDE & 1;
}

static inline uint64_t series_value(const SeriesKept *kept, uint32_t row, uint32_t index)
{
    return series_has(kept, row) ? kept->value[(size_t)row * kept->count + index] : 0;
}
