#include "kit/observe/series.h"

#include <string.h>

static uint32_t count_marked(const Stat *stats)
{
    uint32_t count = 0;
    for (const Stat *stat = stats; stat && stat->name; stat++) count += stat->over_time;
    return count;
}

/* The meters of one resource begin at `first`; returns how many. */
static uint32_t count_elements(const MeterList *meters, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < meters->count && meters->at[end].name == meters->at[first].name) end++;
    return end - first;
}

/* Those of an array are summed up in one row. `row` NULL: only counts them. */
static uint32_t add_resources(SeriesRow *row, const MeterList *meters)
{
    uint32_t rows = 0;
    for (uint32_t i = 0, count; i < meters->count; i += count) {
        count = count_elements(meters, i);
        if (count > METERS_EACH) continue;
        if (row) row[rows] = (SeriesRow){.meter = i, .meters = count};
        rows++;
    }
    return rows;
}

Series *series_new(const Stat *stats, const MeterList *meters)
{
    const uint32_t rows = count_marked(stats) + add_resources(NULL, meters);
    if (!rows) return NULL;
    Series *series = g_malloc0(sizeof(Series) + rows * sizeof(SeriesRow));
    series->open.rows = series->kept.rows = rows;
    series->statistics = count_marked(stats);
    series->meters = meters->at;
    SeriesRow *row = series->row;
    for (const Stat *stat = stats; stat->name; stat++) {
        g_assert(!stat->over_time || stat->type <= STAT_LEVEL);
        if (stat->over_time)
            *row++ = (SeriesRow){.offset = stat->offset,
                                 .level = stat->type == STAT_LEVEL,
                                 .spans = stat->slot.of != NULL};
    }
    add_resources(row, meters);
    return series;
}

void series_free(Series *series)
{
    if (!series) return;
    g_free(series->open.value);
    g_free(series->kept.value);
    g_free(series);
}

/* When the one after the closed intervals ends. */
static Time next_end(const SeriesIntervals *intervals)
{
    return intervals->start + (intervals->count + 1) * intervals->interval;
}

static uint64_t read_meters(const Series *series, const SeriesRow *row, Time at)
{
    uint64_t work = 0;
    for (uint32_t i = 0; i < row->meters; i++)
        work += meter_read(&series->meters[row->meter + i], at).work;
    return work;
}

/* Statistics begin with the region, resources have been counting before. */
static uint64_t read_begun(const Series *series, const SeriesRow *row)
{
    return row->meters ? read_meters(series, row, series->open.start) : 0;
}

static uint64_t read_now(const SeriesRow *row, const void *unit)
{
    const void *field = (const char *)unit + row->offset;
    return row->level ? ((const Level *)field)->integral : *(const uint64_t *)field;
}

/* A level has kept its value since it was settled. */
static uint64_t read_at(const Series *series, const SeriesRow *row, const void *unit, Time at)
{
    if (row->meters) return read_meters(series, row, at);
    if (row->spans) return row->seen;
    const uint64_t settled = read_now(row, unit);
    if (!row->level) return settled;
    const Level *level = (const Level *)(const void *)((const char *)unit + row->offset);
    return at > level->since ? settled + level->now * (at - level->since) : settled;
}

static size_t size_of(const SeriesIntervals *intervals)
{
    return (size_t)intervals->rows * SERIES_INTERVALS * sizeof *intervals->value;
}

static void clear(SeriesIntervals *intervals)
{
    if (intervals->value) memset(intervals->value, 0, size_of(intervals));
}

Time series_restart(Series *series, Time start)
{
    series->open.start = start;
    series->open.interval = SERIES_FIRST_INTERVAL;
    series->open.count = 0;
    series->found_from = series->found_to = 0;
    clear(&series->open);
    for (uint32_t i = 0; i < series->open.rows; i++)
        series->row[i].seen = read_begun(series, &series->row[i]);
    return next_end(&series->open);
}

/* Into an interval that has been zero. Most rows of most units stay so: they take no memory. */
static void put(SeriesIntervals *intervals, uint32_t row, uint32_t index, uint64_t value)
{
    if (!value) return;
    if (!intervals->value) intervals->value = g_malloc0(size_of(intervals));
    intervals->value[row * SERIES_INTERVALS + index] = value;
}

/* Integers add up exactly, so a series that was merged is the one that a longer first interval
 * would have given. What is not used is zero. */
static void merge_neighbours(SeriesIntervals *intervals)
{
    intervals->count /= 2;
    intervals->interval *= 2;
    for (uint32_t r = 0; intervals->value && r < intervals->rows; r++) {
        uint64_t *value = &intervals->value[r * SERIES_INTERVALS];
        for (uint32_t i = 0; i < intervals->count; i++) value[i] = value[2 * i] + value[2 * i + 1];
        memset(&value[intervals->count], 0, intervals->count * sizeof *value);
    }
}

static void merge_open(Series *series)
{
    merge_neighbours(&series->open);
    series->found_from = series->found_to = 0;
}

/* Resources are many, and lie all over a unit: they are read once for so many intervals. */
enum { TOGETHER = 4 };

static Time start_of(const SeriesIntervals *intervals, uint32_t index)
{
    return intervals->start + index * intervals->interval;
}

/* An interval's part of what was added in so long, as a rule as many as are read at once. */
static uint64_t part_of(uint64_t value, Time interval, Time length)
{
    if (length == TOGETHER * interval) return value / TOGETHER;
    return (uint64_t)((LevelTime)value * interval / length);
}

/* Sets what was added from the beginning of interval `first` to `end`, which lies in or behind the
 * last one: by their lengths. */
static void spread(SeriesIntervals *intervals, uint32_t row, uint32_t first, Time end,
                   uint64_t value)
{
    const Time length = end - start_of(intervals, first);
    uint64_t rest = value;
    uint32_t i = first;
    if (!value) return;
    const uint64_t part = part_of(value, intervals->interval, length);
    for (; start_of(intervals, i + 1) < end; i++, rest -= part) put(intervals, row, i, part);
    put(intervals, row, i, rest);
}

static void close_resource(Series *series, uint32_t r, Time end)
{
    SeriesRow *row = &series->row[r];
    const uint64_t value = read_meters(series, row, end);
    spread(&series->open, r, series->open.count + 1 - TOGETHER, end, value - row->seen);
    row->seen = value;
}

static void close_one(Series *series, const void *unit, Time end)
{
    SeriesIntervals *open = &series->open;
    const bool read = (open->count + 1) % TOGETHER == 0;
    for (uint32_t r = 0; r < series->statistics; r++) {
        SeriesRow *row = &series->row[r];
        if (row->spans) continue;
        const uint64_t value = read_at(series, row, unit, end);
        put(open, r, open->count, value - row->seen);
        row->seen = value;
    }
    for (uint32_t r = series->statistics; read && r < open->rows; r++)
        close_resource(series, r, end);
    open->count++;
}

/* What is read only rises, so that where nothing has come at the end nothing came in between. */
static bool rests(const Series *series, const void *unit, Time until)
{
    for (uint32_t r = 0; r < series->open.rows; r++)
        if (read_at(series, &series->row[r], unit, until) != series->row[r].seen) return false;
    return true;
}

/* Many intervals at once end in units that rest, whose resources need not be read for each. */
Time series_close(Series *series, const void *unit, Time now)
{
    SeriesIntervals *open = &series->open;
    const bool several = next_end(open) + open->interval <= now;
    const bool rest = several && rests(series, unit, now);
    for (;;) {
        const Time end = next_end(open);
        if (end > now) return end;
        if (open->count == SERIES_INTERVALS)
            merge_open(series);
        else if (rest)
            open->count++;
        else
            close_one(series, unit, end);
    }
}

/* The interval of a time that is not in the future: the open one at the latest, of which there is
 * one more than there is room for when all are closed. */
static void find_interval(Series *series, Time at)
{
    SeriesIntervals *open = &series->open;
    if (at >= start_of(open, SERIES_INTERVALS)) merge_open(series);
    series->found = (uint32_t)((at - open->start) / open->interval);
    series->found_from = start_of(open, series->found);
    series->found_to = series->found_from + open->interval;
    if (!open->value) open->value = g_malloc0(size_of(open));
}

/* As a rule all of it is where the one before was. */
void series_add(Series *series, uint32_t row, Time from, Time to)
{
    from = MAX(from, series->open.start);
    while (from < to) {
        if (from < series->found_from || from >= series->found_to) find_interval(series, from);
        const Time end = MIN(to, series->found_to);
        series->open.value[row * SERIES_INTERVALS + series->found] += end - from;
        from = end;
    }
}

static void copy(SeriesIntervals *to, const SeriesIntervals *from)
{
    uint64_t *value = to->value;
    if (!from->value) {
        clear(to);
    } else {
        if (!value) value = g_malloc(size_of(from));
        memcpy(value, from->value, size_of(from));
    }
    *to = *from;
    to->value = value;
}

/* Where nothing is unread, it has come in the last interval, which has ended already. */
static void keep_resource(Series *series, uint32_t r, uint32_t first, Time end)
{
    SeriesIntervals *kept = &series->kept;
    const SeriesRow *row = &series->row[r];
    const bool all_read = kept->count % TOGETHER == 0 && first + 1 == kept->count;
    const uint64_t there = all_read ? series_value(kept, r, first) : 0;
    spread(kept, r, first, end, there + read_meters(series, row, end) - row->seen);
}

void series_keep(Series *series, const void *unit, Time end)
{
    SeriesIntervals *kept = &series->kept;
    copy(kept, &series->open);
    series->kept_until = end;
    uint32_t first = kept->count - kept->count % TOGETHER; /* whose resources have not been read */
    if (kept->start + kept->count * kept->interval < end) {
        if (kept->count == SERIES_INTERVALS) merge_neighbours(kept);
        first = kept->count - kept->count % TOGETHER;
        kept->count++;
    }
    if (!kept->count) return; /* nothing has passed */
    const uint32_t last = kept->count - 1;
    for (uint32_t r = 0; r < kept->rows; r++) {
        const SeriesRow *row = &series->row[r];
        if (row->meters)
            keep_resource(series, r, MIN(first, last), end);
        else if (!row->spans)
            put(kept, r, last, series_value(kept, r, last) + read_now(row, unit) - row->seen);
    }
}
