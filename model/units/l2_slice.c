/* An L2 slice: sectored, set-associative, write-back, non-blocking; requests are handled in order.
 *
 *   from_network ──> [tag look-up, one a cycle] ── hit ──> data port ──to_reply_network──> SM
 *                         │ miss                  ^
 *                    [pending requests] ──┐       └── fill ──from_dram── DRAM channel
 *                    dirty victim ────────┴──to_scheduler──> memory access scheduler
 *
 * A miss fetches aligned groups of sectors. Stores of whole sectors need no fetch, others do.
 * Atomics go to the slice's ROP and come back as results (l2_slice_rop.c).
 * Not modelled: store queues, byte masks; compression is the ROP's.
 * Sources: Aamodt, Fung, Rogers 2018, 4.3; Jia et al. 2018; latencies calibrated in the presets. */
#include "units/l2_slice_private.h"

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
    STAT_NUMBER(L2Slice, refused_rop, STAT_COUNT, NULL, "head waited: the ROP's port is full"),
    STAT_NUMBER(L2Slice, refused_line, STAT_COUNT, NULL,
                "loads and stores that waited for a line that the ROP had"),
    STAT_NUMBER(L2Slice, recalls, STAT_COUNT, NULL, "lines wanted back from the ROP for them"),
    STAT_NUMBER(L2Slice, rop_requests, STAT_COUNT, NULL,
                "fetches and write-backs of the ROP looked up, besides the accesses"),
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
    PORT_INPUT(L2Slice, from_rop, "results of atomics, the ROP's fetches and write-backs"),
    PORT_OUTPUT(L2Slice, to_reply_network, "data and acknowledgements"),
    PORT_OUTPUT(L2Slice, to_scheduler, "fetches and write-backs"),
    PORT_OUTPUT(L2Slice, to_monitor, "writes, for the coherence monitor"),
    PORT_OUTPUT(L2Slice, to_rop, "atomics, and lines that are wanted back"),
    PORT_OUTPUT(L2Slice, to_rop_data, "sectors that the ROP fetches"),
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
    word_table_init(&self->at_rop, 6);
    return slice_cache_init(&self->cache, &shape, error);
}

static void teardown(Unit *unit)
{
    L2Slice *self = (L2Slice *)unit;
    slice_cache_finish(&self->cache);
    word_table_finish(&self->at_rop);
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
    l2_slice_take_from_dram(self, now);
    l2_slice_take_from_rop(self, now);
    Transaction *transaction = (Transaction *)port_peek(&self->from_network);
    if (!transaction || self->refused) return;
    if (self->free_at > now) {
        unit_wake_at(unit, self->free_at);
        return;
    }
    if (!l2_slice_handle(self, transaction, now)) return;
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
    const bool memory = self->cache.table.used || self->write_backs_outstanding.now;
    if (!memory && !self->atomics_at_rop) return false;
    g_string_append_printf(
        what, "%u fetches and %" G_GUINT64_FORMAT " write-backs outstanding, %u atomics at the ROP",
        self->cache.table.used, self->write_backs_outstanding.now, self->atomics_at_rop);
    if (memory) unit_waits_for(unit, port_sender(&self->from_dram));
    if (self->atomics_at_rop) unit_waits_for(unit, port_sender(&self->from_rop));
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
