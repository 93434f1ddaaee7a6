/* The memory management unit that all SMs share: the second-level TLB and the page walkers.
 *
 *   L1s ──from_l1[i]──> [L2 TLB look-up] ── hit ──────────────────────────to_l1[i]──> L1s
 *                             │ miss                                         ^
 *                       [misses, merged] ──> [walkers: page-walk cache,] ────┘
 *                                            [levels of the page table ] <─to_l2, from_l2─> L2
 *
 * Requests are looked up in the order in which they came, a few a cycle. Misses to what one entry
 * of the L2 TLB covers share a walk. A walk reads the levels of the page table one after the
 * other and skips those that the page-walk cache holds; where that has the last level's entry
 * (Maxwell's third-level TLB), the walk takes a short fixed time. A level takes a fixed time, and
 * with walks_read_l2 what a read of L2 takes besides, by a path of the MMU's own (mmu/walk.c). No
 * TLB is flushed between kernels.
 *
 * Not modelled: page faults (pages that are with the host are the pager's), permissions, several
 * page sizes at a time, invalidation of TLBs. Sources: 8 GiB of coverage in 32 MiB entries (Jia et
 * al. 2018, Table 3.1: V100); 9 cycles of an L1 TLB miss calibrated to gpu-benches' gpu-latency on
 * V100; one walker for many threads and a page-walk cache (Power, Hill, Wood 2014); a switch of the
 * active part of the page table (Mei and Chu 2017). */
#include "units/mmu/private.h"

#define WALK_CACHE .only_if = "walk_cache_entries != 0"

static const Param params[] = {
    PARAM_SWITCH(Mmu, enabled, "no", "no: translation costs nothing and no request is ever sent",
                 .perfect = PERFECT(IN("translation", "no", .needs = "enabled = yes"))),
    PARAM_NUMBER(Mmu, tlb_entries, PARAM_COUNT, "256", 0, 1048576, "entries of the L2 TLB",
                 .doubling = TWICE),
    PARAM_NUMBER(Mmu, tlb_ways, PARAM_COUNT, "0", 0, 1048576,
                 "ways of the L2 TLB; 0: fully associative"),
    PARAM_NUMBER(Mmu, tlb_entry_bytes, PARAM_BYTES, "32 MiB", 4096, 0x1p48,
                 "what an entry of the L2 TLB covers"),
    PARAM_NUMBER(Mmu, hit_latency, PARAM_CYCLES, "3 cycles", 1, 10000, "look-up in the L2 TLB",
                 .doubling = HALF),
    PARAM_NUMBER(Mmu, lookups_per_cycle, PARAM_COUNT, "4", 1, 1024, "ports of the L2 TLB",
                 .doubling = TWICE),
    PARAM_NUMBER(Mmu, miss_entries, PARAM_COUNT, "128", 1, 65536,
                 "misses that can wait for a walk or be walked", .doubling = TWICE),
    PARAM_NUMBER(Mmu, walkers, PARAM_COUNT, "32", 1, 1024, "page walks at a time",
                 .doubling = TWICE),
    PARAM_NUMBER(Mmu, walk_levels, PARAM_COUNT, "4", 1, WALK_LEVELS_MAX,
                 "levels of the page table"),
    PARAM_NUMBER(Mmu, walk_level_latency, PARAM_CYCLES, "200 cycles", 1, 100000,
                 "a level of a walk; with walks_read_l2 what it takes besides its read",
                 .doubling = HALF),
    PARAM_SWITCH(Mmu, walks_read_l2, "no",
                 "yes: each level is read through L2, by the walker's own request; no: in "
                 "walk_level_latency, and nobody else notices"),
    PARAM_NUMBER(Mmu, walk_hit_latency, PARAM_CYCLES, "64 cycles", 1, 100000,
                 "a walk whose last level is in the page-walk cache", .doubling = HALF, WALK_CACHE),
    PARAM_NUMBER(Mmu, walk_cache_entries, PARAM_COUNT, "0", 0, 1048576,
                 "last-level entries in the page-walk cache (third-level TLB); 0: none",
                 .doubling = TWICE),
    PARAM_NUMBER(Mmu, walk_cache_ways, PARAM_COUNT, "0", 0, 1048576,
                 "its ways; 0: fully associative", WALK_CACHE),
    PARAM_NUMBER(Mmu, walk_cache_entry_bytes, PARAM_BYTES, "32 MiB", 4096, 0x1p48,
                 "what such an entry covers", WALK_CACHE),
    PARAM_NUMBER(Mmu, directory_entries, PARAM_COUNT, "16", 0, 65536,
                 "entries in the page-walk cache for each level above the last; 0: none",
                 .doubling = TWICE),
    PARAM_NUMBER(Mmu, directory_entry_bytes, PARAM_BYTES, "512 MiB", 4096, 0x1p56,
                 "what an entry of the level above the last covers"),
    PARAM_NUMBER(Mmu, directory_fanout_bits, PARAM_COUNT, "9", 1, 20,
                 "an entry covers 2 to this power entries of the level below, further up"),
    PARAM_NUMBER(Mmu, active_window, PARAM_BYTES, "0 B", 0, 0x1p56,
                 "bytes whose part of the page table can be active at a time; 0: all"),
    PARAM_NUMBER(Mmu, window_switch_latency, PARAM_CYCLES, "0 cycles", 0, 100000,
                 "added to a walk that reads memory and leaves the active window", .doubling = HALF,
                 .only_if = "active_window != 0 B"),
    PARAM_END};

static const Stat stats[] = {
    STAT_NUMBER(Mmu, requests, STAT_COUNT, NULL, "translations asked for by L1s and looked up",
                .accesses_of = "MMU, TLBs", RULES(GIVES("translations are answered")),
                ENERGY(IN_STAGE(TRANSLATE, mmu_energy_of_request))),
    STAT_NUMBER(Mmu, replies, STAT_COUNT, NULL, "translations sent back",
                RULES(TAKES("translations are answered"))),
    STAT_NUMBER(Mmu, hits, STAT_COUNT, NULL, "found in the L2 TLB", .hits_of = "MMU, TLBs"),
    STAT_NUMBER(Mmu, misses, STAT_COUNT, NULL, "not found: a walk of their own",
                .misses_of = "MMU, TLBs"),
    STAT_NUMBER(Mmu, merged, STAT_COUNT, NULL, "not found, but there is a walk for them",
                .merged_of = "MMU, TLBs"),
    STAT_NUMBER(Mmu, refused_misses, STAT_COUNT, NULL,
                "times the head had to wait: all entries for misses taken",
                .refusal = "entries for misses"),
    STAT_NUMBER(Mmu, walks, STAT_COUNT, NULL, "page walks begun"),
    STAT_NUMBER(Mmu, walk_cache_hits, STAT_COUNT, NULL,
                "walks whose last level was in the page-walk cache"),
    STAT_NUMBER(Mmu, levels_read, STAT_COUNT, NULL,
                "levels of the page table read, not found in the page-walk cache"),
    STAT_NUMBER(Mmu, table_reads, STAT_COUNT, NULL, "of these, requests to L2",
                RULES(GIVES("requests arrive in L2"), GIVES("reads of page tables are answered"))),
    STAT_NUMBER(Mmu, table_replies, STAT_COUNT, NULL, "replies of L2 to them",
                RULES(TAKES("reads of page tables are answered"))),
    STAT_NUMBER(Mmu, window_switches, STAT_COUNT, NULL,
                "walks that made another part of the page table active"),
    STAT_OCCUPANCY(Mmu, queue, NULL, "requests waiting to be looked up"),
    STAT_OCCUPANCY(Mmu, walks_waiting, NULL, "misses that no walker has begun with"),
    STAT_OCCUPANCY_OVER_TIME(Mmu, walkers_busy, NULL, "walkers at work",
                             CURVES(CURVE("MMU: page walks"))),
    STAT_DISTRIBUTION(Mmu, latency_seen, NULL, "from L1's request until the answer leaves"),
    STAT_DISTRIBUTION(Mmu, read_latency_seen, NULL,
                      "walks_read_l2: from a walker's request to L2's reply"),
    STAT_END};

#define TRANSLATION .component = "translation"

static const ResourceRow resources[] = {
    RESOURCE_ONE_SERVER(Mmu, tlb_ports, "ports of the L2 TLB",
                        RESOURCE_CAPACITY(Mmu, lookups_per_cycle), .unit = "look-ups", TRANSLATION,
                        .work = "requests", .feeds = "miss_room to_l1", .refuses = "from_l1"),
    RESOURCE_ONE_PLACE(Mmu, miss_room, "misses of the L2 TLB: waiting for a walk, or walked",
                       RESOURCE_CAPACITY(Mmu, miss_entries), .unit = "misses", TRANSLATION,
                       .feeds = "walkers_busy", .refuses = "from_l1", .refusals = "refused_misses"),
    RESOURCE_ONE_PLACE(Mmu, walkers_busy, "page walkers", RESOURCE_CAPACITY(Mmu, walkers),
                       .unit = "walks", TRANSLATION, .feeds = "to_l1", .refuses = "miss_room"),
    RESOURCE_END};

static const PortRow ports[] = {PORT_INPUTS(Mmu, from_l1, "translations that L1 TLBs lack"),
                                PORT_INPUTS(Mmu, from_l2, "levels of the page table"),
                                PORT_OUTPUTS(Mmu, to_l1, "translations that are known now"),
                                PORT_OUTPUTS(Mmu, to_l2, "reads of levels of the page table"),
                                PORT_END};

static const SharedRow shared[] = {SHARED(Mmu, line), SHARED(Mmu, address_map), SHARED(Mmu, pages),
                                   SHARED_END};

static bool setup(Unit *unit, GError **error)
{
    Mmu *self = (Mmu *)unit;
    const PageWalkShape shape = {
        .levels = self->walk_levels,
        .last = {self->walk_cache_entries, self->walk_cache_ways, self->walk_cache_entry_bytes},
        .upper = {self->directory_entries, 0, self->directory_entry_bytes},
        .fanout_bits = self->directory_fanout_bits};
    if (!self->enabled) return true;
    if (!tlb_init(&self->tlb, "tlb",
                  (TlbShape){self->tlb_entries, self->tlb_ways, self->tlb_entry_bytes}, error)
        || !page_walk_cache_init(&self->walk_cache, &shape, error)) {
        g_prefix_error(error, "%s.", unit->class->name);
        return false;
    }
    self->page_table = (PageTable){.page_bytes = self->pages->page_bytes,
                                   .tlb_entry_bytes = self->tlb_entry_bytes,
                                   .directory_entry_bytes = self->directory_entry_bytes,
                                   .fanout_bits = self->directory_fanout_bits,
                                   .line_bytes = self->line->line_bytes,
                                   .sector_bytes = self->line->sector_bytes};
    pending_request_table_init(&self->table, (uint32_t)self->miss_entries);
    self->waiting = g_new(uint32_t, self->miss_entries);
    self->walked_for = g_new0(MessageList, self->miss_entries);
    self->walker = g_new0(Walker, self->walkers);
    for (uint64_t i = 0; i < self->walkers; i++) self->walker[i].miss = PRT_NONE;
    self->seen = g_new0(uint32_t, self->from_l1.count);
    self->window = UINT64_MAX;
    return true;
}

static void teardown(Unit *unit)
{
    Mmu *self = (Mmu *)unit;
    tlb_finish(&self->tlb);
    page_walk_cache_finish(&self->walk_cache);
    pending_request_table_finish(&self->table);
    g_free(self->waiting);
    g_free(self->walked_for);
    g_free(self->walker);
    g_free(self->seen);
}

/* --- answers ---------------------------------------------------------------------------------- */

void mmu_answer(Mmu *self, Translation *request, Time when)
{
    self->replies++;
    histogram_add(&self->latency_seen, when - request->requested);
    channel_send(&self->to_l1.at[request->source], &request->message, when);
}

/* --- look-ups --------------------------------------------------------------------------------- */

/* The entry of its walk; PRT_NONE: none is free. */
static uint32_t miss(Mmu *self, Translation *request, Time now)
{
    const uint64_t range = tlb_range(&self->tlb, request->address);
    uint32_t index = pending_request_table_find(&self->table, range, 1);
    if (index != PRT_NONE) {
        self->merged++;
    } else {
        index = pending_request_table_allocate(&self->table, range, 1);
        if (index == PRT_NONE) return PRT_NONE;
        self->misses++;
        self->waiting[(self->waiting_head + self->waiting_count++) % self->table.capacity] = index;
        level_enter(&self->walks_waiting, now);
        level_enter(&self->miss_room, now);
    }
    request->entered = now + clock_cycles(self->unit.clock, self->hit_latency);
    return index;
}

static void look_up(Mmu *self, Translation *request, Time now)
{
    const Time came = request->entered;
    server_book_share(&self->tlb_ports, now, self->unit.clock->period, self->lookups_per_cycle);
    const bool hit = tlb_look_up(&self->tlb, request->address);
    const uint32_t walk = hit ? PRT_NONE : miss(self, request, now);
    self->refused = !hit && walk == PRT_NONE;
    self->refused_misses += self->refused;
    if (self->refused) return;
    self->hits += hit;
    self->requests++;
    self->seen[request->source]--;
    level_leave(&self->queue, now, came);
    port_take(&self->from_l1.at[request->source], now);
    message_list_take(&self->arrived);
    if (hit)
        mmu_answer(self, request, now + clock_cycles(self->unit.clock, self->hit_latency));
    else
        message_list_append(&self->walked_for[walk], &request->message);
}

static void see_arrivals(Mmu *self, uint32_t port, Time now)
{
    for (; self->seen[port] < self->from_l1.at[port].count; self->seen[port]++) {
        Translation *request =
            (Translation *)port_peek_at(&self->from_l1.at[port], self->seen[port]);
        request->entered = now;
        message_list_append(&self->arrived, &request->message);
        level_enter(&self->queue, now);
    }
}

static void see_fresh(Mmu *self, uint32_t order, Time now)
{
    const uint32_t port = port_array_index(&self->from_l1, order);
    if (port < self->from_l1.count)
        see_arrivals(self, port, now);
    else
        mmu_take_levels(self, self->unit.ports[order], now);
}

static void step(Unit *unit, Time now)
{
    Mmu *self = (Mmu *)unit;
    for (uint32_t k = 0; k < unit->fresh_count; k++) see_fresh(self, unit->fresh[k], now);
    mmu_end_walks(self, now);
    for (uint64_t n = 0; n < self->lookups_per_cycle && self->arrived.first && !self->refused; n++)
        look_up(self, (Translation *)self->arrived.first, now);
    if (self->arrived.first && !self->refused)
        unit_wake_at(unit, now + clock_cycles(unit->clock, 1));
    mmu_start_walks(self, now);
}

static bool unfinished(Unit *unit, GString *what)
{
    Mmu *self = (Mmu *)unit;
    if (!self->table.used) return false;
    g_string_append_printf(what, "%u walks outstanding", self->table.used);
    for (uint64_t i = 0; i < self->walkers; i++)
        if (self->walker[i].miss != PRT_NONE && self->walker[i].done == TIME_NEVER)
            unit_waits_for(unit, channel_receiver(&self->to_l2.at[self->walker[i].slice]));
    return true;
}

const UnitClass mmu_class = {
    .name = "mmu",
    .summary = "second-level TLB and page walkers, shared by all SMs",
    .per = PER_MACHINE,
    .clock = CLOCK_CORE,
    .place = PLACE_SHARED,
    .path = "mmu",
    .size = sizeof(Mmu),
    .params = params,
    .stats = stats,
    .ports = ports,
    .shared = shared,
    .resources = resources,
    .storage = mmu_storage,
    .facts =
        (const FactRow[]){{"L2 TLB covers", "tlb_entries * tlb_entry_bytes", FACT_BYTES_OF_ALL},
                          FACT_END},
    .setup = setup,
    .step = step,
    .teardown = teardown,
    .unfinished = unfinished};
