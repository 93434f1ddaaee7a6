/* The SM: a cycle of its schedulers, and where the instructions go that they choose. */
#include "kit/gpu/texture.h"
#include "units/sm/private.h"

/* Where the last fetched instruction of the warp samples. */
G_GNUC_NO_INLINE static Samples *take_coordinates(SM *self, const Warp *warp)
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

/* A second one of this warp may follow in the same cycle. */
static inline Time soonest_after(const SM *self, Time now)
{
    return self->dispatches_per_warp > 1 ? now : now + self->pool.width.cycle;
}

/* A run is over. The scheduler comes to another warp soon, which may have waited for that since its
 * CTA began. */
G_GNUC_NO_INLINE static void foresee_next(const SM *self, uint32_t w)
{
    const WarpPool *pool = &self->pool;
    const uint32_t s = pool->scheduler[w];
    const uint64_t others = pool->ready & pool->mine[s];
    if (others) warp_foresee(&self->warp[warp_pool_choose(pool, s, others)]);
}

/* Of a run of dependent ones each issues by itself. */
static inline void issue_arithmetic(SM *self, uint32_t w, Time delay, Time now)
{
    Warp *warp = &self->warp[w];
    const Instruction *next = &warp->next;
    Time ready = now + self->latency[next->unit] + delay;
    if (self->ports.write) ready = sm_write_results(self, w, next, ready, self->forwarded);
    if (--warp->remaining) {
        warp_pool_ready_at(&self->pool, w, ready);
        return;
    }
    const Time room_at = scoreboard_note_result(&warp->scoreboard, next->destination,
                                                next->destination_count, ready, now);
    sm_fetch_next(self, w, MAX(room_at, soonest_after(self, now)), now);
    foresee_next(self, w);
}

/* The warp's time is up: it ends like one that comes to its end. */
G_GNUC_NO_INLINE static bool pace_ends(SM *self, uint32_t w, Time earliest, Time now)
{
    Warp *warp = &self->warp[w];
    const Time limit = clock_cycles(self->unit.clock, (uint64_t)warp->next.stride);
    if (!limit || now < warp->started + limit) return false;
    warp->next.operation = OPERATION_EXIT;
    sm_classify(self, w, earliest, now);
    return true;
}

/* The instruction enters its unit. Returns how much longer its operands take than usual. */
static inline Time enter_unit(SM *self, uint32_t s, uint32_t w, Time now)
{
    const Instruction *next = &self->warp[w].next;
    const ExecutionPool pool = self->pool.pool[w];
    Time delay = 0;
    self->thread_instructions += count_lanes(next->mask);
    server_book_known(&self->issue_slots.at[s], now, self->pool.width.cycle, self->slot_share);
    if (pool == POOL_NONE) return 0;
    if (self->register_operands
        || !register_ports_read_at_once(&self->ports, self->part_of[s], next->source_count, now))
        delay = sm_read_operands(self, s, w, now);
    Pipe *pipe = &self->pipe[pool];
    pipe->accepted++;
    server_book_known(&pipe->server, now, pipe->length + delay, pipe->share);
    execution_units_enter(&self->units, pool, s, delay, now);
    return delay;
}

/* What is no arithmetic. */
G_GNUC_NO_INLINE static void issue_other(SM *self, uint32_t w, Time delay, Time now)
{
    const Instruction *next = &self->warp[w].next;
    const Time soonest = soonest_after(self, now);
    switch ((Operation)next->operation) {
    case OPERATION_LOAD:
    case OPERATION_STORE:
    case OPERATION_ATOMIC: issue_memory(self, w, delay, now); break;
    case OPERATION_BARRIER: sm_arrive_at_barrier(self, w, now); return;
    case OPERATION_FENCE:
        if (sm_fence_waits(self, w, soonest, now)) return;
        break;
    case OPERATION_ALU:
    case OPERATION_WAIT_STORES: break;
    case OPERATION_PACE:
        if (pace_ends(self, w, soonest, now)) return;
        break;
    case OPERATION_EXIT: sm_end_warp(self, w, now); return;
    }
    if (next->until)
        sm_classify(self, w, soonest, now); /* it waits for the value, and issues again */
    else
        sm_fetch_next(self, w, soonest, now);
}

G_ALWAYS_INLINE static inline void issue(SM *self, uint32_t s, uint32_t w, Time now)
{
    self->warp_instructions++;
    sm_slots_issue(self, s, w, now);
    const Time delay = enter_unit(self, s, w, now);
    if (self->warp[w].next.operation == OPERATION_ALU)
        issue_arithmetic(self, w, delay, now);
    else
        issue_other(self, w, delay, now);
}

static inline bool issue_only(SM *self, uint32_t s, uint64_t blocked, Time now)
{
    const uint32_t w = warp_pool_pick_only(&self->pool, &self->units, s, blocked, now);
    const bool issues = !(w & WARP_REFUSED);
    if (issues)
        issue(self, s, w, now);
    else
        self->pipe[self->pool.pool[w & ~WARP_REFUSED]].lost++;
    return issues;
}

G_GNUC_NO_INLINE static bool issue_round(SM *self, uint32_t s, Time now)
{
    const WarpPool *pool = &self->pool;
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
        self->pipe[p].lost += round.lost[p];
    }
    return any;
}

static inline bool issue_of(SM *self, uint32_t s, uint64_t blocked, Time now)
{
    const WarpPool *pool = &self->pool;
    if (pool->ready & pool->mine[s])
        return pool->width.dispatches == 1 ? issue_only(self, s, blocked, now)
                                           : issue_round(self, s, now);
    self->lost_no_ready_warp += (pool->used & pool->mine[s]) != 0;
    return false;
}

static inline uint64_t blocked_warps(const SM *self)
{
    return warp_pool_blocked(&self->pool, &self->units, self->pool.ready);
}

void sm_issue(SM *self, Time now)
{
    const uint32_t schedulers = self->pool.width.schedulers;
    uint64_t blocked = blocked_warps(self);
    bool any = false;
    const uint8_t *const order = self->order[self->turn];
    for (uint32_t k = 0; k < schedulers; k++) {
        if (issue_of(self, order[k], blocked, now)) {
            any = true;
            blocked = blocked_warps(self);
        }
    }
    self->issue_cycles += any;
    if (++self->turn == self->turns) self->turn = 0;
}
