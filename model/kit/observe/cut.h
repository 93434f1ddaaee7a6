/* Where one phase of a run ends and the next begins, for a unit. A unit counts on as if nothing had
 * happened; what it had counted at the last cut is remembered, and the difference is the phase's.
 * Only the extremes of levels and distributions begin anew, and those of the whole are remembered.
 *
 * A unit that has done nothing since and holds nothing has added nothing to the phase: most units
 * of most phases are passed over. */
#pragma once

#include "kit/gpu/boundary.h"
#include "kit/gpu/message.h"
#include "kit/observe/meter.h"
#include "kit/observe/phase_sums.h"

/* What it takes to see that a meter has done nothing since. What it refused is a statistic. */
typedef struct {
    const uint64_t *done;
    uint64_t seen; /* of it, if the meter was at rest; else a number that it never is */
} MeterWatch;

/* What it takes to read one that has: a server, of which `done` is a part, */
typedef struct {
    uint64_t work;
    uint32_t at_once, number; /* of the unit's meters */
} CutServer;

/* ... or a place or a channel: a line of the host's cache. */
typedef struct {
    _Alignas(HOST_LINE) MeterSum then;
    void *field;
    MeterRead read; /* NULL: of a place */
    uint32_t number;
} CutMeter;

typedef struct {
    /* Of one that rests nothing else is looked at: a line of the host's cache. */
    _Alignas(HOST_LINE) uint64_t resting[AT_REST_MOST]; /* what it counts nevertheless */
    uint64_t events : 45;                               /* of the unit, by then */
    uint64_t rests : 1;   /* it held nothing, and nothing was at work */
    uint64_t counted : 2; /* since, at a boundary or in an event that counts nothing else */
    uint64_t group : 16;  /* as of its place */
    PhasePlace place;
    /* Plain numbers by block, then the counts of other rows: side by side, because all are looked
     * at and few move. NULL: nothing has been counted. */
    AlignedWords *seen;
    uint64_t load[PHASE_LOADS];
    void *then;        /* the rows that are no plain numbers, laid out as the unit */
    MeterWatch *watch; /* servers first; NULL: as when the region began */
    CutServer *server;
    CutMeter *meter; /* of those behind them */
    uint32_t servers, meters;
} Cut;

/* Before the unit's first event: it rests, unless it has yet to tell how many banks it has. */
void cut_begin(Cut *cut, const PhaseLayout *layout, PhasePlace place);

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
    return cut_rests(cut, events) && !cut->counted;
}

/* At a boundary. */
static inline void cut_note(Cut *cut, Counted counted)
{
    if (counted > cut->counted) cut->counted = counted;
}

/* In an event, the last of so many, that counts nothing else. If it is the first since, the unit
 * still rests. */
static inline void cut_pass(Cut *cut, uint64_t events)
{
    if (!cut->rests || cut->events + 1 != events) return;
    cut->events = events;
    cut_note(cut, COUNTED_AT_REST);
}

/* It has, and rests: it has only counted what it counts nevertheless. */
static inline bool cut_counts_at_rest(const Cut *cut, uint64_t events)
{
    return cut_rests(cut, events) && cut->counted < COUNTED_ANYTHING;
}

/* Add to `sums` what the unit has counted since the last cut, or since the region began: of one
 * that counts at rest, whenever it has, and of any. Its levels are settled by `at`. */
void cut_take_at_rest(Cut *cut, const void *unit, AtRestSums *sums);
void cut_take_any(Cut *cut, const CutUnit *unit, PhaseSums *sums, Time at);

/* Extremes of the whole to what has only those since the last cut: the unit, or a copy of it. */
void cut_widen(const Cut *cut, const Stat *stats, void *copy);
