/* The L2 slice: what a request finds, and what it starts. */
#include "units/l2_slice_private.h"

/* The head cannot go on before something comes back from DRAM. */
static bool refuse(L2Slice *self, uint64_t *counter)
{
    (*counter)++;
    self->refused = true;
    return false;
}

/* A place for the line, its dirty victim sent to DRAM; TAG_NONE: not now. A fetch needs room for
 * itself as well: where there is none, the victim stays, clean. */
static uint32_t allocate(L2Slice *self, uint64_t line, bool fetches, Time now)
{
    const uint32_t victim = tag_array_victim(&self->cache.tags, line);
    if (victim == TAG_NONE) {
        refuse(self, &self->refused_set);
        return TAG_NONE;
    }
    if (self->cache.tags.lines[victim].dirty) {
        if (!l2_slice_scheduler_ready(self, now)) return TAG_NONE;
        l2_slice_write_back(self, &self->cache.tags.lines[victim], now);
    }
    if (fetches && !l2_slice_scheduler_ready(self, now)) return TAG_NONE;
    tag_array_replace(&self->cache.tags, victim, line);
    return victim;
}

static bool merge(L2Slice *self, Transaction *transaction, uint32_t index, Time now)
{
    PendingRequest *entry = &self->cache.table.entries[index];
    if (entry->merged >= self->pending_merges) return refuse(self, &self->refused_merge);
    entry->merged++;
    self->merged++;
    transaction_join(transaction, &entry->first, &entry->last, now);
    return true;
}

/* Fetches what `wanted` lacks; the transaction waits for it. */
static bool fetch(L2Slice *self, Transaction *transaction, uint32_t place, uint16_t wanted,
                  Time now)
{
    const uint64_t line = l2_slice_line_number(self, transaction);
    const uint32_t under_way = pending_request_table_find(&self->cache.table, line, wanted);
    if (under_way != PRT_NONE) return merge(self, transaction, under_way, now);
    if (self->cache.table.used == self->cache.table.capacity)
        return refuse(self, &self->refused_pending);
    if (place == TAG_NONE)
        place = allocate(self, line, true, now);
    else if (!l2_slice_scheduler_ready(self, now))
        return false;
    if (place == TAG_NONE) return false;
    const uint32_t index = slice_cache_begin_fetch(&self->cache, line, place, wanted);
    PendingRequest *entry = &self->cache.table.entries[index];
    transaction_join(transaction, &entry->first, &entry->last, now);
    self->misses++;
    Transaction *request =
        l2_slice_new_memory_request(self, TRANSACTION_READ, line, entry->sectors);
    request->sub_request = index;
    l2_slice_send_to_scheduler(self, request, now);
    level_enter(&self->pending, now);
    return true;
}

static bool serve_hit(L2Slice *self, Transaction *transaction, uint32_t place, Time now)
{
    const bool reads = transaction->type == TRANSACTION_READ;
    slice_cache_use(&self->cache, place, reads ? 0 : transaction->sectors);
    self->hits++;
    self->load_hits += reads;
    transaction->served_by = SERVED_L2;
    transaction_enter(transaction, STAGE_L2_TAG, now);
    l2_slice_reply(self, transaction, now + clock_cycles(self->unit.clock, self->hit_latency));
    return true;
}

static bool read_line(L2Slice *self, Transaction *transaction, uint32_t place, Time now)
{
    const uint16_t lacking = slice_cache_lacks(&self->cache, place, transaction->sectors);
    return lacking ? fetch(self, transaction, place, lacking, now)
                   : serve_hit(self, transaction, place, now);
}

static bool write_line(L2Slice *self, Transaction *transaction, uint32_t place, Time now)
{
    if (place == TAG_NONE && !transaction->partial)
        place = allocate(self, l2_slice_line_number(self, transaction), false, now);
    if (place == TAG_NONE && !transaction->partial) return false;
    const uint16_t lacking = slice_cache_lacks(&self->cache, place, transaction->partial);
    if (lacking && !fetch(self, transaction, place, lacking, now)) return false;
    if (transaction->partial) self->partial_writes++;
    if (lacking) return true;
    return serve_hit(self, transaction, place, now);
}

static void count_request(L2Slice *self, TransactionType type, uint16_t sectors)
{
    self->accesses++;
    switch (type) {
    case TRANSACTION_READ: self->reads++; break;
    case TRANSACTION_WRITE:
        self->writes++;
        self->bytes_written += slice_cache_bytes(&self->cache, sectors);
        break;
    case TRANSACTION_ATOMIC: self->atomics++; break;
    }
}

bool l2_slice_look_up(L2Slice *self, Transaction *transaction, Time now)
{
    const uint32_t place =
        tag_array_find(&self->cache.tags, l2_slice_line_number(self, transaction));
    return transaction->type == TRANSACTION_WRITE ? write_line(self, transaction, place, now)
                                                  : read_line(self, transaction, place, now);
}

bool l2_slice_handle(L2Slice *self, Transaction *transaction, Time now)
{
    const Time came = transaction->entered;
    const TransactionType type = (TransactionType)transaction->type;
    const uint16_t sectors = transaction->sectors;
    if (type == TRANSACTION_ATOMIC) {
        if (!l2_slice_hand_to_rop(self, transaction, now)) return false;
    } else if (!l2_slice_reply_ready(self, now) || !l2_slice_has_line(self, transaction, now)
               || !l2_slice_look_up(self, transaction, now)) {
        return false;
    }
    level_leave(&self->queue, now, came);
    count_request(self, type, sectors);
    return true;
}
