/* The first-level data cache: sectored, set-associative, write-through without allocation, with
 * a pending request table.
 *
 *   load/store ──from_load_store──> [tag look-up] ── hit ──> data array ──to_sm──> registers
 *                                       │ miss
 *                                  [PRT: merge] ─> [L1 TLB] ──to_request_network──> L2
 *                                          ──to_mmu──> L2 TLB, walkers ──from_mmu──>
 *   L2 ──from_reply_network──> fill ──> waiting loads, certain to hit ──to_sm──> registers
 *
 * One line is looked up a cycle. An access is refused when every way of its set is being filled,
 * when the PRT or its merge room is full, or when the network takes no more; it waits at the
 * head and is tried again when something has changed.
 *
 * Not modelled: tag and data banks, the replay buffer, shared memory in the same array, local
 * memory's write-back policy. Sources: 128 B lines of four 32 B sectors, 4 sets
 * (Jia et al. 2018, Table 3.1); hit latency calibrated to 30 cycles load to use (gpu-benches
 * gpu-latency on V100). */
#include "kit/unit.h"
#include "parts/address_map.h"
#include "parts/coalescer.h"
#include "parts/frames.h"
#include "parts/pending_request_table.h"
#include "parts/tag_array.h"
#include "parts/translation_queue.h"

typedef struct {
    Unit unit;
    Port from_load_store, from_reply_network, from_mmu;
    Channel to_request_network, to_sm, to_mmu, to_monitor;
    const LineShape *line;
    const AddressMap *address_map;
    const Frames *pages;

    uint64_t capacity, sets, hit_latency, miss_latency, store_latency, lookup_interval, prt_entries,
        prt_merges;
    uint64_t tlb_entries, tlb_ways, tlb_entry_bytes, tlb_hit_latency, tlb_pending;
    bool enabled;

    uint64_t accesses, hits, misses, merged, writes, atomics, line_transactions, fills,
        invalidations;
    uint64_t refused_set, refused_prt, refused_merge, refused_network;
    uint64_t tlb_hits, tlb_misses, tlb_merged, refused_tlb, refused_mmu;
    uint64_t bytes_requested, bytes_from_network, bytes_to_network, requests, replies;
    Level queue, prt, stores_outstanding, translating;
    Histogram miss_latency_seen;
    StageSums stages_load_l1_hit, stages_load_merged, stages_load_l2_hit, stages_load_dram,
        stages_store, stages_atomic;

    TagArray tags;
    PendingRequestTable table;
    TranslationQueue translations;
    Time *read_at; /* at its slice, each sector of each line; NULL: nobody wants to know */
    Time free_at;  /* the tag stage takes the next line */
    Time returned; /* the last value on its way to the registers; none overtakes it */
    bool refused;  /* the head waits for a fill */
    uint32_t seen; /* accesses in the port whose arrival has been noted */
} L1;

static const Param params[] = {
    PARAM_NUMBER(L1, capacity, PARAM_BYTES, "128 KiB", 1024, 16777216, "bytes of data"),
    PARAM_NUMBER(L1, sets, PARAM_COUNT, "4", 1, 4096, "sets; the ways follow from the capacity"),
    PARAM_NUMBER(L1, hit_latency, PARAM_CYCLES, "16 cycles", 1, 1000,
                 "tag look-up and data array of a hit"),
    PARAM_NUMBER(L1, miss_latency, PARAM_CYCLES, "4 cycles", 1, 1000,
                 "tag look-up until the miss leaves for the network"),
    PARAM_NUMBER(L1, store_latency, PARAM_CYCLES, "20 cycles", 1, 1000,
                 "look-up of a store's last line until the warp's registers are free"),
    PARAM_NUMBER(L1, lookup_interval, PARAM_CYCLES, "1 cycle", 1, 64,
                 "cycles from one line's look-up to the next"),
    PARAM_NUMBER(L1, prt_entries, PARAM_COUNT, "256", 1, 65536, "outstanding misses"),
    PARAM_NUMBER(L1, prt_merges, PARAM_COUNT, "8", 0, 65536,
                 "further requests that may wait for one miss"),
    PARAM_NUMBER(L1, tlb_entries, PARAM_COUNT, "16", 0, 65536, "entries of the L1 TLB"),
    PARAM_NUMBER(L1, tlb_ways, PARAM_COUNT, "0", 0, 65536,
                 "ways of the L1 TLB; 0: fully associative"),
    PARAM_NUMBER(L1, tlb_entry_bytes, PARAM_BYTES, "2 MiB", 4096, 0x1p48,
                 "what an entry of the L1 TLB covers"),
    PARAM_NUMBER(L1, tlb_hit_latency, PARAM_CYCLES, "0 cycles", 0, 1000,
                 "look-up in the L1 TLB, of misses, stores and atomics"),
    PARAM_NUMBER(L1, tlb_pending, PARAM_COUNT, "128", 1, 65536,
                 "line transactions that may wait for translations"),
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
    STAT_NUMBER(L1, refused_network, STAT_COUNT, NULL,
                "refused: the request network's port is full"),
    STAT_NUMBER(L1, tlb_hits, STAT_COUNT, NULL,
                "line transactions to L2 that the L1 TLB translated"),
    STAT_NUMBER(L1, tlb_misses, STAT_COUNT, NULL, "translations asked for"),
    STAT_NUMBER(L1, tlb_merged, STAT_COUNT, NULL,
                "line transactions that joined a translation asked for"),
    STAT_NUMBER(L1, refused_tlb, STAT_COUNT, NULL, "refused: no more may wait for translations"),
    STAT_NUMBER(L1, refused_mmu, STAT_COUNT, NULL, "refused: the MMU's port is full"),
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
    STAT_OCCUPANCY(L1, translating, NULL, "line transactions waiting for a translation"),
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
                                PORT_INPUT(L1, from_mmu, "translations"),
                                PORT_OUTPUT(L1, to_request_network, "misses and stores"),
                                PORT_OUTPUT(L1, to_sm, "completed instructions"),
                                PORT_OUTPUT(L1, to_mmu, "translations wanted"),
                                PORT_OUTPUT(L1, to_monitor, "hits, for the coherence monitor"),
                                PORT_END};

static const SharedRow shared[] = {SHARED(L1, line), SHARED(L1, address_map), SHARED(L1, pages),
                                   SHARED_END};

static bool setup(Unit *unit, GError **error)
{
    L1 *self = (L1 *)unit;
    const uint64_t lines = self->capacity / self->line->line_bytes;
    if (self->capacity % self->line->line_bytes || lines % self->sets || !lines) {
        g_set_error(error, PARAM_ERROR, 0,
                    "l1.capacity = %" G_GUINT64_FORMAT
                    " B: not a whole number of %" G_GUINT64_FORMAT " sets of %u-byte lines",
                    self->capacity, self->sets, self->line->line_bytes);
        return false;
    }
    tag_array_init(&self->tags, self->sets, lines / self->sets);
    pending_request_table_init(&self->table, (uint32_t)self->prt_entries);
    if (channel_connected(&self->to_monitor)) self->read_at = g_new0(Time, lines * SECTORS_MAX);
    return translation_queue_init(
        &self->translations, (TlbShape){self->tlb_entries, self->tlb_ways, self->tlb_entry_bytes},
        self->tlb_pending, error);
}

static void teardown(Unit *unit)
{
    L1 *self = (L1 *)unit;
    if (!self->tags.lines) return;
    tag_array_finish(&self->tags);
    pending_request_table_finish(&self->table);
    translation_queue_finish(&self->translations);
    g_free(self->read_at);
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

static void account(L1 *self, const Transaction *transaction, Time end)
{
    if (!transaction_account(transaction, end, sums_of(self, transaction)))
        unit_fail(&self->unit, "a transaction's stages go back in time");
    self->bytes_requested += transaction->requested_bytes;
    if (transaction->served_by != SERVED_PRT) self->line_transactions++;
}

/* The line's part of the instruction is done; the last one lets the instruction go back to the SM.
 */
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

/* --- for the coherence monitor ---------------------------------------------------------------- */

static void note_fill(L1 *self, const PendingRequest *entry, const Transaction *reply)
{
    if (!self->read_at || entry->place == TAG_NONE) return;
    const Time at = transaction_read_at(reply);
    for (unsigned sector = 0; sector < SECTORS_MAX; sector++)
        if (entry->sectors >> sector & 1)
            self->read_at[(uint64_t)entry->place * SECTORS_MAX + sector] = at;
}

/* A load that hit the line at `place` of the tag array; its line is virtual. */
static void report_hit(L1 *self, const Transaction *transaction, uint32_t place)
{
    if (!self->read_at) return;
    unit_report_hit(&self->unit, &self->to_monitor, transaction,
                    frames_physical(self->pages, transaction->line),
                    &self->read_at[(uint64_t)place * SECTORS_MAX]);
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
    note_fill(self, entry, reply);
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

/* --- translation ------------------------------------------------------------------------------ */

static void send_to_l2(L1 *self, Transaction *transaction, Time when)
{
    const AddressPlace place =
        address_map_place(self->address_map, frames_physical(self->pages, transaction->line));
    transaction->slice = (uint16_t)place.slice;
    transaction->local = place.local;
    transaction_enter(transaction, STAGE_REQUEST_WIRE, when);
    channel_send(&self->to_request_network, &transaction->message, when);
}

/* The transaction can leave L1: into the network when its page is known, else to those who wait
 * for their translation. */
static bool way_is_clear(L1 *self, Transaction *transaction, Time now)
{
    if (!channel_connected(&self->to_mmu)) return network_ready(self, transaction, now);
    switch (translation_queue_state(&self->translations, transaction->line)) {
    case TRANSLATION_KNOWN: return network_ready(self, transaction, now);
    case TRANSLATION_PENDING: return true;
    case TRANSLATION_FULL: return refuse(self, transaction, &self->refused_tlb, now);
    case TRANSLATION_UNKNOWN: break;
    }
    if (channel_ready(&self->to_mmu, now)) return true;
    channel_await(&self->to_mmu, now);
    self->refused_mmu++;
    transaction_enter(transaction, STAGE_REPLAY, now);
    return false;
}

static void ask_mmu(L1 *self, uint64_t address, Time when)
{
    Translation *request = unit_new_translation(&self->unit);
    request->address = translation_queue_page(&self->translations, address);
    request->source = self->unit.number;
    request->requested = when;
    channel_send(&self->to_mmu, &request->message, when);
}

static void await_translation(L1 *self, Transaction *transaction, Time now, Time when)
{
    const bool asked =
        translation_queue_state(&self->translations, transaction->line) == TRANSLATION_PENDING;
    translation_queue_wait(&self->translations, transaction->line, transaction);
    transaction->entered = when; /* it leaves no sooner, however soon the translation comes */
    level_enter(&self->translating, now);
    if (asked) {
        self->tlb_merged++;
        return;
    }
    self->tlb_misses++;
    ask_mmu(self, transaction->line, when);
}

/* After way_is_clear: on the way to L2, at once or when the translation has come. */
static void leave(L1 *self, Transaction *transaction, Time now)
{
    Time when = now + clock_cycles(self->unit.clock, self->miss_latency);
    transaction_enter(transaction, STAGE_L1_TAG, now);
    self->requests++;
    if (channel_connected(&self->to_mmu)) {
        transaction_enter(transaction, STAGE_TRANSLATE, when);
        when += clock_cycles(self->unit.clock, self->tlb_hit_latency);
        if (!tlb_look_up(&self->translations.tlb, transaction->line)) {
            await_translation(self, transaction, now, when);
            return;
        }
        self->tlb_hits++;
    }
    send_to_l2(self, transaction, when);
}

static void take_translations(L1 *self, Time now)
{
    const Time look_ups =
        clock_cycles(self->unit.clock, self->miss_latency + self->tlb_hit_latency);
    Message *message;
    while ((message = port_take(&self->from_mmu, now))) {
        if (!translation_queue_arrive(&self->translations, ((Translation *)message)->address))
            unit_fail(&self->unit, "a translation that nobody asked for");
        unit_free_message(&self->unit, message);
    }
    Transaction *ready;
    while ((ready = translation_queue_ready(&self->translations))) {
        if (!channel_ready(&self->to_request_network, now)) {
            transaction_enter(ready, STAGE_REQUEST_QUEUE, MAX(now, ready->entered));
            channel_await(&self->to_request_network, now);
            return;
        }
        translation_queue_leave(&self->translations);
        level_leave(&self->translating, now, ready->entered - look_ups);
        send_to_l2(self, ready, MAX(now, ready->entered));
        self->refused = false;
    }
}

/* --- loads, stores, atomics ------------------------------------------------------------------- */

static void hit(L1 *self, Transaction *transaction, uint32_t index, Time now)
{
    tag_array_touch(&self->tags, index);
    self->hits++;
    report_hit(self, transaction, index);
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

/* A place for the line: where it is already, or the least recently used way. TAG_NONE: none can
 * be had. */
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
    if (!way_is_clear(self, transaction, now)) return false;
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
    leave(self, transaction, now);
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

/* Tells the SM when the store's data will have been read: its warp may end then. The notice
 * takes no part in the order of values on their way to the registers. */
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

/* Stores go through without allocating; a present line is written as well, which costs nothing
 * more here. */
static bool pass_on(L1 *self, Transaction *transaction, Time now)
{
    if (!way_is_clear(self, transaction, now)) return false;
    WarpAccess *access = transaction->access;
    if (transaction->type == TRANSACTION_WRITE) {
        self->writes++;
        if (++access->lines_sent == access->lines) release(self, access, now);
    } else {
        self->atomics++;
    }
    self->bytes_to_network +=
        (uint64_t)__builtin_popcount(transaction->sectors) * self->line->sector_bytes;
    leave(self, transaction, now);
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
    take_translations(self, now);
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
    if (self->translations.page_count) {
        g_string_append_printf(what, ", %u of them waiting for a translation",
                               self->translations.used);
        unit_waits_for(unit, port_sender(&self->from_mmu));
    }
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
