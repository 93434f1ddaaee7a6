/* Statistics of all units of a class added up, straight from the tables: of the region of interest,
 * or of phases of it. */
#pragma once

#include "kit/describe/role.h"
#include "platform/machine/machine.h"

typedef struct {
    const UnitClass *class;
    GPtrArray *units; /* of const Unit *, build order */
    const void *sum;  /* laid out as the unit's struct; only its statistics are filled */
    void *own;        /* ... which is this; NULL: it is of a phase */
} ClassSum;

typedef struct {
    Machine *machine;
    GPtrArray *classes;     /* of ClassSum, order of first appearance */
    Time span;              /* when at least one of the launches ran */
    const PhaseSums *phase; /* NULL: the region of interest */
    PhaseSums *own;         /* ... without launches in it that are not measured: `phase` is this */
    const PhaseSums *between; /* of the whole, what lies between kernels; NULL: nothing does */
    const bool *launches;     /* which launches of the list are in it; NULL: all */
    bool many;                /* they are too many to be told one by one */
} Aggregate;

/* Of the region of interest, without launches in it that are not measured; `unfinished`: time of a
 * launch that was stopped, which is part of it. The machine must outlive the aggregate. */
Aggregate *aggregate_new(Machine *machine, Time unfinished);

/* Of launches that were counted in `phase`; both are borrowed. */
Aggregate *aggregate_new_phase(Machine *machine, const PhaseSums *phase, const bool *launches);
/* Of nothing: which units there are. */
Aggregate *aggregate_new_empty(Machine *machine);
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

/* A COUNT, BYTES or TIME of the units of a network's class that are of this one, NETWORK_REPLY. */
uint64_t aggregate_number_in(const Aggregate *aggregate, const ClassSum *sum, const Stat *stat,
                             uint32_t network);

/* A share, a rate or a mean of such sums; 0 of nothing. */
static inline double aggregate_ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

/* Of all units of the class: the sum of a level in `sum` has half the bits. */
LevelTime aggregate_integral(const Aggregate *aggregate, const ClassSum *sum, const Stat *stat);

/* What one unit had of a load (kit/observe/phase_sums.h). */
uint64_t aggregate_load(const Aggregate *aggregate, const Unit *unit, const PhaseLoad *load);

/* What was counted of one resource of a unit, and for how long: while kernels ran. */
typedef struct {
    ResourceCount counted;
    double length;
} MeterReading;
MeterReading aggregate_reading(const Aggregate *aggregate, const Unit *unit, uint32_t meter);

/* ... of a phase without what a statistic counts, its refusals: these are of all units that tables
 * show as one. */
uint64_t aggregate_refusals(const Aggregate *aggregate, const Unit *unit, const Meter *meter);

/* Of all that was measured. */
static inline bool aggregate_is_whole(const Aggregate *aggregate)
{
    return !aggregate->phase || aggregate->own;
}

static inline bool aggregate_has_launch(const Aggregate *aggregate, guint launch)
{
    return !aggregate->launches || aggregate->launches[launch];
}
