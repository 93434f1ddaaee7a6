#include "kit/observe/cut.h"

#include "kit/observe/pages.h"

#include <string.h>

void cut_finish(Cut *cut)
{
    sparse_free(g_steal_pointer(&cut->then), cut->size);
    g_clear_pointer(&cut->read, g_free);
}

/* --- statistics ------------------------------------------------------------------------------- */

/* Most have not moved, and their memory is not touched. */
static void take_number(uint64_t *sum, uint64_t *then, uint64_t now)
{
    if (now == *then) return;
    *sum += now - *then;
    *then = now;
}

/* Of sums that stay at their end when they are full. One that has been empty since is passed by. */
static void take_level(Level *sum, LevelTime *integral, Level *then, Level *now)
{
    if (!now->maximum) return;
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
    if (now->count == then->count) return;
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
    if (now->count == then->count) return;
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

/* Returns whether all are empty. */
static bool take_levels(const Difference *difference, const PhaseGroup *group, LevelTime *integral,
                        Time at)
{
    bool empty = true;
    for (uint32_t i = 0; i < group->levels; i++) {
        const size_t offset = group->level[i];
        Level *now = (Level *)(void *)(difference->now + offset);
        level_settle(now, at);
        empty &= !now->now;
        take_level((Level *)(void *)(difference->sum + offset), &integral[i],
                   (Level *)(void *)(difference->then + offset), now);
    }
    return empty;
}

/* Most numbers of most units do not move in a kernel. */
static inline void take_run(const Difference *difference, const NumberRun *run)
{
    uint64_t *const then = (uint64_t *)(void *)(difference->then + run->offset);
    const uint64_t *const now = (const uint64_t *)(const void *)(difference->now + run->offset);
    for (uint32_t i = 0; i < run->count; i++) {
        if (now[i] == then[i]) continue;
        ((uint64_t *)(void *)(difference->sum + run->offset))[i] += now[i] - then[i];
        then[i] = now[i];
    }
}

static uint64_t number_at(const Stat *stat, const void *unit)
{
    return stat ? *(const uint64_t *)(const void *)((const char *)unit + stat->offset) : 0;
}

/* Before the statistics are, which become those of then. */
static void take_loads(const Cut *cut, const CutUnit *unit, const PhaseGroup *group,
                       PhaseSums *sums)
{
    for (uint32_t i = 0; i < group->loads; i++) {
        const PhaseLoad *load = &group->load[i];
        sums->load[cut->place.load + i] +=
            number_at(load->a, unit->unit) - number_at(load->a, cut->then)
            + number_at(load->b, unit->unit) - number_at(load->b, cut->then);
    }
}

/* Returns whether all levels are empty. */
static bool take_statistics(Cut *cut, const CutUnit *unit, PhaseSums *sums, Time at)
{
    const PhaseGroup *group = phase_layout_group(sums->layout, cut->place.group);
    const GroupSums *into = &sums->group[cut->place.group];
    if (!cut->then) cut->then = sparse_new(cut->size = unit->size);
    const Difference difference = {into->statistics, cut->then, unit->unit};
    take_loads(cut, unit, group, sums);
    for (uint32_t i = 0; i < group->runs; i++) take_run(&difference, &group->run[i]);
    for (guint i = 0; i < group->others->len; i++)
        take_statistic(&difference, group->others->pdata[i]);
    return take_levels(&difference, group, into->integral, at);
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

static uint64_t refusals(const Meter *meter)
{
    return meter->refused && !meter->index ? *meter->refused : 0;
}

static MeterSum *read_opened(const MeterList *meters)
{
    MeterSum *read = g_new0(MeterSum, MAX(meters->count, 1));
    for (uint32_t i = 0; i < meters->count; i++)
        read[i] = sum_of(&meters->at[i], &meters->at[i].opened);
    return read;
}

/* The sum of a meter, and what it was then. */
typedef struct {
    PhaseSums *sums;
    uint32_t number;
    MeterSum *then;
} MeterDifference;

static void add_difference(const MeterDifference *difference, const MeterSum *now)
{
    const MeterSum *then = difference->then;
    const MeterSum added = {now->work - then->work, now->full - then->full,
                            now->refused - then->refused};
    phase_sums_add_meter(difference->sums, difference->number, &added);
    *difference->then = *now;
}

/* Most have done nothing since. */
static inline void take_sum(const MeterDifference *difference, MeterSum now)
{
    const MeterSum *then = difference->then;
    if (now.work != then->work || now.full != then->full || now.refused != then->refused)
        add_difference(difference, &now);
}

static bool take_server(const MeterDifference *difference, const Meter *meter, Time at)
{
    const Server *server = meter->field;
    const uint64_t work = server_work(server, meter->capacity, at);
    take_sum(difference, (MeterSum){work, server_full(work, meter->capacity), refusals(meter)});
    return server->until <= at;
}

static bool take_place(const MeterDifference *difference, const Meter *meter, Time at)
{
    const Level *level = meter->field;
    take_sum(difference, (MeterSum){level_work(level, at), level_full(level, at), refusals(meter)});
    return !level->now;
}

static bool take_else(const MeterDifference *difference, const Meter *meter, Time at)
{
    const ResourceCount count = meter_read(meter, at);
    take_sum(difference, sum_of(meter, &count));
    return !count.inside;
}

/* All units' meters are read at each end: those that are rows are without asking them. Returns
 * whether it rests. */
static bool take_meter(const MeterDifference *difference, const Meter *meter, Time at)
{
    switch (meter->kind) {
    case METER_SERVER: return take_server(difference, meter, at);
    case METER_PLACE: return take_place(difference, meter, at);
    case METER_ELSE: return take_else(difference, meter, at);
    }
    g_assert_not_reached();
}

/* Returns whether all rest. */
static bool take_meters(Cut *cut, const CutUnit *unit, PhaseSums *sums, Time at)
{
    const MeterList *meters = unit->meters;
    bool rest = true;
    if (!cut->read) cut->read = read_opened(meters);
    for (uint32_t i = 0; i < meters->count; i++) {
        const MeterDifference difference = {sums, cut->place.meter + i, &cut->read[i]};
        rest &= take_meter(&difference, &meters->at[i], at);
    }
    return rest;
}

/* --- both ------------------------------------------------------------------------------------- */

void cut_take(Cut *cut, const CutUnit *unit, PhaseSums *sums, Time at)
{
    const bool rests = cut_rests(cut, unit->events);
    const bool empty = take_statistics(cut, unit, sums, at);
    cut->events = unit->events;
    cut->counted = false;
    if (!rests || !empty) cut->rests = take_meters(cut, unit, sums, at) && empty;
}
