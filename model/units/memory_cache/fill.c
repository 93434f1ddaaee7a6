/* The memory-side cache: what comes back from DRAM. */
#include "units/memory_cache/private.h"

/* Sectors that it wants may have been under way before it came, in a fetch of their own: then it
 * goes on waiting for that one. */
static bool waits_on(MemoryCache *self, Transaction *read, const Transaction *fetched,
                     const PendingRequest *entry, Time now)
{
    uint16_t lacking = read->sectors & (uint16_t)~fetched->sectors;
    if (entry->place != TAG_NONE) lacking = slice_cache_lacks(&self->cache, entry->place, lacking);
    if (!lacking) return false;
    const uint32_t other = pending_request_table_find_any(&self->cache.table, entry->line, lacking);
    if (other == PRT_NONE) return false; /* came before, and was not kept */
    memory_cache_wait_for(self, read, other, now);
    return true;
}

static void serve_waiting(MemoryCache *self, const Transaction *fetched,
                          const PendingRequest *entry, MessageList *waiting, Time now)
{
    while (waiting->first) {
        Transaction *read = (Transaction *)message_list_take(waiting);
        level_leave(&self->waiting, now, read->entered);
        transaction_inherit(read, fetched, read->entered);
        if (waits_on(self, read, fetched, entry, now)) continue;
        self->bytes_forwarded += slice_cache_bytes(&self->cache, read->sectors);
        memory_cache_reply(self, read, now);
    }
}

/* Where others still fill the line, one of them goes on with its time. */
static void leave_set(MemoryCache *self, uint32_t index, Time now)
{
    Time *since = &self->fetch[index].filled_since;
    const uint32_t place = self->cache.table.entries[index].place;
    if (!*since) return;
    if (self->cache.tags.lines[place].fetching == 1) {
        level_relent(&self->set_fills, now);
        level_leave(&self->set_fills, now, *since);
    } else {
        const uint32_t other = pending_request_table_find_other(&self->cache.table, index);
        self->fetch[other].filled_since = *since;
    }
    *since = 0;
}

static bool is_kept(const MemoryCache *self, const Transaction *fetched)
{
    return self->cache.table.entries[fetched->message.entry].place != TAG_NONE;
}

/* The data goes on to L2 while it is written into the array. */
static void fill(MemoryCache *self, Transaction *fetched, Time now)
{
    const uint32_t index = fetched->message.entry;
    const PendingRequest *entry = &self->cache.table.entries[index];
    const bool kept = is_kept(self, fetched);
    if (kept) memory_cache_use_write_port(self, now, fetched->sectors);
    serve_waiting(self, fetched, entry, &self->fetch[index].waiting, now);
    self->fills++;
    *(kept ? &self->bytes_filled : &self->bytes_unkept) +=
        slice_cache_bytes(&self->cache, fetched->sectors);
    level_leave(&self->pending, now, self->fetch[index].began);
    leave_set(self, index, now);
    slice_cache_end_fetch(&self->cache, index);
    self->refused = false;
    unit_free_message(&self->unit, &fetched->message);
}

static void end_write(MemoryCache *self, Transaction *written, Time now)
{
    if (!written->for_memory_cache) { /* L2's, which has passed */
        memory_cache_reply(self, written, now);
        return;
    }
    level_leave(&self->writes_outstanding, now, transaction_began(written));
    unit_free_message(&self->unit, &written->message);
}

static bool take(MemoryCache *self, Transaction *done, Time now)
{
    const bool reads = done->type == TRANSACTION_READ;
    if (reads && is_kept(self, done) && !memory_cache_write_port_ready(self, now)) return false;
    port_take(&self->from_dram, now);
    reads ? fill(self, done, now) : end_write(self, done, now);
    return true;
}

void memory_cache_take_from_dram(MemoryCache *self, Time now)
{
    for (Transaction *done; (done = (Transaction *)port_peek(&self->from_dram));)
        if (!take(self, done, now)) return;
}
