/* The L2 slice, with two halves: the links to its twin, and what the other half wants of lines that
 * are at home here.
 *
 *   near SMs ──> [twin, other half] ══ requests ══> [this slice] ──> memory access scheduler
 *                   its copies      <══ replies ═══   its lines
 *
 * Requests are bounded by credits. Replies and invalidations always find room: the one who waits
 * has an entry for each, and dropping a copy needs nothing. So what waits for a reply never holds
 * up what leads to it. */
#include "units/l2_slice/private.h"

void l2_slice_cross(L2Slice *self, Channel *to, Transaction *transaction, uint32_t bytes,
                    Time ready)
{
    const bool requests = to == &self->to_far_requests;
    Time *free_at = requests ? &self->far.request_link_free_at : &self->far.reply_link_free_at;
    const double per_cycle = self->far.per_cycle[requests ? HALVES_REQUESTS : HALVES_REPLIES];
    const Time duration = clock_cycles(self->unit.clock, network_link_cycles(bytes, per_cycle));
    *free_at = MAX(ready, *free_at) + duration;
    self->crossings++;
    self->bytes_crossed += bytes;
    self->cross_busy += duration;
    server_book(requests ? &self->request_link : &self->reply_link, ready, duration);
    transaction_enter(transaction, STAGE_L2_CROSS, ready);
    channel_send(to, &transaction->message, *free_at);
}

bool l2_slice_may_cross(L2Slice *self, uint32_t under_way)
{
    return under_way < self->cross_entries || l2_slice_refuse(self, &self->refused_cross);
}

bool l2_slice_may_recall(L2Slice *self, const Transaction *transaction)
{
    if (!channel_connected(&self->to_far_replies)) return true;
    if (transaction->type == TRANSACTION_READ || state_of(transaction)->crossing != CROSSING_NONE)
        return true;
    return l2_slice_may_cross(self, self->far.recalls);
}

static void drop_copy(L2Slice *self, Transaction *transaction, Crossing why, Time ready)
{
    RequestState *state = state_of(transaction);
    state->crossing = (uint8_t)why;
    state->left = self->unit.inbox.now;
    self->invalidations++;
    self->far.recalls++;
    l2_slice_count_recalls(self, self->unit.inbox.now);
    level_enter(&self->crossing, self->unit.inbox.now);
    l2_slice_cross(self, &self->to_far_replies, transaction, 0, ready);
}

bool l2_slice_recall_copy(L2Slice *self, TagLine *line, Time now)
{
    if (!l2_slice_may_cross(self, self->far.recalls)) return false;
    line->copied = false;
    Transaction *notice = l2_slice_new_memory_request(self, TRANSACTION_WRITE, line->line, 0);
    transaction_enter(notice, STAGE_L2_TAG, now);
    drop_copy(self, notice, CROSSING_EVICT, now);
    return true;
}

/* --- replies ---------------------------------------------------------------------------------- */

/* The line's tag remembers that the other half has a copy; where there is no tag, it may not. */
static void note_copy(L2Slice *self, Transaction *fetch)
{
    const uint32_t place = tag_array_find(&self->cache.tags, l2_slice_line_number(self, fetch));
    if (place == TAG_NONE)
        state_of(fetch)->crossing = CROSSING_FETCH_ONCE;
    else
        self->cache.tags.lines[place].copied = true;
}

static bool reply_to_twin(L2Slice *self, Transaction *transaction, Time ready)
{
    const bool data = transaction_reply_has_data(transaction);
    self->far_hits += transaction->served_by == SERVED_L2;
    if (state_of(transaction)->crossing == CROSSING_FETCH) note_copy(self, transaction);
    l2_slice_cross(self, &self->to_far_replies, transaction,
                   data ? slice_cache_bytes(&self->cache, transaction->sectors) : 0, ready);
    return true;
}

/* A store or atomic of a near SM is done when no old copy can be read any more. */
static bool drop_copy_first(L2Slice *self, Transaction *transaction, Time ready)
{
    if (transaction->type == TRANSACTION_READ) return false;
    const uint32_t place =
        tag_array_find(&self->cache.tags, l2_slice_line_number(self, transaction));
    if (place == TAG_NONE || !self->cache.tags.lines[place].copied) return false;
    self->cache.tags.lines[place].copied = false;
    drop_copy(self, transaction, CROSSING_INVALIDATE, ready);
    return true;
}

bool l2_slice_reply_crosses(L2Slice *self, Transaction *transaction, Time ready)
{
    if (!channel_connected(&self->to_far_replies)) return false;
    switch ((Crossing)state_of(transaction)->crossing) {
    case CROSSING_NONE: return drop_copy_first(self, transaction, ready);
    case CROSSING_FETCH:
    case CROSSING_FORWARD: return reply_to_twin(self, transaction, ready);
    case CROSSING_FETCH_ONCE:
    case CROSSING_INVALIDATE:
    case CROSSING_INVALIDATED:
    case CROSSING_EVICT:
    case CROSSING_EVICTED: break;
    }
    unit_fail(&self->unit, "a reply in a state that only the way back knows");
    return false;
}
