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

static DramRowPlan open_row(DramState *state, const DramAccess *access, uint8_t which,
                            DramBooking *booking)
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
        plan[i] = dram_has_row(state, bank, access->row)
                      ? (DramRowPlan){.precharge = UINT64_MAX, .activate = UINT64_MAX}
                      : open_row(state, access, i, booking);
    }
}

/* --- what columns keep free --- */

/* The gap from a column command of one direction to one of the other, or of the same. */
static uint64_t column_gap(const DramTiming *timing, bool from_write, bool to_write,
                           bool same_group)
{
    if (from_write == to_write) return timing->column_gap[same_group];
    return from_write ? timing->write_to_read[same_group] : timing->read_to_write;
}

/* Of a group, no columns of one direction too close to those of the run, of the other. */
static void turn_clear(DramState *state, const DramRun *run, uint64_t group)
{
    const DramTiming *timing = state->timing;
    const bool write = state->runs_write, same = run->groups >> group & 1;
    dram_slots_keep_clear(&state->slots, dram_slots_column(timing, !write, group), run->first,
                          column_gap(timing, !write, write, same),
                          run->last - run->first + column_gap(timing, write, !write, same));
}

void dram_settle_runs(DramState *state)
{
    state->changes++;
    for (uint32_t i = 0; i < state->runs; i++)
        for (uint64_t group = 0; group < state->timing->bank_groups; group++)
            turn_clear(state, &state->run[i], group);
    state->runs = 0;
}

/* Those that no column from now on could be too close to are of no interest any more. */
static void drop_passed_runs(DramState *state)
{
    const DramTiming *timing = state->timing;
    const uint64_t longest = MAX(timing->write_to_read[1], timing->read_to_write);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < state->runs; i++)
        if (state->run[i].last + longest > state->now) state->run[kept++] = state->run[i];
    state->runs = kept;
}

static void note_run(DramState *state, bool write, const DramRun *run)
{
    if (state->runs == DRAM_RUNS_KEPT) drop_passed_runs(state);
    if (state->runs == DRAM_RUNS_KEPT) dram_settle_runs(state);
    state->runs_write = write;
    state->run[state->runs++] = *run;
}

/* The other groups, and the other direction. */
static void occupy_others(DramState *state, bool write, const DramRun *run)
{
    const DramTiming *timing = state->timing;
    const uint64_t gap = timing->column_gap[0];
    for (uint64_t group = 0; group < timing->bank_groups; group++)
        if (!(run->groups >> group & 1))
            dram_slots_keep_clear(&state->slots, dram_slots_column(timing, write, group),
                                  run->first, gap, run->last - run->first + gap);
    note_run(state, write, run);
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
    bool together;                                      /* in their order, nothing fits between */
} Columns;

static void occupy_rest(DramState *state, const DramAccess *access, uint32_t groups,
                        const Columns *columns)
{
    const DramTiming *timing = state->timing;
    if (timing->ideal == DRAM_IDEAL_BANDWIDTH) return;
    for (uint32_t i = 0; timing->command_buses == 1 && i < access->bursts; i++)
        dram_slots_book_column(&state->slots, timing, columns->cycle[i]);
    DramRun run = {columns->cycle[0], columns->cycle[0], groups};
    if (columns->together)
        run.last = columns->cycle[access->bursts - 1];
    else
        for (uint32_t i = 1; i < access->bursts; i++)
            extend_run(state, access->write, &run, columns->cycle[i]);
    occupy_others(state, access->write, &run);
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

static inline uint64_t find_burst(const DramState *state, const DramAccess *access, uint32_t which,
                                  uint64_t from)
{
    const uint8_t number = access->bank[which];
    const uint64_t ready = state->bank[number].column_ready[access->write];
    return dram_find_column(state, access->write, number, MAX(from, ready));
}

static void note_column(const DramAccess *access, uint32_t burst, Columns *columns)
{
    const uint8_t which = access->burst_bank[burst];
    const uint64_t cycle = columns->cycle[burst];
    columns->first[which] = MIN(columns->first[which], cycle);
    columns->last[which] = MAX(columns->last[which], cycle);
    if (cycle >= columns->last[columns->latest]) columns->latest = which;
}

static void place_each(DramState *state, const DramAccess *access, uint64_t from, uint32_t groups,
                       Columns *columns)
{
    const DramTiming *timing = state->timing;
    *columns = (Columns){.together = false};
    for (uint8_t i = 0; i < access->banks; i++) columns->first[i] = UINT64_MAX;
    for (uint32_t i = 0; i < access->bursts; i++) {
        const uint8_t which = access->burst_bank[i];
        columns->cycle[i] = find_burst(state, access, which, from);
        note_column(access, i, columns);
        if (timing->ideal != DRAM_IDEAL_BANDWIDTH)
            occupy_own(state, access->write, groups, dram_group_of(timing, access->bank[which]),
                       columns->cycle[i]);
    }
}

/* --- columns in a row --- */

/* Behind the bursts before it as closely as the gaps allow. */
static uint64_t follow(const DramTiming *timing, const DramAccess *access, uint32_t burst,
                       const Columns *columns)
{
    const uint8_t which = access->burst_bank[burst];
    if (access->banks == 1) return columns->last[which] + timing->column_gap[1];
    const uint64_t next = columns->cycle[burst - 1] + timing->column_gap[0];
    return burst < access->banks ? next : MAX(next, columns->last[which] + timing->column_gap[1]);
}

static bool is_free(const DramState *state, const DramAccess *access, uint32_t which,
                    uint64_t cycle)
{
    const uint64_t group = dram_group_of(state->timing, access->bank[which]);
    return slot_ring_is_free(&state->slots, dram_slots_column(state->timing, access->write, group),
                             cycle);
}

/* Of a group's first burst, not the access's: it would not find another place before this one. */
static bool finds(const DramState *state, const DramAccess *access, uint32_t which, uint64_t from,
                  const Columns *columns)
{
    const uint64_t found = find_burst(state, access, which, from);
    return found <= columns->cycle[which]
           && found + state->timing->column_gap[0] > columns->cycle[0];
}

/* Bursts that take turns in groups of their own, where there is nothing before the first one that a
 * later one would find, and every place behind it is free: then nobody has to look for them one by
 * one. */
static bool place_in_a_row(const DramState *state, const DramAccess *access, uint64_t from,
                           Columns *columns)
{
    uint8_t turn = 0;
    const uint64_t close = 2 * state->timing->column_gap[0];
    columns->together = true;
    columns->cycle[0] = columns->first[0] = columns->last[0] = find_burst(state, access, 0, from);
    for (uint32_t i = 1; i < access->bursts; i++) {
        if (++turn == access->banks) turn = 0;
        if (access->burst_bank[i] != turn) return false;
        const uint64_t cycle = columns->cycle[i] = follow(state->timing, access, i, columns);
        if (i < access->banks && !finds(state, access, turn, from, columns)) return false;
        if (!is_free(state, access, turn, cycle)) return false;
        columns->together &= cycle < columns->cycle[i - 1] + close;
        columns->last[turn] = cycle;
        if (i < access->banks) columns->first[turn] = cycle;
    }
    columns->latest = turn;
    return true;
}

/* What the bursts keep free of a group of theirs is one stretch: the gaps of neighbours meet. */
static void occupy_row(DramState *state, const DramAccess *access, const Columns *columns)
{
    const DramTiming *timing = state->timing;
    const uint64_t other = timing->column_gap[0], own = timing->column_gap[1];
    const uint64_t first = columns->cycle[0], last = columns->cycle[access->bursts - 1];
    for (uint32_t i = 0; i < access->banks; i++) {
        const uint64_t group = dram_group_of(timing, access->bank[i]);
        /* the earlier of its own gap and the others', by as much later as both together are */
        const uint64_t begin = MIN(first + own, columns->first[i] + other) + 1;
        const uint64_t end = MAX(last + other, columns->last[i] + own);
        slot_ring_take(&state->slots, dram_slots_column(timing, access->write, group),
                       begin - MIN(begin, own + other), end);
    }
}

/* --- columns --- */

static void place_columns(DramState *state, const DramAccess *access, uint64_t from,
                          Columns *columns)
{
    const uint32_t groups = groups_of(state, access);
    const bool apart = __builtin_popcount(groups) == access->banks;
    if (apart && state->timing->ideal != DRAM_IDEAL_BANDWIDTH
        && place_in_a_row(state, access, from, columns))
        occupy_row(state, access, columns);
    else
        place_each(state, access, from, groups, columns);
    occupy_rest(state, access, groups, columns);
}

static void add_column(const DramAccess *access, uint32_t burst, uint64_t cycle,
                       DramBooking *booking)
{
    booking->steps->step[booking->steps->count++] =
        (DramStep){.cycle = cycle,
                   .row = access->row,
                   .column = access->column[burst],
                   .kind = access->write ? DRAM_STEP_WRITE : DRAM_STEP_READ,
                   .bank = access->bank[access->burst_bank[burst]]};
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

/* Returns the index of the bank with the last column. */
static uint8_t book_columns(DramState *state, const DramAccess *access, uint64_t from,
                            DramBooking *booking)
{
    Columns columns;
    place_columns(state, access, from, &columns);
    for (uint32_t i = 0; i < access->bursts; i++) add_column(access, i, columns.cycle[i], booking);
    use_rows(state, access, &columns);
    booking->last_column = columns.last[columns.latest];
    booking->column = columns.first[columns.latest];
    return columns.latest;
}

void dram_state_book(DramState *state, const DramAccess *access, uint64_t from,
                     DramBooking *booking)
{
    const DramTiming *timing = state->timing;
    dram_settle(state, access->write);
    booking->steps->count = booking->precharges = booking->activates = 0;
    DramRowPlan plan[DRAM_SPAN_MAX];
    open_rows(state, access, plan, booking);
    state->changes++;
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
