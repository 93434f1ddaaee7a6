/* L1's fill unit: what comes back from L2, and for whom. */
#include "units/l1/ports.h"

/* For the coherence monitor: when each sector of the line was read at its slice. */
static void note_versions(L1 *self, const PendingRequest *entry, const Transaction *reply)
{
    if (!self->read_at || entry->place == TAG_NONE) return;
    const Time at = transaction_read_at(reply);
    for (unsigned sector = 0; sector < SECTORS_MAX; sector++)
        if (entry->sectors >> sector & 1)
            self->read_at[(uint64_t)entry->place * SECTORS_MAX + sector] = at;
}

/* The arbiter is to schedule the access again; its line, once in the array, stays until then. */
static void reschedule(L1 *self, Transaction *waiting, uint32_t place, Time now)
{
    AccessState *state = state_of(waiting->access);
    transaction_enter(waiting, STAGE_REPLAY, now);
    waiting->message.entry = place;
    if (place != TAG_NONE) self->tags.lines[place].fetching++;
    waiting->entered = now;
    waiting->merged = NULL;
    self->timed += !l1_is_timed(state);
    Transaction **last = &state->first_back;
    while (*last) last = &(*last)->merged;
    *last = waiting;
}

/* Whoever waited for the line reads or writes it now: it is certain to hit. */
static inline void serve_waiting(L1 *self, Transaction *waiting, uint32_t place, Time now)
{
    if (self->miss_replay && waiting->type == TRANSACTION_READ && waiting->access) {
        reschedule(self, waiting, place, now);
        return;
    }
    transaction_enter(waiting, STAGE_FILL, now);
    if (waiting->type == TRANSACTION_WRITE) {
        l1_finish_store(self, waiting, place, now);
        return;
    }
    if (!waiting->access) {
        unit_free_message(&self->unit, &waiting->message);
        return;
    }
    const uint32_t passes = waiting->passes;
    Values values = {.passes = 0};
    if (self->register_ports) values = l1_values_of(self, waiting->access, passes, now);
    const Time read = l1_book_arrived(self, place, passes, now);
    if (place != TAG_NONE) l1_count_row(self, waiting->requested_bytes);
    l1_complete(self, waiting,
                values.passes ? l1_find_registers(self, &values, 0, now)
                              : read + clock_cycles(self->unit.clock, self->hit_cycles));
}

G_ALWAYS_INLINE static inline void deliver(L1 *self, uint32_t index, Time now)
{
    PendingRequest *entry = &self->table.entries[index];
    Transaction *reply = entry->reply, *waiting = entry->first;
    const uint32_t place = entry->place;
    for (Transaction *joined = waiting; joined; joined = joined->merged) {
        transaction_inherit(joined, reply, joined->entered);
        joined->served_by = SERVED_PRT;
    }
    if (place != TAG_NONE) self->tags.lines[place].fetching--;
    if (entry->merged) level_leave_together(&self->merge_room, now, entry->merged, entry->joined);
    level_leave(&self->prt, now, reply->left);
    pending_request_table_release(&self->table, index);
    serve_waiting(self, reply, place, now);
    for (Transaction *next; waiting; waiting = next) {
        next = waiting->merged;
        serve_waiting(self, waiting, place, now);
    }
}

/* Its reply is here, and what others have asked for, too. */
static bool is_whole(const L1 *self, const PendingRequest *entry)
{
    const PendingRequestTable *table = &self->table;
    if (!entry->reply) return false;
    if (!entry->awaited) return true;
    for (uint32_t i = PRT_NONE;
         (i = pending_request_table_next(table, entry->line, i)) != PRT_NONE;) {
        const PendingRequest *other = &table->entries[i];
        if (other->place == entry->place && !other->reply && other->sectors & entry->awaited)
            return false;
    }
    return true;
}

/* Of several requests for sectors of a line one is back: those go on that wait for no other, the
 * oldest first. */
G_GNUC_NO_INLINE static void deliver_whole(L1 *self, const PendingRequest *back, Time now)
{
    const PendingRequestTable *table = &self->table;
    const uint64_t line = back->line;
    const uint32_t place = back->place;
    uint32_t whole;
    if (!is_whole(self, back)) transaction_enter(back->reply, STAGE_PRT_WAIT, now);
    do {
        whole = PRT_NONE;
        for (uint32_t i = PRT_NONE; (i = pending_request_table_next(table, line, i)) != PRT_NONE;)
            if (table->entries[i].place == place && is_whole(self, &table->entries[i])) whole = i;
        if (whole != PRT_NONE) deliver(self, whole, now);
    } while (whole != PRT_NONE);
}

G_GNUC_NO_INLINE static void deliver_in_order(L1 *self, Time now)
{
    while (self->oldest_miss != PRT_NONE && self->table.entries[self->oldest_miss].reply) {
        const uint32_t index = self->oldest_miss;
        self->oldest_miss = self->table.entries[index].younger;
        deliver(self, index, now);
    }
}

static void fill(L1 *self, Transaction *reply, Time now)
{
    const uint32_t index = reply->message.entry;
    PendingRequest *entry = &self->table.entries[index];
    if (!entry->used || entry->line != reply->virtual_line || entry->reply) {
        unit_fail(&self->unit, "a reply for no pending request");
        return;
    }
    if (entry->place != TAG_NONE) {
        self->tags.lines[entry->place].valid |= entry->sectors;
        self->array_writes++;
        self->bytes_array_written += sector_bytes_of(self, entry->sectors);
        l1_book_write(self, 1, now);
    }
    note_versions(self, entry, reply);
    self->fills++;
    self->bytes_from_network += sector_bytes_of(self, entry->sectors);
    histogram_add(&self->miss_latency_seen, now - reply->left);
    entry->reply = reply;
    if (self->return_order == RETURN_OUT_OF_ORDER) {
        if (entry->place == TAG_NONE || self->tags.lines[entry->place].fetching == 1) {
            deliver(self, index, now);
            return;
        }
        deliver_whole(self, entry, now);
        return;
    }
    if (index != self->oldest_miss) {
        self->held_in_order++;
        transaction_enter(reply, STAGE_PRT_WAIT, now);
    }
    deliver_in_order(self, now);
}

/* A store, a reduction, an atomic or a write-back is done. */
static void acknowledge(L1 *self, Transaction *reply, Time now)
{
    level_leave(&self->stores_outstanding, now, reply->left);
    if (!reply->access) {
        l1_end_write_back(self, reply, now);
        return;
    }
    if (transaction_reply_has_data(reply)) self->bytes_from_network += reply_bytes_of(self, reply);
    const bool returns = !instruction_has_no_result(&reply->access->instruction);
    const Values values = {&self->to_sm, MAX(now, self->returned), returns};
    l1_complete(self, reply, returns ? l1_find_registers(self, &values, 0, now) : now);
}

/* A fill whose line the array's port has no time for yet; those behind it wait as well. */
static bool must_wait(const L1 *self, const Transaction *reply, Time now)
{
    if (reply->for_texture || reply->type != TRANSACTION_READ || l1_may_write(self, now))
        return false;
    return self->table.entries[reply->message.entry].place != TAG_NONE;
}

void l1_take_replies(L1 *self, Time now)
{
    Message *message;
    self->left &= (uint8_t)~FILLS_LEFT;
    while ((message = port_peek(&self->from_reply_network))) {
        if (must_wait(self, (Transaction *)message, now)) {
            self->left |= FILLS_LEFT;
            return;
        }
        port_take(&self->from_reply_network, now);
        Transaction *reply = (Transaction *)message;
        self->replies++;
        if (reply->for_texture) {
            l1_return_request(self, reply, now);
            continue;
        }
        if (reply->type == TRANSACTION_READ)
            fill(self, reply, now);
        else
            acknowledge(self, reply, now);
        l1_note_change(self);
    }
}
