#include "kit/describe/stat.h"

#include <math.h>
#include <string.h>

/* A bucket is at most 1/64 of its values wide: its middle is within 0.8 % of any of them. */
static uint64_t bucket_middle(unsigned index)
{
    if (index < HISTOGRAM_SUB) return index;
    const unsigned octave = index / HISTOGRAM_SUB - 1;
    return histogram_bucket_lowest(index) + ((UINT64_C(1) << octave) - 1) / 2;
}

/* Nearest rank: the smallest sample that at least `fraction` of all samples do not exceed. */
static uint64_t rank_of(const Histogram *histogram, double fraction)
{
    const double rank = ceil(fraction * (double)histogram->count);
    if (rank < 1) return 1;
    return rank >= (double)histogram->count ? histogram->count : (uint64_t)rank;
}

uint64_t histogram_percentile(const Histogram *histogram, double fraction)
{
    if (!histogram->count) return 0;
    const uint64_t rank = rank_of(histogram, fraction);
    if (rank == histogram->count) return histogram->maximum;
    uint64_t seen = 0;
    unsigned index = histogram_first(histogram);
    while (index < HISTOGRAM_BUCKETS - 1 && (seen += histogram->bucket[index]) < rank) index++;
    return CLAMP(bucket_middle(index), histogram->minimum, histogram->maximum);
}

void histogram_merge(Histogram *into, const Histogram *from)
{
    if (!from->count) return;
    if (!into->count || from->minimum < into->minimum) into->minimum = from->minimum;
    into->maximum = MAX(into->maximum, from->maximum);
    into->count += from->count;
    into->sum += from->sum;
    histogram_use(into, histogram_first(from), histogram_end(from));
    for (unsigned i = histogram_first(from); i < histogram_end(from); i++)
        if (__builtin_add_overflow(into->bucket[i], from->bucket[i], &into->bucket[i]))
            into->bucket[i] = UINT32_MAX;
}

const char *slots_kind_name(SlotsKind kind)
{
    static const char *const names[SLOTS_KINDS] = {"none",   "issue",   "unit",   "result",
                                                   "memory", "barrier", "few",    "launch",
                                                   "tail",   "open",    "outside"};
    g_return_val_if_fail((unsigned)kind < SLOTS_KINDS, "?");
    return names[kind];
}

void stage_sums_merge(StageSums *into, const StageSums *from)
{
    into->count += from->count;
    into->latency += from->latency;
    for (unsigned i = 0; i < STAGE_COUNT; i++) into->stage[i] += from->stage[i];
}

void ranking_raise(Ranking *ranking, uint64_t address, uint64_t count)
{
    uint64_t i = 0;
    while (i < ranking->rows && ranking->row[i].address != address) i++;
    if (i == ranking->rows) { /* new: behind the last row, or in its place */
        if (ranking->rows < RANKING_ROWS)
            ranking->rows++;
        else
            i--;
        const bool better =
            i == ranking->rows - 1
            && (!ranking->row[i].count || count > ranking->row[i].count
                || (count == ranking->row[i].count && address < ranking->row[i].address));
        if (!better) return;
    }
    for (; i
           && (ranking->row[i - 1].count < count
               || (ranking->row[i - 1].count == count && ranking->row[i - 1].address > address));
         i--)
        ranking->row[i] = ranking->row[i - 1];
    ranking->row[i].address = address;
    ranking->row[i].count = count;
}

void bank_counts_merge(BankCounts *into, const BankCounts *from)
{
    into->banks = MAX(into->banks, from->banks);
    for (uint64_t i = 0; i < from->banks; i++) into->bank[i] += from->bank[i];
}

size_t stat_size(StatType type)
{
    switch (type) {
    case STAT_COUNT:
    case STAT_BYTES:
    case STAT_TIME: return sizeof(uint64_t);
    case STAT_LEVEL: return sizeof(Level);
    case STAT_HISTOGRAM: return sizeof(Histogram);
    case STAT_STAGES: return sizeof(StageSums);
    case STAT_RANKING: return sizeof(Ranking);
    case STAT_HEAVY: return sizeof(HeavyHitters);
    case STAT_BANKS: return sizeof(BankCounts);
    }
    g_assert_not_reached();
}

/* Histograms are large, and of units that idle they are empty: their memory is not touched. */
static bool is_empty(const Stat *stat, const void *object)
{
    const void *field = (const char *)object + stat->offset;
    return stat->type == STAT_HISTOGRAM && !((const Histogram *)field)->count;
}

static void clear_histogram(Histogram *histogram)
{
    for (unsigned i = histogram_first(histogram); i < histogram_end(histogram); i++)
        histogram->bucket[i] = 0;
    memset(histogram, 0, offsetof(Histogram, bucket));
}

static void reset_field(const Stat *stat, void *field, Time now)
{
    if (stat->type == STAT_HISTOGRAM) {
        clear_histogram(field);
        return;
    }
    const Level level = stat->type == STAT_LEVEL ? *(const Level *)field : (Level){0};
    const uint64_t banks = stat->type == STAT_BANKS ? ((BankCounts *)field)->banks : 0;
    memset(field, 0, stat_size(stat->type));
    if (stat->type == STAT_LEVEL)
        *(Level *)field =
            (Level){.now = level.now, .maximum = level.now, .since = now, .full_at = level.full_at};
    if (stat->type == STAT_BANKS) ((BankCounts *)field)->banks = banks;
}

void stat_reset(const Stat *stat, void *object, Time now)
{
    if (!is_empty(stat, object)) reset_field(stat, (char *)object + stat->offset, now);
}

void stats_reset(const Stat *stats, void *object, Time now)
{
    for (const Stat *stat = stats; stat && stat->name; stat++) stat_reset(stat, object, now);
}

static void copy_histogram(Histogram *to, const Histogram *from)
{
    if (to->count) clear_histogram(to);
    if (!from->count) return;
    const unsigned first = histogram_first(from);
    memcpy(to, from, offsetof(Histogram, bucket));
    memcpy(&to->bucket[first], &from->bucket[first],
           (histogram_end(from) - first) * sizeof *to->bucket);
}

void stats_copy(const Stat *stats, void *to, const void *from)
{
    for (const Stat *stat = stats; stat && stat->name; stat++) {
        void *field = (char *)to + stat->offset;
        const void *source = (const char *)from + stat->offset;
        if (stat->type == STAT_HISTOGRAM)
            copy_histogram(field, source);
        else
            memcpy(field, source, stat_size(stat->type));
    }
}

static void merge_level(Level *into, const Level *from)
{
    into->now += from->now;
    into->maximum = MAX(into->maximum, from->maximum);
    into->integral += from->integral;
    into->full += from->full;
    into->arrivals += from->arrivals;
    into->stay += from->stay;
}

/* Units of a class watch different addresses. */
static void merge_ranking(Ranking *into, const Ranking *from)
{
    for (uint64_t i = 0; i < from->rows; i++)
        ranking_raise(into, from->row[i].address, from->row[i].count);
}

static void merge_field(StatType type, void *into, const void *from)
{
    switch (type) {
    case STAT_COUNT:
    case STAT_BYTES:
    case STAT_TIME: *(uint64_t *)into += *(const uint64_t *)from; break;
    case STAT_LEVEL: merge_level(into, from); break;
    case STAT_HISTOGRAM: histogram_merge(into, from); break;
    case STAT_STAGES: stage_sums_merge(into, from); break;
    case STAT_RANKING: merge_ranking(into, from); break;
    case STAT_HEAVY: break; /* all units' at once */
    case STAT_BANKS: bank_counts_merge(into, from); break;
    }
}

void stat_merge(const Stat *stat, void *into, const void *from)
{
    merge_field(stat->type, (char *)into + stat->offset, (const char *)from + stat->offset);
}

void stats_merge(const Stat *stats, void *into, const void *from)
{
    for (const Stat *stat = stats; stat && stat->name; stat++) stat_merge(stat, into, from);
}

const char *stat_request_class(const Stat *stat)
{
    return g_str_has_prefix(stat->name, "stages_") ? stat->name + strlen("stages_") : stat->name;
}
