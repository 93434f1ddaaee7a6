/* A memory-side cache: in front of a DRAM channel, behind L2, for all that is read and written
 * there, whoever asks. AMD's Infinity Cache.
 *
 *   L2 slice ──from_l2──> [look-up] ── hit ──> read port ─────────────to_l2──> L2 slice
 *                          │ miss   │ dirty victim                       │
 *                 [pending requests]└──────────┬─to_scheduler─> DRAM ─from_dram
 *                          └───────────────────┘                 └─> fill, write port
 *
 * Sectored, set-associative, write-back, non-blocking; requests are looked up in order, replies
 * leave when they can. A read that misses fetches what L2 has asked for. What L2 writes stays,
 * unless it covers a sector in part that is not here: that goes on to DRAM as it is.
 * Not modelled: banks; widths of the way from DRAM; prefetching; that pages which come from the
 * host pass through it.
 * Sources: AMD's announcement of the Radeon RX 6000 series, 2020 (a last level of 128 MB behind 256
 * bits of GDDR6); Linux, amdkfd/kfd_crat.c (lines of 64 B); gpu-l2-cache of te42kyfo/gpu-benches on
 * an RX 6900 XT (1.9 to 2.0 TB/s: 48 B a cycle of L2 from each of 16 channels). How it is built is
 * not published; latencies, ways and places by default are assumed. */
#include "parts/bits.h"
#include "parts/sparse.h"
#include "units/memory_cache/private.h"

static const SharedRow shared[] = {SHARED(MemoryCache, line), SHARED(MemoryCache, address_map),
                                   SHARED_END};

static bool setup(Unit *unit, GError **error)
{
    MemoryCache *self = (MemoryCache *)unit;
    const SliceCacheShape shape = {.capacity = self->capacity,
                                   .ways = self->ways,
                                   .fill_bytes = self->line->sector_bytes,
                                   .replacement = (ReplacementPolicy)self->replacement,
                                   .candidates = self->candidates,
                                   .seed = unit_random(unit),
                                   .pending_entries = self->pending_entries,
                                   .line = self->line,
                                   .map = self->address_map,
                                   .slice = unit->number,
                                   .of_channel = true};
    if (!slice_cache_init(&self->cache, &shape, error)) {
        g_prefix_error(error, "%s.", unit->class->name);
        return false;
    }
    self->lines = self->cache.tags.sets * self->cache.tags.ways;
    self->line_shift = bits_for(self->line->line_bytes);
    self->fetch = SPARSE_ARRAY(CacheFetch, self->pending_entries);
    evicted_tags_init(&self->evicted, self->lines);
    return true;
}

static void free_list(Unit *unit, MessageList *list)
{
    while (list->first) unit_free_message(unit, message_list_take(list));
}

static void teardown(Unit *unit)
{
    MemoryCache *self = (MemoryCache *)unit;
    for (uint32_t i = 0; i < self->cache.table.fresh; i++) free_list(unit, &self->fetch[i].waiting);
    free_list(unit, &self->data);
    free_list(unit, &self->acknowledged);
    slice_cache_finish(&self->cache);
    evicted_tags_finish(&self->evicted);
    sparse_free(self->fetch);
}

static void step(Unit *unit, Time now)
{
    MemoryCache *self = (MemoryCache *)unit;
    if (self->from_dram.count) memory_cache_take_from_dram(self, now);
    memory_cache_release(self, now);
    memory_cache_serve_heads(self, now);
}

/* --- between kernels -------------------------------------------------------------------------- */

/* Lines whose fetch began before a kernel that starts with a cold cache are filled no more. */
static void leave_sets(MemoryCache *self, Time now)
{
    for (uint32_t i = 0; i < self->cache.table.fresh; i++) {
        if (!self->fetch[i].filled_since) continue;
        level_relent(&self->set_fills, now);
        level_leave(&self->set_fills, now, self->fetch[i].filled_since);
        self->fetch[i].filled_since = 0;
    }
}

static void accept_copies(MemoryCache *self, const Boundary *boundary)
{
    const Launch *launch = boundary->launch;
    uint64_t replaced = 0;
    for (uint32_t i = 0; i < launch->copy_count; i++)
        replaced += slice_cache_accept_copy(&self->cache, launch->copies[i].address,
                                            launch->copies[i].bytes);
    if (!boundary->opens_region) self->bytes_replaced += replaced;
}

static Counted boundary(Unit *unit, const Boundary *boundary)
{
    MemoryCache *self = (MemoryCache *)unit;
    const Launch *launch = boundary->launch;
    if (boundary->kind != BOUNDARY_KERNEL_START) return COUNTED_NOTHING;
    switch (launch->caches) {
    case CACHES_DIRTY: break;
    case CACHES_WARM: tag_array_clean(&self->cache.tags); break;
    case CACHES_COLD:
        slice_cache_empty(&self->cache);
        evicted_tags_forget(&self->evicted);
        leave_sets(self, boundary->at);
        break;
    }
    accept_copies(self, boundary);
    const bool changed = launch->copy_count || launch->caches == CACHES_COLD;
    return changed ? COUNTED_ANYTHING : COUNTED_NOTHING;
}

static bool unfinished(Unit *unit, GString *what)
{
    const MemoryCache *self = (const MemoryCache *)unit;
    if (!self->cache.table.used && !self->writes_outstanding.now) return false;
    g_string_append_printf(what, "%u fetches and %" G_GUINT64_FORMAT " write-backs outstanding",
                           self->cache.table.used, self->writes_outstanding.now);
    unit_waits_for(unit, port_sender(&self->from_dram));
    return true;
}

static const FactRow facts[] = {{"memory-side cache", "capacity", FACT_BYTES_OF_ALL}, FACT_END};

const UnitClass memory_cache_class = {
    .name = "memory_cache",
    .summary = "in front of a DRAM channel: what L2 reads and writes there",
    .per = PER_MEMORY_CACHE,
    .clock = CLOCK_L2,
    .place = PLACE_MEMORY,
    .path = "partition[%u].slice[%u].memory_cache",
    .size = sizeof(MemoryCache),
    .params = memory_cache_params,
    .stats = memory_cache_stats,
    .resources = memory_cache_resources,
    .storage = memory_cache_storage,
    .facts = facts,
    .ports = memory_cache_ports,
    .shared = shared,
    .setup = setup,
    .step = step,
    .boundary = boundary,
    .teardown = teardown,
    .unfinished = unfinished};
