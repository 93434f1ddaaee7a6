#include "kit/observe/cut.h"

#include "kit/gpu/message.h"
#include "parts/sparse.h"

#include <string.h>

void cut_finish(Cut *cut)
{
    sparse_free(g_steal_pointer(&cut->then));
    g_clear_pointer(&cut->seen, g_aligned_free);
    g_clear_pointer(&cut->meter, g_free);
}

/* --- statistics ------------------------------------------------------------------------------- */

/* Most have not moved, and their memory is not touched. */
static void take_number(uint64_t *sum, uint64_t *then, uint64_t now)
{
    if (now == *then) return;
    *sum += now - *then;
    *then = now;
}

/* Of sums that stay at their end when they are full. */
static void take_level(Level *sum, LevelTime *integral, Level *then, Level *now)
{
    sum->maximum = MAX(sum->maximum, now->maximum);
    then->maximum = MAX(then->maximum, now->maximum);
    now->maximum = now->now;
    *integral += now->integral - then->integral;
    then->integral = now->integral;
    take_number(&sum->full, &then->full, now->full);
    take_number(&sum->arrivals, &then->arrivals, now->arrivals);
    take_number(&sum->stay, &then->stay, now->stay);
}

static void widen_histogram(Histogram *into, const Histogram *from)
{
    histogram_use(into, histogram_first(from), histogram_end(from));
    if (!into->count || from->minimum < into->minimum) into->minimum = from->minimum;
    into->maximum = MAX(into->maximum, from->maximum);
}

/* What was added lies between the extremes since the last cut. */
static void take_histogram(Histogram *sum, Histogram *then, Histogram *now)
{
    widen_histogram(sum, now);
    widen_histogram(then, now);
    const unsigned last = histogram_bucket_of(now->maximum);
    for (unsigned i = histogram_bucket_of(now->minimum); i <= last; i++) {
        const uint32_t added = now->bucket[i] - then->bucket[i];
        if (__builtin_add_overflow(sum->bucket[i], added, &sum->bucket[i]))
            sum->bucket[i] = UINT32_MAX;
        then->bucket[i] = now->bucket[i];
    }
    take_number(&sum->count, &then->count, now->count);
    take_number(&sum->sum, &then->sum, now->sum);
    now->minimum = UINT64_MAX;
    now->maximum = 0;
}

static void take_stages(StageSums *sum, StageSums *then, const StageSums *now)
{
    take_number(&sum->count, &then->count, now->count);
    take_number(&sum->latency, &then->latency, now->latency);
    for (unsigned i = 0; i < STAGE_COUNT; i++)
        take_number(&sum->stage[i], &then->stage[i], now->stage[i]);
}

static void take_banks(BankCounts *sum, BankCounts *then, const BankCounts *now)
{
    sum->banks = MAX(sum->banks, now->banks);
    for (uint64_t i = 0; i < now->banks; i++)
        take_number(&sum->bank[i], &then->bank[i], now->bank[i]);
}

typedef struct {
    char *sum, *then, *now; /* laid out as the unit */
} Difference;

/* Histograms and stages begin with their counts. Banks, with how many there are, always move. */
static inline bool has_grown(const Difference *difference, const Stat *stat, uint64_t *seen)
{
    G_STATIC_ASSERT(offsetof(Histogram, count) == 0 && offsetof(StageSums, count) == 0);
    const uint64_t now = *(const uint64_t *)(const void *)(difference->now + stat->offset);
    if (now == *seen) return false;
    *seen = stat->type == STAT_BANKS ? 0 : now;
    return true;
}

/* Of one that is neither a plain number nor a level. */
static void take_statistic(const Difference *difference, const Stat *stat)
{
    void *sum = difference->sum + stat->offset, *then = difference->then + stat->offset,
         *now = difference->now + stat->offset;
    switch (stat->type) {
    case STAT_HISTOGRAM: take_histogram(sum, then, now); break;
    case STAT_STAGES: take_stages(sum, then, now); break;
    case STAT_BANKS: take_banks(sum, then, now); break;
    case STAT_COUNT:
    case STAT_BYTES:
    case STAT_TIME:
    case STAT_LEVEL:
    case STAT_RANKING:
    case STAT_HEAVY: break; /* addresses are of the whole only */
    }
}

static void take_others(const Difference *difference, const PhaseGroup *group, uint64_t *seen,
                        GroupSums *into)
{
    for (uint32_t i = group->levels; i < group->others->len; i++) {
        const Stat *stat = phase_group_other(group, i);
        if (!has_grown(difference, stat, &seen[i])) continue;
        take_statistic(difference, stat);
        into->others_moved |= phase_bit(i);
    }
}

/* Returns whether all are empty. */
static bool take_levels(const Difference *difference, const PhaseGroup *group, GroupSums *into,
                        Time at)
{
    bool empty = true;
    for (uint32_t i = 0; i < group->levels; i++) {
        const size_t offset = phase_group_other(group, i)->offset;
        Level *now = (Level *)(void *)(difference->now + offset);
        if (!now->maximum) continue; /* nothing has been in it since */
        level_settle(now, at);
        empty &= !now->now;
        take_level((Level *)(void *)(difference->sum + offset), &into->integral[i],
                   (Level *)(void *)(difference->then + offset), now);
        into->others_moved |= phase_bit(i);
    }
    return empty;
}

static inline bool has_moved(const BlockWords *now, const BlockWords *seen,
                             const NumberBlock *block)
{
    BlockWords moved = {0};
#pragma GCC unroll 4
    for (uint32_t i = 0; i < BLOCK_PAIRS; i++) moved |= (now[i] & block->mask[i]) ^ seen[i];
    return moved[0] | moved[1];
}

static void take_block(BlockWords *sum, const BlockWords *now, BlockWords *seen,
                       const NumberBlock *block)
{
#pragma GCC unroll 4
    for (uint32_t i = 0; i < BLOCK_PAIRS; i++) {
        const BlockWords words = now[i] & block->mask[i];
        sum[i] += words - seen[i];
        seen[i] = words;
    }
}

/* Those of `counted`; the others have not moved. */
static void take_numbers(const Difference *difference, const PhaseGroup *group, Counted counted,
                         BlockWords *seen, GroupSums *into)
{
    for (uint32_t b = 0; b < group->blocks; b++, seen += BLOCK_PAIRS) {
        const NumberBlock *block = &group->block[b];
        const void *now = difference->now + block->offset;
        if (block->offset >= counted.until) break;
        if (block->offset + sizeof block->mask <= counted.from) continue;
        if (!has_moved(now, seen, block)) continue;
        take_block((void *)(difference->sum + block->offset), now, seen, block);
        into->moved |= phase_bit(b);
    }
}

static uint64_t number_at(const Stat *stat, const void *unit)
{
    return stat ? *(const uint64_t *)(const void *)((const char *)unit + stat->offset) : 0;
}

static void take_loads(Cut *cut, const CutUnit *unit, const PhaseGroup *group, PhaseSums *sums)
{
    for (uint32_t i = 0; i < group->loads; i++) {
        const PhaseLoad *load = &group->load[i];
        const uint64_t now = number_at(load->a, unit->unit) + number_at(load->b, unit->unit);
        take_number(&sums->load[cut->place.load + i], &cut->load[i], now);
    }
}

/* Lines of the host's cache. */
static BlockWords *new_seen(const PhaseGroup *group)
{
    const size_t line = sizeof(BlockWords) * BLOCK_PAIRS;
    const size_t counts = (group->others->len * sizeof(uint64_t) + line - 1) / line;
    return g_aligned_alloc0(group->blocks + MAX(counts, 1), line, HOST_LINE);
}

/* Returns whether all levels are empty. */
static bool take_statistics(Cut *cut, const CutUnit *unit, PhaseSums *sums, Time at)
{
    const PhaseGroup *group = phase_layout_group(sums->layout, cut->place.group);
    GroupSums *into = &sums->group[cut->place.group];
    if (!cut->seen) {
        cut->seen = new_seen(group);
        cut->then = sparse_new(cut->size = unit->size);
    }
    const Difference difference = {into->statistics, cut->then, unit->unit};
    take_loads(cut, unit, group, sums);
    take_numbers(&difference, group, COUNTED_ANYTHING, cut->seen, into);
    take_others(&difference, group, (void *)&cut->seen[group->blocks * BLOCK_PAIRS], into);
    return take_levels(&difference, group, into, at);
}

/* Of a unit that rests. */
static void take_counted(Cut *cut, const CutUnit *unit, PhaseSums *sums)
{
    GroupSums *into = &sums->group[cut->place.group];
    const Difference difference = {into->statistics, cut->then, unit->unit};
    take_numbers(&difference, phase_layout_group(sums->layout, cut->place.group), cut->counted,
                 cut->seen, into);
}

void cut_widen(const Cut *cut, const Stat *stats, void *copy)
{
    if (!cut->then) return;
    for (const Stat *stat = stats; stat && stat->name; stat++) {
        void *field = (char *)copy + stat->offset;
        const void *then = (const char *)cut->then + stat->offset;
        if (stat->type == STAT_LEVEL)
            ((Level *)field)->maximum =
                MAX(((Level *)field)->maximum, ((const Level *)then)->maximum);
        if (stat->type == STAT_HISTOGRAM && ((const Histogram *)then)->count)
            widen_histogram(field, then);
    }
}

/* --- resources -------------------------------------------------------------------------------- */

/* Where a statistic has the refusals of an array they are one number, which its first element
 * has. */
static MeterSum sum_of(const Meter *meter, const ResourceCount *count)
{
    const bool another_has = meter->index && meter->refused;
    return (MeterSum){count->work, count->full, another_has ? 0 : count->refused};
}

static CutMeter opened(const Meter *meter)
{
    return (CutMeter){.then = sum_of(meter, &meter->opened),
                      .field = meter->field,
                      .refused = meter->index ? NULL : meter->refused,
                      .meter = meter,
                      .kind = meter->kind};
}

static CutMeter *new_meters(const MeterList *meters)
{
    CutMeter *cut = g_new0(CutMeter, MAX(meters->count, 1));
    for (uint32_t i = 0; i < meters->count; i++) cut[i] = opened(&meters->at[i]);
    return cut;
}

static uint64_t refusals(const CutMeter *meter)
{
    return meter->refused ? *meter->refused : 0;
}

typedef struct {
    MeterSum sum;
    bool rests;
} MeterNow;

static inline MeterNow read_server(const CutMeter *meter, Time at)
{
    const Server *server = meter->field;
    const uint64_t at_once = meter->meter->capacity, work = server_work(server, at_once, at);
    return (MeterNow){{work, server_full(work, at_once), refusals(meter)}, server->until <= at};
}

static inline MeterNow read_place(const CutMeter *meter, Time at)
{
    const Level *level = meter->field;
    return (MeterNow){{level_work(level, at), level_full(level, at), refusals(meter)}, !level->now};
}

static MeterNow read_else(const CutMeter *meter, Time at)
{
    const ResourceCount count = meter_read(meter->meter, at);
    return (MeterNow){sum_of(meter->meter, &count), !count.inside};
}

/* All meters of a unit are read at each end: those that are rows are without asking them. */
static inline MeterNow read_meter(const CutMeter *meter, Time at)
{
    switch (meter->kind) {
    case METER_SERVER: return read_server(meter, at);
    case METER_PLACE: return read_place(meter, at);
    case METER_ELSE: return read_else(meter, at);
    }
    g_assert_not_reached();
}

/* Most have done nothing since, and have nothing to do. */
static inline bool has_rested(const CutMeter *meter, Time at)
{
    const Server *server = meter->field;
    const Level *level = meter->field;
    const uint64_t work = meter->then.work;
    if (refusals(meter) != meter->then.refused) return false;
    if (meter->kind == METER_SERVER) return server->busy == work && server->until <= at;
    return meter->kind == METER_PLACE && level->integral == work && !level->now;
}

static inline bool is_same(const MeterSum *a, const MeterSum *b)
{
    return a->work == b->work && a->full == b->full && a->refused == b->refused;
}

/* Returns whether all rest. */
static bool take_meters(Cut *cut, const CutUnit *unit, PhaseSums *sums, Time at)
{
    bool rest = true;
    if (!cut->meter) cut->meter = new_meters(unit->meters);
    for (uint32_t i = 0; i < unit->meters->count; i++) {
        CutMeter *meter = &cut->meter[i];
        if (has_rested(meter, at)) continue;
        const MeterNow now = read_meter(meter, at);
        MeterSum *then = &meter->then;
        rest &= now.rests;
        if (is_same(&now.sum, then)) continue;
        phase_sums_add_meter(sums, cut->place.meter + i,
                             &(MeterSum){now.sum.work - then->work, now.sum.full - then->full,
                                         now.sum.refused - then->refused});
        *then = now.sum;
    }
    return rest;
}

/* --- both ------------------------------------------------------------------------------------- */

static void take_all(Cut *cut, const CutUnit *unit, PhaseSums *sums, Time at)
{
    const bool rests = cut_rests(cut, unit->events);
    const bool empty = take_statistics(cut, unit, sums, at);
    cut->events = unit->events;
    if (!rests || !empty) cut->rests = take_meters(cut, unit, sums, at) && empty;
}

void cut_take(Cut *cut, const CutUnit *unit, PhaseSums *sums, Time at)
{
    if (cut_rests(cut, unit->events) && cut->counted.until < SIZE_MAX)
        take_counted(cut, unit, sums);
    else
        take_all(cut, unit, sums, at);
    cut->counted = COUNTED_NOTHING;
}
