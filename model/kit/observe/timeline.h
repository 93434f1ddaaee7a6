/* Single requests of a run, each with all its stages: what tables and traces of requests are made
 * of. Of those that qualify so many are kept, and always the same ones: which ones depends on the
 * requests alone, not on the order in which the units of a deployment tell of them. */
#pragma once

#include "kit/gpu/dram_commands.h"

enum { TIMELINE_MAX = 10000, TIMELINE_SPARSEST = 1000000000 };

typedef struct Unit Unit; /* the engine's: told on, never looked into */

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
    uint32_t warp;     /* slot in the SM */
    uint16_t sm, home; /* home: L2 slice, and DRAM channel, of one that was served by DRAM */
    uint8_t type, served_by, stamp_count;
    uint64_t stamps[TRANSACTION_STAMPS]; /* as transaction_stamps gives them */
} TimelineRow;

static inline Time timeline_row_began(const TimelineRow *row)
{
    return stamp_time(row->stamps[0]);
}

/* A warp's request (`transaction->access` is not NULL) that ended at `end`; its stages go to
 * `sums`, a statistic of `unit`. */
typedef struct {
    const Unit *unit;
    const Transaction *transaction;
    Time end;
    StageSums *sums;
} CompletedRequest;

/* The best rows, as many as there may be; zeroed: none. A heap, the worst one at the top. */
typedef struct {
    uint32_t used, room;
    uint64_t qualified; /* offered, kept or not */
    Time floor;         /* of the slowest: one that took less is not kept; else 0 */
    TimelineRow *rows;
} TimelineHeap;

/* `selection` says how many there may be, and which are better: the same for all that is done with
 * a heap. */
void timeline_heap_offer(TimelineHeap *heap, const TimelineSelection *selection,
                         const CompletedRequest *request);
void timeline_heap_merge(TimelineHeap *into, const TimelineSelection *selection,
                         const TimelineHeap *from);
void timeline_heap_clear(TimelineHeap *heap);
void timeline_heap_finish(TimelineHeap *heap);

/* Of `const TimelineRow *`, the heap's: those that began first, or the slowest, at the front. */
GPtrArray *timeline_heap_rows(const TimelineHeap *heap, TimelineKeep order);

/* --- commands of DRAM channels: what the states of banks are made of --- */

/* Of a channel, from the beginning of what is kept on: 1 MiB. */
enum { BANK_LOG_MAX = 65536 };

typedef struct {
    Time at; /* at the scheduler, as in the stages of requests */
    uint32_t row;
    uint8_t bank, kind; /* DramStepKind */
} BankCommand;

typedef struct {
    const Unit *unit;
    Time from;         /* earlier ones are not kept */
    GArray *commands;  /* of BankCommand, as they were booked: in order for each bank */
    uint64_t left_out; /* had no room */
} BankLog;

BankLog *bank_log_new(const Unit *unit, Time from);
void bank_log_free(BankLog *log);

void bank_log_note(BankLog *log, DramSteps *steps, Time period);

/* What is kept begins at `at`, or later. */
void bank_log_restart(BankLog *log, Time at);

/* --- the timeline --- */

typedef struct {
    TimelineSelection selection;
    Time start; /* of the region of interest: nothing that completed before belongs to it */
    Time end;   /* the same of what began later; 0: no measured kernel has ended */
    TimelineHeap measured, since; /* `since`: began after `end`, may yet belong to the region */
    GPtrArray *bank_logs;         /* of BankLog: of DRAM channels that were used, in any order */
} Timeline;

Timeline *timeline_new(const TimelineSelection *selection);
void timeline_free(Timeline *timeline);

/* Of a DRAM channel, owned by the timeline. */
BankLog *timeline_add_bank_log(Timeline *timeline, const Unit *unit);

/* When a unit that stepped at `at` completed it. */
void timeline_record(Timeline *timeline, const CompletedRequest *request, Time at);

/* The region of interest begins, or a measured kernel ends: said by each tile that comes to it,
 * counted once. */
void timeline_start_measuring(Timeline *timeline, Time at);
void timeline_keep_measured(Timeline *timeline, Time at);

/* What was kept: of `const TimelineRow *`, the timeline's, in order of their beginning. */
GPtrArray *timeline_rows(const Timeline *timeline);

/* How many requests of the region of interest the selection takes; those beyond its capacity were
 * left out. */
uint64_t timeline_qualified(const Timeline *timeline);
