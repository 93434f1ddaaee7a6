/* A streaming multiprocessor: residency, warp schedulers, in-order issue with a scoreboard.
 *
 *   CTA dispatcher ──from_dispatcher──> [warps] ─> scheduler 0..n ─┬─> execution units (latency, interval)
 *                  <──to_dispatcher───                             └──to_load_store──> load/store unit
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
#include "kit/unit.h"
#include "parts/scoreboard.h"

enum { WARPS_MAX = 64, CTAS_MAX = 64, SCHEDULERS_MAX = 8, UNITS = EXECUTE_OTHER + 1 };

typedef enum { LOOSE_ROUND_ROBIN, GREEDY_THEN_OLDEST } SchedulerPolicy;

typedef struct {
    const Kernel *kernel;
    WarpCursor cursor;
    Instruction next;
    Scoreboard scoreboard;
    uint32_t loads, stores;  /* outstanding; stores until they have left L1 */
    uint32_t unacknowledged; /* stores */
    Time released_at;        /* the registers of the stores that have left are free */
    uint32_t cta;            /* slot */
    uint64_t age;
} Warp;

typedef struct {
    CtaMessage *message; /* NULL: the slot is free */
    uint64_t warps;      /* slots of warps that have not ended */
    uint64_t at_barrier;
} Cta;

typedef struct {
    Unit unit;
    Port from_dispatcher, from_l1, from_load_store;
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
    Cta cta[CTAS_MAX];
    Time ready_at[WARPS_MAX];
    /* warps, a bit each; timed: ready at ready_at */
    uint64_t used, timed, ready, memory_next, waiting;
    uint64_t mine[SCHEDULERS_MAX];
    Time scheduler_free[SCHEDULERS_MAX], unit_free[SCHEDULERS_MAX][UNITS], memory_free;
    uint32_t last[SCHEDULERS_MAX];
    Time latency[UNITS], interval[UNITS];
    uint32_t first_scheduler;
    uint64_t launched;
    bool memory_blocked; /* a credit of the load/store unit will wake us */
} SM;

static const char *const policies[] = {"loose_round_robin", "greedy_then_oldest", NULL};

static const Param params[] = {
    PARAM_ONE_OF(SM, scheduler_policy, policies, "greedy_then_oldest",
                 "which ready warp a scheduler issues from"),
    PARAM_NUMBER(SM, schedulers, PARAM_COUNT, "4", 1, SCHEDULERS_MAX, "warp schedulers"),
    PARAM_NUMBER(SM, max_threads, PARAM_COUNT, "2048", 32, 65536, "resident threads"),
    PARAM_NUMBER(SM, max_warps, PARAM_COUNT, "64", 1, WARPS_MAX, "resident warps"),
    PARAM_NUMBER(SM, max_ctas, PARAM_COUNT, "32", 1, CTAS_MAX, "resident CTAs"),
    PARAM_NUMBER(SM, registers, PARAM_COUNT, "65536", 32, 16777216, "32-bit registers"),
    PARAM_NUMBER(SM, register_granularity, PARAM_COUNT, "256", 1, 65536,
                 "registers a warp's allocation is rounded up to"),
    PARAM_NUMBER(SM, shared_memory, PARAM_BYTES, "96 KiB", 0, 16777216,
                 "shared memory that CTAs can have together"),
    PARAM_NUMBER(SM, fp32_latency, PARAM_CYCLES, "4 cycles", 1, 10000,
                 "FP32 result to dependent issue"),
    PARAM_NUMBER(SM, fp64_latency, PARAM_CYCLES, "8 cycles", 1, 10000,
                 "FP64 result to dependent issue"),
    PARAM_NUMBER(SM, sfu_latency, PARAM_CYCLES, "14 cycles", 1, 10000,
                 "special function result to dependent issue"),
    PARAM_NUMBER(SM, int_latency, PARAM_CYCLES, "4 cycles", 1, 10000,
                 "integer result to dependent issue"),
    PARAM_NUMBER(SM, other_latency, PARAM_CYCLES, "4 cycles", 1, 10000,
                 "any other result to dependent issue"),
    PARAM_NUMBER(SM, fp32_interval, PARAM_CYCLES, "2 cycles", 1, 1000,
                 "cycles a warp occupies a scheduler's FP32 lanes"),
    PARAM_NUMBER(SM, fp64_interval, PARAM_CYCLES, "4 cycles", 1, 1000,
                 "cycles a warp occupies a scheduler's FP64 lanes"),
    PARAM_NUMBER(SM, sfu_interval, PARAM_CYCLES, "8 cycles", 1, 1000,
                 "cycles a warp occupies a scheduler's SFU lanes"),
    PARAM_NUMBER(SM, int_interval, PARAM_CYCLES, "2 cycles", 1, 1000,
                 "cycles a warp occupies a scheduler's integer lanes"),
    PARAM_NUMBER(SM, other_interval, PARAM_CYCLES, "1 cycle", 1, 1000,
                 "cycles any other instruction occupies its unit"),
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
    PORT_INPUT(SM, from_load_store, "completed shared-memory instructions"),
    PORT_INPUT(SM, from_dispatcher, "kernel starts and CTAs"),
    PORT_OUTPUT(SM, to_dispatcher, "room and completed CTAs"),
    PORT_OUTPUT(SM, to_load_store, "memory instructions"),
    PORT_END};

static bool setup(Unit *unit, GError **error)
{
    (void)error;
    SM *self = (SM *)unit;
    self->warp = g_new0(Warp, self->max_warps);
    for (uint32_t w = 0; w < WARPS_MAX; w++) self->mine[w % self->schedulers] |= UINT64_C(1) << w;
    const uint64_t latency[UNITS] = {self->fp32_latency, self->fp64_latency, self->sfu_latency,
                                     self->int_latency, self->other_latency};
    const uint64_t interval[UNITS] = {self->fp32_interval, self->fp64_interval, self->sfu_interval,
                                      self->int_interval, self->other_interval};
    for (uint32_t u = 0; u < UNITS; u++) {
        self->latency[u] = clock_cycles(unit->clock, latency[u]);
        self->interval[u] = clock_cycles(unit->clock, interval[u]);
    }
    return true;
}

static void teardown(Unit *unit)
{
    g_free(((SM *)unit)->warp);
}

static inline uint64_t bit(uint32_t index)
{
    return UINT64_C(1) << index;
}

/* --- scoreboard ------------------------------------------------------------------------------- */

static bool waits_for_load(const SM *self, const Warp *warp)
{
    const Instruction *next = &warp->next;
    if (next->operation == OPERATION_EXIT)
        return warp->loads || warp->stores || (self->cta_waits_for_stores && warp->unacknowledged);
    if (next->operation == OPERATION_FENCE) return warp->loads || warp->unacknowledged;
    if (!warp->loads) return false;
    for (uint32_t i = 0; i < next->source_count; i++)
        if (scoreboard_is_loading(&warp->scoreboard, next->sources[i], 1)) return true;
    return scoreboard_is_loading(&warp->scoreboard, next->destination, next->destination_count);
}

static Time operands_ready(const Warp *warp, Time earliest)
{
    const Instruction *next = &warp->next;
    earliest = scoreboard_ready_at(&warp->scoreboard, next->destination, next->destination_count,
                                   earliest);
    for (uint32_t i = 0; i < next->source_count; i++)
        earliest = scoreboard_ready_at(&warp->scoreboard, next->sources[i], 1, earliest);
    if (next->operation == OPERATION_EXIT) earliest = MAX(earliest, warp->released_at);
    return earliest;
}

static bool is_memory(const Instruction *instruction)
{
    return instruction->operation == OPERATION_LOAD || instruction->operation == OPERATION_STORE
           || instruction->operation == OPERATION_ATOMIC;
}

/* Decides what the warp's next instruction waits for; it may issue at `earliest` at the soonest. */
static void classify(SM *self, uint32_t w, Time earliest, Time now)
{
    Warp *warp = &self->warp[w];
    self->ready &= ~bit(w);
    self->memory_next =
        is_memory(&warp->next) ? self->memory_next | bit(w) : self->memory_next & ~bit(w);
    if (waits_for_load(self, warp)) {
        if (!(self->waiting & bit(w))) level_enter(&self->waiting_for_loads, now);
        self->waiting |= bit(w);
        self->timed &= ~bit(w);
        return;
    }
    if (self->waiting & bit(w))
        level_set(&self->waiting_for_loads, now, self->waiting_for_loads.now - 1);
    self->waiting &= ~bit(w);
    self->timed |= bit(w);
    self->ready_at[w] = operands_ready(warp, earliest);
}

/* --- CTAs ------------------------------------------------------------------------------------- */

static uint64_t registers_of(const SM *self, const Kernel *kernel)
{
    const uint64_t warp = (uint64_t)kernel->registers_per_thread * WARP_LANES;
    const uint64_t rounded = (warp + self->register_granularity - 1) / self->register_granularity;
    return rounded * self->register_granularity * kernel_warps(kernel);
}

static uint64_t residency(const SM *self, const Kernel *kernel)
{
    uint64_t ctas = MIN(self->max_ctas, self->max_threads / kernel->threads_per_cta);
    ctas = MIN(ctas, self->max_warps / kernel_warps(kernel));
    if (registers_of(self, kernel)) ctas = MIN(ctas, self->registers / registers_of(self, kernel));
    if (kernel->shared_bytes_per_cta)
        ctas = MIN(ctas, self->shared_memory / kernel->shared_bytes_per_cta);
    return ctas;
}

static void offer_room(SM *self, CtaMessage *message, Time now)
{
    message->count = (uint32_t)residency(self, message->kernel);
    if (!message->count) {
        unit_reject_input(
            &self->unit,
            g_error_new(
                PARAM_ERROR, 0,
                "kernel %s: one CTA of %u threads, %u registers a thread and %" G_GUINT64_FORMAT
                " B of shared memory does not fit on an SM",
                message->kernel->name, message->kernel->threads_per_cta,
                message->kernel->registers_per_thread, message->kernel->shared_bytes_per_cta));
        return;
    }
    channel_send(&self->to_dispatcher, &message->message, now);
}

static void start_warp(SM *self, uint32_t cta, uint32_t number, Time now)
{
    const uint32_t w = (uint32_t)__builtin_ctzll(~self->used);
    const CtaMessage *message = self->cta[cta].message;
    Warp *warp = &self->warp[w];
    *warp = (Warp){.kernel = message->kernel, .cta = cta, .age = self->launched++};
    warp->cursor = (WarpCursor){.cta = message->cta, .warp = number, .stream = message->stream};
    message->kernel->class->fetch(message->kernel, &warp->cursor, &warp->next);
    self->used |= bit(w);
    self->cta[cta].warps |= bit(w);
    level_enter(&self->resident_warps, now);
    classify(self, w, now, now);
}

static void start_cta(SM *self, CtaMessage *message, Time now)
{
    uint32_t slot = 0;
    while (self->cta[slot].message) slot++;
    self->cta[slot] = (Cta){.message = message};
    level_enter(&self->resident_ctas, now);
    for (uint32_t i = 0; i < kernel_warps(message->kernel); i++) start_warp(self, slot, i, now);
}

static void end_warp(SM *self, uint32_t w, Time now)
{
    Cta *cta = &self->cta[self->warp[w].cta];
    self->used &= ~bit(w);
    self->ready &= ~bit(w);
    self->timed &= ~bit(w);
    cta->warps &= ~bit(w);
    level_set(&self->resident_warps, now, self->resident_warps.now - 1);
    if (cta->warps) return;
    self->ctas++;
    level_set(&self->resident_ctas, now, self->resident_ctas.now - 1);
    channel_send(&self->to_dispatcher, &cta->message->message, now);
    cta->message = NULL;
}

static void fetch_next(SM *self, uint32_t w, Time earliest, Time now)
{
    Warp *warp = &self->warp[w];
    warp->kernel->class->fetch(warp->kernel, &warp->cursor, &warp->next);
    classify(self, w, earliest, now);
}

/* Warps that have ended do not hold up the others. */
static void release_barrier(SM *self, Cta *cta, Time now)
{
    if (!cta->at_barrier || cta->at_barrier != cta->warps) return;
    self->barriers++;
    const Time at = now + clock_cycles(self->unit.clock, self->barrier_latency);
    for (uint64_t rest = cta->at_barrier; rest; rest &= rest - 1)
        fetch_next(self, (uint32_t)__builtin_ctzll(rest), at, now);
    cta->at_barrier = 0;
}

static void arrive_at_barrier(SM *self, uint32_t w, Time now)
{
    Cta *cta = &self->cta[self->warp[w].cta];
    self->ready &= ~bit(w);
    self->timed &= ~bit(w);
    cta->at_barrier |= bit(w);
    release_barrier(self, cta, now);
}

/* --- issue ------------------------------------------------------------------------------------ */

static void issue_memory(SM *self, uint32_t w, Time now)
{
    Warp *warp = &self->warp[w];
    const Instruction *next = &warp->next;
    const uint32_t lanes = (uint32_t)__builtin_popcount(next->mask);
    WarpAccess *access = unit_new_access(&self->unit);
    access->instruction = *next;
    if (next->addresses) memcpy(access->address, next->addresses, lanes * sizeof *next->addresses);
    access->issued = now;
    access->warp = w;
    access->warp_age = warp->age;
    access->released = false;
    access->dependent = warp->kernel->dependent_loads && warp->cursor.warp == 0;
    if (next->operation == OPERATION_STORE) {
        warp->stores++;
        warp->unacknowledged++;
        self->store_instructions++;
    } else {
        warp->loads++;
        self->load_instructions += next->operation == OPERATION_LOAD;
        scoreboard_start_load(&warp->scoreboard, next->destination, next->destination_count);
    }
    self->memory_instructions++;
    self->requested_bytes += (uint64_t)lanes * next->width;
    self->memory_free = now + clock_cycles(self->unit.clock, self->memory_interval);
    channel_send(&self->to_load_store, &access->message, now);
}

/* Issues the next instruction of warp w on scheduler s. */
static void issue(SM *self, uint32_t s, uint32_t w, Time now)
{
    Warp *warp = &self->warp[w];
    const Instruction *next = &warp->next;
    const Time cycle = self->unit.clock->period;
    const uint32_t repeat = next->operation == OPERATION_ALU ? MAX(next->repeat, 1) : 1;
    self->warp_instructions += repeat;
    self->thread_instructions += (uint64_t)repeat * (uint32_t)__builtin_popcount(next->mask);
    self->scheduler_free[s] = now + repeat * cycle;
    self->last[s] = w;
    Time earliest = now + cycle;
    switch ((Operation)next->operation) {
    case OPERATION_ALU:
        self->unit_free[s][next->unit] = now + repeat * self->interval[next->unit];
        earliest = MAX(earliest, scoreboard_note_result(
                                     &warp->scoreboard, next->destination, next->destination_count,
                                     now + repeat * self->latency[next->unit], now));
        earliest = MAX(earliest, now + (repeat - 1) * self->latency[next->unit] + cycle);
        break;
    case OPERATION_LOAD:
    case OPERATION_STORE:
    case OPERATION_ATOMIC: issue_memory(self, w, now); break;
    case OPERATION_BARRIER: arrive_at_barrier(self, w, now); return;
    case OPERATION_FENCE: break;
    case OPERATION_EXIT: {
        Cta *cta = &self->cta[warp->cta];
        end_warp(self, w, now);
        if (cta->message) release_barrier(self, cta, now);
        return;
    }
    }
    fetch_next(self, w, earliest, now);
}

static uint32_t choose_round_robin(const SM *self, uint32_t s, uint64_t candidates)
{
    const uint32_t after = self->last[s] + 1;
    const uint64_t later = after < 64 ? candidates & (~UINT64_C(0) << after) : 0;
    return (uint32_t)__builtin_ctzll(later ? later : candidates);
}

static uint32_t choose_oldest(const SM *self, uint32_t s, uint64_t candidates)
{
    if (candidates >> self->last[s] & 1) return self->last[s];
    uint32_t oldest = (uint32_t)__builtin_ctzll(candidates);
    for (uint64_t rest = candidates & (candidates - 1); rest; rest &= rest - 1) {
        const uint32_t w = (uint32_t)__builtin_ctzll(rest);
        if (self->warp[w].age < self->warp[oldest].age) oldest = w;
    }
    return oldest;
}

static bool unit_is_free(const SM *self, uint32_t s, uint32_t w, Time now)
{
    const Instruction *next = &self->warp[w].next;
    return next->operation != OPERATION_ALU || self->unit_free[s][next->unit] <= now;
}

/* One instruction of scheduler s, from a warp whose execution unit is free. */
static bool issue_one(SM *self, uint32_t s, bool memory_slot, Time now)
{
    uint64_t candidates = self->ready & self->mine[s];
    if (!memory_slot && candidates & self->memory_next) {
        self->lost_memory_slot++;
        candidates &= ~self->memory_next;
    }
    while (candidates) {
        const uint32_t w = self->scheduler_policy == LOOSE_ROUND_ROBIN
                               ? choose_round_robin(self, s, candidates)
                               : choose_oldest(self, s, candidates);
        if (unit_is_free(self, s, w, now)) {
            issue(self, s, w, now);
            return true;
        }
        self->lost_unit_busy++;
        candidates &= ~bit(w);
    }
    return false;
}

static bool memory_slot_free(SM *self, Time now)
{
    if (!(self->ready & self->memory_next) || self->memory_free > now) return false;
    self->memory_blocked = !channel_ready(&self->to_load_store, now);
    if (self->memory_blocked) channel_await(&self->to_load_store, now);
    return !self->memory_blocked;
}

static void issue_all(SM *self, Time now)
{
    bool any = false;
    for (uint32_t k = 0; k < self->schedulers; k++) {
        const uint32_t s = (self->first_scheduler + k) % (uint32_t)self->schedulers;
        if (self->scheduler_free[s] > now) continue;
        if (self->ready & self->mine[s])
            any |= issue_one(self, s, memory_slot_free(self, now), now);
        else
            self->lost_no_ready_warp += (self->used & self->mine[s]) != 0;
    }
    self->issue_cycles += any;
    self->first_scheduler = (self->first_scheduler + 1) % (uint32_t)self->schedulers;
}

/* --- wake-ups --------------------------------------------------------------------------------- */

static void ripen(SM *self, Time now)
{
    for (uint64_t rest = self->timed; rest; rest &= rest - 1) {
        const uint32_t w = (uint32_t)__builtin_ctzll(rest);
        if (self->ready_at[w] > now) continue;
        self->timed &= ~bit(w);
        self->ready |= bit(w);
    }
}

/* When a ready warp of scheduler s could issue; TIME_NEVER: only a credit of the load/store unit
 * can help. */
static Time next_chance(const SM *self, uint32_t s, Time now)
{
    const uint64_t ready = self->ready & self->mine[s];
    Time at = TIME_NEVER;
    for (uint64_t rest = ready & ~self->memory_next; rest; rest &= rest - 1) {
        const Instruction *next = &self->warp[__builtin_ctzll(rest)].next;
        at = MIN(at, next->operation == OPERATION_ALU ? self->unit_free[s][next->unit] : 0);
    }
    if (ready & self->memory_next && !self->memory_blocked) at = MIN(at, self->memory_free);
    if (at == TIME_NEVER) return at;
    return MAX(MAX(at, self->scheduler_free[s]), now + self->unit.clock->period);
}

static void plan_wake(SM *self, Time now)
{
    Time at = TIME_NEVER;
    for (uint64_t rest = self->timed; rest; rest &= rest - 1)
        at = MIN(at, self->ready_at[__builtin_ctzll(rest)]);
    for (uint32_t s = 0; s < self->schedulers; s++)
        if (self->ready & self->mine[s]) at = MIN(at, next_chance(self, s, now));
    if (at != TIME_NEVER) unit_wake_at(&self->unit, at);
}

/* A store to L2 is heard of twice: when it has left L1 and when it is acknowledged; one to
 * shared memory once. */
static void note_store(Warp *warp, const WarpAccess *access, bool shared)
{
    if (access->warp_age != warp->age) return;
    if (access->released || shared) warp->stores--;
    if (access->released)
        warp->released_at = MAX(warp->released_at, access->released_at);
    else
        warp->unacknowledged--;
}

static void take_completed(SM *self, Port *port, Time now)
{
    WarpAccess *access;
    while ((access = (WarpAccess *)port_take(port, now))) {
        const uint32_t w = access->warp;
        Warp *warp = &self->warp[w];
        const Instruction *done = &access->instruction;
        if (done->operation == OPERATION_STORE) {
            note_store(warp, access, port == &self->from_load_store);
        } else {
            warp->loads--;
            scoreboard_end_load(&warp->scoreboard, done->destination, done->destination_count);
            histogram_add(&self->load_latency, now - access->issued);
            if (access->dependent)
                histogram_add(&self->dependent_load_latency, now - access->issued);
        }
        unit_free_message(&self->unit, &access->message);
        if (self->waiting & bit(w)) classify(self, w, now, now);
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
    take_completed(self, &self->from_load_store, now);
    take_from_dispatcher(self, now);
    ripen(self, now);
    if (self->memory_blocked) self->memory_blocked = !channel_ready(&self->to_load_store, now);
    if (self->ready) issue_all(self, now);
    plan_wake(self, now);
}

static bool unfinished(Unit *unit, GString *what)
{
    SM *self = (SM *)unit;
    if (!self->used) return false;
    uint64_t at_barrier = 0;
    for (uint32_t i = 0; i < CTAS_MAX; i++) at_barrier |= self->cta[i].at_barrier;
    g_string_append_printf(what, "%d warps resident, %d of them wait for loads, %d at a barrier",
                           __builtin_popcountll(self->used), __builtin_popcountll(self->waiting),
                           __builtin_popcountll(at_barrier));
    if (self->waiting) unit_waits_for(unit, port_sender(&self->from_l1));
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
