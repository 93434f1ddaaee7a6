/* What all units of a machine counted in a phase of a run: in a kernel, or between two. Of each
 * class the sums of its statistics, of each resource what it did. All of it are integers: which
 * unit comes first makes no difference, and phases add up to what was counted in all of them.
 *
 * Rankings of addresses are not divided: their rows would no longer be the highest. */
#pragma once

#include "kit/describe/stat.h"

#include <glib.h>

/* How much of all work a unit had, to be compared among units of a class: `b` may be NULL. */
typedef struct {
    const Stat *a, *b;
} PhaseLoad;

enum { PHASE_LOADS = 4 };

/* A line of a unit's struct, of which some words are plain numbers: most statistics are. All of a
 * line are looked at together, because most do not move in most kernels. */
enum { BLOCK_WORDS = 8 };
/* ... two by two; the others may be of any type. */
typedef uint64_t BlockWords __attribute__((vector_size(16), aligned(8), may_alias));
typedef uint64_t AlignedWords __attribute__((vector_size(16), may_alias));
enum { BLOCK_PAIRS = BLOCK_WORDS / 2 };
typedef struct {
    size_t offset;
    AlignedWords mask[BLOCK_PAIRS]; /* of the words that are: all ones */
} NumberBlock;

/* Of so many each has a bit, of the 65th on shared. */
static inline uint64_t phase_bit(uint32_t number)
{
    return UINT64_C(1) << number % 64;
}

/* One that a unit also counts while it rests. */
typedef struct {
    size_t offset;
    uint32_t word; /* of all words of the blocks */
} RestingNumber;

/* Units that tables show as one: of a class, or of a network. */
typedef struct {
    const Stat *stats;
    uint32_t part; /* which network; else 0 */
    size_t size;   /* of the unit's struct */

    /* from its rows */
    uint32_t loads, blocks, levels, at_rest;
    PhaseLoad load[PHASE_LOADS];
    NumberBlock *block; /* in the order of the struct */
    RestingNumber resting[AT_REST_MOST];
    uint64_t rest_moves; /* blocks that these are in, as GroupSums.moved */
    GPtrArray *others;   /* of const Stat *: rows that are no plain numbers, levels first */
    bool banks;          /* some of these are of banks */
} PhaseGroup;

static inline const Stat *phase_group_other(const PhaseGroup *group, uint32_t number)
{
    return (const Stat *)group->others->pdata[number];
}

/* Immutable during a run. */
typedef struct {
    GArray *groups;         /* of PhaseGroup, in the order of the first unit of each */
    uint32_t meters, loads; /* of all units */
} PhaseLayout;

/* Where the numbers of one unit are. */
typedef struct PhasePlace {
    uint32_t group, meter, load;
} PhasePlace;

void phase_layout_init(PhaseLayout *layout);
void phase_layout_finish(PhaseLayout *layout);

/* `group` without what is from its rows. */
PhasePlace phase_layout_add(PhaseLayout *layout, const PhaseGroup *group, uint32_t meters);

static inline const PhaseGroup *phase_layout_group(const PhaseLayout *layout, uint32_t number)
{
    return &g_array_index(layout->groups, PhaseGroup, number);
}

typedef struct {
    /* laid out as the unit; levels have neither a value nor an integral here */
    void *statistics;
    LevelTime *integral; /* of the levels, in order of rows */
    /* Of blocks, and of others, to which something may have been added: units of most groups rest
     * in most phases. */
    uint64_t moved, others_moved;
} GroupSums;

/* Of one meter: as ResourceCount, but for refusals that a statistic counts. */
typedef struct {
    uint64_t work;
    Time full;
    uint64_t refused;
} MeterSum;

typedef struct {
    const PhaseLayout *layout;
    Time length;
    GroupSums *group; /* by number */
    MeterSum *meter;  /* of all units, each from its place on; load likewise */
    uint64_t *added;  /* a bit a meter: something was added; most units rest in most kernels */
    uint64_t *load;
} PhaseSums;

static inline void phase_sums_add_meter(PhaseSums *sums, uint32_t number, const MeterSum *added)
{
    MeterSum *sum = &sums->meter[number];
    sums->added[number / 64] |= phase_bit(number);
    sum->work += added->work;
    sum->full += added->full;
    sum->refused += added->refused;
}

/* Something was added to the meter. */
static inline bool phase_sums_has(const PhaseSums *sums, uint32_t number)
{
    return sums->added[number / 64] & phase_bit(number);
}

/* What units that rest have counted in their phase, whose sums are known at its end. */
typedef struct {
    const PhaseLayout *layout;
    uint64_t of[][AT_REST_MOST]; /* of each group */
} AtRestSums;

AtRestSums *at_rest_sums_new(const PhaseLayout *layout);

/* Empties `from`. */
void phase_sums_add_at_rest(PhaseSums *into, AtRestSums *from);

PhaseSums *phase_sums_new(const PhaseLayout *layout);
void phase_sums_free(PhaseSums *sums);
void phase_sums_merge(PhaseSums *into, const PhaseSums *from);

/* Everything is nothing again. */
void phase_sums_clear(PhaseSums *sums);
