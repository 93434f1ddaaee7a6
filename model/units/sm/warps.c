/* The SM: warps from their start to their end, and what their next instructions wait for. */
#include "units/sm/private.h"

#include <string.h>

void sm_set_needs(SM *self)
{
    const uint8_t load = self->loads == LOADS_ONE_AT_A_TIME ? NEEDS_LOADS_DONE : 0;
    const uint8_t seen = self->cta_waits_for_stores ? NEEDS_STORES_ACKNOWLEDGED : 0;
    self->needs[OPERATION_LOAD] = self->needs[OPERATION_ATOMIC] = load;
    self->needs[OPERATION_FENCE] = NEEDS_LOADS_DONE | NEEDS_STORES_ACKNOWLEDGED;
    self->needs[OPERATION_WAIT_STORES] = NEEDS_STORES_LEFT;
    self->needs[OPERATION_EXIT] = NEEDS_LOADS_DONE | NEEDS_STORES_LEFT | seen;
}

G_GNUC_NO_INLINE static void note_waiting(SM *self, Warp *warp, bool waits, Time now)
{
    if (waits)
        level_enter(&self->waiting_for_loads, now);
    else
        level_leave(&self->waiting_for_loads, now, warp->waits_since);
    warp->waits = waits;
    warp->waits_since = now;
}

G_ALWAYS_INLINE static inline void classify(SM *self, uint32_t w, Time earliest, Time now)
{
    Warp *warp = &self->warp[w];
    const Instruction *next = &warp->next;
    const ScoreboardNeeds needs = {.sources = next->sources,
                                   .source_count = next->source_count,
                                   .destination = next->destination,
                                   .destination_count = next->destination_count,
                                   .all = self->needs[next->operation]};
    const bool waits = scoreboard_must_wait(&warp->scoreboard, &needs);
    if (waits != warp->waits) note_waiting(self, warp, waits, now);
    if (waits)
        warp_pool_wait(&self->pool, w);
    else
        warp_pool_ready_at(&self->pool, w,
                           scoreboard_may_issue_at(&warp->scoreboard, &needs, earliest));
}

void sm_classify(SM *self, uint32_t w, Time earliest, Time now)
{
    classify(self, w, earliest, now);
}

void sm_fetch_next(SM *self, uint32_t w, Time earliest, Time now)
{
    Warp *warp = &self->warp[w];
    Instruction *next = &warp->next;
    ExecutionPool pool = POOL_NONE;
    warp->kernel->class->fetch(warp->kernel, &warp->cursor, next);
    warp->remaining = 1;
    if (next->operation == OPERATION_ALU) {
        pool = self->pool_of[next->unit];
        warp->remaining = MAX(next->repeat, 1);
    } else if (instruction_is_memory(next)) {
        pool = instruction_samples(next) ? POOL_TEXTURE : POOL_LOAD_STORE;
        if (next->until) warp->polled = 0;
    } else if (next->operation == OPERATION_PACE) {
        earliest = MAX(earliest, warp->started + clock_cycles(self->unit.clock, next->base));
    }
    warp_pool_describe_next(&self->pool, w, pool);
    classify(self, w, earliest, now);
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
    warp->started = warp->waited_until = now;
    warp->registers = self->file[sm_part_of(self, w)].base[w];
    warp->probes = kernel_times_warp(message->kernel, message->cta, number);
    warp->cursor.addresses = &self->addresses[(size_t)w * LANES_MAX];
    warp->cursor.cta = message->cta;
    warp->cursor.position = 0;
    warp->cursor.warp = number;
    warp->cursor.stream = message->stream;
    cta_slots_add_warp(&self->ctas_resident, cta, w);
    level_enter(&self->resident_warps, now);
    sm_fetch_next(self, w, sm_set_up_warp(self, warp, now), now);
}

bool sm_start_cta(SM *self, CtaMessage *message, Time now)
{
    if (!sm_take_registers(self, message->kernel, now)) return false;
    sm_slots_start_cta(self, message, now);
    const uint32_t slot = cta_slots_open(&self->ctas_resident, message);
    level_enter(&self->resident_ctas, now);
    sm_cta_starts(self, message->kernel, now);
    warp_pool_begin_cta(&self->pool);
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

G_GNUC_NO_INLINE void sm_arrive_at_barrier(SM *self, uint32_t w, Time now)
{
    warp_pool_hold(&self->pool, w);
    cta_slots_arrive(&self->ctas_resident, self->warp[w].cta, w);
    release_barrier(self, self->warp[w].cta, now);
}

/* The others of its CTA may have waited only for this one at their barrier. */
G_GNUC_NO_INLINE void sm_end_warp(SM *self, uint32_t w, Time now)
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
