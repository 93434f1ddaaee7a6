/* The L2 slice: what messages will touch, before they come. */
#include "units/l2_slice/private.h"

/* Of requests that wait. */
enum { FORESEEN = 3 };

static void foresee_request(const L2Slice *self, const Transaction *request, Foresee round)
{
    const uint64_t line = l2_slice_line_number(self, request);
    tag_array_foresee(&self->cache.tags, line, round == FORESEE_BEHIND);
    if (round == FORESEE_FIRST) pending_request_table_foresee(&self->cache.table, line);
}

static void foresee_fill(const L2Slice *self, const Transaction *fetched, Foresee round)
{
    if (fetched->type != TRANSACTION_READ) return;
    const PendingRequest *entry = &self->cache.table.entries[fetched->message.entry];
    if (round == FORESEE_FIRST) {
        fetch_ahead(entry);
        fetch_ahead(&self->fetches[fetched->message.entry]);
        return;
    }
    pending_request_table_foresee_look_up(&self->cache.table, entry->line);
    if (entry->place != TAG_NONE) fetch_ahead(&self->cache.tags.lines[entry->place]);
    const Time took = self->unit.inbox.now - self->fetches[fetched->message.entry].began;
    fetch_ahead(&self->fill_latency_seen.bucket[histogram_bucket_of(took)]);
}

static void foresee_waiting(const L2Slice *self, uint32_t index, Foresee round)
{
    const Port *port = &self->from_network;
    if (port->count > index)
        foresee_request(self, (const Transaction *)port_peek_at(port, index), round);
}

void l2_slice_foresee_waiting(const L2Slice *self)
{
    const Port *port = &self->from_network;
    fetch_ahead(port_slot(port, port->head + FORESEEN + 4));
    if (port->count > FORESEEN) message_foresee(port_peek_at(port, FORESEEN));
    foresee_waiting(self, FORESEEN - 1, FORESEE_FIRST);
    foresee_waiting(self, FORESEEN - 2, FORESEE_BEHIND);
}

void l2_slice_foresee(const Unit *unit, const Message *message, uint32_t port, Foresee round)
{
    const L2Slice *self = (const L2Slice *)unit;
    if (unit->ports[port] == &self->from_network && self->seen < FORESEEN)
        foresee_request(self, (const Transaction *)message, round);
    else if (unit->ports[port] == &self->from_dram)
        foresee_fill(self, (const Transaction *)message, round);
}
