/* Statistics over time, of the rows that a table marks, and work of all resources: what was added
 * to them in each of at most 128 intervals. When the intervals are full, neighbours are merged and
 * the interval doubles, so that memory is bounded however long a run is. Nothing here is an event:
 * a unit's intervals are closed when it is next stepped, or a boundary is crossed; until then
 * nothing of it changes. */
#pragma once

#include "kit/observe/meter.h"

enum { SERIES_INTERVALS = 128 };

/* The interval that a series begins with: a run of 1 us has 64 of them. */
#define SERIES_FIRST_INTERVAL (16 * TIME_NS)

typedef struct {
    Time start, interval;
    uint32_t rows, count;
    /* By row SERIES_INTERVALS numbers, of which `count` are valid and the others 0. Counts, bytes,
     * fs; of a level its integral, level x fs. NULL: nothing but zeros. */
    uint64_t *value;
} SeriesIntervals;

typedef struct {
    size_t offset; /* of the statistic */
    bool level;
    bool spans;             /* the unit says between which times: series_add */
    uint32_t meter, meters; /* of the resource; 0 meters: a statistic */
    uint64_t seen;          /* the statistic when the last interval was closed */
} SeriesRow;

typedef struct Series {
    SeriesIntervals open; /* in the making */
    SeriesIntervals kept; /* of the region of interest; the last interval may be shorter */
    Time kept_until;
    uint32_t statistics; /* rows */
    uint32_t found;      /* the interval in which series_add was last, between these times */
    Time found_from, found_to;
    const Meter *meters;
    SeriesRow row[]; /* marked statistics in the order of the table, then resources */
} Series;

/* Of a unit with these statistics and resources; NULL: no row is marked, and there are none. */
Series *series_new(const Stat *stats, const MeterList *meters);
void series_free(Series *series);

/* The region of interest begins at `start`: the unit's statistics have just been reset. Returns
 * when series_close has to be called next. */
Time series_restart(Series *series, Time start);

/* Closes the intervals that end by `now`, before anything changes at `now`; they must be due.
 * Returns when it has to be called next. */
Time series_close(Series *series, const void *unit, Time now);

/* Of a statistic that is known only when it is over, what was added to it: the time between two
 * times, of which none is in the future. */
void series_add(Series *series, uint32_t row, Time from, Time to);

/* Keeps the intervals until `end`, exactly as many as cover the time since the start, so that all
 * series of a region have the same ones. Those that end by then have been closed, and after that
 * the unit's levels settled; what is not in them yet goes into the last. Collecting goes on. */
void series_keep(Series *series, const void *unit, Time end);

static inline uint64_t series_value(const SeriesIntervals *intervals, uint32_t row, uint32_t index)
{
    return intervals->value ? intervals->value[row * SERIES_INTERVALS + index] : 0;
}
