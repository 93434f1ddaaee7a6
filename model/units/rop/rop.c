/* The raster operation unit (ROP) of an L2 slice: atomics, reductions and blending.
 *
 *   from_l2 ──> [look-up in the ROP cache] ── hit ──> [pipeline: so many words a cycle, each word
 *                    │ miss                  ^          once an interval] ──to_l2──> L2 slice
 *               [pending requests]           └──data_from_l2── sectors
 *                    └──to_l2── fetches, write-backs ──> L2 slice ──> DRAM
 *
 * The slice hands over every atomic in order and takes the results to the reply network. Operations
 * on one word follow each other at an interval as long as the cache has its line; without a cache
 * each reads its sectors from the slice and writes them back before the next begins. The values of
 * words are kept here. Surfaces may be stored compressed, tile by tile; a metadata cache knows how.
 *
 * Not modelled: depth and stencil tests, colours; ordinary loads and stores do not see the values.
 * Sources: Aamodt, Fung, Rogers 2018, 4.3; NVIDIA white papers; rates, latency: presets. */
#include <math.h>

#include "parts/sparse.h"
#include "units/rop/private.h"

static const char *const turns[] = {"word", "pipeline", NULL};

static const Param params[] = {
    PARAM_NUMBER(Rop, cache_entries, PARAM_COUNT, "64", 0, 65536,
                 "lines of the ROP cache; 0: none, every operation is a round trip to L2",
                 .perfect = PERFECT(IN("rop_atomics", ">= 16384")), .doubling = TWICE),
    PARAM_NUMBER(Rop, ways, PARAM_COUNT, "16", 1, 65536, "ways of the ROP cache",
                 .only_if = "cache_entries != 0"),
    PARAM_NUMBER(Rop, interval, PARAM_CYCLES, "1 cycle", 1, 10000,
                 "from one operation to the next on the same word",
                 .perfect = PERFECT(IN("rop_atomics", "1 cycle")), .doubling = HALF),
    PARAM_REAL(Rop, partial_interval, "1", 1, 1000,
               "the same in intervals, where words of the sector stay as they are",
               .perfect = PERFECT(IN("rop_atomics", "1"))),
    PARAM_NUMBER(Rop, pipelines, PARAM_COUNT, "1", 1, 64,
                 "requests that are taken side by side, each by a pipeline of so many lanes",
                 .perfect = PERFECT(IN("rop_atomics", "64")), .doubling = TWICE),
    PARAM_NUMBER(
        Rop, lanes, PARAM_COUNT, "8", 1, 256,
        "32-bit words that are operated on in a cycle: of one sector, or of so many neighbours",
        .perfect = PERFECT(IN("rop_atomics", ">= 256", .serves = USE_ATOMICS)), .doubling = TWICE),
    PARAM_ONE_OF(
        Rop, turns, turns, "word",
        "what lanes of a request that want one word hold up until all have had their turn: "
        "this word, or the pipeline",
        .perfect = PERFECT(IN("rop_atomics", "word")), .relieves = "rop_atomics"),
    PARAM_NUMBER(Rop, combine, PARAM_COUNT, "1", 1, 32,
                 "lanes of a request that want one word and are done as one operation",
                 .perfect = PERFECT(IN("rop_atomics", ">= 32")), .doubling = TWICE),
    PARAM_NUMBER(Rop, latency, PARAM_CYCLES, "20 cycles", 1, 10000,
                 "from the start of an operation to its result",
                 .perfect = PERFECT(IN("rop_atomics", "1 cycle")), .doubling = HALF),
    PARAM_NUMBER(Rop, pipeline_entries, PARAM_COUNT, "64", 1, 65536,
                 "requests that are being operated on",
                 .perfect = PERFECT(IN("rop_atomics", ">= 16384")), .doubling = TWICE),
    PARAM_NUMBER(Rop, pending_entries, PARAM_COUNT, "32", 1, 65536, "lines being fetched",
                 .perfect = PERFECT(IN("rop_atomics", ">= 16384")), .doubling = TWICE),
    PARAM_NUMBER(Rop, pending_merges, PARAM_COUNT, "64", 0, 65536,
                 "further requests that may wait for one line",
                 .perfect = PERFECT(IN("rop_atomics", ">= 65536")), .doubling = TWICE),
    PARAM_SWITCH(Rop, compression, "no", "surfaces are stored compressed"),
    PARAM_NUMBER(Rop, metadata_entries, PARAM_COUNT, "64", 1, 65536,
                 "sectors of the metadata cache, fully associative",
                 .perfect = PERFECT(IN("rop_atomics", ">= 16384", .only_if = "compression = yes")),
                 .doubling = TWICE, .only_if = "compression = yes"),
    PARAM_NUMBER(Rop, metadata_tiles, PARAM_COUNT, "64", 1, 65536,
                 "tiles (lines) that a metadata sector describes", .only_if = "compression = yes"),
    PARAM_NUMBER(Rop, metadata_base, PARAM_BYTES, "192 MiB", 0, 0x1p40,
                 "where metadata begins in the memory of a slice", .only_if = "compression = yes"),
    PARAM_END};

static const Stat stats[] = {
    STAT_NUMBER(Rop, requests, STAT_COUNT, "lts__t_requests_op_atom.sum",
                "atomics, reductions and blends taken, a line each",
                RULES(TAKES("atomics of L2 reach the ROPs")),
                ENERGY(IN_STAGE(ROP, rop_energy_of_request))),
    STAT_NUMBER(Rop, blends, STAT_COUNT, NULL, "of these, blends"),
    STAT_NUMBER_OVER_TIME(Rop, operations, STAT_COUNT, "lts__d_atomic_input_cycles_active.sum",
                          "operations of lanes", .map = {"ROP", "operations a core cycle"},
                          .figure = "rop_map", ENERGY(IN_STAGE(ROP, rop_energy_of_operation))),
    STAT_NUMBER(Rop, exchanges, STAT_COUNT, NULL,
                "words read, changed and written: one for lanes that are done as one operation",
                ENERGY(IN_STAGE(ROP, rop_energy_of_exchange))),
    STAT_NUMBER(Rop, hits, STAT_COUNT, NULL, "requests whose sectors the ROP cache had",
                .hits_of = "ROP, lines"),
    STAT_NUMBER(Rop, misses, STAT_COUNT, NULL, "requests that began a fetch",
                .misses_of = "ROP, lines"),
    STAT_NUMBER(Rop, merged, STAT_COUNT, NULL, "requests that joined one",
                .merged_of = "ROP, lines"),
    STAT_NUMBER(Rop, fetches, STAT_COUNT, NULL, "fetches from the L2 slice, without metadata"),
    STAT_NUMBER(Rop, write_backs, STAT_COUNT, NULL, "write-backs to the L2 slice"),
    STAT_NUMBER(Rop, releases, STAT_COUNT, NULL,
                "lines given up that nothing had to be written of"),
    STAT_NUMBER(Rop, recalls, STAT_COUNT, NULL,
                "lines that the slice wanted back for ordinary accesses"),
    EVICTED_TAGS_STATS(Rop, ROP),
    STAT_NUMBER(Rop, same_address, STAT_COUNT, NULL,
                "requests whose first word was that of the request before"),
    STAT_NUMBER(Rop, same_address_runs, STAT_COUNT, NULL, "runs of such requests"),
    STAT_NUMBER(Rop, refused_set, STAT_COUNT, NULL, "head waited: every way of the set is in use",
                .refusal = "set"),
    STAT_NUMBER(Rop, refused_pending, STAT_COUNT, NULL, "head waited: no pending entry",
                .refusal = "pending entries"),
    STAT_NUMBER(Rop, refused_merge, STAT_COUNT, NULL,
                "head waited: no more requests may wait for the line", .refusal = "pending entry"),
    STAT_NUMBER(Rop, refused_pipeline, STAT_COUNT, NULL, "waited: the pipeline is full",
                .refusal = "pipeline"),
    STAT_NUMBER(Rop, refused_output, STAT_COUNT, NULL, "waited: the L2 slice takes no more",
                .refusal = "L2 slice"),
    STAT_NUMBER(Rop, bytes_fetched, STAT_BYTES, NULL, "bytes fetched from the L2 slice",
                ENERGY(IN_STAGE(ROP, rop_energy_of_byte))),
    STAT_NUMBER(Rop, bytes_written_back, STAT_BYTES, NULL, "bytes written back to it",
                .means = MEANS_ROP_BYTES_WRITTEN_BACK, ENERGY(IN_STAGE(ROP, rop_energy_of_byte))),
    STAT_NUMBER(Rop, compressed_fetches, STAT_COUNT, NULL, "misses in compressed tiles"),
    STAT_NUMBER(Rop, metadata_hits, STAT_COUNT, NULL, "misses whose metadata was known"),
    STAT_NUMBER(Rop, metadata_misses, STAT_COUNT, NULL, "misses that fetched metadata first"),
    STAT_NUMBER(Rop, bytes_saved_fetches, STAT_BYTES, NULL,
                "bytes that compression saved in fetches"),
    STAT_NUMBER(Rop, bytes_saved_write_backs, STAT_BYTES, NULL, "and in write-backs"),
    STAT_NUMBER(Rop, bytes_extra, STAT_BYTES, NULL,
                "bytes moved only because a compressed tile is moved whole"),
    STAT_NUMBER(Rop, busy, STAT_TIME, NULL, "time in which pipelines took operations"),
    STAT_OCCUPANCY(Rop, queue, NULL, "requests waiting in front of the ROP"),
    STAT_OCCUPANCY(Rop, pending, NULL, "requests waiting for sectors"),
    STAT_OCCUPANCY(Rop, operating, NULL, "requests in the pipeline"),
    STAT_DISTRIBUTION(Rop, fetch_latency_seen, NULL, "from a fetch to its sectors"),
    STAT_HOTTEST(Rop, hottest,
                 "32-bit words with the most operations, by virtual address; of a request only the "
                 "word that most of its lanes want, of a blend none",
                 .part_of = "operations", .figure = "hottest_atomics"),
    STAT_END};

#define ATOMICS .component = "rop_atomics"
static const ResourceRow resources[] = {
    RESOURCE_ONE_SERVER(Rop, look_ups, "look-ups in the ROP cache",
                        RESOURCE_CAPACITY(Rop, pipelines), .unit = "look-ups",
                        .feeds = "pipe fetching merge_room set_room to_l2", .refuses = "from_l2",
                        ATOMICS),
    RESOURCE_ONE_SERVER(Rop, pipe, "pipeline: so many words a cycle begin",
                        RESOURCE_CAPACITY(Rop, pipelines), .unit = "operations", .headline = "ROP",
                        .feeds = "operating", .refuses = "from_l2", .rests_on = "lanes pipelines",
                        .work = "operations", ATOMICS),
    RESOURCE_ONE_SERVER(
        Rop, word_turns,
        "turns on words: an interval between those on the same, where the pipeline is through "
        "before they begin; without a cache a round trip",
        .unit = "operations", .feeds = "to_l2", .refuses = "operating",
        .rests_on = "interval cache_entries", .work = "operations", ATOMICS),
    RESOURCE_ONE_PLACE(Rop, operating, "requests in the pipeline",
                       RESOURCE_CAPACITY(Rop, pipeline_entries), .unit = "requests",
                       .feeds = "word_turns to_l2", .refuses = "from_l2 data_from_l2",
                       .refusals = "refused_pipeline", ATOMICS),
    RESOURCE_ONE_PLACE(Rop, fetching, "pending entries: lines being fetched",
                       RESOURCE_CAPACITY(Rop, pending_entries), .unit = "lines", .feeds = "to_l2",
                       .refuses = "from_l2", .refusals = "refused_pending", ATOMICS),
    RESOURCE_ONE_PLACE(
        Rop, merge_room, "requests that joined a fetch, as many for each as pending_merges",
        RESOURCE_CAPACITY(Rop, merges_most), .unit = "requests", .feeds = "fetching word_turns",
        .refuses = "from_l2", .refusals = "refused_merge",
        .rests_on = "pending_entries pending_merges", .in_parts = true, ATOMICS),
    RESOURCE_ONE_PLACE(Rop, set_room, "ways of sets that are fetched or operated on",
                       RESOURCE_CAPACITY(Rop, cache_entries), .unit = "ways",
                       .feeds = "fetching operating", .refuses = "from_l2",
                       .refusals = "refused_set", .in_parts = true, ATOMICS),
    RESOURCE_END};

static const PortRow ports[] = {PORT_INPUT(Rop, data_from_l2, "sectors that were fetched"),
                                PORT_INPUT(Rop, from_l2, "atomics, and lines that are wanted back"),
                                PORT_OUTPUT(Rop, to_l2, "results, fetches and write-backs"),
                                PORT_END};

static const SharedRow shared[] = {SHARED(Rop, line), SHARED(Rop, address_map), SHARED_END};

static bool check(const Rop *self, GError **error)
{
    if (self->cache_entries % self->ways) {
        g_set_error(error, PARAM_ERROR, 0,
                    "rop.cache_entries = %" G_GUINT64_FORMAT
                    ": not a whole number of sets of %" G_GUINT64_FORMAT " ways",
                    self->cache_entries, self->ways);
        return false;
    }
    if (self->compression && !rop_has_cache(self)) {
        g_set_error(
            error, PARAM_ERROR, 0,
            "rop.cache_entries = 0: tiles are compressed as they leave the ROP cache, which "
            "needs entries where rop.compression = yes");
        return false;
    }
    return true;
}

static bool setup(Unit *unit, GError **error)
{
    Rop *self = (Rop *)unit;
    if (!check(self, error)) return false;
    const uint64_t words = self->line->line_bytes / WORD_BYTES;
    if (rop_has_cache(self)) {
        tag_array_init(&self->tags, &(TagArrayShape){.sets = self->cache_entries / self->ways,
                                                     .ways = self->ways});
        evicted_tags_init(&self->evicted, self->cache_entries);
    }
    tag_array_init(&self->metadata, &(TagArrayShape){.sets = 1, .ways = self->metadata_entries});
    pending_request_table_init(&self->table, (uint32_t)self->pending_entries);
    word_table_init(&self->values, 6);
    self->word_free_at = SPARSE_ARRAY(Time, self->cache_entries * words);
    self->fetched_since = SPARSE_ARRAY(Time, self->pending_entries);
    self->held_since = SPARSE_ARRAY(Time, self->cache_entries);
    self->tile = SPARSE_ARRAY(uint8_t, self->cache_entries);
    self->pipeline = SPARSE_ARRAY(Operating, self->pipeline_entries);
    self->merges_most = self->pending_entries * self->pending_merges;
    self->partial_turn = (Time)llround(self->partial_interval
                                       * (double)clock_cycles(self->unit.clock, self->interval));
    return true;
}

static void teardown(Unit *unit)
{
    Rop *self = (Rop *)unit;
    if (!self->pipeline) return;
    if (rop_has_cache(self)) {
        tag_array_finish(&self->tags);
        evicted_tags_finish(&self->evicted);
    }
    tag_array_finish(&self->metadata);
    pending_request_table_finish(&self->table);
    word_table_finish(&self->values);
    sparse_free(self->word_free_at);
    sparse_free(self->fetched_since);
    sparse_free(self->held_since);
    sparse_free(self->tile);
    sparse_free(self->pipeline);
}

static void see_arrivals(Rop *self, Time now)
{
    for (; self->seen < self->from_l2.count; self->seen++) {
        Transaction *transaction = (Transaction *)port_peek_at(&self->from_l2, self->seen);
        transaction->entered = now;
        level_enter(&self->queue, now);
    }
}

/* One look-up a cycle for each pipeline, and not before one has taken the request before. */
static bool take_request(Rop *self, Time now)
{
    const Time cycle = self->unit.clock->period;
    Transaction *transaction = (Transaction *)port_peek(&self->from_l2);
    if (!transaction || rop_next_at(self) > now) return false;
    const Time looked_up = MAX(self->free_at, now) + time_share(cycle, self->pipelines);
    if (!rop_handle(self, transaction, now)) return false;
    port_take(&self->from_l2, now);
    self->seen--;
    self->free_at = MAX(self->free_at, looked_up);
    server_book_share(&self->look_ups, now, cycle, self->pipelines);
    return true;
}

static void step(Unit *unit, Time now)
{
    Rop *self = (Rop *)unit;
    see_arrivals(self, now);
    rop_complete(self, now);
    rop_take_data(self, now);
    while (take_request(self, now)) continue;
    if (self->pipeline_count && self->pipeline[self->pipeline_first].done > now)
        unit_wake_at(unit, self->pipeline[self->pipeline_first].done);
    if (self->seen && rop_next_at(self) > now) unit_wake_at(unit, rop_next_at(self));
}

/* As if the host cleared its counters before each launch. */
static Counted boundary(Unit *unit, const Boundary *boundary)
{
    if (boundary->kind == BOUNDARY_KERNEL_START && !boundary->launch->concurrent)
        word_table_clear(&((Rop *)unit)->values);
    return COUNTED_NOTHING;
}

static bool unfinished(Unit *unit, GString *what)
{
    Rop *self = (Rop *)unit;
    if (!self->table.used && !self->pipeline_count) return false;
    g_string_append_printf(what, "%u lines to be fetched, %u requests in the pipeline",
                           self->table.used, self->pipeline_count);
    unit_waits_for(unit, port_sender(&self->from_l2));
    return true;
}

const UnitClass rop_class = {.name = "rop",
                             .summary =
                                 "raster operation unit: atomics and blending at an L2 slice",
                             .per = PER_SLICE,
                             .clock = CLOCK_L2,
                             .place = PLACE_MEMORY,
                             .path = "partition[%u].slice[%u].rop",
                             .size = sizeof(Rop),
                             .params = params,
                             .stats = stats,
                             .resources = resources,
                             .storage = rop_storage,
                             .ports = ports,
                             .shared = shared,
                             .setup = setup,
                             .step = step,
                             .teardown = teardown,
                             .boundary = boundary,
                             .unfinished = unfinished};
