/* The memory access scheduler: which request goes next. */
#include "units/access_scheduler/private.h"

/* Requests are numbered modulo 2^32: of two that wait, which came later. */
static inline bool is_behind(uint32_t sequence, uint32_t other)
{
    return (int32_t)(sequence - other) > 0;
}

/* Writes go while a drain lasts, and when no read waits and the bus has been idle for `drain_idle`.
 * From then on, or without such a time, they go at once until a read comes. */
static bool choose_writes(AccessScheduler *self)
{
    const uint32_t reads = self->sorter[READS].count, writes = self->sorter[WRITES].count;
    if (writes >= self->drain_high && !self->draining) {
        self->draining = true;
        self->drains++;
    }
    if (writes <= self->drain_low) self->draining = false;
    if (self->draining) return true;
    self->idle_drain = self->idle_drain && writes && !reads;
    if (reads || !writes) return false;
    if (self->last_was_write && (self->idle_drain || !self->drain_idle)) return true;
    if (self->last_column + self->drain_idle > self->state.now) return false;
    self->idle_drain = true;
    self->idle_drains++;
    return true;
}

bool access_scheduler_choose_between(AccessScheduler *self, bool *write)
{
    const RowRequest *read = self->sorter[READS].oldest, *written = self->sorter[WRITES].oldest;
    if (self->policy == POLICY_IN_ORDER)
        *write = !read || is_behind(read->sequence, written->sequence);
    else
        *write = choose_writes(self);
    return *write || read;
}

/* --- the request whose columns can go first --- */

/* When the columns of another one could go at the latest for it to be better: on a tie one of an
 * open row goes, then the oldest. */
static inline uint64_t latest_of(const Candidate *best, bool open, uint32_t sequence)
{
    return best->at - (best->open == open ? is_behind(sequence, best->sequence) : best->open);
}

static void compare(AccessScheduler *self, RowRequest *request, bool open, DramOutlook *outlook,
                    Candidate *best)
{
    const uint64_t latest = latest_of(best, open, request->sequence);
    const uint64_t at = dram_state_estimate(&self->state, &request->access, outlook, latest);
    if (at <= latest)
        *best = (Candidate){request,          at,   outlook->holds, request->sequence, open,
                            outlook->certain, false};
}

typedef struct {
    bool write, open;
    uint64_t bank_sets; /* bit b */
} Choice;

static SortedBanks *banks_of(RowSorter *sorter, uint32_t bank_set)
{
    SortedBanks *banks = &sorter->bank_set[bank_set];
    if (sorter->changed >> bank_set & 1) {
        banks->sequence = banks->next->sequence;
        banks->until = 0; /* it was not looked at */
        sorter->changed &= ~(UINT64_C(1) << bank_set);
    }
    return banks;
}

/* What is booked for others only makes a request later: that it could not go before some time is
 * true until its bank refreshes, another one is next, or another row open. So most need no look. */
static void compare_all(AccessScheduler *self, const Choice *choice, DramOutlook *outlook,
                        Candidate *best)
{
    for (uint64_t left = choice->bank_sets; left; left &= left - 1) {
        SortedBanks *banks =
            banks_of(&self->sorter[choice->write], (uint32_t)__builtin_ctzll(left));
        if (self->state.now < banks->until
            && banks->not_before > latest_of(best, choice->open, banks->sequence))
            continue;
        compare(self, banks->next, choice->open, outlook, best);
        banks->not_before = outlook->not_before;
        banks->until = outlook->until;
    }
}

static Candidate none(void)
{
    return (Candidate){.at = UINT64_MAX};
}

/* Nothing but time has passed, which makes all requests only later, but not this one: it is still
 * better than those that it was compared with. */
static bool is_still_best(const AccessScheduler *self, bool write)
{
    const Favourite *favourite = &self->favourite[write];
    return favourite->changes == self->state.changes && self->state.now <= favourite->best.holds
           && !(self->sorter[write].changed >> favourite->best.request->access.bank_set & 1);
}

/* The oldest of those whose rows are open and that go in the first cycle of any: nobody is before
 * it. NULL: there is none, or who it is has to be worked out. */
static RowRequest *find_first(const AccessScheduler *self, bool write, const DramOutlook *outlook)
{
    const RowSorter *sorter = &self->sorter[write];
    RowRequest *first = NULL;
    bool known = false;
    for (uint64_t left = sorter->hitting; left; left &= left - 1) {
        RowRequest *next = row_sorter_next(sorter, (uint32_t)__builtin_ctzll(left));
        const DramTurn turn = dram_state_turn(&self->state, &next->access, outlook);
        if (turn == DRAM_GOES_LATER || (first && is_behind(next->sequence, first->sequence)))
            continue;
        first = next;
        known = turn == DRAM_GOES_FIRST;
    }
    return known ? first : NULL;
}

/* It takes the first column that is free, and its row is open. */
static bool nobody_is_before(const Candidate *best, const DramOutlook *outlook)
{
    return best->open && best->at <= outlook->first_column;
}

static Candidate choose_of_bank_sets(AccessScheduler *self, bool write, DramOutlook *outlook,
                                     bool by_age)
{
    const RowSorter *sorter = &self->sorter[write];
    Favourite *favourite = &self->favourite[write];
    const bool known = is_still_best(self, write);
    Candidate best = known ? favourite->best : none();
    const uint64_t waiting = known ? sorter->waiting & sorter->changed : sorter->waiting;
    if (!waiting) return best;
    const uint64_t hitting = by_age ? 0 : waiting & sorter->hitting;
    compare_all(self, &(Choice){write, true, hitting}, outlook, &best);
    if (!nobody_is_before(&best, outlook))
        compare_all(self, &(Choice){write, false, waiting & ~hitting}, outlook, &best);
    if (!known || favourite->best.request != best.request)
        *favourite = (Favourite){.best = best, .changes = self->state.changes};
    return best;
}

/* An associative queue of `window` entries holds the oldest; of a row the first one goes. */
static Candidate choose_of_window(AccessScheduler *self, bool write, DramOutlook *outlook)
{
    Candidate best = none();
    const RowSorter *sorter = &self->sorter[write];
    RowRequest *request = sorter->oldest;
    for (uint64_t i = 0; request && i < self->window;
         i++, request = row_sorter_at(sorter, request->newer))
        if (row_sorter_is_first(sorter, request))
            compare(self, request, row_sorter_is_open(sorter, request), outlook, &best);
    return best;
}

static Candidate choose_first_ready(AccessScheduler *self, bool write, DramOutlook *outlook)
{
    if (self->window) return choose_of_window(self, write, outlook);
    RowRequest *first = find_first(self, write, outlook);
    if (first) return (Candidate){.request = first, .goes_first = true};
    return choose_of_bank_sets(self, write, outlook, false);
}

/* --- row by row --- */

/* The run goes on until its row is empty or has had `row_burst` requests; then the row whose bank
 * is ready first is next, on a tie the one that has waited longest. */
static Candidate choose_of_run(AccessScheduler *self, bool write, DramOutlook *outlook)
{
    RowRun *run = &self->run[write];
    if (run->row && run->length == self->row_burst && self->row_burst) {
        row_sorter_defer(&self->sorter[write], run->row);
        run->row = NULL;
    }
    if (run->row)
        return (Candidate){.request = row_sorter_at(&self->sorter[write], run->row->first)};
    return choose_of_bank_sets(self, write, outlook, true);
}

Candidate access_scheduler_choose(AccessScheduler *self, bool write, DramOutlook *outlook, Time now)
{
    const Candidate oldest = {.request = self->sorter[write].oldest};
    if (access_scheduler_is_overdue(self, oldest.request, now)) return oldest;
    switch ((SchedulerPolicy)self->policy) {
    case POLICY_IN_ORDER:
    case POLICY_FIFO: break;
    case POLICY_FR_FCFS:
    case POLICY_FR_FCFS_AGE: return choose_first_ready(self, write, outlook);
    case POLICY_SORTER_STORE: return choose_of_run(self, write, outlook);
    }
    return oldest;
}
