/* Statistics of all units of a class added up, straight from the tables. */
#pragma once

#include "platform/machine/machine.h"

typedef struct {
    const UnitClass *class;
    GPtrArray *units; /* of const Unit *, build order */
    void *sum;        /* laid out as the unit's struct; only its statistics are filled */
} ClassSum;

typedef struct {
    Machine *machine;
    GPtrArray *classes; /* of ClassSum, order of first appearance */
} Aggregate;

/* Of the region of interest. The machine must outlive the aggregate. */
Aggregate *aggregate_new(Machine *machine);
void aggregate_free(Aggregate *aggregate);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Aggregate, aggregate_free)

/* The classes that have a statistic of this meaning: the next one behind `from`, or the first.
 * NULL: there is none. */
const ClassSum *aggregate_that_means(const Aggregate *aggregate, const ClassSum *from,
                                     StatMeaning meaning);
/* A COUNT, BYTES or TIME of all units that have one of this meaning; 0 when none has. */
uint64_t aggregate_number(const Aggregate *aggregate, StatMeaning meaning);
/* Of the first class that has one; NULL: none has. */
const Histogram *aggregate_times(const Aggregate *aggregate, StatMeaning meaning);

/* Such a statistic of one unit, or of a sum. */
static inline uint64_t stat_number(const Stat *stat, const void *unit)
{
    return *(const uint64_t *)(const void *)((const char *)unit + stat->offset);
}
