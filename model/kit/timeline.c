#include "kit/timeline.h"

#include <string.h>

Timeline *timeline_new(uint32_t capacity)
{
    Timeline *timeline = g_new0(Timeline, 1);
    timeline->capacity = capacity;
    timeline->rows = g_new(TimelineRow, capacity);
    return timeline;
}

void timeline_free(Timeline *timeline)
{
    if (!timeline) return;
    g_free(timeline->rows);
    g_free(timeline);
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

int timeline_row_compare(const TimelineRow *a, const TimelineRow *b)
{
    const int begin = compare(timeline_row_began(a), timeline_row_began(b));
    return begin ? begin : compare(a->id, b->id);
}

void timeline_row_fill(TimelineRow *row, const Transaction *transaction, Time end)
{
    row->id = transaction->message.id;
    row->address = transaction->virtual_line;
    row->end = end;
    row->warp = transaction->access->warp;
    row->sm = transaction->source;
    row->type = transaction->type;
    row->served_by = transaction->served_by;
    row->stamp_count = transaction->stamp_count;
    memcpy(row->stamps, transaction->stamps, transaction->stamp_count * sizeof *row->stamps);
}

void timeline_record(Timeline *timeline, const Transaction *transaction, Time end)
{
    TimelineRow row;
    timeline_row_fill(&row, transaction, end);
    uint32_t at = timeline->used;
    while (at && timeline_row_compare(&row, &timeline->rows[at - 1]) < 0) at--;
    if (at == timeline->capacity) return;
    if (timeline->used < timeline->capacity) timeline->used++;
    memmove(&timeline->rows[at + 1], &timeline->rows[at],
            (timeline->used - at - 1) * sizeof *timeline->rows);
    timeline->rows[at] = row;
}
