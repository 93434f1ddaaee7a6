/* Where one phase of a run ends and the next begins, for a unit. A unit counts on as if nothing had
 * happened; what it had counted at the last cut is remembered, and the difference is the phase's.
 * Only the extremes of levels and distributions begin anew, and those of the whole are remembered.
 *
 * A unit that has done nothing since and holds nothing has added nothing to the phase: most units
 * of most phases are passed over. */
#pragma once

#include "kit/gpu/boundary.h"
#include "kit/observe/meter.h"
#include "kit/observe/phase_sums.h"

/* A meter: what it takes to see that it has done nothing, and what it had done by then. */
typedef struct {
    MeterSum then;
    const void *field;
    const uint64_t *refused; /* NULL: nothing is, or another one has them */
    const Meter *meter;
    MeterKind kind;
} CutMeter;

typedef struct {
    PhasePlace place;
    /* Plain numbers by block, then the counts of other rows: side by side, because all are looked
     * at and few move. NULL: nothing has been counted. */
    BlockWords *seen;
    uint64_t load[PHASE_LOADS];
    void *then; /* the rows that are no plain numbers, laid out as the unit */
    size_t size;
    CutMeter *meter; /* NULL: as when the region began */
    uint64_t events; /* of the unit, by then */
    bool rests;      /* it held nothing, and nothing was at work */
    Counted counted; /* at a boundary since, without an event */
} Cut;

/* Nothing is cut any more; the place stays. */
void cut_finish(Cut *cut);

typedef struct {
    void *unit;
    size_t size;
    const MeterList *meters;
    uint64_t events;
} CutUnit;

static inline bool cut_rests(const Cut *cut, uint64_t events)
{
    return cut->rests && cut->events == events;
}

/* It has nothing for the phase. */
static inline bool cut_is_idle(const Cut *cut, uint64_t events)
{
    return cut_rests(cut, events) && !cut->counted.until;
}

/* At a boundary. */
static inline void cut_note(Cut *cut, Counted counted)
{
    cut->counted = counted_both(cut->counted, counted);
}

/* Adds to `sums` what the unit has counted since the last cut, or since the region began. Its
 * levels are settled by `at`. */
void cut_take(Cut *cut, const CutUnit *unit, PhaseSums *sums, Time at);

/* Extremes of the whole to what has only those since the last cut: the unit, or a copy of it. */
void cut_widen(const Cut *cut, const Stat *stats, void *copy);
