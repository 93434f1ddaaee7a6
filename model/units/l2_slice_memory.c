/* The L2 slice: replies to SMs, fills, fetches and write-backs. */
#include "units/l2_slice_private.h"

/* --- replies to SMs --------------------------------------------------------------------------- */

bool l2_slice_reply_ready(L2Slice *self, Time now)
{
    if (channel_ready(&self->to_reply_network, now)) return true;
    self->refused_reply++;
    channel_await(&self->to_reply_network, now);
    return false;
}

void l2_slice_reply(L2Slice *self, Transaction *transaction, Time ready)
{
    if (channel_connected(&self->to_monitor) && !transaction->for_rop)
        unit_report_write(&self->unit, &self->to_monitor, transaction,
                          slice_cache_address(&self->cache, transaction->local));
    uint64_t cycles = 1;
    if (transaction->type != TRANSACTION_WRITE) {
        const uint32_t bytes = slice_cache_bytes(&self->cache, transaction->sectors);
        if (!transaction->for_rop) self->bytes_read += bytes;
        cycles = (bytes + self->data_bandwidth - 1) / self->data_bandwidth;
        const Time start = MAX(ready, self->data_free_at);
        self->data_free_at = start + clock_cycles(self->unit.clock, cycles);
        self->data_busy += self->data_free_at - start;
        ready = start;
    }
    if (transaction->for_rop) {
        l2_slice_answer_rop(self, transaction, ready);
        return;
    }
    transaction_enter(transaction, STAGE_REPLY_WIRE, ready);
    self->replies++;
    channel_send(&self->to_reply_network, &transaction->message, ready);
}

/* --- DRAM side -------------------------------------------------------------------------------- */

static void serve_waiting(L2Slice *self, Transaction *waiting, const Transaction *fetched,
                          TagLine *line, Time now)
{
    waiting->merged = NULL;
    transaction_inherit(waiting, fetched, waiting->entered);
    transaction_enter(waiting, STAGE_L2_TAG, now);
    waiting->served_by = SERVED_DRAM;
    if (waiting->type != TRANSACTION_READ) line->dirty |= waiting->sectors;
    line->valid |= waiting->sectors;
    l2_slice_reply(self, waiting, now + clock_cycles(self->unit.clock, self->fill_latency));
}

/* False: the reply network has no room for all who wait; the fill stays until all are served. */
static bool fill(L2Slice *self, Transaction *fetched, Time now)
{
    PendingRequest *entry = &self->cache.table.entries[fetched->sub_request];
    TagLine *line = &self->cache.tags.lines[entry->place];
    for (Transaction *waiting; (waiting = entry->first);) {
        if (!l2_slice_reply_ready(self, now)) return false;
        entry->first = waiting->merged;
        serve_waiting(self, waiting, fetched, line, now);
    }
    self->fills++;
    self->bytes_filled += slice_cache_bytes(&self->cache, fetched->sectors);
    histogram_add(&self->fill_latency_seen, now - transaction_began(fetched));
    level_leave(&self->pending, now, transaction_began(fetched));
    slice_cache_end_fetch(&self->cache, fetched->sub_request);
    return true;
}

void l2_slice_take_from_dram(L2Slice *self, Time now)
{
    Transaction *done;
    while ((done = (Transaction *)port_peek(&self->from_dram))) {
        if (done->type != TRANSACTION_READ)
            level_leave(&self->write_backs_outstanding, now, transaction_began(done));
        else if (!fill(self, done, now))
            return;
        port_take(&self->from_dram, now);
        self->refused = false;
        unit_free_message(&self->unit, &done->message);
    }
}

Transaction *l2_slice_new_memory_request(L2Slice *self, TransactionType type, uint64_t line,
                                         uint16_t sectors)
{
    Transaction *request = unit_new_transaction(&self->unit);
    request->type = (uint8_t)type;
    request->local = line * self->line->line_bytes;
    request->line = slice_cache_address(&self->cache, request->local);
    request->sectors = sectors;
    request->partial = 0;
    request->slice = (uint16_t)self->unit.number;
    return request;
}

void l2_slice_send_to_scheduler(L2Slice *self, Transaction *request, Time now)
{
    const Time when = now + clock_cycles(self->unit.clock, self->miss_latency);
    transaction_enter(request, STAGE_L2_TAG, now);
    transaction_enter(request, STAGE_MEMORY_WIRE, when);
    channel_send(&self->to_scheduler, &request->message, when);
}

void l2_slice_write_back(L2Slice *self, TagLine *victim, Time now)
{
    self->write_backs++;
    self->bytes_written_back += slice_cache_bytes(&self->cache, victim->dirty);
    l2_slice_send_to_scheduler(
        self, l2_slice_new_memory_request(self, TRANSACTION_WRITE, victim->line, victim->dirty),
        now);
    level_enter(&self->write_backs_outstanding, now);
    victim->dirty = 0;
}

bool l2_slice_scheduler_ready(L2Slice *self, Time now)
{
    if (channel_ready(&self->to_scheduler, now)) return true;
    self->refused_scheduler++;
    channel_await(&self->to_scheduler, now);
    return false;
}
