/* The SM: where the time of its schedulers' slots went.
 *
 * A cycle in which a scheduler issues belongs to the unit of the first instruction. What passes
 * between two of them belongs to what the warp waited for that issued next: without that wait the
 * scheduler would have gone on. A new warp was waited for itself, or for its CTA. Each femtosecond
 * of each scheduler is counted once. */
#include "units/sm/private.h"

static void add(SM *self, SlotUse use, Time from, Time to)
{
    self->slot_time[use] += to - from;
}

static Time within(Time from, Time at, Time to)
{
    return at < from ? from : MIN(at, to);
}

static SlotUse full_way(ExecutionPool pool)
{
    return pool == POOL_LOAD_STORE || pool == POOL_TEXTURE ? SLOT_MEMORY_WAY : SLOT_PIPE;
}

/* In the order in which a warp waits: until it is there, for what it has no time for in advance,
 * for results, for its unit. */
static void add_wait(SM *self, uint32_t w, Time from, Time to)
{
    const Warp *warp = &self->warp[w];
    const Time started = within(from, warp->started, to);
    const Time waited = within(started, warp->waited_until, to);
    const Time ready = within(waited, self->pool.ready_at[w], to);
    add(self, SLOT_LAUNCH, from, started);
    add(self, (SlotUse)warp->waited_for, started, waited);
    add(self, SLOT_RESULT, waited, ready);
    add(self, full_way((ExecutionPool)self->pool.pool[w]), ready, to);
}

/* Of the cycle that the scheduler issued in last, what has passed by `at`. */
static void add_issue(SM *self, IssueSlot *slot, Time at)
{
    const Time end = MIN(slot->until, at);
    if (end <= slot->since) return;
    add(self, (SlotUse)slot->use, slot->since, end);
    slot->since = end;
}

void sm_slots_issue(SM *self, uint32_t s, uint32_t w, ExecutionPool pool, Time now)
{
    IssueSlot *slot = &self->slot[s];
    if (now < slot->until) return; /* another one of this cycle */
    add_issue(self, slot, now);
    if (now > slot->until) add_wait(self, w, slot->until, now);
    *slot = (IssueSlot){.since = now, .until = now + self->unit.clock->period, .use = pool};
}

/* Nothing was issued since; the time until `at` is for `use`. */
static void skip_to(SM *self, uint32_t s, SlotUse use, Time at)
{
    IssueSlot *slot = &self->slot[s];
    add_issue(self, slot, at);
    if (at <= slot->until) return;
    add(self, use, slot->until, at);
    slot->since = slot->until = at;
}

static bool has_warps(const SM *self, uint32_t s)
{
    return self->pool.used & self->pool.mine[s];
}

/* Of a scheduler without warps: others of the SM may have had some. */
static void skip_empty(SM *self, uint32_t s, SlotUse use, Time at)
{
    skip_to(self, s, SLOT_FEW, self->pool.used ? at : MIN(self->emptied, at));
    skip_to(self, s, use, at);
}

/* Before its warps are there. */
void sm_slots_start_cta(SM *self, Time now)
{
    for (uint32_t s = 0; s < self->pool.width.schedulers; s++)
        if (!has_warps(self, s)) skip_empty(self, s, SLOT_LAUNCH, now);
}

static void skip_without_warps(SM *self, uint32_t s, const Boundary *boundary)
{
    if (boundary->kind == BOUNDARY_KERNEL_END) skip_empty(self, s, SLOT_TAIL, boundary->announced);
    skip_empty(self, s, SLOT_BETWEEN, boundary->at);
}

static void cross(SM *self, uint32_t s, const Boundary *boundary)
{
    const Time from = MAX(self->slot[s].until, boundary->at);
    if (boundary->opens_region)
        self->slot[s].since = self->slot[s].until = from;
    else if (has_warps(self, s))
        skip_to(self, s, SLOT_OPEN, boundary->at);
    else
        skip_without_warps(self, s, boundary);
}

void sm_slots_cross(SM *self, const Boundary *boundary)
{
    for (uint32_t s = 0; s < self->pool.width.schedulers; s++) cross(self, s, boundary);
}
