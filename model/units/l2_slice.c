/* An L2 slice: sectored, set-associative, write-back, non-blocking; requests are handled in order.
 *
 *   from_network ──> [tag look-up, one a cycle] ── hit ──> data port ──to_reply_network──> SM
 *                         │ miss                  ^
 *                    [pending requests] ──┐       └── fill ──from_dram── DRAM channel
 *                    dirty victim ────────┴──to_scheduler──> memory access scheduler
 *
 * A miss fetches aligned groups of sectors. Stores of whole sectors need no fetch, others do.
 * Not modelled: store queues, byte masks, ROP (an atomic occupies the data port), compression.
 * Sources: Aamodt, Fung, Rogers 2018, 4.3; Jia et al. 2018; latencies calibrated in the presets. */
#include "kit/unit.h"
#include "parts/slice_cache.h"

typedef struct {
    Unit unit;
    Port from_network, from_dram;
    Channel to_reply_network, to_scheduler, to_monitor;
    const LineShape *line;
    const AddressMap *address_map;

    uint64_t capacity, ways, hit_latency, miss_latency, fill_latency, lookup_interval,
        data_bandwidth;
    uint64_t fill_bytes, pending_entries, pending_merges, atomic_interval, candidates;
    uint32_t replacement;

    uint64_t accesses, reads, writes, atomics, hits, misses, merged, load_hits, partial_writes,
        fills, write_backs;
    uint64_t refused_set, refused_pending, refused_merge, refused_scheduler, refused_reply;
    uint64_t bytes_read, bytes_written, bytes_filled, bytes_written_back, replies;
    uint64_t data_busy;
    Level queue, pending, write_backs_outstanding;
    Histogram fill_latency_seen;

    SliceCache cache;
    Time free_at, data_free_at;
    bool refused;  /* the head waits for a fill */
    uint32_t seen; /* requests in the port whose arrival has been noted */
} L2Slice;

static const Param params[] = {
    PARAM_NUMBER(L2Slice, capacity, PARAM_BYTES, "96 KiB", 1024, 268435456,
                 "bytes of data of one slice"),
    PARAM_NUMBER(L2Slice, ways, PARAM_COUNT, "16", 1, 1024,
                 "ways; the sets follow from the capacity"),
    PARAM_ONE_OF(L2Slice, replacement, replacement_names, "lru", "which line of a set goes next"),
    PARAM_NUMBER(L2Slice, candidates, PARAM_COUNT, "5", 1, 64, "lines sampled_lru draws"),
    PARAM_NUMBER(L2Slice, hit_latency, PARAM_CYCLES, "31 cycles", 1, 10000,
                 "tag look-up and data array of a hit"),
    PARAM_NUMBER(L2Slice, miss_latency, PARAM_CYCLES, "10 cycles", 1, 10000,
                 "tag look-up until a miss leaves"),
    PARAM_NUMBER(L2Slice, fill_latency, PARAM_CYCLES, "10 cycles", 1, 10000,
                 "from the fill until its data may leave"),
    PARAM_NUMBER(L2Slice, lookup_interval, PARAM_CYCLES, "1 cycle", 1, 64,
                 "cycles from one look-up to the next"),
    PARAM_NUMBER(L2Slice, data_bandwidth, PARAM_BANDWIDTH, "32 B/cycle", 1, 4096,
                 "bytes the data port reads a cycle"),
    PARAM_NUMBER(L2Slice, fill_bytes, PARAM_BYTES, "64 B", 16, 512,
                 "aligned bytes a miss fetches at least"),
    PARAM_NUMBER(L2Slice, pending_entries, PARAM_COUNT, "192", 1, 65536, "outstanding fills"),
    PARAM_NUMBER(L2Slice, pending_merges, PARAM_COUNT, "64", 0, 65536,
                 "further requests that may wait for one fill"),
    PARAM_NUMBER(L2Slice, atomic_interval, PARAM_CYCLES, "2 cycles", 1, 10000,
                 "cycles an atomic keeps the data port busy"),
    PARAM_END};

static const Stat stats[] = {
    STAT_NUMBER(L2Slice, accesses, STAT_COUNT, "lts__t_requests.sum", "requests looked up"),
    STAT_NUMBER(L2Slice, reads, STAT_COUNT, "lts__t_requests_op_read.sum", "of these, reads"),
    STAT_NUMBER(L2Slice, writes, STAT_COUNT, "lts__t_requests_op_write.sum", "of these, writes"),
    STAT_NUMBER(L2Slice, atomics, STAT_COUNT, "lts__t_requests_op_atom.sum", "of these, atomics"),
    STAT_NUMBER(L2Slice, hits, STAT_COUNT, "lts__t_requests_lookup_hit.sum",
                "requests that needed no fetch"),
    STAT_NUMBER(L2Slice, load_hits, STAT_COUNT, "lts__t_requests_op_read_lookup_hit.sum",
                "reads that needed no fetch"),
    STAT_NUMBER(L2Slice, misses, STAT_COUNT, "lts__t_requests_lookup_miss.sum",
                "requests that fetch from DRAM"),
    STAT_NUMBER(L2Slice, merged, STAT_COUNT, NULL, "requests that joined an outstanding fetch"),
    STAT_NUMBER(L2Slice, partial_writes, STAT_COUNT, NULL,
                "writes that do not cover whole sectors"),
    STAT_NUMBER(L2Slice, fills, STAT_COUNT, NULL, "fills from DRAM"),
    STAT_NUMBER(L2Slice, write_backs, STAT_COUNT, NULL, "dirty lines evicted"),
    STAT_NUMBER(L2Slice, refused_set, STAT_COUNT, NULL,
                "head waited: every way of the set is being filled"),
    STAT_NUMBER(L2Slice, refused_pending, STAT_COUNT, NULL,
                "head waited: no pending request entry"),
    STAT_NUMBER(L2Slice, refused_merge, STAT_COUNT, NULL,
                "head waited: no more requests may wait for the line"),
    STAT_NUMBER(L2Slice, refused_scheduler, STAT_COUNT, NULL,
                "head waited: the memory access scheduler's port is full"),
    STAT_NUMBER(L2Slice, refused_reply, STAT_COUNT, NULL,
                "waited: the reply network's port is full"),
    STAT_NUMBER(L2Slice, bytes_read, STAT_BYTES, "lts__t_bytes_op_read.sum", "bytes sent to SMs"),
    STAT_NUMBER(L2Slice, bytes_written, STAT_BYTES, "lts__t_bytes_op_write.sum",
                "bytes of sectors written by SMs"),
    STAT_NUMBER(L2Slice, bytes_filled, STAT_BYTES, "lts__t_sectors_srcunit_ltcfabric.sum",
                "bytes fetched from DRAM"),
    STAT_NUMBER(L2Slice, bytes_written_back, STAT_BYTES, NULL, "bytes of dirty sectors evicted"),
    STAT_NUMBER(L2Slice, replies, STAT_COUNT, NULL, "replies sent"),
    STAT_NUMBER(L2Slice, data_busy, STAT_TIME, "lts__d_sectors.sum",
                "time the data port was occupied"),
    STAT_OCCUPANCY(L2Slice, queue, NULL, "requests waiting in front of the slice"),
    STAT_OCCUPANCY(L2Slice, pending, NULL, "outstanding fetches"),
    STAT_OCCUPANCY(L2Slice, write_backs_outstanding, NULL, "evicted lines not yet written to DRAM"),
    STAT_DISTRIBUTION(L2Slice, fill_latency_seen, NULL, "from sending a fetch to its fill"),
    STAT_END};

static const PortRow ports[] = {
    PORT_INPUT(L2Slice, from_dram, "fills, and write-backs that are done"),
    PORT_INPUT(L2Slice, from_network, "requests"),
    PORT_OUTPUT(L2Slice, to_reply_network, "data and acknowledgements"),
    PORT_OUTPUT(L2Slice, to_scheduler, "fetches and write-backs"),
    PORT_OUTPUT(L2Slice, to_monitor, "writes, for the coherence monitor"),
    PORT_END};

static const SharedRow shared[] = {SHARED(L2Slice, line), SHARED(L2Slice, address_map), SHARED_END};

static bool setup(Unit *unit, GError **error)
{
    L2Slice *self = (L2Slice *)unit;
    const SliceCacheShape shape = {.capacity = self->capacity,
                                   .ways = self->ways,
                                   .fill_bytes = self->fill_bytes,
                                   .replacement = (ReplacementPolicy)self->replacement,
                                   .candidates = self->candidates,
                                   .seed = unit_random(unit),
                                   .pending_entries = self->pending_entries,
                                   .line = self->line,
                                   .map = self->address_map,
                                   .slice = unit->number};
    return slice_cache_init(&self->cache, &shape, error);
}

static void teardown(Unit *unit)
{
    slice_cache_finish(&((L2Slice *)unit)->cache);
}

static inline uint64_t line_number(const L2Slice *self, const Transaction *transaction)
{
    return transaction->local / self->line->line_bytes;
}

/* --- replies to SMs --------------------------------------------------------------------------- */

static bool reply_network_ready(L2Slice *self, Time now)
{
    if (channel_ready(&self->to_reply_network, now)) return true;
    self->refused_reply++;
    channel_await(&self->to_reply_network, now);
    return false;
}

/* Occupies the data port for the sectors; the reply leaves as its first one is read. */
static void reply(L2Slice *self, Transaction *transaction, Time ready)
{
    if (channel_connected(&self->to_monitor))
        unit_report_write(&self->unit, &self->to_monitor, transaction,
                          slice_cache_address(&self->cache, transaction->local));
    uint64_t cycles = 1;
    if (transaction->type != TRANSACTION_WRITE) {
        const uint32_t bytes = slice_cache_bytes(&self->cache, transaction->sectors);
        self->bytes_read += bytes;
        cycles = (bytes + self->data_bandwidth - 1) / self->data_bandwidth;
        if (transaction->type == TRANSACTION_ATOMIC) cycles = MAX(cycles, self->atomic_interval);
        const Time start = MAX(ready, self->data_free_at);
        self->data_free_at = start + clock_cycles(self->unit.clock, cycles);
        self->data_busy += self->data_free_at - start;
        ready = start;
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
    reply(self, waiting, now + clock_cycles(self->unit.clock, self->fill_latency));
}

/* False: the reply network has no room for all who wait; the fill stays until all are served. */
static bool fill(L2Slice *self, Transaction *fetched, Time now)
{
    PendingRequest *entry = &self->cache.table.entries[fetched->sub_request];
    TagLine *line = &self->cache.tags.lines[entry->place];
    for (Transaction *waiting; (waiting = entry->first);) {
        if (!reply_network_ready(self, now)) return false;
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

static void take_from_dram(L2Slice *self, Time now)
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

static Transaction *new_memory_request(L2Slice *self, TransactionType type, uint64_t line,
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

static void send_to_scheduler(L2Slice *self, Transaction *request, Time now)
{
    const Time when = now + clock_cycles(self->unit.clock, self->miss_latency);
    transaction_enter(request, STAGE_L2_TAG, now);
    transaction_enter(request, STAGE_MEMORY_WIRE, when);
    channel_send(&self->to_scheduler, &request->message, when);
}

static void write_back(L2Slice *self, TagLine *victim, Time now)
{
    self->write_backs++;
    self->bytes_written_back += slice_cache_bytes(&self->cache, victim->dirty);
    send_to_scheduler(
        self, new_memory_request(self, TRANSACTION_WRITE, victim->line, victim->dirty), now);
    level_enter(&self->write_backs_outstanding, now);
    victim->dirty = 0;
}

/* --- requests --------------------------------------------------------------------------------- */

/* The head cannot go on before something comes back from DRAM. */
static bool refuse(L2Slice *self, uint64_t *counter)
{
    (*counter)++;
    self->refused = true;
    return false;
}

static bool scheduler_has_room(L2Slice *self, Time now)
{
    if (channel_ready(&self->to_scheduler, now)) return true;
    self->refused_scheduler++;
    channel_await(&self->to_scheduler, now);
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
        if (!scheduler_has_room(self, now)) return TAG_NONE;
        write_back(self, &self->cache.tags.lines[victim], now);
    }
    if (fetches && !scheduler_has_room(self, now)) return TAG_NONE;
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
    const uint64_t line = line_number(self, transaction);
    const uint32_t under_way = pending_request_table_find(&self->cache.table, line, wanted);
    if (under_way != PRT_NONE) return merge(self, transaction, under_way, now);
    if (self->cache.table.used == self->cache.table.capacity)
        return refuse(self, &self->refused_pending);
    if (place == TAG_NONE)
        place = allocate(self, line, true, now);
    else if (!scheduler_has_room(self, now))
        return false;
    if (place == TAG_NONE) return false;
    const uint32_t index = slice_cache_begin_fetch(&self->cache, line, place, wanted);
    PendingRequest *entry = &self->cache.table.entries[index];
    transaction_join(transaction, &entry->first, &entry->last, now);
    self->misses++;
    Transaction *request = new_memory_request(self, TRANSACTION_READ, line, entry->sectors);
    request->sub_request = index;
    send_to_scheduler(self, request, now);
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
    reply(self, transaction, now + clock_cycles(self->unit.clock, self->hit_latency));
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
        place = allocate(self, line_number(self, transaction), false, now);
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

static bool handle(L2Slice *self, Transaction *transaction, Time now)
{
    if (!reply_network_ready(self, now)) return false;
    const uint32_t place = tag_array_find(&self->cache.tags, line_number(self, transaction));
    const Time came = transaction->entered;
    const TransactionType type = (TransactionType)transaction->type;
    const uint16_t sectors = transaction->sectors;
    const bool taken = type == TRANSACTION_WRITE ? write_line(self, transaction, place, now)
                                                 : read_line(self, transaction, place, now);
    if (!taken) return false;
    level_leave(&self->queue, now, came);
    count_request(self, type, sectors);
    return true;
}

static void see_arrivals(L2Slice *self, Time now)
{
    for (uint32_t k = self->seen; k < self->from_network.count; k++) {
        Transaction *transaction = (Transaction *)port_peek_at(&self->from_network, k);
        transaction->entered = now;
        transaction_enter(transaction, STAGE_L2_QUEUE, now);
        level_enter(&self->queue, now);
    }
    self->seen = self->from_network.count;
}

static void step(Unit *unit, Time now)
{
    L2Slice *self = (L2Slice *)unit;
    see_arrivals(self, now);
    take_from_dram(self, now);
    Transaction *transaction = (Transaction *)port_peek(&self->from_network);
    if (!transaction || self->refused) return;
    if (self->free_at > now) {
        unit_wake_at(unit, self->free_at);
        return;
    }
    if (!handle(self, transaction, now)) return;
    port_take(&self->from_network, now);
    self->seen--;
    self->free_at = now + clock_cycles(unit->clock, self->lookup_interval);
    if (self->seen) unit_wake_at(unit, self->free_at);
}

/* --- between kernels -------------------------------------------------------------------------- */

static void boundary(Unit *unit, const Boundary *boundary)
{
    L2Slice *self = (L2Slice *)unit;
    if (boundary->kind != BOUNDARY_KERNEL_START) return;
    switch (boundary->launch->caches) {
    case CACHES_DIRTY: break;
    case CACHES_WARM: tag_array_clean(&self->cache.tags); break;
    case CACHES_COLD:
        if (!self->cache.table.used) tag_array_invalidate(&self->cache.tags);
        break;
    }
    for (uint32_t i = 0; i < boundary->launch->copy_count; i++)
        slice_cache_accept_copy(&self->cache, boundary->launch->copies[i].address,
                                boundary->launch->copies[i].bytes);
}

static bool unfinished(Unit *unit, GString *what)
{
    L2Slice *self = (L2Slice *)unit;
    if (!self->cache.table.used && !self->write_backs_outstanding.now) return false;
    g_string_append_printf(what, "%u fetches and %" G_GUINT64_FORMAT " write-backs outstanding",
                           self->cache.table.used, self->write_backs_outstanding.now);
    unit_waits_for(unit, port_sender(&self->from_dram));
    return true;
}

const UnitClass l2_slice_class = {.name = "l2_slice",
                                  .summary = "slice of the second-level cache",
                                  .size = sizeof(L2Slice),
                                  .params = params,
                                  .stats = stats,
                                  .ports = ports,
                                  .shared = shared,
                                  .setup = setup,
                                  .step = step,
                                  .teardown = teardown,
                                  .boundary = boundary,
                                  .unfinished = unfinished};
