#include "kit/observe/timeline.h"

#include <string.h>

#include "kit/gpu/transaction.h"
#include "kit/gpu/warp_access.h"
#include "parts/bits.h"

enum { FIRST_ROOM = 64 };

Timeline *timeline_new(const TimelineSelection *selection)
{
    Timeline *timeline = g_new0(Timeline, 1);
    timeline->selection = *selection;
    timeline->bank_logs = g_ptr_array_new_with_free_func((GDestroyNotify)bank_log_free);
    return timeline;
}

void timeline_free(Timeline *timeline)
{
    if (!timeline) return;
    timeline_heap_finish(&timeline->measured);
    timeline_heap_finish(&timeline->since);
    g_ptr_array_unref(timeline->bank_logs);
    g_free(timeline);
}

BankLog *timeline_add_bank_log(Timeline *timeline, const Unit *unit)
{
    BankLog *log = bank_log_new(unit, timeline->selection.from);
    g_ptr_array_add(timeline->bank_logs, log);
    return log;
}

/* --- order ------------------------------------------------------------------------------------ */

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Negative: a began first. Parts of one texture instruction may share an id; such that are equal in
 * all of this are alike. */
static int compare_rows(const TimelineRow *a, const TimelineRow *b)
{
    const int orders[] = {compare(timeline_row_began(a), timeline_row_began(b)),
                          compare(a->id, b->id),
                          compare(a->address, b->address),
                          compare(a->end, b->end),
                          compare(a->served_by, b->served_by),
                          compare(a->stamp_count, b->stamp_count)};
    for (unsigned i = 0; i < G_N_ELEMENTS(orders); i++)
        if (orders[i]) return orders[i];
    return memcmp(a->stamps, b->stamps, a->stamp_count * sizeof *a->stamps);
}

static Time latency_of(const TimelineRow *row)
{
    return row->end - timeline_row_began(row);
}

/* Negative: a is kept rather than b. */
static int rank(TimelineKeep keep, const TimelineRow *a, const TimelineRow *b)
{
    const int slower = keep == TIMELINE_SLOWEST ? compare(latency_of(b), latency_of(a)) : 0;
    return slower ? slower : compare_rows(a, b);
}

/* --- the heap --------------------------------------------------------------------------------- */

/* The row at `i`, of which only this one may be out of order, goes up to its place. */
static void sift_up(TimelineHeap *heap, TimelineKeep keep, uint32_t i)
{
    const TimelineRow row = heap->rows[i];
    for (; i && rank(keep, &row, &heap->rows[(i - 1) / 2]) > 0; i = (i - 1) / 2)
        heap->rows[i] = heap->rows[(i - 1) / 2];
    heap->rows[i] = row;
}

static void replace_worst(TimelineHeap *heap, TimelineKeep keep, const TimelineRow *row)
{
    uint32_t i = 0;
    for (uint32_t child; (child = 2 * i + 1) < heap->used; i = child) {
        if (child + 1 < heap->used && rank(keep, &heap->rows[child + 1], &heap->rows[child]) > 0)
            child++;
        if (rank(keep, &heap->rows[child], row) <= 0) break;
        heap->rows[i] = heap->rows[child];
    }
    heap->rows[i] = *row;
}

static void add_row(TimelineHeap *heap, const TimelineSelection *selection, const TimelineRow *row)
{
    if (heap->used == heap->room) {
        heap->room = MIN(MAX(2 * heap->room, FIRST_ROOM), selection->capacity);
        heap->rows = g_renew(TimelineRow, heap->rows, heap->room);
    }
    heap->rows[heap->used] = *row;
    sift_up(heap, selection->keep, heap->used++);
}

static void insert(TimelineHeap *heap, const TimelineSelection *selection, const TimelineRow *row)
{
    if (heap->used < selection->capacity)
        add_row(heap, selection, row);
    else if (rank(selection->keep, row, &heap->rows[0]) < 0)
        replace_worst(heap, selection->keep, row);
    if (heap->used == selection->capacity && selection->keep == TIMELINE_SLOWEST)
        heap->floor = latency_of(&heap->rows[0]);
}

/* Said before the row is filled in: most come when better ones have been found. */
static bool is_hopeless(const TimelineHeap *heap, const TimelineSelection *selection,
                        const CompletedRequest *request)
{
    if (heap->used < selection->capacity) return false;
    const Time began = transaction_began(request->transaction), latency = request->end - began;
    if (selection->keep == TIMELINE_SLOWEST && latency != heap->floor) return latency < heap->floor;
    return began > timeline_row_began(&heap->rows[0]);
}

static void fill_in(TimelineRow *row, const CompletedRequest *request)
{
    const Transaction *transaction = request->transaction;
    const WarpAccess *access = transaction->access;
    row->id = transaction->message.id;
    row->address = transaction->virtual_line;
    row->pc = access ? access->instruction.pc : 0; /* none: it is traffic's */
    row->end = request->end;
    row->kernel = access ? access->kernel : NULL;
    row->unit = request->unit;
    row->sums = request->sums;
    row->warp = access ? access->warp : 0;
    row->sm = transaction->source;
    row->home = transaction->home;
    row->type = transaction->type;
    row->served_by = transaction->served_by;
    row->stamp_count = (uint8_t)transaction_stamps(transaction, row->stamps);
}

void timeline_heap_offer(TimelineHeap *heap, const TimelineSelection *selection,
                         const CompletedRequest *request)
{
    TimelineRow row;
    heap->qualified++;
    if (is_hopeless(heap, selection, request)) return;
    fill_in(&row, request);
    insert(heap, selection, &row);
}

void timeline_heap_merge(TimelineHeap *into, const TimelineSelection *selection,
                         const TimelineHeap *from)
{
    into->qualified += from->qualified;
    for (uint32_t i = 0; i < from->used; i++) insert(into, selection, &from->rows[i]);
}

void timeline_heap_clear(TimelineHeap *heap)
{
    heap->used = 0;
    heap->qualified = 0;
    heap->floor = 0;
}

void timeline_heap_finish(TimelineHeap *heap)
{
    g_free(heap->rows);
}

static gint compare_begins(gconstpointer a, gconstpointer b)
{
    return rank(TIMELINE_FIRST, *(const TimelineRow *const *)a, *(const TimelineRow *const *)b);
}

static gint compare_slowness(gconstpointer a, gconstpointer b)
{
    return rank(TIMELINE_SLOWEST, *(const TimelineRow *const *)a, *(const TimelineRow *const *)b);
}

GPtrArray *timeline_heap_rows(const TimelineHeap *heap, TimelineKeep order)
{
    GPtrArray *rows = g_ptr_array_sized_new(heap->used);
    for (uint32_t i = 0; i < heap->used; i++) g_ptr_array_add(rows, &heap->rows[i]);
    g_ptr_array_sort(rows, order == TIMELINE_SLOWEST ? compare_slowness : compare_begins);
    return rows;
}

/* --- what goes in ----------------------------------------------------------------------------- */

static bool qualifies(const TimelineSelection *selection, const Transaction *transaction)
{
    const Time began = transaction_began(transaction);
    if (began < selection->from || began >= selection->until) return false;
    return selection->one_in == 1 || mix64(transaction->message.id) % selection->one_in == 0;
}

void timeline_record(Timeline *timeline, const CompletedRequest *request, Time at)
{
    if (at < timeline->start || !qualifies(&timeline->selection, request->transaction)) return;
    TimelineHeap *heap = transaction_began(request->transaction) < timeline->end
                             ? &timeline->measured
                             : &timeline->since;
    timeline_heap_offer(heap, &timeline->selection, request);
}

/* --- the region of interest ------------------------------------------------------------------- */

void timeline_start_measuring(Timeline *timeline, Time at)
{
    if (at <= timeline->start) return;
    timeline->start = at;
    timeline_heap_clear(&timeline->since);
}

/* Nothing has stepped at `at` yet, so that all of `since` began before. */
void timeline_keep_measured(Timeline *timeline, Time at)
{
    if (at <= timeline->end) return;
    timeline->end = at;
    timeline_heap_merge(&timeline->measured, &timeline->selection, &timeline->since);
    timeline_heap_clear(&timeline->since);
}

/* --- what comes out --------------------------------------------------------------------------- */

static const TimelineHeap *kept(const Timeline *timeline)
{
    return timeline->end ? &timeline->measured : &timeline->since;
}

GPtrArray *timeline_rows(const Timeline *timeline)
{
    return timeline_heap_rows(kept(timeline), TIMELINE_FIRST);
}

uint64_t timeline_qualified(const Timeline *timeline)
{
    return kept(timeline)->qualified;
}

/* --- commands of DRAM channels ---------------------------------------------------------------- */

BankLog *bank_log_new(const Unit *unit, Time from)
{
    BankLog *log = g_new(BankLog, 1);
    *log = (BankLog){unit, from, g_array_new(FALSE, FALSE, sizeof(BankCommand)), 0};
    return log;
}

void bank_log_free(BankLog *log)
{
    g_array_unref(log->commands);
    g_free(log);
}

static void note(BankLog *log, const DramStep *step, Time at)
{
    const BankCommand command = {at, step->row, step->bank, step->kind};
    if (at < log->from) return;
    if (log->commands->len < BANK_LOG_MAX)
        g_array_append_val(log->commands, command);
    else
        log->left_out++;
}

void bank_log_note(BankLog *log, DramSteps *steps, Time period)
{
    dram_steps_spell_out(steps);
    for (uint32_t i = 0; i < steps->count; i++)
        note(log, &steps->step[i], steps->step[i].cycle * period);
}

/* Commands are booked ahead, so that some of the region may be here already. */
void bank_log_restart(BankLog *log, Time at)
{
    guint kept = 0;
    log->from = MAX(log->from, at);
    log->left_out = 0;
    for (guint i = 0; i < log->commands->len; i++) {
        const BankCommand command = g_array_index(log->commands, BankCommand, i);
        if (command.at >= log->from) g_array_index(log->commands, BankCommand, kept++) = command;
    }
    g_array_set_size(log->commands, kept);
}
