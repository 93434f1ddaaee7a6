#include "kit/observe/phase_sums.h"

#include "kit/describe/role.h"

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
    g_array_unref(layout->groups);
}

static uint32_t count_levels(const Stat *stats)
{
    uint32_t levels = 0;
    for (const Stat *stat = stats; stat && stat->name; stat++) levels += stat->type == STAT_LEVEL;
    return levels;
}

static uint32_t find_or_add(PhaseLayout *layout, const PhaseGroup *group)
{
    for (guint i = 0; i < layout->groups->len; i++) {
        const PhaseGroup *found = phase_layout_group(layout, i);
        if (found->stats == group->stats && found->part == group->part) return i;
    }
    PhaseGroup added = *group;
    added.levels = count_levels(group->stats);
    g_array_append_val(layout->groups, added);
    return layout->groups->len - 1;
}

PhasePlace phase_layout_add(PhaseLayout *layout, const PhaseGroup *group, uint32_t meters)
{
    PhaseLoad loads[PHASE_LOADS];
    const PhasePlace place = {.group = find_or_add(layout, group),
                              .meter = layout->meters,
                              .load = layout->loads,
                              .loads = phase_loads(group->stats, loads)};
    layout->meters += meters;
    layout->loads += place.loads;
    return place;
}

/* --- sums ------------------------------------------------------------------------------------- */

PhaseSums *phase_sums_new(const PhaseLayout *layout)
{
    PhaseSums *sums = g_new0(PhaseSums, 1);
    sums->layout = layout;
    sums->group = g_new0(GroupSums, layout->groups->len);
    for (guint i = 0; i < layout->groups->len; i++) {
        const PhaseGroup *group = phase_layout_group(layout, i);
        sums->group[i] =
            (GroupSums){g_malloc0(group->size), g_new0(LevelTime, MAX(group->levels, 1))};
    }
    sums->meter = g_new0(MeterSum, MAX(layout->meters, 1));
    sums->load = g_new0(uint64_t, MAX(layout->loads, 1));
    return sums;
}

void phase_sums_free(PhaseSums *sums)
{
    if (!sums) return;
    for (guint i = 0; i < sums->layout->groups->len; i++) {
        g_free(sums->group[i].statistics);
        g_free(sums->group[i].integral);
    }
    g_free(sums->group);
    g_free(sums->meter);
    g_free(sums->load);
    g_free(sums);
}

static void clear_group(GroupSums *sums, const PhaseGroup *group)
{
    stats_reset(group->stats, sums->statistics, 0);
    memset(sums->integral, 0, group->levels * sizeof *sums->integral);
}

void phase_sums_clear(PhaseSums *sums)
{
    const PhaseLayout *layout = sums->layout;
    sums->length = 0;
    for (guint i = 0; i < layout->groups->len; i++)
        clear_group(&sums->group[i], phase_layout_group(layout, i));
    memset(sums->meter, 0, layout->meters * sizeof *sums->meter);
    memset(sums->load, 0, layout->loads * sizeof *sums->load);
}

static void merge_group(GroupSums *into, const GroupSums *from, const PhaseGroup *group)
{
    stats_merge(group->stats, into->statistics, from->statistics);
    for (uint32_t i = 0; i < group->levels; i++) into->integral[i] += from->integral[i];
}

void phase_sums_merge(PhaseSums *into, const PhaseSums *from)
{
    const PhaseLayout *layout = from->layout;
    into->length += from->length;
    for (guint i = 0; i < layout->groups->len; i++)
        merge_group(&into->group[i], &from->group[i], phase_layout_group(layout, i));
    for (uint32_t i = 0; i < layout->meters; i++) {
        into->meter[i].work += from->meter[i].work;
        into->meter[i].full += from->meter[i].full;
        into->meter[i].refused += from->meter[i].refused;
    }
    for (uint32_t i = 0; i < layout->loads; i++) into->load[i] += from->load[i];
}
