/* The commands of an access: rows first, then columns. */
#include "parts/dram/private.h"
#include "parts/dram/windows.h"

/* --- rows --- */

static void add_step(DramBooking *booking, DramStepKind kind, uint64_t cycle, uint8_t bank,
                     uint32_t row)
{
    booking->steps->step[booking->steps->count++] =
        (DramStep){.cycle = cycle, .row = row, .kind = kind, .bank = bank};
}

G_GNUC_NO_INLINE static void report_refreshes(DramState *state, uint8_t number,
                                              DramBooking *booking)
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
    state->changes++;
    bank->activate_ready = MAX(bank->activate_ready, cycle + timing->precharge_to_activate);
    add_step(booking, DRAM_STEP_PRECHARGE, cycle, number, bank->row);
}

static void book_activate(DramState *state, uint8_t number, uint32_t row, uint64_t cycle,
                          DramBooking *booking)
{
    const DramTiming *timing = state->timing;
    DramBank *bank = &state->bank[number];
    dram_slots_book_activate(&state->slots, timing, dram_group_of(timing, number), cycle);
    dram_windows_remember(state, cycle);
    state->changes++;
    bank->row = row;
    bank->column_ready[0] = cycle + timing->tRCDRD;
    bank->column_ready[1] = cycle + timing->tRCDWR;
    bank->precharge_ready = cycle + timing->tRAS;
    bank->activate_ready = cycle + timing->tRC;
    add_step(booking, DRAM_STEP_ACTIVATE, cycle, number, row);
    booking->activates++;
}

G_GNUC_NO_INLINE static DramRowPlan open_row(DramState *state, const DramAccess *access,
                                             uint8_t which, DramBooking *booking)
{
    const uint8_t number = access->bank[which];
    const DramRowPlan plan = dram_plan_row(state, access, which);
    if (plan.precharge != UINT64_MAX) {
        book_precharge(state, number, plan.precharge, booking);
        booking->precharges++;
    }
    if (plan.activate != UINT64_MAX)
        book_activate(state, number, access->row, plan.activate, booking);
    return plan;
}

static void open_rows(DramState *state, const DramAccess *access, DramRowPlan *plan,
                      DramBooking *booking)
{
    for (uint8_t i = 0; i < access->banks; i++) {
        DramBank *bank = &state->bank[access->bank[i]];
        dram_catch_up(state, bank);
        if (bank->refreshes || state->all_refreshes)
            report_refreshes(state, access->bank[i], booking);
        plan[i].precharge = plan[i].activate = UINT64_MAX;
        if (!dram_has_row(state, bank, access->row)) plan[i] = open_row(state, access, i, booking);
    }
}

/* --- what columns keep free --- */

/* The other groups, and the other direction; its own keep clear as much and more. */
static void occupy_others(DramState *state, bool write, const DramRun *run)
{
    const DramTiming *timing = state->timing;
    const uint64_t gap = timing->column_gap[0];
    dram_slots_keep_all_clear(&state->slots, dram_slots_column(timing, write, 0),
                              timing->group_maps, run->first, gap, run->last - run->first + gap);
    dram_note_run(state, write, run);
}

static void extend_run(DramState *state, bool write, DramRun *run, uint64_t cycle)
{
    if (cycle < run->first || cycle >= run->last + 2 * state->timing->column_gap[0]) {
        occupy_others(state, write, run);
        run->first = run->last = cycle;
    }
    run->last = MAX(run->last, cycle);
}

/* Where the columns of an access are. */
typedef struct {
    uint64_t cycle[DRAM_BURSTS_MAX];
    uint64_t first[DRAM_SPAN_MAX], last[DRAM_SPAN_MAX]; /* of each bank */
    uint8_t latest;                                     /* the bank with the last one */
} Columns;

static void occupy_rest(DramState *state, const DramAccess *access, uint32_t groups,
                        const Columns *columns)
{
    const DramTiming *timing = state->timing;
    if (timing->ideal == DRAM_IDEAL_BANDWIDTH) return;
    DramRun run = {columns->cycle[0], columns->cycle[0], groups, groups};
    for (uint32_t i = 1; i < access->bursts; i++)
        extend_run(state, access->write, &run, columns->cycle[i]);
    occupy_others(state, access->write, &run);
}

/* --- steps --- */

static DramStep column_step(const DramAccess *access, uint32_t burst, uint64_t cycle)
{
    return (DramStep){.cycle = cycle,
                      .row = access->row,
                      .column = dram_access_column(access, burst),
                      .kind = access->write ? DRAM_STEP_WRITE : DRAM_STEP_READ,
                      .bank = access->bank[dram_access_which(access, burst)]};
}

/* A bus that rows need as well. */
static inline bool shares_command_bus(const DramState *state)
{
    return state->timing->command_buses == 1 && state->timing->ideal != DRAM_IDEAL_BANDWIDTH;
}

/* --- columns, each at its first free cycle --- */

static uint32_t groups_of(const DramState *state, const DramAccess *access)
{
    uint32_t groups = 0;
    for (uint8_t i = 0; i < access->banks; i++)
        groups |= 1u << dram_group_of(state->timing, access->bank[i]);
    return groups;
}

/* Its own groups in its own direction, where the next burst of the access looks for its place. */
static void occupy_own(DramState *state, bool write, uint32_t groups, uint64_t own, uint64_t cycle)
{
    const DramTiming *timing = state->timing;
    for (uint32_t rest = groups; rest; rest &= rest - 1) {
        const uint64_t group = (uint64_t)__builtin_ctz(rest);
        const uint64_t gap = timing->column_gap[group == own];
        dram_slots_keep_clear(&state->slots, dram_slots_column(timing, write, group), cycle, gap,
                              gap);
    }
}

/* Columns not before `from`; what was looked at of what is booked now, or NULL. */
typedef struct {
    uint64_t from;
    const DramOutlook *outlook;
} Search;

/* The first free cycle of a burst in one of the access's banks. */
static inline uint64_t find_burst(const DramState *state, const DramAccess *access, uint32_t which,
                                  const Search *search)
{
    const uint8_t number = access->bank[which];
    const uint64_t ready = state->bank[number].column_ready[access->write];
    if (search->outlook) {
        const uint64_t column = search->outlook->column[dram_group_of(state->timing, number)];
        if (ready <= column) return column;
    }
    return dram_find_column(state, access->write, number, MAX(search->from, ready));
}

static void note_column(const DramAccess *access, uint32_t burst, Columns *columns)
{
    const uint8_t which = dram_access_which(access, burst);
    const uint64_t cycle = columns->cycle[burst];
    columns->first[which] = MIN(columns->first[which], cycle);
    columns->last[which] = MAX(columns->last[which], cycle);
    if (cycle >= columns->last[columns->latest]) columns->latest = which;
}

static void place_each(DramState *state, const DramAccess *access, uint64_t from, uint32_t groups,
                       Columns *columns)
{
    const DramTiming *timing = state->timing;
    *columns = (Columns){.latest = 0};
    for (uint8_t i = 0; i < access->banks; i++) columns->first[i] = UINT64_MAX;
    for (uint32_t i = 0; i < access->bursts; i++) {
        const uint8_t which = dram_access_which(access, i);
        columns->cycle[i] = find_burst(state, access, which, &(Search){from, NULL});
        note_column(access, i, columns);
        if (timing->ideal != DRAM_IDEAL_BANDWIDTH)
            occupy_own(state, access->write, groups, dram_group_of(timing, access->bank[which]),
                       columns->cycle[i]);
    }
}

/* The banks may close when their columns are through. */
static void use_rows(DramState *state, const DramAccess *access, const Columns *columns)
{
    const DramTiming *timing = state->timing;
    if (timing->ideal == DRAM_IDEAL_BANDWIDTH) return;
    const uint64_t rest = access->write ? timing->write_to_precharge : timing->tRTP;
    for (uint8_t i = 0; i < access->banks; i++) {
        DramBank *bank = &state->bank[access->bank[i]];
        bank->precharge_ready = MAX(bank->precharge_ready, columns->last[i] + rest);
    }
}

G_GNUC_NO_INLINE static void book_each(DramState *state, const DramAccess *access, uint64_t from,
                                       DramBooking *booking)
{
    Columns columns;
    const uint32_t groups = groups_of(state, access);
    place_each(state, access, from, groups, &columns);
    occupy_rest(state, access, groups, &columns);
    for (uint32_t i = 0; i < access->bursts; i++)
        booking->steps->step[booking->steps->count++] = column_step(access, i, columns.cycle[i]);
    for (uint32_t i = 0; shares_command_bus(state) && i < access->bursts; i++)
        dram_slots_book_column(&state->slots, state->timing, columns.cycle[i]);
    use_rows(state, access, &columns);
    booking->latest = columns.latest;
    booking->last_column = columns.last[columns.latest];
    booking->column = columns.first[columns.latest];
}

/* --- columns in a row --- */

/* Bursts that take turns from `first` on. */
typedef struct {
    const DramPattern *pattern; /* NULL: they do not */
    uint64_t first;
} Turns;

static const DramPattern *pattern_of(const DramState *state, const DramAccess *access)
{
    const DramPattern *pattern = &state->timing->pattern[access->banks - 1][access->bursts - 1];
    return access->in_turn && pattern->fits ? pattern : NULL;
}

/* Where nothing is before the first one that a later one would find. */
static Turns find_turns(const DramState *state, const DramAccess *access, const Search *search)
{
    const DramPattern *pattern = pattern_of(state, access);
    if (!pattern) return (Turns){NULL, 0};
    const uint64_t gap = state->timing->column_gap[0];
    const uint64_t first = find_burst(state, access, 0, search);
    for (uint32_t i = 1; i < pattern->banks; i++) {
        const uint64_t found = find_burst(state, access, i, search);
        if (found > first + pattern->offset[i] || found + gap <= first) return (Turns){NULL, 0};
    }
    return (Turns){pattern, first};
}

/* Every place behind the first one is free, too. */
static bool are_free(const DramState *state, const DramAccess *access, const DramPattern *pattern,
                     const SlotView *view)
{
    uint64_t taken = 0;
    for (uint32_t i = 0; i < pattern->banks; i++)
        taken |= slot_view_taken(view, (uint32_t)dram_group_of(state->timing, access->bank[i]))
                 & pattern->columns[i];
    return !taken;
}

/* Others keep clear, those of its groups more, and the banks may close when their columns are
 * through. Returns the groups. */
static uint32_t use_banks(DramState *state, const DramAccess *access, Turns turns,
                          const SlotView *view)
{
    const DramTiming *timing = state->timing;
    const DramPattern *pattern = turns.pattern;
    slot_view_take_all(view, timing->group_maps, pattern->kept_of_others);
    const uint64_t rest = turns.first + (access->write ? timing->write_to_precharge : timing->tRTP);
    uint32_t groups = 0;
    for (uint32_t i = 0; i < pattern->banks; i++) {
        DramBank *bank = &state->bank[access->bank[i]];
        const uint32_t group = (uint32_t)dram_group_of(timing, access->bank[i]);
        slot_view_take(view, group, pattern->kept[i]);
        groups |= 1u << group;
        bank->precharge_ready = MAX(bank->precharge_ready, rest + pattern->last[i]);
    }
    return groups;
}

static void note_runs(DramState *state, bool write, const DramPattern *pattern, DramRun run)
{
    const uint64_t first = run.first;
    for (uint32_t ends = pattern->run_ends;;) {
        const int last = __builtin_ctz(ends);
        run.last = first + pattern->offset[last];
        dram_note_run(state, write, &run);
        ends &= ends - 1;
        if (!ends) return;
        run.first = first + pattern->offset[last + 1];
    }
}

/* One step for all. */
static void add_columns(const DramAccess *access, Turns turns, DramSteps *steps)
{
    steps->step[steps->count++] =
        (DramStep){turns.first, access->row, access->column,
                   access->write ? DRAM_STEP_WRITE : DRAM_STEP_READ, access->bank[0]};
    steps->pattern = turns.pattern;
    steps->access = *access;
}

/* The same as each at its first free cycle, where nobody has to look for them one by one; false:
 * they do not lie in a row. A function of its own, or the pattern is looked up at every use. */
G_GNUC_NO_INLINE static bool book_in_a_row(DramState *state, const DramAccess *access, Turns turns,
                                           DramBooking *booking)
{
    const DramPattern *pattern = turns.pattern;
    const uint64_t first = turns.first;
    if (first < slot_ring_begin(&state->slots) + pattern->ahead) return false;
    const uint32_t map = dram_slots_column(state->timing, access->write, 0);
    const SlotView view = slot_ring_view(&state->slots, map, first - pattern->ahead);
    if (!are_free(state, access, pattern, &view)) return false;
    const uint32_t groups = use_banks(state, access, turns, &view);
    note_runs(state, access->write, pattern, (DramRun){first, first, groups, groups});
    add_columns(access, turns, booking->steps);
    for (uint32_t i = 0; shares_command_bus(state) && i < pattern->bursts; i++)
        dram_slots_book_column(&state->slots, state->timing, first + pattern->offset[i]);
    booking->last_column = first + pattern->end;
    booking->latest = pattern->latest;
    booking->column = first + pattern->offset[pattern->latest];
    return true;
}

/* --- */

/* Rows that have to be opened are, and then columns looked for. */
G_GNUC_NO_INLINE static void book_anywhere(DramState *state, const DramAccess *access,
                                           uint64_t from, DramBooking *booking)
{
    dram_settle(state, access->write);
    DramRowPlan plan[DRAM_SPAN_MAX];
    open_rows(state, access, plan, booking);
    const bool known = booking->outlook && booking->outlook->changes == state->changes;
    const Turns turns = find_turns(state, access, &(Search){from, known ? booking->outlook : NULL});
    if (!turns.pattern || !book_in_a_row(state, access, turns, booking))
        book_each(state, access, from, booking);
    booking->precharge = plan[booking->latest].precharge;
    booking->activate = plan[booking->latest].activate;
}

void dram_state_book(DramState *state, const DramAccess *access, uint64_t from,
                     DramBooking *booking)
{
    const DramTiming *timing = state->timing;
    booking->steps->count = booking->precharges = booking->activates = 0;
    booking->steps->pattern = NULL;
    booking->precharge = booking->activate = UINT64_MAX;
    const DramPattern *pattern = booking->goes_first ? pattern_of(state, access) : NULL;
    if (!pattern
        || !book_in_a_row(state, access, (Turns){pattern, booking->outlook->first_column}, booking))
        book_anywhere(state, access, from, booking);
    state->changes++;
    booking->data_end =
        booking->last_column + (access->write ? timing->CWL : timing->CL) + timing->burst_cycles;
}

void dram_state_close(DramState *state, uint8_t number, bool automatic, DramBooking *booking)
{
    const DramTiming *timing = state->timing;
    DramBank *bank = &state->bank[number];
    dram_catch_up(state, bank);
    if (bank->row == DRAM_NO_ROW) return;
    if (automatic) {
        const uint64_t cycle = bank->precharge_ready;
        bank->activate_ready = MAX(bank->activate_ready, cycle + timing->tRP);
        add_step(booking, DRAM_STEP_AUTO_PRECHARGE, cycle, number, bank->row);
    } else {
        const uint64_t from = MAX(bank->precharge_ready, state->now);
        const uint32_t map = dram_slots_precharge(timing);
        book_precharge(state, number, dram_slots_find_row(&state->slots, timing, map, from).at,
                       booking);
    }
    bank->row = DRAM_NO_ROW;
}
