/* The first level of an SM's memory: one array of banks that is shared memory and L1 data cache.
 *
 *   load/store ─from_load_store─> [arbiter] ─> tags ─> crossbar ─> data array ─to_sm─> registers
 *                                   ^   │ refused, or passes left: replay      │
 *                                   └───┘ (instruction buffer)                 │ miss, store
 *   fill unit <─from_reply_network─ L2 <─to_request_network─ [PRT] [write data buffer]
 *
 * The arbiter takes accesses in order. Shared memory needs no tags: its passes go to the array, a
 * bank serving one word in each. Of a global or local access the lines whose tag banks differ are
 * looked up together (a wavefront). What cannot be served, for want of a way, a PRT entry, a place
 * in the write data buffer or room in the network, is refused and replayed when something has
 * changed; what has passes left is replayed after its interval. Replays hold a place of the
 * instruction buffer, without which no further access is taken. A fill is certain to serve those
 * who wait for it: its line cannot be evicted before.
 *
 * l1_private.h has the struct, l1_arbiter.c the arbiter and shared memory, l1_passes.c wavefronts
 * and passes, l1_load.c loads and fills, l1_store.c the write side, l1_translate.c the way to L2.
 *
 * Not modelled: port conflicts between fills and reads (banks have a read and a write port), the
 * energy of an access beyond the number of array rows. Sources: units/l1_passes.c's rule in
 * parts/bank_arbiter.h; the structure is the unified L1 of Fermi and Kepler (Aamodt, Fung, Rogers
 * 2018, 4.1); values in the presets. */
#include "parts/bits.h"
#include "units/l1_private.h"

static const char *const cached_modes[] = {"all",       "local_only", "local_and_read_only",
                                           "read_only", "none",       NULL};
static const char *const access_orders[] = {"parallel", "serial", NULL};
static const char *const way_selects[] = {"one_hot", "encoded", NULL};
static const char *const return_orders[] = {"out_of_order", "in_order", NULL};
static const char *const resource_checks[] = {"on_miss", "first", NULL};
static const char *const fetch_units[] = {"sectors", "line", NULL};
static const char *const partial_stores[] = {"masked", "fetch_first", NULL};
static const char *const full_line_stores[] = {"bypass", "allocate", NULL};

static const Param params[] = {
    PARAM_NUMBER(L1, capacity, PARAM_BYTES, "128 KiB", 1024, 16777216,
                 "bytes of data, where shared memory has an array of its own; see [first_level]"),
    PARAM_NUMBER(L1, sets, PARAM_COUNT, "4", 1, 4096, "sets; the ways follow from the capacity"),
    PARAM_ONE_OF(L1, set_index, set_index_names, "modulo", "how a line's set is found"),
    PARAM_ONE_OF(L1, replacement, replacement_names, "lru", "which line of a set goes next"),
    PARAM_NUMBER(L1, candidates, PARAM_COUNT, "5", 1, 64, "lines that sampled_lru draws"),
    PARAM_ONE_OF(L1, cached, cached_modes, "all", "which loads may be cached"),
    PARAM_ONE_OF(L1, fetch, fetch_units, "sectors",
                 "what a cached miss asks L2 for: the sectors wanted, or the whole line"),
    PARAM_NUMBER(L1, hit_latency, PARAM_CYCLES, "16 cycles", 1, 1000,
                 "tag look-up and data array of a hit"),
    PARAM_ONE_OF(L1, access_order, access_orders, "parallel",
                 "tags and data of all ways together, or the data of the way that hit"),
    PARAM_NUMBER(L1, serial_latency, PARAM_CYCLES, "2 cycles", 0, 1000,
                 "what serial access adds to hit_latency"),
    PARAM_ONE_OF(L1, way_select, way_selects, "one_hot",
                 "serial access: the way as a one-hot signal, or as a number to be decoded, which "
                 "takes a cycle"),
    PARAM_NUMBER(L1, shared_latency, PARAM_CYCLES, "9 cycles", 1, 1000,
                 "shared memory: banks and crossbars of a pass"),
    PARAM_NUMBER(L1, miss_latency, PARAM_CYCLES, "4 cycles", 1, 1000,
                 "tag look-up until the miss leaves for the network"),
    PARAM_NUMBER(L1, miss_interval, PARAM_CYCLES, "1 cycle", 1, 64,
                 "cycles from one miss or store that leaves to the next"),
    PARAM_NUMBER(L1, store_latency, PARAM_CYCLES, "20 cycles", 1, 1000,
                 "look-up of a store's last line until the warp's registers are free"),
    PARAM_NUMBER(L1, lookup_interval, PARAM_CYCLES, "1 cycle", 1, 64,
                 "cycles in which lookups_per_interval wavefronts are looked up"),
    PARAM_NUMBER(L1, lookups_per_interval, PARAM_COUNT, "1", 1, 64,
                 "wavefronts looked up in lookup_interval, at most one a cycle"),
    PARAM_NUMBER(L1, tag_banks, PARAM_COUNT, "4", 1, 64,
                 "lines that may be looked up together, a power of two"),
    PARAM_NUMBER(L1, data_banks, PARAM_COUNT, "32", 1, ARBITER_BANKS,
                 "banks of the array that a cache access reads in a pass"),
    PARAM_NUMBER(L1, data_bank_bytes, PARAM_BYTES, "4 B", 1, 16, "width of such a bank"),
    PARAM_SWITCH(L1, overlap, "no",
                 "the tags go on with the next wavefront while the array makes its passes"),
    PARAM_NUMBER(L1, data_backlog, PARAM_CYCLES, "16 cycles", 0, 10000,
                 "with overlap: how far the array may be behind the tags"),
    PARAM_NUMBER(L1, shared_banks, PARAM_COUNT, "32", 1, ARBITER_BANKS, "banks of shared memory"),
    PARAM_NUMBER(L1, shared_bank_bytes, PARAM_BYTES, "4 B", 4, 16,
                 "width of a bank (Kepler has a mode of 8 B)"),
    PARAM_NUMBER(L1, replay_latency, PARAM_CYCLES, "2 cycles", 1, 1000,
                 "shared memory: from the first pass of an access to its second"),
    PARAM_NUMBER(L1, replay_interval, PARAM_CYCLES, "2 cycles", 1, 1000,
                 "shared memory: from then on, from one pass to the next"),
    PARAM_NUMBER(L1, replay_entries, PARAM_COUNT, "8", 0, 65536,
                 "instruction buffer: accesses that are not served wholly; 0: without bound"),
    PARAM_NUMBER(L1, prt_entries, PARAM_COUNT, "256", 1, 65536, "outstanding misses"),
    PARAM_NUMBER(L1, prt_merges, PARAM_COUNT, "8", 0, 65536,
                 "further requests that may wait for one miss"),
    PARAM_ONE_OF(L1, resource_check, resource_checks, "on_miss",
                 "a full pending request table refuses loads that miss, or all loads before their "
                 "look-up"),
    PARAM_ONE_OF(L1, return_order, return_orders, "out_of_order",
                 "misses return as they come back, or in the order of their requests"),
    PARAM_NUMBER(L1, tlb_entries, PARAM_COUNT, "16", 0, 65536, "entries of the L1 TLB"),
    PARAM_NUMBER(L1, tlb_ways, PARAM_COUNT, "0", 0, 65536,
                 "ways of the L1 TLB; 0: fully associative"),
    PARAM_NUMBER(L1, tlb_entry_bytes, PARAM_BYTES, "2 MiB", 4096, 0x1p48,
                 "what an entry of the L1 TLB covers"),
    PARAM_NUMBER(L1, tlb_hit_latency, PARAM_CYCLES, "0 cycles", 0, 1000,
                 "look-up in the L1 TLB, of misses, stores and atomics"),
    PARAM_NUMBER(L1, tlb_pending, PARAM_COUNT, "128", 1, 65536,
                 "line transactions that may wait for translations"),
    PARAM_NUMBER(L1, write_buffer_entries, PARAM_COUNT, "32", 1, 65536,
                 "write data buffer: lines of stores that wait for the network"),
    PARAM_ONE_OF(
        L1, global_partial, partial_stores, "masked",
        "global stores of part of a sector that is absent: written through with a mask, or "
        "after fetching it"),
    PARAM_ONE_OF(L1, local_full_line, full_line_stores, "bypass",
                 "local stores of a whole absent line: straight to L2, or allocated"),
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
                "lines of stores"),
    STAT_NUMBER(L1, write_hits, STAT_COUNT,
                "l1tex__t_requests_pipe_lsu_mem_global_op_st_lookup_hit.sum",
                "of these, to lines that were there"),
    STAT_NUMBER(L1, local_writes, STAT_COUNT, "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum",
                "of these, to local memory"),
    STAT_NUMBER(L1, store_fetches, STAT_COUNT, NULL,
                "fetches from L2 because a store writes part of a sector"),
    STAT_NUMBER(L1, write_backs, STAT_COUNT, NULL, "dirty lines evicted to L2"),
    STAT_NUMBER(L1, dropped_dirty, STAT_COUNT, NULL,
                "dirty lines of ended kernels' local memory that were invalidated"),
    STAT_NUMBER(L1, atomics, STAT_COUNT, "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
                "lines of atomics passed on to L2"),
    STAT_NUMBER(L1, line_transactions, STAT_COUNT, NULL,
                "line transactions completed here, merged ones not counted"),
    STAT_NUMBER(L1, fills, STAT_COUNT, NULL, "fills from L2"),
    STAT_NUMBER(L1, invalidations, STAT_COUNT, NULL, "times the whole cache was invalidated"),
    STAT_NUMBER(L1, wavefronts, STAT_COUNT,
                "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ld.sum",
                "tag wavefronts of loads"),
    STAT_NUMBER(L1, data_passes, STAT_COUNT, "l1tex__data_pipe_lsu_wavefronts.sum",
                "passes over the data array"),
    STAT_NUMBER(L1, array_reads, STAT_COUNT, NULL,
                "rows of the array read: parallel access reads one of each way"),
    STAT_NUMBER(L1, array_writes, STAT_COUNT, NULL, "rows of the array written"),
    STAT_NUMBER(L1, shared_accesses, STAT_COUNT, "smsp__inst_executed_op_shared.sum",
                "shared-memory accesses"),
    STAT_NUMBER(L1, shared_passes, STAT_COUNT, "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
                "their passes; without bank conflicts one each"),
    STAT_NUMBER(L1, replays, STAT_COUNT, NULL, "accesses taken from the instruction buffer again"),
    STAT_NUMBER(L1, held_in_order, STAT_COUNT, NULL,
                "misses that came back before an earlier one and waited for it"),
    STAT_NUMBER(L1, refused_set, STAT_COUNT, NULL, "refused: every way of the set is being filled"),
    STAT_NUMBER(L1, refused_prt, STAT_COUNT, NULL, "refused: the pending request table is full"),
    STAT_NUMBER(L1, refused_merge, STAT_COUNT, NULL,
                "refused: no more requests may wait for the line"),
    STAT_NUMBER(L1, refused_write_buffer, STAT_COUNT, NULL,
                "refused: the write data buffer is full, or holds the line that is to be loaded"),
    STAT_NUMBER(L1, refused_network, STAT_COUNT, NULL,
                "refused: the request network's port is full"),
    STAT_NUMBER(L1, refused_tlb, STAT_COUNT, NULL, "refused: no more may wait for translations"),
    STAT_NUMBER(L1, refused_mmu, STAT_COUNT, NULL, "refused: the MMU's port is full"),
    STAT_NUMBER(L1, tlb_hits, STAT_COUNT, NULL,
                "line transactions to L2 that the L1 TLB translated"),
    STAT_NUMBER(L1, tlb_misses, STAT_COUNT, NULL, "translations asked for"),
    STAT_NUMBER(L1, tlb_merged, STAT_COUNT, NULL,
                "line transactions that joined a translation asked for"),
    STAT_NUMBER(L1, refused_room, STAT_COUNT, NULL,
                "steps in which the instruction buffer had no room for the next access"),
    STAT_NUMBER(L1, bytes_requested, STAT_BYTES, NULL, "bytes lanes asked for"),
    STAT_NUMBER(L1, bytes_from_network, STAT_BYTES, "l1tex__m_xbar2l1tex_read_bytes.sum",
                "bytes of fills and of atomics' values"),
    STAT_NUMBER(L1, bytes_to_network, STAT_BYTES, "l1tex__m_l1tex2xbar_write_bytes.sum",
                "bytes of stores"),
    STAT_NUMBER(L1, bytes_local, STAT_BYTES, NULL,
                "bytes of local memory (spills, stack) that lanes load and store"),
    STAT_NUMBER(L1, requests, STAT_COUNT, "l1tex__m_l1tex2xbar_req_cycles_active.sum",
                "requests sent to L2"),
    STAT_NUMBER(L1, replies, STAT_COUNT, NULL, "replies received from L2"),
    STAT_OCCUPANCY(L1, queue, NULL, "accesses waiting for the arbiter"),
    STAT_OCCUPANCY(L1, replay_room, NULL, "accesses in the instruction buffer"),
    STAT_OCCUPANCY(L1, prt, NULL, "outstanding misses"),
    STAT_OCCUPANCY(L1, write_buffer, NULL, "lines of stores waiting in the write data buffer"),
    STAT_OCCUPANCY(L1, stores_outstanding, NULL, "stores that L2 has not acknowledged"),
    STAT_OCCUPANCY(L1, translating, NULL, "line transactions waiting for a translation"),
    STAT_DISTRIBUTION(L1, miss_latency_seen, "l1tex__m_xbar2l1tex_read_latency.avg",
                      "from sending a miss to its fill"),
    STAT_BREAKDOWN(L1, stages_load_l1_hit, "loads that hit L1"),
    STAT_BREAKDOWN(L1, stages_load_merged, "loads merged into an outstanding miss"),
    STAT_BREAKDOWN(L1, stages_load_l2_hit, "loads that missed L1 and hit L2"),
    STAT_BREAKDOWN(L1, stages_load_dram, "loads that went to DRAM"),
    STAT_BREAKDOWN(L1, stages_store, "stores, until L2 acknowledges or L1 has them"),
    STAT_BREAKDOWN(L1, stages_atomic, "atomics, until the value is back"),
    STAT_BREAKDOWN(L1, stages_shared, "shared-memory accesses, until the registers are written"),
    STAT_END};

static const PortRow ports[] = {
    PORT_INPUT(L1, from_reply_network, "fills and acknowledgements"),
    PORT_INPUT(L1, from_load_store, "accesses with their lines"),
    PORT_INPUT(L1, from_texture, "lines that the texture unit reads, where L1 is its cache"),
    PORT_INPUT(L1, from_texture_misses, "requests of the texture unit's own cache, for L2"),
    PORT_INPUT(L1, from_mmu, "translations"),
    PORT_OUTPUT(L1, to_request_network, "misses and stores"),
    PORT_OUTPUT(L1, to_sm, "completed instructions"),
    PORT_OUTPUT(L1, to_sm_shared, "values from shared memory"),
    PORT_OUTPUT(L1, to_sm_notices, "stores whose operands have been read"),
    PORT_OUTPUT(L1, to_texture, "lines that the texture unit has asked for"),
    PORT_OUTPUT(L1, to_texture_fills, "replies of L2 for the texture unit"),
    PORT_OUTPUT(L1, to_mmu, "translations wanted"),
    PORT_OUTPUT(L1, to_monitor, "hits, for the coherence monitor"),
    PORT_END};

static const SharedRow shared[] = {SHARED(L1, line), SHARED(L1, address_map), SHARED(L1, pages),
                                   SHARED_END};

static bool check_power(GError **error, const char *name, uint64_t value)
{
    if (is_power_of_two(value)) return true;
    g_set_error(error, PARAM_ERROR, 0, "l1.%s = %" G_GUINT64_FORMAT ": not a power of two", name,
                value);
    return false;
}

/* Whole sets: of a divided array some bytes may be left over. False: not one. */
static bool build_tags(L1 *self, uint64_t capacity)
{
    const uint64_t ways = capacity / self->line->line_bytes / self->sets;
    if (!ways) return false;
    const TagArrayShape shape = {self->sets,
                                 ways,
                                 (SetIndex)self->set_index,
                                 (ReplacementPolicy)self->replacement,
                                 self->candidates,
                                 self->tag_seed};
    if (self->tags.lines) tag_array_finish(&self->tags);
    tag_array_init(&self->tags, &shape);
    g_clear_pointer(&self->read_at, g_free);
    if (channel_connected(&self->to_monitor))
        self->read_at = g_new0(Time, self->sets * ways * SECTORS_MAX);
    return true;
}

static bool reject_capacity(const L1 *self, uint64_t capacity, GError **error)
{
    g_set_error(error, PARAM_ERROR, 0,
                "l1.capacity = %" G_GUINT64_FORMAT " B: not a whole number of %" G_GUINT64_FORMAT
                " sets of %u-byte lines",
                capacity, self->sets, self->line->line_bytes);
    return false;
}

static bool setup(Unit *unit, GError **error)
{
    L1 *self = (L1 *)unit;
    self->cache_array = (DataBanks){(uint32_t)self->data_banks, (uint32_t)self->data_bank_bytes};
    self->shared_array =
        (DataBanks){(uint32_t)self->shared_banks, (uint32_t)self->shared_bank_bytes};
    self->oldest_miss = self->youngest_miss = PRT_NONE;
    self->tag_seed = unit_random(unit);
    if (self->access_order == ACCESS_SERIAL)
        self->hit_latency += self->serial_latency + (self->way_select == SELECT_ENCODED);
    pending_request_table_init(&self->table, (uint32_t)self->prt_entries);
    return check_power(error, "tag_banks", self->tag_banks)
           && check_power(error, "data_bank_bytes", self->data_bank_bytes)
           && check_power(error, "shared_bank_bytes", self->shared_bank_bytes)
           && ((self->capacity % (self->sets * self->line->line_bytes) == 0
                && build_tags(self, self->capacity))
               || reject_capacity(self, self->capacity, error))
           && translation_queue_init(
               &self->translations,
               (TlbShape){self->tlb_entries, self->tlb_ways, self->tlb_entry_bytes},
               self->tlb_pending, error);
}

static void teardown(Unit *unit)
{
    L1 *self = (L1 *)unit;
    if (self->tags.lines) tag_array_finish(&self->tags);
    if (self->table.entries) pending_request_table_finish(&self->table);
    translation_queue_finish(&self->translations);
    g_free(self->read_at);
}

/* --- accounts --------------------------------------------------------------------------------- */

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

void l1_enter_first_stages(const WarpAccess *access, Transaction *transaction)
{
    transaction_enter(transaction, STAGE_ISSUE, access->issued);
    transaction_enter(transaction, STAGE_L1_QUEUE, access->reached);
    transaction_enter(transaction, STAGE_COALESCE, access->began);
    transaction_enter(transaction, STAGE_L1_QUEUE, access->arrived);
}

Transaction *l1_new_transaction(L1 *self, WarpAccess *access, const AccessLine *line, Time now)
{
    Transaction *transaction = unit_new_transaction(&self->unit);
    const Instruction *instruction = &access->instruction;
    transaction->virtual_line = transaction->line = line->line;
    transaction->sectors = line->sectors;
    transaction->partial = line->partial;
    transaction->requested_bytes = line->bytes;
    transaction->passes = line->passes;
    transaction->type = instruction->operation == OPERATION_STORE    ? TRANSACTION_WRITE
                        : instruction->operation == OPERATION_ATOMIC ? TRANSACTION_ATOMIC
                                                                     : TRANSACTION_READ;
    transaction->served_by = SERVED_L1;
    transaction->space = instruction->space;
    transaction->hint = instruction->hint;
    transaction->access = access;
    transaction->source = (uint16_t)self->unit.number;
    if (transaction->type == TRANSACTION_WRITE && line->partial)
        transaction_note_written(transaction, self->line->line_bytes);
    if (transaction->type == TRANSACTION_ATOMIC) {
        transaction->operands = unit_new_operands(&self->unit);
        atomic_operands_fill(transaction->operands, access, line->line, self->line->line_bytes);
    }
    l1_enter_first_stages(access, transaction);
    if (access->served_at != TIME_NEVER)
        transaction_enter(transaction, STAGE_COALESCE, access->served_at);
    if (access->refused_at != TIME_NEVER)
        transaction_enter(transaction, STAGE_REPLAY, access->refused_at);
    transaction_enter(transaction, STAGE_L1_TAG, now);
    access->refused_at = TIME_NEVER;
    if (instruction->space == SPACE_LOCAL) self->bytes_local += line->bytes;
    return transaction;
}

Transaction *l1_new_request(L1 *self, uint64_t line, TransactionType type, Time now)
{
    Transaction *transaction = unit_new_transaction(&self->unit);
    transaction->virtual_line = transaction->line = line;
    transaction->partial = 0;
    transaction->requested_bytes = 0;
    transaction->type = (uint8_t)type;
    transaction->served_by = SERVED_L1;
    transaction->space = SPACE_LOCAL;
    transaction->hint = CACHE_ALL;
    transaction->source = (uint16_t)self->unit.number;
    transaction_enter(transaction, STAGE_L1_TAG, now);
    return transaction;
}

static void account(L1 *self, const Transaction *transaction, Time end)
{
    if (!transaction_account(transaction, end, sums_of(self, transaction)))
        unit_fail(&self->unit, "a transaction's stages go back in time");
    unit_record(&self->unit, transaction, end);
    self->bytes_requested += transaction->requested_bytes;
    if (transaction->served_by != SERVED_PRT) self->line_transactions++;
}

static void take_values(L1 *self, WarpAccess *access, AtomicOperands *operands)
{
    for (uint64_t rest = operands->lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        access->value[lane] = operands->value[lane];
    }
    unit_free_message(&self->unit, &operands->message);
}

void l1_complete(L1 *self, Transaction *transaction, Time ready)
{
    WarpAccess *access = transaction->access;
    if (!access) { /* a fetch or a write-back of L1's own */
        unit_free_message(&self->unit, &transaction->message);
        return;
    }
    const bool returns = !instruction_has_no_result(&access->instruction);
    if (returns) {
        ready = self->returned = MAX(ready, self->returned);
        transaction_enter(transaction, STAGE_WRITEBACK, ready);
    }
    account(self, transaction, returns ? ready + self->to_sm.delay : ready);
    if (transaction->operands) take_values(self, access, transaction->operands);
    unit_free_message(&self->unit, &transaction->message);
    if (++access->done == access->lines) channel_send(&self->to_sm, &access->message, ready);
}

/* --- kernels ---------------------------------------------------------------------------------- */

static void invalidate(L1 *self)
{
    for (uint64_t i = 0; i < self->tags.sets * self->tags.ways; i++)
        self->dropped_dirty += self->tags.lines[i].dirty != 0;
    tag_array_invalidate(&self->tags);
    /* what the ended kernel's stores still wait for fills nothing */
    for (uint32_t i = 0; i < self->table.capacity; i++) self->table.entries[i].place = TAG_NONE;
    self->invalidations++;
}

static void boundary(Unit *unit, const Boundary *boundary)
{
    L1 *self = (L1 *)unit;
    const Launch *launch = boundary->launch;
    if (boundary->kind != BOUNDARY_KERNEL_START) return;
    const uint64_t capacity = launch->l1_capacity ? launch->l1_capacity : self->capacity;
    const uint64_t ways = capacity / self->line->line_bytes / self->sets;
    const bool resized = ways != self->tags.ways;
    if (launch->keep_l1 && launch->caches != CACHES_COLD && !resized) return;
    invalidate(self);
    if (!resized) return;
    GError *error = NULL;
    if (build_tags(self, capacity)) return;
    reject_capacity(self, capacity, &error);
    unit_reject_input(unit, error);
}

static bool unfinished(Unit *unit, GString *what)
{
    L1 *self = (L1 *)unit;
    if (!self->table.used && !self->stores_outstanding.now && !self->in_buffer) return false;
    g_string_append_printf(
        what, "%u misses and %" G_GUINT64_FORMAT " stores outstanding, %u accesses to be replayed",
        self->table.used, self->stores_outstanding.now, self->in_buffer);
    if (self->translations.page_count) {
        g_string_append_printf(what, ", %u lines waiting for a translation",
                               self->translations.used);
        unit_waits_for(unit, port_sender(&self->from_mmu));
    }
    if (self->table.used || self->stores_outstanding.now)
        unit_waits_for(unit, port_sender(&self->from_reply_network));
    return true;
}

const UnitClass l1_class = {.name = "l1",
                            .summary = "first level of an SM's memory: L1 and shared memory",
                            .size = sizeof(L1),
                            .params = params,
                            .stats = stats,
                            .ports = ports,
                            .shared = shared,
                            .setup = setup,
                            .step = l1_step,
                            .teardown = teardown,
                            .boundary = boundary,
                            .unfinished = unfinished};
