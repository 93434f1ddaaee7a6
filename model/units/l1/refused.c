/* L1's accesses that were refused: how they are refused again.
 *
 * Where the way to L2 is full, each cycle one of the instruction buffer comes to the arbiter, finds
 * that nothing has changed for it, and goes back. Of as many as are certain to do so only the last
 * one has a step; the others are counted in the next step, whatever that is for. */
#include "units/l1/way.h"

/* Where a look-up does nothing but look, and finds the same as long as the line is not fetched. Of
 * refusals those of the way to L2 are the last ones. */
void l1_note_absent(L1 *self, const WarpAccess *access)
{
    AccessState *state = state_of(access);
    state->absent = access->refused >= REFUSED_NETWORK && !self->bytes && !self->register_ports;
    state->fetches = self->fetches;
}

static inline uint64_t next_line(const WarpAccess *access)
{
    return access->line[state_of(access)->next].line;
}

/* Since the access was refused. */
static inline bool may_be_fetched(const L1 *self, const WarpAccess *access)
{
    const uint32_t line = (uint32_t)next_line(access);
    uint32_t since = state_of(access)->fetches;
    if (self->fetches - since > FETCHED_LAST) return true;
    while (since != self->fetches)
        if (self->fetched[since++ % FETCHED_LAST] == line) return true;
    return false;
}

static inline bool is_absent(const L1 *self, const WarpAccess *access)
{
    return state_of(access)->absent && !may_be_fetched(self, access);
}

/* What is absent lacks nothing but the way to L2. */
static inline bool may_ask(const L1 *self)
{
    return self->table.used != self->table.capacity && !self->queued_writes.first;
}

/* Its translation is known, as it was then: no other has come. */
static inline bool lacks_the_network(const L1 *self, const WarpAccess *access)
{
    return access->refused == REFUSED_NETWORK
           && state_of(access)->changes - self->translated <= INT32_MAX;
}

static void refuse(L1 *self, WarpAccess *access, uint64_t *counter, Time now)
{
    l1_refuse_way(self, access, counter, now);
    state_of(access)->absent = true;
    state_of(access)->fetches = self->fetches;
}

bool l1_is_still_refused(L1 *self, WarpAccess *access, Time now)
{
    if (!is_absent(self, access) || !may_ask(self)) return false;
    uint64_t *const blocked = lacks_the_network(self, access)
                                  ? l1_blocked_by_network(self, now)
                                  : l1_blocked_by(self, next_line(access), now);
    if (blocked) refuse(self, access, blocked, now);
    return blocked;
}

/* --- as long as nothing happens --------------------------------------------------------------- */

static inline bool stays_refused(const L1 *self, const WarpAccess *access)
{
    if (!is_absent(self, access)) return false;
    if (lacks_the_network(self, access)) return self->network_full;
    return l1_stays_blocked_by(self, next_line(access)) == access->refused;
}

static void refuse_again(L1 *self, WarpAccess *access)
{
    if (access->refused == REFUSED_NETWORK) channel_refuse(&self->to_request_network, 1);
    if (access->refused == REFUSED_MMU) channel_refuse(&self->to_mmu, 1);
    refuse(self, access, &self->refused_set + (access->refused - REFUSED_SET),
           state_of(access)->refused_at);
}

/* None has a time of its own. */
static inline bool comes(const L1 *self, const WarpAccess *access)
{
    const AccessState *state = state_of(access);
    return !state->waits && state->changes != self->changes;
}

static const Message *first_awake(const L1 *self)
{
    return self->asleep ? self->asleep->next : self->buffered.first;
}

static void refuse_first(L1 *self, uint32_t count)
{
    const Message *before = self->asleep;
    for (const Message *message = first_awake(self); count; message = message->next) {
        WarpAccess *access = (WarpAccess *)message;
        if (comes(self, access)) {
            refuse_again(self, access);
            if (before == self->asleep) self->asleep = &access->message;
            count--;
        }
        before = message;
    }
}

/* Of each step; what else finds no room is refused as well. */
static void count_retries(L1 *self, uint32_t count)
{
    self->replays += count;
    self->wasted_replays += count;
    if (l1_any_access(self)) self->refused_room += 2 * (uint64_t)count;
    if (self->translated_waits) channel_refuse(&self->to_request_network, count);
    refuse_first(self, count);
}

static void take_left_retries(L1 *self, Time now)
{
    const Time until = MIN(now, self->left_until);
    Time next = self->left_from;
    uint32_t count = 0;
    for (; next < until; next += self->unit.clock->period) count++;
    self->left_until = 0;
    count_retries(self, count);
    unit_wake_instead(&self->unit, next > now ? next : TIME_NEVER);
}

/* The buffer's port writes one access a cycle. Since the last step none was served: where some were
 * due, one of them has come to the arbiter each cycle, found it taken, and gone back. */
static void count_while_taken(L1 *self, Time now)
{
    if (self->vain_from >= now) return;
    const uint64_t cycles = (now - self->vain_from - 1) / self->unit.clock->period + 1;
    self->replays += cycles;
    self->wasted_replays += cycles;
}

void l1_count_retries_in_vain(L1 *self, Time now)
{
    const bool left = self->left_until;
    count_while_taken(self, left ? MIN(now, self->left_from) : now);
    if (left) take_left_retries(self, now);
}

/* The next step is for a retry, and for nothing else. */
static bool only_retries(const L1 *self)
{
    return may_ask(self) && !self->requests_seen && !self->leaving_count && !self->left
           && self->kernels <= 1;
}

/* They come one a cycle, from `first` on. Returns when one comes that may be served, or the last;
 * no later than the open interval lasts, nor than something else comes. */
static Time find_last(const L1 *self, Time first)
{
    const Inbox *inbox = &self->unit.inbox;
    const Time cycle = self->unit.clock->period,
               until = MIN(self->unit.observe_due - 1, inbox_next_arrival(inbox));
    Time at = first - cycle;
    for (const Message *message = first_awake(self); message && at + cycle <= until;
         message = message->next) {
        const WarpAccess *access = (const WarpAccess *)message;
        if (!comes(self, access)) continue;
        at += cycle;
        if (!stays_refused(self, access)) break;
    }
    return at;
}

G_GNUC_NO_INLINE bool l1_leave_retries(L1 *self, Time at, Time now)
{
    const Time cycle = self->unit.clock->period, first = MAX(at, now + cycle);
    if (!only_retries(self) || self->unit.inbox.wake < first) return false;
    const Time last = find_last(self, first);
    if (last <= first) return false;
    self->left_from = first;
    self->left_until = last;
    unit_wake_instead(&self->unit, last);
    return true;
}
