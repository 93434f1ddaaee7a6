/* The L2 slice: what a request finds, and what it starts. */
#include "units/l2_slice/private.h"

bool l2_slice_refuse(L2Slice *self, uint64_t *counter)
{
    (*counter)++;
    self->refused = true;
    return false;
}

/* --- misses ----------------------------------------------------------------------------------- */

static bool merge(L2Slice *self, Transaction *transaction, uint32_t index, Time now)
{
    PendingRequest *entry = &self->cache.table.entries[index];
    if (entry->merged >= self->pending_merges)
        return l2_slice_refuse_part(self, &self->merge_room, &self->refused_merge, now);
    l2_slice_join(self, entry, now);
    transaction_join(transaction, &entry->first, &entry->last, now);
    return true;
}

/* Fetches what of `lacking` is not under way; the transaction waits until all is there. */
static bool fetch(L2Slice *self, Transaction *transaction, uint32_t place, uint16_t lacking,
                  Time now)
{
    const uint64_t line = l2_slice_line_number(self, transaction);
    const uint16_t wanted = lacking & (uint16_t)~slice_cache_under_way(&self->cache, place);
    if (!wanted)
        return merge(self, transaction,
                     pending_request_table_find_any(&self->cache.table, line, lacking), now);
    if (self->cache.table.used == self->cache.table.capacity)
        return l2_slice_refuse(self, &self->refused_pending);
    if (place == TAG_NONE)
        place = l2_slice_allocate(self, transaction, true, now);
    else if (!l2_slice_has_room_for_miss(self, now))
        return false;
    if (place == TAG_NONE) return false;
    const uint32_t index = slice_cache_begin_fetch(&self->cache, line, place, wanted);
    PendingRequest *entry = &self->cache.table.entries[index];
    l2_slice_fill_begins(self, index, now);
    transaction_join(transaction, &entry->first, &entry->last, now);
    self->misses++;
    if (l2_slice_class_of(transaction) == CLASS_TEXTURE)
        self->bytes_texture_filled += slice_cache_bytes(&self->cache, entry->sectors);
    l2_slice_send_miss(self, l2_slice_fetch_for(self, transaction, index, now), now);
    level_enter(&self->pending, now);
    return true;
}

/* --- hits ------------------------------------------------------------------------------------- */

static void count_hit(L2Slice *self, const Transaction *transaction)
{
    self->hits++;
    const RequestClass class = l2_slice_class_of(transaction);
    self->load_hits += transaction->type == TRANSACTION_READ && class != CLASS_ATOMIC;
    switch (class) {
    case CLASS_GLOBAL: self->global_hits++; break;
    case CLASS_LOCAL: self->local_hits++; break;
    case CLASS_ATOMIC: self->atomic_hits++; break;
    case CLASS_TEXTURE: self->texture_hits++; break;
    case CLASS_TABLE: self->table_hits++; break;
    case CLASSES: break;
    }
}

/* A write-back of the ROP ends with its reply. */
static bool serve(L2Slice *self, Transaction *transaction, Time now)
{
    const Time ready = now + clock_cycles(self->unit.clock, self->hit_latency);
    const uint16_t written = transaction->type == TRANSACTION_READ ? 0 : transaction->sectors;
    count_hit(self, transaction);
    transaction->served_by = SERVED_L2;
    transaction_enter(transaction, STAGE_L2_TAG, now);
    l2_slice_reply(self, transaction, ready, false);
    if (written) l2_slice_write_port(self, ready, written);
    return true;
}

bool l2_slice_serve_hit(L2Slice *self, Transaction *transaction, uint32_t place, Time now)
{
    const bool reads = transaction->type == TRANSACTION_READ;
    if (!reads) l2_slice_note_dirty(self, place, transaction->sectors);
    slice_cache_use(&self->cache, place, reads ? 0 : transaction->sectors);
    if (!reads) l2_slice_keep_clean(self, place);
    return serve(self, transaction, now);
}

/* --- the store queue -------------------------------------------------------------------------- */

/* Brings sectors that the store queue holds back into the line; their write goes on. False: there
 * is no place for the line now. */
static bool recall(L2Slice *self, const Transaction *transaction, uint32_t *place, uint16_t queued,
                   bool fetches, Time now)
{
    if (*place == TAG_NONE) *place = l2_slice_allocate(self, transaction, fetches, now);
    if (*place == TAG_NONE) return false;
    self->cache.tags.lines[*place].valid |= queued;
    self->bytes_array_written += slice_cache_bytes(&self->cache, queued);
    self->store_queue_recalled++;
    return true;
}

/* What the queue holds of the line, if that helps. */
static uint16_t find_queued(const L2Slice *self, const Transaction *transaction, uint16_t lacking)
{
    if (!lacking || !self->stores.used) return 0;
    const uint16_t queued =
        store_queue_sectors(&self->stores, l2_slice_line_number(self, transaction));
    return queued & lacking ? queued : 0;
}

/* --- the three kinds of requests -------------------------------------------------------------- */

/* Loads and atomics. A load that finds all it lacks in the store queue is answered from there. */
static bool read_line(L2Slice *self, Transaction *transaction, uint32_t place, Time now)
{
    uint16_t lacking = slice_cache_lacks(&self->cache, place, transaction->sectors);
    const uint16_t queued = find_queued(self, transaction, lacking);
    const bool all_queued = lacking && !(lacking & (uint16_t)~queued);
    if (all_queued && transaction->type == TRANSACTION_READ) {
        self->store_queue_hits++;
        return serve(self, transaction, now);
    }
    lacking &= (uint16_t)~queued;
    if (queued && !recall(self, transaction, &place, queued, lacking != 0, now)) return false;
    return lacking ? fetch(self, transaction, place, lacking, now)
                   : l2_slice_serve_hit(self, transaction, place, now);
}

static bool write_whole_sectors(L2Slice *self, Transaction *transaction, uint32_t place, Time now)
{
    if (place == TAG_NONE) place = l2_slice_allocate(self, transaction, false, now);
    return place != TAG_NONE && l2_slice_serve_hit(self, transaction, place, now);
}

static bool write_and_fetch(L2Slice *self, Transaction *transaction, uint32_t place, Time now)
{
    uint16_t lacking = slice_cache_lacks(&self->cache, place, transaction->partial);
    const uint16_t queued = find_queued(self, transaction, lacking);
    lacking &= (uint16_t)~queued;
    if (queued && !recall(self, transaction, &place, queued, lacking != 0, now)) return false;
    return lacking ? fetch(self, transaction, place, lacking, now)
                   : l2_slice_serve_hit(self, transaction, place, now);
}

/* The line notes which bytes it has; what is missing is fetched when it is read. */
static bool write_masked(L2Slice *self, Transaction *transaction, uint32_t place, Time now)
{
    const uint16_t lacking = slice_cache_lacks(&self->cache, place, transaction->partial);
    if (place == TAG_NONE) place = l2_slice_allocate(self, transaction, false, now);
    if (place == TAG_NONE) return false;
    self->masked_writes += lacking != 0;
    l2_slice_note_dirty(self, place, transaction->sectors);
    slice_cache_write_bytes(&self->cache, place, lacking, transaction->written);
    slice_cache_use(&self->cache, place, transaction->sectors & (uint16_t)~lacking);
    l2_slice_keep_clean(self, place);
    return serve(self, transaction, now);
}

/* Sectors that L2 lacks go to DRAM as they are, the others are written here. The acknowledgement
 * comes from DRAM. */
static bool write_past(L2Slice *self, Transaction *transaction, uint32_t place, uint16_t lacking,
                       Time now)
{
    const uint16_t kept = transaction->sectors & (uint16_t)~lacking;
    if (!l2_slice_scheduler_ready(self, now)) return false;
    if (kept && place == TAG_NONE) place = l2_slice_allocate(self, transaction, false, now);
    if (kept && (place == TAG_NONE || !l2_slice_scheduler_ready(self, now))) return false;
    if (kept) {
        l2_slice_note_dirty(self, place, kept);
        self->bytes_array_written += slice_cache_bytes(&self->cache, kept);
        slice_cache_use(&self->cache, place, kept);
    }
    Transaction *request = l2_slice_new_memory_request(
        self, TRANSACTION_WRITE, l2_slice_line_number(self, transaction), lacking);
    request->partial = lacking;
    request->merged = transaction;
    transaction->entered = now;
    self->bypassed++;
    self->bytes_dirtied += slice_cache_bytes(&self->cache, lacking);
    l2_slice_count_write_back(self, lacking, now);
    l2_slice_send_to_scheduler(self, request, now);
    return true;
}

static bool write_partly(L2Slice *self, Transaction *transaction, uint32_t place, Time now)
{
    const uint16_t lacking = slice_cache_lacks(&self->cache, place, transaction->partial);
    switch ((PartialWrite)self->partial_write) {
    case PARTIAL_FETCH: break;
    case PARTIAL_MASK: return write_masked(self, transaction, place, now);
    case PARTIAL_BYPASS:
        if (lacking & slice_cache_under_way(&self->cache, place)) break;
        if (!lacking || find_queued(self, transaction, lacking)) break;
        return write_past(self, transaction, place, lacking, now);
    }
    return write_and_fetch(self, transaction, place, now);
}

static bool write_line(L2Slice *self, Transaction *transaction, uint32_t place, Time now)
{
    if (!transaction->partial) return write_whole_sectors(self, transaction, place, now);
    if (!write_partly(self, transaction, place, now)) return false;
    self->partial_writes++;
    return true;
}

/* --- the head of the queue -------------------------------------------------------------------- */

static void count_class(L2Slice *self, RequestClass class)
{
    switch (class) {
    case CLASS_GLOBAL: self->global_accesses++; break;
    case CLASS_LOCAL: self->local_accesses++; break;
    case CLASS_TEXTURE: self->texture_accesses++; break;
    case CLASS_TABLE: self->table_accesses++; break;
    case CLASS_ATOMIC: self->atomics++; break;
    case CLASSES: break;
    }
}

CountedRequest l2_slice_note_request(const Transaction *transaction)
{
    return (CountedRequest){(TransactionType)transaction->type, l2_slice_class_of(transaction),
                            transaction->sectors, transaction->virtual_line};
}

void l2_slice_count_request(L2Slice *self, const CountedRequest *request)
{
    self->accesses += request->type != TRANSACTION_ATOMIC; /* its ROP looks up */
    const uint64_t line = request->virtual_line & ~(uint64_t)(self->line->line_bytes - 1);
    heavy_hitters_add(&self->hottest, line, 1);
    count_class(self, request->class);
    switch (request->type) {
    case TRANSACTION_READ: self->reads++; break;
    case TRANSACTION_WRITE:
        self->writes++;
        self->bytes_written += slice_cache_bytes(&self->cache, request->sectors);
        break;
    case TRANSACTION_ATOMIC: break; /* a class of its own */
    }
}

bool l2_slice_has_write_port(L2Slice *self, const Transaction *transaction, Time now)
{
    if (transaction->type == TRANSACTION_READ) return true;
    const Time reach = self->write_reach, free_at = array_ports_write_free(&self->ports);
    if (free_at <= now + reach) return true;
    self->refused_ports++;
    unit_wake_at(&self->unit, clock_ceil(self->unit.clock, free_at - reach));
    return false;
}

/* Of a blocking cache. */
G_GNUC_NO_INLINE static bool is_free(L2Slice *self, Time now)
{
    if (self->cache.table.used || self->write_backs_outstanding.now || self->atomics_at_rop) {
        self->refused_pending++;
        return l2_slice_refuse_part(self, &self->pending, &self->refused_blocking, now);
    }
    level_relent(&self->pending, now);
    return true;
}

static bool may_begin(L2Slice *self, const Transaction *transaction, Time now)
{
    if (self->completion == COMPLETION_BLOCKING && !is_free(self, now)) return false;
    if (transaction->type == TRANSACTION_READ)
        return !self->at_rop.used || l2_slice_has_line(self, transaction, now);
    if (!l2_slice_may_begin_store(self, transaction)) return false;
    return transaction->type == TRANSACTION_ATOMIC
           || (l2_slice_has_write_port(self, transaction, now)
               && l2_slice_has_line(self, transaction, now));
}

bool l2_slice_look_up(L2Slice *self, Transaction *transaction, Time now)
{
    const uint32_t place =
        tag_array_find(&self->cache.tags, l2_slice_line_number(self, transaction));
    const bool taken = transaction->type == TRANSACTION_WRITE
                           ? write_line(self, transaction, place, now)
                           : read_line(self, transaction, place, now);
    /* another may be where it was */
    if (taken && self->waits_for_room == transaction) self->waits_for_room = NULL;
    return taken;
}

static bool begin(L2Slice *self, Transaction *transaction, Time now)
{
    return transaction->type == TRANSACTION_ATOMIC ? l2_slice_hand_to_rop(self, transaction, now)
                                                   : l2_slice_look_up(self, transaction, now);
}

/* What it lacked is still not there, and the same victim or another makes room for it: a look
 * would tell nothing but that the scheduler has none. */
static bool still_waits_for_room(L2Slice *self, const Transaction *transaction, Time now)
{
    return self->waits_for_room == transaction && !l2_slice_scheduler_ready(self, now);
}

bool l2_slice_load_waits(L2Slice *self, const Transaction *head, Time now)
{
    if (self->waits_for_room != head || !self->load_waits || self->at_rop.used
        || self->completion != COMPLETION_OUT_OF_ORDER)
        return false;
    return !l2_slice_reply_ready(self, now) || !l2_slice_scheduler_ready(self, now);
}

static inline bool handle(L2Slice *self, Transaction *transaction, Time now)
{
    if (!may_begin(self, transaction, now)) return false;
    if (!l2_slice_reserve_reply(self, transaction, now)) return false;
    if (still_waits_for_room(self, transaction, now)) {
        l2_slice_retract_reply(self);
        return false;
    }
    const CountedRequest request = l2_slice_note_request(transaction);
    if (!begin(self, transaction, now)) {
        l2_slice_retract_reply(self);
        return false;
    }
    if (self->completion == COMPLETION_IN_ORDER) level_enter(&self->reply_queue, now);
    l2_slice_count_request(self, &request);
    return true;
}

bool l2_slice_handle_here(L2Slice *self, Transaction *transaction, Time now)
{
    return handle(self, transaction, now);
}

bool l2_slice_handle(L2Slice *self, Transaction *transaction, Time now)
{
    if (l2_slice_is_far(self, transaction)) return l2_slice_handle_far(self, transaction, now);
    const Time came = transaction->entered;
    if (!handle(self, transaction, now)) return false;
    level_leave(&self->queue, now, came);
    return true;
}
