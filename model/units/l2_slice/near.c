/* The L2 slice, with halves: requests of near SMs for lines that are at home in another half,
 * whose copies lie in this slice's tags beside its own lines.
 *
 *   read   copy there: as any hit; else fetched from the home, and copied when it comes
 *   store, atomic   sent on to the home; what they write is dropped from the copy as they pass
 *
 * All goes over one link in order, so that a read behind a store fetches what was stored. */
#include "units/l2_slice/private.h"

/* As SimGrid says; a slice that is no part of a machine goes by its parameter. */
void l2_slice_set_up_far(L2Slice *self)
{
    const double ns = time_to_ns(self->unit.clock->period);
    for (NetworkRole way = 0; way < NETWORKS; way++)
        self->far.per_cycle[way] = self->halves->slices
                                       ? self->halves->own[way][self->unit.number].bandwidth * ns
                                       : (double)self->cross_bandwidth;
    self->far.seen_of = g_new0(uint32_t, self->from_far_requests.count);
    if (!self->twins) return;
    pending_request_table_init(&self->far.fetches, (uint32_t)self->pending_entries);
    self->far.fetches.low = 0;
    self->far.recall_began = SPARSE_ARRAY(Time, self->cross_entries);
    self->far.given_back = SPARSE_ARRAY(uint16_t, self->cross_entries);
}

static bool has_room_on_link(L2Slice *self, const Transaction *transaction, Time now)
{
    Channel *link = &self->to_far_requests.at[l2_slice_half_of(self, transaction->home)];
    if (channel_ready(link, now)) return true;
    self->refused_cross++;
    channel_await(link, now);
    return false;
}

/* `slice` stays the near one: the reply enters the reply network there. */
static void leave(L2Slice *self, Transaction *transaction, Crossing why, uint32_t bytes, Time now)
{
    RequestState *state = state_of(transaction);
    state->crossing = (uint8_t)why;
    state->left = now;
    level_enter(&self->crossing, now);
    level_enter(why == CROSSING_FETCH ? &self->far_fetches : &self->far_forwards, now);
    transaction_enter(transaction, STAGE_L2_TAG, now);
    l2_slice_cross(self, NETWORK_REQUEST, transaction->home, transaction, bytes,
                   now + clock_cycles(self->unit.clock, self->miss_latency));
}

static void count_read(L2Slice *self, const Transaction *transaction)
{
    const CountedRequest request = l2_slice_note_request(transaction);
    l2_slice_count_request(self, &request);
}

/* --- reads ------------------------------------------------------------------------------------ */

static bool merge(L2Slice *self, Transaction *transaction, PendingRequest *entry, Time now)
{
    if (entry->merged >= self->pending_merges)
        return l2_slice_refuse_part(self, &self->merge_room, &self->refused_merge, now);
    l2_slice_join(self, entry, now);
    count_read(self, transaction);
    transaction_join(transaction, &entry->first, &entry->last, now);
    return true;
}

static bool fetch(L2Slice *self, Transaction *transaction, uint32_t place, uint16_t lacking,
                  Time now)
{
    PendingRequestTable *fetches = &self->far.fetches;
    const uint64_t line = l2_slice_line_number(self, transaction);
    const uint32_t under_way = pending_request_table_find(fetches, line, lacking);
    if (under_way != PRT_NONE) return merge(self, transaction, &fetches->entries[under_way], now);
    if (fetches->used == fetches->capacity) return l2_slice_refuse(self, &self->refused_pending);
    if (!has_room_on_link(self, transaction, now)) return false;
    const uint16_t wanted =
        slice_cache_lacks(&self->cache, place, slice_cache_widen(&self->cache, lacking));
    Transaction *request = unit_new(&self->unit, MESSAGE_TRANSACTION);
    request->type = TRANSACTION_READ;
    request->line = transaction->line;
    request->virtual_line = transaction->virtual_line; /* counted at its home, as an access is */
    request->local = transaction->local;
    request->home = transaction->home;
    request->slice = (uint16_t)self->unit.number;
    request->source = transaction->source;
    request->space = transaction->space;
    request->sectors = wanted;
    request->partial = 0;
    request->message.entry = pending_request_table_allocate(fetches, line, wanted);
    PendingRequest *entry = &fetches->entries[request->message.entry];
    transaction_join(transaction, &entry->first, &entry->last, now);
    self->far_reads++;
    leave(self, request, CROSSING_FETCH, 0, now);
    return true;
}

static bool read_copy(L2Slice *self, Transaction *transaction, Time now)
{
    const uint32_t place =
        tag_array_find(&self->cache.tags, l2_slice_line_number(self, transaction));
    const uint16_t lacking = slice_cache_lacks(&self->cache, place, transaction->sectors);
    if (lacking) return fetch(self, transaction, place, lacking, now);
    self->near_hits++;
    count_read(self, transaction);
    return l2_slice_serve_hit(self, transaction, place, now);
}

/* --- stores and atomics ----------------------------------------------------------------------- */

/* What is under way may be older than the store: it serves who waits for it and is not kept. */
static void drop_written(L2Slice *self, const Transaction *transaction)
{
    const uint64_t line = l2_slice_line_number(self, transaction);
    const uint16_t written = transaction->sectors;
    const uint32_t place = tag_array_find(&self->cache.tags, line);
    if (place != TAG_NONE) self->cache.tags.lines[place].valid &= (uint16_t)~written;
    PendingRequestTable *fetches = &self->far.fetches;
    for (uint32_t i; (i = pending_request_table_find_any(fetches, line, written)) != PRT_NONE;)
        fetches->entries[i].sectors &= (uint16_t)~written;
}

static bool forward(L2Slice *self, Transaction *transaction, Time now)
{
    if (!l2_slice_may_cross(self, self->far.forwards) || !has_room_on_link(self, transaction, now))
        return false;
    drop_written(self, transaction);
    self->forwarded++;
    self->far.forwards++;
    leave(self, transaction, CROSSING_FORWARD,
          slice_cache_bytes(&self->cache, transaction->sectors), now);
    return true;
}

bool l2_slice_handle_far(L2Slice *self, Transaction *transaction, Time now)
{
    const Time came = transaction->entered;
    if (!l2_slice_reply_ready(self, now)) return false;
    const bool taken = transaction->type == TRANSACTION_READ ? read_copy(self, transaction, now)
                                                             : forward(self, transaction, now);
    if (taken) level_leave(&self->queue, now, came);
    return taken;
}

/* --- what comes back -------------------------------------------------------------------------- */

/* A place for the copy, if there is one now: the data has been delivered, the copy can wait for the
 * next fetch. */
static uint32_t find_place(L2Slice *self, const Transaction *fetched, uint64_t line, Time now)
{
    const uint32_t place = tag_array_find(&self->cache.tags, line);
    if (place != TAG_NONE) {
        tag_array_touch(&self->cache.tags, place);
        return place;
    }
    return l2_slice_allocate(self, fetched, false, now);
}

static void keep(L2Slice *self, const Transaction *fetched, Time now)
{
    const PendingRequest *entry = &self->far.fetches.entries[fetched->message.entry];
    const bool may_keep = entry->sectors && state_of(fetched)->crossing == CROSSING_FETCH;
    const uint32_t place = may_keep ? find_place(self, fetched, entry->line, now) : TAG_NONE;
    if (place == TAG_NONE) {
        self->near_skipped++;
        return;
    }
    self->near_copies++;
    self->cache.tags.lines[place].valid |= entry->sectors;
}

/* Into the array and, at the same time, to the request that asked for it, as with a fill. */
static void begin_copy(L2Slice *self, const Transaction *fetched, Time now)
{
    FarHalf *far = &self->far;
    const Time ready = now + clock_cycles(self->unit.clock, self->fill_latency);
    far->copy_ready = l2_slice_write_port(self, ready, fetched->sectors);
    far->copying = far->forwarding = true;
}

static void serve_waiting(L2Slice *self, Transaction *waiting, const Transaction *fetched, Time now)
{
    waiting->merged = NULL;
    transaction_inherit(waiting, fetched, waiting->entered);
    transaction_enter(waiting, STAGE_L2_TAG, now);
    waiting->served_by = fetched->served_by;
    l2_slice_reply(self, waiting, MAX(self->far.copy_ready, now), self->far.forwarding);
    if (self->far.forwarding) self->far.copy_ready += l2_slice_port_time(self, fetched->sectors);
    self->far.forwarding = false;
}

/* False: the reply network has no room for all who wait. */
static bool take_fetched(L2Slice *self, Transaction *fetched, Time now)
{
    PendingRequest *entry = &self->far.fetches.entries[fetched->message.entry];
    if (!self->far.copying) begin_copy(self, fetched, now);
    for (Transaction *waiting; (waiting = entry->first);) {
        if (!l2_slice_reply_ready(self, now)) return false;
        entry->first = waiting->merged;
        serve_waiting(self, waiting, fetched, now);
    }
    self->far.copying = false;
    keep(self, fetched, now);
    level_leave(&self->crossing, now, state_of(fetched)->left);
    level_leave(&self->far_fetches, now, state_of(fetched)->left);
    l2_slice_part(self, entry, now);
    pending_request_table_release(&self->far.fetches, fetched->message.entry);
    unit_free_message(&self->unit, &fetched->message);
    return true;
}

/* To the near SM; there is room. */
static void pass_on(L2Slice *self, Transaction *transaction, Time now)
{
    state_of(transaction)->crossing = CROSSING_NONE;
    l2_slice_send_reply(self, transaction, now);
}

static bool end_forward(L2Slice *self, Transaction *transaction, Time now)
{
    if (!l2_slice_reply_ready(self, now)) return false;
    const Time left = state_of(transaction)->left;
    self->far.forwards--;
    level_leave(&self->far_forwards, now, left);
    level_leave(&self->crossing, now, left);
    pass_on(self, transaction, now);
    return true;
}

/* A copy has been dropped: there may be another one, and who wants to write may be elsewhere. What
 * was copied meanwhile is as it was written. */
static bool go_on(L2Slice *self, Transaction *transaction, Time now)
{
    if (l2_slice_next_copy(self, transaction, now)) return true;
    const bool near = transaction->slice == self->unit.number;
    if (near && !l2_slice_reply_ready(self, now)) return false;
    l2_slice_end_recall(self, transaction, now);
    if (near) {
        pass_on(self, transaction, now);
    } else {
        state_of(transaction)->crossing = CROSSING_FORWARD;
        l2_slice_reply_to_twin(self, transaction, now);
    }
    return true;
}

/* The whole copy goes, and the message goes back. */
static bool invalidate(L2Slice *self, Transaction *transaction, Crossing answer, Time now)
{
    const uint32_t place =
        tag_array_find(&self->cache.tags, l2_slice_line_number(self, transaction));
    if (place != TAG_NONE) self->cache.tags.lines[place].valid = 0;
    state_of(transaction)->crossing = (uint8_t)answer;
    l2_slice_cross(self, NETWORK_REPLY, transaction->home, transaction, 0, now);
    return true;
}

static bool forget(L2Slice *self, Transaction *notice, Time now)
{
    if (l2_slice_next_copy(self, notice, now)) return true;
    l2_slice_end_recall(self, notice, now);
    unit_free_message(&self->unit, &notice->message);
    return true;
}

static bool take_reply(L2Slice *self, Transaction *reply, Time now)
{
    switch ((Crossing)state_of(reply)->crossing) {
    case CROSSING_FETCH:
    case CROSSING_FETCH_ONCE: return take_fetched(self, reply, now);
    case CROSSING_FORWARD: return end_forward(self, reply, now);
    case CROSSING_INVALIDATED: return go_on(self, reply, now);
    case CROSSING_INVALIDATE: return invalidate(self, reply, CROSSING_INVALIDATED, now);
    case CROSSING_EVICT: return invalidate(self, reply, CROSSING_EVICTED, now);
    case CROSSING_EVICTED: return forget(self, reply, now);
    case CROSSING_NONE: break;
    }
    unit_fail(&self->unit, "a reply from another half that is none");
    return false;
}

static void take_replies(L2Slice *self, Port *from, Time now)
{
    Transaction *reply;
    while ((reply = (Transaction *)port_peek(from))) {
        if (!take_reply(self, reply, now)) return;
        port_take(from, now);
        l2_slice_resume(self);
    }
}

/* What came back may have given a place to a store that came from DRAM. */
void l2_slice_take_far_replies(L2Slice *self, Time now)
{
    for (uint32_t half = 0; half < self->from_far_replies.count; half++)
        if (self->from_far_replies.at[half].count)
            take_replies(self, &self->from_far_replies.at[half], now);
    if (!self->far.awaits_room || self->far.recalls >= self->cross_entries) return;
    self->far.awaits_room = false;
    l2_slice_take_from_dram(self, now);
}

void l2_slice_keep_no_copies(L2Slice *self)
{
    PendingRequestTable *fetches = &self->far.fetches;
    for (uint32_t i = 0; fetches->used && i < fetches->capacity; i++)
        fetches->entries[i].sectors = 0;
}

static void drop_copies(L2Slice *self)
{
    if (!self->twins) return;
    const uint64_t places = self->cache.tags.sets * self->cache.tags.ways;
    for (uint64_t i = 0; i < places; i++) {
        TagLine *line = &self->cache.tags.lines[i];
        if (line->used && line->line >> FAR_SHIFT) line->valid = 0;
        line->copied = 0;
    }
}

void l2_slice_accept_copies(L2Slice *self, const Boundary *boundary)
{
    const Launch *launch = boundary->launch;
    uint64_t replaced = 0;
    if (launch->copy_count) drop_copies(self);
    for (uint32_t i = 0; i < launch->copy_count; i++)
        replaced += slice_cache_accept_copy(&self->cache, launch->copies[i].address,
                                            launch->copies[i].bytes);
    if (!boundary->opens_region) self->bytes_replaced += replaced;
}
