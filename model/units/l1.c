/* The first-level data cache: sectored, set-associative, write-through without allocation, with
 * a pending request table.
 *
 *   load/store ──from_load_store──> [tag look-up] ── hit ──> data array ──to_sm──> registers
 *                                       │ miss
 *                                  [PRT: merge] ──to_request_network──> L2
 *   L2 ──from_reply_network──> fill ──> waiting loads, certain to hit ──to_sm──> registers
 *
 * One line is looked up a cycle. A refused access (set being filled, PRT or merge room or network
 * full) waits at the head and is tried again when something has changed.
 *
 * Not modelled: tag and data banks, the replay buffer, shared memory in the same array, local
 * memory's write-back policy, translation. Sources: platform/v100.ini, docs/validation.md. */
#include "kit/unit.h"
#include "parts/coalescer.h"
#include "parts/pending_request_table.h"
#include "parts/tag_array.h"

typedef struct {
    Unit unit;
    Port from_load_store, from_reply_network;
    Channel to_request_network, to_sm;
    const LineShape *line;

    uint64_t capacity, sets, hit_latency, miss_latency, store_latency, lookup_interval, prt_entries,
        prt_merges, reserved, candidates;
    uint32_t replacement, set_index;
    bool enabled;

    uint64_t accesses, hits, misses, merged, writes, atomics, line_transactions, fills,
        invalidations;
    uint64_t refused_set, refused_prt, refused_merge, refused_network;
    uint64_t bytes_requested, bytes_from_network, bytes_to_network, requests, replies;
    Level queue, prt, stores_outstanding;
    Histogram miss_latency_seen;
    StageSums stages_load_l1_hit, stages_load_merged, stages_load_l2_hit, stages_load_dram,
        stages_store, stages_atomic;

    TagArray tags;
    PendingRequestTable table;
    Time free_at;  /* the tag stage takes the next line */
    Time returned; /* the last value on its way to the registers; none overtakes it */
    bool refused;  /* the head waits for a fill */
    uint32_t seen; /* accesses in the port whose arrival has been noted */
} L1;

static const Param params[] = {
    PARAM_NUMBER(L1, capacity, PARAM_BYTES, "128 KiB", 1024, 16777216, "bytes of data"),
    PARAM_NUMBER(L1, reserved, PARAM_BYTES, "0 B", 0, 16777216, "part of it that holds no data"),
    PARAM_NUMBER(L1, sets, PARAM_COUNT, "4", 1, 4096, "sets; the ways follow from the capacity"),
    PARAM_ONE_OF(L1, set_index, set_index_names, "modulo", "how a line's set is found"),
    PARAM_ONE_OF(L1, replacement, replacement_names, "lru", "which line of a set goes next"),
    PARAM_NUMBER(L1, candidates, PARAM_COUNT, "5", 1, 64, "lines sampled_lru draws"),
    PARAM_NUMBER(L1, hit_latency, PARAM_CYCLES, "16 cycles", 1, 1000, "tags and data of a hit"),
    PARAM_NUMBER(L1, miss_latency, PARAM_CYCLES, "4 cycles", 1, 1000, "until a miss leaves"),
    PARAM_NUMBER(L1, store_latency, PARAM_CYCLES, "20 cycles", 1, 1000,
                 "a store's last line until the warp's registers are free"),
    PARAM_NUMBER(L1, lookup_interval, PARAM_CYCLES, "1 cycle", 1, 64, "from line to line"),
    PARAM_NUMBER(L1, prt_entries, PARAM_COUNT, "256", 1, 65536, "outstanding misses"),
    PARAM_NUMBER(L1, prt_merges, PARAM_COUNT, "8", 0, 65536, "requests that may join a miss"),
    PARAM_SWITCH(L1, enabled, "yes", "no: every load goes to L2 (as with ld.cg)"),
    PARAM_END};

static const Stat stats[] = {
    STAT_NUMBER(L1, accesses, STAT_COUNT, "l1tex__t_requests_pipe_lsu.sum",
                "line look-ups of loads"),
    STAT_NUMBER(L1, hits, STAT_COUNT, "l1tex__t_requests_pipe_lsu_lookup_hit.sum",
                "loads whose sectors were all there"),
    STAT_NUMBER(L1, misses, STAT_COUNT, "l1tex__t_requests_pipe_lsu_lookup_miss.sum",
                "loads that went to L2"),
    STAT_NUMBER(L1, merged, STAT_COUNT, NULL, "loads that joined an outstanding miss"),
    STAT_NUMBER(L1, writes, STAT_COUNT, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
                "stores written through"),
    STAT_NUMBER(L1, atomics, STAT_COUNT, "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
                "atomics passed on to L2"),
    STAT_NUMBER(L1, line_transactions, STAT_COUNT, NULL,
                "line transactions completed here, merged ones not counted"),
    STAT_NUMBER(L1, fills, STAT_COUNT, NULL, "fills from L2"),
    STAT_NUMBER(L1, invalidations, STAT_COUNT, NULL, "times the whole cache was invalidated"),
    STAT_NUMBER(L1, refused_set, STAT_COUNT, NULL, "refused: every way of the set is being filled"),
    STAT_NUMBER(L1, refused_prt, STAT_COUNT, NULL, "refused: the pending request table is full"),
    STAT_NUMBER(L1, refused_merge, STAT_COUNT, NULL,
                "refused: no more requests may wait for the line"),
    STAT_NUMBER(L1, refused_network, STAT_COUNT, NULL, "refused: the network's port is full"),
    STAT_NUMBER(L1, bytes_requested, STAT_BYTES, NULL, "bytes lanes asked for"),
    STAT_NUMBER(L1, bytes_from_network, STAT_BYTES, "l1tex__m_xbar2l1tex_read_bytes.sum",
                "bytes of fills and of atomics' values"),
    STAT_NUMBER(L1, bytes_to_network, STAT_BYTES, "l1tex__m_l1tex2xbar_write_bytes.sum",
                "bytes of stores"),
    STAT_NUMBER(L1, requests, STAT_COUNT, "l1tex__m_l1tex2xbar_req_cycles_active.sum",
                "requests sent to L2"),
    STAT_NUMBER(L1, replies, STAT_COUNT, NULL, "replies received from L2"),
    STAT_OCCUPANCY(L1, queue, NULL, "line transactions waiting to be looked up"),
    STAT_OCCUPANCY(L1, prt, NULL, "outstanding misses"),
    STAT_OCCUPANCY(L1, stores_outstanding, NULL, "stores that L2 has not acknowledged"),
    STAT_DISTRIBUTION(L1, miss_latency_seen, "l1tex__m_xbar2l1tex_read_latency.avg",
                      "from sending a miss to its fill"),
    STAT_BREAKDOWN(L1, stages_load_l1_hit, "loads that hit L1"),
    STAT_BREAKDOWN(L1, stages_load_merged, "loads merged into an outstanding miss"),
    STAT_BREAKDOWN(L1, stages_load_l2_hit, "loads that missed L1 and hit L2"),
    STAT_BREAKDOWN(L1, stages_load_dram, "loads that went to DRAM"),
    STAT_BREAKDOWN(L1, stages_store, "stores, until L2 acknowledges"),
    STAT_BREAKDOWN(L1, stages_atomic, "atomics, until the value is back"),
    STAT_END};

static const PortRow ports[] = {PORT_INPUT(L1, from_reply_network, "fills and acknowledgements"),
                                PORT_INPUT(L1, from_load_store, "line transactions"),
                                PORT_OUTPUT(L1, to_request_network, "misses and stores"),
                                PORT_OUTPUT(L1, to_sm, "completed instructions"), PORT_END};

static const SharedRow shared[] = {SHARED(L1, line), SHARED_END};

static bool setup(Unit *unit, GError **error)
{
    L1 *self = (L1 *)unit;
    const uint64_t set_bytes = self->sets * self->line->line_bytes;
    const uint64_t bytes = self->capacity - MIN(self->reserved, self->capacity);
    if (bytes % set_bytes || !bytes) {
        g_set_error(error, PARAM_ERROR, 0,
                    "l1.capacity = %" G_GUINT64_FORMAT " B, less l1.reserved: not a whole number "
                    "of %" G_GUINT64_FORMAT " sets of %u-byte lines",
                    self->capacity, self->sets, self->line->line_bytes);
        return false;
    }
    const TagArrayShape shape = {self->sets,
                                 bytes / set_bytes,
                                 (SetIndex)self->set_index,
                                 (ReplacementPolicy)self->replacement,
                                 self->candidates,
                                 unit_random(unit)};
    tag_array_init(&self->tags, &shape);
    pending_request_table_init(&self->table, (uint32_t)self->prt_entries);
    return true;
}

static void teardown(Unit *unit)
{
    L1 *self = (L1 *)unit;
    if (!self->tags.lines) return;
    tag_array_finish(&self->tags);
    pending_request_table_finish(&self->table);
}

static StageSums *sums_of(L1 *self, const Transaction *transaction)
{
    if (transaction->type == TRANSACTION_WRITE) return &self->stages_store;
    if (transaction->type == TRANSACTION_ATOMIC) return &self->stages_atomic;
    switch ((ServedBy)transaction->served_by) {
    case SERVED_L1: return &self->stages_load_l1_hit;
    case SERVED_PRT: return &self->stages_load_merged;
    case SERVED_L2: return &self->stages_load_l2_hit;
    case SERVED_DRAM: return &self->stages_load_dram;
    }
    g_assert_not_reached();
}

/* Every femtosecond from the first stamp to `end` goes to the stage the transaction was in. */
static void account(L1 *self, const Transaction *transaction, Time end)
{
    StageSums *sums = sums_of(self, transaction);
    Time from = transaction_began(transaction);
    sums->count++;
    sums->latency += end - from;
    for (unsigned i = 0; i < transaction->stamp_count; i++) {
        const Time to =
            i + 1 < transaction->stamp_count ? stamp_time(transaction->stamps[i + 1]) : end;
        if (to < from) unit_fail(&self->unit, "a transaction's stages go back in time");
        sums->stage[stamp_stage(transaction->stamps[i])] += to - from;
        from = to;
    }
    self->bytes_requested += transaction->requested_bytes;
    if (transaction->served_by != SERVED_PRT) self->line_transactions++;
}

/* The line's part of the instruction is done; the last one lets the instruction go to the SM. */
static void complete(L1 *self, Transaction *transaction, Time ready)
{
    WarpAccess *access = transaction->access;
    const bool returns = transaction->type != TRANSACTION_WRITE;
    if (returns) {
        ready = self->returned = MAX(ready, self->returned);
        transaction_enter(transaction, STAGE_WRITEBACK, ready);
    }
    account(self, transaction, returns ? ready + self->to_sm.delay : ready);
    unit_free_message(&self->unit, &transaction->message);
    if (++access->lines_done == access->lines) channel_send(&self->to_sm, &access->message, ready);
}

/* --- replies ---------------------------------------------------------------------------------- */

static void deliver_merged(L1 *self, const PendingRequest *entry, const Transaction *reply,
                           Time now)
{
    for (Transaction *waiting = entry->first, *next; waiting; waiting = next) {
        next = waiting->merged;
        transaction_inherit(waiting, reply, waiting->entered);
        waiting->served_by = SERVED_PRT;
        transaction_enter(waiting, STAGE_FILL, now);
        complete(self, waiting, now + clock_cycles(self->unit.clock, self->hit_latency));
    }
}

/* When the reply's request passed the tags: other units use `entered` since. */
static Time sent_at(const Transaction *reply)
{
    unsigned i = 0;
    while (i + 1u < reply->stamp_count && stamp_stage(reply->stamps[i]) != STAGE_L1_TAG) i++;
    return stamp_time(reply->stamps[i]);
}

static void fill(L1 *self, Transaction *reply, Time now)
{
    const uint32_t index = reply->sub_request;
    PendingRequest *entry = &self->table.entries[index];
    if (!entry->used || entry->line != reply->line) {
        unit_fail(&self->unit, "a reply for no pending request");
        return;
    }
    if (entry->place != TAG_NONE) {
        TagLine *line = &self->tags.lines[entry->place];
        line->valid |= entry->sectors;
        line->fetching--;
    }
    self->fills++;
    self->bytes_from_network +=
        (uint64_t)__builtin_popcount(entry->sectors) * self->line->sector_bytes;
    histogram_add(&self->miss_latency_seen, now - sent_at(reply));
    level_leave(&self->prt, now, sent_at(reply));
    deliver_merged(self, entry, reply, now);
    transaction_enter(reply, STAGE_FILL, now);
    complete(self, reply, now + clock_cycles(self->unit.clock, self->hit_latency));
    pending_request_table_release(&self->table, index);
}

static void take_replies(L1 *self, Time now)
{
    Message *message;
    while ((message = port_take(&self->from_reply_network, now))) {
        Transaction *reply = (Transaction *)message;
        self->replies++;
        if (reply->type == TRANSACTION_READ) {
            fill(self, reply, now);
        } else {
            level_leave(&self->stores_outstanding, now, sent_at(reply));
            if (reply->type == TRANSACTION_ATOMIC)
                self->bytes_from_network +=
                    (uint64_t)__builtin_popcount(reply->sectors) * self->line->sector_bytes;
            complete(self, reply, now);
        }
        self->refused = false;
    }
}

/* --- requests --------------------------------------------------------------------------------- */

static void send_to_l2(L1 *self, Transaction *transaction, Time now)
{
    const Time when = now + clock_cycles(self->unit.clock, self->miss_latency);
    self->requests++;
    transaction_enter(transaction, STAGE_REQUEST_WIRE, when);
    channel_send(&self->to_request_network, &transaction->message, when);
}

static bool refuse(L1 *self, Transaction *transaction, uint64_t *counter, Time now)
{
    (*counter)++;
    transaction_enter(transaction, STAGE_REPLAY, now);
    self->refused = true;
    return false;
}

static bool network_ready(L1 *self, Transaction *transaction, Time now)
{
    if (channel_ready(&self->to_request_network, now)) return true;
    channel_await(&self->to_request_network, now);
    self->refused_network++;
    transaction_enter(transaction, STAGE_REPLAY, now);
    return false;
}

static void hit(L1 *self, Transaction *transaction, uint32_t index, Time now)
{
    tag_array_touch(&self->tags, index);
    self->hits++;
    transaction->served_by = SERVED_L1;
    transaction_enter(transaction, STAGE_L1_TAG, now);
    complete(self, transaction, now + clock_cycles(self->unit.clock, self->hit_latency));
}

static bool merge(L1 *self, Transaction *transaction, uint32_t index, Time now)
{
    PendingRequest *entry = &self->table.entries[index];
    if (entry->merged >= self->prt_merges)
        return refuse(self, transaction, &self->refused_merge, now);
    entry->merged++;
    self->merged++;
    transaction_join(transaction, &entry->first, &entry->last, now);
    return true;
}

/* A place for the line: where it is already, or a victim's. TAG_NONE: none can be had. */
static uint32_t allocate(L1 *self, uint64_t line, uint32_t present)
{
    if (present != TAG_NONE) return present;
    const uint32_t victim = tag_array_victim(&self->tags, line);
    if (victim != TAG_NONE) tag_array_replace(&self->tags, victim, line);
    return victim;
}

static bool miss(L1 *self, Transaction *transaction, uint32_t present, bool cached, Time now)
{
    const uint64_t line = transaction->line / self->line->line_bytes;
    if (self->table.used == self->table.capacity)
        return refuse(self, transaction, &self->refused_prt, now);
    if (!network_ready(self, transaction, now)) return false;
    uint32_t place = TAG_NONE;
    if (cached) {
        place = allocate(self, line, present);
        if (place == TAG_NONE) return refuse(self, transaction, &self->refused_set, now);
        transaction->sectors &= (uint16_t)~self->tags.lines[place].valid;
        self->tags.lines[place].fetching++;
        tag_array_touch(&self->tags, place);
    }
    const uint32_t index =
        pending_request_table_allocate(&self->table, transaction->line, transaction->sectors);
    PendingRequest *entry = &self->table.entries[index];
    entry->place = place;
    transaction->sub_request = index;
    self->misses++;
    transaction_enter(transaction, STAGE_L1_TAG, now);
    send_to_l2(self, transaction, now);
    level_enter(&self->prt, now);
    return true;
}

static bool load(L1 *self, Transaction *transaction, Time now)
{
    const bool cached = self->enabled && transaction->hint != CACHE_L2_ONLY;
    const uint32_t present =
        cached ? tag_array_find(&self->tags, transaction->line / self->line->line_bytes) : TAG_NONE;
    const uint16_t valid = present == TAG_NONE ? 0 : self->tags.lines[present].valid;
    const uint16_t lacking = transaction->sectors & (uint16_t)~valid;
    if (!lacking) {
        hit(self, transaction, present, now);
        self->accesses++;
        return true;
    }
    const uint32_t pending = pending_request_table_find(&self->table, transaction->line, lacking);
    const bool taken = pending != PRT_NONE ? merge(self, transaction, pending, now)
                                           : miss(self, transaction, present, cached, now);
    if (taken) self->accesses++;
    return taken;
}

/* Tells the SM when the store's data will have been read: its warp may end then. */
static void release(L1 *self, const WarpAccess *access, Time now)
{
    WarpAccess *notice = unit_new_access(&self->unit);
    notice->instruction.operation = OPERATION_STORE;
    notice->warp = access->warp;
    notice->warp_age = access->warp_age;
    notice->released = true;
    notice->released_at =
        now + clock_cycles(self->unit.clock, self->store_latency) + self->to_sm.delay;
    channel_send(&self->to_sm, &notice->message, now);
}

/* Stores go through without allocating; writing a present line costs nothing more. */
static bool pass_on(L1 *self, Transaction *transaction, Time now)
{
    if (!network_ready(self, transaction, now)) return false;
    WarpAccess *access = transaction->access;
    if (transaction->type == TRANSACTION_WRITE) {
        self->writes++;
        if (++access->lines_sent == access->lines) release(self, access, now);
    } else {
        self->atomics++;
    }
    self->bytes_to_network +=
        (uint64_t)__builtin_popcount(transaction->sectors) * self->line->sector_bytes;
    transaction_enter(transaction, STAGE_L1_TAG, now);
    send_to_l2(self, transaction, now);
    level_enter(&self->stores_outstanding, now);
    return true;
}

static void see_arrivals(L1 *self, Time now)
{
    for (; self->seen < self->from_load_store.count; self->seen++) {
        Transaction *arrived = (Transaction *)port_peek_at(&self->from_load_store, self->seen);
        arrived->entered = now;
        transaction_enter(arrived, STAGE_L1_QUEUE, now);
        level_enter(&self->queue, now);
    }
}

static void step(Unit *unit, Time now)
{
    L1 *self = (L1 *)unit;
    see_arrivals(self, now);
    take_replies(self, now);
    if (self->refused) return;
    Transaction *transaction = (Transaction *)port_peek(&self->from_load_store);
    if (!transaction) return;
    if (self->free_at > now) {
        unit_wake_at(unit, self->free_at);
        return;
    }
    const Time came = transaction->entered;
    const bool taken = transaction->type == TRANSACTION_READ ? load(self, transaction, now)
                                                             : pass_on(self, transaction, now);
    if (!taken) return;
    level_leave(&self->queue, now, came);
    port_take(&self->from_load_store, now);
    self->seen--;
    self->free_at = now + clock_cycles(unit->clock, self->lookup_interval);
    if (port_peek(&self->from_load_store)) unit_wake_at(unit, self->free_at);
}

static void boundary(Unit *unit, const Boundary *boundary)
{
    L1 *self = (L1 *)unit;
    if (boundary->kind != BOUNDARY_KERNEL_START) return;
    if (boundary->launch->keep_l1 && boundary->launch->caches != CACHES_COLD) return;
    tag_array_invalidate(&self->tags);
    self->invalidations++;
}

static bool unfinished(Unit *unit, GString *what)
{
    L1 *self = (L1 *)unit;
    if (!self->table.used && !self->stores_outstanding.now) return false;
    g_string_append_printf(what, "%u misses and %" G_GUINT64_FORMAT " stores outstanding",
                           self->table.used, self->stores_outstanding.now);
    unit_waits_for(unit, port_sender(&self->from_reply_network));
    return true;
}

const UnitClass l1_class = {.name = "l1",
                            .summary = "first-level data cache of an SM",
                            .size = sizeof(L1),
                            .params = params,
                            .stats = stats,
                            .ports = ports,
                            .shared = shared,
                            .setup = setup,
                            .step = step,
                            .teardown = teardown,
                            .boundary = boundary,
                            .unfinished = unfinished};
