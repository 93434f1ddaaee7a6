/* The L2 slice, with halves: the links towards its twins, and what other halves want of lines that
 * are at home here.
 *
 *   near SMs ──> [twins, other halves] ══ requests ══> [this slice] ──> memory access scheduler
 *                    its copies       <══ replies ═══   its lines
 *
 * Requests are bounded by credits. Replies and invalidations always find room: the one who waits
 * has an entry for each, and dropping a copy needs nothing. So what waits for a reply never holds
 * up what leads to it. */
#include "units/l2_slice/private.h"

void l2_slice_cross(L2Slice *self, NetworkRole way, uint32_t slice, Transaction *transaction,
                    uint32_t bytes, Time ready)
{
    ChannelArray *to = way == NETWORK_REQUEST ? &self->to_far_requests : &self->to_far_replies;
    const Clock *clock = self->unit.clock;
    Time *free_at = &self->far.link_free_at[way], *last = &self->far.link_sent_at[way];
    const Time duration = clock_cycles(clock, network_link_cycles(bytes, self->far.per_cycle[way]));
    const Time start = MAX(ready, *free_at);
    *free_at = start + time_share(duration, self->cross_links);
    *last = MAX(*last, clock_floor(clock, start) + duration); /* in order */
    self->crossings++;
    self->bytes_crossed += bytes;
    self->cross_busy += duration;
    server_book_share(way == NETWORK_REQUEST ? &self->request_link : &self->reply_link, ready,
                      duration, self->cross_links);
    transaction_enter(transaction, STAGE_L2_CROSS, ready);
    transaction->bears_data = bytes > 0;
    channel_send(&to->at[l2_slice_half_of(self, slice)], &transaction->message, *last);
}

uint32_t l2_slice_first_far(const L2Slice *self)
{
    const uint32_t count = self->from_far_requests.count;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t half = (self->far.turn + k) % count;
        if (self->far.seen_of[half]) return half;
    }
    return count;
}

bool l2_slice_may_cross(L2Slice *self, uint32_t under_way)
{
    return under_way < self->cross_entries || l2_slice_refuse(self, &self->refused_cross);
}

/* Who has copies that a store or atomic has to have dropped, a bit each: what its own half has of
 * the line it has dropped as it passed. */
static uint8_t copies_against(const L2Slice *self, const Transaction *transaction)
{
    if (transaction->type == TRANSACTION_READ || transaction->for_rop) return 0;
    const uint32_t place =
        tag_array_find(&self->cache.tags, l2_slice_line_number(self, transaction));
    if (place == TAG_NONE) return 0;
    const uint8_t copies = self->cache.tags.lines[place].copied;
    if (state_of(transaction)->crossing != CROSSING_FORWARD) return copies;
    return copies & (uint8_t) ~(1U << l2_slice_half_of(self, transaction->slice));
}

static bool lacks_room_to_recall(const L2Slice *self, const Transaction *transaction)
{
    return self->twins && self->far.recalls >= self->cross_entries
           && copies_against(self, transaction);
}

bool l2_slice_may_begin_store(L2Slice *self, const Transaction *transaction)
{
    return !lacks_room_to_recall(self, transaction) || l2_slice_refuse(self, &self->refused_cross);
}

bool l2_slice_may_end_store(L2Slice *self, const Transaction *transaction)
{
    if (!lacks_room_to_recall(self, transaction)) return true;
    self->refused_cross += !self->far.awaits_room;
    self->far.awaits_room = true;
    return false;
}

/* The slice at the same place of another half. */
static uint32_t slice_in(const L2Slice *self, uint32_t half)
{
    const uint32_t slices = (uint32_t)self->address_map->slices,
                   count = slices / (uint32_t)self->address_map->halves;
    return (self->unit.number + (half + 1) * count) % slices;
}

/* One after the other. */
bool l2_slice_next_copy(L2Slice *self, Transaction *transaction, Time ready)
{
    RequestState *state = state_of(transaction);
    if (!state->copies) return false;
    const uint32_t half = (uint32_t)__builtin_ctz(state->copies);
    state->copies &= (uint8_t)(state->copies - 1);
    state->crossing =
        state->crossing >= CROSSING_EVICT ? (uint8_t)CROSSING_EVICT : (uint8_t)CROSSING_INVALIDATE;
    l2_slice_cross(self, NETWORK_REPLY, slice_in(self, half), transaction, 0, ready);
    return true;
}

/* One that was given back, or else the first that was never taken. */
static uint16_t take_recall(FarHalf *far, Time now)
{
    const uint32_t place = far->free_recalls ? far->given_back[--far->free_recalls] : far->recalls;
    far->recalls++;
    far->recall_began[place] = now;
    return (uint16_t)place;
}

void l2_slice_end_recall(L2Slice *self, const Transaction *transaction, Time now)
{
    FarHalf *far = &self->far;
    const uint16_t place = state_of(transaction)->recall;
    far->recalls--;
    far->given_back[far->free_recalls++] = place;
    level_leave(&self->far_recalls, now, far->recall_began[place]);
    level_leave(&self->crossing, now, far->recall_began[place]);
}

static void drop_copies(L2Slice *self, Transaction *transaction, uint8_t copies, Time ready)
{
    RequestState *state = state_of(transaction);
    const Time now = self->unit.inbox.now;
    state->copies = copies;
    state->recall = take_recall(&self->far, now);
    self->invalidations += (uint64_t)__builtin_popcount(copies);
    level_enter(&self->far_recalls, now);
    level_enter(&self->crossing, now);
    l2_slice_next_copy(self, transaction, ready);
}

bool l2_slice_recall_copies(L2Slice *self, TagLine *line, Time now)
{
    if (!l2_slice_may_cross(self, self->far.recalls)) return false;
    Transaction *notice = l2_slice_new_memory_request(self, TRANSACTION_WRITE, line->line, 0);
    transaction_enter(notice, STAGE_L2_TAG, now);
    state_of(notice)->crossing = CROSSING_EVICT;
    drop_copies(self, notice, line->copied, now);
    line->copied = 0;
    return true;
}

/* --- replies ---------------------------------------------------------------------------------- */

/* The line's tag remembers which half has a copy; where there is no tag, it may keep none. */
static void note_copy(L2Slice *self, Transaction *fetch)
{
    const uint32_t place = tag_array_find(&self->cache.tags, l2_slice_line_number(self, fetch));
    if (place == TAG_NONE)
        state_of(fetch)->crossing = CROSSING_FETCH_ONCE;
    else
        self->cache.tags.lines[place].copied |=
            (uint8_t)(1U << l2_slice_half_of(self, fetch->slice));
}

void l2_slice_reply_to_twin(L2Slice *self, Transaction *transaction, Time ready)
{
    const bool data = transaction_reply_has_data(transaction);
    self->far_hits += transaction->served_by == SERVED_L2;
    if (state_of(transaction)->crossing == CROSSING_FETCH) note_copy(self, transaction);
    l2_slice_cross(self, NETWORK_REPLY, transaction->slice, transaction,
                   data ? slice_cache_bytes(&self->cache, transaction->sectors) : 0, ready);
}

/* A store or atomic is done when no old copy can be read any more. */
static bool drop_copies_first(L2Slice *self, Transaction *transaction, Time ready)
{
    const uint8_t copies = copies_against(self, transaction);
    if (!copies) return false;
    const uint32_t place =
        tag_array_find(&self->cache.tags, l2_slice_line_number(self, transaction));
    self->cache.tags.lines[place].copied &= (uint8_t)~copies;
    drop_copies(self, transaction, copies, ready);
    return true;
}

bool l2_slice_reply_crosses(L2Slice *self, Transaction *transaction, Time ready)
{
    if (!self->twins) return false;
    switch ((Crossing)state_of(transaction)->crossing) {
    case CROSSING_NONE: return drop_copies_first(self, transaction, ready);
    case CROSSING_FORWARD:
        if (!drop_copies_first(self, transaction, ready))
            l2_slice_reply_to_twin(self, transaction, ready);
        return true;
    case CROSSING_FETCH: l2_slice_reply_to_twin(self, transaction, ready); return true;
    case CROSSING_FETCH_ONCE:
    case CROSSING_INVALIDATE:
    case CROSSING_INVALIDATED:
    case CROSSING_EVICT:
    case CROSSING_EVICTED: break;
    }
    unit_fail(&self->unit, "a reply in a state that only the way back knows");
    return false;
}
