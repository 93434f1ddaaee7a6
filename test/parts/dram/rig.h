/* A channel that is booked command by command, and what the checker says of it. */
#pragma once

#include "rigs/command_log.h"
#include "rigs/harness.h"

#include "parts/dram/state.h"

/* Every constraint small, so that the one a case makes large decides. */
static const DramTiming base = {.channel_width = 8,
                                .burst_length = 4,
                                .data_rate = 2,
                                .bank_groups = 4,
                                .banks_per_group = 4,
                                .rows = 64,
                                .row_bytes = 1024,
                                .interleaved_groups = 2,
                                .group_interleave = 128,
                                .CL = 4,
                                .CWL = 2,
                                .tRCDRD = 3,
                                .tRCDWR = 3,
                                .tRP = 3,
                                .tRAS = 6,
                                .tRC = 9,
                                .tRRD_S = 2,
                                .tRRD_L = 2,
                                .tCCD_S = 2,
                                .tCCD_L = 2,
                                .tWTR_S = 1,
                                .tWTR_L = 1,
                                .tRTP = 2,
                                .tWR = 2,
                                .tRFC = 50,
                                .tRFCpb = 50,
                                .tREFI = 1000,
                                .tREFIpb = 100,
                                .activate_cycles = 1,
                                .precharge_cycles = 1,
                                .row_bus_sharers = 1};

typedef struct {
    int bank; /* 0..3: group 0, 4..7: group 1 ... */
    uint32_t row;
    bool write;
} Burst;

static inline DramAccess single(Burst burst)
{
    return (DramAccess){.row = burst.row,
                        .write = burst.write,
                        .banks = 1,
                        .bursts = 1,
                        .bank = {(uint8_t)burst.bank}};
}

/* As early as it can go; a single burst goes when it was said to. */
static inline void book(DramState *state, const DramAccess *access, GArray *log)
{
    const uint64_t earliest = dram_state_earliest(state, access, 0);
    DramSteps steps;
    DramBooking booking = {.steps = &steps};
    dram_state_book(state, access, 0, &booking);
    if (access->bursts == 1) ck_assert_uint_eq(booking.last_column, earliest);
    dram_steps_spell_out(&steps);
    g_array_append_vals(log, steps.step, steps.count);
}
