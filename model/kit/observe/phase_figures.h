/* A row of figures for each kernel of a run, however many there are. */
#pragma once

#include "kit/observe/phase_sums.h"

enum { PHASE_CACHES = 6 };

/* What is asked of every kernel. */
typedef struct {
    uint64_t instructions, requested_bytes, dram_bytes;
    uint64_t written_back_bytes; /* sent to DRAM, and */
    uint64_t dram_written_bytes; /* ... arrived there, or kept on the way */
    /* of each cache that summaries tell of, in the order of classes: of loads, where it tells them
     * apart */
    struct {
        uint64_t hits, of;
    } cache[PHASE_CACHES];
} PhaseFigures;

/* Which statistics make them up. */
typedef struct PhaseFigurePlan PhaseFigurePlan;

/* Of a layout that has all units. */
PhaseFigurePlan *phase_figure_plan_new(const PhaseLayout *layout);
void phase_figure_plan_free(PhaseFigurePlan *plan);

PhaseFigures phase_figures(const PhaseFigurePlan *plan, const PhaseSums *sums);

void phase_figures_subtract(PhaseFigures *figures, const PhaseFigures *subtracted);
