#include "kit/observe/phase_figures.h"

#include "kit/describe/role.h"

/* A figure is a sum of some of what units count. */
typedef struct {
    guint group;
    const Stat *stat;
    size_t into;
} FigureRow;

#define FIGURE(field) offsetof(PhaseFigures, field)

struct PhaseFigurePlan {
    const PhaseLayout *layout;
    GArray *rows; /* of FigureRow */
};

static void add_row(PhaseFigurePlan *plan, guint group, const Stat *stat, size_t into)
{
    const FigureRow row = {group, stat, into};
    g_array_append_val(plan->rows, row);
}

static void add_meaning(PhaseFigurePlan *plan, guint group, StatMeaning meaning, size_t into)
{
    const Stat *stat = stat_that_means(phase_layout_group(plan->layout, group)->stats, meaning);
    for (; stat; stat = stat_that_means(stat + 1, meaning)) add_row(plan, group, stat, into);
}

static void add_role(PhaseFigurePlan *plan, guint group, const Stat *stats, size_t role,
                     const char *words, size_t into)
{
    const Stat *stat = stat_with_role(stats, role, words);
    for (; stat; stat = stat_with_role(stat + 1, role, words)) add_row(plan, group, stat, into);
}

/* Hits of loads where a cache tells them apart, as in summaries. */
static void add_cache(PhaseFigurePlan *plan, guint group, const Stat *accesses, guint number)
{
    const Stat *stats = phase_layout_group(plan->layout, group)->stats;
    const Stat *loads = stat_with_role(stats, ROLE(loads_of), accesses->accesses_of);
    const char *words = loads ? loads->accesses_of : accesses->accesses_of;
    add_role(plan, group, stats, ROLE(hits_of), words, FIGURE(cache[number].hits));
    add_role(plan, group, stats, ROLE(accesses_of), words, FIGURE(cache[number].of));
}

static void add_group(PhaseFigurePlan *plan, guint group, guint *caches)
{
    add_meaning(plan, group, MEANS_WARP_INSTRUCTIONS, FIGURE(instructions));
    add_meaning(plan, group, MEANS_REQUESTED_BYTES, FIGURE(requested_bytes));
    add_meaning(plan, group, MEANS_BYTES_FROM_DRAM, FIGURE(dram_bytes));
    add_meaning(plan, group, MEANS_BYTES_TO_DRAM, FIGURE(dram_bytes));
    add_meaning(plan, group, MEANS_DATA_TO_DRAM, FIGURE(dram_written_bytes));
    add_meaning(plan, group, MEANS_BYTES_CAUGHT, FIGURE(dram_written_bytes));
    add_meaning(plan, group, MEANS_BYTES_WRITTEN_BACK, FIGURE(written_back_bytes));
    const Stat *stats = phase_layout_group(plan->layout, group)->stats;
    const Stat *stat = stat_with_role(stats, ROLE(member), NULL);
    for (; stat && *caches < PHASE_CACHES; stat = stat_with_role(stat + 1, ROLE(member), NULL))
        add_cache(plan, group, stat, (*caches)++);
}

PhaseFigurePlan *phase_figure_plan_new(const PhaseLayout *layout)
{
    PhaseFigurePlan *plan = g_new(PhaseFigurePlan, 1);
    *plan = (PhaseFigurePlan){layout, g_array_new(FALSE, FALSE, sizeof(FigureRow))};
    guint caches = 0;
    for (guint i = 0; i < layout->groups->len; i++) add_group(plan, i, &caches);
    return plan;
}

void phase_figure_plan_free(PhaseFigurePlan *plan)
{
    g_array_unref(plan->rows);
    g_free(plan);
}

PhaseFigures phase_figures(const PhaseFigurePlan *plan, const PhaseSums *sums)
{
    PhaseFigures figures = {.instructions = 0};
    for (guint i = 0; i < plan->rows->len; i++) {
        const FigureRow *row = &g_array_index(plan->rows, FigureRow, i);
        *(uint64_t *)(void *)((char *)&figures + row->into) +=
            stat_number(row->stat, sums->group[row->group].statistics);
    }
    return figures;
}

void phase_figures_subtract(PhaseFigures *figures, const PhaseFigures *subtracted)
{
    uint64_t *from = (uint64_t *)(void *)figures;
    const uint64_t *number = (const uint64_t *)(const void *)subtracted;
    for (size_t i = 0; i < sizeof *figures / sizeof *from; i++) from[i] -= number[i];
}
