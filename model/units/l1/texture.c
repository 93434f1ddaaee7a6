/* L1's two sides to the texture unit: reads of lines that L1 caches for it, and requests of its own
 * cache, which only pass. */
#include "units/l1/ports.h"
#include "units/l1/way.h"

/* --- requests of its own cache ---------------------------------------------------------------- */

G_GNUC_NO_INLINE void l1_note_requests(L1 *self, Time now)
{
    for (; self->requests_seen < self->from_texture_misses.count; self->requests_seen++) {
        Transaction *request =
            (Transaction *)port_peek_at(&self->from_texture_misses, self->requests_seen);
        request->for_texture = true;
        request->entered = now;
        transaction_enter(request, STAGE_REQUEST_QUEUE, now);
        level_enter(&self->texture_queue, now);
    }
}

/* L1's own requests and these take turns where one of L1's has been refused for want of the same:
 * these are tried first, and leave the way to L1's when they have had it last. */
static bool yields(const L1 *self, uint64_t line)
{
    return self->texture_went
           && ((self->claimant && l1_contends(self, line, self->claim))
               || l1_contends(self, line, self->write_claim));
}

static bool pass(L1 *self, Time now)
{
    if (!self->requests_seen || l1_miss_turn(self, self->texture_port.until) > now) return false;
    Transaction *request = (Transaction *)port_peek(&self->from_texture_misses);
    self->texture_yields = false;
    self->texture_behind = l1_holds_back(self, request, now);
    if (self->texture_behind || l1_blocked_by(self, request->virtual_line, now)) {
        self->texture_changes = self->changes;
        self->texture_refused++;
        return false;
    }
    self->texture_yields = yields(self, request->virtual_line);
    if (self->texture_yields) return false;
    port_take(&self->from_texture_misses, now);
    self->requests_seen--;
    level_leave(&self->texture_queue, now, request->entered);
    l1_book_miss(self, &self->texture_port, now);
    self->texture_requests++;
    request->source = (uint16_t)self->unit.number;
    if (request->type != TRANSACTION_READ)
        self->bytes_to_network += sector_bytes_of(self, request->sectors);
    l1_depart(self, request, now);
    return true;
}

G_GNUC_NO_INLINE void l1_pass_requests(L1 *self, Time now)
{
    while (pass(self, now)) continue;
}

/* One that is refused is woken by what it was refused for. */
Time l1_next_request(const L1 *self, Time now)
{
    if (!self->requests_seen) return TIME_NEVER;
    const Time turn = l1_miss_turn(self, self->texture_port.until);
    if (turn > now) return turn;
    const bool may_go = self->texture_behind && self->texture_changes != self->changes;
    return self->texture_yields || may_go ? now : TIME_NEVER;
}

void l1_return_request(L1 *self, Transaction *reply, Time now)
{
    self->texture_replies++;
    if (transaction_reply_has_data(reply)) self->bytes_from_network += reply_bytes_of(self, reply);
    channel_send(&self->to_texture_fills, &reply->message, now);
}

/* --- reads of what L1 caches for it ----------------------------------------------------------- */

G_GNUC_NO_INLINE void l1_complete_read(L1 *self, Transaction *transaction, Time ready)
{
    WarpAccess *read = transaction->access;
    ready = self->texture_returned = MAX(ready, self->texture_returned);
    self->texture_bytes += transaction->requested_bytes;
    if (transaction->served_by != SERVED_PRT) self->line_transactions++;
    TextureFetch *fetch = (TextureFetch *)read;
    if (fetch->record) unit_free_message(&self->unit, &fetch->record->message);
    fetch->record = transaction;
    if (++read->done == read->lines) channel_send(&self->to_texture, &read->message, ready);
}
