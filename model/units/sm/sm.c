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
 * sm/residency.c, their warps in sm/warps.c, what these issue in sm/issue.c, what comes back from
 * memory in sm/memory.c. The parameters describe the generations from Fermi to Hopper; the defaults
 * are those of a V100.
 *
 * Not modelled: instruction caches and buffers, divergence (the stream says which lanes are
 * active). Sources: four schedulers, 64 warps, 65536 registers, lanes (V100 white paper); latencies
 * of FP32, FP64, SFU (Jia et al. 2018, Table 4.1). */
#include "parts/sparse.h"
#include "units/sm/private.h"

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

static const SharedRow shared[] = {SHARED(SM, warp_lanes), SHARED_AS(SM, launch_list, "launches"),
                                   SHARED_END};

static void teardown(Unit *unit)
{
    SM *self = (SM *)unit;
    sparse_free(self->warp);
    sparse_free(self->addresses);
    g_free(self->outstanding);
    g_free(self->slots_measured);
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
    const Counted counted =
        boundary_settles(boundary) ? COUNTED_NOTHING : sm_slots_cross(self, boundary);
    if (boundary->kind != BOUNDARY_KERNEL_START) return counted;
    self->limits.shared_bytes = sm_shared_bytes(self, boundary->launch);
    self->shared_most = boundary->launch->shared_most;
    return counted;
}

/* A warp whose load comes back; it may end soon. */
static void foresee(const Unit *unit, const Message *message, uint32_t port, Foresee round)
{
    const SM *self = (const SM *)unit;
    (void)port;
    if (message->kind != MESSAGE_WARP_ACCESS || round != FORESEE_FIRST) return;
    const WarpAccess *access = (const WarpAccess *)message;
    warp_foresee(&self->warp[access->warp]);
    register_file_foresee(&self->file[sm_part_of(self, access->warp)], access->warp);
    if (access->answer) message_foresee(&access->answer->message);
}

/* --- steps ------------------------------------------------------------------------------------ */

/* A CTA whose warps find no registers in one piece waits for the end of another. */
G_GNUC_NO_INLINE static void take_from_dispatcher(SM *self, Time now)
{
    CtaMessage *message;
    while ((message = (CtaMessage *)port_peek(&self->from_dispatcher))) {
        const bool starts = message->cta == CTA_KERNEL_START, ends = message->cta == CTA_WRITE_BACK;
        if (!starts && !ends && !sm_start_cta(self, message, now)) {
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

/* Of so many cycles in which nobody could issue. */
G_GNUC_NO_INLINE static void count_lost(SM *self, uint64_t cycles)
{
    uint32_t lost[EXECUTION_POOLS];
    warp_pool_count_lost(&self->pool, lost);
    for (uint32_t p = 0; p < EXECUTION_POOLS; p++) self->pipe[p].lost += cycles * lost[p];
}

/* Since the last step nobody could issue. */
static inline void account_pause(SM *self, Time now)
{
    const WarpCensus *census = &self->census;
    const Time pause = now - self->looked, cycle = self->pool.width.cycle;
    self->looked = now;
    self->stalled_results += census->results * pause;
    if (census->unit) self->stalled_unit += census->unit * pause;
    self->stalled_slot += census->slot * pause;
    if (census->other) self->stalled_other += census->other * pause;
    if (self->pool.ready && pause > cycle) count_lost(self, pause / cycle - 1);
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
    if (self->pool.ready) sm_issue(self, now);
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
    .foresee = foresee,
    .teardown = teardown,
    .boundary = boundary,
    .settle = settle,
    .unfinished = sm_unfinished};
