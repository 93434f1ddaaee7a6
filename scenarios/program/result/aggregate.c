#include "scenarios/program/result/aggregate.h"

#include "parts/sparse.h"

static void class_sum_free(gpointer data)
{
    ClassSum *sum = data;
    g_ptr_array_unref(sum->units);
    sparse_free(sum->own);
    g_free(sum);
}

void aggregate_free(Aggregate *aggregate)
{
    if (!aggregate) return;
    g_ptr_array_unref(aggregate->classes);
    phase_sums_free(aggregate->own);
    g_free(aggregate);
}

static ClassSum *find_or_add(Aggregate *aggregate, const UnitClass *unit_class)
{
    for (guint i = 0; i < aggregate->classes->len; i++) {
        ClassSum *found = aggregate->classes->pdata[i];
        if (found->class == unit_class) return found;
    }
    ClassSum *sum = g_new0(ClassSum, 1);
    *sum = (ClassSum){.class = unit_class, .units = g_ptr_array_new()};
    g_ptr_array_add(aggregate->classes, sum);
    return sum;
}

/* Cut to the bound when the rows of all units are known. */
static void unite_hottest(const ClassSum *sum, const Stat *stat)
{
    g_autoptr(GPtrArray) each = g_ptr_array_new();
    for (guint i = 0; i < sum->units->len; i++) {
        const void *measured = unit_measured(sum->units->pdata[i]);
        g_ptr_array_add(each, (char *)measured + stat->offset);
    }
    heavy_hitters_unite((HeavyHitters *)(void *)((char *)sum->own + stat->offset),
                        (const HeavyHitters *const *)each->pdata, each->len);
}

static void unite_all_hottest(const Aggregate *aggregate)
{
    for (guint i = 0; i < aggregate->classes->len; i++) {
        const ClassSum *sum = aggregate->classes->pdata[i];
        for (const Stat *stat = sum->class->stats; stat && stat->name; stat++)
            if (stat->type == STAT_HEAVY) unite_hottest(sum, stat);
    }
}

Aggregate *aggregate_new_empty(Machine *machine)
{
    Aggregate *aggregate = g_new0(Aggregate, 1);
    aggregate->machine = machine;
    aggregate->classes = g_ptr_array_new_with_free_func(class_sum_free);
    const Simulation *simulation = machine_simulation(machine);
    for (guint i = 0; i < simulation_unit_count(simulation); i++) {
        Unit *unit = simulation_unit(simulation, i);
        g_ptr_array_add(find_or_add(aggregate, unit->class)->units, unit);
    }
    return aggregate;
}

static void *new_sum(ClassSum *sum)
{
    sum->own = sparse_new(sum->class->size);
    sum->sum = sum->own;
    return sum->own;
}

static void add_units(ClassSum *sum)
{
    void *own = new_sum(sum);
    for (guint i = 0; i < sum->units->len; i++)
        stats_merge(sum->class->stats, own, unit_measured(sum->units->pdata[i]));
}

/* --- phases ----------------------------------------------------------------------------------- */

/* The groups of a class: the next one from `number` on; the number of groups: there is none. */
static guint next_group(const PhaseSums *phase, const UnitClass *unit_class, guint number)
{
    while (number < phase->layout->groups->len
           && phase_layout_group(phase->layout, number)->stats != unit_class->stats)
        number++;
    return number;
}

static void add_groups(const PhaseSums *phase, ClassSum *sum)
{
    void *own = new_sum(sum);
    guint i = next_group(phase, sum->class, 0);
    for (; i < phase->layout->groups->len; i = next_group(phase, sum->class, i + 1))
        stats_merge(sum->class->stats, own, phase->group[i].statistics);
}

/* Of a class that is one group the sum is there. */
static bool borrow_group(const PhaseSums *phase, ClassSum *sum)
{
    const guint groups = phase->layout->groups->len, first = next_group(phase, sum->class, 0);
    if (first == groups || next_group(phase, sum->class, first + 1) < groups) return false;
    sum->sum = phase->group[first].statistics;
    return true;
}

static void add_all(const Aggregate *aggregate)
{
    for (guint i = 0; i < aggregate->classes->len; i++) {
        ClassSum *sum = aggregate->classes->pdata[i];
        if (!aggregate->phase)
            add_units(sum);
        else if (aggregate->own || !borrow_group(aggregate->phase, sum))
            add_groups(aggregate->phase, sum);
    }
}

Aggregate *aggregate_new(Machine *machine, Time unfinished)
{
    Aggregate *aggregate = aggregate_new_empty(machine);
    const Phases *phases = simulation_phases(machine_simulation(machine));
    aggregate->span = machine_measured_span(machine, NULL) + unfinished;
    aggregate->phase = aggregate->own = phases ? phases_sum_measured(phases) : NULL;
    aggregate->between = phases ? phases_between(phases) : NULL;
    add_all(aggregate);
    unite_all_hottest(aggregate);
    return aggregate;
}

Aggregate *aggregate_new_phase(Machine *machine, const PhaseSums *phase, const bool *launches)
{
    Aggregate *aggregate = aggregate_new_empty(machine);
    aggregate->phase = phase;
    aggregate->launches = launches;
    aggregate->span = machine_measured_span(machine, launches);
    add_all(aggregate);
    return aggregate;
}

static uint32_t level_number(const Stat *stats, const Stat *level)
{
    uint32_t number = 0;
    for (const Stat *stat = stats; stat != level; stat++) number += stat->type == STAT_LEVEL;
    return number;
}

static LevelTime phase_integral(const PhaseSums *phase, const UnitClass *unit_class,
                                const Stat *stat)
{
    LevelTime integral = 0;
    const uint32_t level = level_number(unit_class->stats, stat);
    guint i = next_group(phase, unit_class, 0);
    for (; i < phase->layout->groups->len; i = next_group(phase, unit_class, i + 1))
        integral += phase->group[i].integral[level];
    return integral;
}

static LevelTime measured_integral(const ClassSum *sum, const Stat *stat)
{
    LevelTime integral = 0;
    for (guint i = 0; i < sum->units->len; i++) {
        const void *unit = unit_measured(sum->units->pdata[i]);
        integral += ((const Level *)(const void *)((const char *)unit + stat->offset))->integral;
    }
    return integral;
}

LevelTime aggregate_integral(const Aggregate *aggregate, const ClassSum *sum, const Stat *stat)
{
    return aggregate->phase ? phase_integral(aggregate->phase, sum->class, stat)
                            : measured_integral(sum, stat);
}

static uint64_t phase_number_in(const PhaseSums *phase, const ClassSum *sum, const Stat *stat,
                                uint32_t network)
{
    uint64_t number = 0;
    guint i = next_group(phase, sum->class, 0);
    for (; i < phase->layout->groups->len; i = next_group(phase, sum->class, i + 1))
        if (phase_layout_group(phase->layout, i)->part == network)
            number += stat_number(stat, phase->group[i].statistics);
    return number;
}

uint64_t aggregate_number_in(const Aggregate *aggregate, const ClassSum *sum, const Stat *stat,
                             uint32_t network)
{
    uint64_t number = 0;
    if (aggregate->phase) return phase_number_in(aggregate->phase, sum, stat, network);
    for (guint i = 0; i < sum->units->len; i++) {
        const Unit *unit = sum->units->pdata[i];
        if (unit->number % NETWORKS == network) number += stat_number(stat, unit_measured(unit));
    }
    return number;
}

static uint64_t phase_load(const PhaseSums *phase, const PhasePlace *place, const PhaseLoad *load)
{
    const PhaseGroup *group = phase_layout_group(phase->layout, place->group);
    for (uint32_t i = 0; i < group->loads; i++)
        if (group->load[i].a == load->a) return phase->load[place->load + i];
    g_assert_not_reached();
}

uint64_t aggregate_load(const Aggregate *aggregate, const Unit *unit, const PhaseLoad *load)
{
    if (aggregate->phase) return phase_load(aggregate->phase, unit_phase_place(unit), load);
    const void *measured = unit_measured(unit);
    return stat_number(load->a, measured) + (load->b ? stat_number(load->b, measured) : 0);
}

uint64_t aggregate_refusals(const Aggregate *aggregate, const Unit *unit, const Meter *meter)
{
    const GroupSums *group = &aggregate->phase->group[unit_phase_place(unit)->group];
    const ptrdiff_t offset = (const char *)meter->refused - (const char *)unit;
    return *(const uint64_t *)(const void *)((const char *)group->statistics + offset);
}

static MeterReading read_all(const Aggregate *aggregate, const Unit *unit, uint32_t meter)
{
    const MeterList *list = unit_meters(unit);
    if (!aggregate->phase) return (MeterReading){list->at[meter].counted, (double)list->length};
    const MeterSum *sum = &aggregate->phase->meter[unit_phase_place(unit)->meter + meter];
    return (MeterReading){{.work = sum->work, .full = sum->full, .refused = sum->refused},
                          (double)aggregate->phase->length};
}

MeterReading aggregate_reading(const Aggregate *aggregate, const Unit *unit, uint32_t meter)
{
    MeterReading reading = read_all(aggregate, unit, meter);
    if (!aggregate->between) return reading;
    const MeterSum *sum = &aggregate->between->meter[unit_phase_place(unit)->meter + meter];
    reading.counted.work -= sum->work;
    reading.counted.full -= sum->full;
    reading.length -= (double)aggregate->between->length;
    return reading;
}

/* --- what is asked of both -------------------------------------------------------------------- */

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
    for (; sum; sum = aggregate_that_means(aggregate, sum, meaning))
        number += stats_count_meaning(sum->class->stats, meaning, sum->sum);
    return number;
}

const Histogram *aggregate_times(const Aggregate *aggregate, StatMeaning meaning)
{
    const ClassSum *sum = aggregate_that_means(aggregate, NULL, meaning);
    if (!sum) return NULL;
    const Stat *stat = stat_that_means(sum->class->stats, meaning);
    return (const Histogram *)(const void *)((const char *)sum->sum + stat->offset);
}
