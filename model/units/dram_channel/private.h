/* What the files of the DRAM channel share; nobody else includes this. */
#pragma once

#include "kit/engine/unit.h"
#include "kit/gpu/dram_commands.h"
#include "parts/dram/checker.h"

typedef struct {
    Time at; /* end of its data */
    Transaction *transaction;
} Transfer;

typedef struct {
    Unit unit;
    Port from_scheduler;
    Channel to_l2;
    const DramTiming *dram;

    bool verify;

    uint64_t activates, precharges, auto_precharges, reads, writes, refreshes, bytes_read,
        bytes_written, data_written;
    uint64_t bus_busy, row_open, turns_to_write, turns_to_read, refresh_turns;
    BankCounts bank_accesses, bank_activates;

    ServerArray command_buses, row_cycles, bank_groups;
    Server activate_gap, activates_of_4, activates_of_32, refresh, data_bus;
    uint64_t four, thirty_two, banks, buses; /* how many of them at once */

    uint32_t row[DRAM_BANKS_MAX];
    uint64_t opened[DRAM_BANKS_MAX]; /* cycle */
    SlotRing bus;
    uint64_t bus_end; /* of the last burst on it, which was a write? */
    bool bus_writes;
    uint64_t turn[2];   /* cycles it cannot carry from reads to writes, and back */
    uint64_t row_cycle; /* at least from an activate of a bank to the next */
    uint64_t lag;       /* cycles from the scheduler to here */
    Transfer *transfer; /* ring, in order of time */
    uint32_t first, transfers, room;
    DramChecker *checker;
    GArray *log; /* of DramStep, in order of cycle: what the checker has not seen */
} DramChannel;

/* dram_channel/execute.c: commands, each at its own cycle; returns when the last of their data has
 * passed, 0 where there is none. */
uint64_t dram_channel_execute(DramChannel *self, const DramSteps *steps);
