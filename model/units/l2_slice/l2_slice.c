/* An L2 slice: sectored, set-associative, write-back, non-blocking; requests are handled in order.
 *
 *   from_network ──> [look-up, one a cycle] ── hit ──> read port ─[reply queue]─to_reply_network──>
 *                     │ miss         │ dirty victim         ^
 *          [pending requests]        │                      └── fill, write port ──from_dram── DRAM
 *              [load queue]    [store queue]
 *                     └──────────────┴──to_scheduler──> memory access scheduler
 *
 * A miss fetches aligned groups of sectors. Stores of whole sectors need no fetch. Atomics go to
 * the slice's ROP and come back as results (l2_slice/rop.c).
 * Not modelled: banks; compression is the ROP's.
 * Sources: Aamodt, Fung, Rogers 2018, 4.3; Jia et al. 2018; latencies calibrated in the presets. */
#include "units/l2_slice/private.h"

static const PortRow ports[] = {
    PORT_INPUT(L2Slice, from_dram, "fills, and write-backs that are done"),
    PORT_INPUTS(L2Slice, from_far_replies,
                "from other halves: what was asked of them, and invalidations of copies"),
    PORT_INPUT(L2Slice, from_network, "requests"),
    PORT_INPUTS(L2Slice, from_far_requests, "requests of other halves for lines at home here"),
    PORT_INPUT(L2Slice, from_rop, "results of atomics, the ROP's fetches and write-backs"),
    PORT_INPUT(L2Slice, from_mmu, "reads of the page table"),
    PORT_INPUT(L2Slice, from_pager, "pages that come and go"),
    PORT_OUTPUT(L2Slice, to_reply_network, "data and acknowledgements"),
    PORT_OUTPUT(L2Slice, to_scheduler, "fetches and write-backs"),
    PORT_OUTPUTS(L2Slice, to_far_requests, "requests for lines at home in other halves"),
    PORT_OUTPUTS(L2Slice, to_far_replies,
                 "data for other halves, and invalidations of their copies"),
    PORT_OUTPUT(L2Slice, to_monitor, "writes, for the coherence monitor"),
    PORT_OUTPUT(L2Slice, to_rop, "atomics, and lines that are wanted back"),
    PORT_OUTPUT(L2Slice, to_rop_data, "sectors that the ROP fetches"),
    PORT_OUTPUT(L2Slice, to_mmu, "levels of the page table"),
    PORT_OUTPUT(L2Slice, to_pager, "pages that are wanted, and what became of others"),
    PORT_END};

static const SharedRow shared[] = {SHARED(L2Slice, line),
                                   SHARED(L2Slice, address_map),
                                   SHARED(L2Slice, halves),
                                   SHARED(L2Slice, dram),
                                   {"paging", offsetof(L2Slice, pages.shape)},
                                   SHARED_END};

/* A line that is wholly dirty has to fit into the store data queue. */
static bool size_store_data(L2Slice *self, GError **error)
{
    const uint64_t sectors = self->line->line_bytes / self->line->sector_bytes;
    self->store_data_most =
        self->store_data_sectors ? self->store_data_sectors : self->store_queue_entries * sectors;
    if (self->store_data_most >= sectors) return true;
    g_set_error(error, PARAM_ERROR, 0,
                "l2_slice.store_data_sectors = %" G_GUINT64_FORMAT
                ": fewer than the %" G_GUINT64_FORMAT
                " sectors of a line (machine.l2_line_bytes or machine.line_bytes, "
                "machine.l2_sector_bytes or machine.sector_bytes)",
                self->store_data_sectors, sectors);
    return false;
}

/* Of a row that slices share, its part; of one each of its channels has, that of all. */
static uint64_t row_lines_of(const L2Slice *self)
{
    const AddressMap *map = self->address_map;
    uint64_t lines =
        self->dram->interleaved_groups * self->dram->row_bytes / self->line->line_bytes;
    if (address_map_channels_apart(map)) lines = lines * map->channels_here / map->slices_here;
    return MAX(lines, 1);
}

static bool setup(Unit *unit, GError **error)
{
    L2Slice *self = (L2Slice *)unit;
    if (!l2_slice_check(self, error) || !size_store_data(self, error)) return false;
    self->twins = self->address_map->halves > 1;
    self->queues = self->completion == COMPLETION_IN_ORDER || self->load_queue_entries
                   || self->written_data != WRITTEN_SCHEDULER || self->clean_ahead == CLEAN_ROW;
    l2_slice_set_up_far(self);
    self->row_lines = row_lines_of(self);
    self->rows = g_new0(uint64_t, self->clean_rows);
    self->ports.count = (ArrayPortCount)self->array_ports;
    self->line_shift = bits_for(self->line->line_bytes);
    l2_slice_set_up_ports(self);
    const uint64_t line_cycles =
        (self->line->line_bytes + self->data_bandwidth - 1) / self->data_bandwidth;
    const uint64_t written_cycles = self->write_buffer * line_cycles / self->data_ports;
    self->write_reach = clock_cycles(unit->clock, self->hit_latency + written_cycles);
    if (self->completion == COMPLETION_IN_ORDER)
        reorder_buffer_init(&self->order, (uint32_t)self->reply_entries);
    if (self->written_data == WRITTEN_STORE_QUEUE)
        store_queue_init(&self->stores, (uint32_t)self->store_queue_entries,
                         (uint32_t)self->store_data_most);
    const SliceCacheShape shape = {.capacity = self->capacity,
                                   .ways = self->ways,
                                   .fill_bytes = self->fill_bytes,
                                   .replacement = (ReplacementPolicy)self->replacement,
                                   .candidates = self->candidates,
                                   .seed = unit_random(unit),
                                   .pending_entries = self->pending_entries,
                                   .byte_masks = self->partial_write == PARTIAL_MASK,
                                   .line = self->line,
                                   .map = self->address_map,
                                   .slice = unit->number};
    word_table_init(&self->at_rop, 6);
    l2_slice_set_up_pages(self);
    if (!slice_cache_init(&self->cache, &shape, error)) {
        g_prefix_error(error, "%s.", unit->class->name);
        return false;
    }
    self->unclean = g_new0(uint64_t, self->cache.tags.sets / WORD_SETS + 1);
    evicted_tags_init(&self->evicted, self->cache.tags.sets * self->cache.tags.ways);
    l2_slice_set_up_resources(self);
    return true;
}

static void teardown(Unit *unit)
{
    L2Slice *self = (L2Slice *)unit;
    slice_cache_finish(&self->cache);
    evicted_tags_finish(&self->evicted);
    g_free(self->rows);
    g_free(self->unclean);
    sparse_free(self->fetches);
    sparse_free(self->written_since);
    reorder_buffer_finish(&self->order);
    store_queue_finish(&self->stores);
    if (self->far.fetches.entries) pending_request_table_finish(&self->far.fetches);
    g_free(self->far.seen_of);
    sparse_free(self->far.recall_began);
    sparse_free(self->far.given_back);
    word_table_finish(&self->at_rop);
    l2_slice_free_pages(self);
}

static inline void see_arrivals(L2Slice *self, const Port *port, uint32_t *seen, Time now)
{
    for (; *seen < port->count; ++*seen) {
        Transaction *transaction = (Transaction *)port_peek_at(port, *seen);
        transaction->entered = now;
        transaction_enter(transaction, STAGE_L2_QUEUE, now);
        level_enter(&self->queue, now);
    }
}

static void see_far_arrivals(L2Slice *self, Time now)
{
    for (uint32_t half = 0; half < self->from_far_requests.count; half++) {
        uint32_t *seen = &self->far.seen_of[half];
        const uint32_t before = *seen;
        see_arrivals(self, &self->from_far_requests.at[half], seen, now);
        self->far.seen += *seen - before;
    }
}

static inline bool serve_near(L2Slice *self, Time now)
{
    if (self->paged) return l2_slice_serve_with_page(self, now);
    Transaction *head = (Transaction *)port_peek(&self->from_network);
    if (!head || self->refused || l2_slice_load_waits(self, head, now)) return false;
    if (!l2_slice_handle(self, head, now)) return false;
    port_take(&self->from_network, now);
    self->seen--;
    l2_slice_foresee_waiting(self);
    return true;
}

/* What is refused here must not hold up the near SMs' requests, nor the other way round. */
static bool serve_far(L2Slice *self, Time now)
{
    if (!self->far.seen || self->far.refused) return false;
    const uint32_t half = l2_slice_first_far(self);
    Port *port = &self->from_far_requests.at[half];
    Transaction *head = (Transaction *)port_peek(port);
    const bool near_refused = self->refused;
    self->refused = false;
    const bool taken = l2_slice_handle(self, head, now);
    self->far.refused = self->refused;
    self->refused = near_refused;
    if (!taken) return false;
    port_take(port, now);
    self->far.seen--;
    self->far.seen_of[half]--;
    self->far.turn = half + 1;
    return true;
}

/* The near SMs and the other halves take turns. */
static bool serve_either(L2Slice *self, Time now)
{
    if (!self->twins) return serve_near(self, now);
    const bool far_first = self->far.goes_first;
    self->far.goes_first = false;
    if (far_first && serve_far(self, now)) return true;
    self->far.goes_first = true;
    if (serve_near(self, now)) return true;
    self->far.goes_first = far_first;
    if (far_first || !serve_far(self, now)) return false;
    self->far.goes_first = false;
    return true;
}

static inline bool near_waits(const L2Slice *self)
{
    return self->seen | self->admitted;
}

static inline bool far_waits(const L2Slice *self)
{
    return self->twins && self->far.seen;
}

static void serve_head(L2Slice *self, Time now)
{
    if (!near_waits(self) && !far_waits(self)) return;
    if (self->free_at > now) {
        if ((near_waits(self) && !self->refused) || (far_waits(self) && !self->far.refused))
            unit_wake_at(&self->unit, self->free_at);
        return;
    }
    while (self->free_at <= now) {
        if (!serve_either(self, now)) return;
        l2_slice_look_up_takes(self, now);
        if (!near_waits(self) && !far_waits(self)) return;
    }
    unit_wake_at(&self->unit, self->free_at);
}

static void step(Unit *unit, Time now)
{
    L2Slice *self = (L2Slice *)unit;
    see_arrivals(self, &self->from_network, &self->seen, now);
    if (self->twins) see_far_arrivals(self, now);
    if (self->from_dram.count) l2_slice_take_from_dram(self, now);
    if (self->twins) l2_slice_take_far_replies(self, now);
    if (self->from_rop.count) l2_slice_take_from_rop(self, now);
    if (self->from_mmu.count) l2_slice_take_from_mmu(self, now);
    if (self->paged) l2_slice_take_from_pager(self, now);
    if (self->queues) l2_slice_serve_urgent(self, now);
    serve_head(self, now);
    if (self->queues) l2_slice_serve_queues(self, now);
}

/* --- between kernels -------------------------------------------------------------------------- */

static uint64_t bits_of_store_queue(const L2Slice *self)
{
    const uint32_t line = self->line->line_bytes;
    const uint64_t address = self->address_bits - (uint64_t)__builtin_ctz(line);
    const uint64_t data = self->stores.data_capacity * 8 * (uint64_t)self->line->sector_bytes;
    return self->stores.capacity * address + data;
}

static Counted boundary(Unit *unit, const Boundary *boundary)
{
    L2Slice *self = (L2Slice *)unit;
    if (boundary->kind != BOUNDARY_KERNEL_START) return COUNTED_NOTHING;
    self->waits_for_room = NULL;
    self->store_queue_bits = bits_of_store_queue(self);
    switch (boundary->launch->caches) {
    case CACHES_DIRTY: break;
    case CACHES_WARM: tag_array_clean(&self->cache.tags); break;
    case CACHES_COLD:
        slice_cache_empty(&self->cache);
        evicted_tags_forget(&self->evicted);
        l2_slice_keep_no_copies(self);
        break;
    }
    l2_slice_accept_copies(self, boundary);
    const bool changed = boundary->launch->copy_count || boundary->launch->caches == CACHES_COLD;
    if (changed) l2_slice_count_lines(self, boundary->at);
    return changed ? COUNTED_ANYTHING : COUNTED_NOTHING;
}

static bool unfinished(Unit *unit, GString *what)
{
    L2Slice *self = (L2Slice *)unit;
    const uint64_t writes = self->write_backs_outstanding.now + self->stores.waiting;
    const uint64_t crossing = self->far.fetches.used + self->far.forwards + self->far.recalls;
    const uint64_t pages = self->absent_pages.now;
    if (!self->cache.table.used && !writes && !crossing && !self->atomics_at_rop && !pages)
        return false;
    g_string_append_printf(what, "%u fetches and %" G_GUINT64_FORMAT " write-backs outstanding",
                           self->cache.table.used, writes);
    if (self->cache.table.used || writes) unit_waits_for(unit, port_sender(&self->from_dram));
    if (crossing) {
        g_string_append_printf(what, ", %" G_GUINT64_FORMAT " requests at other halves", crossing);
        for (uint32_t half = 0; half < self->from_far_replies.count; half++)
            unit_waits_for(unit, port_sender(&self->from_far_replies.at[half]));
    }
    if (self->atomics_at_rop) {
        g_string_append_printf(what, ", %u atomics at the ROP", self->atomics_at_rop);
        unit_waits_for(unit, port_sender(&self->from_rop));
    }
    if (pages) {
        g_string_append_printf(what, ", %" G_GUINT64_FORMAT " pages with the host", pages);
        unit_waits_for(unit, port_sender(&self->from_pager));
    }
    return true;
}

const UnitClass l2_slice_class = {
    .name = "l2_slice",
    .summary = "slice of the second-level cache",
    .per = PER_SLICE,
    .clock = CLOCK_L2,
    .place = PLACE_MEMORY,
    .path = "partition[%u].slice[%u]",
    .size = sizeof(L2Slice),
    .params = l2_slice_params,
    .stats = l2_slice_stats,
    .resources = l2_slice_resources,
    .storage = l2_slice_storage,
    .facts = (const FactRow[]){{"L2", "capacity", FACT_BYTES_OF_ALL}, FACT_END},
    .ports = ports,
    .shared = shared,
    .batches = l2_slice_batches,
    .setup = setup,
    .step = step,
    .foresee = l2_slice_foresee,
    .teardown = teardown,
    .boundary = boundary,
    .unfinished = unfinished};
