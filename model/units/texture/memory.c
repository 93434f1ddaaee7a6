/* The texture unit's way to L2 and back: miss request FIFO and reorder buffer. */
#include "units/texture/private.h"

Time texture_miss_room(TextureUnit *self, Time from)
{
    const Time request = timed_fifo_free_at(&self->miss_places);
    const Time reorder = timed_fifo_free_at(&self->reorder_places);
    if (request == TIMED_FIFO_UNKNOWN || reorder == TIMED_FIFO_UNKNOWN) return TIME_NEVER;
    from = texture_stall(from, request, &self->stalls_miss_fifo, &self->stalled_miss_fifo);
    return texture_stall(from, reorder, &self->stalls_reorder, &self->stalled_reorder);
}

Time texture_request_room(TextureUnit *self, Time from)
{
    const Time request = timed_fifo_free_at(&self->miss_places);
    if (request == TIMED_FIFO_UNKNOWN) return TIME_NEVER;
    return texture_stall(from, request, &self->stalls_miss_fifo, &self->stalled_miss_fifo);
}

static Transaction *new_request(TextureUnit *self, const Miss *miss)
{
    Transaction *request = unit_new(&self->unit, MESSAGE_TRANSACTION);
    request->virtual_line = request->line = texture_line_address(self, miss->line);
    request->sectors = miss->sectors;
    request->partial = 0;
    request->requested_bytes = 0;
    request->type = TRANSACTION_READ;
    request->served_by = SERVED_L2;
    request->access = self->cursor.access;
    const bool texels = self->cursor.kind == FRAGMENT_TEXELS;
    request->space = texels ? SPACE_TEXTURE : request->access->instruction.space;
    request->hint = texels ? CACHE_READ_ONLY : request->access->instruction.hint;
    request->source = (uint16_t)self->unit.number;
    return request;
}

void texture_request_only(TextureUnit *self, Transaction *request, Time now)
{
    const Time at = self->cursor.at;
    timed_fifo_enter(&self->miss_places, at);
    transaction_enter(request, STAGE_REQUEST_QUEUE, at);
    request->entered = at;
    self->unsent[(self->unsent_first + self->unsent_used++) % self->miss_fifo] = request;
    texture_send_requests(self, now);
}

void texture_request_with(TextureUnit *self, Transaction *request, const Miss *miss, Time now)
{
    timed_fifo_enter(&self->reorder_places, self->cursor.at);
    request->message.entry = reorder_buffer_add(&self->reorder, request, self->cursor.at);
    self->miss[request->message.entry] = *miss;
    self->missed++;
    texture_request_only(self, request, now);
}

void texture_request(TextureUnit *self, const Miss *miss, Time now)
{
    texture_request_with(self, new_request(self, miss), miss, now);
}

/* A store or a reduction needs no place in the reorder buffer. */
static bool brings_data(const Transaction *request)
{
    return !request->access || !instruction_has_no_result(&request->access->instruction);
}

void texture_send_requests(TextureUnit *self, Time now)
{
    while (self->unsent_used) {
        if (!channel_ready(&self->to_l1_misses, now)) {
            channel_await(&self->to_l1_misses, now);
            return;
        }
        Transaction *request = self->unsent[self->unsent_first];
        const Time sent = pace_take(&self->miss_pace, MAX(now, request->entered));
        texture_book(&self->miss_port, self->miss_pace.interval);
        if (brings_data(request)) self->miss[request->message.entry].sent = sent;
        timed_fifo_leave(&self->miss_places, sent);
        channel_send(&self->to_l1_misses, &request->message, sent);
        self->requests++;
        self->unsent_first = (self->unsent_first + 1) % (uint32_t)self->miss_fifo;
        self->unsent_used--;
    }
}

/* The reply of an earlier request is still out. */
static bool is_early(const TextureUnit *self, uint32_t slot)
{
    return self->answered % self->reorder_entries != slot;
}

static void take_reply(TextureUnit *self, Transaction *reply, Time now)
{
    const uint32_t slot = reply->message.entry;
    const ReorderSlot *place = &self->reorder.slots[slot % self->reorder_entries];
    if (place->item != reply || place->done) {
        unit_fail(&self->unit, "a reply for no outstanding miss");
        return;
    }
    self->held_out_of_order += is_early(self, slot);
    const uint64_t bytes = texture_sector_bytes(self, self->miss[slot].sectors);
    self->bytes_from_network += bytes;
    self->fill_turns += (bytes + self->fill_bytes - 1) / self->fill_bytes;
    histogram_add(&self->miss_latency_seen, now - self->miss[slot].sent);
    transaction_enter(reply, STAGE_REORDER, now);
    reply->entered = now;
    reorder_buffer_complete(&self->reorder, slot, now);
    while (self->answered < self->missed
           && self->reorder.slots[self->answered % self->reorder_entries].done)
        self->answered++;
}

void texture_take_replies(TextureUnit *self, Time now)
{
    Message *message;
    while ((message = port_take(&self->from_l1_fills, now))) {
        Transaction *reply = (Transaction *)message;
        self->replies++;
        if (brings_data(reply))
            take_reply(self, reply, now);
        else
            texture_acknowledge(self, reply, now);
    }
}
