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
 * who wait for it: its line cannot be evicted before. With `miss_replay` they have waited in the
 * instruction buffer, and the arbiter takes them again.
 *
 * The texture unit has two sides to it. Where L1 is its cache, the lines of its reads come to the
 * arbiter as loads do (from_texture, to_texture). Requests of its own cache pass by, to L2 and back
 * (from_texture_misses, to_texture_fills).
 *
 * l1/private.h has the struct, l1/tables.c parameters and statistics, l1/arbiter.c the arbiter and
 * shared memory, l1/passes.c wavefronts and passes, l1/load.c loads, l1/fill.c what L2 sends,
 * l1/registers.c the registers' ports, l1/store.c the write side, l1/keep.c what it keeps of global
 * stores, l1/texture.c the texture unit's two sides, l1/translate.c the way to L2.
 *
 * Sources: units/l1/passes.c's rule in bank_arbiter.h; the structure is the unified L1 of Fermi and
 * Kepler (Aamodt, Fung, Rogers 2018, 4.1); values in the presets. */
#include "kit/gpu/line_request.h"
#include "parts/bits.h"
#include "parts/sparse.h"
#include "units/l1/private.h"

static const PortRow ports[] = {
    PORT_INPUT(L1, from_reply_network, "fills and acknowledgements"),
    PORT_INPUT(L1, from_load_store, "accesses with their lines"),
    PORT_INPUT(L1, from_texture, "lines that the texture unit reads, where L1 is its cache"),
    PORT_INPUT(L1, from_texture_misses, "requests of the texture unit's own cache, for L2"),
    PORT_INPUT(L1, from_mmu, "translations"),
    PORT_INPUT(L1, from_sm, "orders to write global lines back"),
    PORT_OUTPUT(L1, to_request_network, "misses and stores"),
    PORT_OUTPUT(L1, to_sm, "completed instructions"),
    PORT_OUTPUT(L1, to_sm_shared, "values from shared memory"),
    PORT_OUTPUT(L1, to_sm_notices, "stores whose operands have been read"),
    PORT_OUTPUT(L1, to_texture, "lines that the texture unit has asked for"),
    PORT_OUTPUT(L1, to_texture_fills, "replies of L2 for the texture unit"),
    PORT_OUTPUT(L1, to_mmu, "translations wanted"),
    PORT_OUTPUT(L1, to_monitor, "hits, for the coherence monitor"),
    PORT_END};

static const SharedRow shared[] = {SHARED_AS(L1, line, "l1_line"), SHARED(L1, fit),
                                   SHARED(L1, address_map), SHARED(L1, pages), SHARED_END};

static bool check_power(GError **error, const char *name, uint64_t value)
{
    if (is_power_of_two(value)) return true;
    g_set_error(error, PARAM_ERROR, 0, "l1.%s = %" G_GUINT64_FORMAT ": not a power of two", name,
                value);
    return false;
}

/* Else no global store would find its line. */
static bool check_global(const L1 *self, GError **error)
{
    if (!l1_keeps_bytes(self) || self->cached == CACHED_ALL) return true;
    const bool back = self->global_write != GLOBAL_THROUGH;
    g_set_error(error, PARAM_ERROR, 0,
                "l1.%s: stores to global memory find their lines only with cached = all",
                back ? "global_write = back" : "global_allocate = yes");
    return false;
}

/* Whole sets where no tags were asked for: of a divided array some bytes may be left over. Else
 * there is a tag for each line at least. */
static TagArrayShape tags_for(const L1 *self, uint64_t capacity)
{
    const uint64_t lines = capacity / self->line->line_bytes;
    return (TagArrayShape){.sets = self->sets,
                           .ways = l1_ways(self, lines),
                           .most = self->ways ? lines : 0,
                           .set_index = (SetIndex)self->set_index,
                           .replacement = (ReplacementPolicy)self->replacement,
                           .candidates = self->candidates,
                           .seed = self->tag_seed};
}

static void finish_tags(L1 *self)
{
    tag_array_finish(&self->tags);
    evicted_tags_finish(&self->evicted);
}

/* False: there is not a line, or not one of each set. */
static bool build_tags(L1 *self, uint64_t capacity)
{
    const TagArrayShape shape = tags_for(self, capacity);
    const uint64_t places = shape.sets * shape.ways;
    if (self->ways ? !shape.most : !places) return false;
    if (self->tags.lines) finish_tags(self);
    tag_array_init(&self->tags, &shape);
    evicted_tags_init(&self->evicted, capacity / self->line->line_bytes);
    g_clear_pointer(&self->bytes, sparse_free);
    if (l1_keeps_bytes(self)) {
        self->words = (self->line->line_bytes + 63) / 64;
        self->bytes = SPARSE_ARRAY(uint64_t, places * self->words);
    }
    g_clear_pointer(&self->read_at, sparse_free);
    if (channel_connected(&self->to_monitor))
        self->read_at = SPARSE_ARRAY(Time, places * SECTORS_MAX);
    return true;
}

static bool reject_capacity(const L1 *self, uint64_t capacity, GError **error)
{
    g_autofree char *sets = g_strdup_printf("%" G_GUINT64_FORMAT " sets of ", self->sets);
    g_set_error(error, PARAM_ERROR, 0,
                "l1.capacity = %" G_GUINT64_FORMAT
                " B: not a whole number of %slines of %u B (machine.line_bytes)",
                capacity, self->ways ? "" : sets, self->line->line_bytes);
    return false;
}

static bool init_translations(L1 *self, GError **error)
{
    const TlbShape shape = {self->tlb_entries, self->tlb_ways, self->tlb_entry_bytes};
    if (translation_queue_init(&self->translations, shape, self->tlb_pending, error)) return true;
    g_prefix_error(error, "%s.", self->unit.class->name);
    return false;
}

static bool setup(Unit *unit, GError **error)
{
    L1 *self = (L1 *)unit;
    self->cache_array = (DataBanks){(uint32_t)self->data_banks, (uint32_t)self->data_bank_bytes};
    self->shared_array =
        (DataBanks){(uint32_t)self->shared_banks, (uint32_t)self->shared_bank_bytes};
    self->oldest_miss = self->youngest_miss = PRT_NONE;
    self->merges_most = self->prt_entries * self->prt_merges;
    self->tag_seed = unit_random(unit);
    self->vain_from = TIME_NEVER;
    if (self->overlap) self->array_backlog = clock_cycles(unit->clock, self->data_backlog);
    self->several = self->data_ports > 1 || self->lookups_per_interval > 1;
    if (self->data_ports > 1) self->array_backlog += unit->clock->period - 1;
    self->hit_cycles = self->hit_latency;
    if (self->access_order == ACCESS_SERIAL)
        self->hit_cycles += self->serial_latency + (self->way_select == SELECT_ENCODED);
    self->leaving = SPARSE_ARRAY(BufferedStore, self->write_buffer_entries);
    write_port_init(&self->write_port, (uint32_t)self->register_ports);
    pending_request_table_init(&self->table, (uint32_t)self->prt_entries);
    return check_power(error, "tag_banks", self->tag_banks)
           && check_power(error, "data_bank_bytes", self->data_bank_bytes)
           && check_power(error, "shared_bank_bytes", self->shared_bank_bytes)
           && check_global(self, error)
           && ((self->capacity % (self->line->line_bytes * (self->ways ? 1 : self->sets)) == 0
                && build_tags(self, self->capacity))
               || reject_capacity(self, self->capacity, error))
           && init_translations(self, error);
}

static void teardown(Unit *unit)
{
    L1 *self = (L1 *)unit;
    if (self->tags.lines) finish_tags(self);
    if (self->table.entries) pending_request_table_finish(&self->table);
    translation_queue_finish(&self->translations);
    g_clear_pointer(&self->bytes, sparse_free);
    sparse_free(self->leaving);
    write_port_finish(&self->write_port);
    sparse_free(self->read_at);
}

/* --- accounts --------------------------------------------------------------------------------- */

static StageSums *sums_of(L1 *self, const Transaction *transaction)
{
    if (transaction->type == TRANSACTION_WRITE) return &self->stages_store;
    if (transaction->type == TRANSACTION_ATOMIC) return &self->stages_atomic;
    switch ((ServedBy)transaction->served_by) {
    case SERVED_L1: return &self->stages_load_l1_hit;
    case SERVED_PRT: return &self->stages_load_merged;
    case SERVED_SHARED_L1: return &self->stages_load_shared_l1;
    case SERVED_L2: return &self->stages_load_l2_hit;
    case SERVED_MEMORY_CACHE: return &self->stages_load_memory_cache;
    case SERVED_DRAM: return &self->stages_load_dram;
    }
    g_assert_not_reached();
}

Transaction *l1_new_transaction(L1 *self, WarpAccess *access, const AccessLine *line, Time now)
{
    Transaction *transaction =
        line_request_new(&self->unit.messages, access, line, self->line->line_bytes);
    transaction->source = (uint16_t)self->unit.number;
    transaction->passes = MAX(line->passes, 1);
    l1_enter_first_stages(access, transaction);
    AccessState *state = state_of(access);
    if (state->served_at != TIME_NEVER)
        transaction_enter(transaction, STAGE_COALESCE, state->served_at);
    if (state->refused_at != TIME_NEVER)
        transaction_enter(transaction, STAGE_REPLAY, state->refused_at);
    transaction_enter(transaction, STAGE_L1_TAG, now);
    state->refused_at = TIME_NEVER;
    if (access->instruction.space == SPACE_LOCAL) self->bytes_local += line->bytes;
    return transaction;
}

Transaction *l1_new_request(L1 *self, uint64_t line, TransactionType type, Time now)
{
    Transaction *transaction = unit_new(&self->unit, MESSAGE_TRANSACTION);
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
    unit_complete(&self->unit, transaction, end, sums_of(self, transaction));
    self->bytes_requested += transaction->requested_bytes;
    if (transaction->served_by != SERVED_PRT) self->line_transactions++;
}

void l1_complete(L1 *self, Transaction *transaction, Time ready)
{
    WarpAccess *access = transaction->access;
    if (instruction_samples(&access->instruction)) {
        l1_complete_read(self, transaction, ready);
        return;
    }
    const bool returns = !instruction_has_no_result(&access->instruction);
    if (returns) {
        ready = self->returned = MAX(ready, self->returned);
        transaction_enter(transaction, STAGE_WRITEBACK, ready);
    }
    account(self, transaction, returns ? ready + self->to_sm.delay : ready);
    if (transaction->operands)
        line_request_take_values(&self->unit.messages, access, transaction->operands);
    access->served_by = transaction->served_by;
    const bool last = ++access->done == access->lines;
    if (last && returns) l1_count_lanes(self, &access->instruction);
    if (last && returns)
        access->answer = transaction;
    else
        unit_free_message(&self->unit, &transaction->message);
    if (!last) return;
    unit_foresee(&self->to_sm, &access->message);
    channel_send(&self->to_sm, &access->message, ready);
}

/* --- kernels ---------------------------------------------------------------------------------- */

static void invalidate(L1 *self)
{
    self->dropped_dirty += tag_array_invalidate(&self->tags);
    evicted_tags_forget(&self->evicted);
    self->invalidations++;
}

/* Kernels end when their memory operations have, and those that run side by side start together: a
 * fill finds the tags as its request left them. */
static void check_drained(L1 *self, const char *event)
{
    if (self->table.used || self->stores_outstanding.now || self->in_buffer || self->kept)
        unit_fail(&self->unit, "%s, and not all of their memory operations", event);
}

static Counted boundary(Unit *unit, const Boundary *boundary)
{
    L1 *self = (L1 *)unit;
    const Launch *launch = boundary->launch;
    if (boundary->kind == BOUNDARY_KERNEL_END) {
        if (!--self->kernels) check_drained(self, "all kernels have ended");
        return COUNTED_NOTHING;
    }
    check_drained(self, "a kernel starts, earlier ones have not ended");
    self->kernels++;
    const uint64_t capacity = launch->l1_capacity ? launch->l1_capacity : self->capacity;
    const TagArrayShape shape = tags_for(self, capacity);
    const bool resized = shape.ways != self->tags.ways || shape.most != self->tags.most;
    if (launch->keep_l1 && launch->caches != CACHES_COLD && !resized) return COUNTED_NOTHING;
    invalidate(self);
    GError *error = NULL;
    if (resized && !build_tags(self, capacity)) {
        reject_capacity(self, capacity, &error);
        unit_reject_input(unit, error);
    }
    return COUNTED_AT_REST;
}

static bool unfinished(Unit *unit, GString *what)
{
    L1 *self = (L1 *)unit;
    const uint64_t passed = self->texture_requests - self->texture_replies;
    if (!self->table.used && !self->stores_outstanding.now && !self->in_buffer && !passed)
        return false;
    g_string_append_printf(
        what, "%u misses and %" G_GUINT64_FORMAT " stores outstanding, %u accesses to be replayed",
        self->table.used, self->stores_outstanding.now, self->in_buffer);
    if (passed)
        g_string_append_printf(
            what, ", %" G_GUINT64_FORMAT " requests of the texture unit outstanding", passed);
    if (self->translations.page_count) {
        g_string_append_printf(what, ", %u lines waiting for a translation",
                               self->translations.used);
        unit_waits_for(unit, port_sender(&self->from_mmu));
    }
    if (self->table.used || self->stores_outstanding.now || passed)
        unit_waits_for(unit, port_sender(&self->from_reply_network));
    return true;
}

static void foresee_reply(const L1 *self, const Transaction *reply, Foresee round)
{
    if (reply->type != TRANSACTION_READ || reply->for_texture) return;
    const PendingRequest *entry = &self->table.entries[reply->message.entry];
    if (round == FORESEE_BEHIND) {
        if (entry->place != TAG_NONE) fetch_ahead(&self->tags.lines[entry->place]);
        return;
    }
    fetch_ahead(entry);
    pending_request_table_foresee_look_up(&self->table, reply->virtual_line);
    if (reply->access) message_foresee(&reply->access->message);
}

static void foresee(const Unit *unit, const Message *message, uint32_t port, Foresee round)
{
    const L1 *self = (const L1 *)unit;
    if (unit->ports[port] == &self->from_reply_network)
        foresee_reply(self, (const Transaction *)message, round);
}

const UnitClass l1_class = {
    .name = "l1",
    .summary = "first level of an SM's memory: L1 and shared memory",
    .per = PER_SM,
    .clock = CLOCK_CORE,
    .place = PLACE_CORE,
    .path = "sm[%u].l1",
    .size = sizeof(L1),
    .params = l1_params,
    .stats = l1_stats,
    .ports = ports,
    .resources = l1_resources,
    .storage = l1_storage,
    .shared = shared,
    .facts = (const FactRow[]){{"L1 of an SM", "capacity", FACT_BYTES_OF_ONE}, FACT_END},
    .divided = &(const DividedCache){"capacity", "sets", "ways"},
    .setup = setup,
    .foresee = foresee,
    .step = l1_step,
    .teardown = teardown,
    .boundary = boundary,
    .unfinished = unfinished};
