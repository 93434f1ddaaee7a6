#include "parts/dram/private.h"
#include "parts/dram/windows.h"

/* Room for the horizon and for what an access may need beyond it: all its bursts, the rows of its
 * other banks behind tFAW, the gaps that its commands keep free after them, and to close the
 * rows. */
uint64_t dram_state_reach(const DramTiming *t, uint64_t horizon)
{
    const uint64_t rows = t->tRC + t->tRP + t->tRCDRD + t->tRCDWR + t->tFAW + t->t32AW;
    const uint64_t gaps = t->read_to_write + t->write_to_read[1] + t->activate_gap[1];
    const uint64_t closing = t->write_to_precharge + t->tRTP;
    return horizon + DRAM_BURSTS_MAX * t->column_gap[1] + rows + 2 * gaps + closing + 128;
}

void dram_state_init(DramState *state, const DramTiming *timing, uint64_t horizon)
{
    *state = (DramState){.timing = timing, .changes = 1};
    dram_slots_init(&state->slots, timing, dram_state_reach(timing, horizon));
    const bool per_bank = timing->refresh == DRAM_REFRESH_PER_BANK;
    for (uint64_t i = 0; i < timing->banks; i++)
        state->bank[i] = (DramBank){
            .row = DRAM_NO_ROW, .refresh_due = per_bank ? (i + 1) * timing->tREFIpb : UINT64_MAX};
    state->some_due = per_bank ? timing->tREFIpb : UINT64_MAX;
    state->all_due = timing->refresh == DRAM_REFRESH_ALL_BANK ? timing->tREFI : UINT64_MAX;
}

/* Neighbours in number lie far apart: multiples of the golden ratio, modulo one. */
void dram_state_stagger(DramState *state, uint32_t channel)
{
    const uint64_t share = channel * UINT64_C(40503) & 0xffff;
    if (state->timing->refresh == DRAM_REFRESH_ALL_BANK)
        state->all_due += state->timing->tREFI * share >> 16;
}

void dram_state_finish(DramState *state)
{
    slot_ring_finish(&state->slots);
}

/* --- refresh --- */

static uint64_t refresh_ready(const DramState *state, const DramBank *bank)
{
    if (bank->row != DRAM_NO_ROW) return bank->precharge_ready;
    return bank->activate_ready - MIN(bank->activate_ready, state->timing->tRP);
}

/* Refreshes that an idle bank had in the meantime leave no trace except the last one. */
static uint32_t pass_due(uint64_t *due, uint64_t interval, uint64_t now)
{
    const uint64_t passed = (now - *due) / interval + 1;
    *due += passed * interval;
    return (uint32_t)passed;
}

static void close_for_refresh(DramState *state, DramBank *bank, uint64_t start)
{
    bank->row = DRAM_NO_ROW;
    bank->activate_ready = MAX(bank->activate_ready, start + state->timing->refresh_cycles);
    state->changes++;
}

void dram_refresh_bank(DramState *state, DramBank *bank)
{
    bank->refreshes += pass_due(&bank->refresh_due, state->timing->refresh_interval, state->now);
    const uint64_t last_due = bank->refresh_due - state->timing->refresh_interval;
    bank->refreshed_at = MAX(last_due, refresh_ready(state, bank));
    close_for_refresh(state, bank, bank->refreshed_at);
}

static void catch_up_all(DramState *state)
{
    const DramTiming *timing = state->timing;
    state->all_refreshes += pass_due(&state->all_due, timing->refresh_interval, state->now);
    uint64_t start = state->all_due - timing->refresh_interval;
    for (uint64_t i = 0; i < timing->banks; i++)
        start = MAX(start, refresh_ready(state, &state->bank[i]));
    for (uint64_t i = 0; i < timing->banks; i++) close_for_refresh(state, &state->bank[i], start);
    state->all_refreshed_at = start;
}

/* Banks' turns are an interval of all banks apart. */
static void note_due(DramState *state)
{
    pass_due(&state->some_due, state->timing->tREFIpb, state->now);
    state->changes++;
}

void dram_state_pass(DramState *state)
{
    const uint64_t base = state->slots.base;
    slot_ring_advance(&state->slots, state->now);
    state->changes += state->slots.base != base;
    if (state->some_due <= state->now) note_due(state);
    if (state->all_due <= state->now) catch_up_all(state);
}

/* --- finding times --- */

static DramRowSlot find_row_slot(const DramState *state, uint32_t map, uint64_t from)
{
    return dram_slots_find_row(&state->slots, state->timing, map, from);
}

static uint64_t find_activate(const DramState *state, uint64_t group, uint64_t from)
{
    const DramTiming *timing = state->timing;
    for (uint64_t t = from;;) {
        t = find_row_slot(state, dram_slots_activate(timing, group), t).at;
        uint64_t allowed = timing->tFAW ? dram_windows_after(state, t, 4, timing->tFAW) : t;
        if (timing->t32AW) allowed = MAX(allowed, dram_windows_after(state, t, 32, timing->t32AW));
        if (allowed == t) return t;
        t = allowed;
    }
}

static uint64_t to_column(const DramTiming *timing, bool write)
{
    return write ? timing->tRCDWR : timing->tRCDRD;
}

/* To open the row of a bank that has another one, or none. */
static DramRowPlan plan_row(const DramState *state, bool write, uint8_t number)
{
    const DramTiming *timing = state->timing;
    const DramBank *bank = &state->bank[number];
    DramRowPlan plan = {.precharge = UINT64_MAX};
    uint64_t ready = MAX(bank->activate_ready, state->now);
    if (bank->row != DRAM_NO_ROW) {
        const uint64_t from = MAX(bank->precharge_ready, state->now);
        plan.precharge = find_row_slot(state, dram_slots_precharge(timing), from).at;
        ready = MAX(ready, plan.precharge + timing->precharge_to_activate);
    }
    plan.activate = find_activate(state, dram_group_of(timing, number), ready);
    plan.column_ready = plan.activate + to_column(timing, write);
    return plan;
}

/* What it says is still to come, and nothing has come in between: the cycles were the first that
 * were free, and are. */
static bool plan_holds(const DramState *state, const DramPlanned *planned, const DramAccess *access,
                       uint8_t number)
{
    return planned->changes == state->changes && planned->bank == number
           && planned->row == access->row && planned->write == access->write
           && MIN(planned->plan.precharge, planned->plan.activate) >= state->now;
}

DramRowPlan dram_plan_row(DramState *state, const DramAccess *access, uint8_t which)
{
    const uint8_t number = access->bank[which];
    const DramBank *bank = &state->bank[number];
    DramPlanned *planned = &state->planned[which];
    if (dram_has_row(state, bank, access->row))
        return (DramRowPlan){UINT64_MAX, UINT64_MAX, bank->column_ready[access->write]};
    if (!plan_holds(state, planned, access, number))
        *planned = (DramPlanned){.plan = plan_row(state, access->write, number),
                                 .changes = state->changes,
                                 .row = access->row,
                                 .bank = number,
                                 .write = access->write};
    return planned->plan;
}

/* None is before the one that was the first when columns from an earlier cycle were looked for. */
static void find_columns(const DramState *state, bool write, uint64_t from, DramOutlook *outlook)
{
    const uint32_t map = dram_slots_column(state->timing, write, 0);
    const uint32_t groups = (uint32_t)state->timing->bank_groups;
    if (from >= outlook->from) from = MAX(from, outlook->first_column);
    if (from < slot_ring_limit(&state->slots)) {
        outlook->first_column =
            slot_ring_first_free_of_each(&state->slots, map, groups, from, outlook->column);
    } else {
        for (uint32_t i = 0; i < groups; i++) outlook->column[i] = from;
        outlook->first_column = from;
    }
}

void dram_state_look_anew(DramState *state, bool write, uint64_t from, DramOutlook *outlook)
{
    find_columns(state, write, from, outlook);
    outlook->changes = state->changes;
    outlook->from = from;
    outlook->activates_known = 0;
    outlook->precharge_known = false;
}

static DramRowSlot look_at_precharges(const DramState *state, DramOutlook *outlook)
{
    if (!outlook->precharge_known || outlook->precharge.free < state->now)
        outlook->precharge = find_row_slot(state, dram_slots_precharge(state->timing), state->now);
    outlook->precharge_known = true;
    return outlook->precharge;
}

static DramRowSlot look_at_activates(const DramState *state, uint64_t group, DramOutlook *outlook)
{
    if (!(outlook->activates_known >> group & 1) || outlook->activate[group].free < state->now) {
        outlook->activates_known |= 1u << group;
        outlook->activate[group] =
            find_row_slot(state, dram_slots_activate(state->timing, group), state->now);
    }
    return outlook->activate[group];
}

/* `offset` behind the slot. */
static DramRowSlot behind(DramRowSlot slot, uint64_t offset, DramRowSlot at_least)
{
    return (DramRowSlot){MAX(slot.free + offset, at_least.free),
                         MAX(slot.at + offset, at_least.at)};
}

/* When a bank that has another row, or none, could have columns of this one. */
static DramRowSlot estimate_row(const DramState *state, bool write, uint8_t number,
                                DramOutlook *outlook, uint64_t latest)
{
    const DramTiming *timing = state->timing;
    const DramBank *bank = &state->bank[number];
    const uint64_t column = to_column(timing, write);
    uint64_t ready = MAX(bank->activate_ready, state->now);
    if (bank->row != DRAM_NO_ROW)
        ready = MAX(ready, bank->precharge_ready + timing->precharge_to_activate);
    DramRowSlot first = {ready + column, ready + column};
    if (first.at > latest) return first;
    const DramRowSlot activate = look_at_activates(state, dram_group_of(timing, number), outlook);
    outlook->holds = MIN(outlook->holds, activate.free);
    first = behind(activate, column, first);
    if (bank->row == DRAM_NO_ROW || first.at > latest) return first;
    const DramRowSlot precharge = look_at_precharges(state, outlook);
    outlook->holds = MIN(outlook->holds, precharge.free);
    return behind(precharge, timing->precharge_to_activate + column, first);
}

/* The first column of a bank whose row is ready then. */
static uint64_t column_behind(const DramState *state, const DramAccess *access, uint8_t number,
                              uint64_t ready, const DramOutlook *outlook)
{
    const uint64_t column = outlook->column[dram_group_of(state->timing, number)];
    return ready <= column ? column : dram_find_column(state, access->write, number, ready);
}

/* ... of one whose row has to be opened. */
static DramRowSlot estimate_column(const DramState *state, const DramAccess *access, uint8_t number,
                                   DramOutlook *outlook, uint64_t latest)
{
    const DramRowSlot ready = estimate_row(state, access->write, number, outlook, latest);
    if (ready.at > latest) return ready;
    const uint64_t first = column_behind(state, access, number, ready.at, outlook);
    const uint64_t of_group = outlook->column[dram_group_of(state->timing, number)];
    return (DramRowSlot){ready.at == ready.free ? first : MAX(ready.free, of_group), first};
}

uint64_t dram_state_estimate(DramState *state, const DramAccess *access, DramOutlook *outlook,
                             uint64_t latest)
{
    uint64_t at = 0, not_before = 0, until = UINT64_MAX;
    outlook->certain = true;
    outlook->holds = UINT64_MAX;
    for (uint8_t i = 0; i < access->banks && at <= latest; i++) {
        const uint8_t number = access->bank[i];
        DramBank *bank = &state->bank[number];
        dram_catch_up(state, bank);
        until = MIN(until, bank->refresh_due);
        DramRowSlot first;
        if (dram_has_row(state, bank, access->row)) {
            first.at =
                column_behind(state, access, number, bank->column_ready[access->write], outlook);
            first.free = first.at;
        } else {
            first = estimate_column(state, access, number, outlook, latest);
            outlook->certain = false;
        }
        outlook->holds = MIN(outlook->holds, first.at);
        not_before = MAX(not_before, first.free);
        at = MAX(at, first.at);
    }
    outlook->not_before = not_before;
    /* a refresh closes a row without a slot for it */
    outlook->until = MIN(until, state->all_due);
    return at;
}

uint64_t dram_state_earliest(DramState *state, const DramAccess *access, uint64_t from)
{
    uint64_t latest = from;
    dram_settle(state, access->write);
    state->holds = UINT64_MAX;
    for (uint8_t i = 0; i < access->banks; i++) {
        dram_catch_up(state, &state->bank[access->bank[i]]);
        const DramRowPlan plan = dram_plan_row(state, access, i);
        const uint64_t first =
            dram_find_column(state, access->write, access->bank[i], MAX(from, plan.column_ready));
        state->holds = MIN(state->holds, MIN(MIN(plan.precharge, plan.activate), first));
        latest = MAX(latest, first);
    }
    return latest;
}
