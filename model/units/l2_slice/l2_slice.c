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

static const char *const completions[] = {"out_of_order", "in_order", "blocking", NULL};
static const char *const partial_writes[] = {"fetch", "mask", "bypass", NULL};
static const char *const written_data[] = {"scheduler", "line", "store_queue", NULL};

static const Param params[] = {
    PARAM_NUMBER(L2Slice, capacity, PARAM_BYTES, "96 KiB", 1024, 268435456,
                 "bytes of data of one slice", .perfect = PERFECT(IN("l2_capacity", ">= 4 MiB")),
                 .doubling = TWICE),
    PARAM_NUMBER(L2Slice, ways, PARAM_COUNT, "16", 1, 1024,
                 "ways; the sets follow from the capacity"),
    PARAM_ONE_OF(L2Slice, replacement, replacement_names, "lru", "which line of a set goes next"),
    PARAM_NUMBER(L2Slice, candidates, PARAM_COUNT, "5", 1, 64, "lines sampled_lru draws"),
    PARAM_NUMBER(L2Slice, hit_latency, PARAM_CYCLES, "31 cycles", 1, 10000,
                 "tag look-up and data array of a hit",
                 .perfect = PERFECT(IN("l2_latency", "1 cycle")), .doubling = HALF),
    PARAM_NUMBER(L2Slice, miss_latency, PARAM_CYCLES, "10 cycles", 1, 10000,
                 "tag look-up until a miss leaves", .perfect = PERFECT(IN("l2_latency", "1 cycle")),
                 .doubling = HALF),
    PARAM_NUMBER(L2Slice, fill_latency, PARAM_CYCLES, "10 cycles", 1, 10000,
                 "from the fill until its data may leave",
                 .perfect = PERFECT(IN("l2_latency", "1 cycle")), .doubling = HALF),
    PARAM_NUMBER(L2Slice, lookup_interval, PARAM_CYCLES, "1 cycle", 1, 64,
                 "cycles from one look-up to the next",
                 .perfect = PERFECT(IN("l2_bandwidth", "1 cycle")), .doubling = HALF),
    PARAM_NUMBER(L2Slice, data_bandwidth, PARAM_BANDWIDTH, "32 B/cycle", 1, 4096,
                 "bytes the data port reads a cycle",
                 .perfect = PERFECT(IN("l2_bandwidth", ">= 4096 B/cycle")), .doubling = TWICE),
    PARAM_NUMBER(L2Slice, fill_bytes, PARAM_BYTES, "64 B", 16, 512,
                 "aligned bytes a miss fetches at least"),
    PARAM_NUMBER(L2Slice, pending_entries, PARAM_COUNT, "192", 1, 65536, "outstanding fills",
                 .perfect = PERFECT(IN("l2_pending", ">= 16384")), .doubling = TWICE),
    PARAM_NUMBER(L2Slice, pending_merges, PARAM_COUNT, "64", 0, 65536,
                 "further requests that may wait for one fill",
                 .perfect = PERFECT(IN("l2_pending", ">= 65536")), .doubling = TWICE),
    PARAM_ONE_OF(L2Slice, completion, completions, "out_of_order",
                 "whether requests proceed under misses, and when their replies leave",
                 .perfect = PERFECT(IN("l2_pending", "out_of_order"))),
    PARAM_NUMBER(L2Slice, reply_entries, PARAM_COUNT, "64", 1, 65536,
                 "in_order: replies that may wait for earlier ones", .doubling = TWICE),
    PARAM_NUMBER(L2Slice, load_queue_entries, PARAM_COUNT, "0", 0, 65536,
                 "misses that wait for room in front of the scheduler; 0: the head waits",
                 .perfect = PERFECT(IN("l2_pending", ">= 16384")), .doubling = TWICE),
    PARAM_ONE_OF(
        L2Slice,
        written_data, written_data, "scheduler",
        "where evicted data waits for its write: goes with it, stays in the line, or store queue"),
    PARAM_NUMBER(L2Slice, clean_ways, PARAM_COUNT, "4", 1, 1024,
                 "line: ways of a set that stores leave clean or begin to write"),
    PARAM_NUMBER(L2Slice, store_queue_entries, PARAM_COUNT, "16", 1, 1024,
                 "store_queue: evicted lines that wait for their write or its end",
                 .perfect =
                     PERFECT(IN("l2_pending", ">= 1024", .only_if = "written_data = store_queue")),
                 .doubling = TWICE),
    PARAM_NUMBER(L2Slice, store_queue_threshold, PARAM_COUNT, "8", 0, 1024,
                 "store_queue: with more entries writes go before waiting misses"),
    PARAM_ONE_OF(
        L2Slice,
        partial_write, partial_writes, "fetch",
        "a store of a part of a sector fetches the rest, keeps a byte mask, or goes past L2"),
    PARAM_NUMBER(L2Slice, address_bits, PARAM_COUNT, "40", 32, 64,
                 "bits of a physical address, for what a queue costs"),
    PARAM_ONE_OF(L2Slice, array_ports, array_port_names, "1R1W",
                 "ports of the data array: to read and to write",
                 .perfect = PERFECT(IN("l2_bandwidth", "2R1W"))),
    PARAM_NUMBER(L2Slice, write_buffer, PARAM_COUNT, "64", 1, 65536,
                 "lines of data of stores that wait for the write port",
                 .perfect = PERFECT(IN("store_buffers", ">= 65536")), .doubling = TWICE),
    PARAM_NUMBER(
        L2Slice,
        cross_bandwidth, PARAM_BANDWIDTH, "32 B/cycle", 1, 4096,
        "with two halves (machine.l2_halves): each of the two links to the other half, for "
        "requests and for replies; a packet without data takes a cycle",
        .perfect = PERFECT(IN("l2_halves", ">= 4096 B/cycle", .needs = "machine.l2_halves = 2")),
        .doubling = TWICE),
    PARAM_NUMBER(
        L2Slice,
        cross_entries, PARAM_COUNT, "64", 1, 65536,
        "stores and atomics under way to the other half and back, and as many invalidations",
        .perfect = PERFECT(IN("l2_halves", ">= 16384")), .doubling = TWICE),
    PARAM_END};

static const Stat stats[] = {
    STAT_NUMBER_OVER_TIME(L2Slice, accesses, STAT_COUNT, "lts__t_requests.sum",
                          "requests looked up", .accesses_of = "L2, all requests"),
    STAT_NUMBER(L2Slice, reads, STAT_COUNT, "lts__t_requests_op_read.sum", "of these, reads",
                .accesses_of = "L2, loads"),
    STAT_NUMBER(L2Slice, writes, STAT_COUNT, "lts__t_requests_op_write.sum", "of these, writes"),
    STAT_NUMBER(L2Slice, atomics, STAT_COUNT, "lts__t_requests_op_atom.sum", "of these, atomics",
                .accesses_of = "L2, of atomics", .part_of = "accesses"),
    STAT_NUMBER_OVER_TIME(L2Slice, hits, STAT_COUNT, "lts__t_requests_lookup_hit.sum",
                          "requests that needed no fetch", .hits_of = "L2, all requests"),
    STAT_NUMBER(L2Slice, load_hits, STAT_COUNT, "lts__t_requests_op_read_lookup_hit.sum",
                "reads that needed no fetch", .hits_of = "L2, loads"),
    STAT_NUMBER(L2Slice, misses, STAT_COUNT, "lts__t_requests_lookup_miss.sum",
                "requests that fetch from DRAM", .misses_of = "L2, all requests"),
    STAT_NUMBER(L2Slice, merged, STAT_COUNT, NULL, "requests that joined an outstanding fetch",
                .merged_of = "L2, all requests"),
    STAT_NUMBER(L2Slice, global_accesses, STAT_COUNT, NULL, "loads and stores of global memory",
                .accesses_of = "L2, of global data", .part_of = "accesses"),
    STAT_NUMBER(L2Slice, global_hits, STAT_COUNT, NULL, "of these, hits",
                .hits_of = "L2, of global data"),
    STAT_NUMBER(L2Slice, local_accesses, STAT_COUNT, NULL, "loads and stores of local memory",
                .accesses_of = "L2, of local data", .part_of = "accesses"),
    STAT_NUMBER(L2Slice, local_hits, STAT_COUNT, NULL, "of these, hits",
                .hits_of = "L2, of local data"),
    STAT_NUMBER(L2Slice, texture_accesses, STAT_COUNT, NULL, "texture loads",
                .accesses_of = "L2, of textures", .part_of = "accesses"),
    STAT_NUMBER(L2Slice, texture_hits, STAT_COUNT, NULL, "of these, hits",
                .hits_of = "L2, of textures"),
    STAT_NUMBER(L2Slice, bytes_texture_read, STAT_BYTES, NULL, "bytes sent to SMs for textures"),
    STAT_NUMBER(L2Slice, bytes_texture_filled, STAT_BYTES, NULL,
                "bytes fetched from DRAM because a texture load lacked them"),
    STAT_NUMBER(L2Slice, atomic_hits, STAT_COUNT, NULL, "requests of the ROP that needed no fetch",
                .hits_of = "L2, of atomics"),
    STAT_NUMBER(L2Slice, evicted_by_other_class, STAT_COUNT, NULL,
                "lines evicted by a request of another class than brought them"),
    STAT_NUMBER(L2Slice, store_queue_hits, STAT_COUNT, NULL, "loads that the store queue answered"),
    STAT_NUMBER(L2Slice, store_queue_recalled, STAT_COUNT, NULL,
                "requests for which the store queue gave a line part of its data back"),
    STAT_NUMBER(L2Slice, store_queue_joined, STAT_COUNT, NULL,
                "evictions added to a waiting entry of the same line"),
    STAT_NUMBER(L2Slice, store_queue_bits, STAT_COUNT, NULL,
                "bits of the store queue: entries x (line + address)"),
    STAT_NUMBER(L2Slice, partial_writes, STAT_COUNT, NULL,
                "writes that do not cover whole sectors"),
    STAT_NUMBER(L2Slice, masked_writes, STAT_COUNT, NULL,
                "of these, the ones that a byte mask kept from fetching"),
    STAT_NUMBER(L2Slice, bypassed, STAT_COUNT, NULL, "of these, the ones that went past L2"),
    STAT_NUMBER(L2Slice, fills, STAT_COUNT, NULL, "fills from DRAM"),
    STAT_NUMBER(L2Slice, write_backs, STAT_COUNT, NULL,
                "writes sent to DRAM: of evicted lines, and past L2"),
    STAT_NUMBER(L2Slice, refused_set, STAT_COUNT, NULL,
                "head waited: every way of the set is being filled", .refusal = "set"),
    STAT_NUMBER(L2Slice, refused_pending, STAT_COUNT, NULL, "head waited: no pending request entry",
                .refusal = "pending request table"),
    STAT_NUMBER(L2Slice, refused_merge, STAT_COUNT, NULL,
                "head waited: no more requests may wait for the line",
                .refusal = "entry of the pending request table"),
    STAT_NUMBER(L2Slice, refused_scheduler, STAT_COUNT, NULL,
                "head waited: the memory access scheduler's port is full",
                .refusal = "memory access scheduler"),
    STAT_NUMBER(L2Slice, refused_reply, STAT_COUNT, NULL,
                "waited: the reply network's port is full", .refusal = "reply network"),
    STAT_NUMBER(L2Slice, refused_blocking, STAT_COUNT, NULL,
                "head waited: a blocking cache does one thing at a time",
                .refusal = "blocking cache"),
    STAT_NUMBER(L2Slice, refused_order, STAT_COUNT, NULL, "head waited: the reply queue is full",
                .refusal = "reply queue"),
    STAT_NUMBER(L2Slice, refused_load_queue, STAT_COUNT, NULL,
                "head waited: the load queue is full", .refusal = "load queue"),
    STAT_NUMBER(L2Slice, refused_store_queue, STAT_COUNT, NULL,
                "head waited: no room in the store queue for its dirty victim",
                .refusal = "store queue"),
    STAT_NUMBER(L2Slice, refused_written, STAT_COUNT, NULL,
                "head waited: every line of the set holds data that is not written yet",
                .refusal = "set of lines that are not written yet"),
    STAT_NUMBER(L2Slice, refused_ports, STAT_COUNT, NULL,
                "head waited: no room for its data in front of the write port",
                .refusal = "write port"),
    STAT_NUMBER(L2Slice, refused_cross, STAT_COUNT, NULL,
                "head waited: no room on the way to the other half",
                .refusal = "way to the other half"),
    STAT_NUMBER(L2Slice, near_hits, STAT_COUNT, NULL,
                "of the hits, reads that found their copy of a line of the other half"),
    STAT_NUMBER(L2Slice, far_reads, STAT_COUNT, NULL, "reads fetched from the other half"),
    STAT_NUMBER(L2Slice, forwarded, STAT_COUNT, NULL,
                "stores and atomics sent on to their home in the other half"),
    STAT_NUMBER(L2Slice, far_hits, STAT_COUNT, NULL,
                "of the hits, those of requests from the other half"),
    STAT_NUMBER(L2Slice, near_copies, STAT_COUNT, NULL, "copies made of lines of the other half"),
    STAT_NUMBER(L2Slice, near_skipped, STAT_COUNT, NULL,
                "copies not made: no place for the line then, or its home could not keep track"),
    STAT_NUMBER(L2Slice, invalidations, STAT_COUNT, NULL,
                "copies in the other half dropped: the line was written or left its home"),
    STAT_NUMBER(L2Slice, crossings, STAT_COUNT, NULL, "packets sent to the other half"),
    STAT_NUMBER(L2Slice, bytes_crossed, STAT_BYTES, NULL, "bytes of data in them"),
    STAT_NUMBER(L2Slice, cross_busy, STAT_TIME, NULL,
                "time the two links to the other half were occupied"),
    STAT_NUMBER(L2Slice, refused_rop, STAT_COUNT, NULL, "head waited: the ROP's port is full",
                .refusal = "ROP"),
    STAT_NUMBER(L2Slice, refused_line, STAT_COUNT, NULL,
                "loads and stores that waited for a line that the ROP had",
                .refusal = "line that the ROP has"),
    STAT_NUMBER(L2Slice, recalls, STAT_COUNT, NULL, "lines wanted back from the ROP for them"),
    STAT_NUMBER(L2Slice, rop_requests, STAT_COUNT, NULL,
                "fetches and write-backs of the ROP looked up, besides the accesses"),
    STAT_NUMBER(L2Slice, bytes_read, STAT_BYTES, "lts__t_bytes_op_read.sum", "bytes sent to SMs"),
    STAT_NUMBER(L2Slice, bytes_written, STAT_BYTES, "lts__t_bytes_op_write.sum",
                "bytes of sectors written by SMs"),
    STAT_NUMBER(L2Slice, bytes_filled, STAT_BYTES, "lts__t_sectors_srcunit_ltcfabric.sum",
                "bytes fetched from DRAM"),
    STAT_NUMBER(L2Slice, bytes_written_back, STAT_BYTES, NULL, "bytes of sectors written to DRAM"),
    STAT_NUMBER(L2Slice, replies, STAT_COUNT, NULL, "replies sent"),
    STAT_NUMBER(L2Slice, data_busy, STAT_TIME, "lts__d_sectors.sum",
                "time the data port was occupied"),
    STAT_NUMBER(L2Slice, write_busy, STAT_TIME, NULL,
                "time fills and stores occupied the write port, or the shared one"),
    STAT_OCCUPANCY(L2Slice, queue, NULL, "requests waiting in front of the slice"),
    STAT_OCCUPANCY_OVER_TIME(L2Slice, pending, NULL, "outstanding fetches"),
    STAT_OCCUPANCY(L2Slice, write_backs_outstanding, NULL, "writes not yet done in DRAM"),
    STAT_OCCUPANCY(L2Slice, load_queue, NULL, "misses waiting in the load queue"),
    STAT_OCCUPANCY(L2Slice, store_queue, NULL, "evicted lines in the store queue"),
    STAT_OCCUPANCY(L2Slice, reply_queue, NULL, "requests whose reply keeps its turn"),
    STAT_OCCUPANCY(
        L2Slice, crossing, NULL,
        "fetches, stores, atomics and invalidations under way to the other half and back"),
    STAT_DISTRIBUTION(L2Slice, fill_latency_seen, NULL, "from sending a fetch to its fill"),
    STAT_HOTTEST(L2Slice, hottest,
                 "lines looked up most often, by virtual address; the slice's own requests and the "
                 "ROP's are not counted"),
    STAT_END};

static const PortRow ports[] = {
    PORT_INPUT(L2Slice, from_dram, "fills, and write-backs that are done"),
    PORT_INPUT(L2Slice, from_far_replies,
               "from the other half: what was asked of it, and invalidations of copies"),
    PORT_INPUT(L2Slice, from_network, "requests"),
    PORT_INPUT(L2Slice, from_far_requests, "requests of the other half for lines at home here"),
    PORT_INPUT(L2Slice, from_rop, "results of atomics, the ROP's fetches and write-backs"),
    PORT_OUTPUT(L2Slice, to_reply_network, "data and acknowledgements"),
    PORT_OUTPUT(L2Slice, to_scheduler, "fetches and write-backs"),
    PORT_OUTPUT(L2Slice, to_far_requests, "requests for lines at home in the other half"),
    PORT_OUTPUT(L2Slice, to_far_replies,
                "data for the other half, and invalidations of its copies"),
    PORT_OUTPUT(L2Slice, to_monitor, "writes, for the coherence monitor"),
    PORT_OUTPUT(L2Slice, to_rop, "atomics, and lines that are wanted back"),
    PORT_OUTPUT(L2Slice, to_rop_data, "sectors that the ROP fetches"),
    PORT_END};

static const SharedRow shared[] = {SHARED(L2Slice, line), SHARED(L2Slice, address_map), SHARED_END};

static bool check_blocking(const L2Slice *self, GError **error)
{
    if (self->completion != COMPLETION_BLOCKING || self->written_data == WRITTEN_SCHEDULER)
        return true;
    g_set_error(error, PARAM_ERROR, 0,
                "l2_slice.written_data = %s: a blocking cache waits for each write-back, so that "
                "only 'scheduler' makes sense",
                written_data[self->written_data]);
    return false;
}

/* Replies in order could wait for each other across the halves. */
static bool check_halves(const L2Slice *self, GError **error)
{
    if (self->address_map->halves != 2 || self->completion == COMPLETION_OUT_OF_ORDER) return true;
    g_set_error(error, PARAM_ERROR, 0,
                "l2_slice.completion = %s: two halves (machine.l2_halves) need 'out_of_order'",
                completions[self->completion]);
    return false;
}

static bool setup(Unit *unit, GError **error)
{
    L2Slice *self = (L2Slice *)unit;
    if (!check_blocking(self, error) || !check_halves(self, error)) return false;
    if (self->address_map->halves == 2)
        pending_request_table_init(&self->far.fetches, (uint32_t)self->pending_entries);
    self->ports.count = (ArrayPortCount)self->array_ports;
    const uint64_t line_cycles =
        (self->line->line_bytes + self->data_bandwidth - 1) / self->data_bandwidth;
    self->write_reach =
        clock_cycles(unit->clock, self->hit_latency + self->write_buffer * line_cycles);
    if (self->completion == COMPLETION_IN_ORDER)
        reorder_buffer_init(&self->order, (uint32_t)self->reply_entries);
    if (self->written_data == WRITTEN_STORE_QUEUE)
        store_queue_init(&self->stores, (uint32_t)self->store_queue_entries);
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
    if (slice_cache_init(&self->cache, &shape, error)) return true;
    g_prefix_error(error, "%s.", unit->class->name);
    return false;
}

static void teardown(Unit *unit)
{
    L2Slice *self = (L2Slice *)unit;
    slice_cache_finish(&self->cache);
    reorder_buffer_finish(&self->order);
    store_queue_finish(&self->stores);
    if (self->far.fetches.entries) pending_request_table_finish(&self->far.fetches);
    word_table_finish(&self->at_rop);
}

static void see_arrivals(L2Slice *self, const Port *port, uint32_t *seen, Time now)
{
    for (uint32_t k = *seen; k < port->count; k++) {
        Transaction *transaction = (Transaction *)port_peek_at(port, k);
        transaction->entered = now;
        transaction_enter(transaction, STAGE_L2_QUEUE, now);
        level_enter(&self->queue, now);
    }
    *seen = port->count;
}

static bool serve_near(L2Slice *self, Time now)
{
    Transaction *head = (Transaction *)port_peek(&self->from_network);
    if (!head || self->refused || !l2_slice_handle(self, head, now)) return false;
    port_take(&self->from_network, now);
    self->seen--;
    return true;
}

/* What is refused here must not hold up the near SMs' requests, nor the other way round. */
static bool serve_far(L2Slice *self, Time now)
{
    Transaction *head = (Transaction *)port_peek(&self->from_far_requests);
    if (!head || self->far.refused) return false;
    const bool near_refused = self->refused;
    self->refused = false;
    const bool taken = l2_slice_handle(self, head, now);
    self->far.refused = self->refused;
    self->refused = near_refused;
    if (!taken) return false;
    port_take(&self->from_far_requests, now);
    self->far.seen--;
    return true;
}

/* The near SMs and the other half take turns. */
static bool serve_either(L2Slice *self, Time now)
{
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

static void serve_head(L2Slice *self, Time now)
{
    if (!self->seen && !self->far.seen) return;
    if (self->free_at > now) {
        if ((self->seen && !self->refused) || (self->far.seen && !self->far.refused))
            unit_wake_at(&self->unit, self->free_at);
        return;
    }
    if (!serve_either(self, now)) return;
    self->free_at = now + clock_cycles(self->unit.clock, self->lookup_interval);
    if (self->seen || self->far.seen) unit_wake_at(&self->unit, self->free_at);
}

static void step(Unit *unit, Time now)
{
    L2Slice *self = (L2Slice *)unit;
    see_arrivals(self, &self->from_network, &self->seen, now);
    see_arrivals(self, &self->from_far_requests, &self->far.seen, now);
    l2_slice_take_from_dram(self, now);
    l2_slice_take_far_replies(self, now);
    l2_slice_take_from_rop(self, now);
    l2_slice_release_replies(self, now);
    l2_slice_send_urgent(self, now);
    serve_head(self, now);
    l2_slice_send_queued(self, now);
    l2_slice_release_replies(self, now);
}

/* --- between kernels -------------------------------------------------------------------------- */

static uint64_t bits_of_store_queue(const L2Slice *self)
{
    const uint32_t line = self->line->line_bytes;
    const uint64_t address = self->address_bits - (uint64_t)__builtin_ctz(line);
    return self->stores.capacity * (8 * (uint64_t)line + address);
}

static void boundary(Unit *unit, const Boundary *boundary)
{
    L2Slice *self = (L2Slice *)unit;
    if (boundary->kind != BOUNDARY_KERNEL_START) return;
    self->store_queue_bits = bits_of_store_queue(self);
    switch (boundary->launch->caches) {
    case CACHES_DIRTY: break;
    case CACHES_WARM: tag_array_clean(&self->cache.tags); break;
    case CACHES_COLD:
        slice_cache_empty(&self->cache);
        l2_slice_keep_no_copies(self);
        break;
    }
    if (boundary->launch->copy_count) l2_slice_drop_copies(self);
    for (uint32_t i = 0; i < boundary->launch->copy_count; i++)
        slice_cache_accept_copy(&self->cache, boundary->launch->copies[i].address,
                                boundary->launch->copies[i].bytes);
}

static bool unfinished(Unit *unit, GString *what)
{
    L2Slice *self = (L2Slice *)unit;
    const uint64_t writes = self->write_backs_outstanding.now + self->stores.waiting;
    const uint64_t crossing = self->far.fetches.used + self->far.forwards + self->far.recalls;
    if (!self->cache.table.used && !writes && !crossing && !self->atomics_at_rop) return false;
    g_string_append_printf(what, "%u fetches and %" G_GUINT64_FORMAT " write-backs outstanding",
                           self->cache.table.used, writes);
    if (self->cache.table.used || writes) unit_waits_for(unit, port_sender(&self->from_dram));
    if (crossing) {
        g_string_append_printf(what, ", %" G_GUINT64_FORMAT " requests at the other half",
                               crossing);
        unit_waits_for(unit, port_sender(&self->from_far_replies));
    }
    if (self->atomics_at_rop) {
        g_string_append_printf(what, ", %u atomics at the ROP", self->atomics_at_rop);
        unit_waits_for(unit, port_sender(&self->from_rop));
    }
    return true;
}

const UnitClass l2_slice_class = {.name = "l2_slice",
                                  .summary = "slice of the second-level cache",
                                  .per = PER_SLICE,
                                  .clock = CLOCK_L2,
                                  .place = PLACE_MEMORY,
                                  .path = "partition[%u].slice[%u]",
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
