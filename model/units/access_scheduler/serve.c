/* The memory access scheduler: what becomes of the request that was chosen. */
#include "units/access_scheduler/private.h"

static void stamp(const AccessScheduler *self, Transaction *transaction, const DramBooking *booking)
{
    const bool write = transaction->type == TRANSACTION_WRITE;
    const uint64_t latency = write ? self->dram->CWL : self->dram->CL;
    const uint64_t column = booking->column;
    transaction_enter(transaction, STAGE_SCHEDULER_WAIT, transaction->entered);
    if (booking->precharge != UINT64_MAX)
        transaction_enter(transaction, STAGE_DRAM_PRECHARGE,
                          scheduler_time_of(self, booking->precharge));
    if (booking->activate != UINT64_MAX)
        transaction_enter(transaction, STAGE_DRAM_ACTIVATE,
                          scheduler_time_of(self, booking->activate));
    transaction_enter(transaction, STAGE_DRAM_COLUMN, scheduler_time_of(self, column));
    transaction_enter(transaction, STAGE_DRAM_BUS, scheduler_time_of(self, column + latency));
    transaction_enter(transaction, STAGE_MEMORY_WIRE, scheduler_time_of(self, booking->data_end));
}

DramCommands *access_scheduler_new_commands(AccessScheduler *self, Transaction *transaction)
{
    DramCommands *commands = unit_new(&self->unit, MESSAGE_DRAM_COMMANDS);
    commands->transaction = transaction;
    commands->data_bytes = 0;
    commands->steps.count = 0;
    commands->steps.pattern = NULL;
    return commands;
}

static void count_request(AccessScheduler *self, const RowRequest *request,
                          const DramBooking *booking, Time now)
{
    const bool write = request->access.write;
    if (booking->precharges) {
        self->row_conflicts++;
        self->bank_conflicts.bank[request->access.bank[0]]++;
    } else if (booking->activates) {
        self->row_misses++;
    } else {
        self->row_hits++;
    }
    const bool for_l2 = request->purpose == FOR_L2;
    *(!for_l2 ? &self->own_requests : write ? &self->writes : &self->reads) += 1;
    if (write != self->last_was_write) self->turnarounds++;
    if (access_scheduler_is_overdue(self, request, now)) self->out_of_patience++;
    const RowSorter *sorter = &self->sorter[write];
    if (row_sorter_is_alone(sorter, request))
        level_leave(access_scheduler_rows(self, write), now, row_sorter_row(sorter, request)->came);
    level_leave(write ? &self->writes_waiting : &self->reads_waiting, now, request->came);
}

/* Where the bank of the last burst began to work for the request. */
static uint64_t first_cycle(const DramBooking *booking)
{
    return MIN(MIN(booking->precharge, booking->activate), booking->column);
}

G_GNUC_NO_INLINE static void remember_write(AccessScheduler *self, const RowRequest *request,
                                            uint64_t last_column)
{
    const uint32_t mask = self->decided_room - 1;
    if (self->decided_count == self->decided_room) { /* the oldest has gone long ago */
        self->first_decided++;
        self->decided_count--;
    }
    self->decided[(self->first_decided + self->decided_count++) & mask] =
        (DecidedWrite){access_scheduler_request_line(self, request), last_column, request->sectors};
}

/* --- rows that nobody waits for --- */

/* By another request than this one, which has left the store. */
static bool is_row_wanted(const AccessScheduler *self, const RowRequest *request)
{
    const DramAccess *access = &request->access;
    return row_sorter_row(&self->sorter[access->write], request)->first
           || row_sorter_find(&self->sorter[!access->write], access->bank_set, access->row);
}

/* The first request after the row was left tells whether it should have been closed. */
static void learn(RowHistory *history, uint32_t row)
{
    if (!history->left) return;
    history->left = false;
    if (row == history->row)
        history->confidence += history->confidence < 3;
    else
        history->confidence -= history->confidence > 0;
}

static bool has_bank(const DramAccess *access, uint8_t bank)
{
    for (uint8_t i = 0; i < access->banks; i++)
        if (access->bank[i] == bank) return true;
    return false;
}

/* The banks of the access close behind its columns; others of the set, open since an earlier
 * request, need a command. */
G_GNUC_NO_INLINE static void close_rows(AccessScheduler *self, const DramAccess *access,
                                        DramBooking *booking)
{
    const uint32_t steps = booking->steps->count;
    for (uint32_t group = 0; group < self->dram->interleaved_groups; group++) {
        const uint8_t bank = dram_map_bank(&self->map, access->bank_set, group);
        dram_state_close(&self->state, bank, has_bank(access, bank), booking);
    }
    self->row_closes += booking->steps->count - steps;
    for (int i = 0; i < DIRECTIONS; i++)
        row_sorter_open(&self->sorter[i], access->bank_set, DRAM_NO_ROW);
}

/* The request has left the store. */
static void leave_row(AccessScheduler *self, const RowRequest *request, DramBooking *booking)
{
    const DramAccess *access = &request->access;
    RowHistory *history = &self->history[access->bank_set];
    learn(history, access->row);
    if (is_row_wanted(self, request)) return;
    history->left = true;
    history->row = access->row;
    if (self->page_policy == PAGE_CLOSED || history->confidence < 2)
        close_rows(self, access, booking);
}

/* --- */

G_GNUC_NO_INLINE static void continue_run(AccessScheduler *self, const RowRequest *request)
{
    const RowSorter *sorter = &self->sorter[request->access.write];
    SortedRow *row = row_sorter_row(sorter, request);
    RowRun *run = &self->run[request->access.write];
    if (run->row != row) *run = (RowRun){row, 0};
    run->length++;
    if (row_sorter_is_alone(sorter, request)) run->row = NULL; /* the last one of its row */
    self->run[!request->access.write].row = NULL;
}

/* Of those whose rows are open one is served next, as a rule, and another one of its row later. */
static void foresee_next(const RowSorter *sorter)
{
    for (uint64_t left = sorter->hitting; left; left &= left - 1) {
        const RowRequest *next = row_sorter_next(sorter, (uint32_t)__builtin_ctzll(left));
        fetch_ahead(&sorter->store[next->next]);
        if (next->purpose == FOR_L2) message_foresee(&((const Transaction *)next->owner)->message);
    }
}

void access_scheduler_serve(AccessScheduler *self, const Candidate *next, uint64_t from, Time now)
{
    RowRequest *request = next->request;
    const bool for_l2 = request->purpose == FOR_L2;
    Transaction *transaction = for_l2 ? request->owner : NULL;
    if (for_l2) message_foresee(&transaction->message); /* it is touched late */
    DramCommands *commands = access_scheduler_new_commands(self, transaction);
    const DramAccess *access = &request->access; /* stays until the next one comes */
    const bool write = access->write;
    RowSorter *sorter = &self->sorter[write];
    DramBooking booking = {.steps = &commands->steps,
                           .outlook = &self->outlook[write],
                           .goes_first = next->goes_first};
    dram_state_book(&self->state, access, from, &booking);
    count_request(self, request, &booking, now);
    if (write) remember_write(self, request, booking.last_column);
    if (request->purpose == FOR_MERGE) access_scheduler_write_merged(self, request);
    self->head_waits = false;
    self->last_was_write = write;
    self->last_column = MAX(self->last_column, booking.last_column);
    for (int i = 0; i < DIRECTIONS; i++)
        row_sorter_open(&self->sorter[i], access->bank_set, access->row);
    if (self->policy == POLICY_SORTER_STORE) continue_run(self, request);
    row_sorter_remove(sorter, request);
    foresee_next(sorter);
    if (for_l2 && !write)
        histogram_add(&self->wait,
                      scheduler_time_of(self, first_cycle(&booking)) - transaction->entered);
    const bool row_goes_on = for_l2 && transaction->row_goes_on;
    if (!row_goes_on && self->page_policy != PAGE_OPEN) leave_row(self, request, &booking);
    if (for_l2) stamp(self, transaction, &booking);
    if (for_l2 && write) commands->data_bytes = access_scheduler_bytes(self, transaction->sectors);
    channel_send(&self->to_dram, &commands->message, now);
}
