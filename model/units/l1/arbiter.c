/* L1's arbiter: who is served next, passes of shared memory, the instruction buffer. */
#include "units/l1/ports.h"
#include "units/l1/way.h"

/* --- shared memory ---------------------------------------------------------------------------- */

/* A pass of shared memory, at the port that it needs: an atomic's reads, and writes as well. */
static Time book_shared_pass(L1 *self, const WarpAccess *access, Time now)
{
    const bool own_port = self->array_ports == ARRAY_1R1W && state_of(access)->stores;
    const Time written = own_port ? l1_book_write(self, 1, now) : now;
    if (own_port && access->instruction.operation == OPERATION_STORE)
        return written - self->unit.clock->period;
    return l1_book_data(self, 1, now);
}

static uint64_t first_address(const WarpAccess *access)
{
    const Instruction *instruction = &access->instruction;
    const uint32_t lane = instruction->mask ? (uint32_t)__builtin_ctzll(instruction->mask) : 0;
    const LaneSteps steps = instruction_steps(instruction);
    return instruction->addresses ? access->lanes->address[0] : lane_address(&steps, lane);
}

static void account_shared(L1 *self, WarpAccess *access, Time now, Time ready)
{
    const Instruction *instruction = &access->instruction;
    Transaction times; /* what an account wants of it */
    times.message.id = access->message.id;
    times.access = access;
    times.virtual_line = first_address(access);
    times.requested_bytes = (uint16_t)(count_lanes(instruction->mask) * instruction->width);
    times.source = (uint16_t)self->unit.number;
    times.type = (uint8_t)transaction_type(instruction);
    times.served_by = SERVED_L1;
    transaction_begin_stages(&times);
    l1_enter_first_stages(access, &times);
    const AccessState *state = state_of(access);
    transaction_enter(&times, STAGE_REPLAY, MIN(state->served_at, state->refused_at));
    transaction_enter(&times, STAGE_L1_TAG, now);
    transaction_enter(&times, STAGE_WRITEBACK, ready);
    unit_account(&self->unit, &times, ready + self->to_sm_shared.delay, &self->stages_shared);
}

/* Its last pass is accepted: when the value comes, or the operands are read, is known. */
static void finish_shared(L1 *self, WarpAccess *access, Time pass, Time now)
{
    const bool has_no_result = instruction_has_no_result(&access->instruction);
    const Time latency = clock_cycles(self->unit.clock, self->shared_latency);
    const Time ready = pass + latency;
    account_shared(self, access, now, ready);
    if (!has_no_result) {
        l1_count_lanes(self, &access->instruction);
        channel_send(&self->to_sm_shared, &access->message, ready);
    } else {
        access->released_at = now + self->to_sm_notices.delay;
        channel_send(&self->to_sm_notices, &access->message, now);
    }
}

static bool has_interval(const WarpAccess *access)
{
    return access->instruction.operation == OPERATION_ATOMIC && access->pass_interval;
}

/* Intervals may be parts of a cycle. */
static Time atomic_pass_at(const L1 *self, const WarpAccess *access)
{
    const AccessState *state = state_of(access);
    return clock_ceil(self->unit.clock, state->served_at + state->next * access->pass_interval);
}

/* Data of stores and atomics waits in the write data buffer until the banks have the last of it. */
static void enter_buffer(L1 *self, Time now)
{
    self->writes_reserved++;
    level_enter(&self->write_room, now);
    level_enter(&self->write_buffer, now);
}

static void leave_for_banks(L1 *self, Time entered, Time pass, Time now)
{
    self->writes_reserved--;
    l1_leave_buffer(self, entered, pass + clock_cycles(self->unit.clock, self->shared_latency),
                    now);
}

/* Of loads each pass brings values, of atomics the last one. */
static bool pass_has_values(const WarpAccess *access)
{
    const AccessState *state = state_of(access);
    if (!state->stores) return true;
    return !instruction_has_no_result(&access->instruction) && state->next + 1 == state->passes;
}

static bool book_value_of_pass(L1 *self, WarpAccess *access, Time now)
{
    const Time pass = l1_array_begins(self, now),
               latency = clock_cycles(self->unit.clock, self->shared_latency);
    return l1_book_registers(self, access, &(Values){&self->to_sm_shared, pass + latency, 1}, now);
}

/* Of all passes. Lanes that want one word are known where all do. */
static void count_words(L1 *self, const Instruction *instruction, uint64_t passes, bool stores)
{
    const uint64_t width = self->shared_bank_bytes,
                   lanes = instruction->addresses || instruction->stride
                               ? count_lanes(instruction->mask)
                               : 1,
                   words = lanes * ((instruction->width + width - 1) / width),
                   bytes = MIN(words, passes * self->shared_banks) * width;
    const bool loads = !stores || instruction->operation == OPERATION_ATOMIC;
    if (loads) self->bytes_shared_read += bytes;
    if (stores) self->bytes_shared_written += bytes;
    if (stores) self->bytes_stored += (uint64_t)instruction->width * count_lanes(instruction->mask);
}

/* The lanes of one pass; the others are replayed. */
static Served serve_shared(L1 *self, WarpAccess *access, Time now)
{
    AccessState *state = state_of(access);
    const bool stores = state->stores;
    if (stores && !state->next && !l1_write_room(self)) return l1_refuse_room(self, access, now);
    if (self->register_ports && pass_has_values(access) && !book_value_of_pass(self, access, now))
        return SERVED_NOTHING;
    const Time pass = book_shared_pass(self, access, now);
    if (state->served_at == TIME_NEVER) {
        state->served_at = now;
        self->shared_accesses++;
        count_words(self, &access->instruction, state->passes, stores);
        if (stores) enter_buffer(self, now);
    }
    self->shared_passes++;
    self->shared_reads += !stores || access->instruction.operation == OPERATION_ATOMIC;
    if (stores) self->shared_writes++;
    const uint64_t interval = state->next ? self->replay_interval : self->replay_latency;
    state->replay_at = now + clock_cycles(self->unit.clock, interval);
    if (++state->next < state->passes) {
        if (stores && has_interval(access)) state->replay_at = atomic_pass_at(self, access);
        return SERVED_PARTLY;
    }
    if (stores) leave_for_banks(self, state->served_at, pass, now);
    finish_shared(self, access, pass, now);
    return SERVED_WHOLLY;
}

/* --- the arbiter ------------------------------------------------------------------------------ */

Served l1_refuse(L1 *self, WarpAccess *access, uint64_t *counter, Time now)
{
    AccessState *state = state_of(access);
    (*counter)++;
    access->refused = (uint8_t)(REFUSED_SET + (counter - &self->refused_set));
    if (state->refused_at == TIME_NEVER) state->refused_at = now;
    state->replay_at = TIME_NEVER;
    state->changes = self->changes;
    state->absent = false;
    return SERVED_NOTHING;
}

/* Beside each other at so many ports. */
static void book_conflicts(L1 *self, uint32_t cycles, Time now)
{
    self->conflict_cycles += cycles;
    const Time turns = cycles * self->unit.clock->period;
    server_book(&self->conflicts, now, self->several ? turns / self->data_ports : turns);
}

/* With its turn taken at the tags, up to `tag_free`. */
static Served take_pass(L1 *self, WarpAccess *access, Time now)
{
    if (state_of(access)->first_back) return l1_read_back(self, access, now);
    state_of(access)->replay_at = self->tag_free;
    if (state_of(access)->shared) return serve_shared(self, access, now);
    return state_of(access)->stores ? l1_store(self, access, now) : l1_load(self, access, now);
}

/* One pass. */
static Served serve(L1 *self, WarpAccess *access, Time now)
{
    const bool shared = state_of(access)->shared;
    const uint32_t conflicts = state_of(access)->conflicts; /* it may be gone afterwards */
    if (access == self->claimant) self->claimant = NULL;
    const Time free = self->tag_free;
    const TagTurn turn = l1_turn(self, shared, now);
    self->tag_free = now + turn.next;
    const Served served = take_pass(self, access, now);
    if (served == SERVED_NOTHING) {
        self->tag_free = free;
        if (self->several) self->turn_rest[shared] = self->rest_before;
    } else {
        server_book(&self->arbiter, now, turn.work);
    }
    if (served == SERVED_WHOLLY && conflicts) book_conflicts(self, conflicts, now);
    return served;
}

/* When the access comes to the arbiter; TIME_NEVER: when something has happened. */
static inline Time due_at(const L1 *self, const AccessState *state)
{
    if (state->first_back) return state->first_back->entered;
    if (state->replay_at != TIME_NEVER) return state->replay_at;
    return state->waits || state->changes == self->changes ? TIME_NEVER : 0;
}

/* Of the load/store unit and the texture unit in turns, where both have one. What had no room was
 * held up as long as the one before it. */
static WarpAccess *take_access(L1 *self, Time now)
{
    const bool texture = self->reads_seen && (self->texture_next || !self->seen);
    self->texture_next = !texture;
    (*(texture ? &self->reads_seen : &self->seen))--;
    Port *port = texture ? &self->from_texture : &self->from_load_store;
    WarpAccess *access = (WarpAccess *)port_take(port, now);
    port_give_reason(port, state_of(access)->arrived < now ? self->left_refused : REFUSED_NOT);
    return access;
}

G_GNUC_NO_INLINE static void buffer_access(L1 *self, Time due, Time now)
{
    WarpAccess *access = take_access(self, now);
    AccessState *state = state_of(access);
    level_leave(&self->queue, now, state->arrived);
    level_enter(&self->replay_room, now);
    state->buffered_at = now;
    state->replay_at = due;
    message_list_append(&self->buffered, &access->message);
    self->in_buffer++;
    self->timed++;
}

/* Takes accesses into the instruction buffer as long as it has room; they come to the arbiter at
 * `due`. */
static inline void fill_buffer(L1 *self, Time due, Time now)
{
    while (l1_any_access(self)) {
        if (self->replay_entries && self->in_buffer >= self->replay_entries) {
            self->refused_room++;
            return;
        }
        buffer_access(self, due, now);
    }
}

/* One pass of `access`, which stands between these two. What goes back stays where it is. */
static Served serve_from_buffer(L1 *self, Message *before, WarpAccess *access, Time now)
{
    Message *const after = access->message.next; /* it may be on its way back afterwards */
    const Time came = state_of(access)->buffered_at;
    const Refusal refused = (Refusal)access->refused;
    self->timed -= l1_is_timed(state_of(access));
    const Served served = serve(self, access, now);
    if (served == SERVED_WHOLLY) {
        message_list_close(&self->buffered, before, after);
        self->in_buffer--;
        self->left_refused = refused;
        level_leave(&self->replay_room, now, came);
    } else {
        self->timed += l1_is_timed(state_of(access));
    }
    return served;
}

/* The arbiter takes no pass now. */
static bool is_taken(const L1 *self, Time now)
{
    return self->tag_free > now || l1_array_lags(self, now);
}

static void note_refused(L1 *self, const Message *before, WarpAccess *access)
{
    if (before == self->asleep && !l1_is_timed(state_of(access))) self->asleep = &access->message;
}

/* The oldest access whose time has come. When one that has been refused before is refused again,
 * younger ones that were refused are not tried by this call. Returns WENT_BACK, one has gone back,
 * and GOES_ON, another may be served in this cycle. */
enum { WENT_BACK = 1, GOES_ON = 2 };
static unsigned arbitrate(L1 *self, Time now)
{
    bool refused = false;
    Served served = SERVED_NOTHING;
    Message *before = self->asleep, *message = before ? before->next : self->buffered.first;
    if (is_taken(self, now)) message = NULL;
    while (message) {
        WarpAccess *const access = (WarpAccess *)message;
        const AccessState *const state = state_of(access);
        if ((!refused || l1_is_timed(state)) && due_at(self, state) <= now) {
            served = serve_from_buffer(self, before, access, now);
            if (served != SERVED_NOTHING) break;
            refused = true;
            note_refused(self, before, access);
            if (!self->timed || is_taken(self, now)) break;
        }
        before = message;
        message = message->next;
    }
    const bool rest = served == SERVED_PARTLY, back = rest || refused;
    self->replays += back;
    self->wasted_replays += back && !rest;
    const bool more = self->several && served != SERVED_NOTHING && !is_taken(self, now);
    fill_buffer(self, more ? now : now + self->unit.clock->period, now);
    const bool goes_on = more && self->in_buffer;
    return (back ? WENT_BACK : 0) | (goes_on ? GOES_ON : 0);
}

/* When the first is due; if some are by `soon`, when one of these is. */
static Time first_due(const L1 *self, Time soon)
{
    Time at = TIME_NEVER;
    for (const Message *message = self->asleep ? self->asleep->next : self->buffered.first;
         message && at > soon; message = message->next) {
        const Time due = due_at(self, state_of((const WarpAccess *)message));
        at = MIN(at, due);
    }
    return at;
}

/* Of those in the buffer, the first that is due when the arbiter is free is soon enough. */
static Time plan_pass(L1 *self, bool one_went_back, Time now)
{
    self->vain_from = TIME_NEVER;
    if (!self->in_buffer) return TIME_NEVER;
    const Time tags = MAX(self->tag_free, now), backlog = self->array_backlog;
    const Time array = MAX(self->data_array.until, tags + backlog) - backlog,
               free = self->several ? clock_ceil(self->unit.clock, array) : array,
               back = one_went_back ? now + self->unit.clock->period : now;
    const Time due = first_due(self, MIN(free, back));
    self->vain_from = MAX(due, back);
    return MAX(due, free);
}

static void plan_wake(L1 *self, Time at, Time now)
{
    if (self->queued_writes.first && self->stuck_since != self->changes) at = now;
    if (self->requests_seen) at = MIN(at, l1_next_request(self, now));
    if (self->leaving_count) at = MIN(at, self->leaving[self->leaving_first].leaves);
    if (self->left && (self->left & FILLS_LEFT || l1_cleans(self))) at = now;
    if (at != TIME_NEVER) unit_wake_at(&self->unit, MAX(at, now + self->unit.clock->period));
}

void l1_foresee_look_up(const L1 *self, uint64_t line)
{
    tag_array_foresee(&self->tags, line_number(self, line), false);
    pending_request_table_foresee(&self->table, line);
}

static void see_accesses(L1 *self, const Port *port, uint32_t *seen, Time now)
{
    for (; *seen < port->count; (*seen)++) {
        WarpAccess *access = (WarpAccess *)port_peek_at(port, *seen);
        AccessState *state = state_of(access);
        state->arrived = now;
        state->served_at = state->refused_at = TIME_NEVER;
        state->next = state->conflicts = state->missing = 0;
        state->first_back = NULL;
        state->waits = state->absent = false;
        state->shared = access->instruction.space == SPACE_SHARED;
        state->stores = access->instruction.operation != OPERATION_LOAD;
        access->done = 0;
        l1_arrange(self, access);
        level_enter(&self->queue, now);
        if (!state->shared) l1_foresee_look_up(self, access->line->line);
    }
}

/* None of these has to do with another; translations, which have come then, are left. */
static bool see_arrivals(L1 *self, Time now)
{
    bool translations = false;
    for (uint32_t k = 0; k < self->unit.fresh_count; k++) {
        const Port *port = self->unit.ports[self->unit.fresh[k]];
        if (port == &self->from_load_store)
            see_accesses(self, port, &self->seen, now);
        else if (port == &self->from_texture)
            see_accesses(self, port, &self->reads_seen, now);
        else if (port == &self->from_texture_misses)
            l1_note_requests(self, now);
        else if (port == &self->from_reply_network)
            l1_take_replies(self, now);
        else if (port == &self->from_mmu)
            translations = true;
        else
            self->left |= ORDER_LEFT;
    }
    return translations;
}

void l1_step(Unit *unit, Time now)
{
    L1 *self = (L1 *)unit;
    l1_count_in_vain(self, now);
    if (self->leaving_count) l1_free_places(self, now);
    if (self->left & FILLS_LEFT) l1_take_replies(self, now);
    const bool translations = see_arrivals(self, now);
    if (self->network_full || self->mmu_full) l1_note_room(self, now);
    if (translations || self->translated_waits) l1_take_translations(self, translations, now);
    if (self->requests_seen) l1_pass_requests(self, now);
    if (self->queued_writes.first)
        l1_drain_writes(self, now);
    else
        self->load_waits = false; /* no store takes the place that it waits for */
    fill_buffer(self, now, now);
    unsigned last = self->in_buffer ? GOES_ON : 0, any = 0;
    while (last & GOES_ON) {
        last = arbitrate(self, now);
        any |= last;
    }
    if (self->left & ORDER_LEFT) l1_clean(self, now);
    const Time at = plan_pass(self, any & WENT_BACK, now);
    const bool retries = at != TIME_NEVER && !self->timed;
    if (!retries || !l1_leave_retries(self, at, now)) plan_wake(self, at, now);
}
