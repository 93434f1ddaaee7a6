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

const ClassSum *aggregate_class(const Aggregate *aggregate, const char *name);

/* A sum, or NULL when no unit has the statistic with that type. COUNT, BYTES and TIME are one type
 * here. */
const void *aggregate_stat(const Aggregate *aggregate, const char *unit_class, const char *stat,
                           StatType type);
/* A COUNT, BYTES or TIME; 0 when absent. */
uint64_t aggregate_number(const Aggregate *aggregate, const char *unit_class, const char *stat);
