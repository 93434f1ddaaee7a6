/* L1's write side: what stores do to lines, and the write data buffer in which they wait for the
 * network. */
#include "units/l1/ports.h"
#include "units/l1/way.h"

/* --- the write data buffer -------------------------------------------------------------------- */

bool l1_write_room(const L1 *self)
{
    return self->writes_waiting + self->writes_reserved + self->leaving_count
           < self->write_buffer_entries;
}

Served l1_refuse_room(L1 *self, WarpAccess *access, Time now)
{
    self->buffer_refused = true;
    return l1_refuse(self, access, &self->refused_write_buffer, now);
}

static BufferedStore *leaving_at(const L1 *self, uint32_t index)
{
    const uint64_t at = self->leaving_first + index;
    return &self->leaving[at < self->write_buffer_entries ? at : at - self->write_buffer_entries];
}

void l1_leave_buffer(L1 *self, Time entered, Time leaves, Time now)
{
    if (self->leaving_count)
        leaves = MAX(leaves, leaving_at(self, self->leaving_count - 1)->leaves);
    leaves = MAX(leaves, now + self->unit.clock->period);
    *leaving_at(self, self->leaving_count++) = (BufferedStore){entered, leaves};
}

G_GNUC_NO_INLINE void l1_free_places(L1 *self, Time now)
{
    for (const BufferedStore *first;
         self->leaving_count && (first = leaving_at(self, 0))->leaves <= now;) {
        level_leave(&self->write_room, now, first->entered);
        level_leave(&self->write_buffer, now, first->entered);
        self->leaving_first = (self->leaving_first + 1) % self->write_buffer_entries;
        self->leaving_count--;
        if (self->buffer_refused) l1_note_change(self);
        self->buffer_refused = false;
    }
}

static Time send_write(L1 *self, Transaction *transaction, Time now)
{
    self->bytes_to_network += sector_bytes_of(self, transaction->sectors);
    return l1_depart(self, transaction, now);
}

static void hold_place(L1 *self, Time until, Time now)
{
    level_enter(&self->write_room, now);
    level_enter(&self->write_buffer, now);
    l1_leave_buffer(self, now, until, now);
}

/* It is in the buffer until it is on its way and, where a line is there, `written`. */
static void pass_through(L1 *self, Transaction *transaction, Time written, Time now)
{
    const Time left = send_write(self, transaction, now);
    hold_place(self, MAX(left, written), now);
}

static void wait_for_network(L1 *self, Transaction *transaction, Time now)
{
    transaction->entered = now;
    transaction_enter(transaction, STAGE_REPLAY, now);
    if (!self->queued_writes.first) self->stuck_since = self->changes - 1; /* it was not tried */
    message_list_append(&self->queued_writes, &transaction->message);
    self->writes_waiting++;
    level_enter(&self->write_room, now);
    level_enter(&self->write_buffer, now);
}

/* To L2; its bytes in the array are there when it is `written`. */
static void buffer_write(L1 *self, Transaction *transaction, Time written, Time now)
{
    transaction->left = now;
    level_enter(&self->stores_outstanding, now);
    if (!self->queued_writes.first && !l1_blocked_by(self, transaction->virtual_line, now))
        pass_through(self, transaction, written, now);
    else
        wait_for_network(self, transaction, now);
}

/* Loads that find the way to L2 blocked and stores take turns. */
void l1_refuse_way(L1 *self, WarpAccess *access, uint64_t *counter, Time now)
{
    self->load_waits = !self->load_went;
    self->claimant = access;
    self->claim = counter;
    l1_refuse(self, access, counter, now);
}

G_GNUC_NO_INLINE void l1_drain_writes(L1 *self, Time now)
{
    if (self->stuck_since == self->changes) return;
    const uint32_t left_to_load = self->load_waits;
    self->load_waits = false;
    self->write_claim = NULL;
    while (self->queued_writes.first) {
        Transaction *transaction = (Transaction *)self->queued_writes.first;
        self->write_claim = l1_blocked_by(self, transaction->virtual_line, now);
        if (self->write_claim) {
            self->stuck_since = self->changes;
            return;
        }
        if (left_to_load && channel_room(&self->to_request_network, now) <= left_to_load) return;
        message_list_take(&self->queued_writes);
        self->writes_waiting--;
        level_leave(&self->write_room, now, transaction->entered);
        level_leave(&self->write_buffer, now, transaction->entered);
        transaction_enter(transaction, STAGE_L1_TAG, now);
        send_write(self, transaction, now);
        self->load_went = false;
        l1_note_change(self);
    }
}

/* The launch that made it necessary waits for it. */
static void tell_of_write_back(L1 *self, uint32_t launch, StoreStep step, Time now)
{
    StoreNotice *notice = write_back_notice_new(&self->unit.messages, launch, step);
    channel_send(&self->to_sm_notices, &notice->message, now);
}

/* It does not take the place in the network that the miss which evicts it has seen. */
void l1_write_back(L1 *self, uint32_t launch, uint32_t place, Time now)
{
    const TagLine *victim = &self->tags.lines[place];
    Transaction *transaction =
        l1_new_request(self, victim->line * self->line->line_bytes, TRANSACTION_WRITE, now);
    transaction->sectors = victim->dirty;
    transaction->message.entry = launch;
    self->going++;
    if (self->bytes && l1_take_bytes(self, transaction, place))
        self->global_write_backs++;
    else
        self->write_backs++;
    l1_count_row(self, sector_bytes_of(self, transaction->sectors));
    if (self->array_ports != ARRAY_UNBOUNDED) l1_book_data(self, 1, now);
    transaction->left = now;
    level_enter(&self->stores_outstanding, now);
    tell_of_write_back(self, launch, WRITE_BACK_BEGINS, now);
    wait_for_network(self, transaction, now);
}

void l1_end_write_back(L1 *self, Transaction *transaction, Time now)
{
    self->going--;
    tell_of_write_back(self, transaction->message.entry, WRITE_BACK_ENDS, now);
    unit_free_message(&self->unit, &transaction->message);
}

/* --- stores ----------------------------------------------------------------------------------- */

/* Tells the SM when the store's data will have been read: its warp may end then. Notices
 * take no part in the order of values on their way to the registers. */
static StoreNotice *make_notice(L1 *self, const WarpAccess *access, Time now)
{
    return store_notice_new(&self->unit.messages, access,
                            now + clock_cycles(self->unit.clock, self->store_latency)
                                + self->to_sm_notices.delay);
}

/* Writes the bytes of a present line; returns when they are there. */
static Time write_array(L1 *self, const AccessLine *line, uint32_t place, Time now)
{
    tag_array_touch(&self->tags, place);
    self->array_writes++;
    self->bytes_array_written += l1_wanted_bytes(self, line);
    self->write_hits++;
    return l1_book_write(self, MAX(line->passes, 1), now);
}

/* Global: written through; a line that is there is written as well. */
static bool write_through(L1 *self, WarpAccess *access, const AccessLine *line, uint32_t place,
                          Time now)
{
    Time written = now;
    if (place != TAG_NONE && self->tags.lines[place].valid & line->sectors)
        written = write_array(self, line, place, now);
    buffer_write(self, l1_new_transaction(self, access, line, now), written, now);
    return true;
}

static bool is_written_back(const L1 *self, const Instruction *instruction)
{
    return (instruction->space == SPACE_LOCAL || self->global_write == GLOBAL_BACK)
           && l1_caches(self, instruction);
}

/* Of lines that are written in part and fetched first. */
static bool has_place(const L1 *self, const Instruction *instruction)
{
    return (instruction->space == SPACE_LOCAL || self->bytes) && l1_caches(self, instruction);
}

/* A fetch of its own, for which nobody waits yet; PRT_NONE: refused. */
static uint32_t begin_fetch(L1 *self, WarpAccess *access, const AccessLine *line, uint32_t place,
                            uint16_t sectors, Time now)
{
    if (!l1_may_fetch(self, access, line->line, now)) return PRT_NONE;
    const uint32_t present = place;
    if (has_place(self, &access->instruction)) {
        place = l1_allocate(self, access, line_number(self, line->line), present, now);
        if (place == TAG_NONE) return PRT_NONE;
        if (self->fetch == FETCH_LINE)
            sectors = all_sectors(self) & (uint16_t)~self->tags.lines[place].valid;
    }
    if (present != TAG_NONE) tag_array_touch(&self->tags, present);
    self->store_fetches++;
    return l1_fetch(self, l1_new_request(self, line->line, TRANSACTION_READ, now), place, sectors,
                    now);
}

/* What is to be written back needs a place in L1. */
static bool may_join(const L1 *self, const PendingRequest *entry, bool back)
{
    return entry->merged < self->prt_merges && (!back || entry->place != TAG_NONE);
}

/* Asks L2 for what is written in part and joins those who wait for it. */
static bool fetch_first(L1 *self, WarpAccess *access, const AccessLine *line, uint32_t place,
                        uint16_t lacking, Time now)
{
    const bool back = is_written_back(self, &access->instruction);
    uint32_t pending = pending_request_table_find(&self->table, line->line, lacking);
    if (pending == PRT_NONE) {
        pending = begin_fetch(self, access, line, place, lacking, now);
        if (pending == PRT_NONE) return false;
    } else if (!may_join(self, &self->table.entries[pending], back)) {
        l1_refuse(self, access, &self->refused_merge, now);
        return false;
    } else {
        l1_join(self, &self->table.entries[pending], now);
    }
    if (!back) {
        self->writes_reserved++;
        level_enter(&self->write_room, now);
    }
    PendingRequest *entry = &self->table.entries[pending];
    transaction_join(l1_new_transaction(self, access, line, now), &entry->first, &entry->last, now);
    return true;
}

/* The line has the store's bytes. */
static void enter_line(L1 *self, const Transaction *store, uint32_t place, Time now)
{
    self->array_writes++;
    self->bytes_array_written += MIN(store->requested_bytes, sector_bytes_of(self, store->sectors));
    if (self->bytes && store->space == SPACE_GLOBAL) {
        l1_keep_bytes(self, store, place, now);
        return;
    }
    self->tags.lines[place].valid |= store->sectors;
    self->tags.lines[place].dirty |= store->sectors;
}

/* What is kept of global data has been told to the SM before the store is done. */
void l1_finish_store(L1 *self, Transaction *waiting, uint32_t place, Time now)
{
    const Instruction *instruction = &waiting->access->instruction;
    Time written = now;
    if (place != TAG_NONE && has_place(self, instruction)) {
        enter_line(self, waiting, place, now);
        written = l1_book_write(self, MAX(waiting->passes, 1), now);
    }
    if (is_written_back(self, instruction)) {
        if (self->bytes) written = MAX(written, now + self->unit.clock->period);
        l1_complete(self, waiting, written);
        return;
    }
    self->writes_reserved--;
    level_leave(&self->write_room, now, waiting->entered);
    buffer_write(self, waiting, written, now);
}

static bool is_whole(const L1 *self, const AccessLine *line)
{
    return line->sectors == all_sectors(self) && !line->partial;
}

static uint16_t lacks_of(const L1 *self, uint32_t place, uint16_t sectors)
{
    return place == TAG_NONE ? sectors : sectors & (uint16_t)~self->tags.lines[place].valid;
}

/* What is written in part: of whole lines all, unless the store has all of it. */
static uint16_t lacks_of_local(const L1 *self, const AccessLine *line, uint32_t place)
{
    const bool sectors = self->fetch == FETCH_SECTORS || is_whole(self, line);
    return lacks_of(self, place, sectors ? line->partial : all_sectors(self));
}

static bool write_partly(L1 *self, WarpAccess *access, const AccessLine *line, uint32_t place,
                         Time now)
{
    const uint16_t lacking = lacks_of(self, place, line->partial);
    return lacking && self->global_partial == PARTIAL_FETCH_FIRST
               ? fetch_first(self, access, line, place, lacking, now)
               : write_through(self, access, line, place, now);
}

/* Into a line that has got a place; what is written through goes on, for which a dirty victim may
 * have left no room. */
static bool write_line(L1 *self, WarpAccess *access, const AccessLine *line, uint32_t place,
                       Time now)
{
    const bool back = is_written_back(self, &access->instruction), hits = place != TAG_NONE;
    const uint32_t waiting = self->writes_waiting;
    place = l1_allocate(self, access, line_number(self, line->line), place, now);
    if (place == TAG_NONE) return false;
    l1_note_fetched(self, line->line);
    if (!back && !l1_write_room(self)) {
        l1_refuse_room(self, access, now);
        return false;
    }
    self->write_hits += hits;
    tag_array_touch(&self->tags, place);
    Transaction *transaction = l1_new_transaction(self, access, line, now);
    enter_line(self, transaction, place, now);
    const Time booked = l1_book_write(self, MAX(line->passes, 1), now);
    if (!back) {
        buffer_write(self, transaction, booked, now);
        return true;
    }
    const Time hit = now + clock_cycles(self->unit.clock, self->hit_cycles),
               written = MAX(hit, booked);
    if (self->writes_waiting == waiting) /* else the victim has the place that the data leaves */
        hold_place(self, written, now);
    l1_complete(self, transaction, written);
    return true;
}

/* Local: written back. A line that is absent and written whole goes straight to L2. */
static bool write_local(L1 *self, WarpAccess *access, const AccessLine *line, uint32_t place,
                        Time now)
{
    if (place == TAG_NONE && is_whole(self, line) && self->local_full_line == FULL_LINE_BYPASS)
        return write_through(self, access, line, place, now);
    const uint16_t lacking = lacks_of_local(self, line, place);
    if (lacking) return fetch_first(self, access, line, place, lacking, now);
    return write_line(self, access, line, place, now);
}

static bool gets_place(const L1 *self, const AccessLine *line)
{
    switch ((GlobalAllocate)self->global_allocate) {
    case GLOBAL_ALLOCATE_NO: return false;
    case GLOBAL_ALLOCATE_PARTIAL: return !is_whole(self, line);
    case GLOBAL_ALLOCATE_YES: return true;
    }
    g_assert_not_reached();
}

/* Global, where lines know their bytes. */
static bool write_global(L1 *self, WarpAccess *access, const AccessLine *line, uint32_t place,
                         Time now)
{
    if (!l1_caches(self, &access->instruction))
        return !l1_flush_first(self, access, line->line, now)
               && write_partly(self, access, line, place, now);
    if (place == TAG_NONE && !gets_place(self, line))
        return write_through(self, access, line, place, now);
    const uint16_t lacking = lacks_of(self, place, line->partial);
    if (lacking && self->global_partial == PARTIAL_FETCH_FIRST)
        return fetch_first(self, access, line, place, lacking, now);
    return write_line(self, access, line, place, now);
}

static bool store_line(L1 *self, WarpAccess *access, const AccessLine *line, Time now)
{
    const Instruction *instruction = &access->instruction;
    if (!l1_write_room(self)) {
        l1_refuse_room(self, access, now);
        return false;
    }
    if (instruction->operation == OPERATION_ATOMIC)
        return !(self->bytes && l1_flush_first(self, access, line->line, now))
               && write_through(self, access, line, TAG_NONE, now);
    const uint32_t place = tag_array_find(&self->tags, line_number(self, line->line));
    if (self->bytes && instruction->space == SPACE_GLOBAL)
        return write_global(self, access, line, place, now);
    return is_written_back(self, instruction) ? write_local(self, access, line, place, now)
                                              : write_partly(self, access, line, place, now);
}

G_GNUC_NO_INLINE Served l1_store(L1 *self, WarpAccess *access, Time now)
{
    AccessState *state = state_of(access);
    const bool last = state->next + 1 == access->lines;
    const bool is_store = access->instruction.operation == OPERATION_STORE;
    const bool local = access->instruction.space == SPACE_LOCAL;
    /* made before, since the access may be on its way back afterwards */
    StoreNotice *notice = last && is_store ? make_notice(self, access, now) : NULL;
    const uint32_t next = state->next++, bytes = access->line[next].bytes;
    if (!store_line(self, access, &access->line[next], now)) {
        state->next = next;
        if (notice) unit_free_message(&self->unit, &notice->message);
        return SERVED_NOTHING;
    }
    if (!last && state->served_at == TIME_NEVER) state->served_at = now;
    self->bytes_stored += bytes;
    self->writes += is_store;
    self->atomics += !is_store;
    self->local_writes += is_store && local;
    if (notice) channel_send(&self->to_sm_notices, &notice->message, now);
    return last ? SERVED_WHOLLY : SERVED_PARTLY;
}
