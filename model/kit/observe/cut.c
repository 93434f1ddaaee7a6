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
    if (!now->maximum && now->full == then->full) return;
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
    LevelTime *integral;    /* of the next level */
} Difference;

/* Of one that is no plain number. */
static void take_statistic(Difference *difference, const Stat *stat)
{
    void *sum = difference->sum + stat->offset, *then = difference->then + stat->offset,
         *now = difference->now + stat->offset;
    switch (stat->type) {
    case STAT_LEVEL: take_level(sum, difference->integral++, then, now); break;
    case STAT_HISTOGRAM: take_histogram(sum, then, now); break;
    case STAT_STAGES: take_stages(sum, then, now); break;
    case STAT_BANKS: take_banks(sum, then, now); break;
    case STAT_COUNT:
    case STAT_BYTES:
    case STAT_TIME:
    case STAT_RANKING:
    case STAT_HEAVY: break; /* addresses are of the whole only */
    }
}

/* Units of most kernels have done nothing in them. */
static void take_run(const Difference *difference, const NumberRun *run)
{
    uint64_t *restrict sum = (uint64_t *)(void *)(difference->sum + run->offset);
    uint64_t *restrict then = (uint64_t *)(void *)(difference->then + run->offset);
    const uint64_t *restrict now = (const uint64_t *)(const void *)(difference->now + run->offset);
    if (!memcmp(now, then, run->count * sizeof *now)) return;
    for (uint32_t i = 0; i < run->count; i++) sum[i] += now[i] - then[i];
    memcpy(then, now, run->count * sizeof *now);
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

static void take_statistics(Cut *cut, const CutUnit *unit, PhaseSums *sums)
{
    const PhaseGroup *group = phase_layout_group(sums->layout, cut->place.group);
    const GroupSums *into = &sums->group[cut->place.group];
    Difference difference = {into->statistics, cut->then, unit->unit, into->integral};
    if (!cut->then) difference.then = cut->then = sparse_new(cut->size = unit->size);
    take_loads(cut, unit, group, sums);
    for (uint32_t i = 0; i < group->runs; i++) take_run(&difference, &group->run[i]);
    for (guint i = 0; i < group->others->len; i++)
        take_statistic(&difference, group->others->pdata[i]);
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

/* All units' meters are read at each end: those that are rows are without asking them. */
static MeterSum read_meter(const Meter *meter, Time at)
{
    switch (meter->kind) {
    case METER_SERVER: {
        const uint64_t work = server_work(meter->field, meter->capacity, at);
        return (MeterSum){work, server_full(work, meter->capacity), refusals(meter)};
    }
    case METER_PLACE:
        return (MeterSum){level_work(meter->field, at), level_full(meter->field, at),
                          refusals(meter)};
    case METER_ELSE: break;
    }
    const ResourceCount count = meter_read(meter, at);
    return sum_of(meter, &count);
}

static MeterSum *read_opened(const MeterList *meters)
{
    MeterSum *read = g_new0(MeterSum, MAX(meters->count, 1));
    for (uint32_t i = 0; i < meters->count; i++)
        read[i] = sum_of(&meters->at[i], &meters->at[i].opened);
    return read;
}

static void take_meter(MeterSum *sum, MeterSum *then, MeterSum now)
{
    take_number(&sum->work, &then->work, now.work);
    take_number(&sum->full, &then->full, now.full);
    take_number(&sum->refused, &then->refused, now.refused);
}

/* Later than any work that is booked. */
#define MUCH_LATER (TIME_NS * 1000000)

static bool meter_rests(const Meter *meter, const MeterSum *now, Time at)
{
    const MeterSum later = read_meter(meter, at + MUCH_LATER);
    return later.work == now->work && later.full == now->full;
}

/* Returns whether all rest. */
static bool take_meters(Cut *cut, const CutUnit *unit, PhaseSums *sums, Time at)
{
    const MeterList *meters = unit->meters;
    bool rest = true;
    if (!cut->read) cut->read = read_opened(meters);
    for (uint32_t i = 0; i < meters->count; i++) {
        const Meter *meter = &meters->at[i];
        take_meter(&sums->meter[cut->place.meter + i], &cut->read[i], read_meter(meter, at));
        if (rest) rest = meter_rests(meter, &cut->read[i], at);
    }
    return rest;
}

/* --- both ------------------------------------------------------------------------------------- */

static Level *level_at(const Stat *stat, void *unit)
{
    return (Level *)(void *)((char *)unit + stat->offset);
}

static bool levels_rest(const PhaseGroup *group, void *unit)
{
    for (guint i = 0; i < group->others->len; i++) {
        const Stat *stat = group->others->pdata[i];
        if (stat->type == STAT_LEVEL && level_at(stat, unit)->now) return false;
    }
    return true;
}

static void settle_levels(const PhaseGroup *group, void *unit, Time at)
{
    for (guint i = 0; i < group->others->len; i++) {
        const Stat *stat = group->others->pdata[i];
        if (stat->type == STAT_LEVEL) level_settle(level_at(stat, unit), at);
    }
}

void cut_take(Cut *cut, const CutUnit *unit, PhaseSums *sums, Time at)
{
    const bool idle = cut->rests && cut->events == unit->events;
    if (idle && !unit->handled) return;
    const PhaseGroup *group = phase_layout_group(sums->layout, cut->place.group);
    settle_levels(group, unit->unit, at);
    take_statistics(cut, unit, sums);
    cut->events = unit->events;
    const bool empty = levels_rest(group, unit->unit);
    if (!idle || !empty) cut->rests = take_meters(cut, unit, sums, at) && empty;
}
