#include "kit/observe/phase_sums.h"

#include "kit/describe/role.h"
#include "kit/observe/pages.h"

#include <string.h>

/* --- layout ----------------------------------------------------------------------------------- */

static void add_load(PhaseLoad *loads, uint32_t *count, const Stat *a, const Stat *b)
{
    g_assert(*count < PHASE_LOADS);
    loads[(*count)++] = (PhaseLoad){a, b};
}

/* Of caches that a summary tells of the look-ups, of DRAM the bytes. */
uint32_t phase_loads(const Stat *stats, PhaseLoad loads[PHASE_LOADS])
{
    uint32_t count = 0;
    if (!stats) return 0;
    const Stat *stat = stat_with_role(stats, ROLE(member), NULL);
    for (; stat; stat = stat_with_role(stat + 1, ROLE(member), NULL))
        add_load(loads, &count, stat, NULL);
    const Stat *read = stat_that_means(stats, MEANS_BYTES_FROM_DRAM);
    if (read) add_load(loads, &count, read, stat_that_means(stats, MEANS_BYTES_TO_DRAM));
    return count;
}

void phase_layout_init(PhaseLayout *layout)
{
    *layout = (PhaseLayout){.groups = g_array_new(FALSE, TRUE, sizeof(PhaseGroup))};
}

void phase_layout_finish(PhaseLayout *layout)
{
    for (guint i = 0; i < layout->groups->len; i++) {
        PhaseGroup *group = &g_array_index(layout->groups, PhaseGroup, i);
        g_free(group->run);
        g_free(group->level);
        g_ptr_array_unref(group->others);
    }
    g_array_unref(layout->groups);
}

static void add_number(GArray *runs, size_t offset)
{
    NumberRun *last = runs->len ? &g_array_index(runs, NumberRun, runs->len - 1) : NULL;
    const NumberRun next = {offset, 1};
    if (last && last->offset + last->count * sizeof(uint64_t) == offset)
        last->count++;
    else
        g_array_append_val(runs, next);
}

static void read_rows(PhaseGroup *group)
{
    GArray *runs = g_array_new(FALSE, TRUE, sizeof(NumberRun));
    GArray *levels = g_array_new(FALSE, TRUE, sizeof(size_t));
    group->others = g_ptr_array_new();
    for (const Stat *stat = group->stats; stat && stat->name; stat++) {
        if (stat->type <= STAT_TIME)
            add_number(runs, stat->offset);
        else if (stat->type == STAT_LEVEL)
            g_array_append_val(levels, stat->offset);
        else
            g_ptr_array_add(group->others, (gpointer)(uintptr_t)stat);
    }
    group->loads = phase_loads(group->stats, group->load);
    group->levels = levels->len;
    group->level = (size_t *)(void *)g_array_free(levels, FALSE);
    group->runs = runs->len;
    group->run = (NumberRun *)(void *)g_array_free(runs, FALSE);
}

static uint32_t find_or_add(PhaseLayout *layout, const PhaseGroup *group)
{
    for (guint i = 0; i < layout->groups->len; i++) {
        const PhaseGroup *found = phase_layout_group(layout, i);
        if (found->stats == group->stats && found->part == group->part) return i;
    }
    PhaseGroup added = *group;
    read_rows(&added);
    g_array_append_val(layout->groups, added);
    return layout->groups->len - 1;
}

PhasePlace phase_layout_add(PhaseLayout *layout, const PhaseGroup *group, uint32_t meters)
{
    const PhasePlace place = {find_or_add(layout, group), layout->meters, layout->loads};
    layout->meters += meters;
    layout->loads += phase_layout_group(layout, place.group)->loads;
    return place;
}

/* --- sums ------------------------------------------------------------------------------------- */

static uint32_t words_of(const PhaseLayout *layout)
{
    return (layout->meters + 63) / 64;
}

PhaseSums *phase_sums_new(const PhaseLayout *layout)
{
    PhaseSums *sums = g_new0(PhaseSums, 1);
    sums->layout = layout;
    sums->group = g_new0(GroupSums, layout->groups->len);
    for (guint i = 0; i < layout->groups->len; i++) {
        const PhaseGroup *group = phase_layout_group(layout, i);
        sums->group[i] =
            (GroupSums){sparse_new(group->size), g_new0(LevelTime, MAX(group->levels, 1))};
    }
    sums->meter = g_new0(MeterSum, MAX(layout->meters, 1));
    sums->added = g_new0(uint64_t, MAX(words_of(layout), 1));
    sums->load = g_new0(uint64_t, MAX(layout->loads, 1));
    return sums;
}

void phase_sums_free(PhaseSums *sums)
{
    if (!sums) return;
    for (guint i = 0; i < sums->layout->groups->len; i++) {
        sparse_free(sums->group[i].statistics, phase_layout_group(sums->layout, i)->size);
        g_free(sums->group[i].integral);
    }
    g_free(sums->group);
    g_free(sums->meter);
    g_free(sums->added);
    g_free(sums->load);
    g_free(sums);
}

/* As new, or what is recycled would tell of banks that a fresh one does not know. */
static void forget_banks(GroupSums *sums, const PhaseGroup *group)
{
    for (guint i = 0; i < group->others->len; i++) {
        const Stat *stat = group->others->pdata[i];
        void *field = (char *)sums->statistics + stat->offset;
        if (stat->type == STAT_BANKS) ((BankCounts *)field)->banks = 0;
    }
}

static void clear_group(GroupSums *sums, const PhaseGroup *group)
{
    stats_reset(group->stats, sums->statistics, 0);
    forget_banks(sums, group);
    memset(sums->integral, 0, group->levels * sizeof *sums->integral);
}

static void clear_meters(PhaseSums *sums)
{
    for (uint32_t word = 0; word < words_of(sums->layout); word++) {
        for (uint64_t left = sums->added[word]; left; left &= left - 1)
            sums->meter[64 * word + (uint32_t)__builtin_ctzll(left)] = (MeterSum){0};
        sums->added[word] = 0;
    }
}

void phase_sums_clear(PhaseSums *sums)
{
    const PhaseLayout *layout = sums->layout;
    sums->length = 0;
    for (guint i = 0; i < layout->groups->len; i++)
        clear_group(&sums->group[i], phase_layout_group(layout, i));
    clear_meters(sums);
    memset(sums->load, 0, layout->loads * sizeof *sums->load);
}

static void merge_group(GroupSums *into, const GroupSums *from, const PhaseGroup *group)
{
    stats_merge(group->stats, into->statistics, from->statistics);
    for (uint32_t i = 0; i < group->levels; i++) into->integral[i] += from->integral[i];
}

static void merge_meters(PhaseSums *into, const PhaseSums *from)
{
    for (uint32_t word = 0; word < words_of(from->layout); word++)
        for (uint64_t left = from->added[word]; left; left &= left - 1) {
            const uint32_t number = 64 * word + (uint32_t)__builtin_ctzll(left);
            phase_sums_add_meter(into, number, &from->meter[number]);
        }
}

void phase_sums_merge(PhaseSums *into, const PhaseSums *from)
{
    const PhaseLayout *layout = from->layout;
    into->length += from->length;
    for (guint i = 0; i < layout->groups->len; i++)
        merge_group(&into->group[i], &from->group[i], phase_layout_group(layout, i));
    merge_meters(into, from);
    for (uint32_t i = 0; i < layout->loads; i++) into->load[i] += from->load[i];
}
