#include "scenarios/program/result/aggregate.h"

#include <string.h>

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

const ClassSum *aggregate_class(const Aggregate *aggregate, const char *name)
{
    for (guint i = 0; i < aggregate->classes->len; i++) {
        const ClassSum *sum = aggregate->classes->pdata[i];
        if (!strcmp(sum->class->name, name)) return sum;
    }
    return NULL;
}

static ClassSum *find_or_add(Aggregate *aggregate, const UnitClass *unit_class)
{
    ClassSum *sum = (ClassSum *)aggregate_class(aggregate, unit_class->name);
    if (sum) return sum;
    sum = g_new0(ClassSum, 1);
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

static bool is_number(StatType type)
{
    return type <= STAT_TIME;
}

const void *aggregate_stat(const Aggregate *aggregate, const char *unit_class, const char *name,
                           StatType type)
{
    const ClassSum *sum = aggregate_class(aggregate, unit_class);
    for (const Stat *stat = sum ? sum->class->stats : NULL; stat && stat->name; stat++) {
        const bool same_type = stat->type == type || (is_number(stat->type) && is_number(type));
        if (same_type && !strcmp(stat->name, name)) return (const char *)sum->sum + stat->offset;
    }
    return NULL;
}

uint64_t aggregate_number(const Aggregate *aggregate, const char *unit_class, const char *stat)
{
    const uint64_t *number = aggregate_stat(aggregate, unit_class, stat, STAT_COUNT);
    return number ? *number : 0;
}
