/* The SM: where the time of its schedulers' slots went.
 *
 * A cycle in which a scheduler issues belongs to the unit of the first instruction. What passes
 * between two of them belongs to what the warp waited for that issued next: without that wait the
 * scheduler would have gone on. Of a wait for data, what passes belongs to where the request was
 * then, from the last line's stages. A new warp was waited for itself, or for its CTA. Each
 * femtosecond of each scheduler is counted once. */
#include <string.h>

#include "units/sm/private.h"

/* By where or what it was, not by who served it. */
static void add_use(SM *self, SlotUse use, Time from, Time to)
{
    self->slot_time[use] += to - from;
    unit_add_over_time(&self->unit, self->slot_row + use, from, to);
}

static void add(SM *self, SlotUse use, Time from, Time to)
{
    if (from == to) return;
    if (use < SLOT_ANSWERS)
        add_use(self, use, from, to);
    else
        self->slot_time[use] += to - from;
}

void sm_slots_setup(SM *self)
{
    uint32_t row = 0;
    for (const Stat *stat = sm_stats; stat->name; stat++) {
        const size_t use = (stat->offset - offsetof(SM, slot_time)) / sizeof *self->slot_time;
        if (stat->slot.of && !use) self->slot_row = row;
        g_assert(!stat->slot.of || row == self->slot_row + use);
        row += stat->over_time;
    }
}

static Time within(Time from, Time at, Time to)
{
    return at < from ? from : MIN(at, to);
}

SlotUse sm_full_way(const SM *self, ExecutionPool pool, Time since)
{
    if (pool != POOL_LOAD_STORE && pool != POOL_TEXTURE) return SLOT_PIPE;
    const PathName path = pool == POOL_TEXTURE ? PATH_TEXTURE : PATH_LOAD_STORE;
    return (SlotUse)(SLOT_REFUSED + channel_reason(self->path[path].to, since));
}

/* As far as it lies behind the last gap: what was before that has been forgotten. */
static OperandWait operand_wait_within(const SM *self, uint32_t w, Time from, Time to)
{
    const OperandWait *wait = &self->operand_wait[sm_part_of(self, w)];
    const Time since = within(from, wait->since, to);
    return (OperandWait){since, within(since, wait->until, to)};
}

void sm_slots_tell_operands(SM *self, uint32_t w, Time from, Time to)
{
    const ExecutionPool pool = (ExecutionPool)self->pool.pool[w];
    if (pool == POOL_LOAD_STORE || pool == POOL_TEXTURE) return;
    const OperandWait wait = operand_wait_within(self, w, from, to);
    self->slot_time[SLOT_PIPE] -= wait.until - wait.since;
    self->slot_time[SLOT_OPERANDS] += wait.until - wait.since;
}

static void add_full(SM *self, uint32_t w, Time from, Time to)
{
    const SlotUse use = sm_full_way(self, (ExecutionPool)self->pool.pool[w], from);
    OperandWait wait = {to, to};
    if (use == SLOT_PIPE) wait = operand_wait_within(self, w, from, to);
    add(self, use, from, wait.since);
    add(self, SLOT_OPERANDS, wait.since, wait.until);
    add(self, use, wait.until, to);
}

/* An atomic that waits for its way has been refused by nothing that L1 counts. */
static SlotUse use_at(StagePlace place, const Warp *warp)
{
    if (place != STAGE_AT_REFUSED) return (SlotUse)(SLOT_AT + place);
    return warp->refused ? (SlotUse)(SLOT_REFUSED + warp->refused) : SLOT_AT + STAGE_AT_L1;
}

/* By the stages of the line that came last, those at one place together; the first has what was
 * before it. From the last one on: mostly the scheduler has issued since the others. */
G_GNUC_NO_INLINE static void add_stages(SM *self, const Warp *warp, Time from, Time to)
{
    const Transaction *answer = warp->answer;
    const uint32_t *passed = transaction_passed_end(answer);
    StagePlace place = stage_place((Stage)answer->stage);
    Time began = answer->stage_began;
    while (began > from && passed != answer->passed) {
        const PassedStage before = passed_stage_read_back(answer, &passed);
        const StagePlace earlier = stage_place((Stage)before.stage);
        if (earlier != place && began < to) {
            add_use(self, use_at(place, warp), began, to);
            to = began;
        }
        place = earlier;
        began -= before.length;
    }
    add_use(self, use_at(place, warp), from, to);
}

static void add_answer(SM *self, const Warp *warp, Time from, Time to)
{
    const SlotUse use = (SlotUse)warp->waited_for;
    if (from == to) return;
    add(self, use, from, to);
    if (use < SLOT_ANSWERS) return;
    if (warp->answer)
        add_stages(self, warp, from, to);
    else
        add(self, SLOT_AT + (use == SLOT_SAMPLE ? STAGE_AT_TEXTURE : STAGE_AT_L1), from, to);
}

/* In the order in which a warp waits: until it is there, for what it has no time for in advance,
 * for results, for its unit. */
static void add_wait(SM *self, uint32_t w, Time from, Time to)
{
    const Warp *warp = &self->warp[w];
    if (warp->waited_until > from) {
        const Time started = within(from, warp->started, to);
        add(self, SLOT_LAUNCH, from, started);
        from = within(started, warp->waited_until, to);
        add_answer(self, warp, started, from);
    }
    const Time ready = within(from, self->pool.ready_at[w], to);
    add(self, SLOT_RESULT, from, ready);
    if (ready < to) add_full(self, w, ready, to);
}

void sm_slots_drop_answer(SM *self, uint32_t w)
{
    Warp *warp = &self->warp[w];
    if (warp->answer) unit_free_message(&self->unit, &warp->answer->message);
    warp->answer = NULL;
}

/* The answer tells how time was spent in which nobody has issued so far. */
void sm_slots_keep_answer(SM *self, uint32_t w, WarpAccess *access, SlotUse waited_for, Time now)
{
    Warp *warp = &self->warp[w];
    warp->waited_for = (uint8_t)waited_for;
    warp->waited_until = now;
    sm_slots_drop_answer(self, w);
    if (!access || self->slot[self->pool.scheduler[w]].until >= now) return;
    warp->answer = access->answer;
    warp->refused = access->refused;
    access->answer = NULL;
}

/* Of the cycle that the scheduler issued in last, what has passed by `at`. */
static void add_issue(SM *self, IssueSlot *slot, Time at)
{
    const Time end = MIN(slot->until, at);
    if (end <= slot->since) return;
    add(self, (SlotUse)slot->use, slot->since, end);
    slot->since = end;
}

G_GNUC_NO_INLINE void sm_slots_add_all(SM *self, IssueSlot *slot, uint32_t w, Time now)
{
    add_issue(self, slot, now);
    if (now > slot->until) add_wait(self, w, slot->until, now);
}

/* Neighbours: of several, each has been idle for equally long. */
typedef struct {
    uint32_t first, count;
} Schedulers;

/* Nothing was issued since; the time until `at` is for `use`. */
static void skip_to(SM *self, Schedulers some, SlotUse use, Time at)
{
    IssueSlot *slot = &self->slot[some.first];
    add_issue(self, slot, at);
    const Time from = slot->until;
    if (at <= from) return;
    for (uint32_t i = 0; i < some.count; i++) {
        add(self, use, from, at);
        slot[i].since = slot[i].until = at;
    }
}

static bool has_warps(const SM *self, uint32_t s)
{
    return self->pool.used & self->pool.mine[s];
}

/* Of schedulers without warps: others of the SM may have had some. */
static void skip_empty(SM *self, Schedulers some, SlotUse use, Time at)
{
    skip_to(self, some, SLOT_FEW, self->pool.used ? at : MIN(self->emptied, at));
    skip_to(self, some, use, at);
}

/* Before its warps are there. A kernel's time begins with its first CTA, on whatever SM. */
void sm_slots_start_cta(SM *self, const CtaMessage *message, Time now)
{
    for (uint32_t s = 0; s < self->pool.width.schedulers; s++) {
        if (has_warps(self, s)) continue;
        skip_empty(self, (Schedulers){s, 1}, SLOT_BETWEEN, message->kernels_began);
        skip_empty(self, (Schedulers){s, 1}, SLOT_LAUNCH, now);
    }
}

static void skip_without_warps(SM *self, Schedulers some, const Boundary *boundary)
{
    if (boundary->kind == BOUNDARY_KERNEL_END) {
        skip_empty(self, some, SLOT_BETWEEN, boundary->began);
        skip_empty(self, some, SLOT_TAIL, self->kernels ? boundary->announced : boundary->issued);
        skip_empty(self, some, SLOT_DRAIN, boundary->announced);
    }
    if (boundary->kind == BOUNDARY_STOP && self->kernels)
        skip_empty(self, some, SLOT_LAUNCH, boundary->at);
    skip_to(self, some, SLOT_BETWEEN, boundary->at);
}

/* The warps are those of kernels that run on when measured ones have ended; or the run is over. */
static void skip_with_warps(SM *self, Schedulers some, const Boundary *boundary)
{
    if (boundary->kind == BOUNDARY_KERNEL_END) {
        skip_to(self, some, SLOT_OPEN, boundary->announced);
        skip_to(self, some, SLOT_BETWEEN, boundary->at);
    }
    skip_to(self, some, SLOT_OPEN, boundary->at);
}

static void cross(SM *self, uint32_t s, const Boundary *boundary)
{
    const Time from = MAX(self->slot[s].until, boundary->at);
    if (boundary->opens_region)
        self->slot[s].since = self->slot[s].until = from;
    else if (has_warps(self, s))
        skip_with_warps(self, (Schedulers){s, 1}, boundary);
    else
        skip_without_warps(self, (Schedulers){s, 1}, boundary);
}

/* All of them have been idle since the same time, as in most SMs of a kernel of few CTAs. */
static bool are_idle_alike(const SM *self)
{
    const IssueSlot *slot = self->slot;
    bool alike = !self->pool.used;
    for (uint32_t s = 0; alike && s < self->pool.width.schedulers; s++)
        alike = slot[s].until == slot->until && slot[s].since == slot->until;
    return alike;
}

/* A kernel has ended, and others that began with it have not. How long they go on is not known yet:
 * they may have ended by the boundary's time, too. */
static bool goes_on(const SM *self, const Boundary *boundary)
{
    return boundary->kind == BOUNDARY_KERNEL_END && self->kernels && !boundary->closes_region
           && boundary->edge == PHASE_GOES_ON;
}

static Counted cross_all(SM *self, const Boundary *boundary)
{
    const Schedulers all = {0, self->pool.width.schedulers};
    const bool stops = boundary->kind == BOUNDARY_STOP;
    if (!boundary->opens_region && !stops && are_idle_alike(self)) {
        skip_without_warps(self, all, boundary);
        return COUNTED_AT_REST;
    }
    for (uint32_t s = 0; s < all.count; s++) cross(self, s, boundary);
    return COUNTED_ANYTHING;
}

/* What has passed since measured kernels ended, while others ran on, is no measured kernel's. */
static void move_between(SM *self)
{
    g_autofree Time *measured = g_steal_pointer(&self->slots_measured);
    Time passed = 0;
    for (uint32_t use = 0; use < SLOT_ANSWERS; use++)
        passed += self->slot_time[use] - measured[use];
    measured[SLOT_BETWEEN] += passed;
    memcpy(self->slot_time, measured, sizeof self->slot_time);
}

Counted sm_slots_cross(SM *self, const Boundary *boundary)
{
    if (goes_on(self, boundary)) return COUNTED_NOTHING;
    const bool ran_on = self->slots_measured;
    const Counted counted = cross_all(self, boundary);
    if (ran_on) move_between(self);
    if (boundary->edge == PHASE_ENDS && self->kernels)
        self->slots_measured = g_memdup2(self->slot_time, sizeof self->slot_time);
    return ran_on ? COUNTED_ANYTHING : counted;
}
