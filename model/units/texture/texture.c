/* The texture unit of an SM, with a cache of its own.
 *
 *   SM ─from_sm─> [addresses] ─> tags ─> [fragment FIFO] ─> controller ─> filter ─to_sm─> registers
 *                                 │ miss                       │ reads, in order
 *                                 v                            v
 *                        [miss request FIFO]               data array
 *                                 │                            ^ fills, in order of requests
 *                            to_l1_misses ─> L1 ─> L2 ─> DRAM  │
 *                                             └──from_l1_fills─> [reorder buffer]
 *
 * An instruction becomes fragments: of each quad of lanes a step, which is what a filter unit
 * combines at once, up to four texels a lane. Their lines are looked up in order, and the tags say
 * at once what the data array will hold when the fragment is read: they run ahead of the data by
 * the time that a miss takes. Every fragment goes through the fragment FIFO, hit or miss; a miss
 * leaves a request as well and has a place in the reorder buffer reserved. At the FIFO's head a
 * fragment has its lines filled, strictly in the order of the requests, and reads them; so a
 * victim's data is still there when the last fragment that hit it is read.
 *
 * What the load/store unit sends (from_load_store) takes the same way, without the filter: groups
 * of lanes in place of quads, data in place of texels. Stores are written through.
 *
 * texture/private.h has the struct, texture/address.c quads, steps and lines, texture/data.c groups
 * of lanes, texture/tag.c the look-up, texture/write.c stores and atomics, texture/memory.c
 * requests and replies, texture/control.c data array and filter, texture/l1.c what is in their
 * place where L1 is the cache, texture/resources.c what can be full.
 *
 * Not modelled: the values of texels, decompression, bank conflicts of the data array. What is
 * divided among the schedulers of an SM (`caches`) is the cache, not the rest. Sources: Igehy,
 * Eldridge, Proudfoot, "Prefetching in a Texture Cache Architecture", 1998; Aamodt, Fung, Rogers
 * 2018, 4.1; Hakura and Gupta 1997 for lines, layouts and locality. Defaults are a Fermi SM's,
 * where something is published: 12 KiB in 4 sets, four texture units, which is a quad a cycle;
 * docs/inside/units/texture.md names the sources. */
#include "parts/sparse.h"
#include "units/texture/private.h"

static const char *const caches[] = {"own", "l1", NULL};
static const char *const stored_lines[] = {"whole", "present", "none", NULL};

#define OWN .only_if = "cache = own"

static const Param params[] = {
    PARAM_ONE_OF(TextureUnit, cache, caches, "l1",
                 "where texels are kept: own, in arrays of the texture unit; l1, in the SM's L1 "
                 "(what says `cache = own` then has no effect)"),
    PARAM_NUMBER(TextureUnit, capacity, PARAM_BYTES, "12 KiB", 256, 1048576,
                 "cache = own: bytes of its data array",
                 .perfect = PERFECT(IN("texture_cache", ">= 1 MiB", .needs = "cache = own",
                                       .serves = USE_TEXTURES)),
                 .doubling = TWICE, OWN),
    PARAM_NUMBER(
        TextureUnit, caches, PARAM_COUNT, "1", 1, 16,
        "cache = own: equal parts of the cache, one for each group of schedulers: warp w finds "
        "only what is in part w modulo `caches`",
        OWN),
    PARAM_NUMBER(TextureUnit, sets, PARAM_COUNT, "4", 1, 4096,
                 "cache = own: sets of each part; the ways follow from the capacity", OWN),
    PARAM_ONE_OF(TextureUnit, set_index, set_index_names, "modulo",
                 "cache = own: how a line's set is found", .relieves = "texture_cache", OWN),
    PARAM_ONE_OF(TextureUnit, replacement, replacement_names, "lru",
                 "cache = own: which line of a set goes next", .relieves = "texture_cache", OWN),
    PARAM_NUMBER(TextureUnit, candidates, PARAM_COUNT, "5", 1, 64,
                 "cache = own: lines that sampled_lru draws", OWN),
    PARAM_NUMBER(TextureUnit, quads, PARAM_COUNT, "1", 1, 64,
                 "quads of lanes that take a bilinear step in each quad_interval",
                 .perfect = PERFECT(IN("texture_bandwidth", ">= 64", .serves = USE_TEXTURES)),
                 .doubling = TWICE),
    PARAM_NUMBER(TextureUnit, quad_interval, PARAM_CYCLES, "1 cycle", 1, 64,
                 "cycles in which `quads` steps are addressed, and filtered",
                 .perfect = PERFECT(IN("texture_bandwidth", "1 cycle")), .doubling = HALF),
    PARAM_NUMBER(TextureUnit, address_latency, PARAM_CYCLES, "24 cycles", 1, 1000,
                 "from taking an instruction to its first tag look-up",
                 .perfect = PERFECT(IN("texture_latency", "1 cycle", .serves = USE_TEXTURES)),
                 .doubling = HALF),
    PARAM_NUMBER(TextureUnit, tag_lines, PARAM_COUNT, "4", 1, 64,
                 "cache = own: lines looked up in a cycle",
                 .perfect = PERFECT(IN("texture_bandwidth", ">= 64")), .doubling = TWICE, OWN),
    PARAM_NUMBER(
        TextureUnit, fragment_fifo, PARAM_COUNT, "512", 1, 65536,
        "fragments between tags and data: how many steps of quads the tags run ahead; cache "
        "= l1: reads of L1 under way",
        .perfect = PERFECT(IN("fragment_fifo", ">= 65536", .serves = USE_TEXTURES)),
        .doubling = TWICE),
    PARAM_NUMBER(TextureUnit, fragment_delay, PARAM_CYCLES, "0 cycles", 0, 100000,
                 "least time in the fragment FIFO; a round trip to DRAM makes hit and miss equal",
                 .perfect = PERFECT(IN("texture_latency", "0 cycles")), .doubling = HALF),
    PARAM_NUMBER(TextureUnit, miss_fifo, PARAM_COUNT, "16", 1, 65536,
                 "cache = own: miss request FIFO, of misses that wait for the way to L2",
                 .perfect = PERFECT(IN("fragment_fifo", ">= 4096")), .doubling = TWICE, OWN),
    PARAM_NUMBER(TextureUnit, reorder_entries, PARAM_COUNT, "256", 1, 65536,
                 "cache = own: reorder buffer, of misses that have not been filled",
                 .perfect = PERFECT(IN("fragment_fifo", ">= 16384")), .doubling = TWICE, OWN),
    PARAM_NUMBER(TextureUnit, requests_per_cycle, PARAM_COUNT, "1", 1, 64,
                 "cache = own: requests that leave for L2 in a cycle",
                 .perfect = PERFECT(IN("texture_bandwidth", "64")), .doubling = TWICE, OWN),
    PARAM_SWITCH(TextureUnit, run_ahead, "yes",
                 "cache = own: tags go on behind a miss; no: they wait until it has been read, a "
                 "blocking cache",
                 .perfect = PERFECT(IN("fragment_fifo", "yes")), .relieves = "fragment_fifo", OWN),
    PARAM_NUMBER(TextureUnit, data_lines, PARAM_COUNT, "4", 1, 64,
                 "cache = own: lines of the data array read in a cycle",
                 .perfect = PERFECT(IN("texture_bandwidth", ">= 64")), .doubling = TWICE, OWN),
    PARAM_NUMBER(TextureUnit, fill_bytes, PARAM_BANDWIDTH, "32 B/cycle", 1, 1024,
                 "cache = own: from the reorder buffer into the data array",
                 .perfect = PERFECT(IN("texture_bandwidth", ">= 1024 B/cycle")), .doubling = TWICE,
                 OWN),
    PARAM_NUMBER(TextureUnit, fill_ports, PARAM_COUNT, "1", 1, 64,
                 "cache = own: fills side by side, of fill_bytes each",
                 .perfect = PERFECT(IN("texture_bandwidth", "64")), .doubling = TWICE, OWN),
    PARAM_NUMBER(TextureUnit, filter_bytes, PARAM_BYTES, "8 B", 1, 64,
                 "widest texel, uncompressed, that is filtered at the full rate; wider ones take "
                 "proportionally longer",
                 .perfect = PERFECT(IN("texture_bandwidth", ">= 64 B")), .doubling = TWICE),
    PARAM_NUMBER(TextureUnit, filter_latency, PARAM_CYCLES, "70 cycles", 1, 1000,
                 "from reading a step's last line to its result",
                 .perfect = PERFECT(IN("texture_latency", "1 cycle")), .doubling = HALF),
    PARAM_NUMBER(TextureUnit, return_bytes, PARAM_BANDWIDTH, "128 B/cycle", 1, 4096,
                 "results on the way to the registers",
                 .perfect = PERFECT(IN("texture_bandwidth", ">= 4096 B/cycle")), .doubling = TWICE),
    PARAM_NUMBER(TextureUnit, return_ports, PARAM_COUNT, "1", 1, 64,
                 "results on this way side by side, of return_bytes each",
                 .perfect = PERFECT(IN("texture_bandwidth", "64")), .doubling = TWICE),
    PARAM_NUMBER(
        TextureUnit, coalesced_lanes, PARAM_COUNT, "16", 1, 64,
        "cache = own, memory instructions: lanes a cycle that want neighbouring values of up "
        "to 4 bytes",
        .perfect = PERFECT(IN("texture_bandwidth", ">= 64")), .doubling = TWICE, OWN),
    PARAM_NUMBER(TextureUnit, scattered_lanes, PARAM_COUNT, "4", 1, 64,
                 "cache = own, memory instructions: other lanes a cycle",
                 .perfect = PERFECT(IN("texture_bandwidth", ">= 64")), .doubling = TWICE, OWN),
    PARAM_NUMBER(TextureUnit, load_latency, PARAM_CYCLES, "20 cycles", 1, 1000,
                 "cache = own, memory instructions: from reading a group's last line to its values",
                 .perfect = PERFECT(IN("texture_latency", "1 cycle")), .doubling = HALF, OWN),
    PARAM_ONE_OF(
        TextureUnit, stored_line, stored_lines, "whole",
        "cache = own: what it keeps of a store: lines written whole, what it has of the line, or "
        "nothing",
        OWN),
    PARAM_END};

static const PortRow ports[] = {
    PORT_INPUT(TextureUnit, from_l1_fills, "replies of L2 for its own cache"),
    PORT_INPUT(TextureUnit, from_l1, "lines that L1 has read for it"),
    PORT_INPUT(TextureUnit, from_load_store, "memory instructions with their lines"),
    PORT_INPUT(TextureUnit, from_sm, "texture instructions with their coordinates"),
    PORT_OUTPUT(TextureUnit, to_sm, "completed instructions"),
    PORT_OUTPUT(TextureUnit, to_sm_stores, "stores whose operands have been read"),
    PORT_OUTPUT(TextureUnit, to_l1, "lines to be read, where L1 is its cache"),
    PORT_OUTPUT(TextureUnit, to_l1_misses, "requests for L2"),
    PORT_OUTPUT(TextureUnit, to_monitor, "hits in its own cache, for the coherence monitor"),
    PORT_END};

static const SharedRow shared[] = {SHARED_AS(TextureUnit, line, "l1_line"),
                                   SHARED(TextureUnit, fit), SHARED(TextureUnit, pages),
                                   SHARED_END};

/* --- setup ------------------------------------------------------------------------------------ */

static Pace pace_of(const TextureUnit *self, uint64_t each, uint64_t interval)
{
    return (Pace){.interval = clock_cycles(self->unit.clock, interval), .each = (uint32_t)each};
}

static void build_arrays(TextureUnit *self, uint64_t ways)
{
    const TagArrayShape shape = {.sets = self->sets * self->caches,
                                 .ways = ways,
                                 .set_index = (SetIndex)self->set_index,
                                 .replacement = (ReplacementPolicy)self->replacement,
                                 .candidates = self->candidates,
                                 .seed = unit_random(&self->unit)};
    tag_array_init(&self->tags, &shape);
    evicted_tags_init(&self->evicted, shape.sets * ways);
    self->data = SPARSE_ARRAY(DataPlace, self->caches * self->sets * ways);
    if (channel_connected(&self->to_monitor))
        self->read_at = SPARSE_ARRAY(Time, self->caches * self->sets * ways * SECTORS_MAX);
    self->ring = SPARSE_ARRAY(Fragment, self->fragment_fifo);
    self->unsent = SPARSE_ARRAY(Transaction *, self->miss_fifo);
    self->miss = SPARSE_ARRAY(Miss, self->reorder_entries);
    reorder_buffer_init(&self->reorder, (uint32_t)self->reorder_entries);
    timed_fifo_init(&self->miss_places, self->miss_fifo);
    timed_fifo_init(&self->reorder_places, self->reorder_entries);
}

static bool check_shape(const TextureUnit *self, GError **error)
{
    const uint64_t set_bytes = self->caches * self->sets * self->line->line_bytes;
    if (self->capacity < set_bytes || self->capacity % set_bytes) {
        g_set_error(
            error, PARAM_ERROR, 0,
            "texture.capacity = %" G_GUINT64_FORMAT
            " B: not a whole number of lines of %u B (machine.line_bytes) for each of %" G_GUINT64_FORMAT
            " sets (sets x caches)",
            self->capacity, self->line->line_bytes, self->caches * self->sets);
        return false;
    }
    if (self->caches == 1 || self->set_index == SET_INDEX_MODULO) return true;
    g_set_error(error, PARAM_ERROR, 0,
                "texture.caches = %" G_GUINT64_FORMAT ": more than one need set_index = modulo",
                self->caches);
    return false;
}

static bool setup(Unit *unit, GError **error)
{
    TextureUnit *self = (TextureUnit *)unit;
    self->quad_pace = self->filter_pace = pace_of(self, self->quads, self->quad_interval);
    self->tag_pace = pace_of(self, self->tag_lines, 1);
    self->data_pace = pace_of(self, self->data_lines, 1);
    self->miss_pace = pace_of(self, self->requests_per_cycle, 1);
    self->rates = (LaneRates){(uint32_t)self->coalesced_lanes, (uint32_t)self->scattered_lanes};
    timed_fifo_init(&self->fragment_places, self->fragment_fifo);
    if (self->cache == TEXTURE_CACHE_L1) {
        self->reads = SPARSE_ARRAY(TextureRead, self->fragment_fifo);
        return true;
    }
    if (!check_shape(self, error)) return false;
    build_arrays(self, self->capacity / (self->caches * self->sets * self->line->line_bytes));
    return true;
}

static void teardown(Unit *unit)
{
    TextureUnit *self = (TextureUnit *)unit;
    if (self->tags.lines) {
        tag_array_finish(&self->tags);
        evicted_tags_finish(&self->evicted);
    }
    reorder_buffer_finish(&self->reorder);
    timed_fifo_finish(&self->fragment_places);
    timed_fifo_finish(&self->miss_places);
    timed_fifo_finish(&self->reorder_places);
    sparse_free(self->data);
    sparse_free(self->read_at);
    sparse_free(self->ring);
    sparse_free(self->reads);
    sparse_free(self->unsent);
    sparse_free(self->miss);
}

/* --- statistics of FIFOs ---------------------------------------------------------------------- */

static void settle(TimedFifo *fifo, Level *level, Time now)
{
    TimedChange change;
    while (timed_fifo_read(fifo, now, &change)) {
        if (change.leaves)
            level_leave(level, change.at, change.came);
        else
            level_enter(level, change.at);
    }
}

static void settle_levels(TextureUnit *self, Time now)
{
    settle(&self->fragment_places, &self->fragment_room, now);
    settle(&self->miss_places, &self->miss_room, now);
    settle(&self->reorder_places, &self->reorder_room, now);
}

/* When the last of those whose leaving is known is gone; later than now, or TIME_NEVER. */
static Time find_last_change(const TextureUnit *self, Time now)
{
    const Time last = MAX(
        timed_fifo_last_left(&self->fragment_places),
        MAX(timed_fifo_last_left(&self->miss_places), timed_fifo_last_left(&self->reorder_places)));
    return last > now ? last : TIME_NEVER;
}

/* --- steps and kernels ------------------------------------------------------------------------ */

static void note_arrivals(TextureUnit *self, const Port *port, uint32_t *seen, Time now)
{
    for (; *seen < port->count; (*seen)++) {
        state_of((WarpAccess *)port_peek_at(port, *seen))->arrived = now;
        level_enter(&self->queue, now);
    }
}

static void step_with_own_cache(TextureUnit *self, Time now)
{
    texture_take_replies(self, now);
    texture_send_requests(self, now);
    texture_read_fragments(self);
    texture_look_up(self, now);
}

static void step(Unit *unit, Time now)
{
    TextureUnit *self = (TextureUnit *)unit;
    note_arrivals(self, &self->from_sm, &self->seen, now);
    note_arrivals(self, &self->from_load_store, &self->data_seen, now);
    if (self->cache == TEXTURE_CACHE_L1)
        texture_step_with_l1(self, now);
    else
        step_with_own_cache(self, now);
    settle_levels(self, now);
    const Time last = find_last_change(self, now);
    if (last != TIME_NEVER) unit_wake_at(unit, last);
}

/* Tags may be forgotten at any time: what is in the FIFO finds its data, because whatever takes
 * its place is filled behind it. */
static Counted boundary(Unit *unit, const Boundary *boundary)
{
    TextureUnit *self = (TextureUnit *)unit;
    const Launch *launch = boundary->launch;
    settle_levels(self, boundary->at);
    if (boundary->kind != BOUNDARY_KERNEL_START || !self->tags.lines) return COUNTED_NOTHING;
    if (launch->keep_l1 && launch->caches != CACHES_COLD) return COUNTED_NOTHING;
    tag_array_invalidate(&self->tags);
    evicted_tags_forget(&self->evicted);
    self->invalidations++;
    return COUNTED_AT_REST;
}

static bool unfinished(Unit *unit, GString *what)
{
    TextureUnit *self = (TextureUnit *)unit;
    if (self->reads_used || self->reader.access) {
        g_string_append_printf(what, "%u reads have not come back from L1", self->reads_used);
        unit_waits_for(unit, port_sender(&self->from_l1));
        return true;
    }
    const uint64_t stores = self->stores_outstanding.now;
    if (!self->cursor.access && !self->ring_used && !stores) return false;
    g_string_append_printf(what, "%u fragments waiting for their data, %u misses outstanding",
                           self->ring_used, self->reorder.used);
    if (stores)
        g_string_append_printf(what, ", %" G_GUINT64_FORMAT " stores not acknowledged", stores);
    if (self->unsent_used) {
        g_string_append_printf(what, ", %u not sent", self->unsent_used);
        unit_waits_for(unit, channel_receiver(&self->to_l1_misses));
    }
    if (self->reorder.used + stores > self->unsent_used)
        unit_waits_for(unit, port_sender(&self->from_l1_fills));
    return true;
}

const UnitClass texture_class = {.name = "texture",
                                 .summary = "texture unit: addresses, run-ahead tags, fragment "
                                            "FIFO, data array, filter",
                                 .per = PER_SM,
                                 .clock = CLOCK_CORE,
                                 .place = PLACE_CORE,
                                 .path = "sm[%u].texture",
                                 .size = sizeof(TextureUnit),
                                 .params = params,
                                 .stats = texture_stats,
                                 .ports = ports,
                                 .resources = texture_resources,
                                 .storage = texture_storage,
                                 .shared = shared,
                                 .setup = setup,
                                 .step = step,
                                 .teardown = teardown,
                                 .boundary = boundary,
                                 .unfinished = unfinished};
