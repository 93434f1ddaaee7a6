/* The phases of a run. A kernel is one, from its start until its memory's end; launches that
 * overlap are one together; and what lies between two kernels, gaps and write-backs, is one of its
 * own. Each unit adds what it has counted when it comes to a phase's end. Tiles come there one
 * after the other on the host, so that several phases may be open, and are complete in order.
 *
 * Memory is bounded: of each kernel a row of figures stays; sums stay of the launches that took
 * most time, and of each name, where the most threads were launched. What is of no such name goes
 * to `others`, so that names, others, unmeasured kernels and what lies between are, added up, what
 * was counted in the region of interest, to the last unit. */
#pragma once

#include "kit/gpu/boundary.h"
#include "kit/observe/phase_figures.h"

enum { PHASES_KEPT = 24, PHASE_NAMES = 40 };

typedef struct {
    guint first, launches;  /* of the list: those that run together */
    bool measured, stopped; /* the run was stopped within it */
    Time from, until;
    guint name; /* of Phases.names; those of none have the number of names */
    PhaseFigures figures;
    PhaseSums *sums; /* NULL: only the figures are kept */
} KernelPhase;

/* All kernels, or groups that overlap, of one name: "often + rare". */
typedef struct {
    char *name;
    PhaseSums *sums; /* NULL: none was added */
} PhaseName;

typedef struct Phases Phases;

/* NULL: the region of interest of these launches has one phase, or none is known. */
Phases *phases_new(const LaunchList *launches);
void phases_free(Phases *phases);

/* Of each unit, before the run. */
PhasePlace phases_add_unit(Phases *phases, const PhaseGroup *group, uint32_t meters);

/* One tile has all of them: they come to a phase's end together. Then they add to the sums of all
 * phases of the name where the phase has none of its own to keep. */
void phases_come_at_once(Phases *phases);

/* A boundary is announced, the next in order of time; what it is to phases. */
PhaseEdge phases_announce(Phases *phases, const Boundary *boundary);

/* Of the phase of this number, which is not complete; even ones are kernels. */
PhaseSums *phases_sums(Phases *phases, guint number);
static inline bool phase_is_kernel(guint number)
{
    return number % 2 == 0;
}

/* So many units have added to the phase all that they have counted in it. */
void phases_add_units(Phases *phases, guint number, guint units);

/* When the first phase ends that is not complete; TIME_NEVER: that is not known. */
Time phases_end_of_open(const Phases *phases);

/* The run was stopped at `at`, and it is within the phase of this number; false: there is none. */
bool phases_stop(Phases *phases, guint number, Time at);

/* The run has ended. */
void phases_end(Phases *phases);

/* --- after a run: of what was counted until the last measured kernel's end -------------------- */

const PhaseLayout *phases_layout(const Phases *phases);
const GArray *phases_kernels(const Phases *phases); /* of KernelPhase, in order */
static inline const KernelPhase *phases_kernel(const Phases *phases, guint index)
{
    return &g_array_index(phases_kernels(phases), KernelPhase, index);
}
const GArray *phases_names(const Phases *phases); /* of PhaseName, in order of their first launch */

/* Its launches in words, newly allocated. */
char *phases_describe(const Phases *phases, const KernelPhase *kernel);

/* NULL: there were none. */
const PhaseSums *phases_others(const Phases *phases);
const PhaseSums *phases_unmeasured(const Phases *phases);
const PhaseSums *phases_between(const Phases *phases);

/* All of it but what launches counted that are not measured, newly allocated; NULL: there are
 * none, and it is what was counted in the region of interest. */
PhaseSums *phases_sum_measured(const Phases *phases);
