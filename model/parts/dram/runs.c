/* What columns keep free of the other direction: noted, and worked out when somebody looks. */
#include "parts/dram/private.h"

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
    const bool write = state->runs_write;
    const uint64_t before = column_gap(timing, !write, write, run->first_groups >> group & 1);
    const uint64_t after = column_gap(timing, write, !write, run->last_groups >> group & 1);
    dram_slots_keep_clear(&state->slots, dram_slots_column(timing, !write, group), run->first,
                          before, run->last - run->first + after);
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

void dram_add_run(DramState *state, bool write, const DramRun *run)
{
    if (state->runs == DRAM_RUNS_KEPT) drop_passed_runs(state);
    if (state->runs == DRAM_RUNS_KEPT) dram_settle_runs(state);
    state->runs_write = write;
    state->run[state->runs++] = *run;
}
