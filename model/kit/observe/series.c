#include "kit/observe/series.h"

#include "kit/gpu/message.h"
#include "parts/sparse.h"

#include <string.h>

/* Resources are many, and lie all over a unit: they are read once for so many intervals. */
enum { TOGETHER = 4 };

/* --- rows ------------------------------------------------------------------------------------- */

/* What takes energy is collected, too, behind what is told of over time. */
static bool is_collected(const Stat *stat, bool for_energy)
{
    return for_energy ? stat->energy && !stat->steady && !stat->over_time : stat->over_time;
}

static uint32_t count_collected(const Stat *stats, bool for_energy, const Stat *end)
{
    uint32_t count = 0;
    for (const Stat *stat = stats; stat && stat->name && stat != end; stat++)
        count += is_collected(stat, for_energy);
    return count;
}

uint32_t series_row(const Stat *stats, const Stat *stat)
{
    if (stat->over_time) return count_collected(stats, false, stat);
    return count_collected(stats, false, NULL) + count_collected(stats, true, stat);
}

static SeriesRow *add_statistics(SeriesRow *row, const Stat *stats, bool for_energy)
{
    for (const Stat *stat = stats; stat && stat->name; stat++) {
        if (!is_collected(stat, for_energy)) continue;
        g_assert(stat->type <= STAT_LEVEL);
        *row++ = (SeriesRow){.place = (uint32_t)stat->offset, .level = stat->type == STAT_LEVEL};
    }
    return row;
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
        if (row) row[rows] = (SeriesRow){.place = i, .meters = (uint16_t)count};
        rows++;
    }
    return rows;
}

static SeriesSource source_of(const Meter *meter, uint32_t row)
{
    const MeterKind kind = meter->capacity > UINT32_MAX ? METER_ELSE : meter->kind;
    return (SeriesSource){.of = kind == METER_ELSE ? meter : meter->field,
                          .at_once = (uint32_t)meter->capacity,
                          .row = (uint16_t)row,
                          .kind = (uint8_t)kind};
}

static void add_sources(Series *series)
{
    GArray *sources = g_array_new(FALSE, FALSE, sizeof(SeriesSource));
    for (uint32_t r = series->first * SERIES_SIDE; r < series->open.rows; r++)
        for (uint32_t i = 0; i < series->row[r].meters; i++) {
            const SeriesSource source = source_of(&series->meters[series->row[r].place + i], r);
            g_array_append_val(sources, source);
        }
    series->sources = sources->len;
    series->source = (SeriesSource *)(void *)g_array_free(sources, FALSE);
}

static uint32_t find_run(const SeriesBlock *block)
{
    for (uint32_t i = 0; i < SERIES_SIDE; i++)
        if (block->field[i] != block->field[0] + i * sizeof(uint64_t)) return 0;
    return block->field[0] & SERIES_LEVEL ? 0 : block->field[0];
}

static void fill_blocks(Series *series)
{
    for (uint32_t r = 0; r < series->statistics; r++) {
        SeriesBlock *block = &series->block[r / SERIES_SIDE];
        const SeriesRow *row = &series->row[r];
        block->field[block->rows++] = row->place | (row->level ? SERIES_LEVEL : 0);
        if (block->rows == SERIES_SIDE) block->run = find_run(block);
    }
}

static uint32_t count_lines(uint32_t rows)
{
    return (rows + SERIES_SIDE - 1) / SERIES_SIDE;
}

/* In one piece. */
static Series *allocate(uint32_t blocks, uint32_t first, uint32_t rows)
{
    const size_t behind = sizeof(Series) + first * sizeof(SeriesBlock);
    char *piece = g_aligned_alloc0(1, behind + rows * sizeof(SeriesRow), HOST_LINE);
    Series *series = (Series *)(void *)piece;
    series->first = first;
    series->open.rows = series->kept.rows = rows;
    series->open.blocks = blocks;
    series->row = (SeriesRow *)(void *)(piece + behind);
    return series;
}

Series *series_new(const Stat *stats, const MeterList *meters)
{
    const uint32_t statistics =
        count_collected(stats, false, NULL) + count_collected(stats, true, NULL);
    const uint32_t resources = add_resources(NULL, meters);
    const uint32_t first = count_lines(statistics);
    const uint32_t rows = resources ? first * SERIES_SIDE + resources : statistics;
    if (!rows) return NULL;
    g_assert(count_lines(rows) <= SERIES_BLOCKS_MAX);
    Series *series = allocate(count_lines(rows), first, rows);
    series->statistics = statistics;
    series->meters = meters->at;
    series->begun = SPARSE_ARRAY(SeriesLine, MAX(series->open.blocks - first, 1));
    add_statistics(add_statistics(series->row, stats, false), stats, true);
    if (resources) add_resources(&series->row[first * SERIES_SIDE], meters);
    fill_blocks(series);
    add_sources(series);
    return series;
}

void series_free(Series *series)
{
    if (!series) return;
    sparse_free(series->open.lines);
    sparse_free(series->kept.value);
    sparse_free(series->begun);
    g_free(series->source);
    g_aligned_free(series);
}

/* --- reading ---------------------------------------------------------------------------------- */

static uint64_t read_source(const SeriesSource *source, Time at)
{
    switch ((MeterKind)source->kind) {
    case METER_SERVER: return server_work(source->of, source->at_once, at);
    case METER_PLACE: return level_work(source->of, at);
    case METER_ELSE: return meter_read(source->of, at).work;
    }
    return 0;
}

/* `source`: the first of the block; returns the first of the next one. */
static const SeriesSource *read_resources(const Series *series, const SeriesSource *source, Time at,
                                          SeriesLine *line)
{
    const SeriesSource *end = series->source + series->sources;
    *line = (SeriesLine){{0}};
    for (const uint32_t block = source->row / SERIES_SIDE;
         source < end && source->row / SERIES_SIDE == block; source++)
        line->row[source->row % SERIES_SIDE] += read_source(source, at);
    return source;
}

static void read_statistics(const SeriesBlock *block, const void *unit, Time at, SeriesLine *line)
{
    if (block->run) {
        memcpy(line, (const char *)unit + block->run, sizeof *line);
        return;
    }
    *line = (SeriesLine){{0}};
    for (uint32_t r = 0; r < block->rows; r++) {
        const bool level = block->field[r] & SERIES_LEVEL;
        const void *field = (const char *)unit + block->field[r] - level;
        line->row[r] = level ? level_work(field, at) : *(const uint64_t *)field;
    }
}

/* --- intervals -------------------------------------------------------------------------------- */

static Time start_of(const SeriesIntervals *intervals, uint32_t index)
{
    return intervals->start + index * intervals->interval;
}

/* Statistics begin with the region, resources have been counting before. */
Time series_restart(Series *series, Time start)
{
    series->open.start = start;
    series->open.interval = SERIES_FIRST_INTERVAL;
    series->open.count = 0;
    series->open.stride = 1;
    g_clear_pointer(&series->open.lines, sparse_free);
    series->open.moved = 0;
    for (const SeriesSource *next = series->source; next < series->source + series->sources;)
        next = read_resources(series, next, start,
                              &series->begun[next->row / SERIES_SIDE - series->first]);
    return series_next_end(series);
}

static const SeriesLine *begun_of(const Series *series, uint32_t block)
{
    static const SeriesLine nothing;
    return block < series->first ? &nothing : &series->begun[block - series->first];
}

static void take_lines(SeriesIntervals *intervals)
{
    const size_t lines = (size_t)SERIES_READINGS * intervals->blocks;
    intervals->lines = sparse_new_dense(lines * sizeof(SeriesLine));
}

/* Something has been added to its rows for the first time. Of statistics, which began as 0, that
 * is what the lines are. */
static void open_block(const Series *series, SeriesIntervals *intervals, uint32_t block)
{
    if (!intervals->lines) take_lines(intervals);
    intervals->moved |= UINT64_C(1) << block;
    for (uint32_t i = 0; block >= series->first && i <= intervals->count; i++)
        series_reading(intervals, i)[block] = *begun_of(series, block);
}

static bool is_same(const SeriesLine *a, const SeriesLine *b)
{
    uint64_t difference = 0;
    for (uint32_t i = 0; i < SERIES_SIDE; i++) difference |= a->row[i] ^ b->row[i];
    return !difference;
}

/* Most rows of most units never move: they take no memory. False: these have not by now. */
static bool moves(const Series *series, SeriesIntervals *intervals, uint32_t block,
                  const SeriesLine *now)
{
    if (series_moved_in(intervals, block)) return true;
    if (is_same(now, begun_of(series, block))) return false;
    open_block(series, intervals, block);
    return true;
}

/* A series that was merged is the one that a longer first interval would have given. */
static void merge_neighbours(SeriesIntervals *intervals)
{
    intervals->count /= 2;
    intervals->interval *= 2;
    intervals->stride = 2 * intervals->stride % SERIES_READINGS;
}

/* An interval's part of what was added in so long, as a rule as many as are read at once. */
static uint64_t part_of(uint64_t value, Time interval, Time length)
{
    if (length == TOGETHER * interval) return value / TOGETHER;
    return (uint64_t)((LevelTime)value * interval / length);
}

/* What was added from the beginning of interval `first` to `end`, which lies in or behind the last
 * one, is divided by their lengths. */
static void spread(const SeriesIntervals *intervals, uint32_t block, uint32_t first, Time end,
                   const SeriesLine *now)
{
    const Time length = end - start_of(intervals, first);
    SeriesLine before = series_reading(intervals, first)[block], part;
    for (uint32_t r = 0; r < SERIES_SIDE; r++)
        part.row[r] = part_of(now->row[r] - before.row[r], intervals->interval, length);
    for (; start_of(intervals, ++first) < end; series_reading(intervals, first)[block] = before)
        for (uint32_t r = 0; r < SERIES_SIDE; r++) before.row[r] += part.row[r];
    series_reading(intervals, first)[block] = *now;
}

static void close_resources(Series *series, Time end)
{
    const uint32_t first = series->open.count + 1 - TOGETHER;
    for (const SeriesSource *next = series->source; next < series->source + series->sources;) {
        const uint32_t block = next->row / SERIES_SIDE;
        SeriesLine now;
        next = read_resources(series, next, end, &now);
        if (moves(series, &series->open, block, &now))
            spread(&series->open, block, first, end, &now);
    }
}

static void close_one(Series *series, const void *unit, Time end)
{
    SeriesIntervals *open = &series->open;
    for (uint32_t b = 0; b < series->first; b++) {
        SeriesLine now;
        read_statistics(&series->block[b], unit, end, &now);
        if (moves(series, open, b, &now)) series_reading(open, open->count + 1)[b] = now;
    }
    if ((open->count + 1) % TOGETHER == 0) close_resources(series, end);
    open->count++;
}

static bool differs(const Series *series, uint32_t block, uint32_t read, const SeriesLine *now)
{
    const SeriesIntervals *open = &series->open;
    return !is_same(now, series_moved_in(open, block) ? &series_reading(open, read)[block]
                                                      : begun_of(series, block));
}

/* What is read only rises: none at the end, none before. Only empty channels are asked ahead. */
static bool rests(const Series *series, const void *unit, Time until)
{
    const uint32_t count = series->open.count;
    SeriesLine now;
    for (const SeriesSource *s = series->source; s < series->source + series->sources; s++)
        if (s->kind == METER_ELSE && meter_read(s->of, series_next_end(series)).inside)
            return false;
    for (uint32_t b = 0; b < series->first; b++) {
        read_statistics(&series->block[b], unit, until, &now);
        if (differs(series, b, count, &now)) return false;
    }
    for (const SeriesSource *next = series->source; next < series->source + series->sources;) {
        const uint32_t block = next->row / SERIES_SIDE;
        next = read_resources(series, next, until, &now);
        if (differs(series, block, count - count % TOGETHER, &now)) return false;
    }
    return true;
}

static void repeat(const SeriesIntervals *intervals, uint32_t block, uint32_t index)
{
    if (!series_moved_in(intervals, block)) return;
    series_reading(intervals, index)[block] = series_reading(intervals, index - 1)[block];
}

/* Nothing has come in the next interval. */
static void skip_one(Series *series)
{
    const SeriesIntervals *open = &series->open;
    const uint32_t count = ++series->open.count;
    for (uint32_t b = 0; b < series->first; b++) repeat(open, b, count);
    for (uint32_t b = series->first; count % TOGETHER == 0 && b < open->blocks; b++)
        for (uint32_t i = count - TOGETHER + 1; i <= count; i++) repeat(open, b, i);
}

static void close_next(Series *series, const void *unit, bool rest)
{
    if (series->open.count == SERIES_INTERVALS)
        merge_neighbours(&series->open);
    else if (rest)
        skip_one(series);
    else
        close_one(series, unit, series_next_end(series));
}

/* Many intervals at once end in units that rest, which need not be read for each. */
Time series_close(Series *series, const void *unit, Time now)
{
    close_next(series, unit, false);
    if (series_next_end(series) <= now) {
        const bool rest = rests(series, unit, now);
        while (series_next_end(series) <= now) close_next(series, unit, rest);
    }
    return series_next_end(series);
}

/* What has been read since is more by as much. */
void series_add_before(Series *series, uint32_t row, Time from, Time to)
{
    SeriesIntervals *open = &series->open;
    const uint32_t block = row / SERIES_SIDE;
    if (!series_moved_in(open, block)) open_block(series, open, block);
    Time end = series_since(series);
    for (uint32_t i = open->count + 1; i-- && end > from; end -= open->interval)
        series_reading(open, i)[block].row[row % SERIES_SIDE] += MIN(to, end) - from;
}

/* --- what is kept ----------------------------------------------------------------------------- */

static SeriesIntervals copy(const SeriesIntervals *from)
{
    SeriesIntervals to = *from;
    if (!from->lines) return to;
    take_lines(&to);
    for (uint32_t i = 0; i <= from->count; i++)
        memcpy(series_reading(&to, i), series_reading(from, i), from->blocks * sizeof(SeriesLine));
    return to;
}

/* What is not in any interval yet. */
static void read_rest(Series *series, SeriesIntervals *all, const void *unit, Time end)
{
    const bool more = start_of(all, all->count) < end;
    if (more && all->count == SERIES_INTERVALS) merge_neighbours(all);
    const uint32_t read = all->count - all->count % TOGETHER; /* of resources */
    all->count += more;
    if (!all->count) return;
    const uint32_t first = MIN(read, all->count - 1);
    SeriesLine now;
    for (uint32_t b = 0; b < series->first; b++) {
        read_statistics(&series->block[b], unit, 0, &now); /* levels as they are: settled */
        if (moves(series, all, b, &now)) series_reading(all, all->count)[b] = now;
    }
    for (const SeriesSource *next = series->source; next < series->source + series->sources;) {
        const uint32_t block = next->row / SERIES_SIDE;
        next = read_resources(series, next, end, &now);
        if (moves(series, all, block, &now)) spread(all, block, first, end, &now);
    }
}

/* `readings`: all, one behind the other. */
static void turn_block(SeriesKept *kept, const SeriesIntervals *all, const SeriesLine *readings,
                       uint32_t block)
{
    for (uint32_t i = 0; i < all->count; i++) {
        const SeriesLine *before = &readings[i * all->blocks + block];
        const SeriesLine *after = before + all->blocks;
        uint64_t *value = &kept->value[(size_t)block * SERIES_SIDE * all->count + i];
        for (uint32_t r = 0; r < SERIES_SIDE; r++)
            value[(size_t)r * all->count] = after->row[r] - before->row[r];
    }
}

/* Results are told row by row, of all units. The values take the place of the readings. */
static void turn(SeriesKept *kept, const SeriesIntervals *all)
{
    const size_t blocks = all->blocks;
    g_autofree SeriesLine *readings = g_new(SeriesLine, (all->count + 1) * blocks);
    for (uint32_t i = 0; i <= all->count; i++)
        memcpy(&readings[i * blocks], series_reading(all, i), blocks * sizeof *readings);
    for (uint32_t b = 0; b < blocks; b++)
        if (series_moved_in(all, b)) turn_block(kept, all, readings, b);
}

void series_keep(Series *series, const void *unit, Time end, bool last)
{
    SeriesIntervals all = last ? series->open : copy(&series->open);
    if (last) series->open = (SeriesIntervals){.rows = all.rows, .blocks = all.blocks};
    read_rest(series, &all, unit, end);
    sparse_free(series->kept.value);
    series->kept = (SeriesKept){.start = all.start,
                                .interval = all.interval,
                                .value = (uint64_t *)(void *)all.lines,
                                .moved = all.moved,
                                .rows = all.rows,
                                .count = all.count};
    series->kept_until = end;
    if (all.lines) turn(&series->kept, &all);
}
