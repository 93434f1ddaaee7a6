#include "parts/dram/state.h"

#include "parts/dram/windows.h"

static bool has_row(const DramState *state, const DramBank *bank, uint32_t row)
{
    return bank->row == row || state->timing->ideal != DRAM_IDEAL_NO;
}

static uint64_t group_of(const DramTiming *timing, uint64_t bank)
{
    return bank >> timing->group_shift;
}

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
    *state = (DramState){.timing = timing};
    dram_slots_init(&state->slots, timing, dram_state_reach(timing, horizon));
    for (uint64_t i = 0; i < timing->banks; i++)
        state->bank[i] = (DramBank){.row = DRAM_NO_ROW, .refresh_due = (i + 1) * timing->tREFIpb};
    state->all_due = timing->tREFI;
}

/* Neighbours in number lie far apart: multiples of the golden ratio, modulo one. */
void dram_state_stagger(DramState *state, uint32_t channel)
{
    const uint64_t share = channel * UINT64_C(40503) & 0xffff;
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
}

static void catch_up_bank(DramState *state, DramBank *bank)
{
    if (state->timing->refresh != DRAM_REFRESH_PER_BANK || bank->refresh_due > state->now) return;
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

void dram_state_advance(DramState *state, uint64_t now)
{
    state->now = now;
    slot_ring_advance(&state->slots, now);
    if (state->timing->refresh == DRAM_REFRESH_ALL_BANK && state->all_due <= now)
        catch_up_all(state);
}

/* --- finding times --- */

static uint64_t find_row_slot(const DramState *state, uint32_t map, uint64_t from)
{
    return dram_slots_find_row(&state->slots, state->timing, map, from);
}

static uint64_t find_activate(const DramState *state, uint64_t group, uint64_t from)
{
    const DramTiming *timing = state->timing;
    for (uint64_t t = from;;) {
        t = find_row_slot(state, dram_slots_activate(timing, group), t);
        uint64_t allowed = timing->tFAW ? dram_windows_after(state, t, 4, timing->tFAW) : t;
        if (timing->t32AW) allowed = MAX(allowed, dram_windows_after(state, t, 32, timing->t32AW));
        if (allowed == t) return t;
        t = allowed;
    }
}

typedef struct {
    uint64_t precharge, activate; /* UINT64_MAX: not needed */
    uint64_t column_ready;
} RowPlan;

static RowPlan plan_row(const DramState *state, const DramAccess *access, uint8_t number)
{
    const DramTiming *timing = state->timing;
    const DramBank *bank = &state->bank[number];
    RowPlan plan = {UINT64_MAX, UINT64_MAX, bank->column_ready[access->write]};
    if (has_row(state, bank, access->row)) return plan;
    uint64_t ready = MAX(bank->activate_ready, state->now);
    if (bank->row != DRAM_NO_ROW) {
        const uint64_t from = MAX(bank->precharge_ready, state->now);
        plan.precharge = find_row_slot(state, dram_slots_precharge(timing), from);
        ready = MAX(ready, plan.precharge + timing->precharge_to_activate);
    }
    plan.activate = find_activate(state, group_of(timing, number), ready);
    plan.column_ready = plan.activate + (access->write ? timing->tRCDWR : timing->tRCDRD);
    return plan;
}

static uint64_t find_column(const DramState *state, bool write, uint8_t bank, uint64_t from)
{
    const DramTiming *timing = state->timing;
    const uint32_t map = dram_slots_column(timing, write, group_of(timing, bank));
    return slot_ring_first_free(&state->slots, map, MAX(from, state->now));
}

void dram_state_look(const DramState *state, bool write, uint64_t from, DramOutlook *outlook)
{
    const DramTiming *timing = state->timing;
    from = MAX(from, state->now);
    outlook->rows_known = false;
    outlook->first_column = UINT64_MAX;
    for (uint64_t group = 0; group < timing->bank_groups; group++) {
        outlook->column[group] =
            slot_ring_first_free(&state->slots, dram_slots_column(timing, write, group), from);
        outlook->first_column = MIN(outlook->first_column, outlook->column[group]);
    }
}

static void look_at_rows(const DramState *state, DramOutlook *outlook)
{
    const DramTiming *timing = state->timing;
    outlook->rows_known = true;
    outlook->precharge = find_row_slot(state, dram_slots_precharge(timing), state->now);
    for (uint64_t group = 0; group < timing->bank_groups; group++)
        outlook->activate[group] =
            find_row_slot(state, dram_slots_activate(timing, group), state->now);
}

static uint64_t estimate_row(const DramState *state, const DramAccess *access, uint8_t number,
                             DramOutlook *outlook)
{
    const DramTiming *timing = state->timing;
    const DramBank *bank = &state->bank[number];
    if (has_row(state, bank, access->row)) return bank->column_ready[access->write];
    if (!outlook->rows_known) look_at_rows(state, outlook);
    uint64_t ready = MAX(bank->activate_ready, outlook->activate[group_of(timing, number)]);
    if (bank->row != DRAM_NO_ROW)
        ready = MAX(ready,
                    MAX(bank->precharge_ready, outlook->precharge) + timing->precharge_to_activate);
    return ready + (access->write ? timing->tRCDWR : timing->tRCDRD);
}

uint64_t dram_state_estimate(DramState *state, const DramAccess *access, DramOutlook *outlook)
{
    uint64_t latest = 0;
    for (uint8_t i = 0; i < access->banks; i++) {
        const uint8_t number = access->bank[i];
        catch_up_bank(state, &state->bank[number]);
        const uint64_t ready = MAX(estimate_row(state, access, number, outlook),
                                   outlook->column[group_of(state->timing, number)]);
        latest = MAX(latest, find_column(state, access->write, number, ready));
    }
    return latest;
}

uint64_t dram_state_earliest(DramState *state, const DramAccess *access, uint64_t from)
{
    uint64_t latest = from;
    for (uint8_t i = 0; i < access->banks; i++) {
        catch_up_bank(state, &state->bank[access->bank[i]]);
        const uint64_t ready = plan_row(state, access, access->bank[i]).column_ready;
        latest = MAX(latest, find_column(state, access->write, access->bank[i], MAX(from, ready)));
    }
    return latest;
}

/* --- booking --- */

static void add_step(DramBooking *booking, DramStepKind kind, uint64_t cycle, uint8_t bank,
                     uint32_t row)
{
    booking->steps->step[booking->steps->count++] =
        (DramStep){.cycle = cycle, .row = row, .kind = kind, .bank = bank};
}

static void report_refreshes(DramState *state, uint8_t number, DramBooking *booking)
{
    DramBank *bank = &state->bank[number];
    if (bank->refreshes)
        add_step(booking, DRAM_STEP_REFRESH_BANK, bank->refreshed_at, number, bank->refreshes);
    if (state->all_refreshes)
        add_step(booking, DRAM_STEP_REFRESH_ALL, state->all_refreshed_at, DRAM_ALL_BANKS,
                 state->all_refreshes);
    bank->refreshes = state->all_refreshes = 0;
}

static void book_precharge(DramState *state, uint8_t number, uint64_t cycle, DramBooking *booking)
{
    const DramTiming *timing = state->timing;
    DramBank *bank = &state->bank[number];
    dram_slots_book_precharge(&state->slots, timing, cycle);
    bank->activate_ready = MAX(bank->activate_ready, cycle + timing->precharge_to_activate);
    add_step(booking, DRAM_STEP_PRECHARGE, cycle, number, bank->row);
}

static void book_activate(DramState *state, uint8_t number, uint32_t row, uint64_t cycle,
                          DramBooking *booking)
{
    const DramTiming *timing = state->timing;
    DramBank *bank = &state->bank[number];
    dram_slots_book_activate(&state->slots, timing, group_of(timing, number), cycle);
    dram_windows_remember(state, cycle);
    bank->row = row;
    bank->column_ready[0] = cycle + timing->tRCDRD;
    bank->column_ready[1] = cycle + timing->tRCDWR;
    bank->precharge_ready = cycle + timing->tRAS;
    bank->activate_ready = cycle + timing->tRC;
    add_step(booking, DRAM_STEP_ACTIVATE, cycle, number, row);
    booking->activates++;
}

static RowPlan open_row(DramState *state, const DramAccess *access, uint8_t number,
                        DramBooking *booking)
{
    catch_up_bank(state, &state->bank[number]);
    report_refreshes(state, number, booking);
    const RowPlan plan = plan_row(state, access, number);
    if (plan.precharge != UINT64_MAX) {
        book_precharge(state, number, plan.precharge, booking);
        booking->precharges++;
    }
    if (plan.activate != UINT64_MAX)
        book_activate(state, number, access->row, plan.activate, booking);
    return plan;
}

/* The gap from a column command of one direction to one of the other, or of the same. */
static uint64_t column_gap(const DramTiming *timing, bool from_write, bool to_write,
                           bool same_group)
{
    if (from_write == to_write) return timing->column_gap[same_group];
    return from_write ? timing->write_to_read[same_group] : timing->read_to_write;
}

/* No columns of that direction and group too close to the one at `cycle`, or to those up to
 * `last`. */
static void occupy(DramState *state, const DramAccess *access, uint64_t group, bool write,
                   uint64_t first, uint64_t last, bool same_group)
{
    const DramTiming *timing = state->timing;
    const uint64_t before = column_gap(timing, write, access->write, same_group);
    const uint64_t after = column_gap(timing, access->write, write, same_group);
    dram_slots_keep_clear(&state->slots, dram_slots_column(timing, write, group), first, before,
                          last - first + after);
}

static bool uses_group(const DramState *state, const DramAccess *access, uint64_t group)
{
    for (uint8_t i = 0; i < access->banks; i++)
        if (group_of(state->timing, access->bank[i]) == group) return true;
    return false;
}

/* Its own groups in its own direction, where the next burst of the access looks for its place. */
static void occupy_own(DramState *state, const DramAccess *access, uint8_t bank, uint64_t cycle)
{
    for (uint8_t i = 0; i < access->banks; i++) {
        const uint64_t group = group_of(state->timing, access->bank[i]);
        occupy(state, access, group, access->write, cycle, cycle,
               group == group_of(state->timing, bank));
    }
}

/* Bursts so close together that nothing fits between them. */
typedef struct {
    uint64_t first, last;
    bool any;
} Run;

/* The other groups and the other direction. */
static void occupy_others(DramState *state, const DramAccess *access, const Run *run)
{
    if (!run->any || state->timing->ideal == DRAM_IDEAL_BANDWIDTH) return;
    for (uint64_t group = 0; group < state->timing->bank_groups; group++) {
        const bool own = uses_group(state, access, group);
        occupy(state, access, group, !access->write, run->first, run->last, own);
        if (!own) occupy(state, access, group, access->write, run->first, run->last, false);
    }
}

static void extend_run(DramState *state, const DramAccess *access, Run *run, uint64_t cycle)
{
    if (!run->any || cycle < run->first || cycle >= run->last + 2 * state->timing->column_gap[0]) {
        occupy_others(state, access, run);
        *run = (Run){cycle, cycle, true};
    }
    run->last = MAX(run->last, cycle);
}

static uint64_t book_column(DramState *state, const DramAccess *access, uint32_t burst,
                            uint64_t from)
{
    const DramTiming *timing = state->timing;
    const uint8_t number = access->bank[access->burst_bank[burst]];
    DramBank *bank = &state->bank[number];
    const uint64_t ready = MAX(from, bank->column_ready[access->write]);
    const uint64_t cycle = find_column(state, access->write, number, ready);
    if (timing->ideal == DRAM_IDEAL_BANDWIDTH) return cycle;
    occupy_own(state, access, number, cycle);
    dram_slots_book_column(&state->slots, timing, cycle);
    const uint64_t rest = access->write ? timing->write_to_precharge : timing->tRTP;
    bank->precharge_ready = MAX(bank->precharge_ready, cycle + rest);
    return cycle;
}

/* Returns the index of the bank with the last column. */
static uint8_t book_columns(DramState *state, const DramAccess *access, uint64_t from,
                            DramBooking *booking)
{
    uint64_t first[DRAM_SPAN_MAX] = {0};
    uint8_t last = 0;
    Run run = {.any = false};
    for (uint32_t i = 0; i < access->bursts; i++) {
        const uint8_t which = access->burst_bank[i];
        const uint64_t cycle = book_column(state, access, i, from);
        extend_run(state, access, &run, cycle);
        if (!first[which] || cycle < first[which]) first[which] = cycle;
        if (cycle >= booking->last_column) {
            booking->last_column = cycle;
            last = which;
        }
        booking->steps->step[booking->steps->count++] =
            (DramStep){.cycle = cycle,
                       .row = access->row,
                       .column = access->column[i],
                       .kind = access->write ? DRAM_STEP_WRITE : DRAM_STEP_READ,
                       .bank = access->bank[which]};
    }
    occupy_others(state, access, &run);
    booking->column = first[last];
    return last;
}

void dram_state_book(DramState *state, const DramAccess *access, uint64_t from,
                     DramBooking *booking)
{
    const DramTiming *timing = state->timing;
    booking->steps->count = booking->precharges = booking->activates = 0;
    booking->last_column = 0;
    RowPlan plan[DRAM_SPAN_MAX];
    for (uint8_t i = 0; i < access->banks; i++)
        plan[i] = open_row(state, access, access->bank[i], booking);
    const uint8_t last = book_columns(state, access, from, booking);
    booking->precharge = plan[last].precharge;
    booking->activate = plan[last].activate;
    booking->data_end =
        booking->last_column + (access->write ? timing->CWL : timing->CL) + timing->burst_cycles;
}

void dram_state_close(DramState *state, uint8_t number, bool automatic, DramBooking *booking)
{
    const DramTiming *timing = state->timing;
    DramBank *bank = &state->bank[number];
    catch_up_bank(state, bank);
    if (bank->row == DRAM_NO_ROW) return;
    if (automatic) {
        const uint64_t cycle = bank->precharge_ready;
        bank->activate_ready = MAX(bank->activate_ready, cycle + timing->tRP);
        add_step(booking, DRAM_STEP_AUTO_PRECHARGE, cycle, number, bank->row);
    } else {
        const uint64_t from = MAX(bank->precharge_ready, state->now);
        book_precharge(state, number, find_row_slot(state, dram_slots_precharge(timing), from),
                       booking);
    }
    bank->row = DRAM_NO_ROW;
}
