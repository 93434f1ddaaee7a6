/* The L2 slice: fills, fetches and write-backs, and the queues in which they wait for the memory
 * access scheduler. */
#include "units/l2_slice/private.h"

/* --- from DRAM -------------------------------------------------------------------------------- */

/* What a request must find valid before it is served. */
static uint16_t needs(const Transaction *transaction)
{
    return transaction->type == TRANSACTION_WRITE ? transaction->partial : transaction->sectors;
}

/* Unless it was there itself. */
static void inherit(Transaction *waiting, const Transaction *fetched)
{
    if (waiting != fetched) transaction_inherit(waiting, fetched, waiting->entered);
}

/* Sectors that a request needs may have been under way before it came, in a fetch of their own:
 * then it goes on waiting for that one. */
static bool waits_on(L2Slice *self, Transaction *waiting, const Transaction *fetched,
                     const PendingRequest *entry, Time now)
{
    if (entry->place == TAG_NONE) return false; /* emptied meanwhile */
    const uint16_t lacking =
        slice_cache_lacks(&self->cache, entry->place, needs(waiting)) & (uint16_t)~entry->sectors;
    if (!lacking) return false;
    const uint32_t other = pending_request_table_find_any(&self->cache.table, entry->line, lacking);
    if (other == PRT_NONE) {
        unit_fail(&self->unit, "a request waits for sectors that nobody fetches");
        return false;
    }
    PendingRequest *next = &self->cache.table.entries[other];
    inherit(waiting, fetched);
    transaction_join(waiting, &next->first, &next->last, now);
    return true;
}

static ServedBy served_by(const Transaction *fetched)
{
    return fetched->served_by == SERVED_MEMORY_CACHE ? SERVED_MEMORY_CACHE : SERVED_DRAM;
}

/* The first has what is on its way into the array, all others read that when it is written. Without
 * a place, the fetch began before a kernel that starts with a cold cache. */
static inline void serve_waiting(L2Slice *self, Transaction *waiting, const Transaction *fetched,
                                 uint32_t place, Time now)
{
    const uint16_t filled = fetched->sectors;
    const bool written = place != TAG_NONE && waiting->type != TRANSACTION_READ;
    inherit(waiting, fetched);
    transaction_enter(waiting, STAGE_L2_TAG, now);
    waiting->served_by = served_by(fetched);
    if (written) {
        l2_slice_note_dirty(self, place, waiting->sectors);
        self->cache.tags.lines[place].dirty |= waiting->sectors;
    }
    if (place != TAG_NONE) self->cache.tags.lines[place].valid |= waiting->sectors;
    l2_slice_reply(self, waiting, self->fill_ready, self->forwards);
    if (self->forwards) self->fill_ready += l2_slice_port_time(self, filled);
    self->forwards = false;
    if (written) l2_slice_keep_clean(self, place);
}

/* The fill goes into the array and, at the same time, to the request that asked for it, which need
 * not read it. */
static void begin_fill(L2Slice *self, const Transaction *fetched, Time now)
{
    const Time ready = now + clock_cycles(self->unit.clock, self->fill_latency);
    self->fill_ready = l2_slice_write_port(self, ready, fetched->sectors);
    self->filling = self->forwards = true;
}

static void resume_fill(L2Slice *self, Time now)
{
    self->fill_ready = self->forwards ? MAX(self->fill_ready, now)
                                      : now + clock_cycles(self->unit.clock, self->fill_latency);
}

/* --- a request that fetches by itself --------------------------------------------------------- */

/* It goes on as another message and comes back. Requests of the ROP are not the slice's to send;
 * what crosses to another half is known as what it is. */
static bool may_go_itself(const L2Slice *self, const Transaction *wanted)
{
    return wanted->type == TRANSACTION_READ && !wanted->for_rop && !self->twins;
}

static Transaction *go_itself(L2Slice *self, Transaction *wanted, PendingRequest *entry)
{
    entry->id = wanted->message.id;
    entry->asked = wanted->message.entry;
    entry->wanted = wanted->sectors;
    wanted->message.id = message_source_id(&self->unit.messages);
    return wanted;
}

static void be_itself_again(Transaction *wanted, const PendingRequest *entry)
{
    wanted->message.id = entry->id;
    wanted->message.entry = entry->asked;
    wanted->sectors = entry->wanted;
}

/* Others wait for what was fetched: a message of the slice's own stays for them in the port. The
 * request was where that one was until now. */
G_GNUC_NO_INLINE static Transaction *part_from_fetch(L2Slice *self, Transaction *wanted,
                                                     const PendingRequest *entry, Time now)
{
    Transaction *fetched = message_new_part(&self->unit.messages, MESSAGE_TRANSACTION);
    *fetched = *wanted;
    port_replace(&self->from_dram, &fetched->message);
    be_itself_again(wanted, entry);
    wanted->entered = now;
    return fetched;
}

/* --- fills ------------------------------------------------------------------------------------ */

static bool may_reply(L2Slice *self, const Transaction *waiting, Time now)
{
    return self->completion == COMPLETION_IN_ORDER || waiting->for_rop || waiting->for_walker
           || l2_slice_reply_ready(self, now);
}

/* False: the reply network has no room for all who wait; the fill stays until all are served. */
G_GNUC_NO_INLINE static bool serve_all(L2Slice *self, const Transaction *fetched,
                                       PendingRequest *entry, Time now)
{
    for (Transaction *waiting; (waiting = entry->first);) {
        if (!l2_slice_may_end_store(self, waiting) || !may_reply(self, waiting, now)) return false;
        entry->first = waiting->merged;
        waiting->merged = NULL;
        if (!waits_on(self, waiting, fetched, entry, now))
            serve_waiting(self, waiting, fetched, entry->place, now);
    }
    return true;
}

/* Nobody else waits, and it leaves as the reply. */
static bool serve_itself(L2Slice *self, Transaction *fetched, PendingRequest *entry, Time now)
{
    if (!may_reply(self, fetched, now)) return false;
    port_take(&self->from_dram, now);
    be_itself_again(fetched, entry);
    if (!waits_on(self, fetched, fetched, entry, now))
        serve_waiting(self, fetched, fetched, entry->place, now);
    return true;
}

/* It has done what it was for. */
static void end(L2Slice *self, Transaction *request, Time now)
{
    port_take(&self->from_dram, now);
    unit_free_message(&self->unit, &request->message);
}

static bool serve_who_waits(L2Slice *self, Transaction *fetched, PendingRequest *entry, Time now)
{
    if (entry->first == fetched && entry->last == fetched)
        return serve_itself(self, fetched, entry, now);
    if (entry->first == fetched) fetched = part_from_fetch(self, fetched, entry, now);
    if (!serve_all(self, fetched, entry, now)) return false;
    end(self, fetched, now);
    return true;
}

static bool fill(L2Slice *self, Transaction *fetched, Time now)
{
    const uint32_t index = fetched->message.entry;
    PendingRequest *entry = &self->cache.table.entries[index];
    const uint16_t sectors = fetched->sectors;
    const Time began = self->fetches[index].began;
    if (!self->filling)
        begin_fill(self, fetched, now);
    else
        resume_fill(self, now);
    if (!serve_who_waits(self, fetched, entry, now)) return false;
    self->filling = false;
    self->fills++;
    self->bytes_filled += slice_cache_bytes(&self->cache, sectors);
    histogram_add(&self->fill_latency_seen, now - began);
    level_leave(&self->pending, now, began);
    l2_slice_part(self, entry, now);
    l2_slice_fill_ends(self, index, now);
    slice_cache_end_fetch(&self->cache, index);
    return true;
}

/* The acknowledgement of a store that went past the cache. */
static void acknowledge(L2Slice *self, Transaction *bypassing, const Transaction *written, Time now)
{
    transaction_inherit(bypassing, written, bypassing->entered);
    transaction_enter(bypassing, STAGE_L2_TAG, now);
    bypassing->served_by = SERVED_DRAM;
    l2_slice_reply(self, bypassing, now + clock_cycles(self->unit.clock, self->fill_latency),
                   false);
}

/* The place may have been given to another line, by a kernel that starts with a cold cache. */
static void free_line(L2Slice *self, const Transaction *written, Time now)
{
    const TagLine *line = &self->cache.tags.lines[written->message.entry];
    if (line->used && line->line == l2_slice_line_number(self, written))
        l2_slice_write_ends(self, written->message.entry, now);
}

static void leave_store_queue(L2Slice *self, uint32_t index, Time now)
{
    const StoreEntry *entry = &self->stores.entries[index];
    level_leave(&self->store_queue, now, entry->came);
    level_leave_together(&self->store_data, now, (uint32_t)__builtin_popcount(entry->sectors),
                         entry->data_came);
    store_queue_release(&self->stores, index);
}

G_GNUC_NO_INLINE static bool end_write(L2Slice *self, Transaction *written, Time now)
{
    Transaction *bypassing = written->merged;
    if (bypassing && !l2_slice_may_end_store(self, bypassing)) return false;
    if (bypassing && self->completion != COMPLETION_IN_ORDER && !l2_slice_reply_ready(self, now))
        return false;
    level_leave(&self->write_backs_outstanding, now, transaction_began(written));
    if (bypassing) {
        acknowledge(self, bypassing, written, now);
        end(self, written, now);
        return true;
    }
    switch ((WrittenData)self->written_data) {
    case WRITTEN_SCHEDULER: break;
    case WRITTEN_LINE: free_line(self, written, now); break;
    case WRITTEN_STORE_QUEUE: leave_store_queue(self, written->message.entry, now); break;
    }
    end(self, written, now);
    return true;
}

void l2_slice_take_from_dram(L2Slice *self, Time now)
{
    Transaction *done;
    while ((done = (Transaction *)port_peek(&self->from_dram))) {
        const bool ended =
            done->type == TRANSACTION_READ ? fill(self, done, now) : end_write(self, done, now);
        if (!ended) return;
        l2_slice_resume(self);
    }
}

/* --- to the scheduler ------------------------------------------------------------------------- */

static Transaction *new_request(L2Slice *self, TransactionType type, uint64_t line,
                                uint16_t sectors)
{
    Transaction *request = unit_new(&self->unit, MESSAGE_TRANSACTION);
    request->type = (uint8_t)type;
    request->local = line << self->line_shift;
    request->sectors = sectors;
    request->partial = 0;
    request->slice = request->home = (uint16_t)self->unit.number;
    return request;
}

Transaction *l2_slice_new_memory_request(L2Slice *self, TransactionType type, uint64_t line,
                                         uint16_t sectors)
{
    Transaction *request = new_request(self, type, line, sectors);
    request->line = slice_cache_address(&self->cache, request->local);
    return request;
}

Transaction *l2_slice_fetch_for(L2Slice *self, Transaction *wanted, uint32_t index, Time now)
{
    PendingRequest *entry = &self->cache.table.entries[index];
    Transaction *request = may_go_itself(self, wanted)
                               ? go_itself(self, wanted, entry)
                               : new_request(self, TRANSACTION_READ, entry->line, entry->sectors);
    request->line = wanted->line;
    request->message.entry = index;
    request->sectors = entry->sectors;
    self->fetches[index].began = now;
    return request;
}

/* The request, which may leave from `ready` on, has room now. */
static void send(L2Slice *self, Transaction *request, Time ready, Time now)
{
    const Time when = MAX(ready, now);
    if (when > ready)
        transaction_enter(request, STAGE_L2_MISS_QUEUE, MAX(ready, transaction_began(request)));
    transaction_enter(request, STAGE_MEMORY_WIRE, when);
    channel_send(&self->to_scheduler, &request->message, when);
}

static Time after_miss_latency(const L2Slice *self, Time when)
{
    return when + clock_cycles(self->unit.clock, self->miss_latency);
}

void l2_slice_send_to_scheduler(L2Slice *self, Transaction *request, Time now)
{
    transaction_enter(request, STAGE_L2_TAG, now);
    send(self, request, after_miss_latency(self, now), now);
}

bool l2_slice_await_scheduler(L2Slice *self, Time now)
{
    self->refused_scheduler++;
    channel_await(&self->to_scheduler, now);
    return false;
}

/* --- the queues ------------------------------------------------------------------------------- */

bool l2_slice_has_room_for_miss(L2Slice *self, Time now)
{
    if (!self->load_queue_entries) return l2_slice_scheduler_ready(self, now);
    if (self->loads < self->load_queue_entries) return true;
    self->refused_load_queue++;
    return false;
}

void l2_slice_send_miss(L2Slice *self, Transaction *request, Time now)
{
    if (!self->load_queue_entries) {
        l2_slice_send_to_scheduler(self, request, now);
        return;
    }
    request->entered = now;
    transaction_enter(request, STAGE_L2_TAG, now);
    message_list_append(&self->queued_loads, &request->message);
    self->loads++;
    level_enter(&self->load_queue, now);
}

static bool has_room(L2Slice *self, Time now)
{
    if (channel_ready(&self->to_scheduler, now)) return true;
    channel_await(&self->to_scheduler, now);
    return false;
}

static void send_loads(L2Slice *self, Time now)
{
    while (self->loads && has_room(self, now)) {
        Transaction *request = (Transaction *)message_list_take(&self->queued_loads);
        self->loads--;
        level_leave(&self->load_queue, now, request->entered);
        send(self, request, after_miss_latency(self, request->entered), now);
    }
}

static void send_stores(L2Slice *self, Time now)
{
    while (self->stores.waiting && has_room(self, now)) {
        const uint32_t index = store_queue_send(&self->stores);
        const StoreEntry *entry = &self->stores.entries[index];
        Transaction *request =
            l2_slice_new_memory_request(self, TRANSACTION_WRITE, entry->line, entry->sectors);
        request->partial = entry->partial;
        request->message.entry = index;
        l2_slice_count_write_back(self, entry->sectors, now);
        transaction_enter(request, STAGE_L2_TAG, now);
        send(self, request, after_miss_latency(self, entry->came), now);
    }
}

static bool is_crowded(const L2Slice *self)
{
    return self->stores.used > self->store_queue_threshold;
}

static void send_urgent(L2Slice *self, Time now)
{
    if (is_crowded(self)) send_stores(self, now);
    send_loads(self, now);
}

void l2_slice_serve_urgent(L2Slice *self, Time now)
{
    if (self->order.used) l2_slice_release_replies(self, now);
    send_urgent(self, now);
    l2_slice_clean_rows(self, now);
}

void l2_slice_serve_queues(L2Slice *self, Time now)
{
    send_urgent(self, now);
    if (!self->loads) send_stores(self, now);
    if (self->queued_sets) l2_slice_clean_sets(self, now);
    l2_slice_clean_rows(self, now);
    if (self->order.used) l2_slice_release_replies(self, now);
}
