/* L1's arbiter: who is served next, passes of shared memory, the instruction buffer. */
#include "units/l1.h"

/* --- shared memory ---------------------------------------------------------------------------- */

Time l1_book_data(L1 *self, uint32_t passes, Time now)
{
    const Time start = MAX(now, self->data_free), cycle = self->unit.clock->period;
    self->data_passes += passes;
    self->data_free = start + passes * cycle;
    return passes ? start + (passes - 1) * cycle : start;
}

static void account_shared(L1 *self, const WarpAccess *access, Time now, Time ready)
{
    Transaction times = {.stamp_count = 0};
    l1_enter_first_stages(access, &times);
    transaction_enter(&times, STAGE_REPLAY, MIN(access->served_at, access->refused_at));
    transaction_enter(&times, STAGE_L1_TAG, now);
    transaction_enter(&times, STAGE_WRITEBACK, ready);
    if (!transaction_add_stages(&times, ready + self->to_sm_shared.delay, &self->stages_shared))
        unit_fail(&self->unit, "a shared access's stages go back in time");
}

/* Its last pass is accepted: when the value comes, or the operands are read, is known. */
static void finish_shared(L1 *self, WarpAccess *access, Time pass, Time now)
{
    const bool has_no_result = instruction_has_no_result(&access->instruction);
    const Time latency = clock_cycles(self->unit.clock, self->shared_latency);
    const Time ready = pass + latency;
    account_shared(self, access, now, ready);
    if (!has_no_result) {
        channel_send(&self->to_sm_shared, &access->message, ready);
    } else if (access->instruction.operation == OPERATION_STORE) {
        access->released = true;
        access->released_at = now + self->to_sm_shared.delay;
        channel_send(&self->to_sm_shared, &access->message, now);
    } else { /* the load/store unit has told the SM */
        unit_free_message(&self->unit, &access->message);
    }
}

/* Intervals may be parts of a cycle. */
static Time atomic_pass_at(const L1 *self, const WarpAccess *access)
{
    return clock_ceil(self->unit.clock, access->served_at + access->next * access->pass_interval);
}

/* The lanes of one pass; the others are replayed. */
static Served serve_shared(L1 *self, WarpAccess *access, Time now)
{
    const bool stores = access->instruction.operation != OPERATION_LOAD;
    if (stores && !l1_write_room(self))
        return l1_refuse(self, access, &self->refused_write_buffer, now);
    const Time pass = l1_book_data(self, 1, now);
    if (access->served_at == TIME_NEVER) {
        access->served_at = now;
        self->shared_accesses++;
    }
    self->shared_passes++;
    self->array_reads += access->instruction.operation != OPERATION_STORE;
    self->array_writes += stores;
    const uint64_t interval = access->next ? self->replay_interval : self->replay_latency;
    access->replay_at = now + clock_cycles(self->unit.clock, interval);
    if (++access->next < access->passes) {
        if (access->pass_interval) access->replay_at = atomic_pass_at(self, access);
        return SERVED_PARTLY;
    }
    finish_shared(self, access, pass, now);
    return SERVED_WHOLLY;
}

/* --- the arbiter ------------------------------------------------------------------------------ */

Served l1_refuse(L1 *self, WarpAccess *access, uint64_t *counter, Time now)
{
    (*counter)++;
    if (access->refused_at == TIME_NEVER) access->refused_at = now;
    access->replay_at = TIME_NEVER;
    access->changes = self->changes;
    return SERVED_NOTHING;
}

static bool is_shared(const WarpAccess *access)
{
    return access->instruction.space == SPACE_SHARED;
}

/* One pass. */
static Served serve(L1 *self, WarpAccess *access, Time now)
{
    self->tag_free = now + clock_cycles(self->unit.clock, self->lookup_interval);
    access->replay_at = self->tag_free;
    const Served served = is_shared(access) ? serve_shared(self, access, now)
                          : access->instruction.operation == OPERATION_LOAD
                              ? l1_load(self, access, now)
                              : l1_store(self, access, now);
    if (served == SERVED_NOTHING) self->tag_free = now;
    return served;
}

static bool may_replay(const L1 *self, const WarpAccess *access, Time now)
{
    return access->replay_at == TIME_NEVER ? access->changes != self->changes
                                           : access->replay_at <= now;
}

static void link_after(L1 *self, WarpAccess *before, WarpAccess *access)
{
    WarpAccess **place = before ? (WarpAccess **)&before->message.next : &self->first_replay;
    access->message.next = (Message *)*place;
    *place = access;
    if (self->last_replay == before) self->last_replay = access;
}

static void unlink_after(L1 *self, WarpAccess *before, WarpAccess *access)
{
    WarpAccess **place = before ? (WarpAccess **)&before->message.next : &self->first_replay;
    *place = (WarpAccess *)access->message.next;
    if (self->last_replay == access) self->last_replay = before;
}

/* A pass of the oldest access in the instruction buffer whose time has come. After one refusal the
 * others are not tried in this step. */
static bool serve_replay(L1 *self, Time now)
{
    WarpAccess *before = NULL, *access = self->first_replay;
    while (access && !may_replay(self, access, now)) {
        before = access;
        access = (WarpAccess *)access->message.next;
    }
    if (!access) return false;
    const Time came = access->buffered_at;
    unlink_after(self, before, access);
    self->replays++;
    const Served served = serve(self, access, now);
    if (served == SERVED_WHOLLY) {
        self->in_buffer--;
        level_leave(&self->replay_room, now, came);
    } else {
        link_after(self, before, access);
    }
    return served != SERVED_NOTHING;
}

/* The first pass of the next access, which goes to the instruction buffer if that is not all. */
static bool serve_next(L1 *self, Time now)
{
    WarpAccess *access = (WarpAccess *)port_peek(&self->from_load_store);
    if (!access) return false;
    if (self->replay_entries && self->in_buffer >= self->replay_entries) {
        self->refused_room++;
        return false;
    }
    port_take(&self->from_load_store, now);
    self->seen--;
    level_leave(&self->queue, now, access->arrived);
    const Served served = serve(self, access, now);
    if (served == SERVED_WHOLLY) return true;
    access->buffered_at = now;
    link_after(self, self->last_replay, access);
    self->in_buffer++;
    level_enter(&self->replay_room, now);
    return served != SERVED_NOTHING;
}

/* When the arbiter takes the next pass: the array may be behind the tags by its backlog at most. */
static Time arbiter_free(const L1 *self)
{
    const Time backlog = self->overlap ? clock_cycles(self->unit.clock, self->data_backlog) : 0;
    const Time array = self->data_free > backlog ? self->data_free - backlog : 0;
    return MAX(self->tag_free, array);
}

static void arbitrate(L1 *self, Time now)
{
    if (arbiter_free(self) <= now && !serve_replay(self, now) && arbiter_free(self) <= now)
        serve_next(self, now);
}

static void plan_wake(L1 *self, Time now)
{
    Time at = TIME_NEVER;
    if (self->first_write && l1_network_ready(self, now))
        unit_wake_at(&self->unit, now + self->unit.clock->period);
    const bool takes_next = port_peek(&self->from_load_store)
                            && (!self->replay_entries || self->in_buffer < self->replay_entries);
    if (takes_next) at = now;
    for (const WarpAccess *access = self->first_replay; access && at > now;
         access = (const WarpAccess *)access->message.next)
        at = may_replay(self, access, now) ? now : MIN(at, access->replay_at);
    if (at == TIME_NEVER) return;
    at = MAX(at, arbiter_free(self));
    unit_wake_at(&self->unit, MAX(at, now + self->unit.clock->period));
}

static void see_arrivals(L1 *self, Time now)
{
    for (; self->seen < self->from_load_store.count; self->seen++) {
        WarpAccess *access = (WarpAccess *)port_peek_at(&self->from_load_store, self->seen);
        access->arrived = now;
        access->served_at = access->refused_at = TIME_NEVER;
        l1_arrange(self, access);
        level_enter(&self->queue, now);
    }
}

void l1_step(Unit *unit, Time now)
{
    L1 *self = (L1 *)unit;
    see_arrivals(self, now);
    l1_take_replies(self, now);
    if (self->network_full && channel_ready(&self->to_request_network, now)) {
        self->network_full = false;
        self->changes++;
    }
    l1_drain_writes(self, now);
    arbitrate(self, now);
    plan_wake(self, now);
}
