/* A streaming multiprocessor: residency, warp schedulers, in-order issue with a scoreboard.
 *
 *   CTA dispatcher ──from_dispatcher──> [warps] ─> scheduler 0..n ─┬─> execution units
 *                  <──to_dispatcher───                              └──to_load_store──> load/store
 *   registers written <──from_l1, from_load_store──
 *
 * A warp's next instruction waits for the registers it reads and writes: of loads until they
 * come back, of arithmetic until its latency is over. Each scheduler issues one instruction a
 * cycle from its own warps (slot modulo schedulers), loose round robin or greedy then oldest;
 * the SM issues one memory instruction a cycle. A warp ends when its loads are back and its
 * stores have left for L2.
 *
 * Not modelled: register banks, dual issue, instruction caches, divergence (the stream says
 * which lanes are active). A run of dependent arithmetic instructions (`repeat`) takes its issue
 * slots at once. Sources: four schedulers, 64 warps, 65536 registers (V100 white paper);
 * latencies of FP32, FP64, SFU (Jia et al. 2018, Table 4.1). */
#include "kit/occupancy.h"
#include "kit/unit.h"
#include "parts/cta_slots.h"
#include "parts/scoreboard.h"
#include "parts/warp_pool.h"

_Static_assert((int)EXECUTION_UNITS <= WARP_POOL_NO_UNIT, "the pool has enough units");

typedef struct {
    const Kernel *kernel;
    WarpCursor cursor;
    Instruction next;
    Scoreboard scoreboard;
    uint32_t cta; /* slot */
    bool waits;   /* for memory */
    Time started, waits_since;
} Warp;

typedef struct {
    Unit unit;
    Port from_dispatcher, from_l1, from_shared, from_load_store;
    Channel to_dispatcher, to_load_store;

    uint32_t scheduler_policy;
    uint64_t schedulers, max_threads, max_warps, max_ctas, registers, register_granularity,
        shared_memory;
    uint64_t fp32_latency, fp64_latency, sfu_latency, int_latency, other_latency;
    uint64_t fp32_interval, fp64_interval, sfu_interval, int_interval, other_interval;
    uint64_t memory_interval, barrier_latency;
    bool cta_waits_for_stores;

    uint64_t warp_instructions, thread_instructions, memory_instructions, requested_bytes, ctas,
        barriers;
    uint64_t load_instructions, store_instructions;
    uint64_t lost_memory_slot, lost_unit_busy, lost_no_ready_warp, issue_cycles;
    Level resident_warps, waiting_for_loads, resident_ctas;
    Histogram load_latency, dependent_load_latency;

    Warp *warp;
    WarpPool pool;
    CtaSlots ctas_resident; /* of CtaMessage */
    Time memory_free;
    Time latency[EXECUTION_UNITS];
    uint32_t first_scheduler;
    bool memory_blocked; /* a credit of the load/store unit will wake us */
} SM;

static const char *const policies[] = {"loose_round_robin", "greedy_then_oldest", NULL};

static const Param params[] = {
    PARAM_ONE_OF(SM, scheduler_policy, policies, "greedy_then_oldest",
                 "which ready warp a scheduler issues from"),
    PARAM_NUMBER(SM, schedulers, PARAM_COUNT, "4", 1, WARP_POOL_SCHEDULERS, "warp schedulers"),
    PARAM_NUMBER(SM, max_threads, PARAM_COUNT, "2048", 32, 65536, "resident threads"),
    PARAM_NUMBER(SM, max_warps, PARAM_COUNT, "64", 1, WARP_POOL_WARPS, "resident warps"),
    PARAM_NUMBER(SM, max_ctas, PARAM_COUNT, "32", 1, CTA_SLOTS, "resident CTAs"),
    PARAM_NUMBER(SM, registers, PARAM_COUNT, "65536", 32, 16777216, "32-bit registers"),
    PARAM_NUMBER(SM, register_granularity, PARAM_COUNT, "256", 1, 65536,
                 "registers a warp's allocation is rounded up to"),
    PARAM_NUMBER(SM, shared_memory, PARAM_BYTES, "96 KiB", 0, 16777216,
                 "shared memory that CTAs can have together"),
    PARAM_NUMBER(SM, fp32_latency, PARAM_CYCLES, "4 cycles", 1, 10000, "FP32 to dependent issue"),
    PARAM_NUMBER(SM, fp64_latency, PARAM_CYCLES, "8 cycles", 1, 10000, "FP64 to dependent issue"),
    PARAM_NUMBER(SM, sfu_latency, PARAM_CYCLES, "14 cycles", 1, 10000, "SFU to dependent issue"),
    PARAM_NUMBER(SM, int_latency, PARAM_CYCLES, "4 cycles", 1, 10000, "integer to dependent issue"),
    PARAM_NUMBER(SM, other_latency, PARAM_CYCLES, "4 cycles", 1, 10000, "other to dependent issue"),
    PARAM_NUMBER(SM, fp32_interval, PARAM_CYCLES, "2 cycles", 1, 1000, "FP32 lanes, cycles a warp"),
    PARAM_NUMBER(SM, fp64_interval, PARAM_CYCLES, "4 cycles", 1, 1000, "FP64 lanes, cycles a warp"),
    PARAM_NUMBER(SM, sfu_interval, PARAM_CYCLES, "8 cycles", 1, 1000, "SFU lanes, cycles a warp"),
    PARAM_NUMBER(SM, int_interval, PARAM_CYCLES, "2 cycles", 1, 1000, "INT lanes, cycles a warp"),
    PARAM_NUMBER(SM, other_interval, PARAM_CYCLES, "1 cycle", 1, 1000,
                 "other units, cycles a warp"),
    PARAM_NUMBER(SM, memory_interval, PARAM_CYCLES, "1 cycle", 1, 1000,
                 "cycles from one memory instruction of the SM to the next"),
    PARAM_NUMBER(SM, barrier_latency, PARAM_CYCLES, "10 cycles", 1, 10000,
                 "from the last warp's arrival until the CTA goes on"),
    PARAM_SWITCH(SM, cta_waits_for_stores, "no",
                 "a warp ends only when its stores are acknowledged"),
    PARAM_END};

static const Stat stats[] = {
    STAT_NUMBER(SM, warp_instructions, STAT_COUNT, "sm__inst_executed.sum",
                "warp instructions issued"),
    STAT_NUMBER(SM, thread_instructions, STAT_COUNT, "smsp__thread_inst_executed.sum",
                "the same, times active lanes"),
    STAT_NUMBER(SM, memory_instructions, STAT_COUNT, "smsp__inst_executed_pipe_lsu.sum",
                "loads, stores and atomics issued"),
    STAT_NUMBER(SM, load_instructions, STAT_COUNT, "smsp__inst_executed_op_global_ld.sum",
                "of these, loads"),
    STAT_NUMBER(SM, store_instructions, STAT_COUNT, "smsp__inst_executed_op_global_st.sum",
                "of these, stores"),
    STAT_NUMBER(SM, requested_bytes, STAT_BYTES, NULL, "bytes that lanes load and store"),
    STAT_NUMBER(SM, ctas, STAT_COUNT, "sm__ctas_launched.sum", "CTAs completed"),
    STAT_NUMBER(SM, barriers, STAT_COUNT, NULL, "barriers that a CTA passed"),
    STAT_NUMBER(SM, issue_cycles, STAT_COUNT, "sm__inst_issued.sum",
                "cycles in which something was issued"),
    STAT_NUMBER(SM, lost_memory_slot, STAT_COUNT,
                "smsp__warp_issue_stalled_lg_throttle_per_warp_active.pct",
                "steps in which a ready memory instruction found no slot"),
    STAT_NUMBER(SM, lost_unit_busy, STAT_COUNT,
                "smsp__warp_issue_stalled_math_pipe_throttle_per_warp_active.pct",
                "ready instructions that found their execution unit occupied"),
    STAT_NUMBER(SM, lost_no_ready_warp, STAT_COUNT, "smsp__issue_inst0.sum",
                "scheduler steps without a ready warp"),
    STAT_OCCUPANCY(SM, resident_warps, "sm__warps_active.avg.per_cycle_active", "resident warps"),
    STAT_OCCUPANCY(SM, waiting_for_loads,
                   "smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct",
                   "warps whose next instruction waits for a load"),
    STAT_OCCUPANCY(SM, resident_ctas, NULL, "resident CTAs"),
    STAT_DISTRIBUTION(SM, load_latency, NULL,
                      "warp loads, from issue until the registers are written"),
    STAT_DISTRIBUTION(SM, dependent_load_latency, NULL,
                      "of these, loads of one chain (pointer chase)"),
    STAT_END};

static const PortRow ports[] = {
    PORT_INPUT(SM, from_l1, "completed memory instructions"),
    PORT_INPUT(SM, from_shared, "completed shared-memory accesses"),
    PORT_INPUT(SM, from_load_store, "constants; operands of reductions have been read"),
    PORT_INPUT(SM, from_dispatcher, "kernel starts and CTAs"),
    PORT_OUTPUT(SM, to_dispatcher, "room and completed CTAs"),
    PORT_OUTPUT(SM, to_load_store, "memory instructions"),
    PORT_END};

static bool setup(Unit *unit, GError **error)
{
    (void)error;
    SM *self = (SM *)unit;
    self->warp = g_new0(Warp, self->max_warps);
    warp_pool_init(&self->pool, (WarpPolicy)self->scheduler_policy, (uint32_t)self->schedulers,
                   unit->clock->period);
    const uint64_t latency[EXECUTION_UNITS] = {self->fp32_latency, self->fp64_latency,
                                               self->sfu_latency,  self->int_latency,
                                               self->sfu_latency,  self->other_latency};
    const uint64_t interval[EXECUTION_UNITS] = {self->fp32_interval, self->fp64_interval,
                                                self->sfu_interval,  self->int_interval,
                                                self->sfu_interval,  self->other_interval};
    for (uint32_t u = 0; u < EXECUTION_UNITS; u++) {
        self->latency[u] = clock_cycles(unit->clock, latency[u]);
        self->pool.interval[u] = clock_cycles(unit->clock, interval[u]);
    }
    return true;
}

static void teardown(Unit *unit)
{
    g_free(((SM *)unit)->warp);
}

/* --- scoreboard ------------------------------------------------------------------------------- */

static ScoreboardNeeds needs_of(const SM *self, const Instruction *next)
{
    const bool exits = next->operation == OPERATION_EXIT;
    const bool fences = next->operation == OPERATION_FENCE;
    return (ScoreboardNeeds){.sources = next->sources,
                             .source_count = next->source_count,
                             .destination = next->destination,
                             .destination_count = next->destination_count,
                             .loads_done = exits || fences,
                             .stores_left = exits || next->operation == OPERATION_WAIT_STORES,
                             .stores_acknowledged =
                                 fences || (exits && self->cta_waits_for_stores)};
}

/* Decides what the warp's next instruction waits for; it may issue at `earliest` at the soonest. */
static void classify(SM *self, uint32_t w, Time earliest, Time now)
{
    Warp *warp = &self->warp[w];
    const Scoreboard *board = &warp->scoreboard;
    const Instruction *next = &warp->next;
    const ScoreboardNeeds needs = needs_of(self, next);
    warp_pool_describe_next(&self->pool, w, instruction_is_memory(next),
                            next->operation == OPERATION_ALU ? next->unit : WARP_POOL_NO_UNIT);
    if (scoreboard_must_wait(board, &needs))
        warp_pool_wait(&self->pool, w);
    else
        warp_pool_ready_at(&self->pool, w, scoreboard_may_issue_at(board, &needs, earliest));
    const bool waits = self->pool.waiting >> w & 1;
    if (waits == warp->waits) return;
    if (waits)
        level_enter(&self->waiting_for_loads, now);
    else
        level_leave(&self->waiting_for_loads, now, warp->waits_since);
    warp->waits = waits;
    warp->waits_since = now;
}

/* --- CTAs ------------------------------------------------------------------------------------- */

static void offer_room(SM *self, CtaMessage *message, Time now)
{
    const OccupancyLimits limits = {.ctas = self->max_ctas,
                                    .threads = self->max_threads,
                                    .warps = self->max_warps,
                                    .registers = self->registers,
                                    .register_granularity = self->register_granularity,
                                    .shared_bytes = self->shared_memory};
    GError *error = NULL;
    message->count = (uint32_t)occupancy_ctas(&limits, message->kernel, &error);
    if (message->count)
        channel_send(&self->to_dispatcher, &message->message, now);
    else
        unit_reject_input(&self->unit, error);
}

static void fetch_next(SM *self, uint32_t w, Time earliest, Time now)
{
    Warp *warp = &self->warp[w];
    warp->kernel->class->fetch(warp->kernel, &warp->cursor, &warp->next);
    classify(self, w, earliest, now);
}

static void start_warp(SM *self, uint32_t cta, uint32_t number, Time now)
{
    const uint32_t w = warp_pool_start(&self->pool);
    const CtaMessage *message = self->ctas_resident.slot[cta].cta;
    Warp *warp = &self->warp[w];
    *warp = (Warp){.kernel = message->kernel, .cta = cta, .started = now};
    warp->cursor = (WarpCursor){.cta = message->cta, .warp = number, .stream = message->stream};
    cta_slots_add_warp(&self->ctas_resident, cta, w);
    level_enter(&self->resident_warps, now);
    fetch_next(self, w, now, now);
}

static void start_cta(SM *self, CtaMessage *message, Time now)
{
    const uint32_t slot = cta_slots_open(&self->ctas_resident, message);
    level_enter(&self->resident_ctas, now);
    for (uint32_t i = 0; i < kernel_warps(message->kernel); i++) start_warp(self, slot, i, now);
}

static void release_barrier(SM *self, uint32_t cta, Time now)
{
    uint64_t passing = cta_slots_pass_barrier(&self->ctas_resident, cta);
    const Time at = now + clock_cycles(self->unit.clock, self->barrier_latency);
    self->barriers += passing != 0;
    for (; passing; passing &= passing - 1)
        fetch_next(self, (uint32_t)__builtin_ctzll(passing), at, now);
}

static void arrive_at_barrier(SM *self, uint32_t w, Time now)
{
    warp_pool_hold(&self->pool, w);
    cta_slots_arrive(&self->ctas_resident, self->warp[w].cta, w);
    release_barrier(self, self->warp[w].cta, now);
}

/* The others of its CTA may have waited only for this one at their barrier. */
static void end_warp(SM *self, uint32_t w, Time now)
{
    const uint32_t slot = self->warp[w].cta;
    warp_pool_end(&self->pool, w);
    level_leave(&self->resident_warps, now, self->warp[w].started);
    CtaMessage *completed = cta_slots_end_warp(&self->ctas_resident, slot, w);
    release_barrier(self, slot, now);
    if (!completed) return;
    self->ctas++;
    level_leave(&self->resident_ctas, now, self->warp[w].started); /* with its CTA */
    channel_send(&self->to_dispatcher, &completed->message, now);
}

/* --- issue ------------------------------------------------------------------------------------ */

static void issue_memory(SM *self, uint32_t w, Time now)
{
    Warp *warp = &self->warp[w];
    const Instruction *next = &warp->next;
    const uint32_t lanes = (uint32_t)__builtin_popcount(next->mask);
    WarpAccess *access = unit_new_access(&self->unit);
    warp_access_begin(access, next, now);
    access->warp = w;
    access->warp_age = self->pool.age[w];
    access->dependent = warp->kernel->dependent_loads && warp->cursor.warp == 0;
    if (next->operation == OPERATION_STORE) {
        scoreboard_start_store(&warp->scoreboard);
        self->store_instructions++;
    } else {
        scoreboard_start_load(&warp->scoreboard, next->destination, next->destination_count);
        self->load_instructions += next->operation == OPERATION_LOAD;
    }
    self->memory_instructions++;
    self->requested_bytes += (uint64_t)lanes * next->width;
    self->memory_free = now + clock_cycles(self->unit.clock, self->memory_interval);
    channel_send(&self->to_load_store, &access->message, now);
}

static void issue(SM *self, uint32_t w, Time now)
{
    Warp *warp = &self->warp[w];
    const Instruction *next = &warp->next;
    const Time cycle = self->unit.clock->period;
    const uint32_t repeat = next->operation == OPERATION_ALU ? MAX(next->repeat, 1) : 1;
    self->warp_instructions += repeat;
    self->thread_instructions += (uint64_t)repeat * (uint32_t)__builtin_popcount(next->mask);
    warp_pool_issue(&self->pool, w, repeat, now);
    Time earliest = now + cycle;
    switch ((Operation)next->operation) {
    case OPERATION_ALU:
        earliest = MAX(earliest, scoreboard_note_result(
                                     &warp->scoreboard, next->destination, next->destination_count,
                                     now + repeat * self->latency[next->unit], now));
        earliest = MAX(earliest, now + (repeat - 1) * self->latency[next->unit] + cycle);
        break;
    case OPERATION_LOAD:
    case OPERATION_STORE:
    case OPERATION_ATOMIC: issue_memory(self, w, now); break;
    case OPERATION_BARRIER: arrive_at_barrier(self, w, now); return;
    case OPERATION_FENCE:
    case OPERATION_WAIT_STORES: break;
    case OPERATION_EXIT: end_warp(self, w, now); return;
    }
    fetch_next(self, w, earliest, now);
}

static bool memory_slot_free(SM *self, Time now)
{
    if (!(self->pool.ready & self->pool.memory_next) || self->memory_free > now) return false;
    self->memory_blocked = !channel_ready(&self->to_load_store, now);
    if (self->memory_blocked) channel_await(&self->to_load_store, now);
    return !self->memory_blocked;
}

static void issue_all(SM *self, Time now)
{
    const WarpPool *pool = &self->pool;
    bool any = false;
    for (uint32_t k = 0; k < self->schedulers; k++) {
        const uint32_t s = (self->first_scheduler + k) % (uint32_t)self->schedulers;
        if (pool->free_at[s] > now) continue;
        if (!(pool->ready & pool->mine[s])) {
            self->lost_no_ready_warp += (pool->used & pool->mine[s]) != 0;
            continue;
        }
        const WarpPick pick = warp_pool_pick(pool, s, memory_slot_free(self, now), now);
        self->lost_memory_slot += pick.lost_memory_slot;
        self->lost_unit_busy += pick.units_busy;
        if (pick.warp == WARP_NONE) continue;
        issue(self, pick.warp, now);
        any = true;
    }
    self->issue_cycles += any;
    self->first_scheduler = (self->first_scheduler + 1) % (uint32_t)self->schedulers;
}

/* --- wake-ups --------------------------------------------------------------------------------- */

static void plan_wake(SM *self, Time now)
{
    /* blocked: the credit will wake us */
    const Time memory_at = self->memory_blocked ? TIME_NEVER : self->memory_free;
    const Time at = warp_pool_next(&self->pool, memory_at, now);
    if (at != TIME_NEVER) unit_wake_at(&self->unit, at);
}

/* A store to L2 is heard of twice, one to shared memory once; either may come when its warp is
 * gone. */
static void note_store(SM *self, const WarpAccess *access, bool shared)
{
    Scoreboard *board = &self->warp[access->warp].scoreboard;
    if (access->warp_age != self->pool.age[access->warp]) return;
    if (access->released || shared)
        scoreboard_release_store(board, access->released ? access->released_at : 0);
    if (!access->released) scoreboard_acknowledge_store(board);
}

static void note_load(SM *self, const WarpAccess *access, Time now)
{
    const Instruction *done = &access->instruction;
    scoreboard_end_load(&self->warp[access->warp].scoreboard, done->destination,
                        done->destination_count);
    histogram_add(&self->load_latency, now - access->issued);
    if (access->dependent) histogram_add(&self->dependent_load_latency, now - access->issued);
}

static void take_completed(SM *self, Port *port, Time now)
{
    WarpAccess *access;
    while ((access = (WarpAccess *)port_take(port, now))) {
        const uint32_t w = access->warp;
        if (access->instruction.operation == OPERATION_STORE)
            note_store(self, access, port == &self->from_load_store);
        else
            note_load(self, access, now);
        unit_free_message(&self->unit, &access->message);
        if (warp_pool_waits(&self->pool, w)) classify(self, w, now, now);
    }
}

static void take_from_dispatcher(SM *self, Time now)
{
    CtaMessage *message;
    while ((message = (CtaMessage *)port_take(&self->from_dispatcher, now))) {
        if (message->cta == CTA_KERNEL_START)
            offer_room(self, message, now);
        else
            start_cta(self, message, now);
    }
}

static void step(Unit *unit, Time now)
{
    SM *self = (SM *)unit;
    take_completed(self, &self->from_l1, now);
    take_completed(self, &self->from_shared, now);
    take_completed(self, &self->from_load_store, now);
    take_from_dispatcher(self, now);
    warp_pool_ripen(&self->pool, now);
    if (self->memory_blocked) self->memory_blocked = !channel_ready(&self->to_load_store, now);
    if (self->pool.ready) issue_all(self, now);
    plan_wake(self, now);
}

static bool unfinished(Unit *unit, GString *what)
{
    SM *self = (SM *)unit;
    const WarpPool *pool = &self->pool;
    if (!pool->used) return false;
    g_string_append_printf(what, "%d warps resident, %d of them wait for loads, %d at a barrier",
                           __builtin_popcountll(pool->used), __builtin_popcountll(pool->waiting),
                           __builtin_popcountll(cta_slots_at_barrier(&self->ctas_resident)));
    if (pool->waiting) unit_waits_for(unit, port_sender(&self->from_l1));
    return true;
}

const UnitClass sm_class = {.name = "sm",
                            .summary =
                                "streaming multiprocessor: resident warps, schedulers, issue",
                            .size = sizeof(SM),
                            .params = params,
                            .stats = stats,
                            .ports = ports,
                            .setup = setup,
                            .step = step,
                            .teardown = teardown,
                            .unfinished = unfinished};
