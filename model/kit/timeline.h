/* The first requests of a run, each with all its stages: what a table of single requests is printed
 * from. A unit that completes requests tells its own timeline; the result merges them. */
#pragma once

#include "kit/message.h"

enum { TIMELINE_MAX = 1000 };

typedef struct {
    uint64_t id, address; /* virtual, of the line */
    Time end;
    uint32_t warp; /* slot in the SM */
    uint16_t sm;
    uint8_t type, served_by, stamp_count;
    uint64_t stamps[TRANSACTION_STAMPS]; /* as the transaction's */
} TimelineRow;

/* The `capacity` requests that began first, by time and then by id. */
typedef struct {
    uint32_t capacity, used;
    Time kept; /* rows that began later are not in the region of interest */
    TimelineRow *rows;
} Timeline;

Timeline *timeline_new(uint32_t capacity);
void timeline_free(Timeline *timeline);

static inline Time timeline_row_began(const TimelineRow *row)
{
    return stamp_time(row->stamps[0]);
}

/* Negative: a began first. */
int timeline_row_compare(const TimelineRow *a, const TimelineRow *b);

/* A warp's request that ended at `end`. */
void timeline_row_fill(TimelineRow *row, const Transaction *transaction, Time end);

/* A warp's request (`access` is not NULL) that ended at `end`. */
void timeline_record(Timeline *timeline, const Transaction *transaction, Time end);
