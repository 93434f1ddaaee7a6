#include "kit/observe/cut.h"

#include "kit/gpu/message.h"
#include "parts/sparse.h"

void cut_begin(Cut *cut, const PhaseLayout *layout, PhasePlace place)
{
    cut->place = place;
    cut->group = place.group;
    cut->rests = !phase_layout_group(layout, place.group)->banks;
}

void cut_finish(Cut *cut)
{
    sparse_free(g_steal_pointer(&cut->then));
    g_clear_pointer(&cut->seen, g_aligned_free);
    g_clear_pointer(&cut->watch, g_free);
    g_clear_pointer(&cut->server, g_free);
    g_clear_pointer(&cut->meter, g_aligned_free);
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

/* Returns whether any has moved. */
static inline bool take_block(BlockWords *sum, const BlockWords *now, AlignedWords *seen,
                              const NumberBlock *block)
{
    AlignedWords words[BLOCK_PAIRS], moved = {0};
#pragma GCC unroll 4
    for (uint32_t i = 0; i < BLOCK_PAIRS; i++) {
        words[i] = now[i] & block->mask[i];
        moved |= words[i] ^ seen[i];
    }
    if (!(moved[0] | moved[1])) return false;
#pragma GCC unroll 4
    for (uint32_t i = 0; i < BLOCK_PAIRS; i++) {
        sum[i] += words[i] - seen[i];
        seen[i] = words[i];
    }
    return true;
}

static void take_numbers(const Difference *difference, const PhaseGroup *group, AlignedWords *seen,
                         GroupSums *into)
{
    for (uint32_t b = 0; b < group->blocks; b++) {
        const NumberBlock *block = &group->block[b];
        void *sum = difference->sum + block->offset;
        const void *now = difference->now + block->offset;
        if (take_block(sum, now, &seen[b * BLOCK_PAIRS], block)) into->moved |= phase_bit(b);
    }
}

static uint64_t word_at(const void *unit, size_t offset)
{
    return *(const uint64_t *)(const void *)((const char *)unit + offset);
}

static uint64_t number_at(const Stat *stat, const void *unit)
{
    return stat ? word_at(unit, stat->offset) : 0;
}

static void take_loads(Cut *cut, const CutUnit *unit, const PhaseGroup *group, PhaseSums *sums)
{
    for (uint32_t i = 0; i < group->loads; i++) {
        const PhaseLoad *load = &group->load[i];
        const uint64_t now = number_at(load->a, unit->unit) + number_at(load->b, unit->unit);
        take_number(&sums->load[cut->place.load + i], &cut->load[i], now);
    }
}

/* What was taken of it while it rested has been seen. */
static void stop_resting(Cut *cut, const PhaseGroup *group)
{
    uint64_t *seen = (uint64_t *)(void *)cut->seen;
    for (uint32_t i = 0; i < group->at_rest; i++) seen[group->resting[i].word] = cut->resting[i];
}

static void begin_to_rest(Cut *cut, const PhaseGroup *group)
{
    const uint64_t *seen = (const uint64_t *)(const void *)cut->seen;
    for (uint32_t i = 0; i < group->at_rest; i++) cut->resting[i] = seen[group->resting[i].word];
}

/* Lines of the host's cache. */
static AlignedWords *new_seen(const PhaseGroup *group)
{
    const size_t line = sizeof(AlignedWords) * BLOCK_PAIRS;
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
        cut->then = sparse_new(unit->size);
    }
    const Difference difference = {into->statistics, cut->then, unit->unit};
    take_loads(cut, unit, group, sums);
    stop_resting(cut, group);
    take_numbers(&difference, group, cut->seen, into);
    begin_to_rest(cut, group);
    take_others(&difference, group, (void *)&cut->seen[group->blocks * BLOCK_PAIRS], into);
    return take_levels(&difference, group, into, at);
}

void cut_take_at_rest(Cut *cut, const void *unit, AtRestSums *sums)
{
    const PhaseGroup *group = phase_layout_group(sums->layout, cut->group);
    uint64_t *into = sums->of[cut->group];
    g_assert(group->at_rest);
    for (uint32_t i = 0; i < group->at_rest; i++) {
        const uint64_t now = word_at(unit, group->resting[i].offset);
        if (now == cut->resting[i]) continue;
        into[i] += now - cut->resting[i];
        cut->resting[i] = now;
    }
    cut->counted = COUNTED_NOTHING;
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
        if (stat->type == STAT_HISTOGRAM && ((const Histogram *)field)->count
            && ((const Histogram *)then)->count)
            widen_histogram(field, then);
    }
}

/* --- resources -------------------------------------------------------------------------------- */

/* A number that `done` never is: nobody knows whether the meter was at rest, or it was not. */
static uint64_t never(uint64_t done)
{
    return ~done;
}

static void open_server(Cut *cut, const Meter *meter, uint32_t number)
{
    const uint32_t place = cut->servers++;
    G_STATIC_ASSERT(offsetof(Server, busy) == 0);
    cut->watch[place] = (MeterWatch){meter->done, never(*meter->done)};
    cut->server[place] = (CutServer){meter->opened.work, (uint32_t)meter->capacity, number};
}

static void open_meter(Cut *cut, const Meter *meter, uint32_t number)
{
    const ResourceCount *opened = &meter->opened;
    const uint64_t refused = meter->read ? opened->refused : 0;
    cut->watch[cut->servers + cut->meters] = (MeterWatch){meter->done, never(*meter->done)};
    cut->meter[cut->meters++] =
        (CutMeter){{opened->work, opened->full, refused}, meter->field, meter->read, number};
}

static void open_meters(Cut *cut, const MeterList *meters)
{
    const uint32_t count = MAX(meters->count, 1);
    cut->watch = g_new(MeterWatch, count);
    cut->server = g_new(CutServer, count);
    cut->meter = g_aligned_alloc(count, sizeof(CutMeter), HOST_LINE);
    for (uint32_t i = 0; i < meters->count; i++)
        if (meters->at[i].kind == METER_SERVER) open_server(cut, &meters->at[i], i);
    for (uint32_t i = 0; i < meters->count; i++)
        if (meters->at[i].kind != METER_SERVER) open_meter(cut, &meters->at[i], i);
}

static void add_meter(const Cut *cut, uint32_t number, const MeterSum *added, PhaseSums *sums)
{
    if (added->work | added->full | added->refused)
        phase_sums_add_meter(sums, cut->place.meter + number, added);
}

/* These return whether it rests. */
static inline bool take_server(const Cut *cut, uint32_t place, PhaseSums *sums, Time at)
{
    MeterWatch *watch = &cut->watch[place];
    CutServer *then = &cut->server[place];
    const Server *server = (const Server *)(const void *)watch->done;
    const uint64_t at_once = then->at_once, work = server_work(server, at_once, at);
    const Time full = server_full(work, at_once) - server_full(then->work, at_once);
    const bool rests = server->until <= at;
    add_meter(cut, then->number, &(MeterSum){work - then->work, full, 0}, sums);
    then->work = work;
    watch->seen = rests ? server->busy : never(server->busy);
    return rests;
}

static inline bool read_meter(const CutMeter *meter, Time at, MeterSum *sum)
{
    const Level *level = meter->field;
    if (!meter->read) {
        *sum = (MeterSum){level_work(level, at), level_full(level, at), 0};
        return !level->now;
    }
    const ResourceCount count = meter->read(meter->field, at);
    *sum = (MeterSum){count.work, count.full, count.refused};
    return !count.inside;
}

static inline bool take_meter(const Cut *cut, uint32_t place, PhaseSums *sums, Time at)
{
    MeterWatch *watch = &cut->watch[cut->servers + place];
    CutMeter *meter = &cut->meter[place];
    const MeterSum then = meter->then;
    const bool rests = read_meter(meter, at, &meter->then);
    const MeterSum *now = &meter->then;
    add_meter(
        cut, meter->number,
        &(MeterSum){now->work - then.work, now->full - then.full, now->refused - then.refused},
        sums);
    watch->seen = rests ? *watch->done : never(*watch->done);
    return rests;
}

/* Most have done nothing since. */
static inline bool has_rested(const MeterWatch *watch)
{
    return *watch->done == watch->seen;
}

/* Returns whether all rest. */
static bool take_meters(Cut *cut, const CutUnit *unit, PhaseSums *sums, Time at)
{
    if (!cut->watch) open_meters(cut, unit->meters);
    const MeterWatch *const servers = cut->watch, *const meters = servers + cut->servers;
    const MeterWatch *watch = servers;
    bool rest = true;
    for (; watch < meters; watch++)
        if (!has_rested(watch)) rest &= take_server(cut, (uint32_t)(watch - servers), sums, at);
    for (const MeterWatch *const end = meters + cut->meters; watch < end; watch++)
        if (!has_rested(watch)) rest &= take_meter(cut, (uint32_t)(watch - meters), sums, at);
    return rest;
}

/* --- both ------------------------------------------------------------------------------------- */

void cut_take_any(Cut *cut, const CutUnit *unit, PhaseSums *sums, Time at)
{
    const bool rests = cut_rests(cut, unit->events);
    const bool empty = take_statistics(cut, unit, sums, at);
    cut->events = unit->events;
    if (!rests || !empty) cut->rests = take_meters(cut, unit, sums, at) && empty;
    cut->counted = COUNTED_NOTHING;
}
