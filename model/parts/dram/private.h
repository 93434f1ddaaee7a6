/* What the files of the DRAM state share; nobody else includes this. */
#pragma once

#include "parts/dram/state.h"

static inline bool dram_has_row(const DramState *state, const DramBank *bank, uint32_t row)
{
    return bank->row == row || state->timing->ideal != DRAM_IDEAL_NO;
}

/* Refreshes of the bank that have come due. */
void dram_refresh_bank(DramState *state, DramBank *bank);

static inline void dram_catch_up(DramState *state, DramBank *bank)
{
    if (bank->refresh_due <= state->now) dram_refresh_bank(state, bank);
}

/* To open the access's row in one of its banks, by its place among them. */
DramRowPlan dram_plan_row(DramState *state, const DramAccess *access, uint8_t which);

/* What both keep clear of any group is one stretch that begins as the first one's and ends as the
 * second one's. */
static inline bool dram_runs_are_one(const DramTiming *timing, const DramRun *first,
                                     const DramRun *second)
{
    const uint64_t longer = timing->write_to_read[1] - timing->write_to_read[0];
    const uint64_t gaps = timing->read_to_write + timing->write_to_read[0];
    return second->first >= first->first + longer && second->last >= first->last + longer
           && second->first < first->last + gaps;
}

void dram_add_run(DramState *state, bool write, const DramRun *run);

/* Columns of this direction have been booked. */
static inline void dram_note_run(DramState *state, bool write, const DramRun *run)
{
    DramRun *latest = state->runs ? &state->run[state->runs - 1] : NULL;
    if (!latest || !dram_runs_are_one(state->timing, latest, run)) {
        dram_add_run(state, write, run);
        return;
    }
    latest->last = run->last;
    latest->last_groups = run->last_groups;
}

static inline uint64_t dram_find_column(const DramState *state, bool write, uint8_t bank,
                                        uint64_t from)
{
    const DramTiming *timing = state->timing;
    const uint32_t map = dram_slots_column(timing, write, dram_group_of(timing, bank));
    return slot_ring_first_free(&state->slots, map, MAX(from, state->now));
}
