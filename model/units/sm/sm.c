/* A streaming multiprocessor: residency, warp schedulers, in-order issue with a scoreboard.
 *
 *   CTA dispatcher ──from_dispatcher──> [warps] ─> scheduler 0..n ─┬─> pools of execution units
 *                  <──to_dispatcher───      register file          ├──to_load_store──> load/store
 *                                                                  └──to_texture──> texture unit
 *   registers written <──from_l1, from_shared, from_stores, from_load_store, from_texture──
 *
 * A warp's next instruction waits for the registers it reads and writes: of loads until they
 * come back, of arithmetic until its latency is over. Each scheduler dispatches up to `dispatches`
 * instructions a cycle of up to `warps_per_cycle` of its own warps (slot modulo schedulers) to the
 * execution units it reaches. A warp ends when its loads are back and its stores have left for L2;
 * the SM goes on counting what they wait for, and tells the dispatcher when all is acknowledged.
 *
 * Tables and derived values are in sm/setup.c, the state in sm/private.h, what CTAs take in
 * sm/residency.c, what comes back from memory in sm/memory.c. The parameters describe the
 * generations from Fermi to Hopper; the defaults are those of a V100.
 *
 * Not modelled: instruction caches and buffers, divergence (the stream says which lanes are
 * active). Sources: four schedulers, 64 warps, 65536 registers, lanes (V100 white paper); latencies
 * of FP32, FP64, SFU (Jia et al. 2018, Table 4.1). */
#include "kit/gpu/texture.h"
#include "units/sm/private.h"

#include <string.h>

static const PortRow ports[] = {
    PORT_INPUT(SM, from_l1, "completed memory instructions"),
    PORT_INPUT(SM, from_shared, "values from shared memory"),
    PORT_INPUT(SM, from_stores, "stores whose operands have been read"),
    PORT_INPUT(SM, from_load_store, "constants; operands of reductions have been read"),
    PORT_INPUT(SM, from_texture, "completed texture instructions, and what went the same way"),
    PORT_INPUT(SM, from_texture_stores, "stores through the texture unit whose operands were read"),
    PORT_INPUT(SM, from_dispatcher, "kernel starts and CTAs"),
    PORT_OUTPUT(SM, to_dispatcher, "room and completed CTAs"),
    PORT_OUTPUT(SM, to_load_store, "memory instructions"),
    PORT_OUTPUT(SM, to_l1, "orders to write global lines back"),
    PORT_OUTPUT(SM, to_texture, "texture instructions with their coordinates"),
    PORT_END};

static const SharedRow shared[] = {SHARED(SM, warp_lanes), SHARED_END};

static void teardown(Unit *unit)
{
    SM *self = (SM *)unit;
    g_aligned_free(self->warp);
    g_free(self->outstanding);
    g_free(self->issue_slots.at);
    register_ports_finish(&self->ports);
}

/* The time of its schedulers passes without events. */
static Counted settle(Unit *unit, const Boundary *boundary)
{
    return sm_slots_cross((SM *)unit, boundary);
}

static Counted boundary(Unit *unit, const Boundary *boundary)
{
    SM *self = (SM *)unit;
    self->kernels += boundary->kind == BOUNDARY_KERNEL_START ? 1u : -1u;
    const Counted counted = sm_slots_cross(self, boundary);
    if (boundary->kind != BOUNDARY_KERNEL_START) return counted;
    const Launch *launch = boundary->launch;
    self->limits.shared_bytes =
        launch->l1_capacity ? launch->shared_carve_out : self->shared_memory;
    return counted;
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
                             .loads_done = exits || fences || sm_awaits_loads(self, next),
                             .stores_left = exits || next->operation == OPERATION_WAIT_STORES,
                             .stores_acknowledged =
                                 fences || (exits && self->cta_waits_for_stores)};
}

void sm_classify(SM *self, uint32_t w, Time earliest, Time now)
{
    Warp *warp = &self->warp[w];
    const ScoreboardNeeds needs = needs_of(self, &warp->next);
    if (scoreboard_must_wait(&warp->scoreboard, &needs))
        warp_pool_wait(&self->pool, w);
    else
        warp_pool_ready_at(&self->pool, w,
                           scoreboard_may_issue_at(&warp->scoreboard, &needs, earliest));
    const bool waits = warp_pool_waits(&self->pool, w);
    if (waits == warp->waits) return;
    if (waits)
        level_enter(&self->waiting_for_loads, now);
    else
        level_leave(&self->waiting_for_loads, now, warp->waits_since);
    warp->waits = waits;
    warp->waits_since = now;
}

void sm_fetch_next(SM *self, uint32_t w, Time earliest, Time now)
{
    Warp *warp = &self->warp[w];
    Instruction *next = &warp->next;
    warp->kernel->class->fetch(warp->kernel, &warp->cursor, next);
    ExecutionPool pool = POOL_NONE;
    if (instruction_is_memory(next))
        pool = instruction_samples(next) ? POOL_TEXTURE : POOL_LOAD_STORE;
    if (next->operation == OPERATION_ALU) pool = self->pool_of[next->unit];
    warp->remaining = next->operation == OPERATION_ALU ? MAX(next->repeat, 1) : 1;
    if (next->until) warp->polled = 0;
    warp_pool_describe_next(&self->pool, w, pool);
    if (next->operation == OPERATION_PACE)
        earliest = MAX(earliest, warp->started + clock_cycles(self->unit.clock, next->base));
    sm_classify(self, w, earliest, now);
    if (!self->units.pool[pool].units) sm_reject_instruction(self, warp->kernel, pool);
}

/* --- CTAs ------------------------------------------------------------------------------------- */

/* A CTA starts dozens of warps at once: what need not be cleared is not touched. */
static void clear_warp(Warp *warp)
{
    memset(&warp->kernel, 0, offsetof(Warp, next) - offsetof(Warp, kernel));
    scoreboard_clear(&warp->scoreboard);
}

static void start_warp(SM *self, uint32_t cta, uint32_t number, Time now)
{
    const uint32_t w = warp_pool_start(&self->pool);
    const CtaMessage *message = self->ctas_resident.slot[cta].cta;
    Warp *warp = &self->warp[w];
    clear_warp(warp);
    warp->kernel = message->kernel;
    warp->cta = (uint16_t)cta;
    warp->launch = message->launch;
    warp->started = now;
    warp->probes = kernel_times_warp(message->kernel, message->cta, number);
    warp->cursor.cta = message->cta;
    warp->cursor.position = 0;
    warp->cursor.warp = number;
    warp->cursor.stream = message->stream;
    cta_slots_add_warp(&self->ctas_resident, cta, w);
    level_enter(&self->resident_warps, now);
    sm_fetch_next(self, w, sm_set_up_warp(self, warp, now), now);
}

static bool start_cta(SM *self, CtaMessage *message, Time now)
{
    if (!sm_take_registers(self, message->kernel, now)) return false;
    sm_slots_start_cta(self, message, now);
    const uint32_t slot = cta_slots_open(&self->ctas_resident, message);
    level_enter(&self->resident_ctas, now);
    sm_cta_starts(self, message->kernel, now);
    for (uint32_t i = 0; i < kernel_warps(message->kernel); i++) start_warp(self, slot, i, now);
    return true;
}

static void release_barrier(SM *self, uint32_t cta, Time now)
{
    uint64_t passing = cta_slots_pass_barrier(&self->ctas_resident, cta);
    const Time at = now + clock_cycles(self->unit.clock, self->barrier_latency);
    self->barriers += passing != 0;
    for (; passing; passing &= passing - 1) {
        const uint32_t w = (uint32_t)__builtin_ctzll(passing);
        self->warp[w].waited_for = SLOT_BARRIER;
        self->warp[w].waited_until = at;
        sm_fetch_next(self, w, at, now);
    }
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
    sm_slots_drop_answer(self, w);
    if (!self->pool.used) self->emptied = now;
    sm_release_registers(self, w, now);
    level_leave(&self->resident_warps, now, self->warp[w].started);
    CtaMessage *completed = cta_slots_end_warp(&self->ctas_resident, slot, w);
    release_barrier(self, slot, now);
    if (!completed) return;
    const Time started = self->warp[w].started; /* with its CTA */
    sm_cta_ends(self, completed->kernel, started, now);
    level_leave(&self->resident_ctas, now, started);
    sm_complete_cta(self, completed, started, now);
}

/* --- issue ------------------------------------------------------------------------------------ */

/* Where the last fetched instruction of the warp samples. */
static Samples *take_coordinates(SM *self, const Warp *warp)
{
    Samples *samples = unit_new(&self->unit, MESSAGE_SAMPLES);
    warp->kernel->class->coordinates(warp->kernel, &warp->cursor, &warp->next, &samples->at);
    return samples;
}

static void count_memory(SM *self, const Instruction *next)
{
    if (instruction_samples(next)) {
        self->texture_instructions++;
        self->sampling++;
        return;
    }
    self->load_instructions += next->operation == OPERATION_LOAD;
    self->store_instructions += next->operation == OPERATION_STORE;
    self->memory_instructions++;
    self->requested_bytes += (uint64_t)count_lanes(next->mask) * next->width;
}

static void issue_memory(SM *self, uint32_t w, Time delay, Time now)
{
    Warp *warp = &self->warp[w];
    const Instruction *next = &warp->next;
    MemoryPath *path = &self->path[sm_path_of(next)];
    WarpAccess *access = unit_new(&self->unit, MESSAGE_WARP_ACCESS);
    path->sent = MAX(path->sent, now + path->delay + delay);
    warp_access_begin(&self->unit.messages, access, next, path->sent);
    if (instruction_samples(next)) access->samples = take_coordinates(self, warp);
    access->kernel = warp->kernel;
    access->launch = warp->launch;
    access->warp = w;
    access->warp_age = self->pool.age[w];
    access->dependent = warp->probes;
    if (instruction_has_no_result(next)) {
        scoreboard_start_store(&warp->scoreboard);
        self->outstanding[warp->launch].count++;
    } else {
        scoreboard_start_load(&warp->scoreboard, next->destination, next->destination_count);
    }
    count_memory(self, next);
    channel_send(path->to, &access->message, access->issued);
    sm_note_room(self, now);
}

/* When the next instruction may issue. Of a run of dependent ones each issues by itself. */
static Time issue_arithmetic(SM *self, uint32_t w, Time delay, Time now)
{
    Warp *warp = &self->warp[w];
    const Instruction *next = &warp->next;
    Time ready = now + self->latency[next->unit] + delay;
    if (self->ports.write) ready = sm_write_results(self, w, next, ready, self->forwarded);
    if (--warp->remaining) return ready;
    return scoreboard_note_result(&warp->scoreboard, next->destination, next->destination_count,
                                  ready, now);
}

/* The warp's time is up: it ends like one that comes to its end. */
static bool pace_ends(SM *self, uint32_t w, Time earliest, Time now)
{
    Warp *warp = &self->warp[w];
    const Time limit = clock_cycles(self->unit.clock, (uint64_t)warp->next.stride);
    if (!limit || now < warp->started + limit) return false;
    warp->next.operation = OPERATION_EXIT;
    sm_classify(self, w, earliest, now);
    return true;
}

/* The instruction enters its unit. Returns how much longer its operands take than usual. */
static Time enter_unit(SM *self, uint32_t s, uint32_t w, Time now)
{
    const Instruction *next = &self->warp[w].next;
    const ExecutionPool pool = self->pool.pool[w];
    Time delay = 0;
    sm_slots_issue(self, s, w, pool, now);
    self->warp_instructions++;
    server_book_known(&self->issue_slots.at[s], now, self->unit.clock->period, self->slot_share);
    self->thread_instructions += count_lanes(next->mask);
    if (pool == POOL_NONE) return 0;
    if (next->source_count && (self->register_banks || self->register_operands))
        delay = sm_read_operands(self, s, w, now);
    (*self->accepted[pool])++;
    const Pipe *pipe = &self->pipe[pool];
    server_book_known(pipe->server, now, pipe->length + delay, pipe->share);
    execution_units_enter(&self->units, pool, s, delay, now);
    return delay;
}

static void issue(SM *self, uint32_t s, uint32_t w, Time now)
{
    Warp *warp = &self->warp[w];
    const Time delay = enter_unit(self, s, w, now);
    /* a second one of this warp may follow in the same cycle */
    const Time soonest = self->dispatches_per_warp > 1 ? now : now + self->unit.clock->period;
    Time earliest = soonest;
    switch ((Operation)warp->next.operation) {
    case OPERATION_ALU: earliest = issue_arithmetic(self, w, delay, now); break;
    case OPERATION_LOAD:
    case OPERATION_STORE:
    case OPERATION_ATOMIC: issue_memory(self, w, delay, now); break;
    case OPERATION_BARRIER: arrive_at_barrier(self, w, now); return;
    case OPERATION_FENCE:
        if (sm_fence_waits(self, w, soonest, now)) return;
        break;
    case OPERATION_WAIT_STORES: break;
    case OPERATION_PACE:
        if (pace_ends(self, w, soonest, now)) return;
        break;
    case OPERATION_EXIT: end_warp(self, w, now); return;
    }
    if (warp->next.operation == OPERATION_ALU && warp->remaining)
        warp_pool_ready_at(&self->pool, w, earliest);
    else if (warp->next.until)
        sm_classify(self, w, earliest, now); /* it waits for the value, and issues again */
    else
        sm_fetch_next(self, w, MAX(earliest, soonest), now);
}

static bool issue_round(SM *self, uint32_t s, Time now)
{
    const WarpPool *pool = &self->pool;
    if (!(pool->ready & pool->mine[s])) {
        self->lost_no_ready_warp += (pool->used & pool->mine[s]) != 0;
        return false;
    }
    IssueRound round;
    warp_pool_begin_round(pool, s, &round);
    bool any = false;
    while (round.slots) {
        const uint32_t w = warp_pool_pick(&self->pool, &self->units, &round, now);
        if (w == WARP_NONE) break;
        issue(self, s, w, now);
        any = true;
    }
    for (uint32_t rest = round.losing; rest; rest &= rest - 1) {
        const uint32_t p = (uint32_t)__builtin_ctz(rest);
        *self->lost[p] += round.lost[p];
    }
    return any;
}

static void issue_all(SM *self, Time now)
{
    const uint32_t schedulers = self->pool.width.schedulers;
    bool any = false;
    uint32_t s = self->first_scheduler;
    for (uint32_t k = 0; k < schedulers; k++) {
        any |= issue_round(self, s, now);
        if (++s == schedulers) s = 0;
    }
    self->issue_cycles += any;
    if (++self->first_scheduler == schedulers) self->first_scheduler = 0;
}

/* --- steps ------------------------------------------------------------------------------------ */

/* A CTA whose warps find no registers in one piece waits for the end of another. */
static void take_from_dispatcher(SM *self, Time now)
{
    CtaMessage *message;
    while ((message = (CtaMessage *)port_peek(&self->from_dispatcher))) {
        const bool starts = message->cta == CTA_KERNEL_START, ends = message->cta == CTA_WRITE_BACK;
        if (!starts && !ends && !start_cta(self, message, now)) {
            self->fragmented += !self->cta_waits_for_registers;
            self->cta_waits_for_registers = true;
            return;
        }
        self->cta_waits_for_registers = false;
        port_take(&self->from_dispatcher, now);
        if (starts) sm_offer_room(self, message, now);
        if (ends) sm_end_launch(self, message, now);
    }
}

/* Ports to which nothing has come are empty, but for CTAs that have found no registers. */
static void take_arrivals(SM *self, Time now)
{
    bool ctas = self->cta_waits_for_registers;
    for (uint32_t k = 0; k < self->unit.fresh_count; k++) {
        Port *port = self->unit.ports[self->unit.fresh[k]];
        if (port == &self->from_dispatcher)
            ctas = true;
        else
            sm_take_completed(self, port, now);
    }
    if (ctas) take_from_dispatcher(self, now);
}

/* Since the last step nobody could issue. */
static void account_pause(SM *self, Time now)
{
    const WarpCensus *census = &self->census;
    const Time pause = now - self->looked;
    self->stalled_results += census->results * pause;
    self->stalled_unit += census->unit * pause;
    self->stalled_slot += census->slot * pause;
    self->stalled_other += census->other * pause;
    self->looked = now;
    if (!self->pool.ready || pause <= self->unit.clock->period) return;
    uint32_t lost[EXECUTION_POOLS];
    warp_pool_count_lost(&self->pool, lost);
    const uint64_t cycles = pause / self->unit.clock->period - 1;
    for (uint32_t p = 0; p < EXECUTION_POOLS; p++) *self->lost[p] += cycles * lost[p];
}

static void plan_wake(SM *self, Time now)
{
    if (self->units.blocked) sm_await_room(self, now);
    Time at = warp_pool_look(&self->pool, &self->units, now, &self->census);
    if (self->cta_waits_for_registers && self->registers_freed) at = now + self->unit.clock->period;
    self->registers_freed = false;
    if (at != TIME_NEVER) unit_wake_at(&self->unit, at);
}

static void step(Unit *unit, Time now)
{
    SM *self = (SM *)unit;
    account_pause(self, now);
    take_arrivals(self, now);
    warp_pool_ripen(&self->pool, now);
    if (self->units.blocked) sm_note_room(self, now);
    if (self->pool.ready) issue_all(self, now);
    plan_wake(self, now);
}

const UnitClass sm_class = {
    .name = "sm",
    .summary = "streaming multiprocessor: resident warps, schedulers, issue",
    .per = PER_SM,
    .clock = CLOCK_CORE,
    .place = PLACE_CORE,
    .path = "sm[%u]",
    .size = sizeof(SM),
    .params = sm_params,
    .stats = sm_stats,
    .ports = ports,
    .resources = sm_resources,
    .storage = sm_storage,
    .shared = shared,
    .limits = sm_limits,
    .facts = (const FactRow[]){{"FP32", "core_units * core_lanes", FACT_FLOPS}, FACT_END},
    .setup = sm_setup,
    .step = step,
    .teardown = teardown,
    .boundary = boundary,
    .settle = settle,
    .unfinished = sm_unfinished};
