/* Single requests of a run, each with all its stages: what tables and traces of requests are made
 * of. Of those that qualify so many are kept, and always the same ones: which ones depends on the
 * requests alone, not on the order in which the units of a deployment tell of them. */
#pragma once

#include "kit/message.h"

enum { TIMELINE_MAX = 10000, TIMELINE_SPARSEST = 1000000000 };

typedef struct Unit Unit;

typedef enum { TIMELINE_FIRST, TIMELINE_SLOWEST } TimelineKeep;

typedef struct {
    uint32_t capacity; /* most that are kept; 0: nothing is */
    TimelineKeep keep; /* which ones, where more qualify */
    uint64_t one_in;   /* so many, chosen by a hash of the id; 1: every request */
    Time from, until;  /* began in [from, until) */
} TimelineSelection;

typedef struct {
    uint64_t id, address, pc; /* address: virtual, of the line */
    Time end;
    const Kernel *kernel; /* NULL: unknown */
    const Unit *unit;     /* that completed it */
    const StageSums *sums;
    uint32_t warp; /* slot in the SM */
    uint16_t sm;
    uint8_t type, served_by, stamp_count;
    uint64_t stamps[TRANSACTION_STAMPS]; /* as the transaction's */
} TimelineRow;

/* A warp's request (`transaction->access` is not NULL) that ended at `end`; its stages went to
 * `sums`, a statistic of `unit`. */
typedef struct {
    const Unit *unit;
    const Transaction *transaction;
    Time end;
    const StageSums *sums;
} TimelineRequest;

/* A heap of the best rows, the worst one at the top. */
typedef struct {
    uint32_t used, room;
    uint64_t qualified; /* kept or not */
    TimelineRow *rows;
} TimelineHeap;

typedef struct {
    TimelineSelection selection;
    Time start; /* of the region of interest: nothing that completed before belongs to it */
    Time end;   /* the same of what began later; 0: no measured kernel has ended */
    TimelineHeap measured, since; /* `since`: began after `end`, may yet belong to the region */
} Timeline;

Timeline *timeline_new(const TimelineSelection *selection);
void timeline_free(Timeline *timeline);

/* When a unit that stepped at `at` completed it. */
void timeline_record(Timeline *timeline, const TimelineRequest *request, Time at);

/* The region of interest begins, or a measured kernel ends: said by each tile that comes to it,
 * counted once. */
void timeline_start_measuring(Timeline *timeline, Time at);
void timeline_keep_measured(Timeline *timeline, Time at);

/* What was kept: of `const TimelineRow *`, the timeline's, in order of their beginning. */
GPtrArray *timeline_rows(const Timeline *timeline);

/* How many requests of the region of interest the selection takes; those beyond its capacity were
 * left out. */
uint64_t timeline_qualified(const Timeline *timeline);

static inline Time timeline_row_began(const TimelineRow *row)
{
    return stamp_time(row->stamps[0]);
}

/* A warp's request that ended at `end`; who completed it is the caller's. */
void timeline_row_fill(TimelineRow *row, const Transaction *transaction, Time end);

/* "load_dram": of the statistic that its stages went to. */
const char *timeline_row_class(const TimelineRow *row);
