#include "kit/observe/phase_sums.h"

#include "kit/describe/role.h"
#include "parts/sparse.h"

#include <string.h>

/* --- layout ----------------------------------------------------------------------------------- */

static void add_load(PhaseLoad *loads, uint32_t *count, const Stat *a, const Stat *b)
{
    g_assert(*count < PHASE_LOADS);
    loads[(*count)++] = (PhaseLoad){a, b};
}

/* Of caches that a summary tells of the look-ups, of DRAM the bytes. */
static uint32_t phase_loads(const Stat *stats, PhaseLoad loads[PHASE_LOADS])
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
        g_free(group->block);
        g_ptr_array_unref(group->others);
    }
    g_array_unref(layout->groups);
}

/* The one that has the word at `offset`; those at the end of a struct may share words. */
static NumberBlock *find_block(GArray *blocks, size_t offset, size_t size)
{
    const size_t line = BLOCK_WORDS * sizeof(uint64_t);
    for (guint i = 0; i < blocks->len; i++) {
        NumberBlock *block = &g_array_index(blocks, NumberBlock, i);
        if (offset >= block->offset && offset < block->offset + line) return block;
    }
    const NumberBlock added = {.offset = MIN(offset - offset % line, size - line)};
    g_array_append_val(blocks, added);
    return &g_array_index(blocks, NumberBlock, blocks->len - 1);
}

static void add_number(GArray *blocks, size_t offset, size_t size)
{
    NumberBlock *block = find_block(blocks, offset, size);
    const size_t word = (offset - block->offset) / sizeof(uint64_t);
    block->mask[word / 2][word % 2] = UINT64_MAX;
}

static int by_offset(gconstpointer a, gconstpointer b)
{
    const NumberBlock *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static uint32_t word_of(const PhaseGroup *group, size_t offset)
{
    const size_t line = sizeof group->block->mask;
    uint32_t block = 0;
    while (group->block[block].offset + line <= offset) block++;
    return block * BLOCK_WORDS
           + (uint32_t)((offset - group->block[block].offset) / sizeof(uint64_t));
}

static void list_resting(PhaseGroup *group)
{
    for (const Stat *stat = group->stats; stat && stat->name; stat++) {
        if (!stat->at_rest) continue;
        g_assert(stat->type <= STAT_TIME && group->at_rest < AT_REST_MOST);
        const uint32_t word = word_of(group, stat->offset);
        group->resting[group->at_rest++] = (RestingNumber){stat->offset, word};
        group->rest_moves |= phase_bit(word / BLOCK_WORDS);
    }
}

static void read_rows(PhaseGroup *group)
{
    GArray *blocks = g_array_new(FALSE, TRUE, sizeof(NumberBlock));
    group->others = g_ptr_array_new();
    for (const Stat *stat = group->stats; stat && stat->name; stat++) {
        if (stat->type <= STAT_TIME)
            add_number(blocks, stat->offset, group->size);
        else if (stat->type == STAT_LEVEL)
            g_ptr_array_insert(group->others, (gint)group->levels++, (gpointer)(uintptr_t)stat);
        else
            g_ptr_array_add(group->others, (gpointer)(uintptr_t)stat);
        group->banks |= stat->type == STAT_BANKS;
    }
    g_array_sort(blocks, by_offset);
    group->loads = phase_loads(group->stats, group->load);
    group->blocks = blocks->len;
    group->block = (NumberBlock *)(void *)g_array_free(blocks, FALSE);
    list_resting(group);
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
        sums->group[i] = (GroupSums){.statistics = sparse_new(group->size),
                                     .integral = g_new0(LevelTime, MAX(group->levels, 1))};
    }
    sums->meter = SPARSE_ARRAY(MeterSum, layout->meters);
    sums->added = g_new0(uint64_t, MAX(words_of(layout), 1));
    sums->load = g_new0(uint64_t, MAX(layout->loads, 1));
    return sums;
}

void phase_sums_free(PhaseSums *sums)
{
    if (!sums) return;
    for (guint i = 0; i < sums->layout->groups->len; i++) {
        sparse_free(sums->group[i].statistics);
        g_free(sums->group[i].integral);
    }
    g_free(sums->group);
    sparse_free(sums->meter);
    g_free(sums->added);
    g_free(sums->load);
    g_free(sums);
}

AtRestSums *at_rest_sums_new(const PhaseLayout *layout)
{
    AtRestSums *sums = g_malloc0(sizeof *sums + layout->groups->len * sizeof *sums->of);
    sums->layout = layout;
    return sums;
}

void phase_sums_add_at_rest(PhaseSums *into, AtRestSums *from)
{
    for (guint g = 0; g < into->layout->groups->len; g++) {
        const PhaseGroup *group = phase_layout_group(into->layout, g);
        for (uint32_t i = 0; i < group->at_rest; i++) {
            void *number = (char *)into->group[g].statistics + group->resting[i].offset;
            *(uint64_t *)number += from->of[g][i];
            from->of[g][i] = 0;
        }
        into->group[g].moved |= group->rest_moves;
    }
}

static BlockWords *words_at(const GroupSums *sums, const NumberBlock *block)
{
    return (BlockWords *)(void *)((char *)sums->statistics + block->offset);
}

static void clear_numbers(GroupSums *sums, const PhaseGroup *group)
{
    for (uint32_t b = 0; b < group->blocks; b++) {
        if (!(sums->moved & phase_bit(b))) continue;
        BlockWords *words = words_at(sums, &group->block[b]);
        for (uint32_t i = 0; i < BLOCK_PAIRS; i++) words[i] &= ~group->block[b].mask[i];
    }
    sums->moved = 0;
}

/* As new, or what is recycled would tell of banks that a fresh one does not know. */
static void clear_other(GroupSums *sums, const Stat *stat)
{
    void *field = (char *)sums->statistics + stat->offset;
    stat_reset(stat, sums->statistics, 0);
    if (stat->type == STAT_BANKS) ((BankCounts *)field)->banks = 0;
}

static void clear_group(GroupSums *sums, const PhaseGroup *group)
{
    if (sums->moved) clear_numbers(sums, group);
    for (uint32_t i = 0; sums->others_moved && i < group->others->len; i++) {
        if (!(sums->others_moved & phase_bit(i))) continue;
        clear_other(sums, phase_group_other(group, i));
        if (i < group->levels) sums->integral[i] = 0;
    }
    sums->others_moved = 0;
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

static void merge_numbers(GroupSums *into, const GroupSums *from, const PhaseGroup *group)
{
    for (uint32_t b = 0; b < group->blocks; b++) {
        const NumberBlock *block = &group->block[b];
        if (!(from->moved & phase_bit(b))) continue;
        for (uint32_t i = 0; i < BLOCK_PAIRS; i++)
            words_at(into, block)[i] += words_at(from, block)[i] & block->mask[i];
    }
    into->moved |= from->moved;
}

static void merge_group(GroupSums *into, const GroupSums *from, const PhaseGroup *group)
{
    if (from->moved) merge_numbers(into, from, group);
    for (uint32_t i = 0; from->others_moved && i < group->others->len; i++) {
        if (!(from->others_moved & phase_bit(i))) continue;
        stat_merge(phase_group_other(group, i), into->statistics, from->statistics);
        if (i < group->levels) into->integral[i] += from->integral[i];
    }
    into->others_moved |= from->others_moved;
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
