/* The SM: what it has for CTAs, and what they take of it. */
#include "units/sm/private.h"

/* Where one more of these CTAs, which take `each`, would be too many, the place is full with these.
 * One that has nothing is not full. */
static void set_full(Level *level, uint64_t limit, uint64_t each, uint64_t ctas, Time now)
{
    level_settle(level, now);
    level->full_at = (int64_t)((ctas + 1) * each > limit ? ctas * each : MAX(limit, 1));
}

/* Of launches that divide the array otherwise, the most that one has. Where there is none nothing
 * is held. */
uint64_t sm_shared_in_force(const SM *self)
{
    const GArray *launches = self->launch_list->launches;
    uint64_t most = 0;
    for (guint i = 0; i < launches->len; i++) {
        const Launch *launch = &g_array_index(launches, Launch, i);
        if (launch->measured) most = MAX(most, sm_shared_bytes(self, launch));
    }
    return most ? most : self->shared_memory;
}

/* What is left over of registers where they are the limit is in parts too small for a warp. */
static void note_limits(SM *self, const Kernel *kernel, const OccupancyBound *bound, uint64_t ctas,
                        Time now)
{
    const OccupancyLimits *limits = &self->limits;
    OccupancyUse one = {0};
    occupancy_add(limits, &one, kernel);
    const uint64_t registers = bound->registers ? ctas * one.registers : limits->registers;
    set_full(&self->resident_ctas, limits->ctas, one.ctas, ctas, now);
    set_full(&self->resident_warps, limits->warps, one.warps, ctas, now);
    set_full(&self->resident_threads, limits->threads, one.threads, ctas, now);
    set_full(&self->registers_allocated, registers, one.registers, ctas, now);
    set_full(&self->shared_allocated, limits->shared_bytes, one.shared_bytes, ctas, now);
}

static void prepare_launch(SM *self, uint32_t launch)
{
    if (launch >= self->launches) {
        self->launches = launch + 1;
        self->outstanding = g_renew(Outstanding, self->outstanding, self->launches);
    }
    self->outstanding[launch] = (Outstanding){0};
}

/* What bounds the residency: of a carve-out that fits it is not that there is no more of it. */
static OccupancyLimits bounding_limits(const SM *self)
{
    OccupancyLimits limits = self->limits;
    limits.shared_bytes = MAX(limits.shared_bytes, self->shared_most);
    return limits;
}

void sm_offer_room(SM *self, CtaMessage *message, Time now)
{
    prepare_launch(self, message->launch);
    self->l1_keeps = false;
    GError *error = NULL;
    OccupancyBound bound;
    message->limits = self->limits;
    const OccupancyLimits bounding = bounding_limits(self);
    const uint64_t ctas = occupancy_ctas(&bounding, message->kernel, &bound, &error);
    if (!ctas) {
        unit_reject_input(&self->unit, error);
        return;
    }
    note_limits(self, message->kernel, &bound, ctas, now);
    self->limited_by_registers += bound.registers;
    self->limited_by_shared += bound.shared;
    self->limited_by_warps += bound.warps;
    self->limited_by_ctas += bound.ctas;
    unit_still_rests(&self->unit);
    channel_send(&self->to_dispatcher, &message->message, now);
}

void sm_cta_starts(SM *self, const Kernel *kernel, Time now)
{
    Level *threads = &self->resident_threads, *shared = &self->shared_allocated;
    level_set(threads, now, threads->now + kernel->threads_per_cta);
    level_set(shared, now, shared->now + occupancy_shared_bytes(&self->limits, kernel));
}

void sm_cta_ends(SM *self, const Kernel *kernel, Time started, Time now)
{
    const uint64_t threads = kernel->threads_per_cta;
    const uint64_t bytes = occupancy_shared_bytes(&self->limits, kernel);
    level_leave_together(&self->resident_threads, now, threads, threads * started);
    level_leave_together(&self->shared_allocated, now, bytes, bytes * started);
}

void sm_complete_cta(SM *self, CtaMessage *message, Time started, Time now)
{
    Outstanding *outstanding = &self->outstanding[message->launch];
    message->owes = outstanding->count && !outstanding->awaited;
    outstanding->awaited |= message->owes;
    message->keeps = self->l1_keeps;
    message->began = started;
    message->ended = now;
    self->ctas++;
    channel_send(&self->to_dispatcher, &message->message, now);
}

static bool allocate_registers(SM *self, const Kernel *kernel)
{
    uint64_t taken = 0, free = ~self->pool.used;
    for (uint32_t i = 0; i < kernel_warps(kernel); i++, free &= free - 1) {
        const uint32_t w = (uint32_t)__builtin_ctzll(free);
        if (!register_file_allocate(&self->file[sm_part_of(self, w)], w,
                                    kernel->registers_per_thread))
            break;
        taken |= free & -free;
    }
    if ((uint32_t)__builtin_popcountll(taken) == kernel_warps(kernel)) return true;
    for (; taken; taken &= taken - 1) {
        const uint32_t w = (uint32_t)__builtin_ctzll(taken);
        register_file_release(&self->file[sm_part_of(self, w)], w);
    }
    return false;
}

bool sm_take_registers(SM *self, const Kernel *kernel, Time now)
{
    if (!allocate_registers(self, kernel)) return false;
    uint64_t entries = 0;
    for (uint32_t p = 0; p < self->ports.shape.parts; p++) entries += self->file[p].allocated;
    level_set(&self->registers_allocated, now, entries * *self->warp_lanes);
    return true;
}

Time sm_set_up_warp(SM *self, Warp *warp, Time now)
{
    if (!self->launch_share) return now;
    warp->waited_for = SLOT_LAUNCH;
    warp->waited_until = MAX(now, self->warp_launches.until);
    server_book(&self->warp_launches, now, self->launch_share);
    return warp->waited_until;
}

void sm_release_registers(SM *self, uint32_t w, Time now)
{
    RegisterFile *file = &self->file[sm_part_of(self, w)];
    const uint64_t registers = file->size[w] * *self->warp_lanes;
    register_file_release(file, w);
    self->registers_freed = true;
    level_leave_together(&self->registers_allocated, now, registers,
                         registers * self->warp[w].started);
}

bool sm_unfinished(Unit *unit, GString *what)
{
    SM *self = (SM *)unit;
    const WarpPool *pool = &self->pool;
    const uint64_t stores = sm_count_outstanding(self);
    if (!pool->used && !stores) return false;
    g_string_append_printf(what, "%d warps resident, %d of them wait for loads, %d at a barrier",
                           __builtin_popcountll(pool->used), __builtin_popcountll(pool->waiting),
                           __builtin_popcountll(cta_slots_at_barrier(&self->ctas_resident)));
    if (stores)
        g_string_append_printf(
            what, ", %" G_GUINT64_FORMAT " stores and reductions not acknowledged", stores);
    if (self->sampling)
        unit_waits_for(unit, port_sender(&self->from_texture));
    else if (pool->waiting || stores)
        unit_waits_for(unit, port_sender(&self->from_l1));
    return true;
}
