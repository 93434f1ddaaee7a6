/* Statistic tables over a plain struct, and the few kinds of statistic there are. All are
 * integers, so that sums over units do not depend on order. */
#pragma once

#include "kit/describe/heavy_hitters.h"
#include "kit/describe/meaning.h"
#include "kit/describe/stage.h"
#include "kit/describe/time.h"

struct Unit;
struct EnergyFigures;

typedef enum {
    STAT_COUNT,     /* uint64_t events */
    STAT_BYTES,     /* uint64_t bytes */
    STAT_TIME,      /* uint64_t fs, a sum of durations */
    STAT_LEVEL,     /* Level: occupancy over time */
    STAT_HISTOGRAM, /* Histogram of durations in fs */
    STAT_STAGES,    /* StageSums: where the latency of a request class went */
    STAT_RANKING,   /* Ranking: the addresses with the highest counts */
    STAT_HEAVY,     /* HeavyHitters: the same, of too many addresses to count each */
    STAT_BANKS,     /* BankCounts: events of each bank */
} StatType;

typedef struct {
    const char *of, *what;
} StatWords;

/* What a scheduler's time goes to. MEMORY: data or room on the way there; FEW: only others of its
 * core have warps; LAUNCH: warps of the next CTA; TAIL: none has warps, and no CTA is left. */
typedef enum {
    SLOTS_NONE,
    SLOTS_ISSUE,
    SLOTS_UNIT,
    SLOTS_RESULT,
    SLOTS_MEMORY,
    SLOTS_BARRIER,
    SLOTS_FEW,
    SLOTS_LAUNCH,
    SLOTS_TAIL,
    SLOTS_OPEN,    /* a wait that the end of the measurement cut short */
    SLOTS_OUTSIDE, /* of any kernel */
    SLOTS_KINDS
} SlotsKind;

/* "memory", as results call it. */
const char *slots_kind_name(SlotsKind kind);

/* A curve in a figure of the report. Bytes are a bandwidth, times a share of the time, levels
 * queues, hits a share of their look-ups, other counts a share of the most that there can be. */
typedef struct {
    const char *words;
    const char *part;  /* only of units with this in their path, "request"; NULL: of all */
    StatMeaning among; /* a level is divided among the units that have such a statistic */
} StatCurve;

/* What the givers of a rule count together, its takers count together. An excuse that is not 0 says
 * that the rule does not hold for the run. */
typedef enum { RULE_GIVES, RULE_TAKES, RULE_EXCUSES } RuleSide;

typedef struct {
    const char *words;
    RuleSide side;
    const char *part; /* as of a curve */
} StatRule;

/* pJ that one of it takes, or a byte, and the stage of a request's way at which it does, whether a
 * request waits for it there or not; STAGE_COUNT: at none. `reply`: in units of the reply
 * network. */
typedef struct {
    double (*of)(const struct Unit *unit, const struct EnergyFigures *figures);
    unsigned char stage, reply;
} StatEnergy;

/* With what says whose they are they fill a line of the host's cache. */
enum { AT_REST_MOST = 7 };

typedef struct {
    const char *name;
    StatType type;
    size_t offset;
    bool over_time;      /* also collected over time: kit/observe/series.h */
    const char *nsight;  /* nearest Nsight Compute metric, or NULL */
    const char *summary; /* one line */

    /* Roles: what it is to tables and figures, which are made of the rows that say so and know no
     * unit by its name. NULL: it has no such role. Texts are words for people. */

    /* Of a cache, "L1, loads". One without accesses_of is looked up as often as it hits, merges and
     * misses. */
    const char *accesses_of, *hits_of, *merged_of, *misses_of;
    const char *loads_of; /* of these accesses, the loads; their hits are hits of the same words */
    const char *part_of;  /* the statistic of this unit, by its name, that is counted from */
    const char *refusal;  /* what had no room: "pending request table" */
    const char *outcome;  /* what a request found that wanted a row of DRAM: "bank closed" */
    const char
        *suspect; /* what a program hardly means to do: "stale hits"; told where there are any */
    /* Of execution units in words: instructions taken, and dispatch slots lost because of them. */
    const char *taken_of, *lost_of;
    const char *limit; /* what bounds the warps of a core: "registers" */
    /* Parameters of this unit, "schedulers * dispatches": the most that a level can be, or that a
     * unit can count in a core cycle. */
    const char *most;
    const char *member; /* member of a result's summary that tells of this cache */
    bool if_any;        /* of a cache, or a class of requests: left out where there are none */
    const char *figure; /* topic of the report that draws it; NULL: as any other */
    StatWords map;      /* a heat map, units over time: of a "channel" the "bandwidth" */
    StatWords track;    /* a counter of a timeline: of "an SM" the "resident warps" */
    StatWords state;    /* in which warps are: the state, and what it means */
    StatWords slot;     /* what a scheduler's time went to: what, and what it means */
    SlotsKind slots;    /* of `slot` */
    StatWords served;   /* of its waits for data, a second time: by who had them */
    /* Parts of what one of it takes, the last without a function; NULL: nothing. */
    const StatEnergy *energy;
    bool steady;  /* it comes by the clock, evenly, and is counted when the unit is next stepped */
    bool at_rest; /* also counted at boundaries by a unit that rests: AT_REST_MOST of a class */
    StatMeaning means;       /* to those who ask for one meaning, whatever unit has it */
    const StatCurve *curves; /* curves over time; the last has no words */
    const StatRule *rules;   /* rules of conservation; the last has no words */
} Stat;

#define STAT_FIELD(Type, field, ctype)                                                             \
    (offsetof(Type, field) + 0 * sizeof(char[_Generic(((Type *)0)->field, ctype : 1)]))
/* Behind the text a row may have roles: `.hits_of = "L1, loads"`. */
/* clang-format off */
#define STAT_NUMBER(Type, field, kind, metric, text, ...)                                          \
    { .name = #field, .type = kind, .offset = STAT_FIELD(Type, field, uint64_t), .nsight = metric, \
     .summary = text, __VA_ARGS__ }
#define STAT_OCCUPANCY(Type, field, metric, text, ...)                                             \
    { .name = #field, .type = STAT_LEVEL, .offset = STAT_FIELD(Type, field, Level),                \
     .nsight = metric, .summary = text, __VA_ARGS__ }
/* The same, also over time. */
#define STAT_NUMBER_OVER_TIME(Type, field, kind, metric, text, ...)                                \
    { .name = #field, .type = kind, .offset = STAT_FIELD(Type, field, uint64_t),                   \
     .over_time = true, .nsight = metric, .summary = text, __VA_ARGS__ }
#define STAT_OCCUPANCY_OVER_TIME(Type, field, metric, text, ...)                                   \
    { .name = #field, .type = STAT_LEVEL, .offset = STAT_FIELD(Type, field, Level),                \
     .over_time = true, .nsight = metric, .summary = text, __VA_ARGS__ }
#define STAT_DISTRIBUTION(Type, field, metric, text, ...)                                          \
    { .name = #field, .type = STAT_HISTOGRAM, .offset = STAT_FIELD(Type, field, Histogram),        \
     .nsight = metric, .summary = text, __VA_ARGS__ }
#define STAT_BREAKDOWN(Type, field, text, ...)                                                     \
    { .name = #field, .type = STAT_STAGES, .offset = STAT_FIELD(Type, field, StageSums),           \
     .summary = text, __VA_ARGS__ }
#define STAT_TOP_LIST(Type, field, text, ...)                                                      \
    { .name = #field, .type = STAT_RANKING, .offset = STAT_FIELD(Type, field, Ranking),            \
     .summary = text, __VA_ARGS__ }
#define STAT_HOTTEST(Type, field, text, ...)                                                       \
    { .name = #field, .type = STAT_HEAVY, .offset = STAT_FIELD(Type, field, HeavyHitters),         \
     .summary = text, __VA_ARGS__ }
#define STAT_PER_BANK(Type, field, text, ...)                                                      \
    { .name = #field, .type = STAT_BANKS, .offset = STAT_FIELD(Type, field, BankCounts),           \
     .summary = text, __VA_ARGS__ }
#define STAT_END { .name = NULL }
#define CURVES(...) .curves = (const StatCurve[]){ __VA_ARGS__, {.words = NULL} }
#define CURVE(text) {.words = text}
#define PART_CURVE(which, text, ...) {.words = text, .part = which, __VA_ARGS__}
#define RULES(...) .rules = (const StatRule[]){ __VA_ARGS__, {.words = NULL} }
#define GIVES(rule) {.words = rule, .side = RULE_GIVES}
#define TAKES(rule) {.words = rule, .side = RULE_TAKES}
#define PART_TAKES(which, rule) {.words = rule, .side = RULE_TAKES, .part = which}
#define EXCUSES(rule) {.words = rule, .side = RULE_EXCUSES}
#define ENERGY(...) .energy = (const StatEnergy[]){ __VA_ARGS__, {.of = NULL}}
#define IN_STAGE(id, function) IN_STAGES(id, id, function)
#define IN_STAGES(id, back, function) {.of = function, .stage = STAGE_##id, .reply = STAGE_##back}
#define IN_NO_STAGE(function) {.of = function, .stage = STAGE_COUNT, .reply = STAGE_COUNT}
/* clang-format on */

/* Sums of integrals over many units: with 65,536 registers in 80 SMs 64 bits are full after 3.5
 * ms. */
typedef unsigned __int128 LevelTime;

/* A level that changes over time. The integral is level x fs since the last reset; one that does
 * not fit (65,536 for 0.28 s) stays at its end. */

typedef struct {
    uint64_t now, maximum;
    Time since;
    uint64_t integral;
    /* Of a resource how many are in it when it is full; while something waits for room in a part of
     * it, as in a set of a cache, the complement of that, below all. Else 0. */
    int64_t full_at;
    Time full;         /* time in which it was */
    uint64_t arrivals; /* how often it rose, by how much: the independent side of Little's law */
    Time stay;         /* sum of the stays that ended, reported by level_leave */
} Level;

static inline bool level_is_full(const Level *level)
{
    return (int64_t)level->now >= level->full_at;
}

static inline void level_settle(Level *level, Time now)
{
    if (now > level->since) {
        if (__builtin_add_overflow(level->integral, level->now * (now - level->since),
                                   &level->integral))
            level->integral = UINT64_MAX;
        if (level_is_full(level)) level->full += now - level->since;
        level->since = now;
    }
}

static inline void level_set(Level *level, Time now, uint64_t value)
{
    level_settle(level, now);
    if (value > level->now) level->arrivals += value - level->now;
    level->now = value;
    if (value > level->maximum) level->maximum = value;
}

static inline void level_enter(Level *level, Time now)
{
    level_settle(level, now);
    level->arrivals++;
    level->now++;
    if (level->now > level->maximum) level->maximum = level->now;
}

/* Something finds no room in the part where it needs it: until it may have, the place is as full as
 * if all of it were taken. */
static inline void level_refuse(Level *level, Time now)
{
    level_settle(level, now);
    if (level->full_at >= 0) level->full_at = ~level->full_at;
}

static inline void level_relent(Level *level, Time now)
{
    if (level->full_at >= 0) return;
    level_settle(level, now);
    level->full_at = ~level->full_at;
}

/* One leaves that came at `came`; independent of the integral, so that Little's law can be
 * checked. */
static inline void level_leave(Level *level, Time now, Time came)
{
    level_settle(level, now);
    level->now--;
    level->stay += now - came;
}

/* As many leave at once; `came` is the sum of the times at which they did. */
static inline void level_leave_together(Level *level, Time now, uint64_t count, Time came)
{
    level_settle(level, now);
    level->now -= count;
    level->stay += count * now - came;
}

enum { HISTOGRAM_SUB = 64, HISTOGRAM_BUCKETS = 64 * 48 };

/* Log-linear: 64 buckets an octave, so a percentile is within 0.8 % of the exact one; values from
 * 0 to 2^53 fs. It is large: of what is not between the buckets that are used nothing is touched
 * when it is cleared, copied or added. */
typedef struct {
    uint64_t count, sum, maximum, minimum;
    uint32_t from_last, from_first;     /* buckets used, counted from either end */
    uint32_t bucket[HISTOGRAM_BUCKETS]; /* a count that does not fit stays at its end */
} Histogram;

static inline unsigned histogram_bucket_of(uint64_t value)
{
    if (value < HISTOGRAM_SUB) return (unsigned)value;
    const unsigned octave = (63u ^ (unsigned)__builtin_clzll(value)) - 6u; /* 2^6 = HISTOGRAM_SUB */
    const unsigned index = octave * HISTOGRAM_SUB + (unsigned)(value >> octave);
    return index < HISTOGRAM_BUCKETS ? index : HISTOGRAM_BUCKETS - 1;
}

/* The lowest value of a bucket; of the last one's next, what it ends below. */
static inline uint64_t histogram_bucket_lowest(unsigned bucket)
{
    if (bucket < HISTOGRAM_SUB) return bucket;
    return (uint64_t)(HISTOGRAM_SUB + bucket % HISTOGRAM_SUB) << (bucket / HISTOGRAM_SUB - 1);
}

/* Buckets first .. end - 1 are all that may hold any. */
static inline unsigned histogram_first(const Histogram *histogram)
{
    return HISTOGRAM_BUCKETS - histogram->from_last;
}

static inline unsigned histogram_end(const Histogram *histogram)
{
    return histogram->from_first;
}

/* Buckets first .. end - 1 will be used. */
static inline void histogram_use(Histogram *histogram, unsigned first, unsigned end)
{
    if (histogram->from_last < HISTOGRAM_BUCKETS - first)
        histogram->from_last = HISTOGRAM_BUCKETS - first;
    if (histogram->from_first < end) histogram->from_first = end;
}

static inline void histogram_add(Histogram *histogram, uint64_t value)
{
    const unsigned index = histogram_bucket_of(value);
    const bool lowest = !histogram->count || value < histogram->minimum;
    const bool highest = value > histogram->maximum;
    if (lowest) histogram->minimum = value;
    if (highest) histogram->maximum = value;
    if (lowest || highest) histogram_use(histogram, index, index + 1);
    histogram->count++;
    histogram->sum += value;
    histogram->bucket[index] += histogram->bucket[index] != UINT32_MAX;
}

/* Middle of the bucket, never beyond the extremes seen. `fraction` in 0..1; 0 when empty. */
uint64_t histogram_percentile(const Histogram *histogram, double fraction);
void histogram_merge(Histogram *into, const Histogram *from);

/* Requests of one class and where their latency went; the stages sum to `latency` exactly. */
typedef struct {
    uint64_t count;
    Time latency;
    Time stage[STAGE_COUNT];
} StageSums;

void stage_sums_merge(StageSums *into, const StageSums *from);

enum { RANKING_ROWS = 16 };

/* The addresses with the highest counts, highest first; of equal counts the lower address. */
typedef struct {
    uint64_t rows;
    struct {
        uint64_t address, count;
    } row[RANKING_ROWS];
} Ranking;

/* The count of an address has become `count`. The list is exact as long as counts only rise and
 * every rise is told. */
void ranking_raise(Ranking *ranking, uint64_t address, uint64_t count);

enum { BANK_COUNTS_MAX = 64 };

typedef struct {
    uint64_t banks; /* that there are, set once */
    uint64_t bank[BANK_COUNTS_MAX];
} BankCounts;

void bank_counts_merge(BankCounts *into, const BankCounts *from);

/* Zeroes every field of the table at time `now`; a level keeps its present value, counts of banks
 * how many banks there are. */
void stats_reset(const Stat *stats, void *object, Time now);
void stat_reset(const Stat *stat, void *object, Time now);

/* From one object to another that is laid out alike. */
void stats_copy(const Stat *stats, void *to, const void *from);

/* Adds one object's statistics to those of another; heavy hitters are left alone, since only those
 * of all can be united at once. */
void stats_merge(const Stat *stats, void *into, const void *from);
void stat_merge(const Stat *stat, void *into, const void *from);

/* "load_dram" of "stages_load_dram": what results and figures call the class whose latency it has. */
const char *stat_request_class(const Stat *stat);

/* Bytes that one field of this type takes. */
size_t stat_size(StatType type);
