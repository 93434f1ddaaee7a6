#include "scenarios/program/result/aggregate.h"

#include "kit/describe/role.h"

static void class_sum_free(gpointer data)
{
    ClassSum *sum = data;
    g_ptr_array_unref(sum->units);
    g_free(sum->sum);
    g_free(sum);
}

void aggregate_free(Aggregate *aggregate)
{
    if (!aggregate) return;
    g_ptr_array_unref(aggregate->classes);
    g_free(aggregate);
}

static ClassSum *find_or_add(Aggregate *aggregate, const UnitClass *unit_class)
{
    for (guint i = 0; i < aggregate->classes->len; i++) {
        ClassSum *found = aggregate->classes->pdata[i];
        if (found->class == unit_class) return found;
    }
    ClassSum *sum = g_new0(ClassSum, 1);
    *sum = (ClassSum){unit_class, g_ptr_array_new(), g_malloc0(unit_class->size)};
    g_ptr_array_add(aggregate->classes, sum);
    return sum;
}

static void merge_level(Level *into, const Level *from)
{
    into->now += from->now;
    into->maximum = MAX(into->maximum, from->maximum);
    into->integral += from->integral;
    into->arrivals += from->arrivals;
    into->stay += from->stay;
}

/* Units of a class watch different addresses. */
static void merge_ranking(Ranking *into, const Ranking *from)
{
    for (uint64_t i = 0; i < from->rows; i++)
        ranking_raise(into, from->row[i].address, from->row[i].count);
}

static void merge_stat(const Stat *stat, void *into, const void *from)
{
    void *to = (char *)into + stat->offset;
    const void *field = (const char *)from + stat->offset;
    switch (stat->type) {
    case STAT_COUNT:
    case STAT_BYTES:
    case STAT_TIME: *(uint64_t *)to += *(const uint64_t *)field; break;
    case STAT_LEVEL: merge_level(to, field); break;
    case STAT_HISTOGRAM: histogram_merge(to, field); break;
    case STAT_STAGES: stage_sums_merge(to, field); break;
    case STAT_RANKING: merge_ranking(to, field); break;
    case STAT_HEAVY: break; /* all units' at once */
    case STAT_BANKS: bank_counts_merge(to, field); break;
    }
}

/* Cut to the bound when the rows of all units are known. */
static void unite_hottest(const Aggregate *aggregate, const ClassSum *sum, const Stat *stat)
{
    g_autoptr(GPtrArray) each = g_ptr_array_new();
    for (guint i = 0; i < sum->units->len; i++) {
        const void *measured = machine_measured(aggregate->machine, sum->units->pdata[i]);
        g_ptr_array_add(each, (char *)measured + stat->offset);
    }
    heavy_hitters_unite((HeavyHitters *)(void *)((char *)sum->sum + stat->offset),
                        (const HeavyHitters *const *)each->pdata, each->len);
}

static void unite_all_hottest(const Aggregate *aggregate)
{
    for (guint i = 0; i < aggregate->classes->len; i++) {
        const ClassSum *sum = aggregate->classes->pdata[i];
        for (const Stat *stat = sum->class->stats; stat && stat->name; stat++)
            if (stat->type == STAT_HEAVY) unite_hottest(aggregate, sum, stat);
    }
}

Aggregate *aggregate_new(Machine *machine)
{
    Aggregate *aggregate = g_new0(Aggregate, 1);
    *aggregate = (Aggregate){machine, g_ptr_array_new_with_free_func(class_sum_free)};
    const Simulation *simulation = machine_simulation(machine);
    for (guint i = 0; i < simulation_unit_count(simulation); i++) {
        Unit *unit = simulation_unit(simulation, i);
        ClassSum *sum = find_or_add(aggregate, unit->class);
        g_ptr_array_add(sum->units, unit);
        const void *measured = machine_measured(machine, unit);
        for (const Stat *stat = unit->class->stats; stat && stat->name; stat++)
            merge_stat(stat, sum->sum, measured);
    }
    unite_all_hottest(aggregate);
    return aggregate;
}

const ClassSum *aggregate_that_means(const Aggregate *aggregate, const ClassSum *from,
                                     StatMeaning meaning)
{
    bool behind = !from;
    for (guint i = 0; i < aggregate->classes->len; i++) {
        const ClassSum *sum = aggregate->classes->pdata[i];
        if (behind && stat_that_means(sum->class->stats, meaning)) return sum;
        behind |= sum == from;
    }
    return NULL;
}

uint64_t aggregate_number(const Aggregate *aggregate, StatMeaning meaning)
{
    uint64_t number = 0;
    const ClassSum *sum = aggregate_that_means(aggregate, NULL, meaning);
    for (; sum; sum = aggregate_that_means(aggregate, sum, meaning)) {
        const Stat *stat = stat_that_means(sum->class->stats, meaning);
        for (; stat; stat = stat_that_means(stat + 1, meaning))
            number += stat_number(stat, sum->sum);
    }
    return number;
}

const Histogram *aggregate_times(const Aggregate *aggregate, StatMeaning meaning)
{
    const ClassSum *sum = aggregate_that_means(aggregate, NULL, meaning);
    if (!sum) return NULL;
    const Stat *stat = stat_that_means(sum->class->stats, meaning);
    return (const Histogram *)(const void *)((const char *)sum->sum + stat->offset);
}
